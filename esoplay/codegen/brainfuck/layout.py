"""The layout of the tape.

From left to right, the tape has the records of arrays, their home cell, the bytes with the scratch
cells in their middle, and the slices of ints.  If a program has arrays of both types, the arrays of
ints lie after the slices.  The most used variables are next to the scratch cells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import NamedTuple

from esoplay.codegen.brainfuck.arithmetic import DIGITS, MARK, T, X, Y
from esoplay.codegen.brainfuck.cells import WORK_CELLS, NamedCell
from esoplay.codegen.brainfuck.writer import Writer
from esoplay.codegen.errors import LayerError

_GROUP = 5
"""The number of cells for two byte variables: a byte, 0, 1, 0, a byte.

Both variables use the three constant cells between them (see :class:`NamedCell`).
"""


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a program's variables and arrays.

    bytes, ints: the variables, most used first. byte_arrays, int_arrays: length by name.
    Raises LayerError for duplicate names, and for names that begin with a parenthesis, as the names
    of scratch lanes do.
    """

    bytes: Sequence[str] = ()
    ints: Sequence[str] = ()
    byte_arrays: Mapping[str, int] = field(default_factory=dict[str, int])
    int_arrays: Mapping[str, int] = field(default_factory=dict[str, int])

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for name in (*self.bytes, *self.ints, *self.byte_arrays, *self.int_arrays):
            if name in seen:
                raise LayerError(f"{name} is defined twice")
            if name.startswith("("):
                raise LayerError(f"a name cannot begin with a parenthesis: {name}")
            seen.add(name)


class Scratch(NamedTuple):
    """The maximum number of intermediate bytes, flags and ints that exist at a time."""

    bytes: int
    flags: int
    ints: int


class TapeLayout:
    """The positions of one program's variables, arrays and scratch cells on the tape."""

    def __init__(self, names: Names, scratch: Scratch):
        self.byte_shape: Shape | None = make_shape(names.byte_arrays, 2)
        self.int_shape: Shape | None = make_shape(names.int_arrays, DIGITS)
        self.bytes: dict[str, NamedCell] = {}
        self.ones: list[int] = []
        """Cells that always contain 1."""
        leftward = self.byte_shape or self.int_shape
        cell = self.left_home = leftward.size if leftward else 0
        if leftward:
            cell += 1
        groups = [names.bytes[at : at + 2] for at in range(0, len(names.bytes), 2)]
        left, right = groups[2::2], [*groups[:2], *groups[3::2]]
        for group in reversed(left):
            cell = self._place(group[::-1], cell)
        self.flags = range(cell + scratch.flags - 1, cell - 1, -1)
        cell += scratch.flags
        self.work = cell
        cell += WORK_CELLS
        self.scratch_bytes = range(cell + scratch.bytes - 1, cell - 1, -1)
        cell += scratch.bytes
        for group in right:
            cell = self._place(group, cell)
        self.slices = cell
        self.scratch_ints = [f"(scratch {number})" for number in range(scratch.ints)]
        self.lanes: list[str] = []
        if names.ints or scratch.ints:
            outer = [*self.scratch_ints, *names.ints]
            self.lanes = [*reversed(outer[1::2]), MARK, T, X, Y, *outer[0::2]]
        self.right_home = self.slices + (DIGITS + 2) * len(self.lanes) - 1
        """The last cell of the additional slice after the slice of the highest digits."""

    def _place(self, group: Sequence[str], cell: int) -> int:
        """Assign cells from ``cell`` on to one or two byte variables; return the next free cell.

        group: the names of the variables.  They share a cell that always contains 1.
        """
        self.bytes[group[0]] = NamedCell(cell, 1)
        self.ones.append(cell + 2)
        if len(group) == 2:
            self.bytes[group[1]] = NamedCell(cell + 4, -1)
        return cell + _GROUP


# Arrays: record n holds element n of each array, and room for a carrier.
#
# A carrier moves from record 0 to the element, first by single records, then by strides.  It
# carries the rest of the index, sets marks on the way, and returns along them.  Bytes are stored as
# two hexadecimal digits, ints as decimal digits, because small digits are cheap to carry.

BASE = 16
"""The base of the two digits that represent a byte."""


_SHORT_REGION = 16
"""The maximum number of records in a region whose carriers move only one record at a time."""


class Shape(NamedTuple):
    """The layout of a region of the tape: records, each with one element of every array.

    ``length``: the number of records; ``arrays``: the names of the arrays, in order; ``digits``:
    the number of cells of an element.
    """

    length: int
    arrays: tuple[str, ...]
    digits: int

    @property
    def stride(self) -> int:
        """The number of records that a carrier passes in one stride; see the comment above.

        It is smaller for wide records, so that programs are shorter.
        """
        return 8 if self.digits == 2 else 4

    @property
    def carrier(self) -> tuple[str, ...]:
        """The names of a record's cells for a carrier, which takes along an index and a value."""
        far = ("far",) if self.length > _SHORT_REGION else ()
        return ("near", *far, *(f"value {digit}" for digit in range(self.digits)))

    @property
    def width(self) -> int:
        """The number of cells of a record: a carrier, one element of each array, and a mark."""
        return len(self.carrier) + self.digits * len(self.arrays) + 1

    @property
    def size(self) -> int:
        """The number of cells of the region: ``length`` records of ``width`` cells."""
        return self.width * self.length


class Records:
    """The records of one tape region; record n holds element n of each array in the region.

    The home cell, next to record 0, is always 0, so that a carrier (see the comment above) that
    returns along the marks stops there.
    """

    def __init__(self, writer: Writer, shape: Shape, home: int, leftward: bool):
        """Place the records left of the cell ``home`` if ``leftward``, else to its right."""
        self.writer = writer
        self.shape = shape
        self._home = home
        self._step = -1 if leftward else 1
        self._offsets = {name: offset for offset, name in enumerate(shape.carrier)}
        for number, array in enumerate(shape.arrays):
            self._offsets[f"array {array}"] = len(shape.carrier) + shape.digits * number
        self._offsets["mark"] = shape.width - 1  # so that the mark before record 0 is the home cell

    def cell(self, lane: str, record: int = 0, digit: int = 0) -> int:
        """Return the cell of a lane in a record; an array's digit 0 is the lowest."""
        offset = self._offsets[lane] + digit + self.shape.width * record
        return self._home + self._step * (offset + 1)

    def element(self, array: str, index: int) -> list[int]:
        """Return the cells of an element, lowest digit first."""
        digits = range(self.shape.digits)
        return [self.cell(f"array {array}", index, digit) for digit in digits]

    @property
    def value_cells(self) -> list[int]:
        """The cells for the value to load or store, lowest digit first.

        They are in record 0, the nearest to the home cell.
        """
        return [self.cell(lane) for lane in self._value_lanes]

    @property
    def near(self) -> int:
        """The cell of record 0 that contains the index for ``fetch``, ``store`` and ``write``.

        If the cell ``far`` exists, this one contains the index modulo the stride instead.
        """
        return self.cell("near")

    @property
    def far(self) -> int | None:
        """The cell for index // stride; None if ``near`` contains the whole index."""
        return self.cell("far") if "far" in self._offsets else None

    @property
    def _value_lanes(self) -> Sequence[str]:
        return [f"value {digit}" for digit in range(self.shape.digits)]

    def fetch(self, array: str) -> None:
        """Copy the element whose index is in ``near`` and ``far`` to ``value_cells``."""
        self._walk_out(())
        spares = [*self.value_cells[1:], self.cell("near")]
        for cell, value_cell, spare in zip(
            self.element(array, 0), self.value_cells, spares, strict=True
        ):
            self.writer.copy(cell, [value_cell], spare)
        self._walk_home(self._value_lanes)

    def store(self, array: str) -> None:
        """Store the value in ``value_cells`` in the element whose index is in ``near`` and ``far``.

        Afterwards, these cells are 0.
        """
        self._walk_out(self._value_lanes)
        for cell, value_cell in zip(self.element(array, 0), self.value_cells, strict=True):
            self.writer.clear(cell)
            self.writer.move(value_cell, cell)
        self._walk_home(())

    def write(self, array: str) -> None:
        """Print the byte whose index is in ``near`` and ``far``.

        It is printed from its own record; ``fetch`` would first copy it to record 0.
        """
        self._walk_out(())
        low, high = self.element(array, 0)
        spare = self.value_cells[0]
        self.writer.move(high, (low, BASE), spare)  # temporarily, the byte
        self.writer.write(low)
        self.writer.move(spare, (low, -BASE), high)
        self._walk_home(())

    def clear(self, array: str) -> None:
        """Set all elements of an array to 0."""
        for index in range(self.shape.length):
            for cell in self.element(array, index):
                self.writer.clear(cell)

    def _walk_out(self, moved_values: Sequence[str]) -> None:
        """Write code that moves the carrier from record 0 to the record with the carried index.

        The index is in the lanes ``near`` and ``far`` of the carrier.  Afterwards, record 0 means
        that record, until ``_walk_home``.  moved_values: lanes of the value that the
        carrier takes along.
        """
        far, stride = ("far",) if self.far is not None else (), self.shape.stride
        with self._step_loop("near", 1):
            self.writer.add(self.cell("near"), -1)
            self.writer.add(self.cell("mark"), 1)
            self._move_lanes(("near", *far, *moved_values), 1)
        if far:
            with self._step_loop("far", stride):
                self.writer.add(self.cell("far"), -1)
                self.writer.add(self.cell("mark", stride), 1)
                self._move_lanes(("far", *moved_values), stride)

    def _walk_home(self, moved_values: Sequence[str]) -> None:
        """Move the carrier back to record 0 along the marks of ``_walk_out``, and clear the marks.

        moved_values: lanes of the value that the carrier takes along.

        Each stride marked the record where it ended, each move by one record the one where it
        began.
        """
        stride = self.shape.stride
        if self.far is not None:
            with self._step_loop("mark", -stride):
                self.writer.add(self.cell("mark"), -1)
                self._move_lanes(moved_values, -stride)
        self.writer.go(self.cell("mark", -1))
        self.writer.set_position(self.cell("mark"))
        with self._step_loop("mark", -1):
            self.writer.add(self.cell("mark"), -1)
            for lane in moved_values:
                self.writer.move(self.cell(lane, 1), self.cell(lane))
        self.writer.set_position(self.cell("mark", -1))

    def _move_lanes(self, lanes: Sequence[str], records: int) -> None:
        for lane in lanes:
            self.writer.move(self.cell(lane), self.cell(lane, records))

    def _step_loop(self, lane: str, records: int) -> AbstractContextManager[None]:
        return self.writer.walk(self.cell(lane), self._step * self.shape.width * records)


def make_shape(arrays: Mapping[str, int], digits: int) -> Shape | None:
    """Return the shape of the records that hold the elements of some arrays; None for no array.

    arrays: the length of each array, by name.  digits: the number of cells of an element.
    """
    if not arrays:
        return None
    return Shape(max(arrays.values()), tuple(arrays), digits)
