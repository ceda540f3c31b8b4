"""A run of Befunge-98 to a location stops where single steps first arrive there."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import befunge_tier_trials
import pytest
from engines import engine_names, program

from esolangs.limits import Limits, World
from esolangs.machine import FINAL
from esolangs.stops import StopSet


@pytest.fixture(params=engine_names("befunge-98"))
def parse(request: pytest.FixtureRequest) -> Callable[..., Any]:
    return lambda source, **options: program("befunge-98", source, request.param, **options)


def run_by_steps(machine: Any, budget: int, points: set[Any]) -> str:
    """Run like ``Machine.run`` with stops at points, by single steps."""
    for _ in range(budget):
        before = machine.steps
        machine.step()
        if machine.steps == before:
            return str(machine.status)
        if (machine.core.ip.x, machine.core.ip.y) in points:
            return "stopped"
    return str(machine.status)


@pytest.mark.parametrize("seed", range(60))
def test_a_run_stops_at_the_same_step_and_reports_its_effects(
    seed: int, parse: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ESOPLAY_TIER", "core")
    chance = Random(f"stops {seed}")
    code = parse(befunge_tier_trials.random_source(chance))
    limits = Limits(steps=10**5, output=1000, memory=10**6)
    stdin = bytes(chance.randrange(256) for _ in range(20))
    fast, slow = (
        code.start(stdin, seed=seed, limits=limits, world=World(started=0)) for _ in range(2)
    )
    for _ in range(8):
        points = {(chance.randrange(14), chance.randrange(4)) for _ in range(chance.randint(1, 3))}
        budget = chance.choice((5, 50, 500, 3000))
        status = fast.run(budget, StopSet(frozenset(points)))
        assert status == run_by_steps(slow, budget, points)
        assert fast.steps == slow.steps
        if status == "stopped":
            assert fast.last_step == slow.last_step
        assert befunge_tier_trials.state(fast)[2:] == befunge_tier_trials.state(slow)[2:]
        if status in FINAL or status == "needs_input":
            break


def test_a_location_outside_of_all_cells_never_stops(parse: Callable[..., Any]) -> None:
    machine = parse(b">1v\n^$<\n").start(limits=Limits(steps=1000))
    newline = StopSet(frozenset({3}))
    assert machine.scan(100, newline).total == 0
    assert machine.run(100, newline) == "running"


@pytest.mark.parametrize(
    "source",
    [
        b"0>1+:7%:3%p   v\n ^            <",  # writes to cells of the loop
        b"0>1+:40p      v\n ^            <",  # `p` overwrites a cell of its row
        b"0>1+::f+1pv\n ^         <",
        b"0>1+::,v\n ^      <",
        b'0>1+"a",:v\n ^        <',
        b"0>1+';80pv\n ^        <",  # `p` overwrites itself
    ],
)
def test_a_run_reports_the_step_before_each_cell(source: bytes, parse: Callable[..., Any]) -> None:
    """Also if it wrote a cell or printed, after many steps at full speed."""
    rows = source.split(b"\n")
    for point in ((x, y) for y, row in enumerate(rows) for x in range(len(row))):
        fast, slow = (parse(source).start() for _ in range(2))
        for budget in (40, 400):
            status = fast.run(budget, StopSet(frozenset({point})))
            assert status == run_by_steps(slow, budget, {point})
            assert fast.steps == slow.steps
            if status == "stopped":
                assert fast.last_step == slow.last_step
            assert befunge_tier_trials.state(fast)[2:] == befunge_tier_trials.state(slow)[2:]
