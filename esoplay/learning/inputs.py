"""Generated inputs of drills: patterns such as ``{0..99} {word}``, filled in at random.

| placeholder | becomes |
|-|-|
| ``{-9..99}`` | an integer of that range, in decimal |
| ``{digit}``, ``{letter}``, ``{capital}`` | one such character |
| ``{word}`` | 1 to 8 lowercase letters |
| ``{words}`` | 2 to 5 words, separated by single spaces |
| ``{text}`` | 0 to 12 printable ASCII characters |
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from string import ascii_lowercase, ascii_uppercase, digits

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})")
_PRINTABLE = "".join(map(chr, range(32, 127)))


def _word(random: Random) -> str:
    return "".join(random.choices(ascii_lowercase, k=random.randint(1, 8)))


_KINDS: dict[str, Callable[[Random], str]] = {
    "digit": lambda random: random.choice(digits),
    "letter": lambda random: random.choice(ascii_lowercase),
    "capital": lambda random: random.choice(ascii_uppercase),
    "word": _word,
    "words": lambda random: " ".join(_word(random) for _ in range(random.randint(2, 5))),
    "text": lambda random: "".join(random.choices(_PRINTABLE, k=random.randint(0, 12))),
}


def fill(pattern: str, random: Random) -> str:
    """Return the pattern with random values for its placeholders; raise ValueError if invalid."""

    def value(found: re.Match[str]) -> str:
        name = found[1]
        if name in _KINDS:
            return _KINDS[name](random)
        bounds = _RANGE.fullmatch(name)
        if bounds is None or int(bounds[1]) > int(bounds[2]):
            known = ", ".join(f"{{{each}}}" for each in _KINDS)
            raise ValueError(f"{found[0]}: expected {{LOW..HIGH}} or one of {known}")
        return str(random.randint(int(bounds[1]), int(bounds[2])))

    return _PLACEHOLDER.sub(value, pattern)
