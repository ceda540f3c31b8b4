"""How the parts share the pane, by its own size; heights stay while a program runs."""

from __future__ import annotations

from typing import NamedTuple

NARROW_BELOW = 84
WIDE_FROM = 130


class Arrangement(NamedTuple):
    """Columns and rows of the parts.

    state_width: of tape and loops, at the right of the program.  top: rows of both.
    tape: rows of the tape.  pages: rows of the tabs.  two_pages: two groups side by side.
    """

    state_width: int
    top: int
    tape: int
    pages: int
    two_pages: bool


_LINES = 4
"""Status, explanation, timeline, hints."""


def arrange(width: int, height: int) -> Arrangement:
    """The arrangement for a pane of this size."""
    room = max(0, height - _LINES)
    pages = max(4, min(7 if room < 26 else 8 + (room - 26) // 3, room // 2))
    top = max(0, room - pages)
    if width < NARROW_BELOW:
        state = min(47, width * 3 // 5)
    elif width < WIDE_FROM:
        state = 47
    else:
        state = min(85, max(56, width * 2 // 5))
    loops = max(3, min(4 if top < 14 else 4 + (top - 14) // 2, 12))
    tape = max(3, top - loops)
    return Arrangement(state, top, tape, pages, width >= WIDE_FROM)
