"""Roman numerals of acts and scenes."""

from __future__ import annotations

_SIGNS = (
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
)
_LETTERS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def roman_value(text: str) -> int:
    """Return the value of a numeral in upper or lower case, or 0 if it is not well-formed."""
    letters = text.upper() if text.isascii() else ""
    value = before = 0
    for letter in reversed(letters):
        size = _LETTERS.get(letter)
        if size is None:
            return 0
        value += -size if size < before else size
        before = max(before, size)
    return value if letters == _numeral(value) else 0


def _numeral(value: int) -> str:
    parts: list[str] = []
    for size, sign in _SIGNS:
        parts.append(sign * (value // size))
        value %= size
    return "".join(parts)
