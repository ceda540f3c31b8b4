"""Functions that read a number from the input: a whole line, or a token.

Both return ``(reason, end, value)``: BUDGET or the reason for failure; the position after the
consumed bytes; the number, None at the end of input.
"""

from __future__ import annotations

from esolangs.numbers import fits, from_decimal, skip_bytes
from esolangs.reasons import BUDGET, MEMORY_FULL, NEEDS_INPUT
from esolangs.whitespace.opcodes import NO_NUMBER

TYPE_CHECKING = False
if TYPE_CHECKING:
    Reading = tuple[int, int, int | None]

_BLANKS = b" \t\n\r\v\f"


def read_line(data: bytes, start: int, closed: bool) -> Reading:
    """Read the line at ``start`` as a number, which may have whitespace around it."""
    end = data.find(b"\n", start)
    if end < 0:
        if not closed:
            return NEEDS_INPUT, start, None
        if start >= len(data):
            return BUDGET, start, None
    line = data[start : len(data) if end < 0 else end]
    return _number(line.strip(_BLANKS), start, len(data) if end < 0 else end + 1)


def read_token(data: bytes, start: int, closed: bool) -> Reading:
    """Skip whitespace and read a number; do not consume what follows its digits."""
    size = len(data)
    begin = skip_bytes(data, start, size, _BLANKS)
    end = begin + 1 if data[begin : begin + 1] in (b"-", b"+") else begin
    end = skip_bytes(data, end, size, b"0123456789")
    if end == size and not closed:
        return NEEDS_INPUT, start, None
    if begin == size:
        return BUDGET, size, None
    return _number(data[begin:end], start, end)


def _number(digits: bytes, start: int, end: int) -> Reading:
    sign = digits[:1] if digits[:1] in (b"-", b"+") else b""
    worth = digits[len(sign) :].lstrip(b"0")  # ignore leading zeros, which cost time
    if not worth and len(digits) > len(sign):
        return BUDGET, end, 0
    if not (worth.isdigit() and worth.isascii()):
        return NO_NUMBER, start, None
    if not fits(3 * len(worth)):  # a digit is worth more than three bits
        return MEMORY_FULL, start, None
    return BUDGET, end, from_decimal(sign + worth)
