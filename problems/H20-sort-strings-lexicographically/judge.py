"""H20 Sort Strings Lexicographically: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LETTERS = CAPITALS + CAPITALS.lower()
PRINTABLE = "".join(map(chr, range(33, 127)))


def solve(text: str) -> str:
    return " ".join(sorted(text.split("\n")[1:]))


def cases(rng):
    yield "single", lines([rng.text(PRINTABLE, 1, 8)])
    word, x, y = rng.text("abcdefghijklm", 2, 3), rng.text(LETTERS, 1, 2), rng.text(LETTERS, 1, 2)
    falling = [word + x + y, word + x, word]
    place = rng.integer(0, 3)
    yield "prefix", lines([*falling[:place], rng.choice("nopqrstuvwxyz"), *falling[place:]])
    starts = [rng.choice("NOPQRSTUVWXYZ"), rng.choice("abcdefghijklm"), rng.choice("[\\]^_`")]
    starts += rng.text(LETTERS, 0, 2)
    yield "case", lines(rng.shuffle([start + rng.text(LETTERS, 0, 3) for start in starts]))
    numbers = [rng.integer(2, 9), rng.integer(10, 19), rng.integer(100, 199)]
    numbers += [rng.integer(2, 999) for _ in range(rng.integer(0, 3))]
    yield "numbers", lines(rng.shuffle(list(map(str, numbers))))
    words = [rng.text(PRINTABLE, 1, 4) for _ in range(rng.integer(1, 3))]
    yield "equal", lines(rng.shuffle(words + [rng.text(PRINTABLE, 1, 4)] * rng.integer(2, 3)))
    words = [start + rng.text(PRINTABLE, 0, 3) for start in rng.sample(PRINTABLE, 6)]
    yield "falling", lines(sorted(words, reverse=True))


def lines(words: list[str]) -> str:
    return "\n".join([str(len(words)), *words])
