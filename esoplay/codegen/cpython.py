"""Runs a source in CPython as it stands, with every check that its types promise.

This is what a source means: a program in any language has to do the same.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable
from traceback import extract_tb
from types import CodeType
from typing import Any, SupportsIndex

from esoplay.codegen import prelude, primitives
from esoplay.codegen.bounds import LONGEST_NUMBER
from esoplay.codegen.depth import too_deep
from esoplay.codegen.errors import SourceFault
from esoplay.codegen.grammar import parse
from esoplay.codegen.ir import Type
from esoplay.codegen.lowering import Lowered, lower
from esoplay.codegen.values import position

_BUILT_IN: dict[str, Any] = {"int": int, "len": len, "ord": ord, "range": range}
"""What a source may call of CPython's own: it is text of somebody else's that is executed."""

ROUNDS = 10_000_000
"""Rounds of loops after which a source is taken for endless."""


def run_source(
    text: str, stdin: bytes = b"", *, rounds: int = ROUNDS, name: str = "source"
) -> bytes:
    """What a source prints when it reads ``stdin``.

    Raises SourceError, and SourceFault for what no program may do: a byte out of range, an index
    outside of its array, a negative dividend, more than ``rounds`` rounds of loops.
    """
    parts = _compiled(text, name)
    run = _Run(stdin, rounds)
    module: dict[str, Any] = {"__name__": name, "__builtins__": _BUILT_IN, **run.primitives}
    for code in parts:
        exec(code, module)
    try:
        module["main"]()
    except (ArithmeticError, LookupError, NameError, TypeError, ValueError, _TooLong) as error:
        places = extract_tb(error.__traceback__)
        lines = [at.lineno or 1 for at in places if at.filename == name]
        raise SourceFault(str(error), lines[-1] if lines else 1, name) from None
    return bytes(run.out)


@functools.lru_cache(8)
def _compiled(text: str, name: str) -> tuple[CodeType, ...]:
    """The prelude and a source with their checks; kept, as one source meets many inputs."""
    lowered = lower(text, name)
    found: list[CodeType] = []
    for file, source in (("prelude", _prelude_text()), (name, text)):
        try:
            tree = _Checks(lowered, library=file != name).visit(parse(source))
            found.append(compile(ast.fix_missing_locations(tree), file, "exec"))
        except (RecursionError, MemoryError):
            raise too_deep(text, name) from None
    return tuple(found)


@functools.lru_cache(1)
def _prelude_text() -> str:
    import inspect

    return inspect.getsource(prelude)


class _TooLong(Exception):
    pass


class _Run:
    def __init__(self, stdin: bytes, rounds: int):
        self.out = bytearray()
        self._input = iter(stdin)
        self._rounds = rounds
        self.primitives: dict[str, Callable[..., Any]] = {
            "append_digit": primitives.append_digit,
            "byte": primitives.byte,
            "chars": functools.partial(_Checked, True),
            "getc": lambda: next(self._input, 0),
            "ints": functools.partial(_Checked, False),
            "print_int": self._print_int,
            "putc": self._putc,
            "puts": self._puts,
            "_divided": _divided,
            "_product": _product,
            "_remainder": _remainder,
            "_round": self._round,
        }

    def _print_int(self, value: int) -> None:
        if value.bit_length() > LONGEST_NUMBER:
            raise OverflowError(f"a number grows beyond {LONGEST_NUMBER:,} bits")
        self.out += b"%d" % value

    def _putc(self, value: int) -> None:
        self.out.append(primitives.byte(value))

    def _puts(self, text: str) -> None:
        self.out += text.encode("ascii")

    def _round(self) -> None:
        self._rounds -= 1
        if self._rounds < 0:
            raise _TooLong("it goes on for too long")


class _Checked(list[int]):
    """An array that no index leaves and, if it is one of bytes, no other number enters."""

    def __init__(self, is_bytes: bool, length: int):
        super().__init__([0] * length)
        self._is_bytes = is_bytes

    def __getitem__(self, index: Any) -> Any:
        return super().__getitem__(self._at(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(self._at(index), primitives.byte(value) if self._is_bytes else value)

    def _at(self, index: SupportsIndex) -> int:
        at = index.__index__()
        if not 0 <= at < len(self):
            raise IndexError(f"the array has no element {at}; it has {len(self)}")
        return at


def _product(left: int, right: int) -> int:
    if left.bit_length() + right.bit_length() > LONGEST_NUMBER:
        raise OverflowError(f"a number grows beyond {LONGEST_NUMBER:,} bits")
    return left * right


def _divided(dividend: int, divisor: int) -> int:
    _check_division(dividend, divisor)
    return dividend // divisor


def _remainder(dividend: int, divisor: int) -> int:
    _check_division(dividend, divisor)
    return dividend % divisor


def _check_division(dividend: int, divisor: int) -> None:
    if dividend < 0 or divisor <= 0:
        raise ValueError(f"expected a dividend from 0 and a divisor from 1: {dividend}, {divisor}")


class _Checks(ast.NodeTransformer):
    """Puts a check around everything that only the types of a source forbid."""

    def __init__(self, lowered: Lowered, *, library: bool):
        self._types = lowered.program.variables
        self._byte_operations = {
            place for of_library, place in lowered.byte_operations if of_library == library
        }
        self._function = ""
        self._shared: set[str] = set()

    def visit_Module(self, node: ast.Module) -> ast.AST:
        calls = (ast.If, ast.Expr)  # of main(), and words
        node.body = [one for one in node.body if not isinstance(one, calls)]
        self.generic_visit(node)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """What a source imports is there already."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self._function = node.name
        self._shared = {
            name for one in ast.walk(node) if isinstance(one, ast.Global) for name in one.names
        }
        self.generic_visit(node)
        node.returns = None
        for one in node.args.args:
            one.annotation = None
        checks = [
            ast.copy_location(_assigned(one.arg, ast.Name(one.arg, ast.Load())), node)
            for one in node.args.args
            if self._type(one.arg) == "byte"
        ]
        node.body[:0] = checks
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.targets[0], ast.Name):
            node.value = self._checked(node.targets[0].id, node.value)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.target, ast.Name) or node.value is None:
            return node  # in a function that is never called, and so was not compiled
        value = self._checked(node.target.id, node.value)
        return ast.copy_location(_assigned(node.target.id, value), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.target, ast.Name):
            return node
        operation = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
        value = self._checked(node.target.id, self.visit_BinOp(operation))
        return ast.copy_location(_assigned(node.target.id, value), node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        is_of_bytes = hasattr(node, "lineno") and position(node) in self._byte_operations
        self.generic_visit(node)
        match node.op:
            case ast.FloorDiv():
                return _call("_divided", node.left, node.right)
            case ast.Mod():
                return _call("_remainder", node.left, node.right)
            case ast.Mult():
                product = _call("_product", node.left, node.right)
                return _call("byte", product) if is_of_bytes else product
            case _:
                return _call("byte", node) if is_of_bytes else node

    def visit_While(self, node: ast.While) -> ast.AST:
        self.generic_visit(node)
        node.body.insert(0, ast.copy_location(ast.Expr(_call("_round")), node))
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        node.body.insert(0, ast.copy_location(ast.Expr(_call("_round")), node))
        return node

    def _checked(self, name: str, value: ast.expr) -> ast.expr:
        return _call("byte", value) if self._type(name) == "byte" else value

    def _type(self, name: str) -> Type | None:
        if name in self._shared or not self._function:
            return self._types.get(f"@{name}")
        own = name if self._function == "main" else f"{self._function}.{name}"
        return self._types.get(own)


def _assigned(name: str, value: ast.expr) -> ast.Assign:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])
