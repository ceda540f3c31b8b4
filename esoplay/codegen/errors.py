"""Compile errors, with locations and suggested replacements."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from esoplay.errors import EsoplayError, UsageError

if TYPE_CHECKING:
    from esoplay.codegen.ir import IrProgram


class SourceError(EsoplayError):
    """Raised for a source that cannot be compiled; line and column count from 1.

    ``message``, ``line`` and ``column`` describe the first error; ``errors`` contains all errors,
    beginning with this one.
    """

    kind = "source_error"

    def __init__(
        self,
        message: str,
        line: int,
        column: int,
        name: str = "source",
        others: Iterable[SourceError] = (),
    ):
        self.message = message
        self.line = line
        self.column = column
        self.name = name
        self.errors: tuple[SourceError, ...] = (self, *others)
        self.incomplete_program: IrProgram | None = None
        """The part of the source that could be compiled, so that its ints can be checked, too."""
        super().__init__("\n".join(one.message_with_location for one in self.errors))

    @property
    def brief_message(self) -> str:
        """The message, without the list of allowed syntax if it suggests a replacement."""
        return _GENERAL.sub("", self.message)

    @property
    def message_with_location(self) -> str:
        """The message of this error only, with its location."""
        return f"{self.name}: line {self.line}, column {self.column}: {self.message}"


_GENERAL = re.compile(
    r"; (a statement is|a value is|a condition compares|an operation is|a loop is for) .*",
    re.DOTALL,
)

TOO_DEEP = "nested too deeply"
"""The message for a source that exceeds the recursion limit of the parser or the compiler."""


class FollowOnError(SourceError):
    """Raised for a consequence of an earlier error; not reported."""


class Errors:
    """The errors of one source, without duplicates."""

    def __init__(self) -> None:
        self._found: dict[tuple[int, int, str], SourceError] = {}

    def __bool__(self) -> bool:
        return bool(self._found)

    def add(self, error: SourceError) -> None:
        """Add an error and all errors that it contains."""
        for one in error.errors:
            if not isinstance(one, FollowOnError):
                self._found.setdefault((one.line, one.column, one.message), one)

    def places(self) -> set[tuple[int, int]]:
        """Return line and column of each error."""
        return {(line, column) for line, column, _ in self._found}

    def combine(self) -> SourceError:
        """Return one error that contains all errors, in source order."""
        first, *others = sorted(self._found.values(), key=lambda one: (one.line, one.column))
        return SourceError(first.message, first.line, first.column, first.name, others)


class SourceFault(EsoplayError):
    """Raised when a check, such as the range check of an index, fails in a run in CPython."""

    def __init__(self, message: str, line: int, name: str = "source"):
        super().__init__(f"{name}: line {line}: {message}")
        self.message = message
        self.line = line


class LayerError(UsageError, ValueError):
    """Raised for an invalid call of the library for code generators."""


def unknown_name_error(kind: str, name: str, known: Iterable[str]) -> LayerError:
    """Return the error for an unknown name, with the known names."""
    names = list(known)
    listed = ", ".join(names[:_MAX_LISTED_NAMES]) or "none"
    more = f" and {len(names) - _MAX_LISTED_NAMES} more" if len(names) > _MAX_LISTED_NAMES else ""
    return LayerError(f"unknown {kind} {name!r}; expected one of: {listed}{more}")


_MAX_LISTED_NAMES = 20
"""The maximum number of names in one message."""


# Replacements for Python that the compiler does not support.

_STATEMENTS: dict[type[ast.AST], str] = {
    ast.Assert: "`assert` is not supported: write `if` and `else`",
    ast.AsyncFor: "`async` is not supported: write a plain `for`",
    ast.AsyncFunctionDef: "`async` is not supported: write a plain function",
    ast.AsyncWith: "`async` and `with` are not supported",
    ast.Break: "`break` is not supported: test in the condition of a `while` whether to stop, as "
    "in `while n > 0 and found == 0:`",
    ast.ClassDef: "classes are not supported: write functions, and store values in variables and "
    "arrays",
    ast.Continue: "`continue` is not supported: put the rest of the loop's body into an `if` with "
    "the opposite condition",
    ast.Delete: "`del` is not supported: remove the statement, or assign 0 instead",
    ast.FunctionDef: "nested functions are not supported: move the function to the top level, "
    "and pass values as arguments",
    ast.Import: "modules are not supported: remove the import, and write the function here",
    ast.ImportFrom: "modules are not supported: remove the import, and write the function here",
    ast.Match: "`match` is not supported: write `if` and `elif`",
    ast.Nonlocal: "`nonlocal` is not supported: define the value outside functions, and use "
    "`global`",
    ast.Raise: "exceptions are not supported: use `if`, or store 0 or 1 in a variable",
    ast.Try: "exceptions are not supported: check with `if` first",
    ast.TryStar: "exceptions are not supported: check with `if` first",
    ast.With: "`with` is not supported: write only the statements of its body",
}
_VALUES: dict[type[ast.AST], str] = {
    ast.Attribute: "attributes and methods are not supported: use variables, arrays and functions",
    ast.Await: "`await` is not supported: call the function without it",
    ast.Dict: "dictionaries are not supported: make an array with `chars(n)` or `ints(n)`",
    ast.DictComp: "dictionaries are not supported: make an array with `chars(n)` or `ints(n)`",
    ast.GeneratorExp: "generators are not supported: write a `for` loop over `range`",
    ast.IfExp: "`a if condition else b` is not supported: write `if` and `else`, with an "
    "assignment in each",
    ast.JoinedStr: 'f-strings are not supported: print the parts with `puts("text")` and '
    "`print_int(n)`",
    ast.Lambda: "`lambda` is not supported: write a function with `def`",
    ast.List: "lists are not supported: make an array with `chars(n)` or `ints(n)`, and assign its "
    "elements",
    ast.ListComp: "lists are not supported: make an array with `chars(n)` or `ints(n)`, and fill "
    "it in a `for` loop",
    ast.NamedExpr: "`:=` is not supported: assign on the line before",
    ast.Set: "sets are not supported: store 0 or 1 for each number in an array made with "
    "`chars(n)`",
    ast.SetComp: "sets are not supported: store 0 or 1 for each number in an array made with "
    "`chars(n)`",
    ast.Slice: "slices are not supported: copy the elements in a `for` loop",
    ast.Starred: "`*` before a value is not supported: write each value separately",
    ast.Tuple: "tuples are not supported: write one value at a time",
    ast.UAdd: "`+` before a value is not supported: remove it",
    ast.Invert: "`~` is not supported: write `-1 - x`",
    ast.Yield: "generators are not supported: put the values into an array",
    ast.YieldFrom: "generators are not supported: put the values into an array",
}
_OPERATORS: dict[type[ast.AST], str] = {
    ast.BitAnd: "`&` is not supported: write `%` with a power of 2 for the lowest bits, "
    "`x // 4 % 2` for one bit; join conditions with `and`",
    ast.BitOr: "`|` is not supported: set bits that are 0 with `+`; join conditions with `or`",
    ast.BitXor: "`^` is not supported: compare bits with `x // 4 % 2`, one at a time",
    ast.Div: "`/` is not supported: write `//`, or `divide(a, b)` if `a` may be negative",
    ast.In: "`in` is not supported: compare with each value using `==` and join the comparisons "
    "with `or`, or look through an array in a loop",
    ast.Is: "`is` is not supported: write `==`",
    ast.IsNot: "`is not` is not supported: write `!=`",
    ast.LShift: "`<<` is not supported: multiply by a power of 2",
    ast.MatMult: "`@` is not supported: multiply elements in a loop",
    ast.NotIn: "`not in` is not supported: compare with each value using `!=` and join the "
    "comparisons with `and`, or look through an array in a loop",
    ast.Pow: "`**` is not supported: multiply in a loop",
    ast.RShift: "`>>` is not supported: divide by a power of 2 with `//`",
}
_CALLS = {
    "abs": "`if n < 0: n = -n`, on two lines",
    "all": "a `while` loop that sets a variable to 0 or 1",
    "any": "a `while` loop that sets a variable to 0 or 1",
    "bool": "an `if` that sets a variable to 0 or 1",
    "bytearray": "`chars(n)`",
    "bytes": "`chars(n)`",
    "chr": "the number itself: a character is a byte, and `putc(c)` prints it",
    "divmod": "`//` and `%`, on two lines",
    "enumerate": "`for i in range(n)`, and `a[i]`",
    "exit": "an `if` around the rest: a program ends where `main` ends",
    "input": "`read_int()`, `read_line(a)` or `getc()`",
    "list": "`chars(n)` or `ints(n)`",
    "map": "a `for` loop over `range`",
    "max": "`if a < b: a = b`, on two lines",
    "min": "`if b < a: a = b`, on two lines",
    "pow": "a multiplication in a loop",
    "print": "`puts(\"text\")`, `print_int(n)` and `putc(c)`; `ord('\\n')` ends a line",
    "reversed": "`for i in range(n)`, and `a[n - 1 - i]`",
    "round": "`//`, because all numbers are integers",
    "sorted": "loops that sort an array",
    "str": "`print_int(n)`, which prints a number; an array made with `chars(n)` holds text",
    "sum": "a `for` loop that adds",
    "zip": "`for i in range(n)`, with `a[i]` and `b[i]`",
}
_KINDS = {**_STATEMENTS, **_VALUES, **_OPERATORS}
_KEYWORDS: dict[str, type[ast.AST]] = {
    "assert": ast.Assert,
    "async": ast.AsyncFunctionDef,
    "await": ast.Await,
    "break": ast.Break,
    "class": ast.ClassDef,
    "continue": ast.Continue,
    "del": ast.Delete,
    "except": ast.Try,
    "finally": ast.Try,
    "from": ast.ImportFrom,
    "import": ast.Import,
    "in": ast.In,
    "is": ast.Is,
    "lambda": ast.Lambda,
    "nonlocal": ast.Nonlocal,
    "raise": ast.Raise,
    "try": ast.Try,
    "with": ast.With,
    "yield": ast.Yield,
}


def unsupported_message(node: ast.AST, allowed: str) -> str:
    """Return the error message for a node: a replacement, and the allowed syntax."""
    found = replacement(node)
    return f"{found}; {allowed}" if found else allowed


def replacement(node: ast.AST) -> str:
    """Return advice on replacing a node, or "" if there is none."""
    match node:
        case ast.Expr(value=ast.Call() as inner):
            return replacement(inner)
        case ast.Expr(value=inner):
            return (
                _KINDS.get(type(inner))
                or "a value by itself has no effect: assign it, or remove it"
            )
        case ast.Call(func=ast.Name(name)) if name in _CALLS:
            return f"instead of `{name}`, write {_CALLS[name]}"
        case ast.Call(func=ast.Attribute(attr=name)):
            return _method(name)
        case ast.Call(func=func):
            return "" if isinstance(func, ast.Name) else "a call needs the name of a function"
        case ast.Assign(targets=[_, _, *_]):
            return "assign one variable at a time: write a line for each"
        case ast.Assign(targets=[ast.Tuple() | ast.List() as target], value=value):
            return _assignments(target, value)
        case ast.Assign(targets=[ast.Subscript(value=ast.Subscript())]):
            return _NESTED
        case ast.Assign() | ast.AugAssign():
            return "assign a variable or an element: `NAME = VALUE` or `NAME[INDEX] = VALUE`"
        case ast.AnnAssign(value=None):
            return "a type annotation needs a value: `n: int = 0`"
        case ast.AnnAssign():
            return "only a variable can have a type: `n: int = 0`"
        case ast.While(orelse=[_, *_]) | ast.For(orelse=[_, *_]):
            return "a loop has no `else`: put these statements after the loop, in an `if`"
        case ast.Subscript(slice=ast.Slice() | ast.Tuple() as inner):
            return _KINDS[type(inner)]
        case ast.Subscript(value=ast.Subscript()):
            return _NESTED
        case ast.Constant(value=bool(value)):
            return f"`{value}` is not supported: write {int(value)}"
        case ast.Constant(value=None):
            return "`None` is not supported: write an unused number, such as -1"
        case ast.Constant(value=float()):
            return "floats are not supported: count tenths or hundredths"
        case ast.Constant(value=bytes()):
            return (
                '`b"text"` is not supported: print text with `puts`, or assign the elements of an '
                "array"
            )
        case ast.UnaryOp(op=operator):
            return _KINDS.get(type(operator), "")
        case ast.BinOp(op=operator):
            return _KINDS.get(type(operator), "")
        case _:
            return _KINDS.get(type(node), "")


def keyword_replacement(text: str) -> str:
    """Return advice on replacing the keyword at the start of a text, or "" if there is none.

    It is for text that Python cannot parse, such as ``n = break``.
    """
    word = re.match(r"[a-z]+", text)
    kind = _KEYWORDS.get(word[0]) if word else None
    return _KINDS[kind] if kind else ""


def loop_replacement(node: ast.For) -> str:
    """Return advice, followed by a semicolon, on replacing a loop that is not over a range."""
    match node.iter:
        case ast.Call(func=ast.Name("range"), args=[_, _, _]):
            found = "a step is not supported: write `while`, and `i += step` at the end of its body"
        case ast.Call(func=ast.Name("enumerate" | "reversed" | "zip" | "map" | "sorted" as name)):
            found = f"instead of `{name}`, write {_CALLS[name]}"
        case ast.Name(name):
            found = "a loop cannot iterate over an array: "
            found += f"write `for i in range(len({name}))`, and `{name}[i]`"
        case ast.Constant(value=str()) | ast.List() | ast.Tuple():
            found = "write a statement for each value, or put the values into an array"
        case _:
            return ""
    return f"{found}; "


_NESTED = "an array has one index: write `a[i * WIDTH + j]`"


def _assignments(target: ast.Tuple | ast.List, value: ast.expr) -> str:
    """Return advice on replacing an assignment of tuples with one assignment per variable."""
    if not isinstance(value, ast.Tuple | ast.List) or len(value.elts) != len(target.elts):
        return "assign one variable at a time: write a line for each"
    left, right = ([ast.unparse(one) for one in each.elts] for each in (target, value))
    if len(left) == 2 and left == right[::-1]:
        a, b = left
        return f"a swap is not supported: write `t = {a}`, `{a} = {b}`, `{b} = t`, one per line"
    lines = ", ".join(f"`{one} = {other}`" for one, other in zip(left, right, strict=True))
    return f"assign one variable at a time: write {lines}, one per line"


def _method(name: str) -> str:
    match name:
        case "append" | "extend" | "insert" | "pop" | "push":
            return (
                f"an array has no method `{name}`, because its length is fixed: count the elements "
                "in use in a variable, and assign `a[count]`"
            )
        case _:
            return f"method `{name}` is not supported: use variables, arrays and functions"
