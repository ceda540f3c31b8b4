"""Compiled ≡ plain ≡ oracle, in everything a user can see, however the run is cut up."""

from __future__ import annotations

from typing import Any

import pytest
from engines import engine_names, program
from hypothesis import given
from hypothesis import strategies as st
from oracles.befunge_98 import SPACE, Oracle, Refused
from strategies.befunge_98 import options as some_options
from strategies.befunge_98 import sources, stdins

from esolangs.befunge_98.program import BefungeMachine
from esolangs.limits import Limits, World
from esolangs.machine import FINAL
from esolangs.stops import StopSet

ENGINES = engine_names("befunge-98")
MAX_STEPS = 600  # steps an example is followed
STARTED = 1_000_000_000
MEMORY = 128 << 20  # what the far cells take that the oracle lets a step write at most


def both(
    engine: str, source: bytes, options: dict[str, Any], stdin: bytes, *, seed: int = 0,
    closed: bool = True, steps: int = 10**9, output: int = 10**9, work: int = 10**9,
) -> tuple[BefungeMachine, Oracle]:  # fmt: skip
    machine = program("befunge-98", source, engine, **options).start(
        stdin,
        closed=closed,
        seed=seed,
        limits=Limits(steps, output, MEMORY, work),
        world=World(started=STARTED),
    )
    oracle = Oracle(
        source, stdin, closed, steps, output, work, options=options, seed=seed, started=STARTED
    )
    oracle.run(0)
    return machine, oracle


def too_large(machine: BefungeMachine, oracle: Oracle) -> bool:
    """Memory is what the oracle does not count; such an example ends there."""
    assert (machine.limit == "memory") == (oracle.fault == "memory")
    return machine.limit == "memory"


def assert_same_cells(machine: BefungeMachine, oracle: Oracle) -> None:
    core, cells = machine.core, dict(machine.core.far)
    for at, value in enumerate(core.plane):
        if value != SPACE:
            y, x = divmod(at, core.width + 2)
            cells[core.left + x - 1, core.top + y - 1] = value
    assert cells == oracle.space.cells


def assert_same(machine: BefungeMachine, oracle: Oracle) -> None:
    core = machine.core
    assert (machine.steps, machine.status) == (oracle.steps, oracle.status)
    if machine.fault is not None:
        assert machine.fault.kind == oracle.fault
    assert (machine.limit == "work") == (oracle.fault == "work")
    assert machine.work == oracle.work
    assert machine.exit_code == oracle.exit_code
    assert machine.output_length == len(oracle.output)
    assert machine.input_position == oracle.position
    if oracle.status in ("halted", "faulted"):
        return
    registers = machine.registers()
    assert registers["ips"] == len(oracle.ips)
    ip = oracle.ips[oracle.turn]
    if oracle.location() is not None:
        assert machine.location == oracle.location()
    assert registers["id"] == ip.id
    assert (registers["dx"], registers["dy"]) == ip.delta
    assert (registers["ox"], registers["oy"]) == ip.offset
    assert registers["string"] == ip.in_string
    assert registers["repeats"] == sum(times for times, _ in ip.repeats)
    for ours, theirs in zip(core.ips, oracle.ips, strict=True):
        stacks = [*ours.below, (ours.buffer, ours.depth)]
        assert [list(buffer[:depth]) for buffer, depth in stacks] == theirs.stacks


@pytest.mark.parametrize("engine", ENGINES)
@given(
    source=sources(),
    options=some_options(),
    stdin=stdins(),
    closed=st.booleans(),
    seed=st.integers(0, 3),
    cuts=st.lists(st.integers(0, 100), max_size=6),
    limits=st.tuples(
        st.integers(0, MAX_STEPS) | st.just(MAX_STEPS),
        st.integers(0, 20) | st.just(10**6),
        st.sampled_from([0, 1, 5, 40, 2000, 10**9, 10**9]),
    ),
)
def test_an_interrupted_run_matches_the_oracle(
    engine: str,
    source: bytes,
    options: dict[str, Any],
    stdin: bytes,
    closed: bool,
    seed: int,
    cuts: list[int],
    limits: tuple[int, int, int],
) -> None:
    steps, output, work = limits
    machine, oracle = both(
        engine,
        source,
        options,
        stdin,
        seed=seed,
        closed=closed,
        steps=steps,
        output=output,
        work=work,
    )
    for budget in [0, *cuts, MAX_STEPS]:
        machine.run(budget)
        oracle.run(budget)
        if too_large(machine, oracle):
            return
        if machine.steps == oracle.steps and machine.status != "running":
            machine.run(1)  # what it cannot do is found when it is tried
            oracle.run(1)
        assert_same(machine, oracle)
        assert_same_cells(machine, oracle)
    printed, printed_at = machine.take_printed()
    assert printed == bytes(oracle.output)
    assert list(printed_at) == oracle.printed_at
    assert list(machine.take_reads()) == oracle.read_at


@pytest.mark.parametrize("engine", ENGINES)
@given(source=sources(), options=some_options(), stdin=stdins())
def test_single_steps_show_their_effects(
    engine: str, source: bytes, options: dict[str, Any], stdin: bytes
) -> None:
    machine, oracle = both(engine, source, options, stdin)
    for _ in range(200):
        place, read, printed = oracle.location(), oracle.position, len(oracle.output)
        known = len(oracle.writes)
        step = machine.step()
        oracle.run(1)
        if too_large(machine, oracle):
            return
        assert_same(machine, oracle)
        if step is None:
            assert machine.status in FINAL
            break
        assert (step.number, step.location) == (oracle.steps, place)
        assert step.printed == bytes(oracle.output[printed:])
        written = [write[1:] for write in oracle.writes[known:]]
        assert [tuple(write) for write in step.writes] == written
        assert (step.read or b"") == stdin[read : oracle.position]
    assert_same_cells(machine, oracle)


@pytest.mark.parametrize("engine", ENGINES)
@given(
    source=sources(),
    options=some_options(),
    stdin=stdins(),
    pause=st.integers(0, 200),
    data=st.data(),
)
def test_stops_match_the_oracle(
    engine: str,
    source: bytes,
    options: dict[str, Any],
    stdin: bytes,
    pause: int,
    data: st.DataObject,
) -> None:
    point = st.tuples(st.integers(0, 9), st.integers(0, 2))
    marks = data.draw(st.frozensets(point, max_size=3), "marks")
    cells = data.draw(st.frozensets(point, max_size=3), "cells")
    index = data.draw(st.integers(0, 5), "output index")
    stops = StopSet(locations=marks, writes=cells, output_index=index)
    _, oracle = both(engine, source, options, stdin)
    oracle.run(pause)
    expected: list[int] = []
    end = pause + 300
    while oracle.steps < end:
        before, known = len(oracle.output), len(oracle.writes)
        if not oracle.step():
            break
        printed = before <= index < len(oracle.output)
        wrote = any(at in cells for _, at, _, _ in oracle.writes[known:])
        here = oracle.status == "running" and oracle.location() in marks
        if printed or wrote or here:
            expected.append(oracle.steps)
    if oracle.fault == "memory":
        return
    runner, _ = both(engine, source, options, stdin)
    scanner, _ = both(engine, source, options, stdin)
    for machine in (runner, scanner):
        machine.run(pause)
        if machine.status in FINAL:
            return
    found: list[int] = []
    while runner.steps < end and runner.run(end - runner.steps, stops) == "stopped":
        found.append(runner.steps)
    assert found == expected
    hits = scanner.scan(300, stops)
    assert (hits.total, hits.first, hits.last) == (
        (len(expected), expected[0], expected[-1]) if expected else (0, None, None)
    )


@pytest.mark.parametrize("engine", ENGINES)
@given(
    source=sources(),
    options=some_options(),
    stdin=stdins(),
    before=st.integers(0, 300),
    after=st.integers(1, 300),
)
def test_a_resumed_machine_matches_the_oracle(
    engine: str, source: bytes, options: dict[str, Any], stdin: bytes, before: int, after: int
) -> None:
    machine, oracle = both(engine, source, options, stdin)
    machine.run(before)
    limits = Limits(memory=MEMORY)
    twin = machine.program.resume(
        machine.snapshot(), stdin, limits=limits, world=World(started=STARTED)
    )
    machine.run(1)  # the original's further way is not the twin's
    oracle.run(before)
    twin.run(after)
    oracle.run(after)
    if not too_large(twin, oracle):
        assert_same(twin, oracle)
        assert_same_cells(twin, oracle)


def test_the_oracle_stops_at_open_input() -> None:
    oracle = Oracle(b"5&.@", b"", closed=False)
    assert oracle.run(9) == "needs_input"
    assert (oracle.steps, oracle.ips[0].stacks, oracle.location()) == (1, [[5]], (1, 0))
    with pytest.raises(Refused):
        Oracle(b"").fetch(Oracle(b"").ips[0])
