"""Nothing is painted before every part has its place, so that the first frame stays as it is.

Parts learn their sizes in the first layout and place what is in them by that, which takes a second
one.  A frame painted in between would show panes that jump, and tabs that are elsewhere by the time
they are clicked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from time import monotonic

from textual.app import App
from textual.screen import Screen

PATIENCE = 2.0
"""Seconds after which the screen is painted whatever its parts still have to say."""
MOST_LAYOUTS = 4
CALM = 3
"""Turns of the event loop without a message after which nothing more is to be expected."""


class Settling(Screen[None]):
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
