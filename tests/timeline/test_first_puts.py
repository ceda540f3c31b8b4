"""Whether a cell was ever written to, asked at any time, in any order, also after edits."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esolangs.stops import Address
from esoplay.debugging.debugger import Debugger
from esoplay.errors import UsageError
from esoplay.timeline import first_occurrences
from esoplay.timeline.first_occurrences import unwritten_cells

CELLS: list[Address] = [0, 1, 2, 3]


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["seek", "set"]), st.integers(0, 40), st.sampled_from(CELLS)),
        max_size=12,
    )
)
def test_unwritten_cells_match_a_search_of_each_step(moves: list[tuple[str, int, Address]]) -> None:
    debugger = Debugger.open("brainfuck", b"+++[->>+<<]>>[->+<]")
    for kind, step, cell in moves:
        if kind == "seek":
            debugger.seek(step)
        else:
            with suppress(UsageError):  # a cell that the pointer has not reached
                debugger.set_cell(cell, 2)
        edits = debugger.recording.edits
        written = {edit.address for edit in edits if edit.step <= debugger.step}
        written |= {each for each in CELLS if debugger.writes(each)}
        assert unwritten_cells(debugger.timeline, CELLS) == set(CELLS) - written


def test_one_query_searches_a_bounded_number_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    debugger = Debugger.open("brainfuck", b"+[]")
    debugger.seek(100)
    monkeypatch.setattr(first_occurrences, "MAX_STEPS", 40)
    asked = [unwritten_cells(debugger.timeline, [0, 7]) for _ in range(3)]
    assert asked == [set(), set(), {7}]
