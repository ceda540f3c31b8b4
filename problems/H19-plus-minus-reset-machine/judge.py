"""H19 Plus Minus Reset Machine: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    counted = text.rpartition("0")[2]
    return str(counted.count("+") - counted.count("-"))


def cases(rng):
    yield "empty", ""
    yield "negative", moves(rng, -rng.integer(1, 30))
    yield "ends-with-reset", moves(rng, nonzero(rng, 30)) + "0"
    after = rng.integer(31, 60) * rng.choice([1, -1])
    yield "one-reset", moves(rng, nonzero(rng, 30)) + "0" + moves(rng, after)
    sign = rng.choice([1, -1])
    counts = [moves(rng, sign * rng.integer(1, 9), 9) for _ in range(rng.integer(3, 8))]
    yield "several-resets", rng.choice(["0", "00"]).join(counts)
    far = rng.integer(256, 260) * rng.choice([1, -1])
    yield "far", moves(rng, nonzero(rng, 9), 5) + "0" + moves(rng, far, 10)


def nonzero(rng, greatest: int) -> int:
    return rng.integer(1, greatest) * rng.choice([1, -1])


def moves(rng, value: int, detours: int = 20) -> str:
    """Return signs with the sum ``value``, including up to ``detours`` pairs that cancel out."""
    straight = ("+" if value > 0 else "-") * abs(value)
    return "".join(rng.shuffle(straight + "+-" * rng.integer(0, detours)))
