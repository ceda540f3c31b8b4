"""FPSP and FPDP: floating point in one cell and in two, as in IEEE 754 and C.

Source: the RC/Funge-98 documentation. Every NaN has the same bits and is printed as ``nan``,
because machines differ in its sign.
"""

from __future__ import annotations

import math
import struct

from esolangs.befunge_98.transaction import Transaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Semantics = Callable[[Transaction], None]
    Pop = Callable[[Transaction], float]
    Push = Callable[[Transaction, float], None]
    Function = Callable[[float], float]

_LOW = 0xFFFFFFFF
_NAN_SINGLE = 0x7FC00000
_NAN_DOUBLE = 0x7FF80000, 0  # the upper half and the lower one


def decode_single(cell: int) -> float:
    """Return the number whose bits are the lower 32 bits of a cell."""
    return struct.unpack("<f", struct.pack("<I", cell & _LOW))[0]


def encode_single(value: float) -> int:
    """Round a number to single precision; return the 32 bits as a signed integer."""
    if value != value:
        return _NAN_SINGLE
    try:
        data = struct.pack("<f", value)
    except OverflowError:
        data = struct.pack("<f", math.copysign(math.inf, value))
    return struct.unpack("<i", data)[0]


def pop_single(transaction: Transaction) -> float:
    return decode_single(transaction.pop())


def push_single(transaction: Transaction, value: float) -> None:
    transaction.push(encode_single(value))


def pop_double(transaction: Transaction) -> float:
    """Pop a double; its lower 32 bits are in the cell on top."""
    low, high = transaction.pop() & _LOW, transaction.pop() & _LOW
    return struct.unpack("<d", struct.pack("<II", low, high))[0]


def push_double(transaction: Transaction, value: float) -> None:
    high, low = _NAN_DOUBLE
    if value == value:
        low, high = struct.unpack("<ii", struct.pack("<d", value))
    transaction.push(high)
    transaction.push(low)


def quotient(a: float, b: float) -> float:
    if b:
        return a / b
    if a != a or a == 0:
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1, b)


def power(a: float, b: float) -> float:
    """Return ``a ** b`` as C's ``pow`` does: infinity or NaN where Python raises an exception."""
    try:
        return math.pow(a, b)
    except (OverflowError, ValueError):
        if a < 0 and not b.is_integer():
            return math.nan
        odd = b.is_integer() and b % 2 == 1
        return math.copysign(math.inf, a) if odd else math.inf


def with_c_errors(compute: Function) -> Function:
    """Wrap a library function to return NaN outside its domain and infinity on overflow."""

    def run(a: float) -> float:
        try:
            return compute(a)
        except ValueError:
            return math.nan
        except OverflowError:
            return math.inf

    return run


def _logarithm(compute: Function) -> Function:
    return lambda a: compute(a) if a > 0 else -math.inf if a == 0 else math.nan


_FUNCTIONS: dict[str, Function] = {
    "B": with_c_errors(math.sin),
    "C": with_c_errors(math.cos),
    "E": with_c_errors(math.asin),
    "G": with_c_errors(math.atan),
    "H": with_c_errors(math.acos),
    "K": _logarithm(math.log),
    "L": _logarithm(math.log10),
    "N": lambda a: -a,
    "Q": with_c_errors(math.sqrt),
    "T": with_c_errors(math.tan),
    "V": abs,
    "X": with_c_errors(math.exp),
}
_OPERATIONS: dict[str, Callable[[float, float], float]] = {
    "A": lambda a, b: a + b,
    "D": quotient,
    "M": lambda a, b: a * b,
    "S": lambda a, b: a - b,
    "Y": power,
}


def _double_for_single(number: int) -> float:
    """Convert an integer to a double that rounds to the single nearest to the integer.

    Rounding twice to the nearest value, to a double and then to a single, could give another one.
    """
    size = abs(number)
    shift = size.bit_length() - 53
    if shift > 0:
        rest = size & ((1 << shift) - 1)
        size = size >> shift << shift | (1 << shift if rest else 0)
    return _double(-size if number < 0 else size)


def _double(number: int) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.copysign(math.inf, number)


_SPACES = b" \t\n\v\f\r"
_DIGITS = b"0123456789"


def parse_number(characters: list[int]) -> float:
    """Return the number at the start of a string as C's ``strtod`` does, or 0."""
    text = bytes([char if 0 < char < 128 else 63 for char in characters]).lower().lstrip(_SPACES)
    start = 1 if text[:1] in (b"-", b"+") else 0
    sign = -1.0 if text[:1] == b"-" else 1.0
    if text.startswith(b"inf", start):
        return sign * math.inf
    if text.startswith(b"nan", start):
        return math.nan
    if text.startswith(b"0x", start):
        end = _end_of_number(text, start + 2, _DIGITS + b"abcdef", b"p")
        if end == start + 2:
            return sign * 0.0
        try:
            return sign * float.fromhex(text[start:end].decode())
        except OverflowError:
            return sign * math.inf
    end = _end_of_number(text, start, _DIGITS, b"e")
    return sign * float(text[start:end]) if end > start else 0.0


def _end_of_number(text: bytes, start: int, digits: bytes, exponent: bytes) -> int:
    """Return the offset after the number at ``start``, or ``start`` if no digit is found.

    A point and an exponent are optional.
    """
    end = _skip(text, start, digits)
    count = end - start
    if text[end : end + 1] == b".":
        fraction = _skip(text, end + 1, digits)
        count += fraction - end - 1
        end = fraction
    if count == 0:
        return start
    if text[end : end + 1] == exponent:
        first = end + 2 if text[end + 1 : end + 2] in (b"-", b"+") else end + 1
        last = _skip(text, first, _DIGITS)
        if last > first:
            end = last
    return end


def _skip(text: bytes, at: int, chars: bytes) -> int:
    while at < len(text) and text[at] in chars:
        at += 1
    return at


def _unary(pop: Pop, push: Push, compute: Function) -> Semantics:
    return lambda transaction: push(transaction, compute(pop(transaction)))


def _binary(pop: Pop, push: Push, compute: Callable[[float, float], float]) -> Semantics:
    def run(transaction: Transaction) -> None:
        b, a = pop(transaction), pop(transaction)
        push(transaction, compute(a, b))

    return run


def _to_integer(pop: Pop) -> Semantics:
    """Return the function of I: pop a number, and push its integer part if it fits into a cell."""

    def run(transaction: Transaction) -> None:
        value = pop(transaction)
        if not math.isfinite(value):
            transaction.reflect()
            return
        number = int(value)
        if transaction.core.wrap(number) != number:
            transaction.reflect()
        else:
            transaction.push(number)

    return run


def _read_number(push: Push) -> Semantics:
    def run(transaction: Transaction) -> None:
        text = transaction.pop_string()
        transaction.core.effort += len(text)
        push(transaction, parse_number(text))

    return run


def _letters(pop: Pop, push: Push, convert: Callable[[int], float]) -> dict[str, Semantics]:
    letters = {letter: _unary(pop, push, compute) for letter, compute in _FUNCTIONS.items()}
    for letter, operation in _OPERATIONS.items():
        letters[letter] = _binary(pop, push, operation)
    letters["F"] = lambda transaction: push(transaction, convert(transaction.pop()))
    letters["I"] = _to_integer(pop)
    letters["P"] = lambda transaction: transaction.print(b"%f " % pop(transaction))
    letters["R"] = _read_number(push)
    return letters


FPSP = _letters(pop_single, push_single, _double_for_single)
FPDP = _letters(pop_double, push_double, _double)
