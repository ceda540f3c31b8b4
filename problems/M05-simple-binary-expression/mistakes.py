"""Wrong ways to compute an expression, by the edge class that catches each."""

from __future__ import annotations


def parts(text: str) -> tuple[int, str, int]:
    a, op, b = text.split()
    return int(a), op, int(b)


def value(a: int, op: str, b: int) -> int:
    return {"+": a + b, "-": a - b, "*": a * b}[op]


def sum__signs_dropped(text: str) -> str:
    a, op, b = parts(text)
    return str(value(abs(a), op, abs(b)))


def sum__any_minus_subtracts(text: str) -> str:
    a, op, b = parts(text)
    return str(value(a, "-" if "-" in text else op, b))


def difference__sign_lost(text: str) -> str:
    return str(abs(value(*parts(text))))


def difference__other_way_round(text: str) -> str:
    a, op, b = parts(text)
    return str(value(b, op, a))


def product__wraps_at_256(text: str) -> str:
    return str(value(*parts(text)) % 256)


def product__added_once_too_often(text: str) -> str:
    a, op, b = parts(text)
    return str(value(a, op, b) + (a if op == "*" else 0))


def signs__second_sign_lost(text: str) -> str:
    a, op, b = parts(text)
    return str(value(a, op, abs(b)))


def signs__first_sign_lost(text: str) -> str:
    a, op, b = parts(text)
    return str(value(abs(a), op, b))


def zero__minus_zero(text: str) -> str:
    a, op, b = parts(text)
    minus = op == "*" and (a < 0) != (b < 0)
    return "-" * minus + str(abs(a * b)) if op == "*" else str(value(a, op, b))


def largest__wraps_at_16_bits(text: str) -> str:
    return str((value(*parts(text)) + 2**15) % 2**16 - 2**15)
