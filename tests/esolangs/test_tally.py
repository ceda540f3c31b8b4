"""What a machine counts at speed is what counting single steps gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from engines import engine_names, program
from hypothesis import given
from hypothesis import strategies as st
from strategies import befunge_98, brainfuck, shakespeare, unlambda, whitespace

from esolangs.errors import ParseError
from esolangs.limits import Limits
from esolangs.machine import Machine
from esolangs.registry import find_language, language_ids
from esolangs.stops import Address
from esolangs.tally import Tally

LIMITS = Limits(steps=400, output=60, memory=4_000)
SOURCES: dict[str, Callable[[], st.SearchStrategy[bytes]]] = {
    "brainfuck": brainfuck.sources,
    "befunge-98": befunge_98.sources,
    "shakespeare": shakespeare.sources,
    "unlambda": unlambda.sources,
    "whitespace": whitespace.sources,
}
TWINS = [
    pytest.param(id, engine, marks=[pytest.mark.slow] if number else [])
    for id in SOURCES
    for number, engine in enumerate(engine_names(id))
]


def naive(machine: Machine) -> dict[Address, tuple[int, int]]:
    """Counts and last steps by location, from single steps."""
    found: dict[Address, tuple[int, int]] = {}
    while (step := machine.step()) is not None:
        found[step.location] = found.get(step.location, (0, 0))[0] + 1, step.number
    return found


def entries_of(tally: Tally) -> dict[Address, tuple[int, int]]:
    return {location: (count, latest) for location, count, latest in tally.entries()}


def check(program: Any, stdin: bytes, slices: list[int]) -> None:
    wanted = naive(program.start(stdin, limits=LIMITS))
    machine, tally = program.start(stdin, limits=LIMITS), program.new_tally()
    other = program.start(stdin, limits=LIMITS)
    copies: list[tuple[Tally, dict[Address, tuple[int, int]]]] = []
    for budget in [*slices, 1_000]:
        copies.append((tally.copy(), entries_of(tally)))
        machine.tally(budget, tally)
        other.run(budget)
        assert tally.steps == machine.steps == other.steps
        assert machine.status == other.status
        assert machine.take_printed() == other.take_printed()
        assert machine.take_reads() == other.take_reads()
    assert entries_of(tally) == wanted
    for location, entry in wanted.items():
        assert tally.count_and_last_step(location) == entry
    for copy, before in copies:
        assert entries_of(copy) == before


@pytest.mark.parametrize(("language_id", "engine"), TWINS)
@given(data=st.data())
def test_counts_match_single_steps(language_id: str, engine: str, data: st.DataObject) -> None:
    source = data.draw(SOURCES[language_id]())
    try:
        parsed = program(language_id, source, engine)
    except ParseError:
        return
    check(parsed, data.draw(st.binary(max_size=4)), data.draw(st.lists(st.integers(0, 90))))


@pytest.mark.parametrize("language_id", language_ids())
def test_tallied_locations_of_samples_are_instructions(language_id: str) -> None:
    language = find_language(language_id)
    parsed = language.parse(language.sample())
    check(parsed, b"esolang", [7, 50])
    tally = parsed.new_tally()
    parsed.start(b"esolang").tally(10**6, tally)
    known = {parsed.address_at(start) for start, _ in parsed.spans()}
    assert known & {location for location, _, _ in tally.entries()}


def test_a_fast_tally_matches_counting_single_steps() -> None:
    language = find_language("brainfuck")
    parsed = language.parse(b"++[>+<-]")
    machine, tally = parsed.start(), Tally()
    machine.tally(5, tally)
    machine.tally(100, tally)
    assert entries_of(tally) == naive(parsed.start())
    assert tally.steps == machine.steps
    assert tally.size > Tally().size
