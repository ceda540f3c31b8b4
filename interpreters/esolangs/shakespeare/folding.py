"""Constant folding: operations on constants are computed in advance if they cannot fault."""

from __future__ import annotations

from esolangs.shakespeare.opcodes import (
    ADD,
    CUBE,
    DIV,
    FACTORIAL,
    MUL,
    ROOT,
    SQUARE,
    SUB,
    TAG,
    TWICE,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array

_MAX_OPERAND = 1 << 31


def fold_constant(postfix: array[int], first: int, constants: list[int]) -> int | None:
    """Return the value of the operation at the end of ``postfix``, or None if it is not constant.

    Constant number n is encoded as ``first + n``.  Return None if the operation could fault or its
    result is large, because it must then be executed with its sentence.
    """
    op = postfix[-1]
    at = postfix[-2] - first
    if at < 0:
        return None
    b = constants[at]
    if op <= TWICE:
        return _unary(op, b)
    if len(postfix) < 3:
        return None
    at = postfix[-3] - first
    if at < 0:
        return None
    a = constants[at]
    if not (-TAG < a < TAG and -TAG < b < TAG):
        return None
    if op == ADD:
        value = a + b
    elif op == SUB:
        value = a - b
    elif op == MUL:
        value = a * b
    elif b == 0:
        return None
    else:
        value = abs(a) // abs(b)
        if (a < 0) != (b < 0):
            value = -value
        if op != DIV:
            value = a - b * value
    return value if -TAG < value < TAG else None


def _unary(op: int, a: int) -> int | None:
    if op == FACTORIAL:
        if not 0 <= a <= 20:
            return None
        value = 1
        for factor in range(2, a + 1):
            value *= factor
    elif op == ROOT:
        if not 0 <= a < TAG:
            return None
        from math import isqrt

        value = isqrt(a)
    elif not -_MAX_OPERAND <= a <= _MAX_OPERAND:
        return None
    elif op == TWICE:
        value = 2 * a
    elif op == SQUARE:
        value = a * a
    else:
        assert op == CUBE
        value = a * a * a
    return value if -TAG < value < TAG else None
