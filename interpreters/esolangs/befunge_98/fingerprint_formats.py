"""FPRT: values formatted as by C's ``printf``, with one conversion per format.

Source: the RC/Funge-98 documentation. The format is parsed here and never passed to C.
"""

from __future__ import annotations

import math

from esolangs.befunge_98.fingerprint_floats import pop_double, pop_single
from esolangs.befunge_98.fingerprint_integers import pop_long
from esolangs.befunge_98.transaction import MAX_BLOCK_CELLS, StepRefused, Transaction
from esolangs.numbers import decimal
from esolangs.reasons import MEMORY_FULL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Semantics = Callable[[Transaction], None]
    Convert = Callable[["Conversion"], list[int]]

_PERCENT, _POINT = 37, 46
_FLAGS = tuple(b"-+ #0")
_LENGTHS = (b"hh", b"ll", b"h", b"l", b"q", b"j", b"z", b"t", b"L")


class Conversion:
    """The conversion of a format, such as ``%5d``; a format has exactly one.

    before, after: the cells around the conversion, with ``%%`` as one cell.  precision: None if not
    given.
    """

    __slots__ = ("after", "before", "flags", "letter", "precision", "width")

    def __init__(self) -> None:
        self.before: list[int] = []
        self.after: list[int] = []
        self.flags = ""
        self.width = 0
        self.precision: int | None = None
        self.letter = ""

    def pad(self, sign: str, digits: str, *, zeros: bool) -> str:
        """Return a number padded to the width.  zeros: whether the flag 0 applies."""
        if "-" in self.flags:
            return (sign + digits).ljust(self.width)
        if zeros and "0" in self.flags:
            return sign + digits.rjust(self.width - len(sign), "0")
        return (sign + digits).rjust(self.width)

    def sign(self, negative: bool) -> str:
        if negative:
            return "-"
        return "+" if "+" in self.flags else " " if " " in self.flags else ""


def parse(text: list[int]) -> Conversion | None:
    """Return the only conversion in a format, or None.

    None means that the format is invalid, or that it has no conversion or several.
    """
    found: Conversion | None = None
    literal: list[int] = []
    at = 0
    while at < len(text):
        if text[at] != _PERCENT:
            literal.append(text[at])
            at += 1
        elif text[at + 1 : at + 2] == [_PERCENT]:
            literal.append(_PERCENT)
            at += 2
        elif found is not None:
            return None
        else:
            found = Conversion()
            found.before, literal = literal, []
            at = _parse_conversion(text, at + 1, found)
    if found is not None:
        found.after = literal
    return found if found is not None and found.letter else None


def _parse_conversion(text: list[int], at: int, found: Conversion) -> int:
    """Parse the conversion after ``%``; return the index after it.

    If the conversion is invalid, ``found`` gets no letter.
    """
    start = at
    while at < len(text) and text[at] in _FLAGS:
        at += 1
    found.flags = bytes(text[start:at]).decode()
    found.width, at = _parse_digits(text, at)
    if text[at : at + 1] == [_POINT]:
        found.precision, at = _parse_digits(text, at + 1)
    for length in _LENGTHS:
        if text[at : at + len(length)] == list(length):
            at += len(length)
            break
    if at < len(text) and 0 < text[at] < 128:
        found.letter = chr(text[at])
    return at + 1


def _parse_digits(text: list[int], at: int) -> tuple[int, int]:
    """Parse digits, with a limit on the value; return the number and the index after it."""
    value = 0
    while at < len(text) and 48 <= text[at] <= 57:
        value = min(value * 10 + text[at] - 48, MAX_BLOCK_CELLS + 1)
        at += 1
    return value, at


def _push_formatted(
    transaction: Transaction, text: list[int], letters: str, convert: Convert
) -> None:
    """Push the formatted string; reflect unless the conversion's letter is in ``letters``."""
    transaction.core.effort += len(text)
    conversion = parse(text)
    if conversion is None or conversion.letter not in letters:
        transaction.reflect()
        return
    if max(conversion.width, conversion.precision or 0) > MAX_BLOCK_CELLS:
        raise StepRefused(MEMORY_FULL)
    done = [*conversion.before, *convert(conversion), *conversion.after]
    transaction.core.effort += len(done)
    if not transaction.core.reserve_room(len(done) + 1):
        raise StepRefused(MEMORY_FULL)
    transaction.push_string(done)


def _integer_text(conversion: Conversion, value: int, bits: int) -> str:
    """Format an integer as ``%d`` and the other integer conversions do.

    bits: the number of bits to which unsigned conversions wrap a negative number; 0 keeps its sign.
    """
    letter, precision = conversion.letter, conversion.precision
    signed = letter in "di"
    if value < 0 and not signed and bits:
        value += 1 << bits
    size = abs(value)
    digits = format(size, letter) if letter in "oxX" else decimal(size).decode()
    if precision is not None:
        digits = digits.rjust(precision, "0") if precision or size else ""
    sign = conversion.sign(value < 0) if signed or value < 0 else ""
    if "#" in conversion.flags:
        if letter == "o" and not digits.startswith("0"):
            digits = "0" + digits
        elif letter in "xX" and size:
            sign += "0" + letter
    return conversion.pad(sign, digits, zeros=precision is None)


def _float_text(conversion: Conversion, value: float) -> str:
    precision = 6 if conversion.precision is None else conversion.precision
    alternative = "#" if "#" in conversion.flags else ""
    negative = math.copysign(1, value) < 0 and value == value
    digits = f"%{alternative}.{precision}{conversion.letter}" % abs(value)
    return conversion.pad(conversion.sign(negative), digits, zeros=math.isfinite(value))


def _string_cells(conversion: Conversion, cells: list[int]) -> list[int]:
    """Format as ``%s``: cut the string to the precision, and pad it to the width."""
    if conversion.precision is not None:
        cells = cells[: conversion.precision]
    padding = [32] * (conversion.width - len(cells))
    return cells + padding if "-" in conversion.flags else padding + cells


def _characters(text: str) -> list[int]:
    return list(text.encode())


def _format_integer(transaction: Transaction) -> None:
    """Format a cell (I).  ``%c`` formats its lowest byte; a 0 ends the string, as in C."""
    value, text = transaction.pop(), transaction.pop_string()
    bits = 0 if transaction.core.unbounded else 64

    def convert(conversion: Conversion) -> list[int]:
        if conversion.letter != "c":
            return _characters(_integer_text(conversion, value, bits))
        conversion.precision = None
        char = value & 255
        if char == 0:
            conversion.after = []
        done = _string_cells(conversion, [char])
        return done if char else done[: done.index(0)]

    _push_formatted(transaction, text, "dioxXuc", convert)


def _format_long(transaction: Transaction) -> None:
    value, text = pop_long(transaction), transaction.pop_string()
    _push_formatted(
        transaction, text, "dioxXu", lambda to: _characters(_integer_text(to, value, 64))
    )


def _format_string(transaction: Transaction) -> None:
    cells, text = transaction.pop_string(), transaction.pop_string()
    _push_formatted(transaction, text, "s", lambda to: _string_cells(to, cells))


def _format_float(pop: Callable[[Transaction], float]) -> Semantics:
    def run(transaction: Transaction) -> None:
        value, text = pop(transaction), transaction.pop_string()
        _push_formatted(transaction, text, "feEgGF", lambda to: _characters(_float_text(to, value)))

    return run


FPRT: dict[str, Semantics] = {
    "D": _format_float(pop_double),
    "F": _format_float(pop_single),
    "I": _format_integer,
    "L": _format_long,
    "S": _format_string,
}
