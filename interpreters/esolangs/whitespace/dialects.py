"""The differences between the dialects of Whitespace."""

from __future__ import annotations

from esolangs.dialects import DialectDifference


def _program(letters: str) -> bytes:
    """Convert a program in the letters S, T and L to Whitespace."""
    return letters.replace(" ", "").translate(str.maketrans("STL", " \t\n")).encode()


DIFFERENCES = (
    DialectDifference(
        "division",
        "`div` of numbers with different signs",
        "rounds down",
        "rounds toward zero",
        _program("SSTTTTL SSSTSL TSTS TLST LLL"),
    ),
    DialectDifference(
        "number",
        "`readn`",
        "reads a line, which must contain one integer and nothing else",
        "skips whitespace, reads a sign and digits, and leaves the rest",
        _program("SSSSL TLTT SSSSL TTT TLST LLL"),
        b"5 7\n",
    ),
    DialectDifference(
        "labels",
        "a label that is marked twice",
        "refers to its first mark",
        "is a parse error",
        _program("LSSSL LSSSL SSSTL TLST LLL"),
    ),
)
