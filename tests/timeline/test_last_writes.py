"""Searches for the last write to a place, which leave out what earlier ones have covered."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies.brainfuck import sources

from esolangs.brainfuck import LANGUAGE
from esolangs.limits import Limits
from esoplay.timeline import timeline as timeline_module
from esoplay.timeline.history import last_writes
from esoplay.timeline.last_writes import last_write
from esoplay.timeline.timeline import Checkpoints, MoveCancelled, Recording, Timeline

OLD = b"++[->+<]+[>+<]"
"""Writes to cell 0 in step 1 to 15 only, and to cell 1 again and again."""


def timeline_of(source: bytes, every: int) -> Timeline:
    options = LANGUAGE.configure()
    recording = Recording("brainfuck", "standard", options, source, limits=Limits(steps=600))
    return Timeline(LANGUAGE.parse(source, options), recording, every)


def cancel_after(calls: int) -> Callable[[int, int], bool]:
    left = iter(range(calls - 1, -1, -1))
    return lambda _done, _total: next(left) > 0


_MOVES = st.lists(
    st.one_of(
        st.tuples(st.just("ask"), st.integers(0, 600), st.integers(0, 3)),
        st.tuples(st.just("cancel"), st.integers(0, 600), st.integers(0, 3)),
        st.tuples(st.just("run"), st.integers(0, 600), st.just(0)),
        st.tuples(st.just("edit"), st.integers(0, 600), st.just(0)),
    ),
    max_size=30,
)


@given(sources() | st.just(OLD), st.integers(5, 200), _MOVES)
def test_searches_in_any_order_find_what_one_search_finds(
    source: bytes, every: int, moves: list[tuple[str, int, int]]
) -> None:
    timeline = timeline_of(source, every)
    timeline.seek(100)
    for kind, step, cell in moves:
        if kind == "run":
            timeline.seek(step)
            continue
        if kind == "edit":
            timeline.seek(min(step, timeline.known_steps))
            timeline.edit(0, 3)
            continue
        every_write = last_writes(timeline, cell, step, 1000)
        expected = every_write[0].step if every_write else None
        try:
            ticker = cancel_after(1) if kind == "cancel" else None
            assert last_write(timeline, cell, step, ticker) == expected
        except MoveCancelled:
            assert kind == "cancel"


def test_a_repeated_search_continues_a_cancelled_one() -> None:
    timeline = timeline_of(OLD, 10)
    timeline.seek(600)
    for _ in range(29):
        with pytest.raises(MoveCancelled):
            last_write(timeline, 0, 600, cancel_after(2))
    assert last_write(timeline, 0, 600, cancel_after(2)) == 15
    for step in (600, 300, 15):
        assert last_write(timeline, 0, step, cancel_after(1)) == 15
    assert last_write(timeline, 0, 14) == 10


class Snapshot:
    size = 1

    def __init__(self, steps: int):
        self.steps = steps


def test_the_number_of_checkpoints_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timeline_module, "MAX_CHECKPOINTS", 500)
    checkpoints = Checkpoints(Snapshot(0))
    count = 1500
    for step in range(1, count + 1):
        checkpoints.add(Snapshot(step), 1.0)
    steps = checkpoints.steps_between(0, count + 1)
    assert len(steps) == len(checkpoints) == checkpoints.size <= 500
    assert (steps[0], steps[-1]) == (0, count)
    assert max(b - a for a, b in pairwise(steps)) <= 8
