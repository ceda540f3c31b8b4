"""H12 ASCII Sum: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
PRINTABLE = "".join(map(chr, range(32, 127)))


def solve(text: str) -> str:
    return str(sum(map(ord, text)))


def cases(rng):
    yield "empty", ""
    yield "single", rng.text(PRINTABLE, 1, 1)
    words = (rng.text(LETTERS, 1, 8) for _ in range(rng.integer(1, 5)))
    yield "spaces", "  " + "  ".join(words) + " "
    yield "multiple", with_sum(rng, 256 * rng.integer(1, 39))
    yield "zeros", with_sum(rng, rng.choice([1000, 2000, 9000]) + rng.integer(0, 99))
    yield "longest", rng.text("qrstuvwxyz{|}~", 100, 100)


def with_sum(rng, total: int) -> str:
    """Return a text of codes from 65 to 122 with the sum ``total``, which is at least 256."""
    size = max(3, -(-total // 105))
    codes = [total // size + (place < total % size) for place in range(size)]
    for up, down in zip(codes[::2], range(1, size, 2), strict=False):
        moved = rng.integer(0, min(122 - up, codes[down] - 65))
        codes[down - 1], codes[down] = up + moved, codes[down] - moved
    return "".join(map(chr, rng.shuffle(codes)))
