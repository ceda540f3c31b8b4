"""How large the value of an expression of bytes can be."""

from __future__ import annotations

from esoplay.codegen.ir import Binary, Convert, Number, Value

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
