"""Unlambda functions for the operators of expressions, for decimal digits and for characters.

Operations with a constant operand are specialized for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from esoplay.codegen.ir import Binary, Compare, Convert, Number, Operator, Value
from esoplay.codegen.unlambda.numbers import constant_array, number, path_to_leaf, recursive, tree
from esoplay.codegen.unlambda.terms import Library

# Operations with a constant, specialized for its bits or for its remainders.


def equal_to(library: Library, value: int) -> str:
    """Return a test for equality with ``value``; the test stops at the first bit that differs."""
    sign = "I" if value < 0 else r"(\s. s F K)"
    text = library.text(rf"\x. x {sign} (K F) (K F)")
    for bit in _bits_from_highest(value):
        cases = "rest (K F)" if bit else "(K F) rest"
        text = library.text(rf"\x. x (K F) {cases}", rest=text)
    return text


def less_than_constant(library: Library, value: int) -> str:
    """Return a test for numbers less than ``value``; ``value`` must be at least 1."""
    return _comparison_text(library, value, is_less=True)


def greater_than_constant(library: Library, value: int) -> str:
    """Return a test for numbers greater than ``value``; ``value`` must be at least 1."""
    return _comparison_text(library, value, is_less=False)


def _comparison_text(library: Library, value: int, *, is_less: bool) -> str:
    """Return a test that compares a number with ``value``.

    It compares the bits from the lowest on; the result before the first bit is ``F``.
    """
    yes, no = "KF" if is_less else "FK"
    sign = "isneg" if is_less else "nonneg"
    text = library.text(rf"\x. x (\s. s (K {yes}) I) (\n. K ({sign} n)) (\n. K ({sign} n))")
    for bit in _bits_from_highest(value):
        cases = rf"rest (\n. K (rest n {yes}))" if bit else rf"(\n. K (rest n {no})) rest"
        text = library.text(rf"(\rest x. x (K (K {yes})) {cases}) rest", rest=text)
    return library.text(r"\x. rest x F", rest=text)


def remainder_by(library: Library, divisor: int) -> str:
    """Return a function that computes the remainder of a division by ``divisor``.

    The function processes the bits from the highest on.  There is a table for a 0 and a table for
    a 1.  A table is a tree that has, for each current remainder, a leaf with the next remainder.  A
    remainder is represented by the path to its leaf.
    """
    ways = [
        library.text(r"\t. t " + " ".join(path_to_leaf(rest, divisor))) for rest in range(divisor)
    ]
    by0, by1 = (
        tree([ways[(2 * rest + bit) % divisor] for rest in range(divisor)]) for bit in (0, 1)
    )
    return library.text(
        r"\x. remains x values",
        remains=recursive(
            library,
            r"\rec x. x (K none) (\n. rec n by1) (\n. rec n by0)",
            none=ways[0],
            by0=by0,
            by1=by1,
        ),
        values=tree([number(rest) for rest in range(divisor)]),
    )


def _bits_from_highest(value: int) -> Iterator[int]:
    length = (value if value >= 0 else ~value).bit_length()
    for at in reversed(range(length)):
        yield value >> at & 1


OPERATION_NAMES: dict[Operator, str] = {"+": "add", "-": "sub", "*": "mul", "//": "div", "%": "mod"}
CONSTANT_OPERATION_NAMES: dict[tuple[Operator, int], str] = {
    ("+", 1): "inc",
    ("-", 1): "dec",
    ("+", -1): "dec",
    ("-", -1): "inc",
    ("*", 2): "mo",
    ("//", 2): "half",
    ("%", 2): "parity",
    ("//", 10): "div10",
    ("%", 10): "mod10",
}
"""Names of operations with a constant right operand, by the operator and the constant."""

COMMUTATIVE_OPERATORS = "+*"
MAX_TABLE_DIVISOR = 32
"""The largest divisor whose remainder is computed by a table."""

SPECIALIZED_FUNCTIONS: dict[str, Callable[[Library, int], str]] = {
    "=": equal_to,
    "<": less_than_constant,
    ">": greater_than_constant,
    "%": remainder_by,
}
"""Functions that return an operation such as ``%7``, by the first character of its name."""


def operation(value: Binary) -> tuple[str, tuple[Value, ...]]:
    """Return the library's name for an operation, and the operands that are not in the name."""
    operator, left, right = value.operator, value.left, value.right
    if isinstance(left, Number) and operator in COMMUTATIVE_OPERATORS:
        left, right = right, left
    if isinstance(right, Number) and (operator, right.value) in CONSTANT_OPERATION_NAMES:
        return CONSTANT_OPERATION_NAMES[operator, right.value], (left,)
    if isinstance(left, Number) and operator == "-" and left.value == 0:
        return "neg", (right,)
    if isinstance(right, Number) and operator == "%" and 2 < right.value <= MAX_TABLE_DIVISOR:
        return f"%{right.value}", (left,)
    return OPERATION_NAMES[operator], (left, right)


def comparison(condition: Compare) -> tuple[str, tuple[Value, ...]]:
    """Return the name of the library's term for a comparison, and the operands to apply it to.

    The name can contain a constant operand: ``x < 7`` is the term ``<7`` applied to ``x``.
    """
    left, right = condition.left, condition.right
    if condition.relation == "==":
        if isinstance(left, Number):
            left, right = right, left
        if isinstance(right, Number):
            return f"={right.value}", (left,)
        return "eq", (left, right)
    if isinstance(right, Number) and right.value == 0:
        return "isneg", (left,)
    if isinstance(left, Number) and left.value == 0:
        return "positive", (right,)
    if isinstance(right, Number) and right.value > 0:
        return f"<{right.value}", (left,)
    if isinstance(left, Number) and left.value > 0:
        return f">{left.value}", (right,)
    return "lt", (left, right)


def simplify_digit(value: Value) -> Value:
    """Simplify a value; keep its lowest four bits, the only ones that ``append`` reads."""
    match value:
        case Binary("-", operand, Number(number)) if number % 16 == 0:
            return operand
        case Convert(operand):
            return simplify_digit(operand)
        case _:
            return value


def operation_text(library: Library, name: str) -> str:
    """Return the Unlambda text of the operation called ``name``.

    name: a name that :func:`operation` or :func:`comparison` returned.
    """
    if name[0] in SPECIALIZED_FUNCTIONS:
        return SPECIALIZED_FUNCTIONS[name[0]](library, int(name[1:]))
    return library[name]


# Conversion of numbers to decimal digits and back, by tables of actions for a bit.
#
# A digit is the path to its leaf in a tree of ten.  Division by 10 processes the bits from the
# highest on and stores the remainder as a digit; multiplication by 10 processes them from the
# lowest on and stores the carry as a digit.  Each bit takes one table lookup.

BASE = 10


def digit(library: Library, value: int) -> str:
    """Return the text of a digit: a function that selects leaf ``value`` of a tree of ten."""
    return library.text(r"\t. t " + " ".join(path_to_leaf(value, BASE)))


def define_decimal(library: Library) -> None:
    """Add ``print x``, ``append x d``, ``div10 x`` and ``mod10 x``; ``print x`` returns ``I``."""
    digits = [digit(library, value) for value in range(BASE)]
    values = tree([number(value) for value in range(BASE)])
    figures = tree([f".{value}" for value in range(BASE)])
    library.add(
        "tenth",
        recursive(
            library,
            r"\rec x. x (\s. pair Z none) (\n. rec n (\q r. r by1 q)) (\n. rec n (\q r. r by0 q))",
            none=digits[0],
            by0=_division_table(library, digits, 0),
            by1=_division_table(library, digits, 1),
        ),
    )
    library.define("div10", r"\x. tenth x K")
    library.define("mod10", r"\x. tenth x F values", values=values)
    figure = recursive(
        library,
        r"(\tenth rec x. tenth x (\q r. (\_. r figures I) (q (K I) (\n. rec q) (\n. rec q))))"
        r" tenth",
        figures=figures,
    )
    library.define(
        "print",
        r"\x. isneg x (\print x. print (minus (neg x))) I figure x",
        figure=figure,
        minus=".-",
    )
    tenfold = recursive(
        library,
        r"\rec x. x (\s c. c values) (\n c. c by1 rec n) (\n c. c by0 rec n)",
        values=values,
        by0=_multiplication_table(library, digits, 0),
        by1=_multiplication_table(library, digits, 1),
    )
    library.define(
        "append",
        r"\x d. tenfold x (digits d)",
        tenfold=tenfold,
        digits=constant_array([digits[value % BASE] for value in range(16)]),
    )


def _division_table(library: Library, digits: Sequence[str], bit: int) -> str:
    """Return the table with which a division by 10 processes a bit that is ``bit`` (0 or 1).

    The table is a tree with a leaf for each remainder of the higher bits, in order.  A leaf is a
    function: it takes the quotient of the higher bits, and returns a pair of the quotient and the
    remainder after this bit.
    """
    ends: list[str] = []
    for remainder in range(BASE):
        quotient, rest = divmod(2 * remainder + bit, BASE)
        put = "i" if quotient else "mo"
        ends.append(library.text(rf"\q. pair ({put} q) rest", rest=digits[rest]))
    return tree(ends)


def _multiplication_table(library: Library, digits: Sequence[str], bit: int) -> str:
    """Return a table of functions, one for each carry, which multiply a number by 10.

    bit: the lowest bit of the number.  The table is a tree; its leaves are in the order of the
    carries from the lower bits.  A function takes ``rec``, which multiplies the higher bits, and
    these bits; it returns the product.
    """
    ends: list[str] = []
    for carry in range(BASE):
        above, below = divmod(BASE * bit + carry, 2)
        put = "i" if below else "o"
        ends.append(library.text(rf"\rec n. {put} (rec n carry)", carry=digits[above]))
    return tree(ends)


# Printing the character of a number, and reading one as a number.
#
# ``putc x`` selects one of all 256 ``.x`` from a constant array.  ``getc`` can only test, by
# ``?x``, whether the character read is x; the test returns ``i`` if it is, else ``v``.  A ``v``
# cannot choose between branches, because it ignores its operands.  So the tests run in turn, and
# the first that returns ``i`` leaves through a continuation with its number.  The numbers of
# frequent characters are made once at the start of the program; the number of another character is
# made each time it is tested.  If all tests fail, at the end of the input or for a 0, the result
# is 0.

TESTED_RANGES = (
    ("0", "9"), (" ", " "), ("\n", "\n"), ("a", "z"), ("A", "Z"), ("!", "/"), (":", "@"),
    ("[", "`"), ("{", "~"), ("\1", "\t"), ("\x0b", "\x1f"), ("\x7f", "\xff"),
)  # fmt: skip
"""The ranges of characters that ``getc`` tests, in this order; each character costs ten steps."""

FREQUENT_RANGES = 9
"""Number of ranges, from the first, whose character codes are made once at the program's start."""


def printer(code: int) -> str:
    """Return the function that prints a character and returns its operand."""
    return "r" if code == 10 else f".{chr(code)}"


def define_characters(library: Library) -> None:
    """Add ``putc x`` and ``getc I`` to a library; ``putc x`` returns ``I``."""
    printers = constant_array([printer(code) for code in range(256)])
    library.define("putc", r"\x. printers x I", printers=printers)
    library.define(
        "getc",
        r"\x. C (\leave. (\_. Z) (read (\q. q asked (\hit. hit leave))))",
        read="@",
        asked=_character_tests(library),
    )


def _character_tests(library: Library) -> str:
    """Return the text of the term ``asked``, by which ``getc`` finds out which character was read.

    ``asked f`` runs the tests in turn; a successful test leaves them through ``f``.  A test of x
    evaluates ``f i n``, where n is the number of x, if the character read is x, else ``f v n``.
    ``ask`` makes a test from ``?x``, the function that makes the later tests, and n.
    """
    texts = {"ask": library.text(r"\test rest n. S (S test (K n)) (rest (inc n))")}
    runs: list[str] = []
    for at, (first, last) in enumerate(TESTED_RANGES):
        codes = range(ord(first), ord(last) + 1)
        texts |= {f"links{at}": _links(codes), f"number{at}": number(codes[0])}
        run = f"links{at} ask number{at}"
        runs.append(f"({run})" if at < FREQUENT_RANGES else rf"(\f. {run} f)")
    asked = runs[-1]
    for run in reversed(runs[:-1]):
        asked = f"(S {run} {asked})"
    return library.text(rf"(\ask. {asked}) ask", **texts)


def _links(codes: range) -> str:
    r"""Return a term that compares the character read with each of ``codes`` in turn.

    For the codes of x, y and so on, it is ``\ask. ask ?x (ask ?y … (K (K V)))``.
    ``K (K V)`` is applied to a number and to ``f``, and returns ``v`` like a failed test.
    """
    links = "`k`k`kv"
    for code in reversed(codes):
        links = f"``s``si`k?{chr(code)}{links}"
    return links
