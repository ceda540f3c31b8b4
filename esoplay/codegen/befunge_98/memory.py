"""The cells of variables and arrays: rows above the code, each with a label.

A byte is one cell.  An int is five cells, because a cell of the dialect ``benchmark`` stores only
one byte: 5,000,000,000 is added to the int, and the cells are the limbs (base-100 digits) of the
sum, the highest limb in the west.  An array of bytes is a row; an array of ints has one row for
each limb.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import isqrt
from typing import Literal

from esoplay.codegen.errors import LayerError, unknown_name_error
from esoplay.codegen.generated import VariablePlace

BASE = 100
LIMBS = 5
MIDDLE = 50
"""The value of the highest limb (digit to the base ``BASE``) when the int 0 is stored."""

OFFSET = -MIDDLE * BASE ** (LIMBS - 1)
"""The smallest int: its limbs are stored as 0."""

INTS = range(OFFSET, OFFSET + 256 * BASE ** (LIMBS - 1))
"""The ints that can be stored: the highest cell holds any byte, each other cell holds a limb."""

STACK_INTS = range(-(2**63) + 1, 2**63)
"""The ints that the stack can store and negate: all of 64 bits except the smallest."""

MAX_ARRAY_LENGTH = 256
"""The maximum number of elements of an array."""

FIRST_COLUMN = 1
"""The column of element 0 of an array."""

SCRATCH = "10"
"""Code that pushes the position of the cell in which an index is stored temporarily."""

_CELL = "."


@dataclass(frozen=True, slots=True)
class CellRange:
    """The cells of a variable or an array.

    ``y``: the row numbers, for an array of ints in the order of limbs from the lowest; ``rows``:
    code that pushes each of these numbers; ``length``: None for a variable.
    """

    type: Literal["byte", "int"]
    y: tuple[int, ...]
    length: int | None

    @property
    def rows(self) -> tuple[str, ...]:
        return tuple(spell(y) for y in self.y)

    def position_codes(self, index: int = 0) -> tuple[str, ...]:
        """Return, for each cell of a variable or element, code that pushes its column and row."""
        return tuple(f"{spell(x)}{spell(y)}" for x, y in self.coordinates(index))

    def coordinates(self, index: int = 0) -> tuple[tuple[int, int], ...]:
        """Return the column and row of each cell of a variable or of the element ``index``."""
        if self.type == "int" and self.length is None:
            return tuple((LIMBS - limb, self.y[0]) for limb in range(LIMBS))
        return tuple((FIRST_COLUMN + index, y) for y in self.y)

    def place(self, index: int = 0) -> VariablePlace:
        """Return, for the debugger, the place of a variable or of the element ``index``."""
        texts = tuple(f"cell[{x}, {y}]" for x, y in self.coordinates(index))
        if self.type == "byte":
            return VariablePlace("number", texts, unset=ord(_CELL))
        return VariablePlace("limbs", texts, OFFSET, BASE, unset=ord(_CELL))


class RowAllocator:
    """An allocator of rows for variables and arrays; each new one is below all earlier ones."""

    def __init__(self) -> None:
        self.cells: dict[str, CellRange] = {}
        self.uses_scratch = False
        self._labels: list[tuple[int, str]] = []

    @property
    def height(self) -> int:
        """The number of rows above the code, including the row of the arrow that leads down."""
        return 1 + len(self._labels)

    def variable(self, name: str, type: Literal["byte", "int"], label: str = "") -> None:
        """Allocate the row of a variable; ``label``, by default its name, is written next to it."""
        self._check_new_name(name)
        self.cells[name] = CellRange(type, (self.height,), None)
        self._labels.append((1 if type == "byte" else LIMBS, label or name))

    def array(self, name: str, type: Literal["byte", "int"], length: int, label: str = "") -> None:
        """Allocate one row for an array of bytes, or five rows for an array of ints.

        length: 1 to 256 elements.  label: the text next to the rows, by default ``name``.
        """
        self._check_new_name(name)
        if not 1 <= length <= MAX_ARRAY_LENGTH:
            raise LayerError(f"an array has 1 to {MAX_ARRAY_LENGTH} elements, not {length}")
        shown = f"{label or name}[{length}]"
        if type == "byte":
            self.cells[name] = CellRange(type, (self.height,), length)
            self._labels.append((length, shown))
            return
        bottom = self.height + LIMBS - 1
        rows = tuple(bottom - limb for limb in range(LIMBS))
        self.cells[name] = CellRange(type, rows, length)
        for limb in reversed(range(LIMBS)):
            self._labels.append((length, f"{shown}, times {BASE**limb}"))

    def rows(self) -> list[str]:
        """Return the rows above the code: an arrow that leads down, then cells with labels."""
        first = f"v{_CELL} an index" if self.uses_scratch else "v"
        return [first, *(f" {_CELL * cells} {label}" for cells, label in self._labels)]

    # Lookup of names

    def find(self, name: str) -> CellRange:
        """Return the cells of a variable or an array; raise LayerError for an unknown name."""
        cells = self.cells.get(name)
        if cells is None:
            raise unknown_name_error("variable or array", name, self.cells)
        return cells

    def find_variable(self, name: str) -> CellRange:
        """Return the cells of a variable; raise LayerError for an array."""
        cells = self.find(name)
        if cells.length is not None:
            raise LayerError(f"{name} is an array; expected one of its elements")
        return cells

    def find_int(self, name: str) -> CellRange:
        """Return the cells of an int variable; raise LayerError for a byte or an array."""
        cells = self.find_variable(name)
        if cells.type != "int":
            raise LayerError(f"{name} is a byte; expected an int")
        return cells

    def find_array(self, name: str) -> CellRange:
        """Return the cells of an array; raise LayerError for a variable."""
        cells = self.find(name)
        if cells.length is None:
            raise LayerError(f"{name} is not an array")
        return cells

    def _check_new_name(self, name: str) -> None:
        if name in self.cells:
            raise LayerError(f"{name} is already defined")


# Constants with the shortest code.

_DIGITS = "0123456789abcdef"
_FIRST_PRINTABLE, _LAST_PRINTABLE = 33, 126
_FACTORS = (10, 15, 9, 100, 126, 64, 8, 2)


def spell(number: int) -> str:
    """Return short code that pushes a number, such as ``7``, ``f``, ``'A``, ``48*``, ``07-``.

    A number of more than 64 bits wraps, as it would in a cell.
    """
    return _spell_in_range((number + 2**63) % 2**64 - 2**63)


@cache
def _spell_in_range(number: int) -> str:
    if number < 0:
        return f"0{_spell_in_range(-number)}-"
    if number < len(_DIGITS):
        return _DIGITS[number]
    if _FIRST_PRINTABLE <= number <= _LAST_PRINTABLE:
        return f"'{chr(number)}"
    return min(_spellings(number), key=lambda way: (len(way), way))


def _spellings(number: int) -> list[str]:
    """Return ways to push a number, as codes that use products, squares and sums."""
    ways: list[str] = []
    for factor in _FACTORS:
        if 2 * factor <= number:
            quotient, rest = divmod(number, factor)
            ways.append(
                f"{_spell_in_range(quotient)}{_spell_in_range(factor)}*{_addition_code(rest)}"
            )
    root = isqrt(number)
    ways.append(f"{_spell_in_range(root)}:*{_addition_code(number - root * root)}")
    return ways


def _addition_code(amount: int) -> str:
    return f"{_spell_in_range(amount)}+" if amount else ""
