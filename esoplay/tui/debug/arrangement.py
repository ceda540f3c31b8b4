"""How the parts share the pane, by its own size; heights stay while a program runs."""

from __future__ import annotations

from typing import NamedTuple

NARROW_BELOW = 84
WIDE_FROM = 130
TWO_PAGES_FROM = 104
LEAST_WITH_LOOPS = 9
"""Rows of the upper part below which the tape has all of the column."""
LEAST_BREAKS = 5
MOST_OF_TAPE = 15
"""Six bands of cells and a footer: whatever is further away can be scrolled to."""


class Arrangement(NamedTuple):
    """Columns and rows of the parts.

    state_width: of tape, loops and breakpoints, at the right of the program.  top: rows of
    both columns.  tape, breaks: rows of those; 0 leaves the breakpoints to their tab.
    pages: rows of the tabs.  two_pages: two groups of them side by side.
    """

    state_width: int
    top: int
    tape: int
    breaks: int
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
        state = width // 2 + 2
    elif width < WIDE_FROM:
        state = 47
    else:
        state = min(85, max(56, width * 2 // 5))
    if top < LEAST_WITH_LOOPS:
        return Arrangement(state, top, top, 0, pages, width >= TWO_PAGES_FROM)
    loops = 4 if top < 14 else 5 + (top - 14) // 5
    tape = min(top - loops, MOST_OF_TAPE)
    breaks = max(0, top - tape - loops)
    if breaks < LEAST_BREAKS:
        tape, breaks = top - loops, 0
    return Arrangement(state, top, tape, breaks, pages, width >= TWO_PAGES_FROM)
