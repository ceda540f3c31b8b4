"""X08 Count Set Bits In Range: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

SEVERAL_ONES = [number for number in range(10000) if number.bit_count() > 1]


def solve(text: str) -> str:
    least, greatest = map(int, text.split())
    return str(sum(number.bit_count() for number in range(least, greatest + 1)))


def cases(rng):
    yield "from-zero", f"0 {rng.choice([rng.integer(0, 3), rng.integer(4, 300)])}"
    number = rng.choice(SEVERAL_ONES)
    yield "single", f"{number} {number}"
    power = 2 ** rng.integer(3, 13)
    yield "border", f"{power - rng.integer(1, power // 2)} {power + rng.integer(0, 5)}"
    digits = rng.integer(2, 13)
    yield "block", f"{2 ** (digits - 1)} {2**digits - 1}"
    number = rng.integer(256, 9900)
    yield "narrow", f"{number} {number + rng.integer(1, 99)}"
    yield "widest", f"{rng.integer(1, 300)} {rng.integer(9700, 9999)}"
