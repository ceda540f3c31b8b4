"""Garbage collection of the application: removed widgets are freed, and keys are not delayed."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from textual._styles_cache import StylesCache
from textual.app import App
from textual.color import Color

from esoplay.tui import garbage


def test_a_cache_of_drawn_lines_is_freed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StylesCache, "get_inner_outer", StylesCache.get_inner_outer)
    black, red = Color(0, 0, 0), Color(255, 0, 0, 0.5)
    expected = StylesCache().get_inner_outer(black, red)
    garbage.release_widgets()
    cache = StylesCache()
    assert cache.get_inner_outer(black, red) == expected
    freed = weakref.ref(cache)
    del cache
    gc.collect()
    assert freed() is None


class Collections:
    """Stands for the module ``gc``.  middle: collections of the middle generation so far."""

    def __init__(self) -> None:
        self.middle = 0
        self.full = 0

    def freeze(self) -> None: ...

    def enable(self) -> None: ...

    def set_threshold(self, *_thresholds: int) -> None: ...

    def get_count(self) -> tuple[int, int, int]:
        return 0, 0, self.middle

    def collect(self) -> None:
        self.full += 1
        self.middle = 0


def test_a_full_collection_waits_until_no_key_is_pressed(monkeypatch: pytest.MonkeyPatch) -> None:
    collections = Collections()
    monkeypatch.setattr(garbage, "gc", collections)
    ticks: list[Callable[[], None]] = []
    app = SimpleNamespace(set_interval=lambda _seconds, tick: ticks.append(tick))
    keys = 0
    garbage.IdleCollector(cast(App[int], cast(Any, app)), lambda: keys)
    (tick,) = ticks
    tick()
    assert collections.full == 0, "nothing is due"
    collections.middle = garbage.DUE_COLLECTIONS
    keys = 1
    tick()
    assert collections.full == 0, "a key was pressed"
    tick()
    assert collections.full == 1
    collections.middle = garbage.DUE_COLLECTIONS
    garbage_time = garbage.time
    monkeypatch.setattr(
        garbage, "time", SimpleNamespace(monotonic=lambda: garbage_time.monotonic() + 60)
    )
    tick()
    assert collections.full == 2
