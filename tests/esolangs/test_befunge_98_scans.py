"""Places that are come to at speed are those that single steps come to."""

from __future__ import annotations

import pytest
from engines import engine_names, program
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import befunge_98

from esolangs.befunge_98.machine import BefungeMachine
from esolangs.limits import Limits
from esolangs.stops import Hits, StopSet

LIMITS = Limits(steps=600, output=60, memory=8_000)
POINTS = st.frozensets(st.tuples(st.integers(-1, 20), st.integers(-1, 4)), min_size=1, max_size=4)
ROUND = b'>1+:"a;b"$$;skipped;#@2%  |\n^                          <\n'


def stepped(machine: BefungeMachine, places: frozenset[tuple[int, int]], last: int) -> list[int]:
    """The steps after which a place is next."""
    found: list[int] = []
    while machine.steps < last and machine.step() is not None:
        core = machine.core
        if not core.ended and not core.lost and (core.ip.x, core.ip.y) in places:
            found.append(machine.steps)
    return found


def check(source: bytes, engine: str, places: frozenset[tuple[int, int]], cut: int) -> None:
    parsed = program("befunge-98", source, engine)
    wanted = stepped(parsed.start(b"12 a", limits=LIMITS), places, 600)
    machine = parsed.start(b"12 a", limits=LIMITS)
    for first, last in ((0, cut), (cut, 600)):
        here = [step for step in wanted if first < step <= last]
        hits = machine.scan(last - first, StopSet(locations=places))
        assert hits == (Hits(len(here), here[0], here[-1]) if here else Hits())


@pytest.mark.parametrize("engine", engine_names("befunge-98"))
def test_a_loop_with_strings_jumps_and_edges(engine: str) -> None:
    for x in range(28):
        check(ROUND, engine, frozenset({(x, 0)}), 100)
        check(ROUND, engine, frozenset({(x, 0), (x + 2, 0), (0, 1)}), 77)


@pytest.mark.parametrize("engine", engine_names("befunge-98"))
@settings(max_examples=30)
@given(source=befunge_98.sources(), places=POINTS, cut=st.integers(0, 600))
def test_programs_of_all_kinds(
    engine: str, source: bytes, places: frozenset[tuple[int, int]], cut: int
) -> None:
    check(source, engine, places, cut)
