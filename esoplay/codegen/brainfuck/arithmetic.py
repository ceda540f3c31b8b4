"""Arithmetic of ints, which are stored on the tape as decimal digits.

The tape is divided into slices: slice n holds digit n of every int, and of every scratch value.  A
value is a *lane*: the cells at one offset in all slices.  An operation is a loop that moves from
slice to slice, so a program's size does not depend on the number of digits.  Negative numbers are
in ten's complement.  One additional slice lies before the first slice and one after the last; both
are 0 between operations.  Sums, differences, comparisons, printing and conversions are here;
products and quotients are in ``long_arithmetic``.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from esoplay.codegen.brainfuck.cells import Cells, Pool
from esoplay.codegen.brainfuck.writer import Writer
from esoplay.codegen.errors import unknown_name_error

DIGITS = 8
"""The number of decimal digits of an int."""

MARK, X, Y, T = "(mark)", "(x)", "(y)", "(t)"
"""Names of lanes that all operations use: MARK is 1 in each slice; X, Y and T are scratch lanes."""

TOP = DIGITS - 1


class IntLane(NamedTuple):
    """An int as an operand; an owned operand is a scratch lane and is 0 after its use."""

    name: str
    owned: bool


Operand = IntLane | int
"""An operand: a lane or a constant."""


def split_digits(number: int) -> list[int]:
    """Return the digits of a constant in ten's complement, lowest first."""
    number %= 10**DIGITS
    return [number // 10**place % 10 for place in range(DIGITS)]


class Slices:
    """The cells of ints on the tape, a slice for each digit, and loops over the slices."""

    def __init__(self, writer: Writer, base: int, lanes: Sequence[str], spare: Sequence[str]):
        """Lay out ``lanes`` in order from the cell ``base`` on; ``spare`` are scratch lanes."""
        self.writer = writer
        self.width = len(lanes)
        self.end = base + (DIGITS + 2) * self.width
        self._first = base + self.width
        self._offsets = {lane: offset for offset, lane in enumerate(lanes)}
        self.pool = Pool(spare)

    def cell(self, lane: str, place: int = 0) -> int:
        """Return the cell with one digit of the int in ``lane``.

        place: number of the slice; 0 is the lowest digit or, in a loop over slices, the current
        slice.  Raises LayerError for an unknown lane.
        """
        offset = self._offsets.get(lane)
        if offset is None:
            raise unknown_name_error("int", lane, (one for one in self._offsets if one[0] != "("))
        return self._first + place * self.width + offset

    def start(self) -> None:
        """Write the first code of a program, which sets the lane ``MARK`` to 1 in each slice."""
        for place in range(DIGITS):
            self.writer.add(self.cell(MARK, place), 1)

    # Moves

    @contextmanager
    def loop_over_slices(self, lane: str, step: int) -> Generator[None]:
        """Write a loop over slices that ends at the first slice in which the lane is 0.

        Each round ends with a move by ``step`` slices. In the loop, place 0 is the current slice;
        afterwards it is the slice in which the loop ended.
        """
        with self.writer.walk(self.cell(lane), step * self.width):
            yield

    @contextmanager
    def loop_up(self) -> Generator[None]:
        """Repeat the code written in the ``with`` block for each slice, lowest first.

        In the block, place 0 means the current slice.
        """
        with self.loop_over_slices(MARK, 1):
            yield
        self.set_position(MARK, DIGITS)

    @contextmanager
    def loop_down(self) -> Generator[None]:
        """Repeat the code written in the ``with`` block for each slice, highest first.

        In the block, place 0 means the current slice.
        """
        self.climb()
        with self.descend():
            yield

    @contextmanager
    def descend(self, place: int = TOP) -> Generator[None]:
        """Repeat the code written in the ``with`` block for each slice from ``place`` down.

        In the block, place 0 means the current slice.
        """
        self.writer.go(self.cell(MARK, place))
        self.set_position(MARK, 0)
        with self.loop_over_slices(MARK, -1):
            yield
        self.set_position(MARK, -1)

    def set_position(self, lane: str, place: int) -> None:
        """Renumber all cells, so that the cell at the pointer becomes ``cell(lane, place)``.

        Call this after a loop that ends at another cell than the one where it starts.
        """
        self.writer.set_position(self.cell(lane, place))

    def climb(self) -> None:
        """Write code that moves the pointer from the slice of the lowest digit to the highest."""
        with self.loop_over_slices(MARK, 1):
            pass
        self.set_position(MARK, DIGITS)
        self.writer.go(self.cell(MARK, TOP))

    def go_to_bottom(self) -> None:
        """Write code that moves from the additional slice at the top to the one at the bottom."""
        with self.descend():
            pass

    def move_flag_to_bottom(self, lane: str, *discarded: str) -> int:
        """Move a flag from above the highest slice to the lowest slice; return its cell.

        The discarded lanes are set to 0 on the way.
        """
        with self.descend():
            self.writer.move(self.cell(lane, 1), self.cell(lane))
            for one in discarded:
                self.writer.clear(self.cell(one))
        return self.cell(lane)

    # Digits

    def add_constant(self, lane: str, number: int, sign: int = 1) -> None:
        """Add a constant's digits to a lane, or subtract them if ``sign`` is -1."""
        for place, digit in enumerate(split_digits(number)):
            if digit:
                self.writer.add(self.cell(lane, place), sign * digit)

    def copy_digit(self, source: IntLane, *targets: str) -> None:
        """In the current slice, add the digit of ``source`` to the digit of each target.

        targets: names of lanes.  If ``source`` is owned, its digit is set to 0.
        """
        cells = [self.cell(target) for target in targets]
        if source.owned:
            self.writer.move(self.cell(source.name), *cells)
        else:
            self.writer.copy(self.cell(source.name), cells, self.cell(T))

    def carry(self, source: str, target: str, amount: int) -> None:
        """Move a number from 0 to 19, modulo 10, to another lane; carry into the next slice.

        source, target: lanes of the current slice; the target must be 0.  amount: added to lane X
        of the next slice if the number is 10 or more.
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
        """Write code that sets all digits of the values in ``lanes`` to 0."""
        with self.loop_up():
            for lane in lanes:
                self.writer.clear(self.cell(lane))
        self.go_to_bottom()

    def copy(self, source: IntLane, target: str) -> None:
        """Copy an int to the lane ``target``, which must be 0; clear the source if it is owned."""
        with self.loop_up():
            self.copy_digit(source, target)
        self.go_to_bottom()

    def shift_up(self, lane: str) -> None:
        """Multiply the int in ``lane`` by 10."""
        self.climb()
        self.writer.clear(self.cell(lane, TOP))
        with self.descend():
            self.writer.move(self.cell(lane, -1), self.cell(lane))

    def shift_down(self, lane: str) -> None:
        """Divide the int in ``lane``, which must not be negative, by 10; discard the remainder."""
        self.writer.clear(self.cell(lane))
        with self.loop_up():
            self.writer.move(self.cell(lane, 1), self.cell(lane))
        self.go_to_bottom()


# Sums, differences and comparisons of ints.

_NEGATIVE_FROM = 5
"""A number is negative if its highest digit is at least this."""


def add(slices: Slices, lane: str, operand: Operand) -> None:
    """Add an operand to a lane; an owned operand (see :class:`IntLane`) is 0 afterwards."""
    if isinstance(operand, int):
        if operand < 0:
            subtract(slices, lane, -operand)
            return
        slices.add_constant(X, operand)
    writer = slices.writer
    with slices.loop_up():
        if not isinstance(operand, int):
            slices.copy_digit(operand, X)
        add_digit(slices, lane)
    writer.clear(slices.cell(X, DIGITS))
    slices.go_to_bottom()


def add_digit(slices: Slices, lane: str) -> None:
    """Write code that adds the digit of lane ``X`` to the digit of ``lane`` in a slice.

    A carry adds 1 to ``X`` in the next slice, so that the addition there includes it.
    """
    with slices.writer.loop(slices.cell(X)):
        slices.writer.move(slices.cell(lane), slices.cell(X))
        slices.carry(X, lane, 1)


def subtract(slices: Slices, lane: str, operand: Operand) -> None:
    """Subtract an operand from a lane; an owned operand (see :class:`IntLane`) becomes 0."""
    if isinstance(operand, int):
        if operand < 0:
            add(slices, lane, -operand)
            return
        slices.add_constant(X, operand)
    with slices.loop_up():
        if not isinstance(operand, int):
            slices.copy_digit(operand, X)
        subtract_digit(slices, lane)
    slices.writer.clear(slices.cell(X, DIGITS))
    slices.go_to_bottom()


def subtract_digit(slices: Slices, lane: str) -> None:
    """Write code that subtracts the digit of lane ``X`` from the digit of ``lane`` in a slice.

    A borrow adds 1 to ``X`` in the next slice, so that the subtraction there includes it.
    """
    writer, x, y = slices.writer, slices.cell(X), slices.cell(Y)
    with writer.loop(x):
        writer.add(y, 10)
        writer.move(x, (y, -1))
        writer.move(slices.cell(lane), y)
        writer.add(slices.cell(X, 1), 1)
        slices.carry(Y, lane, -1)


def negate(slices: Slices, lane: str) -> None:
    """Write code that negates the int in ``lane``."""
    with slices.loop_up():
        slices.writer.move(slices.cell(lane), slices.cell(X))
        subtract_digit(slices, lane)
    slices.writer.clear(slices.cell(X, DIGITS))
    slices.go_to_bottom()


def fold(slices: Slices, lane: str) -> None:
    """Recode a lane so that negative numbers near 0 have small digits; a second call undoes it.

    If the highest digit is not 0, it becomes 10 minus its value, and each other digit 9 minus its
    value.  Numbers near 0 of either sign then consist mostly of zeros, which are cheap to move.
    """
    writer, top, rest = slices.writer, slices.cell(lane, TOP), slices.cell(Y, TOP)
    slices.climb()
    with writer.loop(top):
        writer.add(rest, 10)
        writer.move(top, (rest, -1))
        with slices.descend(TOP - 1):
            digit, spare = slices.cell(lane), slices.cell(Y)
            writer.add(spare, 9)
            writer.move(digit, (spare, -1))
            writer.move(spare, digit)
        slices.climb()
    writer.move(rest, top)
    slices.go_to_bottom()


def is_negative(slices: Slices, operand: IntLane) -> int:
    """Write code that sets a cell to 1 if an int is negative, else to 0; return the cell.

    The caller must clear the cell.  An owned operand is 0 afterwards.
    """
    slices.climb()
    _mark_negative(slices, operand.name, TOP, 1)
    return slices.move_flag_to_bottom(X, *_owned_names(operand))


def _mark_negative(slices: Slices, lane: str, place: int, distance: int) -> None:
    """Add 1 to a cell of the scratch lane X if a digit of ``lane`` is 5 or more.

    An int is negative if its highest digit is.  place: the slice of the digit.  distance: the
    number of slices from the digit to the cell.
    """
    writer, x, y = slices.writer, slices.cell(X, place + distance), slices.cell(Y, place)
    writer.copy(slices.cell(lane, place), [y], slices.cell(T, place))
    for level in writer.nest(y, _NEGATIVE_FROM):
        if level == _NEGATIVE_FROM:
            writer.clear(y)
            writer.add(x, 1)


def is_less(slices: Slices, left: IntLane, right: Operand) -> int:
    """Write code that sets a cell to 1 if left < right, else to 0; return the cell.

    The caller must clear the cell.  Owned operands are 0 afterwards.
    """
    if right == 0:
        return is_negative(slices, left)
    writer, x, y = slices.writer, slices.cell(X), slices.cell(Y)
    if isinstance(right, int):
        slices.add_constant(X, right)
    with slices.loop_up():
        if isinstance(right, IntLane):
            slices.copy_digit(right._replace(owned=False), X)
        with writer.loop(x):
            writer.add(y, 10)
            writer.move(x, (y, -1))
            slices.copy_digit(left._replace(owned=False), Y)
            writer.add(slices.cell(X, 1), 1)
            for level in writer.nest(y, 10):
                if level == 10:
                    writer.clear(y)
                    writer.add(slices.cell(X, 1), -1)
    # a borrow means "less" if the signs are equal, else "not less"
    _mark_negative(slices, left.name, TOP, 1)
    if isinstance(right, IntLane):
        _mark_negative(slices, right.name, TOP, 1)
    elif right < 0:
        writer.add(slices.cell(X, DIGITS), 1)
    if isinstance(right, IntLane) or right < 0:
        _reduce_modulo_2(slices)
    return slices.move_flag_to_bottom(X, *_owned_names(left), *_owned_names(right))


def _reduce_modulo_2(slices: Slices) -> None:
    """In the additional slice at the top, replace X, a number from 0 to 3, by X modulo 2."""
    writer, x, y = slices.writer, slices.cell(X, DIGITS), slices.cell(Y, DIGITS)
    for level in writer.nest(x, 3):
        writer.add(y, 1 if level % 2 else -1)
    writer.move(y, x)


def differs(slices: Slices, left: IntLane, right: Operand) -> int:
    """Return a cell with 1 if left != right, else 0; the caller must clear it.

    Owned operands are 0 afterwards.
    """
    writer, x, y = slices.writer, slices.cell(X), slices.cell(Y)
    if isinstance(right, int):
        slices.add_constant(X, right, -1)
    with slices.loop_down():
        slices.copy_digit(left, X)
        if isinstance(right, IntLane):
            target = (x, -1)
            if right.owned:
                writer.move(slices.cell(right.name), target)
            else:
                writer.copy(slices.cell(right.name), [target], slices.cell(T))
        found = slices.cell(Y, -1)
        writer.move(y, found)
        with writer.loop(x):
            writer.clear(x)
            writer.clear(found)
            writer.add(found, 1)
    return slices.cell(Y, -1)


def _owned_names(*operands: Operand) -> Sequence[str]:
    return [one.name for one in operands if isinstance(one, IntLane) and one.owned]


# Printing ints, and conversion from and to bytes.

_ZERO = ord("0")


def write_int(cells: Cells, slices: Slices, lane: IntLane) -> None:
    """Write code that prints an int.

    An owned lane (see :class:`IntLane`) is 0 afterwards; other lanes keep their value.
    """
    writer = slices.writer
    sign = cells.pool.take()
    undo = sign if lane.owned else cells.pool.take()
    writer.move(is_negative(slices, lane._replace(owned=False)), sign)
    with writer.once(sign):
        minus = cells.constant(ord("-"))
        writer.write(minus)
        writer.clear(minus)
        cells.pool.free(minus)
        negate(slices, lane.name)
        if not lane.owned:
            writer.add(undo, 1)
    _write_digits(slices, lane)
    if not lane.owned:
        with writer.once(undo):
            negate(slices, lane.name)
        cells.pool.free(undo)
    cells.pool.free(sign)


def _write_digits(slices: Slices, lane: IntLane) -> None:
    """Print a nonnegative int, without leading zeros."""
    writer, digit = slices.writer, slices.cell(lane.name)
    x, y, t = (slices.cell(name) for name in (X, Y, T))
    with slices.loop_down():
        with writer.loop(digit):
            writer.clear(x)
            writer.add(x, 1)
            writer.move(digit, *([y] if lane.owned else [y, t]))
        writer.move(t, digit)
        with writer.once(x):  # a nonzero digit was found, here or above
            writer.add(slices.cell(X, -1), 1)
            _write_digit(slices, Y, 0)
    printed, y = slices.cell(X, -1), slices.cell(Y, -1)
    writer.add(y, 1)
    writer.move(printed, (y, -1))
    with writer.once(y):
        _write_digit(slices, Y, -1)


def _write_digit(slices: Slices, lane: str, place: int) -> None:
    writer, cell, t = slices.writer, slices.cell(lane, place), slices.cell(T, place)
    writer.add(t, 6)
    writer.move(t, (cell, _ZERO // 6))
    writer.write(cell)
    writer.clear(cell)


def from_byte(cells: Cells, slices: Slices, lane: str) -> None:
    """Write code that moves the byte in ``cells.number`` to an int whose lane is 0."""
    writer = slices.writer
    targets = [cells.number, slices.cell(lane, 2)]
    for place, target in enumerate(targets):
        writer.add(cells.right, 10)
        quotient, rest = cells.divide()
        writer.move(rest, slices.cell(lane, place))
        writer.move(quotient, target)


def to_byte(cells: Cells, slices: Slices, lane: IntLane) -> int:
    """Return a scratch cell to which the value of an int from 0 to 255 is copied.

    A scratch lane (``lane.owned``) is 0 afterwards.
    """
    writer = slices.writer
    byte = cells.pool.take()
    for place in range(3):
        target = (byte, 10**place)
        if lane.owned:
            writer.move(slices.cell(lane.name, place), target)
        else:
            writer.copy(slices.cell(lane.name, place), [target], slices.cell(T, place))
    return byte
