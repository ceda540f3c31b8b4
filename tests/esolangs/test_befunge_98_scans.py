"""Fast scans visit the same places as single steps."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from engines import one_fast_engine, program
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import befunge_98

from esolangs.befunge_98.program import BefungeMachine
from esolangs.limits import Limits
from esolangs.stops import Hits, StopSet

LIMITS = Limits(steps=600, output=60, memory=8_000)
POINTS = st.frozensets(st.tuples(st.integers(-1, 20), st.integers(-1, 4)), min_size=1, max_size=4)
ROUND = b'>1+:"a;b"$$;skipped;#@2%  |\n^                          <\n'


def stepped(machine: BefungeMachine, last: int) -> list[tuple[int, tuple[int, int]]]:
    """The point that is next after each step, by single steps."""
    found: list[tuple[int, tuple[int, int]]] = []
    while machine.steps < last and machine.step() is not None:
        core = machine.core
        if not core.ended and not core.lost:
            found.append((machine.steps, (core.ip.x, core.ip.y)))
    return found


def check(
    source: bytes, engine: str, choices: Iterable[tuple[frozenset[tuple[int, int]], int]]
) -> None:
    """``choices``: places to look for, and the step between two scans."""
    parsed = program("befunge-98", source, engine)
    way = stepped(parsed.start(b"12 a", limits=LIMITS), 600)
    for places, cut in choices:
        compare(parsed.start(b"12 a", limits=LIMITS), way, places, cut)


def compare(
    machine: BefungeMachine,
    way: list[tuple[int, tuple[int, int]]],
    places: frozenset[tuple[int, int]],
    cut: int,
) -> None:
    for first, last in ((0, cut), (cut, 600)):
        here = [step for step, point in way if first < step <= last and point in places]
        hits = machine.scan(last - first, StopSet(locations=places))
        assert hits == (Hits(len(here), here[0], here[-1]) if here else Hits())


@pytest.mark.parametrize("engine", one_fast_engine("befunge-98"))
def test_a_scan_counts_a_loop_with_strings_jumps_and_edges(engine: str) -> None:
    alone = ((frozenset({(x, 0)}), 100) for x in range(28))
    more = ((frozenset({(x, 0), (x + 2, 0), (0, 1)}), 77) for x in range(28))
    check(ROUND, engine, (*alone, *more))


@pytest.mark.parametrize("engine", one_fast_engine("befunge-98"))
@settings(max_examples=30)
@given(source=befunge_98.sources(), places=POINTS, cut=st.integers(0, 600))
def test_a_scan_counts_stops_of_random_programs(
    engine: str, source: bytes, places: frozenset[tuple[int, int]], cut: int
) -> None:
    check(source, engine, [(places, cut)])
