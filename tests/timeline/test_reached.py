"""Backward searches that leave out intervals find the stops of a search step by step."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from unittest import mock

import befunge_tier_trials
import pytest
from engines import engine_names, program

from esolangs import compiled
from esolangs.limits import Limits
from esolangs.stops import Address, ReachedGroups
from esoplay.timeline import search
from esoplay.timeline.breakpoint_spec import BreakpointSpec
from esoplay.timeline.breakpoints import Breakpoint
from esoplay.timeline.timeline import CellEdit, Checkpoints, Recording, Timeline

engines = pytest.mark.parametrize("engine", engine_names("befunge-98"))
ENGINE = engine_names("befunge-98")[0]
SMALL = b"v\n>1+\n"


def timeline_of(source: bytes, engine: str, stdin: bytes = b"", every: int = 17) -> Timeline:
    code = program("befunge-98", source, engine)
    recording = Recording(
        "befunge-98",
        "standard",
        code.options,
        code.source,
        stdin,
        limits=Limits(steps=700, output=50, memory=40_000),
    )
    return Timeline(code, recording, every)


def random_timeline(chance: Random, engine: str) -> Timeline:
    """A run of up to 700 steps with edits, moves and dropped checkpoints."""
    timeline = timeline_of(
        befunge_tier_trials.random_source(chance), engine, b"12 ab", chance.choice((5, 17, 60))
    )
    for _ in range(chance.randint(1, 4)):
        timeline.seek(chance.randrange(800))
        if chance.random() < 0.4:
            cell = chance.randrange(20), chance.randrange(5)
            timeline.edit(cell, chance.choice((32, 59, 49, 118, 60, 122)))
        if chance.random() < 0.5:
            drop_one(timeline)
    timeline.seek(800)
    return timeline.fork() if chance.random() < 0.2 else timeline


def drop_one(timeline: Timeline) -> None:
    if len(timeline.checkpoints) > 2:
        timeline.checkpoints._drop_cheapest()  # pyright: ignore[reportPrivateUsage]


def locations_of(timeline: Timeline) -> list[Address]:
    """The locations of all states, by a run without checkpoints."""
    twin = Timeline(timeline.program, timeline.recording, 1 << 40)
    found = [twin.machine.location]
    while twin.step < timeline.known_steps:
        twin.advance(twin.step + 1)
        found.append(twin.machine.location)
    return found


def backward_steps(timeline: Timeline, breakpoints: list[Breakpoint]) -> list[tuple[int, object]]:
    """All stops from the end to the start, with their log lines."""
    timeline.seek(timeline.known_steps)
    found: list[tuple[int, object]] = []
    while timeline.step:
        stop = search.run_backward(timeline, breakpoints)
        found.append((stop.step, stop.logs))
    return found


def specs_of(chance: Random, places: list[Address]) -> list[BreakpointSpec]:
    found: list[BreakpointSpec] = []
    for _ in range(chance.randint(1, 2)):
        point = chance.choice([*places, (chance.randrange(30), chance.randrange(8))])
        assert not isinstance(point, int)
        x, y = point
        text = chance.choice((None, None, "hits < 4", "step > 99", "depth > 1", "hits == 2"))
        log = chance.choice((None, None, None, "{hits} {top}"))
        found.append(BreakpointSpec(position=(x, y), condition=text, log=log))
    return found


def check(timeline: Timeline, chance: Random) -> int:
    """Compare searches; return how many intervals are known not to be at a random location."""
    places = locations_of(timeline)
    skipped = 0
    steps = timeline.checkpoints.steps_between(0, timeline.known_steps)
    for low, high in pairwise(steps):
        reached = timeline.checkpoints.reached_between(low, high)
        if reached is None:
            continue
        for each in places[low + 1 : high + 1]:
            assert any(overlaps(timeline, each, some) for some in reached)
        skipped += not any(overlaps(timeline, (29, 7), some) for some in reached)
    specs = specs_of(chance, places)
    code = timeline.program
    found = backward_steps(timeline, [Breakpoint(at, one, code) for at, one in enumerate(specs)])
    with mock.patch.object(Checkpoints, "reached_between", return_value=None):
        plain = [Breakpoint(at, one, code) for at, one in enumerate(specs)]
        assert backward_steps(timeline, plain) == found
    if not any(one.condition or one.log for one in specs) and not timeline.recording.edits:
        wanted = {one.position for one in specs}
        stops = [
            step for step, at in enumerate(places) if at in wanted and step < timeline.known_steps
        ]
        assert [step for step, _ in found if step] == [step for step in reversed(stops) if step]
    return skipped


def overlaps(timeline: Timeline, location: Address, reached: ReachedGroups) -> bool:
    machine = timeline.machine
    return bool(machine.reached_groups(frozenset((location,)), reached.layout) & reached.groups)


def test_backward_searches_equal_those_of_every_interval() -> None:
    assert sum(run_trial(seed, ENGINE) for seed in range(4)) > 10


@pytest.mark.slow
@engines
def test_many_backward_searches_equal_those_of_every_interval(engine: str) -> None:
    for seed in range(4, 40):
        run_trial(seed, engine)


@pytest.mark.slow
def test_backward_searches_in_the_tier_equal_those_of_every_interval(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("wasmtime", reason="wasmtime is not installed: esoplay[native]")
    monkeypatch.setattr(compiled, "MIN_CORE_SECONDS", 0)
    monkeypatch.setenv("ESOPLAY_TIER", "native")
    assert sum(run_trial(seed, ENGINE) for seed in range(40)) > 100


def run_trial(seed: int, engine: str) -> int:
    chance = Random(seed)
    return check(random_timeline(chance, engine), chance)


def test_a_place_that_was_left_long_ago_is_found_without_replay() -> None:
    timeline = timeline_of(SMALL, ENGINE)
    timeline.seek(600)
    at_start = Breakpoint(1, BreakpointSpec(position=(0, 0)), timeline.program)
    with mock.patch.object(search, "last_stop", wraps=search.last_stop) as replayed:
        assert search.run_backward(timeline, [at_start]).step == 0
    assert replayed.call_count <= 2


def test_recorded_locations_count_as_memory_of_checkpoints() -> None:
    timeline = timeline_of(SMALL, ENGINE)
    timeline.seek(600)
    size = timeline.checkpoints.size
    with mock.patch.object(type(timeline.machine), "take_reached", return_value=None):
        without = timeline_of(SMALL, ENGINE)
        without.seek(600)
    assert size > without.checkpoints.size + 100 * len(without.checkpoints)
    timeline.checkpoints.drop_after(0)
    without.checkpoints.drop_after(0)
    assert timeline.checkpoints.size == without.checkpoints.size


def test_locations_before_and_after_an_edit_count_as_reached() -> None:
    """The edit moves the IP: where it was before counts, and where it is now."""
    timeline = timeline_of(b"v 1\n>1+2$\n", ENGINE)
    timeline.seek(100)
    timeline.edit((2, 1), 32)
    assert CellEdit(100, (2, 1), 32) in timeline.recording.edits
    timeline.seek(400)
    check(timeline, Random(1))
