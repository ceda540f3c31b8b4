"""E09 Count Vowels: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

VOWELS = "aeiouAEIOU"
UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CONSONANTS = "bcdfghjklmnpqrstvwxyzBCDFGHJKLMNPQRSTVWXYZ"
PRINTABLE = "".join(map(chr, range(32, 127)))


def solve(text: str) -> str:
    return str(sum(text.count(vowel) for vowel in VOWELS))


def cases(rng):
    yield "empty", ""
    yield "none", "".join(rng.shuffle("yY" + rng.text("yYbdfhjnptvBDFHJNPTV@`1!~", 20, 60)))
    yield "upper", rng.text(UPPER, 15, 40) + rng.choice(VOWELS).upper()
    yield "each", "".join(rng.shuffle(VOWELS + rng.text(CONSONANTS, 10, 30)))
    rest = rng.choice(VOWELS) + rng.text(PRINTABLE, 10, 20)
    yield "sentence", f"{rng.text(PRINTABLE, 50, 100)} {rest}"
    yield "many", rng.text(VOWELS, 256, 290) + rng.text(CONSONANTS + " ", 1, 10)
