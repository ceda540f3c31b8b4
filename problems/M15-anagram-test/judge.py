"""M15 Anagram Test: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LOWER = "abcdefghijklmnopqrstuvwxyz"


def solve(text: str) -> str:
    first, second = map(sorted, text.split("\n"))
    return "yes" if first == second else "no"


def cases(rng):
    yield "empty", "\n" + rng.text(LOWER, 1, 20)
    word = rng.text(LOWER, 1, 40)
    yield "equal", f"{word}\n{word}"
    a, b = rng.sample(LOWER, 2)
    word = rng.text(LOWER, 20, 37)
    # One line begins with a, the other begins and ends with b: neither equal nor turned round.
    yield "shuffled", f"{a}{b}{word}{b}\n{b}{''.join(rng.shuffle(word))}{a}{b}"
    word = rng.text(LOWER, 2, 40)
    yield "shorter", mixed(rng, word, rng.shuffle(word)[: rng.integer(1, len(word) - 1)])
    a, b = rng.sample(LOWER, 2)
    word = a + b + rng.text(LOWER, 0, 36)
    yield "counts", mixed(rng, word + a, word + b)
    low = rng.integer(0, 23)
    high = rng.integer(low + 2, 25)
    word = rng.text(LOWER, 0, 38)
    yield (
        "sums",
        mixed(rng, word + LOWER[low] + LOWER[high], word + LOWER[low + 1] + LOWER[high - 1]),
    )


def mixed(rng, *words) -> str:
    return "\n".join("".join(rng.shuffle(word)) for word in words)
