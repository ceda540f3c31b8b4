"""Where the panes stand, for each size of the terminal and each view, and the first frame.

Heights are fixed, so that nothing jumps while a program runs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from time import monotonic

from textual.app import App
from textual.screen import Screen

from esoplay.tui.frame import LEAST_SIZE

WIDTHS = [(0, "-tiny"), (LEAST_SIZE[0], "-narrow"), (110, "-mid"), (180, "-wide")]
HEIGHTS = [(0, "-flat"), (LEAST_SIZE[1], "-short"), (34, "-tall"), (52, "-high")]


def classes_of_size(columns: int, rows: int) -> tuple[str, str]:
    """The classes by which the screen knows how wide and how high it is."""
    width = max(bound for bound in WIDTHS if bound[0] <= columns)
    height = max(bound for bound in HEIGHTS if bound[0] <= rows)
    return width[1], height[1]


CSS = """
PlayScreen { layout: vertical; layers: base cover; background: $background; }
PlayScreen.-tiny TooSmall, PlayScreen.-flat TooSmall { display: block; }
PlayScreen.-lesson Tip { display: none; }
PlayScreen Footer { dock: bottom; background: $background; }
#body { layout: grid; height: 1fr; grid-gutter: 0; }
#body > * { display: none; width: 100%; height: 100%; }

/* narrow: one view fills the screen */
PlayScreen.-tiny, PlayScreen.-narrow {
    &.-view-learn #body {
        grid-size: 2 1; grid-columns: 34 1fr;
        #lesson-text, #lesson-hints, #lesson-go { margin: 0 1 1 1; }
        #lessons, #lesson { display: block; }
    }
    &.-lesson.-view-edit LessonLine, &.-lesson.-view-debug LessonLine { display: block; }
    &.-view-browse #body {
        grid-size: 2 1; grid-columns: 32 1fr;
        #problems, #statement { display: block; }
    }
    &.-view-edit #body {
        grid-size: 1 2; grid-rows: 1fr 7;
        #program, #results { display: block; }
    }
    &.-writing.-view-edit #body {
        grid-size: 1 3; grid-rows: 1fr 6 6;
        #generated { display: block; }
    }
    &.-writing.-no-problem.-view-edit #body {
        grid-size: 1 2; grid-rows: 1fr 8;
        #results { display: none; }
    }
    &.-view-debug #body { grid-size: 1 1; #debug { display: block; } }
    &.-view-debug Footer { display: none; }
    ViewTab { padding: 0; margin: 0 0 0 1; }
    &.-view-score #body { grid-size: 1 1; #score { display: block; } }
}

/* one pane alone */
PlayScreen.-alone #body { layout: vertical !important; }
PlayScreen.-alone #body > * { display: none !important; }
PlayScreen.-alone #body > .-maximised { display: block !important; }

/* mid: problems and score stay at the side */
PlayScreen.-mid #body {
    grid-size: 2 3;
    grid-columns: 32 1fr;
    grid-rows: 14 1fr 10;
    #problems { display: block; row-span: 2; }
    #score { display: block; }
}
PlayScreen.-mid.-short #body { grid-rows: 7 1fr 7; }
PlayScreen.-mid.-work-edit #body { #statement, #program, #results { display: block; } }
PlayScreen.-mid.-work-debug #body #debug { display: block; row-span: 3; }
PlayScreen.-mid.-view-score #body {
    grid-size: 2 1;
    grid-rows: 1fr;
    #problems { row-span: 1; }
}

/* what is made of a source stands beside it */
PlayScreen.-mid.-writing.-work-edit #body {
    grid-size: 3 3;
    grid-columns: 32 3fr 2fr;
    #generated { display: block; }
    #statement, #results { column-span: 2; }
}
PlayScreen.-mid.-writing.-no-problem.-work-edit #body {
    grid-size: 3 2;
    grid-rows: 1fr 10;
    #statement { display: none; }
    #problems { row-span: 1; }
}
PlayScreen.-mid.-writing.-view-score #body { grid-size: 2 1; grid-columns: 32 1fr; }

/* a lesson's text stands at the side while one works on it; other views keep their panes */
PlayScreen.-mid.-lesson.-view-edit #body, PlayScreen.-mid.-lesson.-view-debug #body {
    grid-size: 2 2;
    grid-columns: 42 1fr;
    grid-rows: 1fr 10;
    #problems, #statement, #score { display: none; }
    #lesson { display: block; row-span: 2; }
    #debug { row-span: 2; }
}
PlayScreen.-mid.-short.-lesson.-view-edit #body { grid-rows: 1fr 7; }
PlayScreen.-mid.-view-learn #body {
    grid-size: 2 1;
    grid-columns: 34 1fr;
    grid-rows: 1fr;
    #problems, #statement, #score { display: none; }
    #lessons, #lesson { display: block; row-span: 1; }
}

/* wide: the statement has a column of its own */
PlayScreen.-wide #body {
    grid-size: 3 2;
    grid-columns: 34 52 1fr;
    grid-rows: 1fr 24;
    #problems, #score { display: block; }
    #statement { display: block; row-span: 2; }
}
PlayScreen.-wide.-short #body { grid-rows: 1fr 8; }
PlayScreen.-wide.-high #body {
    grid-rows: 1fr 26;
    #problems { row-span: 2; }
    #statement { row-span: 1; }
}
PlayScreen.-wide.-view-score #body { grid-size: 3 1; grid-rows: 1fr; }
PlayScreen.-wide.-view-score #body #problems, PlayScreen.-wide.-view-score #body #statement {
    row-span: 1;
}
PlayScreen.-wide.-work-edit #body { #program, #results { display: block; } }
PlayScreen.-wide.-work-debug #body #debug { display: block; row-span: 2; }
PlayScreen.-wide.-writing.-work-edit #body {
    grid-size: 4 2;
    grid-columns: 34 52 3fr 2fr;
    #generated { display: block; }
    #results { column-span: 2; }
}
/* the source stands between the statement and the program: the list of problems makes room */
PlayScreen.-wide.-sourced.-work-debug #body {
    grid-size: 2 2;
    grid-columns: 52 1fr;
    #problems { display: none; }
    #statement { row-span: 1; }
}
PlayScreen.-wide.-sourced.-no-problem.-work-debug #body {
    grid-size: 1 1;
    grid-rows: 1fr;
    grid-columns: 1fr;
    #statement, #score { display: none; }
    #debug { row-span: 1; }
}
PlayScreen.-wide.-lesson.-view-edit #body,
PlayScreen.-wide.-lesson.-view-debug #body,
PlayScreen.-wide.-view-learn #body {
    #problems, #statement { display: none; }
    #lessons { display: block; }
    #lesson { display: block; row-span: 2; }
}
PlayScreen.-wide.-view-learn #body { grid-columns: 34 1fr; grid-size: 2 2; }
"""


# Nothing is painted before every part has its place, so that the first frame stays as it is.
#
# Parts learn their sizes in the first layout and place what is in them by that, which takes a
# second one.  A frame painted in between would show panes that jump, and tabs that are elsewhere
# by the time they are clicked.

PATIENCE = 2.0
"""Seconds after which the screen is painted whatever its parts still have to say."""
MOST_LAYOUTS = 4
CALM = 3
"""Turns of the event loop without a message after which nothing more is to be expected."""


class SettledScreen(Screen[None]):
    """A screen that is painted once its parts have settled; see :meth:`settle`."""

    app: App[None]

    def __init__(self) -> None:
        super().__init__()
        self._unpainted: ExitStack | None = None
        self._later: list[Callable[[], object]] = []

    def hold_back(self, app: App[int]) -> None:
        """Paint nothing from now on until :meth:`settle`, which has to follow."""
        self._unpainted = ExitStack()
        self._unpainted.enter_context(app.batch_update())

    def after_first_frame(self, callback: Callable[[], object]) -> None:
        """Call ``callback`` once the screen has been painted."""
        if self._unpainted is None:
            self.call_after_refresh(callback)
        else:
            self._later.append(callback)

    async def once_painted(self, work: Callable[[], Awaitable[object]]) -> None:
        """Do ``work`` now, but not before the first frame."""
        if self._unpainted is None:
            await work()
        else:
            self._later.append(work)

    async def settle(self) -> None:
        """Lay the screen out until nothing moves any more, then paint it."""
        unpainted = self._unpainted
        if unpainted is None:
            return
        try:
            until = monotonic() + PATIENCE
            for _ in range(MOST_LAYOUTS):
                await self._listen(until)
                if not self._layout_required or monotonic() > until:
                    break
                self._layout_required = False
                self._refresh_layout()
        finally:
            self._unpainted = None
            unpainted.close()
        self.refresh()
        self._on_timer_update()  # now, and not at the next tick of its clock
        for callback in self._later:
            self.call_after_refresh(callback)
        self._later.clear()

    def _compositor_refresh(self) -> None:
        if self._unpainted is None:
            super()._compositor_refresh()

    async def _listen(self, until: float) -> None:
        """Let all parts answer what they were sent, and what the others sent them then."""
        calm = 0
        parts = list(self.walk_children(with_self=True))
        while calm < CALM and monotonic() < until:
            await asyncio.sleep(0)
            calm = 0 if any(part.message_queue_size for part in parts) else calm + 1
