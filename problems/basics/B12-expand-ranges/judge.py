"""B12 Expand Ranges: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    found = ""
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += "".join(f"{each} " for each in range(int(first), int(last or first) + 1))
    return found


def _range(rng):
    first = rng.integer(0, 90)
    return f"{first}-{first + rng.integer(2, 9)}"


def cases(rng):
    yield "number", str(rng.integer(0, 99))
    yield "range", _range(rng)
    number = rng.integer(0, 99)
    yield "same", f"{rng.integer(0, 99)},{number}-{number}"
    yield "ten", f"{rng.integer(5, 9)}-{rng.integer(10, 14)}"
    yield "mixed", f"{rng.integer(0, 99)},{_range(rng)},{rng.integer(0, 99)},{_range(rng)}"
    yield "mixed", f"{_range(rng)},{_range(rng)},{rng.integer(0, 99)}"
