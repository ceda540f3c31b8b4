"""Write Brainfuck that computes with numbers of many digits.

A number is spread over records: equal stretches of tape, the lowest digit in record
1, the highest in record ``digits``; record ``j`` of every number is the same stretch.
The first cell of a record, its mark, is 1, and 0 in record 0 ("home") and after the
last, so a walk over all digits is a loop that moves from mark to mark.  What a walk
has to know in the next record (a carry, a sign, a factor) it carries there.

A cell is named by its distance from the mark of the record where the pointer is;
``above(cell)`` is the same cell one record higher.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

MARK, CARRY, TEMP, REST, ACC, LEFT, FLAG, ZERO = range(8)
"""Cells of every record that the methods here use; LEFT, FLAG and ZERO must be neighbours."""

FREE = 8
"""The first cell of a record that is the program's own."""


class Records:
    """A program under construction.  Between calls the pointer's record is known, 0 at first."""

    def __init__(self, digits: int, base: int, stride: int):
        self.digits = digits
        self.base = base
        self.stride = stride
        self._text: list[str] = []
        self._at = 0

    def __str__(self) -> str:
        """The source, in lines of 100 characters."""
        text = "".join(self._text)
        return "\n".join(text[i : i + 100] for i in range(0, len(text), 100)) + "\n"

    def above(self, cell: int) -> int:
        return cell + self.stride

    def below(self, cell: int) -> int:
        return cell - self.stride

    # Single cells.

    def go(self, cell: int) -> None:
        self._text.append(_repeat(cell - self._at, "><"))
        self._at = cell

    def add(self, cell: int, n: int) -> None:
        self.go(cell)
        self._text.append(_repeat(n, "+-"))

    def clear(self, *cells: int) -> None:
        for cell in cells:
            self.go(cell)
            self._text.append("[-]")

    def put(self, cell: int) -> None:
        """Print a cell."""
        self.go(cell)
        self._text.append(".")

    @contextmanager
    def loop(self, cell: int) -> Generator[None]:
        """While ``cell`` is not 0."""
        self.go(cell)
        self._text.append("[")
        yield
        self.go(cell)
        self._text.append("]")

    @contextmanager
    def if_zero(self, cell: int) -> Generator[None]:
        """Once if ``cell`` is 0; the two cells after it must be 0 and are so again after it."""
        flag, zero = cell + 1, cell + 2
        self.add(flag, 1)
        self.go(cell)
        self._text.append("[>-]>")  # now at `flag` if it is still 1, else at `zero`
        self._at = flag
        self._text.append("[-")
        yield
        self.go(zero)
        self._text.append("]")

    def move(self, source: int, *targets: int, times: int = 1) -> None:
        """Add ``times`` × ``source`` to all targets; the source is 0 then."""
        with self.loop(source):
            self.add(source, -1)
            for target in targets:
                self.add(target, times)

    def copy(self, source: int, *targets: int) -> None:
        """Add ``source`` to all targets."""
        self.move(source, TEMP, *targets)
        self.move(TEMP, source)

    # Walks; they begin and end at home.

    @contextmanager
    def walk_up(self, *carried: int, overflow: int | None = None) -> Generator[None]:
        """Walk from the lowest record up; clear what was ``carried`` past the last one.

        The last carry is added to ``overflow`` there.
        """
        self._step_up()
        with self.loop(MARK):
            yield
            self._step_up()
        if overflow is not None:
            self.move(CARRY, overflow)
        self.clear(*carried)
        self._enter_home()

    @contextmanager
    def walk_down(self) -> Generator[None]:
        """Walk from the highest record down."""
        self._enter_highest()
        with self.loop(MARK):
            yield
            self._step_down()

    @contextmanager
    def in_highest(self, *results: int) -> Generator[None]:
        """Once, in the highest record; then carry ``results`` home."""
        self._enter_highest()
        yield
        with self.loop(MARK):
            for cell in results:
                self.move(cell, self.below(cell))
            self._step_down()

    # Arithmetic on one digit.

    def divide(self, divisor: int, quotient: int, remainder: int) -> None:
        """Divide ACC, and add the quotient and the remainder to cells."""
        self.add(LEFT, divisor)
        with self.loop(ACC):
            self.add(ACC, -1)
            self.add(REST, 1)
            self.add(LEFT, -1)
            with self.if_zero(LEFT):
                self.add(LEFT, divisor)
                self.add(REST, -divisor)
                self.add(quotient, 1)
        self.clear(LEFT)
        self.move(REST, remainder)

    def normalise(self, digit: int) -> None:
        """Move ACC to a digit, which must be 0, and the carry to the next record."""
        self.divide(self.base, self.above(CARRY), digit)

    def reaches(self, cell: int, least: int, answer: int) -> None:
        """Add 1 to ``answer`` if ``cell`` is at least ``least``."""
        self.copy(cell, ACC)
        self.add(LEFT, least)
        with self.loop(ACC):
            self.add(ACC, -1)
            self.add(LEFT, -1)
            with self.if_zero(LEFT):
                self.add(answer, 1)
        self.clear(LEFT)

    # Numbers; called at home.

    def mark_records(self) -> None:
        """Write the code that every program begins with."""
        for record in range(1, self.digits + 1):
            self.add(MARK + record * self.stride, 1)

    def add_number(self, number: int, value: int) -> None:
        """Add the digits of ``value`` to the digits of a number, without carrying."""
        for record in range(1, self.digits + 1):
            self.add(number + record * self.stride, value % self.base)
            value //= self.base

    def clear_numbers(self, *numbers: int) -> None:
        with self.walk_up():
            self.clear(*numbers)

    def _enter_highest(self) -> None:
        self._step_up()
        with self.loop(MARK):
            self._step_up()
        self._step_down()

    def _enter_home(self) -> None:
        """Go home from the place after the last record."""
        self._step_down()
        with self.loop(MARK):
            self._step_down()

    def _step_up(self) -> None:
        self.go(self.above(MARK))
        self._at = MARK

    def _step_down(self) -> None:
        self.go(self.below(MARK))
        self._at = MARK


def _repeat(n: int, signs: str) -> str:
    return (signs[0] if n > 0 else signs[1]) * abs(n)
