"""How far numbers are from 1 in the Collatz sequence, in Brainfuck and in Python.

    python collatz.py > collatz.bf      print the program
    python collatz.py --lengths         print what it prints

For 1, 2, 3 … up to ``LAST`` it prints the number of times that halving what is even,
and tripling and adding one to what is odd, leads to 1.  Numbers are decimal digits, so
nearly all of the work is small loops, walks and decisions.
"""

from __future__ import annotations

import sys

from records import ACC, CARRY, FREE, LEFT, Records

BASE = 10
DIGITS = 7
LAST = 3000

# Cells of a record: the start, the value, its half, the length so far; what walks carry.
START, VALUE, HALF, LENGTH = range(FREE, FREE + 4)
SUM, SPARE = range(FREE + 4, FREE + 6)
HUNDREDS, ONES, GOING = range(FREE, FREE + 3)  # variables at home
STRIDE = FREE + 6


def program(last: int = LAST) -> str:
    """Brainfuck source that prints the lengths for 1 to ``last``, a multiple of 100."""
    code = Records(DIGITS, BASE, STRIDE)
    code.mark_records()
    code.add(HUNDREDS, last // 100)
    with code.loop(HUNDREDS):
        code.add(HUNDREDS, -1)
        code.add(ONES, 100)
        with code.loop(ONES):
            code.add(ONES, -1)
            _start(code)
            code.add(GOING, 1)
            with code.loop(GOING):
                code.add(GOING, -1)
                _step(code)
            _print_length(code)
    return str(code)


def lengths(last: int = LAST) -> str:
    """What ``program`` prints."""
    lines: list[str] = []
    for value in range(1, last + 1):
        length = 0
        while value > 1:
            value = 3 * value + 1 if value % 2 else value // 2
            assert value < BASE**DIGITS, "the program has more digits to go through"
            length += 1
        lines.append(f"{length}\n")
    return "".join(lines)


def _start(code: Records) -> None:
    """The next start, which is also the first value."""
    code.add(code.above(CARRY), 1)
    with code.walk_up(CARRY):
        code.clear(VALUE, LENGTH)
        code.move(START, ACC)
        code.move(CARRY, ACC)
        code.normalise(START)
        code.copy(START, VALUE)


def _step(code: Records) -> None:
    """One step towards 1, and GOING becomes 1, unless the value is 1 already."""
    with code.walk_down():
        code.clear(HALF)
        code.copy(VALUE, ACC)
        code.move(CARRY, ACC, times=BASE)
        code.divide(2, HALF, code.below(CARRY))
        code.copy(HALF, SUM)
        code.move(SUM, code.below(SUM))
    # At home, SUM is now the sum of the half's digits and CARRY the remainder.
    code.move(CARRY, LEFT)
    with code.loop(SUM):
        code.clear(SUM)
        code.add(GOING, 1)
        with code.if_zero(LEFT):
            _halve(code)
        with code.loop(LEFT):
            code.add(LEFT, -1)
            _triple(code)
        _count(code)
    code.clear(LEFT)


def _halve(code: Records) -> None:
    with code.walk_up():
        code.clear(VALUE)
        code.move(HALF, VALUE)


def _triple(code: Records) -> None:
    code.add(code.above(CARRY), 1)
    with code.walk_up(CARRY):
        code.move(VALUE, ACC, times=3)
        code.move(CARRY, ACC)
        code.normalise(VALUE)


def _count(code: Records) -> None:
    code.add(code.above(CARRY), 1)
    with code.walk_up(CARRY):
        code.move(LENGTH, ACC)
        code.move(CARRY, ACC)
        code.normalise(LENGTH)


def _print_length(code: Records) -> None:
    """Print the length without leading zeros; SUM is the sum of the higher digits."""
    with code.walk_down():
        code.copy(LENGTH, SUM)
        code.copy(SUM, SPARE)
        with code.loop(SPARE):
            code.clear(SPARE)
            code.add(LENGTH, ord("0"))
            code.put(LENGTH)
            code.add(LENGTH, -ord("0"))
        code.move(SUM, code.below(SUM))
    code.move(SUM, LEFT)
    with code.if_zero(LEFT):
        code.add(SPARE, ord("0"))
        code.put(SPARE)
        code.clear(SPARE)
    code.clear(LEFT)
    code.add(SPARE, 10)
    code.put(SPARE)
    code.clear(SPARE)


if __name__ == "__main__":
    print(lengths() if "--lengths" in sys.argv[1:] else program(), end="")
