"""E19 Integer Average Of Two (truncate to zero): the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    total = sum(map(int, text.split()))
    return str(total // 2 if total >= 0 else -(-total // 2))


def cases(rng):
    yield "exact", pair(rng, 2 * rng.integer(1, 4000) * rng.choice([1, -1]))
    yield "half", pair(rng, 2 * rng.integer(1, 4000) + 1)
    yield "negative-half", pair(rng, -2 * rng.integer(1, 4000) - 1)
    yield "near-zero", pair(rng, rng.choice([1, -1]))
    number = (2 * rng.integer(0, 4999) + 1) * rng.choice([1, -1])
    yield "opposite", f"{number} {-number}"
    sign = rng.choice([1, -1])
    yield "largest", f"{sign * 9999} {sign * rng.integer(9990, 9999)}"


def pair(rng, total: int) -> str:
    """Return two numbers in the range whose sum is ``total``."""
    a = rng.integer(max(-9999, total - 9999), min(9999, total + 9999))
    return f"{a} {total - a}"
