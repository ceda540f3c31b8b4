"""Operations on bytes in cells: scratch cells, copies, comparisons, division."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from esoplay.codegen.brainfuck.writer import Writer

Item = TypeVar("Item")


class Pool(Generic[Item]):
    """A pool of scratch cells or lanes in order of preference; free items are 0."""

    def __init__(self, items: Sequence[Item]):
        self._items = list(items)
        self._free = [True] * len(items)
        self.max_taken = 0
        """Number of items needed so far: 1 more than the highest index that was taken."""

    def take(self) -> Item:
        """Return the first free cell or lane, and mark it as used."""
        at = self._free.index(True)
        self._free[at] = False
        self.max_taken = max(self.max_taken, at + 1)
        return self._items[at]

    def free(self, *items: Item) -> None:
        """Return cells or lanes to the pool; the generated code must have set them to 0."""
        for item in items:
            self._free[self._items.index(item)] = True


class NamedCell(NamedTuple):
    """The cell of a variable; the next two cells on ``side`` (1: right, -1: left) are 0 and 1."""

    cell: int
    side: int


WORK_CELLS = 7
"""The number of adjacent cells that the operations share; the leftmost one holds 1."""


class Cells:
    """Operations on bytes; results are in scratch cells, which the caller frees."""

    def __init__(self, writer: Writer, work: int, spare: Sequence[int], flags: Sequence[int]):
        """Use the cells from ``work`` on; ``spare`` and ``flags`` are scratch cells."""
        self.writer = writer
        self.pool = Pool(spare)
        self.flags = Pool(flags)
        """Scratch cells for flags, which are rare; farther from the work cells than ``pool``."""
        self._work = range(work + WORK_CELLS - 1, work - 1, -1)
        self.number = self._work[1]
        self.left = self._work[3]
        self.right = self._work[4]

    def start(self) -> None:
        """Write code that sets the constant work cell to 1; it must come first in a program."""
        self.writer.add(self._work[-1], 1)

    def constant(self, number: int) -> int:
        """Return a cell with a constant."""
        cell = self.pool.take()
        self.add_constant(cell, number)
        return cell

    def add_constant(self, cell: int, number: int) -> None:
        """Add a constant to a cell, by a product if that is shorter."""
        factor, times = _choose_factors(number)
        if not times:
            self.writer.add(cell, number)
            return
        spare = self.pool.take()
        self.writer.add(spare, factor)
        self.writer.move(spare, (cell, times))
        self.writer.add(cell, number - factor * times)
        self.pool.free(spare)

    def copy(self, source: int) -> int:
        """Return a copy of a cell."""
        target, spare = self.pool.take(), self.pool.take()
        self.writer.copy(source, [target], spare)
        self.pool.free(spare)
        return target

    def flag(self, source: int, expected: bool = True) -> int:
        """Return a flag with 1 if ``(source != 0) == expected``, else 0; clear ``source``."""
        flag = self.pool.take()
        if not expected:
            self.writer.add(flag, 1)
        with self.writer.loop(source):
            self.writer.clear(source)
            self.writer.add(flag, 1 if expected else -1)
        self.pool.free(source)
        return flag

    def equals_number(self, variable: NamedCell, number: int, expected: bool) -> int:
        """Return a flag with 1 if ``(variable == number) == expected``, else 0.

        The variable is unchanged.
        """
        self.writer.add(variable.cell, -number)
        flag = self._is_zero(variable, expected)
        self.writer.add(variable.cell, number)
        return flag

    def equals_variable(self, variable: NamedCell, other: NamedCell, expected: bool) -> int:
        """Return a flag with 1 if ``(variable == other) == expected``, else 0.

        ``variable`` and ``other`` must be different variables; their values are unchanged.
        """
        spare = self.pool.take()
        self.writer.move(other.cell, (variable.cell, -1), spare)
        flag = self._is_zero(variable, expected)
        self.writer.move(spare, variable.cell, other.cell)
        self.pool.free(spare)
        return flag

    def _is_zero(self, variable: NamedCell, expected: bool) -> int:
        writer = self.writer
        flag = self.pool.take()
        writer.add(flag, 1 if expected else 0)
        beside = variable.cell + variable.side
        writer.open(variable.cell)
        writer.add(flag, -1 if expected else 1)
        self._close_at_zero(beside, beside + variable.side)
        return flag

    def _close_at_zero(self, zero: int, one: int) -> None:
        """Close a loop of at most one iteration; the pointer is at ``zero`` even if it was skipped.

        The tested cell, a cell with 0 and a cell with 1 are adjacent.
        """
        self.writer.close(zero)
        # after a skipped loop, the pointer is one cell short, so it skips the next loop
        self.writer.go(one)
        self.writer.open(one)
        self.writer.close(zero)
        self.writer.set_position(zero)

    def less_than_number(self, left: int, number: int, expected: bool) -> int:
        """Return a flag with 1 if ``(left < number) == expected``, else 0; clear ``left``.

        ``number`` must be from 1 to 255.
        """
        writer = self.writer
        flag = self.pool.take()
        if expected:
            writer.add(flag, 1)
        for _ in range(number - 1):
            writer.open(left)
            writer.add(left, -1)
        with writer.loop(left):
            writer.clear(left)
            writer.add(flag, -1 if expected else 1)
        for _ in range(number - 1):
            writer.close(left)
        self.pool.free(left)
        return flag

    def left_is_less(self, expected: bool) -> int:
        """Compare two work cells: return a flag with 1 if ``(left < right) == expected``, else 0.

        The cells are ``self.left`` and ``self.right``; both are 0 afterwards.
        """
        writer = self.writer
        taken, rest, zero, one = self._work[3:]
        with writer.loop(taken):  # decrement `rest`, but not below 0
            writer.add(taken, -1)
            writer.open(rest)
            writer.add(rest, -1)
            self._close_at_zero(zero, one)
        flag = self.pool.take()
        if not expected:
            writer.add(flag, 1)
        with writer.loop(rest):
            writer.clear(rest)
            writer.add(flag, 1 if expected else -1)
        return flag

    def less_than_variable(self, left: NamedCell, right: NamedCell, expected: bool) -> int:
        """Return a flag with 1 if ``(left < right) == expected``, else 0.

        The variables are unchanged.
        """
        writer = self.writer
        lowered, lowered_right = self.pool.take(), self.pool.take()
        with writer.loop(left.cell):
            writer.add(left.cell, -1)
            writer.add(lowered, 1)
            writer.open(right.cell)
            writer.add(right.cell, -1)
            writer.add(lowered_right, 1)
            self._close_at_zero(right.cell + right.side, right.cell + 2 * right.side)
        flag = self._is_zero(right, not expected)
        writer.move(lowered, left.cell)
        writer.move(lowered_right, right.cell)
        self.pool.free(lowered, lowered_right)
        return flag

    def product(self, left: int, right: int) -> int:
        """Return a cell with left * right; clear and free the cells ``left`` and ``right``."""
        target, spare = self.pool.take(), self.pool.take()
        with self.writer.loop(left):
            self.writer.add(left, -1)
            self.writer.copy(right, [target], spare)
        self.writer.clear(right)
        self.pool.free(spare, left, right)
        return target

    def divide(self) -> tuple[int, int]:
        """Divide ``number`` by ``right``; return the cells of the quotient and the remainder.

        The caller must move both results elsewhere; ``number`` and ``right`` are 0 afterwards.
        """
        writer = self.writer
        quotient, number, rest, zero, countdown, beside, _ = self._work
        with writer.loop(number):
            writer.add(number, -1)
            writer.add(rest, 1)
            writer.add(countdown, -1)
            writer.open(countdown)
            writer.close(beside)
            # two cells back is `zero` if the countdown continues, and `rest` at its end
            writer.go(zero)
            writer.set_position(rest)
            writer.open(rest)
            writer.move(rest, countdown)
            writer.add(quotient, 1)
            writer.close(zero)
        writer.clear(countdown)
        return quotient, rest


def _choose_factors(number: int) -> tuple[int, int]:
    """Return the factors for the shortest code that adds a constant as a product and a rest.

    The product is near the constant; the rest is the difference and can be negative.  Returns
    (0, 0) if the constant is so small that code without a product is as short.
    """
    if number <= 15:
        return 0, 0
    found = min(
        (factor + times + abs(number - factor * times), factor, times)
        for factor in range(2, 17)
        for times in range(2, 40)
        if factor * times <= 255
    )
    return found[1], found[2]
