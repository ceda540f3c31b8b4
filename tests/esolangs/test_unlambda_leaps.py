"""Over an application and out of it, in both directions of time."""

from __future__ import annotations

import pytest
from engines import one_fast_engine, program
from hypothesis import given
from hypothesis import strategies as st
from strategies.unlambda import sources, stdins

from esolangs.machine import LeapKind
from esolangs.stops import Leap
from esolangs.unlambda.program import UnlambdaMachine

ENGINES = one_fast_engine("unlambda")
SHARING = b"`r```s.a.b`ki"  # `ki, ``s.a, ``s.a.b, ``.a`ki, `.b`ki, their values, `r
MAX_STEPS = 300


def after(source: bytes, engine: str, steps: int, stdin: bytes = b"") -> UnlambdaMachine:
    machine = program("unlambda", source, engine).start(stdin)
    machine.run(steps)
    return machine


def reached(source: bytes, engine: str, steps: int, kind: LeapKind) -> int | None:
    """The step that a leap from ``steps`` on leads to; None without a leap."""
    machine = after(source, engine, steps)
    leap = (after(source, engine, steps - 1) if kind == "back_over" else machine).leap(kind)
    if leap is None:
        return None
    if kind.startswith("back"):
        return after(source, engine, 0).scan(steps - 1, leap.stops).last
    machine.run(MAX_STEPS, leap.stops)
    return machine.steps


@pytest.mark.parametrize("engine", ENGINES)
def test_stepping_over_s_stops_where_its_two_results_are_applied(engine: str) -> None:
    # Steps: ``s.a  ```s.a.b  `ki  ```s.a.b<ki>, which becomes  `.a<ki>  `.b<ki>  `<ki><ki>  `ri
    assert after(SHARING, engine, 3).view().location.instruction == "s"
    assert reached(SHARING, engine, 3, "over") == 6
    assert reached(SHARING, engine, 6, "back_over") == 3
    assert reached(SHARING, engine, 4, "back_out") == 3
    assert reached(SHARING, engine, 4, "out") == 6
    assert reached(SHARING, engine, 6, "out") == 7


@pytest.mark.parametrize("engine", ENGINES)
@given(source=sources(), stdin=stdins(), start=st.integers(0, 100))
def test_leaps_lead_to_the_nearest_application_of_that_depth(
    engine: str, source: bytes, stdin: bytes, start: int
) -> None:
    machine = program("unlambda", source, engine).start(stdin)
    depths = [machine.depth]
    while len(depths) <= MAX_STEPS and machine.step() is not None and not machine.ended:
        depths.append(machine.depth)
    start = min(start, len(depths) - 1)

    def target(leap: Leap | None, most: int) -> list[int] | None:
        if leap is None:
            return None
        scan = after(source, engine, 0, stdin).scan(len(depths) - 1, leap.stops)
        met = [n for n in range(1, len(depths)) if depths[n] <= most]
        assert (scan.total, scan.first, scan.last) == (
            (len(met), met[0], met[-1]) if met else (0, None, None)
        )
        return met

    here = after(source, engine, start, stdin)
    if here.ended:
        return
    assert target(here.leap("over"), depths[start]) is not None
    outward = target(here.leap("out"), depths[start] - 1)
    assert (outward is None) == (depths[start] == 0)
    assert here.leap("back_out") == here.leap("out")
    if start + 1 < len(depths):
        back = target(here.leap("back_over"), depths[start + 1])
        assert (back is None) == (depths[start] <= depths[start + 1])
    assert (here.steps, here.depth) == (start, depths[start])
