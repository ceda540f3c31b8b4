"""How the parts share the pane, by its own size; heights stay while a program runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from esoplay.tui.debug.state.panel_box import Height

NARROW_BELOW = 84
WIDE_FROM = 130
TWO_PAGES_FROM = 104
LEAST_LIST = 5
"""Rows of the notebook, or the breakpoints, below which they stay in their tabs."""
MOST_WATCHES, MOST_BREAKS = 8, 5
LEAST_BREAKS = 3
LEAST_VARIABLES, MOST_VARIABLES = 5, 16
"""Rows of the source's variables."""
BESIDE_FROM = 84
"""Columns that source and program need together; in fewer they take turns."""
LEAST_STATE, LEAST_PLANE = 14, 20
"""Rows of the state that the watches, and breakpoints that are set, leave."""
ENOUGH_STATE, ENOUGH_PLANE = 24, 30
"""Rows of the state beyond which the notebook and the breakpoints get lists even while empty."""
PAGES_BY_PLANE = 5
"""Rows of the tabs beside a plane, while there are few."""


class Arrangement(NamedTuple):
    """Columns and rows of the parts.

    state_width: of the state and the breakpoints, at the right of the program.  top: rows of
    both columns.  panels: rows of each panel of the state; 0 hides it.  watches, notes, breaks:
    rows of these lists; 0 leaves one to its tab.  pages: rows of the tabs.  two_pages: two
    groups of them side by side.  variables: rows of the list of the source's.  beside: there is
    room for the source beside the program.
    """

    state_width: int
    top: int
    panels: tuple[int, ...]
    watches: int
    notes: int
    breaks: int
    pages: int
    two_pages: bool
    variables: int = 0
    beside: bool = False


_LINES = 4
"""Status, explanation, timeline, hints."""


def arrange(
    width: int,
    height: int,
    panels: Sequence[Height],
    *,
    plane: bool = False,
    watches: int = 0,
    breaks: int = 0,
    variables: int | None = None,
) -> Arrangement:
    """The arrangement for a pane of this size.

    plane: the state shows the program itself, so it gets more of the pane.  watches: how many
    expressions are watched.  breaks: how many breakpoints there are.  variables: how many the
    source has; None where there is no source.
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
    two_pages = width >= TWO_PAGES_FROM
    named, whole = _rows_of_variables(variables, top), top
    top -= named
    watched = min(watches + 2, MOST_WATCHES) if watches and width >= NARROW_BELOW else 0
    least = LEAST_PLANE if plane else LEAST_STATE
    if watched > top - least:
        watched = 0
    spare = top - watched - (ENOUGH_PLANE if plane else ENOUGH_STATE)
    first, second = _lists(spare)
    notes, listed = (first, second) if two_pages else (second, first)
    if breaks and width >= NARROW_BELOW:
        wanted = min(breaks + 2, MOST_BREAKS, top - watched - notes - least)
        listed = max(listed, wanted if wanted >= LEAST_BREAKS else 0)
    shared = tuple(share(top - watched - notes - listed, panels))
    beside = variables is not None and width - state >= BESIDE_FROM
    lists = watched, notes, listed
    return Arrangement(state, whole, shared, *lists, pages, two_pages, named, beside)


def _rows_of_variables(variables: int | None, top: int) -> int:
    """Rows for the source's variables out of those beside the program."""
    if variables is None:
        return 0
    most = max(LEAST_VARIABLES, min(MOST_VARIABLES, top * 2 // 5))
    return min(most, max(LEAST_VARIABLES, variables + 2), top)


def _lists(rows: int) -> tuple[int, int]:
    """Rows for one list, and for another where there are enough for both."""
    if rows < LEAST_LIST:
        return 0, 0
    second = rows // 2 if rows >= 2 * LEAST_LIST else 0
    return rows - second, second


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
