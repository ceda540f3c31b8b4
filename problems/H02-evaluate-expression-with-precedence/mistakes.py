"""Wrong ways to evaluate an expression, by the edge class that catches each."""

from __future__ import annotations

import re
from math import prod


def single__operator_awaited(text: str) -> str:
    return str(value(text)) if set(text) & set("+-*") else ""


def precedence__left_to_right(text: str) -> str:
    first, *rest = re.findall(r"[+*-]?\d+", text)
    total = int(first)
    for part in rest:
        number = int(part[1:])
        total = {"+": total + number, "-": total - number, "*": total * number}[part[0]]
    return str(total)


def precedence__sums_first(text: str) -> str:
    return str(prod(value(part) for part in text.split("*")))


def subtraction__from_right_to_left(text: str) -> str:
    *parts, last = re.split(r"([+-])", text)
    total = value(last)
    for term, sign in zip(parts[-2::-2], parts[::-2], strict=True):
        total = value(term) + (total if sign == "+" else -total)
    return str(total)


def subtraction__additions_first(text: str) -> str:
    first, *rest = map(value, text.split("-"))
    return str(first - sum(rest))


def negative__sign_lost(text: str) -> str:
    return str(abs(value(text)))


def negative__in_a_byte(text: str) -> str:
    return str(value(text) % 256)


def zero__nothing_printed(text: str) -> str:
    return str(value(text) or "")


def largest__sixteen_bits(text: str) -> str:
    return str(value(text) % 65536)


def largest__last_product_missed(text: str) -> str:
    return str(value(re.sub(r"[+-][\d*]+$", "", text)))


def value(text: str) -> int:
    return sum(prod(map(int, term.split("*"))) for term in text.replace("-", "+-").split("+"))
