"""Ints in print, and from bytes and back."""

from __future__ import annotations

from esoplay.codegen.brainfuck.arithmetic import is_negative, negate
from esoplay.codegen.brainfuck.cells import Cells
from esoplay.codegen.brainfuck.slices import Lane, Slices, T, X, Y

_ZERO = ord("0")


def write_int(cells: Cells, slices: Slices, lane: Lane) -> None:
    """Print an int; an owned lane is 0 afterwards."""
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


def _write_digits(slices: Slices, lane: Lane) -> None:
    """Print an int that is not negative, from its first digit that is not 0."""
    writer, digit = slices.writer, slices.cell(lane.name)
    x, y, t = (slices.cell(name) for name in (X, Y, T))
    with slices.down():
        with writer.loop(digit):
            writer.clear(x)
            writer.add(x, 1)
            writer.move(digit, *([y] if lane.owned else [y, t]))
        writer.move(t, digit)
        with writer.once(x):  # a digit has been seen, here or above
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
    """Move what has been put into the cells' ``number`` to a lane that is 0."""
    writer = slices.writer
    targets = [cells.number, slices.cell(lane, 2)]
    for place, target in enumerate(targets):
        writer.add(cells.other, 10)
        quotient, rest = cells.divide()
        writer.move(rest, slices.cell(lane, place))
        writer.move(quotient, target)


def to_byte(cells: Cells, slices: Slices, lane: Lane) -> int:
    """A cell of scratch with an int that is a byte; an owned lane is 0 afterwards."""
    writer = slices.writer
    byte = cells.pool.take()
    for place in range(3):
        target = (byte, 10**place)
        if lane.owned:
            writer.move(slices.cell(lane.name, place), target)
        else:
            writer.copy(slices.cell(lane.name, place), [target], slices.cell(T, place))
    return byte
