"""M13 Sort Numbers: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    _, numbers = text.split("\n")
    return " ".join(map(str, sorted(map(int, numbers.split()))))


def cases(rng):
    yield "single", listed([rng.integer(-9999, 9999)])
    distinct = sorted({rng.integer(-9999, 9999) for _ in range(rng.integer(2, 5))})
    yield "ties", listed(rng.shuffle(distinct * 2 + distinct[:2]))
    falling = sorted({rng.integer(-9999, 9999) for _ in range(7)} | {-1, 0, 1})
    yield "descending", listed(falling[::-1])
    near = rng.integer(0, 4998)
    far = -rng.integer(near + 1, 9999)
    yield "negative", listed(rng.shuffle([near, far, *drawn(rng, rng.integer(2, 7))]))
    short, long = rng.integer(2, 9), rng.integer(10, 19) * rng.choice([1, 10, 100])
    yield "lengths", listed(rng.shuffle([short, long, *drawn(rng, rng.integer(1, 7))]))
    count = rng.integer(8, 10)
    yield "largest", listed(rng.shuffle([*drawn(rng, count - 1), 9999, -9999]) + drawn(rng, 1))


def drawn(rng, count: int) -> list[int]:
    return [rng.integer(-9999, 9999) for _ in range(count)]


def listed(numbers: list[int]) -> str:
    return f"{len(numbers)}\n" + " ".join(map(str, numbers))
