"""The library functions that every source can call, written as a source."""

from esoplay.codegen.primitives import append_digit, byte, chars, getc

_last: byte = 0


def read_int() -> int:
    """Read an integer after any spaces and newlines, and the character after the integer."""
    global _last
    c = getc()
    while c == ord(" ") or c == ord("\n"):
        c = getc()
    negative: byte = 0
    if c == ord("-"):
        negative = 1
        c = getc()
    number = 0
    while c >= ord("0") and c <= ord("9"):
        number = append_digit(number, c - ord("0"))
        c = getc()
    _last = c
    if negative == 1:
        number = -number
    return number


def read_line(line: chars) -> byte:
    """Read the rest of a line into ``line``; return its length."""
    global _last
    length: byte = 0
    c = getc()
    while c != ord("\n") and c != 0:
        line[length] = c
        length += 1
        c = getc()
    _last = c
    return length


def ended_by() -> byte:
    """Return the character that followed the last integer or line, 0 at the end of the input."""
    return _last


def divide(a: int, b: int) -> int:
    """Return a / b, rounded towards 0, for operands of any sign."""
    opposite: byte = 0
    if a < 0:
        a = -a
        opposite = 1
    if b < 0:
        b = -b
        opposite = 1 - opposite
    quotient = a // b
    if opposite == 1:
        quotient = -quotient
    return quotient
