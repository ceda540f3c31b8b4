"""Style classes by terminal size, general styles, and the painting of the first frame."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from time import monotonic

from textual import events, on
from textual.app import App
from textual.screen import Screen

from esoplay.tui.frame import MIN_SIZE
from esoplay.tui.plans import MIN_HIGH_ROWS, MIN_MID_COLUMNS, MIN_TALL_ROWS, MIN_WIDE_COLUMNS

WIDTH_BREAKPOINTS = [
    (0, "-tiny"),
    (MIN_SIZE[0], "-narrow"),
    (MIN_MID_COLUMNS, "-mid"),
    (MIN_WIDE_COLUMNS, "-wide"),
]
HEIGHT_BREAKPOINTS = [
    (0, "-flat"),
    (MIN_SIZE[1], "-short"),
    (MIN_TALL_ROWS, "-tall"),
    (MIN_HIGH_ROWS, "-high"),
]


def classes_of_size(columns: int, rows: int) -> tuple[str, str]:
    """Return the style classes for the width and height of the terminal."""
    width = max(bound for bound in WIDTH_BREAKPOINTS if bound[0] <= columns)
    height = max(bound for bound in HEIGHT_BREAKPOINTS if bound[0] <= rows)
    return width[1], height[1]


CSS = """
PlayScreen { layout: vertical; layers: base cover; background: $background; }
PlayScreen.-tiny TooSmallNotice, PlayScreen.-flat TooSmallNotice { display: block; }
PlayScreen Footer { dock: bottom; background: $background; }
#body { height: 1fr; }
PlayScreen.-lesson-line LessonLine { display: block; }
PlayScreen.-tiny, PlayScreen.-narrow {
    #lesson-text, #lesson-hints, #lesson-go { margin: 0 1 1 1; }
    #prose { margin: 0 1 1 1; }
    .example-title { margin: 0 1; }
    ExampleCard, #statement-hints, #statement-solution { margin: 0 1 1 1; }
    ViewTab { padding: 0; margin: 0 0 0 1; }
}
"""


# Painting starts when the layout is final. Widgets learn their sizes in the first layout and place
# their contents in a second one. A frame painted between them would show panes that jump, and tabs
# that have moved when they are clicked.

LAYOUT_TIMEOUT = 2.0
"""Seconds after which the screen is painted even if widgets still have messages."""
MAX_LAYOUTS = 4
QUIET_TURNS = 3
"""Number of consecutive turns of the event loop, without any message, that make a layout final."""


class StableScreen(Screen[None]):
    """A screen that is first painted when its layout is final; see :meth:`paint_when_stable`."""

    app: App[None]
    _was_shown = False

    def __init__(self) -> None:
        super().__init__()
        self._painting_suspension: ExitStack | None = None
        self._after_first_frame: list[Callable[[], object]] = []

    @on(events.ScreenResume)
    def _first_shown(self, event: events.ScreenResume) -> None:
        """Skip the refresh of the styles when the screen is first shown; they were just applied."""
        if not self._was_shown:
            self._was_shown = True
            event.refresh_styles = False

    def suspend_painting(self, app: App[int]) -> None:
        """Suspend painting until :meth:`paint_when_stable` is called."""
        self._painting_suspension = ExitStack()
        self._painting_suspension.enter_context(app.batch_update())

    def after_first_frame(self, callback: Callable[[], object]) -> None:
        """Call ``callback`` after the screen has been painted."""
        if self._painting_suspension is None:
            self.call_after_refresh(callback)
        else:
            self._after_first_frame.append(callback)

    async def run_after_first_frame(self, work: Callable[[], Awaitable[object]]) -> None:
        """Await ``work``; if the screen was not painted yet, only schedule it for later."""
        if self._painting_suspension is None:
            await work()
        else:
            self._after_first_frame.append(work)

    async def paint_when_stable(self) -> None:
        """Repeat the layout until it is stable, then paint the screen."""
        unpainted = self._painting_suspension
        if unpainted is None:
            return
        try:
            until = monotonic() + LAYOUT_TIMEOUT
            for _ in range(MAX_LAYOUTS):
                await self._await_messages(until)
                if not self._layout_required or monotonic() > until:
                    break
                self._layout_required = False
                self._refresh_layout()
        finally:
            self._painting_suspension = None
            unpainted.close()
        self.refresh()
        self._on_timer_update()  # now, and not at the next tick of the compositor's timer
        for callback in self._after_first_frame:
            self.call_after_refresh(callback)
        self._after_first_frame.clear()

    def _compositor_refresh(self) -> None:
        if self._painting_suspension is None:
            super()._compositor_refresh()

    async def _await_messages(self, deadline: float) -> None:
        """Wait until the message queues of all widgets stay empty, or until ``deadline``."""
        calm = 0
        parts = list(self.walk_children(with_self=True))
        while calm < QUIET_TURNS and monotonic() < deadline:
            await asyncio.sleep(0)
            calm = 0 if any(part.message_queue_size for part in parts) else calm + 1
