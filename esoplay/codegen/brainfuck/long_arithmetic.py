"""Products, quotients and remainders of ints, by long multiplication and long division.

Multiplication repeats for each digit of one factor: the other factor is shifted to the place of the
digit and added as many times as the digit says.
"""

from __future__ import annotations

from esoplay.codegen.brainfuck.arithmetic import (
    MARK,
    IntLane,
    Slices,
    T,
    X,
    Y,
    add_digit,
    is_negative,
    negate,
    subtract_digit,
)
from esoplay.codegen.brainfuck.cells import Cells


def mark_significant(slices: Slices, marks: str, *lanes: str) -> None:
    """Set lane ``marks`` to 1 in all slices up to the highest in which one of ``lanes`` is not 0.

    X and T are used as scratch.
    """
    writer, x = slices.writer, slices.cell(X)
    with slices.loop_down():
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
    """Compute left * right into ``product``, which must be 0; left and right are 0 afterwards."""
    writer = slices.writer
    if not right_is_positive:
        flag = is_negative(slices, IntLane(right, owned=False))
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
    """Compute left * right into ``product``; both numbers have one digit.

    The tens digit is the number of carries when ``left`` is added to the ones ``right`` times.
    """
    writer = slices.writer
    with writer.loop(slices.cell(right)):
        writer.add(slices.cell(right), -1)
        slices.copy_digit(IntLane(left, owned=False), X)
        add_digit(slices, product)
    writer.clear(slices.cell(left))
    writer.move(slices.cell(X, 1), slices.cell(product, 1))


def _multiply_long(slices: Slices, left: str, right: str, product: str, marks: str) -> None:
    writer = slices.writer
    trail = slices.pool.take()
    with slices.loop_over_slices(marks, 1):
        with writer.loop(slices.cell(right)):
            writer.add(slices.cell(right), -1)
            _add_from_here(slices, product, left, trail)
        _shift_from_here(slices, left, trail)
        writer.add(slices.cell(marks), -1)
    # this is the slice above the last mark
    writer.go(slices.cell(MARK, -1))
    slices.set_position(MARK, 0)
    with slices.loop_over_slices(MARK, -1):
        pass
    slices.set_position(MARK, -1)
    slices.clear(left)
    slices.pool.free(trail)


def _add_from_here(slices: Slices, total: str, lane: str, trail: str) -> None:
    """Add ``lane`` to ``total``, from the current slice up, and return to the current slice.

    trail: a lane that marks the visited slices until the return.
    """
    writer = slices.writer
    with slices.loop_over_slices(MARK, 1):
        writer.add(slices.cell(trail), 1)
        slices.copy_digit(IntLane(lane, owned=False), X)
        add_digit(slices, total)
    writer.clear(slices.cell(X))
    follow_back(slices, trail)


def follow_back(slices: Slices, trail: str) -> None:
    """Move down through the slices that are marked in the lane ``trail``; clear the marks.

    Starts at the slice below the current one. Afterwards, place 0 means the lowest slice that was
    marked.
    """
    writer = slices.writer
    writer.go(slices.cell(trail, -1))
    slices.set_position(trail, 0)
    with slices.loop_over_slices(trail, -1):
        writer.add(slices.cell(trail), -1)
    slices.set_position(trail, -1)


def _shift_from_here(slices: Slices, lane: str, trail: str) -> None:
    """Multiply ``lane`` by 10: move its digits, from the current slice on, one slice up.

    All digits of the lane below the current slice must be 0.  ``trail``: a lane in which the way up
    is marked, to return on it.
    """
    writer = slices.writer
    with slices.loop_over_slices(MARK, 1):
        writer.add(slices.cell(trail), 1)
    writer.clear(slices.cell(lane, -1))
    writer.go(slices.cell(trail, -1))
    slices.set_position(trail, 0)
    with slices.loop_over_slices(trail, -1):
        writer.add(slices.cell(trail), -1)
        writer.move(slices.cell(lane, -1), slices.cell(lane))
    slices.set_position(trail, -1)


# Quotients and remainders of ints.
#
# Long division in place: the divisor is aligned with the dividend's highest digit and moved down
# slice by slice; in each slice it is subtracted until the result is negative.  The pointer stays
# near the current slice, marks limit the borrows, and a trail of marks leads back.  Numbers of up
# to two digits are divided as bytes.  Division by a constant of one digit takes one pass from the
# highest digit down.


def divide(
    cells: Cells, slices: Slices, dividend: str, divisor: IntLane, quotient: str | None
) -> None:
    """Divide in place: set ``quotient`` to the quotient and ``dividend`` to the remainder.

    The dividend must be nonnegative, the divisor positive, and the quotient's lane, if any, 0.  An
    owned divisor is 0 afterwards.
    """
    writer = slices.writer
    marks = slices.pool.take()
    mark_significant(slices, marks, dividend, divisor.name)
    short, long = cells.pool.take(), cells.pool.take()
    writer.add(short, 1)
    third = slices.cell(marks, 2)
    writer.copy(third, [(short, -1), long], slices.cell(T, 2))
    with writer.once(short):
        _divide_bytes(cells, slices, dividend, divisor, quotient)
        for place in range(2):
            writer.clear(slices.cell(marks, place))
    with writer.once(long):
        _divide_long(slices, dividend, divisor, quotient, marks)
    cells.pool.free(short, long)
    slices.pool.free(marks)


def _divide_bytes(
    cells: Cells, slices: Slices, dividend: str, divisor: IntLane, quotient: str | None
) -> None:
    """Do what ``divide`` does for numbers of at most two decimal digits, which fit in bytes."""
    writer = slices.writer
    for place in range(2):
        writer.move(slices.cell(dividend, place), (cells.number, 10**place))
        source, target = slices.cell(divisor.name, place), (cells.right, 10**place)
        if divisor.owned:
            writer.move(source, target)
        else:
            writer.copy(source, [target], slices.cell(T, place))
    times, rest = cells.divide()
    quotient_copy = cells.pool.take()
    if quotient:
        writer.move(times, quotient_copy)
    else:
        writer.clear(times)
    _to_digits(cells, slices, rest, dividend)
    if quotient:
        _to_digits(cells, slices, quotient_copy, quotient)
    cells.pool.free(quotient_copy)


def _to_digits(cells: Cells, slices: Slices, source: int, lane: str) -> None:
    writer = slices.writer
    writer.move(source, cells.number)
    writer.add(cells.right, 10)
    tens, ones = cells.divide()
    writer.move(ones, slices.cell(lane))
    writer.move(tens, slices.cell(lane, 1))


def _divide_long(
    slices: Slices, dividend: str, divisor: IntLane, quotient: str | None, marks: str
) -> None:
    writer, pool = slices.writer, slices.pool
    trail, again = pool.take(), pool.take()
    _align(slices, divisor.name, marks, again)
    with slices.loop_over_slices(marks, -1):
        writer.add(slices.cell(again), 1)
        with writer.loop(slices.cell(again)):
            if quotient:
                writer.add(slices.cell(quotient), 1)
            _subtract_divisor(slices, dividend, divisor.name, marks, trail)
            with writer.once(slices.cell(X)):
                writer.add(slices.cell(again), -1)
                if quotient:
                    writer.add(slices.cell(quotient), -1)
                _add_divisor_back(slices, dividend, divisor.name, marks, trail)
    slices.set_position(marks, -1)
    _restore_divisor(slices, divisor, marks)
    pool.free(trail, again)


def _align(slices: Slices, divisor: str, marks: str, count: str) -> None:
    """Multiply the divisor by 10 until its digit in the highest marked slice is not 0.

    marks: lane with a 1 in each marked slice.  count: lane for counting the multiplications; 0
    before and after.  Ends in the slice of the divisor's lowest digit.
    """
    writer = slices.writer
    more, lower = slices.cell(Y, -1), slices.cell(X, -1)
    writer.add(more, 1)
    with writer.once(more):
        _move_to_highest(slices, marks)
        digit, x, t = slices.cell(divisor), slices.cell(X), slices.cell(T)
        writer.add(x, 1)
        with writer.loop(digit):
            writer.add(x, -1)
            writer.move(digit, t)
        writer.move(t, digit)
        with slices.loop_over_slices(marks, -1):
            writer.move(x, lower)
        slices.set_position(marks, -1)
        with writer.once(lower):
            writer.add(slices.cell(count, -1), 1)
            writer.add(more, 1)
            _move_to_highest(slices, marks)
            with slices.loop_over_slices(marks, -1):
                writer.move(slices.cell(divisor, -1), digit)
            slices.set_position(marks, -1)
    writer.go(slices.cell(count, -1))
    slices.set_position(count, 0)
    with slices.loop_over_slices(count, 1):
        writer.add(slices.cell(count), -1)
        writer.move(slices.cell(count), slices.cell(count, 1))
    writer.go(slices.cell(marks, 1))
    slices.set_position(marks, 0)


def _move_to_highest(slices: Slices, marks: str) -> None:
    """Write code that moves from the lowest slice to the highest marked slice.

    Afterwards, place 0 means the slice reached.  marks: lane with a 1 in each marked slice.
    """
    with slices.loop_over_slices(marks, 1):
        pass
    slices.writer.go(slices.cell(marks, -1))
    slices.set_position(marks, 0)


def _subtract_divisor(slices: Slices, lane: str, divisor: str, marks: str, trail: str) -> None:
    """Subtract the divisor from the digits of ``lane`` in the current slice and those above it.

    If the result is negative, set the cell of lane X in the current slice to 1.  marks: lane with a
    1 in each slice to which the subtraction extends.  trail: scratch lane for marks that lead back.
    """
    writer = slices.writer
    with slices.loop_over_slices(marks, 1):
        writer.add(slices.cell(trail), 1)
        slices.copy_digit(IntLane(divisor, owned=False), X)
        subtract_digit(slices, lane)
    writer.go(slices.cell(trail, -1))
    slices.set_position(trail, 0)
    with slices.loop_over_slices(trail, -1):
        writer.add(slices.cell(trail), -1)
        writer.move(slices.cell(X, 1), slices.cell(X))
    slices.set_position(trail, -1)


def _add_divisor_back(slices: Slices, lane: str, divisor: str, marks: str, trail: str) -> None:
    """Add the divisor to ``lane``, from the current slice up; divide the divisor by 10."""
    writer = slices.writer
    with slices.loop_over_slices(marks, 1):
        writer.add(slices.cell(trail), 1)
        writer.move(slices.cell(divisor), slices.cell(X), slices.cell(divisor, -1))
        add_digit(slices, lane)
    writer.clear(slices.cell(X))
    follow_back(slices, trail)


def _restore_divisor(slices: Slices, divisor: IntLane, marks: str) -> None:
    """Shift the divisor back up one slice, or clear it if it is owned; clear the marks."""
    writer = slices.writer
    _move_to_highest(slices, marks)
    with slices.loop_over_slices(marks, -1):
        writer.add(slices.cell(marks), -1)
        below = slices.cell(divisor.name, -1)
        if divisor.owned:
            writer.clear(below)
        else:
            writer.move(below, slices.cell(divisor.name))
    slices.set_position(marks, -1)


def divide_by_digit(slices: Slices, lane: str, divisor: int) -> int:
    """Divide the int in ``lane`` by a number from 2 to 9; return the cell with the remainder.

    The quotient replaces the int. The caller must clear the cell.
    """
    writer = slices.writer
    x, y, t = (slices.cell(name) for name in (X, Y, T))
    tens, rest = divmod(10, divisor)
    with slices.loop_down():
        writer.move(slices.cell(lane), y)
        writer.move(x, (y, rest), (slices.cell(lane), tens))
        for level in writer.nest(y, 9 + rest * (divisor - 1)):
            if level % divisor:
                writer.add(t, 1)
            else:
                writer.add(t, 1 - divisor)
                writer.add(slices.cell(lane), 1)
        writer.move(t, slices.cell(X, -1))
    return slices.cell(X, -1)


def remainder_from_lowest_digit(slices: Slices, lane: IntLane, divisor: int) -> int:
    """Return a cell with the remainder of a lane divided by 2, 5 or 10; the lane is unchanged.

    The lowest decimal digit is enough for it.  The caller must clear the cell.
    """
    writer, y = slices.writer, slices.cell(Y)
    writer.copy(slices.cell(lane.name), [y if divisor < 10 else slices.cell(X)], slices.cell(T))
    if divisor < 10:
        x = slices.cell(X)
        for level in writer.nest(y, 9):
            writer.add(x, 1 if level % divisor else 1 - divisor)
    return slices.cell(X)
