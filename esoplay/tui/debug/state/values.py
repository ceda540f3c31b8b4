"""Formatting of values in the number base selected by the user."""

from __future__ import annotations

from enum import Enum

from esolangs.view import Number
from esoplay.tui.debug.byte_glyphs import PLACEHOLDER, to_glyphs


class NumberBase(Enum):
    """A number base. The value is its label."""

    DECIMAL = "dec"
    HEXADECIMAL = "hex"
    CHARACTER = "char"

    @property
    def next_base(self) -> NumberBase:
        bases = list(NumberBase)
        return bases[(bases.index(self) + 1) % len(bases)]


def format_value(value: int, base: NumberBase) -> str:
    """Return a cell's value in a base; a value that is not a character is shown as a dot."""
    if base is NumberBase.DECIMAL:
        return str(value)
    if base is NumberBase.HEXADECIMAL:
        return f"{value:02x}"
    return to_glyphs(bytes((value,))) if 0 <= value < 127 else PLACEHOLDER


def format_number(value: Number, base: NumberBase) -> str:
    """Return the text of a number of any size in a base.

    In the base CHARACTER, a number that is not a character is shown in decimal.  A value that the
    view contains as text is returned unchanged.
    """
    if isinstance(value, str):
        return value
    if base is NumberBase.CHARACTER and not 0 <= value < 127:
        return str(value)
    return format_value(value, base)


def value_width(bits: int, base: NumberBase) -> int:
    """Return the width in columns of the widest value of ``bits`` bits."""
    if base is NumberBase.CHARACTER:
        return 1
    highest = (1 << bits) - 1
    return len(format_value(highest, base))
