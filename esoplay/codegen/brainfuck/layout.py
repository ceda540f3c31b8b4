"""Where everything lies on the tape.

From the left: the records of the arrays, leftward from home; the bytes, scratch in their middle;
the slices of the ints.  If there are arrays of both types, those of ints lie behind the slices.
What is used most lies next to scratch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from esoplay.codegen.brainfuck.cells import WORK, Named
from esoplay.codegen.brainfuck.records import Shape, shape_of
from esoplay.codegen.brainfuck.slices import DIGITS, MARK, T, X, Y
from esoplay.codegen.errors import LayerError

_GROUP = 5
"""Two bytes with the 0, 1 and 0 between them that both need beside them."""


@dataclass(frozen=True, slots=True)
class Names:
    """What a program keeps.  bytes and ints: those first that are used most.

    Names are different and do not begin with a parenthesis, as those of scratch do; else there
    is a LayerError.
    """

    bytes: Sequence[str] = ()
    ints: Sequence[str] = ()
    byte_arrays: Mapping[str, int] = field(default_factory=dict[str, int])
    int_arrays: Mapping[str, int] = field(default_factory=dict[str, int])

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for name in (*self.bytes, *self.ints, *self.byte_arrays, *self.int_arrays):
            if name in seen:
                raise LayerError(f"{name} has two meanings")
            if name.startswith("("):
                raise LayerError(f"a name does not begin with a parenthesis: {name}")
            seen.add(name)


class Scratch(NamedTuple):
    """How many values in between there may be at a time."""

    bytes: int
    flags: int
    ints: int


class Layout:
    """The tape of one program."""

    def __init__(self, names: Names, scratch: Scratch):
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
        left, right = groups[2::2], [*groups[:2], *groups[3::2]]
        for group in reversed(left):
            cell = self._place(group[::-1], cell)
        self.flags = range(cell + scratch.flags - 1, cell - 1, -1)
        cell += scratch.flags
        self.work = cell
        cell += WORK
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
        """The last cell of the slice above the highest one."""

    def _place(self, group: Sequence[str], cell: int) -> int:
        """Lay out one or two bytes from ``cell`` on; the first cell behind them."""
        self.bytes[group[0]] = Named(cell, 1)
        self.ones.append(cell + 2)
        if len(group) == 2:
            self.bytes[group[1]] = Named(cell + 4, -1)
        return cell + _GROUP
