"""The declarations of a source: functions with their parameters, globals and constants."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Literal

from esoplay.codegen.errors import (
    TOO_DEEP,
    Errors,
    SourceError,
    keyword_replacement,
    unsupported_message,
)
from esoplay.codegen.ir import MAX_NUMBER_BITS, Type
from esoplay.errors import UsageError

NameKind = Literal["byte", "int", "chars", "ints"]
"""The kinds of names: two types of values, and arrays of bytes or of ints."""

KINDS: dict[str, NameKind] = {"byte": "byte", "int": "int", "chars": "chars", "ints": "ints"}
ELEMENTS: dict[NameKind, Type] = {"chars": "byte", "ints": "int"}
BUILT_IN = frozenset(
    {"getc", "putc", "puts", "print_int", "append_digit", "byte", "int", "ord", "chars", "ints"}
    | {"range", "len"}
)
IMPORTS = ("__future__", "esoplay.codegen.source", "builders.source", "esoplay.codegen.primitives")
"""The modules that a source can import from, so that CPython can run it directly.

``builders`` is the library in the workspaces of sessions.
"""


@dataclass(frozen=True, slots=True)
class SourceFunction:
    """A function of a source; ``result`` is None if it returns nothing."""

    name: str
    parameters: tuple[tuple[str, NameKind], ...]
    result: Type | None
    node: ast.FunctionDef
    is_library: bool
    assigned_globals: frozenset[str]
    """The globals that the function assigns."""


@dataclass(frozen=True, slots=True)
class Module:
    """The declarations of a source.

    A value outside functions is in ``globals`` if a function assigns it, else in ``constants``.

    ``errors`` are the errors outside functions; ``unknown`` contains the names of invalid
    declarations.
    """

    functions: dict[str, SourceFunction]
    globals: dict[str, Type]
    initial_values: dict[str, int]
    """The initial value of each global."""
    constants: dict[str, int]
    errors: Errors = field(default_factory=Errors)
    unknown: set[str] = field(default_factory=set[str])


def source_text(data: bytes, name: str) -> str:
    """Decode the bytes of a file; a byte order mark is skipped, as by CPython.

    Raises UsageError with ``name``, the file's name, if the bytes are not valid text.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(
            f"{name}: line {line}: expected UTF-8 text; byte {error.start} is not valid"
        ) from None


def read_module(text: str, name: str = "source") -> Module:
    """Read the functions, globals and constants of a source and of the prelude.

    Errors in declarations are stored in the module, so that all other declarations can be compiled.
    Raises SourceError if nothing can be compiled.
    """
    library = _prelude()
    module = Module(
        dict(library.functions),
        dict(library.globals),
        dict(library.initial_values),
        dict(library.constants),
    )
    try:
        tree = parse(text)
    except SyntaxError as error:
        line, column = error.lineno or 1, error.offset or 1
        rest = "".join(text.splitlines(keepends=True)[line - 1 : line])[column - 1 :]
        message = "; ".join(filter(None, (error.msg, keyword_replacement(rest))))
        raise SourceError(message, line, column, name) from None
    except ValueError as error:
        raise SourceError(str(error), 1, 1, name) from None
    except (RecursionError, MemoryError):
        raise nesting_error(text, name) from None
    _DeclarationReader(name, module, is_library=False).read(tree)
    main = module.functions.get("main")
    if main is None and "main" not in module.unknown:
        message = "expected a function main(), where the program starts"
        module.errors.add(SourceError(message, 1, 1, name))
    if main is not None and (main.parameters or main.result):
        message = "main() must have no parameters and return nothing"
        module.errors.add(SourceError(message, *_position(main.node), name))
        main = None
    if main is None:
        raise module.errors.combine()
    return module


def check_by_python(text: str, name: str) -> None:
    """Raise SourceError for errors that only Python's compiler finds.

    An example is ``global x`` after a use of ``x``.
    """
    # Errors in a text count columns in bytes, errors in a tree use the columns of its nodes.
    code = text if text.isascii() else parse(text)
    try:
        compile(code, name, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise SourceError(error.msg, error.lineno or 1, error.offset or 1, name) from None


def parse(text: str) -> ast.Module:
    """Parse like ``ast.parse``, but count columns in characters instead of UTF-8 bytes."""
    tree = ast.parse(text)
    if text.isascii():
        return tree
    lines = [line.encode() for line in re.split("\r\n|\r|\n", text)]
    for node in ast.walk(tree):
        for row, column in (("lineno", "col_offset"), ("end_lineno", "end_col_offset")):
            line, offset = getattr(node, row, None), getattr(node, column, None)
            if line is not None and offset is not None and line <= len(lines):
                before = lines[line - 1][:offset]
                setattr(node, column, len(before.decode(errors="ignore")))
    return tree


def nesting_error(text: str, name: str) -> SourceError:
    """Return the error for a source that is nested too deeply for Python or the compiler."""
    try:
        tree = ast.parse(text)
    except (RecursionError, MemoryError):
        return SourceError(TOO_DEEP, *_find_too_deep_code(text), name)
    return SourceError(TOO_DEEP, *_deepest_node(tree, text), name)


def _deepest_node(tree: ast.AST, text: str) -> tuple[int, int]:
    """Return line and column, from 1, of the most deeply nested node."""
    place, most = (1, 0), 0
    nodes: list[tuple[ast.AST, int]] = [(tree, 0)]
    while nodes:
        node, depth = nodes.pop()
        line = getattr(node, "lineno", None)
        if depth > most and line is not None:
            place, most = (line, getattr(node, "col_offset", 0)), depth
        nodes += [(one, depth + 1) for one in ast.iter_child_nodes(node)]
    line, before = place  # a column in bytes
    row = text.splitlines()[line - 1].encode()
    return line, len(row[:before].decode(errors="ignore")) + 1


def _find_too_deep_code(text: str) -> tuple[int, int]:
    """Return line and column, from 1, of code that is too deeply nested for Python's parser."""
    lines = text.splitlines(keepends=True)
    low, high = 0, len(lines)
    while high - low > 1:
        middle = (low + high) // 2
        try:
            ast.parse("".join(lines[:middle]))
        except (RecursionError, MemoryError):
            high = middle
        except SyntaxError:
            low = middle  # the text is only incomplete
        else:
            low = middle
    row = lines[high - 1]
    return high, len(row) - len(row.lstrip()) + 1


@lru_cache(1)
def _prelude() -> Module:
    path = Path(__file__).with_name("prelude.py")
    module = Module({}, {}, {}, {})
    _DeclarationReader(path.name, module, is_library=True).read(ast.parse(path.read_text("utf-8")))
    return module


class _DeclarationReader:
    def __init__(self, name: str, module: Module, *, is_library: bool):
        self._name = name
        self._module = module
        self._is_library = is_library

    def read(self, tree: ast.Module) -> None:
        functions: list[ast.FunctionDef] = []
        values: list[tuple[str, ast.expr | None, ast.expr, ast.stmt]] = []
        for node in tree.body:
            match node:
                case ast.FunctionDef():
                    functions.append(node)
                case ast.AnnAssign(target=ast.Name(name), value=ast.expr() as value):
                    values.append((name, node.annotation, value, node))
                case ast.Assign(targets=[ast.Name(name)]):
                    values.append((name, None, node.value, node))
                case ast.Expr(value=ast.Constant(value=str())):
                    pass
                case ast.ImportFrom(module=str(origin)) if origin in IMPORTS:
                    pass
                case ast.If(test=ast.Compare(left=ast.Name("__name__"))):
                    pass
                case ast.Expr(value=ast.Call(func=ast.Name("main"), args=[], keywords=[])):
                    pass
                case _:
                    message = unsupported_message(
                        node, "expected a function or NAME = VALUE at the top level"
                    )
                    self._store_error(self._error(message, node), *bound_names(node))
        for node in functions:
            try:
                self._function(node)
            except SourceError as error:
                self._store_error(error, node.name)
        assigned = {
            name
            for function in self._module.functions.values()
            for name in function.assigned_globals
        }
        for name, annotation, value, node in values:
            try:
                self._define_value(name, annotation, value, node, name in assigned)
            except SourceError as error:
                self._store_error(error, name)
        for function in self._module.functions.values():
            for name, node in _global_declarations(function.node):
                if name not in self._module.globals and name not in self._module.unknown:
                    message = f"{name} is not a global: assign it outside of functions"
                    self._store_error(self._error(message, node), name)

    def _store_error(self, error: SourceError, *names: str) -> None:
        """Store an error; add the names to ``Module.unknown`` unless they are declared.

        names: the names whose declarations are invalid.
        """
        module = self._module
        module.errors.add(error)
        known = module.functions.keys() | module.constants.keys() | module.globals.keys()
        module.unknown.update(set(names) - known)

    def _function(self, node: ast.FunctionDef) -> None:
        name, arguments = node.name, node.args
        for one in ast.walk(node):  # also in unused code, which CPython may run
            if isinstance(one, ast.Call) and one.keywords:
                message = "keyword arguments are not supported; pass arguments by position"
                self._module.errors.add(self._error(message, one))
        if name in BUILT_IN or name in self._module.functions:
            raise self._error(f"function {name} is already defined", node)
        if node.decorator_list or arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
            raise self._error("only plain parameters are supported, and no decorators", node)
        if arguments.defaults or arguments.posonlyargs:
            raise self._error("parameters cannot have defaults", node)
        parameters = self._parameters(arguments)
        result = self._result_type(node)
        assigned_globals = frozenset(name for name, _ in _global_declarations(node))
        self._module.functions[name] = SourceFunction(
            name, parameters, result, node, self._is_library, assigned_globals
        )

    def _parameters(self, arguments: ast.arguments) -> tuple[tuple[str, NameKind], ...]:
        found: list[tuple[str, NameKind]] = []
        wrong: list[SourceError] = []
        for one in arguments.args:
            try:
                found.append((one.arg, self._parameter_kind(one.annotation, one)))
            except SourceError as error:
                wrong.append(error)
        if wrong:
            first, *others = wrong
            raise SourceError(first.message, first.line, first.column, first.name, others)
        return tuple(found)

    def _result_type(self, node: ast.FunctionDef) -> Type | None:
        match node.returns:
            case None | ast.Constant(value=None):
                return None
            case ast.Name("byte" | "int" as kind):
                return "byte" if kind == "byte" else "int"
            case other:
                raise self._error("the return type of a function must be byte, int or None", other)

    def _parameter_kind(self, annotation: ast.expr | None, node: ast.arg) -> NameKind:
        if isinstance(annotation, ast.Name) and annotation.id in KINDS:
            return KINDS[annotation.id]
        raise self._error(f"{node.arg} needs a type: byte, int, chars or ints", annotation or node)

    def _define_value(
        self, name: str, annotation: ast.expr | None, value: ast.expr, node: ast.stmt, mutable: bool
    ) -> None:
        module = self._module
        if name in module.constants or name in module.globals or name in module.functions:
            raise self._error(f"{name} is already defined", node)
        start = constant(value)
        if start is None:
            raise self._error(f"outside of functions, {name} must be a number", value)
        if start.bit_length() > MAX_NUMBER_BITS:
            raise self._error(f"a number must have at most {MAX_NUMBER_BITS:,} bits", value)
        if not mutable:
            module.constants[name] = start
            return
        kind: Type = "int"
        if isinstance(annotation, ast.Name) and annotation.id in ("byte", "int"):
            kind = "byte" if annotation.id == "byte" else "int"
        elif annotation is not None:
            raise self._error("expected byte or int", annotation)
        if kind == "byte" and not 0 <= start <= 255:
            raise self._error("a byte must be an integer from 0 to 255", value)
        module.globals[name] = kind
        module.initial_values[name] = start

    def _error(self, message: str, node: ast.AST) -> SourceError:
        return SourceError(message, *_position(node), self._name)


def constant(node: ast.expr) -> int | None:
    """Return the number that a literal spells, or None for another expression."""
    match node:
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return -value
        case ast.Call(func=ast.Name("ord"), args=[ast.Constant(value=str(value))]) if (
            len(value) == 1 and ord(value) < 128
        ):
            return ord(value)
        case _:
            return None


def _global_declarations(function: ast.FunctionDef) -> Iterator[tuple[str, ast.Global]]:
    """Yield the names that a function declares global, with their declarations."""
    for node in ast.walk(function):
        if isinstance(node, ast.Global):
            yield from ((name, node) for name in node.names)


def bound_names(node: ast.AST) -> Iterator[str]:
    """Yield the names that an unsupported statement or expression would define."""
    for one in ast.walk(node):
        match one:
            case ast.Name(name, ctx=ast.Store()):
                yield name
            case ast.alias(name, other):
                yield other or name
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                yield name
            case ast.AsyncFunctionDef(name=name):
                yield name
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name
            case ast.ExceptHandler(name=str(name)):
                yield name
            case _:
                pass


def _position(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1
