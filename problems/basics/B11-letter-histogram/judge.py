"""B11 Letter Histogram: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    return "".join(f"{sign}{text.count(sign)}" for sign in sorted(set(text)))


def cases(rng):
    yield "empty", ""
    yield "all", "".join(rng.shuffle("abcdef" + rng.text("abcdef", 3, 8)))
    yield (
        "ten",
        "".join(rng.shuffle(rng.choice("abc") * rng.integer(10, 12) + rng.text("def", 1, 8))),
    )
    yield "order", "f" * rng.integer(1, 3) + "d" * rng.integer(2, 4) + "b"
    yield "usual", rng.text("abcf", 5, 15)
    yield "usual", rng.text("cdef", 5, 15)
