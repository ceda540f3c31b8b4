"""Products of ints, as on paper: by each digit of one factor, the other one moved along."""

from __future__ import annotations

from esoplay.codegen.brainfuck.arithmetic import add_digit, is_negative, negate
from esoplay.codegen.brainfuck.cells import Cells
from esoplay.codegen.brainfuck.slices import MARK, Lane, Slices, T, X


def mark_significant(slices: Slices, marks: str, *lanes: str) -> None:
    """Set ``marks`` in each slice that has no slice above it where a lane is not 0, but one below.

    That is: from the lowest slice up to the highest digit that matters.  X is used on the way.
    """
    writer, x = slices.writer, slices.cell(X)
    with slices.down():
        for lane in lanes:
            with writer.loop(slices.cell(lane)):
                writer.clear(x)
                writer.add(x, 1)
                writer.move(slices.cell(lane), slices.cell(T))
            writer.move(slices.cell(T), slices.cell(lane))
        writer.move(x, slices.cell(marks), slices.cell(X, -1))
    writer.clear(slices.cell(X, -1))


def multiply(
    cells: Cells,
    slices: Slices,
    left: str,
    right: str,
    product: str,
    right_is_positive: bool = False,
) -> None:
    """product = left * right; left and right are 0 afterwards, the product's lane is before."""
    writer = slices.writer
    if not right_is_positive:
        flag = is_negative(slices, Lane(right, owned=False))
        with writer.once(flag):
            negate(slices, left)
            negate(slices, right)
    marks = slices.pool.take()
    mark_significant(slices, marks, left, right)
    short, long = cells.pool.take(), cells.pool.take()
    writer.add(short, 1)
    writer.copy(slices.cell(marks, 1), [(short, -1), long], slices.cell(T, 1))
    with writer.once(short):
        _multiply_digits(slices, left, right, product)
        writer.clear(slices.cell(marks))
    with writer.once(long):
        _multiply_long(slices, left, right, product, marks)
    cells.pool.free(short, long)
    slices.pool.free(marks)


def _multiply_digits(slices: Slices, left: str, right: str, product: str) -> None:
    """Multiply numbers of one digit: the carries of the lowest slice are the tens."""
    writer = slices.writer
    with writer.loop(slices.cell(right)):
        writer.add(slices.cell(right), -1)
        slices.copy_digit(Lane(left, owned=False), X)
        add_digit(slices, product)
    writer.clear(slices.cell(left))
    writer.move(slices.cell(X, 1), slices.cell(product, 1))


def _multiply_long(slices: Slices, left: str, right: str, product: str, marks: str) -> None:
    writer = slices.writer
    trail = slices.pool.take()
    with slices.roll(marks, 1):
        with writer.loop(slices.cell(right)):
            writer.add(slices.cell(right), -1)
            _add_from_here(slices, product, left, trail)
        _shift_from_here(slices, left, trail)
        writer.add(slices.cell(marks), -1)
    # this is the slice above the last mark
    writer.go(slices.cell(MARK, -1))
    slices.at(MARK, 0)
    with slices.roll(MARK, -1):
        pass
    slices.at(MARK, -1)
    slices.clear(left)
    slices.pool.free(trail)


def _add_from_here(slices: Slices, total: str, lane: str, trail: str) -> None:
    """total += lane, from this slice on; the trail leads back."""
    writer = slices.writer
    with slices.roll(MARK, 1):
        writer.add(slices.cell(trail), 1)
        slices.copy_digit(Lane(lane, owned=False), X)
        add_digit(slices, total)
    writer.clear(slices.cell(X))
    follow_back(slices, trail)


def follow_back(slices: Slices, trail: str) -> None:
    """From the slice behind the trail to the one that it began in."""
    writer = slices.writer
    writer.go(slices.cell(trail, -1))
    slices.at(trail, 0)
    with slices.roll(trail, -1):
        writer.add(slices.cell(trail), -1)
    slices.at(trail, -1)


def _shift_from_here(slices: Slices, lane: str, trail: str) -> None:
    """lane *= 10, from this slice on, below which it is 0."""
    writer = slices.writer
    with slices.roll(MARK, 1):
        writer.add(slices.cell(trail), 1)
    writer.clear(slices.cell(lane, -1))
    writer.go(slices.cell(trail, -1))
    slices.at(trail, 0)
    with slices.roll(trail, -1):
        writer.add(slices.cell(trail), -1)
        writer.move(slices.cell(lane, -1), slices.cell(lane))
    slices.at(trail, -1)
