"""M12 Remove Vowels: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

VOWELS = "aeiouAEIOU"
CONSONANTS = "bcdfghjklmnpqrstvwxyzBCDFGHJKLMNPQRSTVWXYZ"
NEIGHBOURS = "bdfhjnptvBDFHJNPTV@`!1~ "
PRINTABLE = "".join(map(chr, range(32, 127)))


def solve(text: str) -> str:
    return "".join(sign for sign in text if sign not in VOWELS)


def cases(rng):
    yield "empty", ""
    yield "only", rng.text(VOWELS, 2, 40)
    yield "none", "".join(rng.shuffle("yY" + rng.text(NEIGHBOURS, 8, 40)))
    upper = rng.text(CONSONANTS.upper(), 1, 20) + rng.text(VOWELS.upper(), 1, 20)
    yield "upper", "".join(rng.shuffle(upper))
    yield "each", "".join(rng.shuffle(VOWELS + rng.text(CONSONANTS, 5, 30)))
    mixed = "  " + rng.text(VOWELS, 20, 30) + rng.text(PRINTABLE, 67, 67)
    yield "long", "".join(rng.shuffle(mixed)) + rng.choice(CONSONANTS)
