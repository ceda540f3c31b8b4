"""Run a source in CPython, with checks that its values fit their types.

The result defines the meaning of a source: the programs that are compiled from it must print the
same in all languages.  If a language is given, the checks also cover the range of its ints.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from traceback import extract_tb
from types import CodeType
from typing import Any, NamedTuple, SupportsIndex

from esoplay.codegen import prelude, primitives
from esoplay.codegen.back_ends import find_back_end
from esoplay.codegen.errors import SourceFault
from esoplay.codegen.grammar import constant, nesting_error, parse
from esoplay.codegen.ir import MAX_NUMBER_BITS, Type
from esoplay.codegen.lowering import LoweredProgram, lower_for
from esoplay.codegen.values import Position, position

_BUILT_IN: dict[str, Any] = {"int": int, "len": len, "ord": ord, "range": range}
"""The built-in functions of CPython that a source, which is untrusted, may call."""

_CHUNK_SIZE = 1 << 16  # bytes of output passed to `write` at a time
MAX_ROUNDS = 10_000_000
"""The default limit of loop iterations."""


def run_source(
    text: str,
    stdin: bytes = b"",
    *,
    rounds: int = MAX_ROUNDS,
    name: str = "source",
    language: str | None = None,
    write: Callable[[bytes], object] | None = None,
) -> bytes:
    """Run a source on ``stdin`` and return its output.

    ``write`` receives the output in parts instead; then nothing is returned.  ``language`` is the
    id of a language whose int range is checked; UsageError if it has no back end.

    Raises SourceError if the source cannot be compiled, and SourceFault for a byte out of range, an
    index outside its array, a negative dividend, an int that ``language`` cannot store, and more
    than ``rounds`` loop iterations.
    """
    back_end = find_back_end(language) if language is not None else None
    bounds = _Bounds(None, None, "")
    if back_end is not None:
        bounds = _Bounds(back_end.ints, back_end.intermediates, back_end.language)
    parts = _compile(text, name, bounds)
    run = _CheckedRun(stdin, rounds, bounds, write)
    module: dict[str, Any] = {"__name__": name, "__builtins__": _BUILT_IN, **run.primitives}
    for code in parts:
        exec(code, module)
    try:
        module["main"]()
    except (
        ArithmeticError,
        LookupError,
        NameError,
        TypeError,
        ValueError,
        _LoopLimitExceeded,
    ) as error:
        places = extract_tb(error.__traceback__)
        lines = [at.lineno or 1 for at in places if at.filename == name]
        run.flush()
        raise SourceFault(str(error), lines[-1] if lines else 1, name) from None
    run.flush()
    return bytes(run.out)


class _Bounds(NamedTuple):
    """The ints that a language's variables can store, and the ints that expressions can compute."""

    ints: range | None
    intermediates: range | None
    language: str

    @property
    def has_wider_intermediates(self) -> bool:
        """Whether expressions can have values that variables cannot store."""
        return self.ints != self.intermediates


@functools.lru_cache(8)
def _compile(text: str, name: str, bounds: _Bounds) -> tuple[CodeType, ...]:
    """Compile the prelude and the source ``text``, and return both code objects, with checks.

    name: the name of the source, for error messages. bounds: the ints that the checks allow. The
    result is cached, because a source runs on many inputs.
    """
    lowered = lower_for(text, name, bounds.language or None)
    found: list[CodeType] = []
    for file, source in (("prelude", _prelude_text()), (name, text)):
        try:
            tree = _CheckInserter(lowered, bounds, is_library=file != name).visit(parse(source))
            found.append(compile(ast.fix_missing_locations(tree), file, "exec"))
        except (RecursionError, MemoryError):
            raise nesting_error(text, name) from None
    return tuple(found)


@functools.lru_cache(1)
def _prelude_text() -> str:
    import inspect

    return inspect.getsource(prelude)


class _LoopLimitExceeded(Exception):
    pass


class _CheckedRun:
    """The state of one run, and the functions that the code can call.

    The functions with names that begin with ``@``, which a source cannot contain, are for checks;
    their calls are inserted into the code.
    """

    def __init__(
        self,
        stdin: bytes,
        rounds: int,
        bounds: _Bounds,
        write: Callable[[bytes], object] | None,
    ):
        self.out = bytearray()
        self._write = write
        self._input = iter(stdin)
        self._rounds = self._max_rounds = rounds
        stored = _range_check(bounds.ints, bounds.language)
        computed = _range_check(bounds.intermediates, bounds.language)

        def append_digit(number: int, digit: int) -> int:
            return computed(primitives.append_digit(number, digit))

        self.primitives: dict[str, Callable[..., Any]] = {
            "append_digit": append_digit,
            "byte": primitives.byte,
            "chars": functools.partial(_CheckedArray, primitives.byte),
            "getc": lambda: next(self._input, 0),
            "ints": functools.partial(_CheckedArray, stored),
            "print_int": self._print_int,
            "putc": self._putc,
            "puts": self._puts,
            "@byte": primitives.byte,
            "@computed": computed,
            "@divided": _divide,
            "@product": _product,
            "@remainder": _remainder,
            "@round": self._round,
            "@stored": stored,
        }

    def flush(self) -> None:
        """Pass the collected output to ``write``, if given."""
        if self._write is not None and self.out:
            self._write(bytes(self.out))
            self.out.clear()

    def _print(self, data: bytes) -> None:
        self.out += data
        if len(self.out) >= _CHUNK_SIZE:
            self.flush()

    def _print_int(self, value: int) -> None:
        self._print(b"%d" % _check_bits(value))

    def _putc(self, value: int) -> None:
        self._print(bytes((primitives.byte(value),)))

    def _puts(self, text: str) -> None:
        self._print(text.encode("ascii"))

    def _round(self) -> None:
        self._rounds -= 1
        if self._rounds < 0:
            raise _LoopLimitExceeded(
                f"the loops exceed the limit of {self._max_rounds:,} iterations"
            )


class _CheckedArray(list[int]):
    """An array that checks each index, and passes each stored value through ``check``."""

    def __init__(self, check: Callable[[int], int], length: int):
        super().__init__([0] * length)
        self._check = check

    def __getitem__(self, index: Any) -> Any:
        return super().__getitem__(self._checked_index(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(self._checked_index(index), self._check(value))

    def _checked_index(self, index: SupportsIndex) -> int:
        at = index.__index__()
        if not 0 <= at < len(self):
            raise IndexError(f"index {at} is out of range: the length of the array is {len(self)}")
        return at


def _range_check(ints: range | None, language: str) -> Callable[[int], int]:
    """Return a function that returns its argument; OverflowError if that is not in ``ints``.

    If ``ints`` is None, the function raises OverflowError above ``MAX_NUMBER_BITS`` bits.
    """
    if ints is None:
        return _check_bits
    low, high = ints[0], ints[-1]

    def check(value: int) -> int:
        if low <= value <= high:
            return value
        raise OverflowError(
            f"{_number_text(value)} is not an int in {language}; expected {low:,} to {high:,}"
        )

    return check


def _number_text(value: int) -> str:
    return f"{value:,}" if value.bit_length() <= MAX_NUMBER_BITS else "the result"


def _check_bits(value: int) -> int:
    if value.bit_length() > MAX_NUMBER_BITS:
        raise OverflowError(f"a number exceeds {MAX_NUMBER_BITS:,} bits")
    return value


def _product(left: int, right: int) -> int:
    if left.bit_length() + right.bit_length() > MAX_NUMBER_BITS:
        raise OverflowError(f"a number exceeds {MAX_NUMBER_BITS:,} bits")
    return left * right


def _divide(dividend: int, divisor: int) -> int:
    _check_division(dividend, divisor)
    return dividend // divisor


def _remainder(dividend: int, divisor: int) -> int:
    _check_division(dividend, divisor)
    return dividend % divisor


def _check_division(dividend: int, divisor: int) -> None:
    if dividend < 0 or divisor <= 0:
        found = f"found {dividend} and {divisor}"
        raise ValueError(f"expected a dividend >= 0 and a divisor >= 1, {found}")


class _CheckInserter(ast.NodeTransformer):
    """A transformer of syntax trees that inserts the checks of types and ranges.

    Every computed int is checked.  A stored int is checked again if the range of variables is
    smaller than that of computed ints.
    """

    def __init__(self, lowered: LoweredProgram, bounds: _Bounds, *, is_library: bool):
        self._types = lowered.program.variables
        self._byte_operations = _positions(lowered.byte_operations, is_library)
        self._folded = _positions(lowered.folded, is_library)
        self._saved_values = _positions(lowered.saved_values, is_library)
        self._bounds = bounds
        self._function = ""
        self._assigned_globals: set[str] = set()

    def visit_Module(self, node: ast.Module) -> ast.AST:
        calls = (ast.If, ast.Expr)  # calls of main(), and docstrings
        node.body = [one for one in node.body if not isinstance(one, calls)]
        self.generic_visit(node)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Remove an import: the names are already defined."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self._function = node.name
        self._assigned_globals = {
            name for one in ast.walk(node) if isinstance(one, ast.Global) for name in one.names
        }
        self.generic_visit(node)
        node.returns = None
        for one in node.args.args:
            one.annotation = None
        checks: list[ast.stmt] = []
        for one in node.args.args:
            given = ast.Name(one.arg, ast.Load())
            value = self._check_value(one.arg, given)
            if value is not given:
                checks.append(ast.copy_location(_assignment(one.arg, value), node))
        node.body[:0] = checks
        return node

    # Statements

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.targets[0], ast.Name):
            node.value = self._check_value(node.targets[0].id, node.value)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.target, ast.Name) or node.value is None:
            return node  # in a function that is never called and therefore not compiled
        value = self._check_value(node.target.id, node.value)
        return ast.copy_location(_assignment(node.target.id, value), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.AST]:
        """Expand an operation with assignment; array and index are evaluated once."""
        self.generic_visit(node)
        target = node.target
        if isinstance(target, ast.Name):
            left = ast.Name(target.id, ast.Load())
            value = _call("@computed", _operation(node.op, left, node.value))
            return ast.copy_location(
                _assignment(target.id, self._check_value(target.id, value)), node
            )
        if not isinstance(target, ast.Subscript):
            return node  # in a function that is never called
        array, index = (ast.Name(name, ast.Load()) for name in ("@array", "@index"))
        left = ast.Subscript(array, index, ast.Load())
        value = _call("@computed", _operation(node.op, left, node.value))
        parts = (
            _assignment("@array", target.value),
            _assignment("@index", target.slice),
            ast.Assign([ast.Subscript(array, index, ast.Store())], value),
        )
        return [ast.copy_location(one, node) for one in parts]

    def visit_While(self, node: ast.While) -> ast.AST:
        self.generic_visit(node)
        node.body.insert(0, ast.copy_location(ast.Expr(_call("@round")), node))
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        if self._bounds.has_wider_intermediates and isinstance(node.iter, ast.Call):
            node.iter.args = [_call("@stored", one) for one in node.iter.args]
        node.body.insert(0, ast.copy_location(ast.Expr(_call("@round")), node))
        return node

    # Values

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        place = position(node)
        self.generic_visit(node)
        value = _operation(node.op, node.left, node.right)
        if place in self._byte_operations:
            return _call("@byte", value)
        if place in self._folded:
            return value
        return self._check_stored_value(_call("@computed", value), place)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        place = position(node)
        if constant(node) is not None or not isinstance(node.op, ast.USub):
            self.generic_visit(node)
            return node
        self.generic_visit(node)
        return self._check_stored_value(_call("@computed", node), place)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        place = position(node)
        self.generic_visit(node)
        return self._check_stored_value(node, place)

    def _check_stored_value(self, value: ast.expr, place: Position) -> ast.expr:
        """Return ``value``, with a range check if compiled programs store it temporarily.

        place: position of the value in the source.
        """
        stored = self._bounds.has_wider_intermediates and place in self._saved_values
        return _call("@stored", value) if stored else value

    def _check_value(self, name: str, value: ast.expr) -> ast.expr:
        type = self._type(name)
        if type == "int" and self._bounds.has_wider_intermediates:
            return _call("@stored", value)
        return _call("@byte", value) if type == "byte" else value

    def _type(self, name: str) -> Type | None:
        if name in self._assigned_globals or not self._function:
            return self._types.get(f"@{name}")
        own = name if self._function == "main" else f"{self._function}.{name}"
        return self._types.get(own)


def _positions(places: AbstractSet[tuple[bool, Position]], is_library: bool) -> set[Position]:
    return {place for of_library, place in places if of_library == is_library}


def _operation(sign: ast.operator, left: ast.expr, right: ast.expr) -> ast.expr:
    match sign:
        case ast.FloorDiv():
            return _call("@divided", left, right)
        case ast.Mod():
            return _call("@remainder", left, right)
        case ast.Mult():
            return _call("@product", left, right)
        case _:
            return ast.BinOp(left, sign, right)


def _assignment(name: str, value: ast.expr) -> ast.Assign:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])
