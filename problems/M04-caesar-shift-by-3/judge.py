"""M04 Caesar Shift By 3: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LOWER = "abcdefghijklmnopqrstuvwxyz"
SHIFTED = str.maketrans(LOWER, LOWER[3:] + LOWER[:3])


def solve(text: str) -> str:
    return text.translate(SHIFTED)


def cases(rng):
    yield "empty", ""
    yield "single", rng.choice(LOWER)
    yield "wrap", "".join(rng.shuffle("xyz" + rng.text("xyz", 0, 20)))
    yield "border", "".join(rng.shuffle("vwxabz" + rng.text("vwxyzabc", 0, 20)))
    yield "alphabet", "".join(rng.shuffle(LOWER))
    yield "long", rng.text(LOWER, 90, 100)
