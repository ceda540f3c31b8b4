"""Depths of nesting along a run agree with the states that they are sampled at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies.brainfuck import sources

from esolangs.view import CallStack
from esoplay.debugging import heat as module
from esoplay.debugging.debugger import Bucket, Debugger
from esoplay.debugging.heat import nesting_depths


def complete(debugger: Debugger, buckets: list[Bucket]) -> tuple[int, ...]:
    """Return the depths after all of them were found."""
    for _ in range(100):
        nesting_depths(debugger, buckets)
    return nesting_depths(debugger, buckets)


@given(sources(), st.integers(1, 80), st.integers(1, 400))
def test_call_depths_match_the_samples(source: bytes, columns: int, known: int) -> None:
    debugger = Debugger.open("brainfuck", source, stdin=b"ab")
    debugger.seek(known)
    buckets = debugger.overview(columns) if debugger.known_steps else []
    told = complete(debugger, buckets)
    for bucket, depth in zip(buckets, told, strict=True):
        within = range(bucket.first_step, bucket.last_step + 1)
        possible: set[int] = set()
        for step in within:
            debugger.seek(step)
            panels = debugger.view().panels
            possible |= {panel.depth for panel in panels if isinstance(panel, CallStack)}
        assert depth in possible


def test_depths_are_recomputed_after_an_edit() -> None:
    debugger = Debugger.open("brainfuck", b"+[>+<]")
    debugger.seek(50)
    assert complete(debugger, debugger.overview(5))[-1] == 1
    debugger.seek(1)
    debugger.set_cell(0, 0)
    debugger.seek(50)
    assert set(complete(debugger, debugger.overview(2))) == {0}


@pytest.mark.parametrize(
    ("language", "source", "deepest"),
    [
        ("befunge-98", b"12+.@", 0),
        ("whitespace", b"\n \t \n\n\n\n\n   \n   \t\n\n\t\n", 1),
    ],
)
def test_the_call_depth_is_0_in_a_language_without_calls(
    language: str, source: bytes, deepest: int
) -> None:
    debugger = Debugger.open(language, source)
    debugger.seek(10)
    assert max(complete(debugger, debugger.overview(60)), default=0) == deepest


def test_one_query_of_depths_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    debugger = Debugger.open("brainfuck", b"+[>+<]")
    debugger.seek(500)
    monkeypatch.setattr(module, "MAX_QUERY_SECONDS", -1.0)
    assert nesting_depths(debugger, debugger.overview(10)) == (0,) * 10
    monkeypatch.undo()
    assert set(complete(debugger, debugger.overview(10))) == {1}
