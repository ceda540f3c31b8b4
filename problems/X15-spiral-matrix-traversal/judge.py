"""X15 Spiral Matrix Traversal: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    rows = [line.split() for line in text.split("\n")[1:]]
    found: list[str] = []
    while rows:
        found += rows.pop(0)
        rows = [list(row) for row in zip(*rows, strict=True)][::-1]  # a quarter turn to the left
    return " ".join(found)


def cases(rng):
    yield "single", matrix(rng, 1, 1)
    yield "row", matrix(rng, 1, rng.integer(3, 5))
    yield "column", matrix(rng, rng.integer(3, 5), 1)
    yield "wide", matrix(rng, 3, rng.integer(4, 5))
    yield "tall", matrix(rng, 5, 3)
    size = rng.integer(3, 5)
    yield "square", matrix(rng, size, size)


def matrix(rng, rows: int, columns: int) -> str:
    """Return a matrix of different elements."""
    elements = rng.sample(range(-99, 100), rows * columns)
    lines = [elements[at : at + columns] for at in range(0, len(elements), columns)]
    return "\n".join(" ".join(map(str, line)) for line in [[rows, columns], *lines])
