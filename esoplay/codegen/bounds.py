"""How large values can be: those of expressions of bytes, and those of a loop's variable."""

from __future__ import annotations

from esoplay.codegen.ir import Binary, Convert, Number, Type, Value

LARGEST = 255
"""The largest byte."""

LONGEST_NUMBER = 10_000
"""Bits of a number in a source, and of what it becomes in CPython."""


def most(value: Value) -> int:
    """No value of this byte expression is larger; 255 where nothing better is known."""
    match value:
        case Number(number):
            return number
        case Convert(inner) if inner.type == "byte":
            return most(inner)
        case Binary("+", left, right):
            return min(most(left) + most(right), LARGEST)
        case Binary("*", left, right):
            return min(most(left) * most(right), LARGEST)
        case Binary("-" | "//", left, _):
            return most(left)
        case Binary("%", left, right):
            return min(most(left), most(right) - 1)
        case _:
            return LARGEST


def type_of_loop(first: Value, limit: Value) -> Type:
    """The type of a loop's variable: a byte if it can be, as indices are bytes."""
    for one in (first, limit):
        if isinstance(one, Number):
            if not 0 <= one.value <= 255:
                return "int"
        elif one.type == "int":
            return "int"
    return "byte"
