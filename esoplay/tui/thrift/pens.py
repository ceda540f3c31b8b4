"""Colours and attributes of a cell, and the shortest way from one to the next.

Codes as in ECMA-48, 8.3.117 (SGR), with the colours of ISO 8613-6 (38 and 48).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

UNSEEN_ON_BLANKS = frozenset({"1", "2", "3"})
"""Bold, faint and italics: a blank looks the same with them."""

OFF = {
    "1": "22", "2": "22", "3": "23", "4": "24", "5": "25", "6": "25", "7": "27", "8": "28",
    "9": "29", "21": "24", "51": "54", "52": "54", "53": "55",
}  # fmt: skip
"""What ends an attribute; bold and faint, for one, end together."""

REMEMBERED = 4096
"""Pens, and changes of pens, that are not worked out again."""


class Pen(NamedTuple):
    """How cells are drawn.

    attributes: codes of SGR in order.  front, back: the parameters of SGR that set the colours,
    empty for the terminal's own.
    """

    attributes: tuple[str, ...] = ()
    front: str = ""
    back: str = ""


PLAIN = Pen()


@lru_cache(REMEMBERED)
def pen_of(parameters: str) -> Pen | None:
    """The pen that parameters of SGR make of a plain one; None for any that no pen has."""
    attributes: set[str] = set()
    front = back = ""
    codes = iter(parameters.split(";"))
    for code in codes:
        if code in {"", "0"}:
            attributes.clear()
            front = back = ""
        elif code in OFF:
            attributes.add(code)
        elif code in {"38", "48"}:
            colour = _colour(code, codes)
            if colour is None:
                return None
            front, back = (colour, back) if code == "38" else (front, colour)
        elif len(code) == 2 and code[0] in "39" and code[1] in "01234567":
            front = code
        elif code[:-1] in {"4", "10"} and code[-1] in "01234567":
            back = code
        elif code in {"39", "49"}:
            front, back = ("", back) if code == "39" else (front, "")
        else:
            return None
    return Pen(tuple(sorted(attributes)), front, back)


def _colour(code: str, codes: Iterator[str]) -> str | None:
    """The parameters of a colour from a table (5) or by its parts (2)."""
    kind = next(codes, "")
    parts = [next(codes, "") for _ in range({"5": 1, "2": 3}.get(kind, 0))]
    return ";".join([code, kind, *parts]) if parts and all(parts) else None


@lru_cache(REMEMBERED)
def seen_on_blanks(pen: Pen) -> Pen:
    """What of a pen shows where it draws a blank."""
    if UNSEEN_ON_BLANKS.issuperset(pen.attributes):
        return Pen(back=pen.back)
    return pen


@lru_cache(REMEMBERED)
def for_blanks(before: Pen, blank: Pen) -> Pen:
    """The pen nearest to ``before`` whose blanks look like those of ``blank``."""
    if blank.attributes:
        return blank
    kept = tuple(code for code in before.attributes if code in UNSEEN_ON_BLANKS)
    return Pen(kept, before.front, blank.back)


@lru_cache(REMEMBERED)
def change(before: Pen, after: Pen) -> str:
    """The shortest sequence that turns one pen into the other, empty between equal ones."""
    if before == after:
        return ""
    gone = {OFF[code] for code in before.attributes if code not in after.attributes}
    parts = sorted(gone)
    parts += [
        code for code in after.attributes if code not in before.attributes or OFF[code] in gone
    ]
    if before.front != after.front:
        parts.append(after.front or "39")
    if before.back != after.back:
        parts.append(after.back or "49")
    # An empty first parameter is 0: all off.
    anew = ["", *after.attributes, *(part for part in (after.front, after.back) if part)]
    return f"\x1b[{min(';'.join(parts), ';'.join(anew), key=len)}m"
