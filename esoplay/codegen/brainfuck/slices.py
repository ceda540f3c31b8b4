"""Ints as decimal digits, sliced: slice n holds digit n of every int, and of every scratch value.

A value is a *lane*: the cells at one offset in all slices.  An operation is a loop that rolls
from slice to slice, so a program's size does not depend on the number of digits.  Negative
numbers are in ten's complement.  Beyond both ends lies a slice more, which is 0 between
operations.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from esoplay.codegen.brainfuck.cells import Pool
from esoplay.codegen.brainfuck.writer import Writer
from esoplay.codegen.errors import no_such

DIGITS = 8
"""Decimal digits of an int."""

MARK, X, Y, T = "(mark)", "(x)", "(y)", "(t)"
"""Lanes that every operation needs: 1 in each slice, and three of scratch, 0 in between."""

TOP = DIGITS - 1


class Lane(NamedTuple):
    """An int as an operand; an owned one may be used up, and is 0 after that."""

    name: str
    owned: bool


Operand = Lane | int
"""A lane or a constant."""


def digits_of(number: int) -> list[int]:
    """The digits of a constant, the lowest first, in ten's complement."""
    number %= 10**DIGITS
    return [number // 10**place % 10 for place in range(DIGITS)]


class Slices:
    """The lanes, and how to get about in them."""

    def __init__(self, writer: Writer, base: int, lanes: Sequence[str], spare: Sequence[str]):
        """``base``: the first cell.  lanes: in the order of the tape; spare: the free ones."""
        self.writer = writer
        self.width = len(lanes)
        self.end = base + (DIGITS + 2) * self.width
        self._first = base + self.width
        self._offsets = {lane: offset for offset, lane in enumerate(lanes)}
        self.pool = Pool(spare)

    def cell(self, lane: str, place: int = 0) -> int:
        """The cell of a lane's digit; LayerError where there is no such lane."""
        offset = self._offsets.get(lane)
        if offset is None:
            raise no_such("int", lane, (one for one in self._offsets if one[0] != "("))
        return self._first + place * self.width + offset

    def start(self) -> None:
        """Set the marks; to be written once, before anything else."""
        for place in range(DIGITS):
            self.writer.add(self.cell(MARK, place), 1)

    # Getting about

    @contextmanager
    def roll(self, lane: str, step: int) -> Generator[None]:
        """Repeat from slice to slice while the lane is not 0; inside, place 0 is this slice.

        Afterwards place 0 is the slice that it ended in.
        """
        with self.writer.walk(self.cell(lane), step * self.width):
            yield

    @contextmanager
    def up(self) -> Generator[None]:
        """Repeat for every slice, the lowest first; inside, place 0 is this slice."""
        with self.roll(MARK, 1):
            yield
        self.at(MARK, DIGITS)

    @contextmanager
    def down(self) -> Generator[None]:
        """Repeat for every slice, the highest first; inside, place 0 is this slice."""
        self.climb()
        with self.descend():
            yield

    @contextmanager
    def descend(self, place: int = TOP) -> Generator[None]:
        """The same from near the highest slice, or for those from another place down."""
        self.writer.go(self.cell(MARK, place))
        self.at(MARK, 0)
        with self.roll(MARK, -1):
            yield
        self.at(MARK, -1)

    def at(self, lane: str, place: int) -> None:
        """Count slices so that the pointer is at this place of the lane."""
        self.writer.arrive(self.cell(lane, place))

    def climb(self) -> None:
        """From the lowest slices to the highest one."""
        with self.roll(MARK, 1):
            pass
        self.at(MARK, DIGITS)
        self.writer.go(self.cell(MARK, TOP))

    def home(self) -> None:
        """From the slice above the highest one back to below the lowest."""
        with self.descend():
            pass

    def bring_home(self, lane: str, *discarded: str) -> int:
        """From above the highest slice: carry a flag that lies there down to the lowest slice.

        On the way the discarded lanes are set to 0.  Gives the flag's cell.
        """
        with self.descend():
            self.writer.move(self.cell(lane, 1), self.cell(lane))
            for one in discarded:
                self.writer.clear(self.cell(one))
        return self.cell(lane)

    # Digits

    def set_constant(self, lane: str, number: int, sign: int = 1) -> None:
        """Add a constant's digits to a lane, cell by cell; or take them away."""
        for place, digit in enumerate(digits_of(number)):
            if digit:
                self.writer.add(self.cell(lane, place), sign * digit)

    def copy_digit(self, source: Lane, *targets: str) -> None:
        """Within a slice: add a digit to the targets; it is kept unless its lane is owned."""
        cells = [self.cell(target) for target in targets]
        if source.owned:
            self.writer.move(self.cell(source.name), *cells)
        else:
            self.writer.copy(self.cell(source.name), cells, self.cell(T))

    def carry(self, source: str, target: str, amount: int) -> None:
        """Within a slice: move 0 to 19 as a digit to a target that is 0.

        From 10 on ``amount`` is added to X of the next slice.
        """
        writer, cell, out = self.writer, self.cell(source), self.cell(target)
        for level in writer.nest(cell, 10):
            if level < 10:
                writer.add(out, 1)
            else:
                writer.add(out, -9)
                writer.add(self.cell(X, 1), amount)
                writer.move(cell, out)

    # Whole lanes

    def clear(self, *lanes: str) -> None:
        """Set lanes to 0."""
        with self.up():
            for lane in lanes:
                self.writer.clear(self.cell(lane))
        self.home()

    def copy(self, source: Lane, target: str) -> None:
        """Copy a lane to one that is 0."""
        with self.up():
            self.copy_digit(source, target)
        self.home()

    def shift_up(self, lane: str) -> None:
        """Multiply by 10."""
        self.climb()
        self.writer.clear(self.cell(lane, TOP))
        with self.descend():
            self.writer.move(self.cell(lane, -1), self.cell(lane))

    def shift_down(self, lane: str) -> None:
        """Divide by 10, without the remainder."""
        self.writer.clear(self.cell(lane))
        with self.up():
            self.writer.move(self.cell(lane, 1), self.cell(lane))
        self.home()
