"""How the parts share the pane, by its own size; heights stay while a program runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from esoplay.tui.debug.state.panel_box import Height

NARROW_BELOW = 84
WIDE_FROM = 130
TWO_PAGES_FROM = 104
LEAST_BREAKS = 5
ENOUGH_STATE, ENOUGH_PLANE = 24, 30
"""Rows of the state beyond which the breakpoints get a list beside the tabs."""
PAGES_BY_PLANE = 5
"""Rows of the tabs beside a plane, while there are few."""


class Arrangement(NamedTuple):
    """Columns and rows of the parts.

    state_width: of the state and the breakpoints, at the right of the program.  top: rows of
    both columns.  panels: rows of each panel of the state; 0 hides it.  breaks: rows of the
    breakpoints; 0 leaves them to their tab.  pages: rows of the tabs.  two_pages: two groups
    of them side by side.
    """

    state_width: int
    top: int
    panels: tuple[int, ...]
    breaks: int
    pages: int
    two_pages: bool


_LINES = 4
"""Status, explanation, timeline, hints."""


def arrange(
    width: int, height: int, panels: Sequence[Height], *, plane: bool = False
) -> Arrangement:
    """The arrangement for a pane of this size.

    plane: the state shows the program itself, so it gets more of the pane.
    """
    room = max(0, height - _LINES)
    pages = max(4, min(7 if room < 26 else 8 + (room - 26) // 3, room // 2))
    if plane and room < 26:
        pages = min(pages, PAGES_BY_PLANE)
    top = max(0, room - pages)
    if width < NARROW_BELOW:
        state = width * 3 // 5 if plane else width // 2 + 2
    elif width < WIDE_FROM:
        state = max(47, width * 3 // 5) if plane else 47
    else:
        state = width * 3 // 5 if plane else min(85, max(56, width * 2 // 5))
    breaks = max(0, top - (ENOUGH_PLANE if plane else ENOUGH_STATE))
    if breaks < LEAST_BREAKS:
        breaks = 0
    shared = tuple(share(top - breaks, panels))
    return Arrangement(state, top, shared, breaks, pages, width >= TWO_PAGES_FROM)


def share(rows: int, panels: Sequence[Height]) -> list[int]:
    """Rows for each panel, all of ``rows`` together; the last go without when there are few."""
    shown = len(panels)
    while shown > 1 and sum(panel.least for panel in panels[:shown]) > rows:
        shown -= 1
    if not shown:
        return []
    heights = [panel.least for panel in panels[:shown]]
    if shown == 1:
        heights = [rows]
    for _ in range(rows - sum(heights)):
        growing = [at for at in range(shown) if heights[at] < panels[at].most] or [0]
        at = min(growing, key=lambda at: (heights[at] - panels[at].least) / panels[at].share)
        heights[at] += 1
    return heights + [0] * (len(panels) - shown)
