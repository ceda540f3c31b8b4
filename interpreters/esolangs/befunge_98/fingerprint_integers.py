"""The fingerprints LONG (64-bit integers in two cells) and BASE (numbers in bases 2 to 36).

Source: the RC/Funge-98 documentation.
"""

from __future__ import annotations

from esolangs import work
from esolangs.befunge_98.transaction import StepRefused, Transaction
from esolangs.numbers import decimal
from esolangs.reasons import FLUSH, MEMORY_FULL, NEEDS_INPUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Semantics = Callable[[Transaction], None]

MAX_DIGITS_BITS = 1 << 17
"""Maximum bits of a number for conversion between bases; larger ones exceed the memory limit."""

_MAX_READS = 4096  # bytes read between two flushes
_DIGITS = b"0123456789abcdefghijklmnopqrstuvwxyz"
_PREFIXES = {2: "b", 8: "o", 16: "x"}


# LONG


def _signed(value: int, bits: int) -> int:
    half = 1 << (bits - 1)
    return (value + half) % (2 * half) - half


def pop_long(transaction: Transaction) -> int:
    """Pop two cells and combine their lower 32 bits; the lower half is in the cell on top."""
    low, high = transaction.pop(), transaction.pop()
    return _signed((high & 0xFFFFFFFF) << 32 | low & 0xFFFFFFFF, 64)


def _push_long(transaction: Transaction, value: int) -> None:
    transaction.push(_signed(value >> 32, 32))
    transaction.push(_signed(value, 32))


def _unary(compute: Callable[[int], int]) -> Semantics:
    return lambda transaction: _push_long(transaction, compute(pop_long(transaction)))


def _binary(compute: Callable[[int, int], int]) -> Semantics:
    def run(transaction: Transaction) -> None:
        b, a = pop_long(transaction), pop_long(transaction)
        _push_long(transaction, compute(a, b))

    return run


def _quotient(a: int, b: int) -> int:
    if b == 0:
        return 0
    size = abs(a) // abs(b)
    return size if (a < 0) == (b < 0) else -size


def _shift(compute: Callable[[int, int], int]) -> Semantics:
    """Return the implementation of L or R, which shifts by a popped number of bits.

    For a negative number, the instruction reflects.
    """

    def run(transaction: Transaction) -> None:
        places, value = transaction.pop(), pop_long(transaction)
        if places < 0:
            transaction.reflect()
        else:
            _push_long(transaction, compute(value, min(places, 64)))

    return run


def _from_string(transaction: Transaction) -> None:
    """Push the decimal number at the start of a popped string, after whitespace; by default 0."""
    text = bytes([char if 0 < char < 128 else 63 for char in transaction.pop_string()])
    transaction.core.effort += len(text)
    text = text.lstrip(b" \t\n\v\f\r")
    digits = text[1:] if text[:1] in (b"-", b"+") else text
    end, value = 0, 0
    while digits[end : end + 1].isdigit():
        value = (value * 10 + digits[end] - 48) % (1 << 64)
        end += 1
    _push_long(transaction, -value if text[:1] == b"-" else value)


LONG: dict[str, Semantics] = {
    "A": _binary(lambda a, b: a + b),
    "B": _unary(abs),
    "D": _binary(_quotient),
    "E": lambda transaction: _push_long(transaction, transaction.pop()),
    "L": _shift(lambda value, places: value << places),
    "M": _binary(lambda a, b: a * b),
    "N": _unary(lambda a: -a),
    "O": _binary(lambda a, b: a - b * _quotient(a, b) if b else 0),
    "P": lambda transaction: transaction.print(decimal(pop_long(transaction)) + b" "),
    "R": _shift(lambda value, places: value >> places),
    "S": _binary(lambda a, b: a - b),
    "Z": _from_string,
}


# BASE


def to_digits(value: int, base: int) -> bytes:
    """Return the digits of a nonnegative number in lower case, by divide and conquer."""
    if base in _PREFIXES:
        return format(value, _PREFIXES[base]).encode()
    if value.bit_length() > MAX_DIGITS_BITS:
        raise StepRefused(MEMORY_FULL)
    powers = [base**32]
    while powers[len(powers) - 1] <= value:
        powers.append(powers[len(powers) - 1] ** 2)

    def digits(value: int, level: int) -> bytes:
        """Return the digits of ``value``, which is less than ``powers[level]``, zero-padded."""
        if level:
            high, low = divmod(value, powers[level - 1])
            return digits(high, level - 1) + digits(low, level - 1)
        found = bytearray()
        for _ in range(32):
            value, digit = divmod(value, base)
            found.append(_DIGITS[digit])
        found.reverse()
        return bytes(found)

    return digits(value, len(powers) - 1).lstrip(b"0") or b"0"


def from_digits(digits: bytes, base: int) -> int:
    """Return the number that digits of either case spell, by divide and conquer."""
    if len(digits) <= 512:
        return int(digits, base)
    half = len(digits) // 2
    return from_digits(digits[:-half], base) * base**half + from_digits(digits[-half:], base)


def _print_bits(base: int) -> Semantics:
    """Return a function that prints a popped number in ``base``; 64-bit cells count as unsigned."""

    def run(transaction: Transaction) -> None:
        value = transaction.pop()
        if value < 0 and not transaction.core.unbounded:
            value += 1 << 64
        sign = b"-" if value < 0 else b""
        transaction.print(sign + to_digits(abs(value), base) + b" ")

    return run


def _print_in_base(transaction: Transaction) -> None:
    base, value = transaction.pop(), transaction.pop()
    if value < 0 or not 2 <= base <= 36:
        transaction.reflect()
    else:
        transaction.print(to_digits(value, base) + b" ")


def _read_in_base(transaction: Transaction) -> None:
    """Read a number in a base, as ``&`` does: from the first digit, while it fits into a cell."""
    core, base = transaction.core, transaction.pop()
    if not 2 <= base <= 36:
        transaction.reflect()
        return
    valid = _DIGITS[:base] + _DIGITS[:base].upper()
    rest = core.read_ahead()
    start = 0
    while start < len(rest) and rest[start] not in valid:
        start += 1
    end, value = start, 0
    while end < len(rest) and rest[end] in valid:
        if not core.unbounded:
            more = value * base + _DIGITS.index(rest[end : end + 1].lower())
            if core.wrap(more) != more:
                break
            value = more
        end += 1
    if end == len(rest) and not core.closed:
        raise StepRefused(NEEDS_INPUT)
    if len(core.reads) and len(core.reads) + end > _MAX_READS:
        raise StepRefused(FLUSH)
    core.effort += end
    if start == end:
        core.consume(rest[:end])
        transaction.reflect()
        return
    if core.unbounded:
        if 6 * (end - start) > MAX_DIGITS_BITS:
            raise StepRefused(MEMORY_FULL)
        transaction.charge_work(work.of_reading(end - start))
        value = from_digits(rest[start:end], base)
    transaction.push(-value if start and rest[start - 1 : start] == b"-" else value)
    core.consume(rest[:end])


BASE: dict[str, Semantics] = {
    "B": _print_bits(2),
    "H": _print_bits(16),
    "I": _read_in_base,
    "N": _print_in_base,
    "O": _print_bits(8),
}
