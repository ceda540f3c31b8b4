"""X07 Longest Palindromic Substring Length: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LOWER = "abcdefghijklmnopqrstuvwxyz"
PRINTABLE = "".join(map(chr, range(32, 127)))


def solve(text: str) -> str:
    best = 0
    for middle in range(2 * len(text) - 1):
        left, right = middle // 2, middle - middle // 2
        while left >= 0 and right < len(text) and text[left] == text[right]:
            best = max(best, right - left + 1)
            left, right = left - 1, right + 1
    return str(best)


def cases(rng):
    yield "empty", ""
    distinct = rng.sample(PRINTABLE, 16)
    part, between = distinct[:6], distinct[6 : rng.integer(8, 10)]
    part = part[: rng.integer(3, 6)]
    yield "mirrored", "".join([*part, *between, *part[::-1]])
    half = rng.text(PRINTABLE, 2, 6)
    others = rng.sample([sign for sign in PRINTABLE if sign not in half], 4)
    yield "even", "".join([*others[:2], *half, *half[::-1], *others[2:]])
    distinct = rng.sample(PRINTABLE, 16)
    half, (end, *others) = distinct[: rng.integer(1, 4)], distinct[4:8]
    palindrome = [*half, distinct[8], *half[::-1]]
    yield "odd", "".join([end, others[0], *palindrome, *others[1:], end])
    yield "equal", rng.choice(PRINTABLE) * rng.integer(10, 16)
    half = "".join(
        rng.choice([letter, letter.upper()]) for letter in rng.sample(LOWER, rng.integer(3, 8))
    )
    yield "case", half + half[::-1].swapcase()
