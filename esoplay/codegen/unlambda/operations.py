"""Which operation of the library an expression needs: special ones where a number is known."""

from __future__ import annotations

from collections.abc import Callable

from esoplay.codegen.ir import Binary, Compare, Convert, Number, Operator, Value
from esoplay.codegen.unlambda.constants import above, below, equal_to, remainder_by
from esoplay.codegen.unlambda.terms import Library

GENERAL: dict[Operator, str] = {"+": "add", "-": "sub", "*": "mul", "//": "div", "%": "mod"}
SPECIAL: dict[tuple[Operator, int], str] = {
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
"""Operations with a known number on the right."""

COMMUTING = "+*"
LARGEST_TABLE = 32
"""Up to this divisor a remainder is found by a table."""

MADE: dict[str, Callable[[Library, int], str]] = {
    "=": equal_to,
    "<": below,
    ">": above,
    "%": remainder_by,
}
"""What a name that is followed by a number stands for."""


def operation(value: Binary) -> tuple[str, tuple[Value, ...]]:
    """The name of an operation, and what it is applied to."""
    operator, left, right = value.operator, value.left, value.right
    if isinstance(left, Number) and operator in COMMUTING:
        left, right = right, left
    if isinstance(right, Number) and (operator, right.value) in SPECIAL:
        return SPECIAL[operator, right.value], (left,)
    if isinstance(left, Number) and operator == "-" and left.value == 0:
        return "neg", (right,)
    if isinstance(right, Number) and operator == "%" and 2 < right.value <= LARGEST_TABLE:
        return f"%{right.value}", (left,)
    return GENERAL[operator], (left, right)


def comparison(condition: Compare) -> tuple[str, tuple[Value, ...]]:
    """The same for a comparison."""
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


def digit_of(value: Value) -> Value:
    """What has the same lowest four bits as a digit; ``append`` looks at no others."""
    match value:
        case Binary("-", operand, Number(number)) if number % 16 == 0:
            return operand
        case Convert(operand):
            return digit_of(operand)
        case _:
            return value


def text_of(library: Library, name: str) -> str:
    """The text of an operation that the functions here have named."""
    if name[0] in MADE:
        return MADE[name[0]](library, int(name[1:]))
    return library[name]
