"""X03 Matrix Multiplication Result Element: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

from itertools import chain


def solve(text: str) -> str:
    first, second, i, j = read(text)
    return str(element(first, second, i, j))


def read(text: str) -> tuple[list[list[int]], list[list[int]], int, int]:
    rows = [[int(number) for number in line.split()] for line in text.split("\n")]
    m = rows[0][0]
    return rows[1 : m + 1], rows[m + 1 : -1], rows[-1][0], rows[-1][1]


def element(first: list[list[int]], second: list[list[int]], i: int, j: int) -> int:
    return sum(a * row[j] for a, row in zip(first[i], second, strict=True))


def cases(rng):
    yield "single", written(rng, matrix(rng, 1, 1), matrix(rng, 1, 1))
    yield (
        "outer",
        written(rng, matrix(rng, rng.integer(2, 4), 1), matrix(rng, 1, rng.integer(2, 4))),
    )
    yield "square", square(rng)
    yield "non-square", non_square(rng)
    m, n, p = (rng.integer(1, 4) for _ in range(3))
    sign = rng.choice([1, -1])
    yield (
        "negative",
        written(
            rng,
            matrix(rng, m, n, ends=(1, 99), sign=sign),
            matrix(rng, n, p, ends=(1, 99), sign=-sign),
        ),
    )
    sign = rng.choice([1, -1])
    largest = [matrix(rng, 4, 4, ends=(95, 99), sign=sign) for _ in range(2)]
    yield "largest", written(rng, *largest)


def matrix(rng, rows: int, columns: int, ends=(1, 99), sign=0) -> list[list[int]]:
    """Return a matrix without zeros, with both signs unless one is given."""
    return [
        [rng.integer(*ends) * (sign or rng.choice([1, -1])) for _ in range(columns)]
        for _ in range(rows)
    ]


def written(rng, first: list[list[int]], second: list[list[int]], at=None) -> str:
    i, j = at or (rng.integer(0, len(first) - 1), rng.integer(0, len(second[0]) - 1))
    sizes = [len(first), len(second), len(second[0])]
    return "\n".join(" ".join(map(str, row)) for row in [sizes, *first, *second, [i, j]])


def square(rng) -> str:
    """Return a case in which swapping i and j, or the matrices, gives a wrong element."""
    while True:
        size = rng.integer(2, 4)
        a, b = matrix(rng, size, size), matrix(rng, size, size)
        i, j = rng.sample(range(size), 2)
        wrong = {element(a, b, j, i), element(b, a, i, j), a[i][j] * b[i][j]}
        if element(a, b, i, j) not in wrong:
            return written(rng, a, b, (i, j))


def non_square(rng) -> str:
    """Return a case in which using the wrong row length gives a wrong element."""
    while True:
        m, n, p = rng.sample([2, 3, 4], 3)
        a, b = matrix(rng, m, n), matrix(rng, n, p)
        i, j = rng.integer(1, m - 1), rng.integer(0, p - 1)
        flat_a, flat_b = ([*chain.from_iterable(rows), *[0] * 16] for rows in (a, b))
        right = element(a, b, i, j)
        if right not in {
            sum(flat_a[i * m + k] * b[k][j] for k in range(n)),
            sum(a[i][k] * flat_b[k * n + j] for k in range(n)),
        }:
            return written(rng, a, b, (i, j))
