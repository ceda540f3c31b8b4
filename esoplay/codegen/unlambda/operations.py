"""Which operation of the library an expression needs: special ones where a number is known."""

from __future__ import annotations

from esoplay.codegen.ir import Binary, Compare, Convert, Number, Operator, Value
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
EQUALS = "="
"""Begins the name of a comparison with one number, which follows."""


def operation(value: Binary) -> tuple[str, tuple[Value, ...]]:
    """The name of an operation, and what it is applied to."""
    operator, left, right = value.operator, value.left, value.right
    if isinstance(left, Number) and operator in COMMUTING:
        left, right = right, left
    if isinstance(right, Number) and (operator, right.value) in SPECIAL:
        return SPECIAL[operator, right.value], (left,)
    if isinstance(left, Number) and operator == "-" and left.value == 0:
        return "neg", (right,)
    return GENERAL[operator], (left, right)


def comparison(condition: Compare) -> tuple[str, tuple[Value, ...]]:
    """The same for a comparison."""
    left, right = condition.left, condition.right
    if condition.relation == "==":
        if isinstance(left, Number):
            left, right = right, left
        if isinstance(right, Number):
            return f"{EQUALS}{right.value}", (left,)
        return "eq", (left, right)
    if isinstance(right, Number) and right.value == 0:
        return "isneg", (left,)
    if isinstance(left, Number) and left.value == 0:
        return "positive", (right,)
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
    if name.startswith(EQUALS):
        return _equals(library, int(name[1:]))
    return library[name]


def _equals(library: Library, value: int) -> str:
    """Whether a number is a certain one: looks at its bits, up to the first that differs."""
    term = r"\x. x I (K F) (K F)" if value < 0 else r"\x. x (\s. s F K) (K F) (K F)"
    end = -1 if value < 0 else 0
    bits: list[int] = []
    while value != end:
        bits.append(value & 1)
        value >>= 1
    for bit in reversed(bits):
        library.add("rest", library.text(term))
        term = rf"\x. x (K F) {'rest (K F)' if bit else '(K F) rest'}"
    return library.text(term)
