"""X16 Hamming Distance: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    a, b = map(int, text.split())
    return str((a ^ b).bit_count())


def cases(rng):
    number = rng.integer(1, 9999)
    yield "equal", f"{number} {number}"
    yield "zero", pair(rng, 0, rng.integer(1, 9999))
    power = 2 ** rng.integer(2, 13)
    yield "carry", pair(rng, power, power - 1)
    bit = 2 ** rng.integer(1, 13)
    number = rng.integer(0, 9999 - bit) & ~bit
    yield "one-bit", pair(rng, number, number | bit)
    yield "length", pair(rng, rng.integer(1, 15), rng.integer(4096, 9999))
    yield "largest", pair(rng, rng.integer(4096, 8191), rng.integer(8192, 9999))


def pair(rng, a: int, b: int) -> str:
    return " ".join(map(str, rng.shuffle([a, b])))
