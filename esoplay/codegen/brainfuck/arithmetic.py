"""Sums, differences and comparisons of ints."""

from __future__ import annotations

from collections.abc import Sequence

from esoplay.codegen.brainfuck.slices import DIGITS, TOP, Lane, Operand, Slices, T, X, Y

_NEGATIVE_FROM = 5
"""The highest digit from which on a number is negative."""


def add(slices: Slices, lane: str, operand: Operand) -> None:
    """lane += operand; an owned operand is 0 afterwards."""
    if isinstance(operand, int):
        if operand < 0:
            subtract(slices, lane, -operand)
            return
        slices.set_constant(X, operand)
    writer = slices.writer
    with slices.up():
        if not isinstance(operand, int):
            slices.copy_digit(operand, X)
        add_digit(slices, lane)
    writer.clear(slices.cell(X, DIGITS))
    slices.home()


def add_digit(slices: Slices, lane: str) -> None:
    """Within a slice: lane += X, with a carry into the next X."""
    with slices.writer.loop(slices.cell(X)):
        slices.writer.move(slices.cell(lane), slices.cell(X))
        slices.carry(X, lane, 1)


def subtract(slices: Slices, lane: str, operand: Operand) -> None:
    """lane -= operand; an owned operand is 0 afterwards."""
    if isinstance(operand, int):
        if operand < 0:
            add(slices, lane, -operand)
            return
        slices.set_constant(X, operand)
    with slices.up():
        if not isinstance(operand, int):
            slices.copy_digit(operand, X)
        subtract_digit(slices, lane)
    slices.writer.clear(slices.cell(X, DIGITS))
    slices.home()


def subtract_digit(slices: Slices, lane: str) -> None:
    """Within a slice: lane -= X, with a borrow in the next X."""
    writer, x, y = slices.writer, slices.cell(X), slices.cell(Y)
    with writer.loop(x):
        writer.add(y, 10)
        writer.move(x, (y, -1))
        writer.move(slices.cell(lane), y)
        writer.add(slices.cell(X, 1), 1)
        slices.carry(Y, lane, -1)


def negate(slices: Slices, lane: str) -> None:
    """lane = -lane."""
    with slices.up():
        slices.writer.move(slices.cell(lane), slices.cell(X))
        subtract_digit(slices, lane)
    slices.writer.clear(slices.cell(X, DIGITS))
    slices.home()


def fold(slices: Slices, lane: str) -> None:
    """Turn a negative lane into small digits, and back: what is folded twice is as it was.

    If the highest digit is not 0, it becomes 10 less what it was, and the others 9 less.  So the
    digits of a number near 0 are mostly 0, which is cheap to carry, whatever its sign.
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
    slices.home()


def is_negative(slices: Slices, operand: Lane) -> int:
    """A cell that is 1 if the operand is below 0, else 0; to be moved away.

    An owned operand is 0 afterwards.
    """
    slices.climb()
    _mark_negative(slices, operand.name, TOP, 1)
    return slices.bring_home(X, *_owned(operand))


def _mark_negative(slices: Slices, lane: str, place: int, above: int) -> None:
    """Add 1 to X, ``above`` slices above ``place``, if the digit there makes a number negative."""
    writer, x, y = slices.writer, slices.cell(X, place + above), slices.cell(Y, place)
    writer.copy(slices.cell(lane, place), [y], slices.cell(T, place))
    for level in writer.nest(y, _NEGATIVE_FROM):
        if level == _NEGATIVE_FROM:
            writer.clear(y)
            writer.add(x, 1)


def is_less(slices: Slices, left: Lane, right: Operand) -> int:
    """A cell that is 1 if left < right, else 0; to be moved away.

    Owned operands are 0 afterwards.
    """
    if right == 0:
        return is_negative(slices, left)
    writer, x, y = slices.writer, slices.cell(X), slices.cell(Y)
    if isinstance(right, int):
        slices.set_constant(X, right)
    with slices.up():
        if isinstance(right, Lane):
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
    # a borrow says less if the signs agree, and the opposite if they do not
    _mark_negative(slices, left.name, TOP, 1)
    if isinstance(right, Lane):
        _mark_negative(slices, right.name, TOP, 1)
    elif right < 0:
        writer.add(slices.cell(X, DIGITS), 1)
    if isinstance(right, Lane) or right < 0:
        _keep_if_odd(slices)
    return slices.bring_home(X, *_owned(left), *_owned(right))


def _keep_if_odd(slices: Slices) -> None:
    """Above the highest slice: X, from 0 to 3, becomes 1 if it is odd, else 0."""
    writer, x, y = slices.writer, slices.cell(X, DIGITS), slices.cell(Y, DIGITS)
    for level in writer.nest(x, 3):
        writer.add(y, 1 if level % 2 else -1)
    writer.move(y, x)


def differs(slices: Slices, left: Lane, right: Operand) -> int:
    """A cell that is 1 if left != right, else 0; to be moved away.

    Owned operands are 0 afterwards.
    """
    writer, x, y = slices.writer, slices.cell(X), slices.cell(Y)
    if isinstance(right, int):
        slices.set_constant(X, right, -1)
    with slices.down():
        slices.copy_digit(left, X)
        if isinstance(right, Lane):
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


def _owned(*operands: Operand) -> Sequence[str]:
    return [one.name for one in operands if isinstance(one, Lane) and one.owned]
