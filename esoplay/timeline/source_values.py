"""What a generator's variables hold in a state, read from where a source map says they are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from esolangs.machine import Machine
from esolangs.numbers import shown
from esolangs.stops import Address
from esoplay.codegen.generated import Place
from esoplay.errors import ConditionError, UsageError
from esoplay.timeline.conditions import Condition
from esoplay.timeline.source_lines import SourceLines
from esoplay.timeline.states import MachineState

_CELL = re.compile(r"cell\[\s*(-?\d+(?:\s*,\s*-?\d+)*)\s*\]")
_SHORT = {9: r"'\t'", 10: r"'\n'", 13: r"'\r'"}


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of the source, or an element of an array, such as ``a[0]``.

    value: None while its cells hold nothing of its kind, as within a statement they may.
    text: the value for people, such as ``65 'A'``; what the cells hold where there is no value.
    cells: expressions of the condition language for the cells that keep it.
    """

    name: str
    value: int | None
    text: str
    cells: tuple[str, ...]


class SourceValues:
    """The variables of one map, with their expressions read once."""

    def __init__(self, lines: SourceLines, registers: Sequence[str]) -> None:
        self._places: list[tuple[str, Place, list[Condition]]] = []
        for name, place in lines.source_map.variables.items():
            try:
                cells = [Condition(cell, registers) for cell in place.cells]
            except ConditionError:
                continue  # of no cell that this language has
            self._places.append((name, place, cells))

    def seen(self, machine: Machine) -> tuple[Variable, ...]:
        """All of them in the machine's present state."""
        state = MachineState(machine)
        found: list[Variable] = []
        for name, place, cells in self._places:
            held = [cell.value(state) for cell in cells]
            value = decoded(place, held)
            if value is None:
                text = " ".join(str(shown(each)) for each in held) + f" (no {place.kind})"
            else:
                text = _said(value, place)
            found.append(Variable(name, value, text, place.cells))
        return tuple(found)


def values_of(lines: SourceLines, registers: Sequence[str]) -> SourceValues:
    """The variables of a map, as long as it is kept."""
    values = _VALUES.get(lines)
    if values is None:
        values = _VALUES[lines] = SourceValues(lines, registers)
    return values


_VALUES: WeakKeyDictionary[SourceLines, SourceValues] = WeakKeyDictionary()


def decoded(place: Place, held: Sequence[int]) -> int | None:
    """The value that cells spell; None where they spell none of this kind."""
    if place.kind == "number":
        return held[0] + place.offset
    is_decimal = place.kind in ("digits", "folded")
    base = 10 if is_decimal else place.base
    bounded = held if is_decimal else held[:-1]
    if any(not 0 <= digit < base for digit in bounded):
        return None
    if place.kind == "folded":
        held = folded(held)
    value = sum(digit * base**at for at, digit in enumerate(held))
    if is_decimal:
        whole = base ** len(held)
        return value - whole if value >= whole // 2 else value
    return value + place.offset


def encoded(place: Place, value: int) -> list[int]:
    """What the cells hold for a value; UsageError names the range where there is one."""
    if place.kind == "number":
        return [value - place.offset]
    is_decimal = place.kind in ("digits", "folded")
    base, count = (10 if is_decimal else place.base), len(place.cells)
    whole = base**count
    low = -(whole // 2) if is_decimal else place.offset
    if not low <= value < low + whole:
        raise UsageError(f"it takes {low} to {low + whole - 1}, not {value}")
    rest = value % whole if is_decimal else value - place.offset
    digits: list[int] = []
    for _ in range(count):
        rest, digit = divmod(rest, base)
        digits.append(digit)
    return folded(digits) if place.kind == "folded" else digits


def folded(digits: Sequence[int]) -> list[int]:
    """Digits as kind ``folded`` keeps them, and back; see :class:`Place`."""
    if not digits[-1]:
        return list(digits)
    return [*(9 - digit for digit in digits[:-1]), 10 - digits[-1]]


def addresses(place: Place) -> list[Address]:
    """The cells of a place; UsageError where it is more than cells."""
    found: list[Address] = []
    for cell in place.cells:
        match = _CELL.fullmatch(cell.strip())
        if match is None:
            raise UsageError(f"{cell} is no cell that could be changed")
        parts = tuple(int(part) for part in match.group(1).split(","))
        found.append(parts[0] if len(parts) == 1 else parts)
    return found


def _said(value: int, place: Place) -> str:
    if place.kind != "number":
        return str(shown(value))
    if 32 <= value < 127:
        return f"{value} {chr(value)!r}"
    return f"{value} {_SHORT[value]}" if value in _SHORT else str(shown(value))
