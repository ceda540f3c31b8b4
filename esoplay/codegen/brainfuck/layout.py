"""Where everything lies on the tape.

From the left: the records of the arrays, leftward from home; the bytes, scratch in their middle;
the slices of the ints.  If there are arrays of both types, those of ints lie behind the slices.
What is used most lies next to scratch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from esoplay.codegen.brainfuck.cells import WORK, Named
from esoplay.codegen.brainfuck.records import Shape, shape_of
from esoplay.codegen.brainfuck.slices import DIGITS, MARK, T, X, Y

_GROUP = 5
"""Two bytes with the 0, 1 and 0 between them that both need beside them."""


@dataclass(frozen=True, slots=True)
class Names:
    """What a program keeps.  bytes and ints: those first that are used most."""

    bytes: Sequence[str] = ()
    ints: Sequence[str] = ()
    byte_arrays: Mapping[str, int] = field(default_factory=dict[str, int])
    int_arrays: Mapping[str, int] = field(default_factory=dict[str, int])


class Layout:
    """The tape of one program.

    scratch_bytes, scratch_ints: how many values in between there may be at a time.
    """

    def __init__(self, names: Names, scratch_bytes: int, scratch_ints: int):
        self.byte_shape: Shape | None = shape_of(names.byte_arrays, 2)
        self.int_shape: Shape | None = shape_of(names.int_arrays, DIGITS)
        self.bytes: dict[str, Named] = {}
        self.ones: list[int] = []
        """Cells that hold 1 from the beginning to the end."""
        leftward = self.byte_shape or self.int_shape
        cell = self.left_home = leftward.size if leftward else 0
        if leftward:
            cell += 1
        groups = [names.bytes[at : at + 2] for at in range(0, len(names.bytes), 2)]
        for group in reversed(groups[1::2]):
            cell = self._place(group[::-1], cell)
        self.work = cell
        cell += WORK
        middle = cell
        self.scratch_bytes = range(middle, middle + scratch_bytes)
        cell += scratch_bytes
        for group in groups[0::2]:
            cell = self._place(group, cell)
        self.slices = cell
        self.scratch_ints = [f"(scratch {number})" for number in range(scratch_ints)]
        self.lanes: list[str] = []
        if names.ints or scratch_ints:
            outer = [*self.scratch_ints, *names.ints]
            self.lanes = [*reversed(outer[1::2]), MARK, X, Y, T, *outer[0::2]]
        self.right_home = self.slices + (DIGITS + 2) * len(self.lanes) - 1
        """The last cell of the slice above the highest one."""

    def _place(self, group: Sequence[str], cell: int) -> int:
        """Lay out one or two bytes from ``cell`` on; the first cell behind them."""
        self.bytes[group[0]] = Named(cell, 1)
        self.ones.append(cell + 2)
        if len(group) == 2:
            self.bytes[group[1]] = Named(cell + 4, -1)
        return cell + _GROUP
