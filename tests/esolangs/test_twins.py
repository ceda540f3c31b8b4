"""Compiled ≡ plain, run ≡ steps, resumed ≡ original, scan ≡ stops: for every language.

Random programs come from ``strategies/<language>.py``.
"""

from __future__ import annotations

from typing import Any

import pytest
from engines import engine_names, program
from hypothesis import given
from hypothesis import strategies as st
from strategies import strategies_of

from esolangs.errors import OptionError, ParseError
from esolangs.limits import Limits, World
from esolangs.machine import FINAL, Machine
from esolangs.registry import language_ids
from esolangs.stops import StopSet

MAX_STEPS = 1500  # steps an example is followed
WORLD = World(started=1_000_000_000)
BYTES = st.binary(max_size=6)
STOPS = st.builds(
    StopSet,
    filter=st.none(),
    output_index=st.none() | st.integers(0, 5),
    output_values=st.frozensets(st.integers(0, 255), max_size=40),
    inputs=st.booleans(),
    every=st.booleans(),
)
LIMITS = st.builds(
    Limits,
    steps=st.integers(0, MAX_STEPS) | st.just(MAX_STEPS),
    output=st.integers(0, 20) | st.just(10**6),
    memory=st.sampled_from([10**3, 10**4, 10**6, 10**6]),
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every language and engine; `make test` compares the twins and looks closer at one of them."""
    first_alone = metafunc.function is not test_compiled_and_plain_engines_agree
    metafunc.parametrize(
        ("language_id", "engine"),
        [
            pytest.param(id, engine, marks=[pytest.mark.slow] if first_alone and number else [])
            for id in language_ids()
            for number, engine in enumerate(engine_names(id))
        ],
    )


def draw_program(data: st.DataObject, language_id: str, engine: str) -> Any:
    """A random program under an engine, or an excuse."""
    strategies = strategies_of(language_id)
    source = data.draw(strategies.sources(), "source")
    options = data.draw(strategies.options(), "options")
    try:
        return program(language_id, source, engine, **options)
    except (ParseError, OptionError):
        return None


def visible_state(machine: Machine) -> tuple[object, ...]:
    """All that a user sees of a machine."""
    view = machine.view()
    status = "running" if view.status == "stopped" else view.status
    return (*view._replace(status=status), machine.location, machine.registers())


def run_to_same_step(machine: Machine, ahead: Machine) -> None:
    """Run a machine to where another one is, which may have found that it cannot go on."""
    machine.run(ahead.steps - machine.steps)
    if ahead.status not in ("running", "stopped"):
        machine.run(1)


@given(st.data())
def test_compiled_and_plain_engines_agree(
    language_id: str, engine: str, data: st.DataObject
) -> None:
    code = draw_program(data, language_id, engine)
    if code is None or engine == "plain":
        return
    options = dict(code.options)
    plain = program(language_id, code.source, "plain", **options)
    stdin = data.draw(strategies_of(language_id).stdins(), "stdin")
    closed, seed = data.draw(st.booleans(), "closed"), data.draw(st.integers(0, 3), "seed")
    limits = data.draw(LIMITS, "limits")
    ours, theirs = (
        each.start(stdin, closed=closed, seed=seed, limits=limits, world=WORLD)
        for each in (code, plain)
    )
    for budget in [*data.draw(st.lists(st.integers(0, 300), max_size=4), "cuts"), MAX_STEPS]:
        ours.run(budget)
        theirs.run(budget)
        assert visible_state(ours) == visible_state(theirs)
    assert ours.take_printed() == theirs.take_printed()
    assert ours.take_reads() == theirs.take_reads()


@given(st.data())
def test_run_equals_single_steps(language_id: str, engine: str, data: st.DataObject) -> None:
    code = draw_program(data, language_id, engine)
    if code is None:
        return
    stdin = data.draw(strategies_of(language_id).stdins(), "stdin")
    limits = data.draw(LIMITS, "limits")
    runner = code.start(stdin, limits=limits, world=WORLD)
    stepper = code.start(stdin, limits=limits, world=WORLD)
    looked = data.draw(st.sets(st.integers(0, MAX_STEPS), max_size=5), "looks")
    while stepper.steps < MAX_STEPS and stepper.step() is not None:
        assert stepper.status != "stopped"
        if stepper.steps in looked:
            runner.run(stepper.steps - runner.steps)
            assert visible_state(runner) == visible_state(stepper)
    run_to_same_step(runner, stepper)
    assert visible_state(runner) == visible_state(stepper)
    assert runner.take_printed() == stepper.take_printed()
    assert runner.take_reads() == stepper.take_reads()


@given(st.data())
def test_a_resumed_machine_continues(language_id: str, engine: str, data: st.DataObject) -> None:
    code = draw_program(data, language_id, engine)
    if code is None:
        return
    stdin = data.draw(strategies_of(language_id).stdins(), "stdin")
    limits = data.draw(LIMITS, "limits")
    original = code.start(stdin, seed=data.draw(st.integers(0, 3)), limits=limits, world=WORLD)
    original.run(data.draw(st.integers(0, 400), "before"))
    original.take_printed()
    original.take_reads()
    resumed = code.resume(original.snapshot(), stdin, limits=limits, world=WORLD)
    if original.status not in FINAL:  # why it ended shows again at the next attempt
        assert visible_state(resumed) == visible_state(original)
    snapshot = original.snapshot()
    for budget in data.draw(st.lists(st.integers(1, 400), min_size=1, max_size=3), "after"):
        original.run(budget)
        resumed.run(budget)
        assert visible_state(resumed) == visible_state(original)
    assert resumed.take_printed() == original.take_printed()
    again = code.resume(snapshot, stdin, limits=limits, world=WORLD)  # snapshots never change
    run_to_same_step(again, original)
    assert visible_state(again) == visible_state(original)


@given(st.data())
def test_compiled_and_plain_engines_stop_at_the_same_steps(
    language_id: str, engine: str, data: st.DataObject
) -> None:
    """Watching changes nothing, and a scan meets what runs stop at."""
    code = draw_program(data, language_id, engine)
    if code is None:
        return
    stdin = data.draw(strategies_of(language_id).stdins(), "stdin")
    spans = code.spans()
    some = st.sampled_from([start for start, _ in spans]) if spans else st.nothing()
    places = data.draw(st.frozensets(some, max_size=4), "places") if spans else frozenset[int]()
    stops = data.draw(STOPS, "stops")._replace(locations=places)
    pause = data.draw(st.integers(0, 200), "pause")
    machines = [code.start(stdin, world=WORLD) for _ in range(3)]
    for machine in machines:
        machine.run(pause)
    runner, scanner, watcher = machines
    met: list[int] = []
    end = pause + 500
    while runner.steps < end and runner.run(end - runner.steps, stops) == "stopped":
        assert runner.last_step is not None
        met.append(runner.steps)
    runner.run(0)  # the last stop may have been at the end of the program
    hits = scanner.scan(500, stops)
    assert (hits.total, hits.first, hits.last) == (
        (len(met), met[0], met[-1]) if met else (0, None, None)
    )
    assert visible_state(scanner) == visible_state(runner)
    run_to_same_step(watcher, runner)
    assert visible_state(watcher) == visible_state(runner)
    assert watcher.take_printed() == runner.take_printed()
