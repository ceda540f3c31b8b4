"""The types and functions that the compiler builds in, defined here for runs in CPython."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    byte = int
else:

    class byte(int):  # noqa: N801  # it is named as the types of a source are
        """A number from 0 to 255; ``byte(x)`` raises OverflowError for any other x."""

        def __new__(cls, value: int = 0) -> int:
            if not 0 <= value <= 255:
                raise OverflowError(f"a byte is 0 to 255, not {value}")
            return value


class chars(list[int]):  # noqa: N801
    """An array of ``length`` bytes, initially 0."""

    def __init__(self, length: int):
        super().__init__([0] * length)


class ints(list[int]):  # noqa: N801
    """An array of ``length`` ints, initially 0."""

    def __init__(self, length: int):
        super().__init__([0] * length)


def getc() -> int:
    """Return the next character of the input as a byte, 0 at the end."""
    return (sys.stdin.buffer.read(1) or b"\0")[0]


def putc(value: int) -> None:
    """Print a byte as the character with this code."""
    sys.stdout.buffer.write(bytes([value]))


def puts(text: str) -> None:
    """Print a text."""
    sys.stdout.buffer.write(text.encode("ascii"))


def print_int(value: int) -> None:
    """Print a number in decimal."""
    sys.stdout.buffer.write(b"%d" % value)


def append_digit(number: int, digit: int) -> int:
    """Return 10 * number + digit for a nonnegative number and a digit from 0 to 9."""
    if number < 0 or not 0 <= digit <= 9:
        raise ValueError(f"cannot append digit {digit} to {number}")
    return 10 * number + digit
