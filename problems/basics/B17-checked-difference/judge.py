"""B17 Checked Difference: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def number(line: str) -> int | None:
    valid = 1 <= len(line) <= 5 and line.isascii() and line.isdigit() and int(line) <= 65535
    return int(line) if valid else None


def invalid(rng):
    return rng.choice(["", "x7", "-1", "+5", "4.0", "65536", "99999", "000001", "123456", "1 2"])


def solve(text: str) -> str:
    first, second = map(number, text.split("\n"))
    return "error" if first is None or second is None or first < second else str(first - second)


def cases(rng):
    value = rng.integer(0, 65535)
    yield "equal", f"{value}\n{value}"
    value = rng.integer(0, 65000)
    yield "below", f"{value}\n{value + rng.integer(1, 500)}"
    yield "first", f"{invalid(rng)}\n0"
    yield "second", f"{rng.integer(0, 65535)}\n{invalid(rng)}"
    yield "largest", f"65535\n{rng.integer(0, 65535)}"
    value = rng.integer(1, 65535)
    yield "usual", f"{value}\n{rng.integer(0, value - 1)}"
