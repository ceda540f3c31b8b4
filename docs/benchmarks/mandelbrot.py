"""A Mandelbrot set in Brainfuck, and the same picture by the same arithmetic in Python.

    python mandelbrot.py > mandelbrot.bf        print the program
    python mandelbrot.py --picture              print what it prints

Numbers are fixed-point: one hexadecimal digit before the point and ``FRACTION`` after
it, negative ones as their sixteen's complement.  Base 16 suits cells of 8 bits: a
product of two digits, a digit and a carry are together at most 15 × 15 + 15 + 15 = 255.
"""

from __future__ import annotations

import sys

from records import ACC, CARRY, FREE, LEFT, TEMP, Records

BASE = 16
FRACTION = 3
DIGITS = 1 + FRACTION
ONE = BASE**FRACTION
MODULUS = BASE**DIGITS

PALETTE = " .`':-,;~+=!<i/?jc7YIXS%#@"
"""The character of a point that leaves after 0, 1, 2 … rounds; the last one never does."""

LEFT_EDGE = -int(2.05 * ONE)
TOP_EDGE = int(1.2 * ONE)
STEP_ACROSS = int(0.0427 * ONE)
STEP_DOWN = int(0.0858 * ONE)
WIDTH, HEIGHT = 64, 29

# Cells of a record: numbers, what walks carry, and, at home, the variables of the program.
RE, IM, A, B, X, Y, V, P, AA, BB, AB, SUM = range(FREE, FREE + 12)
DIGIT, SPARE, SIGN, LEAVES = range(FREE + 12, FREE + 16)
ROWS, COLUMNS, ROUNDS, COUNT, GOING, PLACES, NEGATIVE, CHARACTER = range(FREE, FREE + 8)
STRIDE = FREE + 16


def program(width: int = WIDTH, height: int = HEIGHT) -> str:
    """Brainfuck source that prints a picture of that many characters."""
    code = Records(DIGITS, BASE, STRIDE)
    code.mark_records()
    code.add_number(IM, TOP_EDGE)
    code.add(ROWS, height)
    with code.loop(ROWS):
        code.add(ROWS, -1)
        code.clear_numbers(RE)
        code.add_number(RE, LEFT_EDGE % MODULUS)
        code.add(COLUMNS, width)
        with code.loop(COLUMNS):
            code.add(COLUMNS, -1)
            _point(code)
            _shift(code, RE, STEP_ACROSS)
        _shift(code, IM, -STEP_DOWN)
        code.add(CHARACTER, 10)
        code.put(CHARACTER)
        code.clear(CHARACTER)
    return str(code)


def picture(width: int = WIDTH, height: int = HEIGHT) -> str:
    """What ``program`` prints."""
    lines: list[str] = []
    for row in range(height):
        im = TOP_EDGE - row * STEP_DOWN
        across = range(LEFT_EDGE, LEFT_EDGE + width * STEP_ACROSS, STEP_ACROSS)
        lines.append("".join(PALETTE[_rounds(re, im)] for re in across))
    return "\n".join(lines) + "\n"


def _rounds(re: int, im: int) -> int:
    a = b = count = 0
    while count < len(PALETTE) - 1 and max(abs(a), abs(b)) < 2 * ONE:
        aa, bb, ab = a * a // ONE, b * b // ONE, abs(a) * abs(b) // ONE
        if aa + bb >= 4 * ONE:
            break
        negative = (a < 0) != (b < 0)
        a, b = aa - bb + re, (-2 * ab if negative else 2 * ab) + im
        count += 1
    return count


def _point(code: Records) -> None:
    """Print the character of the point RE + IM i."""
    code.clear_numbers(A, B)
    code.add(ROUNDS, len(PALETTE) - 1)
    code.add(GOING, 1)
    with code.loop(GOING):
        code.add(GOING, -1)
        _round(code)
    code.clear(ROUNDS)
    _character(code)
    code.put(CHARACTER)
    code.clear(CHARACTER)


def _round(code: Records) -> None:
    """A + B i becomes its square + RE + IM i, and GOING 1, unless it has left the circle."""
    code.clear(NEGATIVE)
    _absolute(code, A, X)
    _absolute(code, B, V)
    with code.in_highest(LEAVES):
        code.reaches(X, 2, LEAVES)
        code.reaches(V, 2, LEAVES)
    code.move(LEAVES, LEFT)
    with code.if_zero(LEFT):
        with code.walk_up():
            code.copy(X, Y)
        _multiply(code, AA)
        with code.walk_up():
            code.copy(V, Y)
        _multiply(code, AB)
        with code.walk_up():
            code.clear(X)
            code.move(V, X, Y)
        _multiply(code, BB)
        _sum_of_squares(code)
        with code.in_highest(LEAVES):
            code.reaches(SUM, 4, LEAVES)
        code.move(LEAVES, LEFT)
        with code.if_zero(LEFT):
            _new_a(code)
            _new_b(code)
            code.add(COUNT, 1)
            code.add(ROUNDS, -1)
            code.copy(ROUNDS, SPARE)
            with code.loop(SPARE):
                code.clear(SPARE)
                code.add(GOING, 1)
        code.clear(LEFT)
    code.clear(LEFT)
    code.clear_numbers(X, Y, V, AA, BB, AB)


def _absolute(code: Records, number: int, target: int) -> None:
    """Move the absolute value of ``number`` to ``target``; NEGATIVE counts the negative ones."""
    with code.in_highest(SIGN):
        code.reaches(number, BASE // 2, SIGN)
    code.move(SIGN, code.above(SIGN), code.above(CARRY), NEGATIVE)
    with code.walk_up(CARRY, SIGN):
        code.move(number, ACC)
        _complement_if_sign(code, BASE - 1)
        code.move(CARRY, ACC)
        code.normalise(target)


def _complement_if_sign(code: Records, most: int) -> None:
    """ACC becomes ``most`` - ACC if SIGN is 1, and the next record has the same SIGN."""
    with code.loop(SIGN):
        code.add(SIGN, -1)
        code.add(code.above(SIGN), 1)
        code.move(ACC, TEMP)
        code.add(ACC, most)
        code.move(TEMP, ACC, times=-1)


def _multiply(code: Records, product: int) -> None:
    """``product`` becomes X × Y, which is less than 16; Y is 0 then.

    Digit by digit of Y, the lowest first, P becomes P / 16 + X × digit.
    """
    code.add(PLACES, DIGITS)
    with code.loop(PLACES):
        code.add(PLACES, -1)
        code.move(code.above(Y), code.above(DIGIT))
        code.clear(code.above(P))
        with code.walk_up(DIGIT, overflow=P):
            code.move(code.above(Y), Y)
            code.move(code.above(P), ACC)
            code.move(CARRY, ACC)
            with code.loop(X):
                code.add(X, -1)
                code.add(TEMP, 1)
                code.move(DIGIT, SPARE, ACC)
                code.move(SPARE, DIGIT)
            code.move(TEMP, X)
            code.move(DIGIT, code.above(DIGIT))
            code.normalise(P)
    with code.walk_up():
        code.move(P, product)


def _sum_of_squares(code: Records) -> None:
    with code.walk_up(CARRY):
        code.clear(SUM)
        code.copy(AA, ACC)
        code.copy(BB, ACC)
        code.move(CARRY, ACC)
        code.normalise(SUM)


def _new_a(code: Records) -> None:
    """A becomes AA - BB + RE: a number is subtracted by adding its complement and 1."""
    code.add(code.above(CARRY), 1)
    with code.walk_up(CARRY):
        code.move(AA, ACC)
        code.copy(RE, ACC)
        code.add(ACC, BASE - 1)
        code.move(BB, ACC, times=-1)
        code.move(CARRY, ACC)
        code.normalise(A)


def _new_b(code: Records) -> None:
    """B becomes IM + 2 × AB, or IM - 2 × AB when just one factor was negative."""
    with code.loop(NEGATIVE):
        code.add(NEGATIVE, -1)
        code.add(SIGN, 1)
        with code.loop(NEGATIVE):
            code.add(NEGATIVE, -1)
            code.add(SIGN, -1)
    with code.loop(SIGN):
        code.add(SIGN, -1)
        code.add(code.above(SIGN), 1)
        code.add(code.above(CARRY), 2)
    with code.walk_up(CARRY, SIGN):
        code.move(AB, ACC, times=2)
        _complement_if_sign(code, 2 * (BASE - 1))
        code.copy(IM, ACC)
        code.move(CARRY, ACC)
        code.normalise(B)


def _shift(code: Records, number: int, by: int) -> None:
    """Add a constant to a number."""
    code.add_number(number, by % MODULUS)
    with code.walk_up(CARRY):
        code.move(number, ACC)
        code.move(CARRY, ACC)
        code.normalise(number)


def _character(code: Records) -> None:
    """CHARACTER becomes that of COUNT, by differences; COUNT becomes 0."""
    code.add(CHARACTER, ord(PALETTE[0]))

    def differences(rest: str, last: str) -> None:
        if rest:
            with code.loop(COUNT):
                code.add(COUNT, -1)
                code.add(CHARACTER, ord(rest[0]) - ord(last))
                differences(rest[1:], rest[0])

    differences(PALETTE[1:], PALETTE[0])


if __name__ == "__main__":
    print(picture() if "--picture" in sys.argv[1:] else program(), end="")
