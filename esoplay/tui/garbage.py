"""Garbage collection while no key is pressed, so that it does not delay keys.

A closed screen leaves about 30,000 objects of cyclic garbage, and a full collection takes 0.1 s.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from functools import lru_cache

from textual._styles_cache import StylesCache
from textual.app import App
from textual.color import Color
from textual.style import Style

YOUNG_THRESHOLDS = (5_000, 10)
"""Thresholds of the two young generations, whose collections take under 5 ms."""
DUE_COLLECTIONS = 4
"""Number of collections of the middle generation after which a full collection is due."""
OVERDUE_COLLECTIONS = 100
"""Number of middle-generation collections after which a full one runs even if keys are pressed."""
IDLE_SECONDS = 1.0
"""Seconds without a key after which a full collection runs if it is due."""
MAX_COLLECTION_SHARE = 0.02
"""Maximum share of the running time that full collections may take."""


class IdleCollector:
    """Collects young objects as usual, and old objects while no key is pressed.

    keys_sent: returns the number of keys so far; if it does not change for ``IDLE_SECONDS``, the
    user is idle.
    """

    def __init__(self, app: App[int], keys_sent: Callable[[], int]) -> None:
        self._keys_sent = keys_sent
        self._keys_seen = keys_sent()
        self._next_collection_time = 0.0
        gc.freeze()  # the objects of the first frame are used until the end
        gc.set_threshold(*YOUNG_THRESHOLDS, OVERDUE_COLLECTIONS)
        gc.enable()
        app.set_interval(IDLE_SECONDS, self.collect_if_idle)

    def collect_if_idle(self) -> None:
        """Run a full collection if it is due and no key was pressed since the last call."""
        seen, self._keys_seen = self._keys_seen, self._keys_sent()
        began = time.monotonic()
        due = gc.get_count()[2] >= DUE_COLLECTIONS
        if due and seen == self._keys_seen and began >= self._next_collection_time:
            gc.collect()
            ended = time.monotonic()
            self._next_collection_time = ended + (ended - began) / MAX_COLLECTION_SHARE


@lru_cache(1024)
def _backgrounds(base: Color, background: Color) -> tuple[Style, Style]:
    """Return the background styles of a widget, inside and outside its border.

    base: the background color of its parent. background: its own color, drawn over ``base``.
    """
    return Style(background=base + background), Style(background=base)


def release_widgets() -> None:
    """Stop Textual from keeping references to up to a thousand removed widgets.

    Textual 8 caches the results of ``StylesCache.get_inner_outer`` by its arguments, including the
    ``StylesCache`` of the widget, which contains all lines that the widget has drawn.
    """

    def backgrounds(self: StylesCache, base: Color, background: Color) -> tuple[Style, Style]:
        return _backgrounds(base, background)

    if hasattr(StylesCache, "get_inner_outer"):
        StylesCache.get_inner_outer = backgrounds  # type: ignore[method-assign]
