"""Heat and coverage of every language's sample, and the scales of the digits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esolangs.registry import find_language, language_ids
from esolangs.tally import Tally
from esoplay.debugging.debugger import BreakpointSpec, Debugger
from esoplay.debugging.descriptions import breakpoint_as_json
from esoplay.debugging.heat import (
    MAX_LEVEL,
    Heat,
    coverage,
    coverage_text,
    heat,
    hottest_instructions,
    hottest_lines,
)


@pytest.mark.parametrize("language_id", language_ids())
def test_every_language_has_heat_and_coverage(language_id: str) -> None:
    debugger = Debugger.open(language_id, find_language(language_id).sample(), stdin=b"esolang")
    program = debugger.program
    debugger.seek(10**6)
    end = debugger.step
    debugger.seek(end // 2)
    for whole_history, upto in ((False, end // 2), (True, end)):
        counts = heat(debugger, whole_history=whole_history)
        assert counts.step == upto
        places = {program.address_at(start) for start, _ in program.spans()}
        within = sum(counts.count_and_last_step(place)[0] for place in places)
        assert 0 < within <= upto
        assert sum(row.count for row in hottest_lines(counts, program, 10**6)) == within
        spots = hottest_instructions(counts, program, 10**6)
        assert [spot.count for spot in spots] == sorted(
            (spot.count for spot in spots), reverse=True
        )
        told = coverage(debugger, 3, whole_history=whole_history)
        assert told.executed == len(spots)
        assert told.instructions == len(program.spans())
        assert f"{told.executed} of {told.instructions}" in coverage_text(told)
        assert len(told.unexecuted) == min(3, told.instructions - told.executed)
        for spot in spots:
            debugger.seek(spot.last - 1)
            assert debugger.view().location.address == spot.location
        debugger.seek(end // 2)


@given(st.lists(st.integers(1, 10**9), min_size=1, max_size=20))
def test_levels_grow_with_counts(numbers: list[int]) -> None:
    tally = Tally()
    for at, number in enumerate(numbers):
        tally._counts[at] = number, at + 1  # pyright: ignore[reportPrivateUsage]
    tally.steps = len(numbers)
    counts = Heat(tally)
    levels = [counts.level(number) for number in sorted(numbers)]
    assert levels == sorted(levels)
    assert counts.level(0) == 0
    assert counts.level(1) == 1
    assert all(1 <= level <= MAX_LEVEL for level in levels)
    assert levels[-1] == (MAX_LEVEL if max(numbers) > 1 else 1)
    ages = [counts.recency(at + 1) for at in range(len(numbers))]
    assert ages == sorted(ages)
    assert ages[-1] == MAX_LEVEL
    assert ages[0] >= 1
    assert counts.recency(0) == 0


def test_output_text_is_shown_as_text() -> None:
    debugger = Debugger.open("brainfuck", b"+")
    for output, told in (("né", "né"), ("né".encode(), "né"), (b"\xe9", "é"), (3, 3)):
        added = debugger.add_breakpoint(BreakpointSpec(output=output))
        assert breakpoint_as_json(added)["output"] == told


@pytest.mark.parametrize("language_id", language_ids())
@pytest.mark.parametrize(
    "spec",
    [
        BreakpointSpec(new=True),
        BreakpointSpec(new=True, condition="hits % 3 == 1"),
        BreakpointSpec(every=7),
        BreakpointSpec(every=5, effect="output"),
        BreakpointSpec(output="s"),
        BreakpointSpec(output="an"),
    ],
    ids=str,
)
def test_stops_are_the_same_in_both_directions(language_id: str, spec: BreakpointSpec) -> None:
    debugger = Debugger.open(language_id, find_language(language_id).sample(), stdin=b"esolang")
    debugger.add_breakpoint(spec)
    forwards: list[int] = []
    while debugger.resume().reasons[0].kind == "breakpoint":
        forwards.append(debugger.step)
    end = debugger.step
    backwards: list[int] = []
    while debugger.resume(reverse=True).reasons[0].kind == "breakpoint":
        backwards.append(debugger.step)
    assert backwards == [step for step in reversed(forwards) if step < end]
    if spec.every == 7:
        assert forwards == list(range(7, end + 1, 7))
