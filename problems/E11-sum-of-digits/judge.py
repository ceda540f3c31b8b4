"""E11 Sum Of Digits: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    return str(sum(map(int, text.lstrip("-"))))


def cases(rng):
    yield "zero", "0"
    yield "single", rng.choice(["", "-"]) + str(rng.integer(1, 9))
    yield "negative", str(-rng.integer(100, 9_999_999))
    zeros = rng.integer(3, 15)
    yield "zeros", f"{rng.integer(1, 9)}{'0' * zeros}{rng.integer(1, 9)}"
    total = rng.choice([10, 20, 30, 100, 110])
    yield "ten", "".join(rng.shuffle([*"9" * (total // 9), str(total % 9)]))
    yield "nines", rng.choice(["", "-"]) + rng.text("8999", 13, 18)
