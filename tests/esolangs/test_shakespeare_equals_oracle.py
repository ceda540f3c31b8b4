"""Compiled ≡ plain ≡ oracle, in everything a user can see, however the run is cut up."""

from __future__ import annotations

import pytest
from engines import engine_names, program
from hypothesis import given
from hypothesis import strategies as st
from oracles.shakespeare import Oracle
from strategies.shakespeare import options as some_options
from strategies.shakespeare import sources, stdins

from esolangs.limits import Limits
from esolangs.machine import FINAL
from esolangs.numbers import abbreviate
from esolangs.shakespeare.program import ShakespeareMachine
from esolangs.stops import StopSet
from esolangs.view import Stage

ENGINES = engine_names("shakespeare")
MAX_STEPS = 1000  # steps an example is followed


def assert_same(machine: ShakespeareMachine, oracle: Oracle) -> None:
    assert (machine.steps, machine.status) == (oracle.steps, oracle.status)
    assert machine.location == oracle.offset
    assert machine.fault is None or machine.fault.kind == oracle.fault
    assert [machine.peek(at) for at in range(4)] == list(oracle.values.values())
    stage = machine.view().panels[0]
    assert isinstance(stage, Stage)
    assert bool(stage.condition) == oracle.asked
    assert {actor.name.lower() for actor in stage.actors if actor.on_stage} == set(oracle.stage)
    for actor, stack in zip(stage.actors, oracle.stacks.values(), strict=True):
        assert actor.stack.depth == len(stack)
        assert actor.stack.values == tuple(abbreviate(value) for value in stack[:-33:-1])
    assert machine.output_length == len(oracle.output)
    assert machine.input_position == oracle.position
    assert machine.memory == oracle.memory
    assert machine.work == oracle.work


@pytest.mark.parametrize("engine", ENGINES)
@given(
    source=sources(),
    options=some_options(),
    stdin=stdins(),
    closed=st.booleans(),
    cuts=st.lists(st.integers(0, 200), max_size=6),
    limits=st.tuples(
        st.integers(0, MAX_STEPS) | st.just(MAX_STEPS),
        st.integers(0, 20) | st.just(10**6),
        st.sampled_from([31, 32, 40, 100, 1000, 10**6, 10**6]),
        st.sampled_from([0, 1, 2, 5, 40, 2000, 10**9, 10**9, 10**9]),
    ),
)
def test_an_interrupted_run_matches_the_oracle(
    engine: str,
    source: bytes,
    options: dict[str, str | int],
    stdin: bytes,
    closed: bool,
    cuts: list[int],
    limits: tuple[int, int, int, int],
) -> None:
    steps, output, memory, work = limits
    machine = program("shakespeare", source, engine, **options).start(
        stdin, closed=closed, limits=Limits(steps, output, memory, work)
    )
    oracle = Oracle(
        source,
        stdin,
        closed,
        **options,  # pyright: ignore[reportArgumentType]
        max_steps=steps,
        max_output=output,
        max_memory=memory,
        max_work=work,
    )
    oracle.run(0)
    assert_same(machine, oracle)
    for budget in [*cuts, MAX_STEPS]:
        machine.run(budget)
        oracle.run(budget)
        assert_same(machine, oracle)
    printed, printed_at = machine.take_printed()
    assert printed == bytes(oracle.output)
    assert list(printed_at) == oracle.printed_at
    assert list(machine.take_reads()) == oracle.read_at


@pytest.mark.parametrize("engine", ENGINES)
@given(source=sources(), options=some_options(), stdin=stdins())
def test_single_steps_show_their_effects(
    engine: str, source: bytes, options: dict[str, str | int], stdin: bytes
) -> None:
    machine = program("shakespeare", source, engine, **options).start(stdin)
    oracle = Oracle(source, stdin, **options)  # pyright: ignore[reportArgumentType]
    names = list(oracle.values)
    for _ in range(200):
        offset, read, printed = oracle.offset, oracle.position, len(oracle.output)
        step = machine.step()
        oracle.run(1)
        assert_same(machine, oracle)
        if step is None:
            assert machine.status in FINAL
            break
        assert (step.number, step.location) == (oracle.steps, offset)
        assert step.printed == bytes(oracle.output[printed:])
        written = [(names.index(w[1]), *w[2:]) for w in oracle.writes if w[0] == oracle.steps]
        assert [tuple(write) for write in step.writes] == written
        assert (step.read or b"") == stdin[read : oracle.position]


@pytest.mark.parametrize("engine", ENGINES)
@given(
    source=sources(),
    options=some_options(),
    stdin=stdins(),
    pause=st.integers(0, 100),
    data=st.data(),
)
def test_stops_match_the_oracle(
    engine: str,
    source: bytes,
    options: dict[str, str | int],
    stdin: bytes,
    pause: int,
    data: st.DataObject,
) -> None:
    oracle = Oracle(source, stdin, **options)  # pyright: ignore[reportArgumentType]
    names = list(oracle.values)
    who = data.draw(st.integers(0, 3), "who")
    start = data.draw(st.sampled_from([0, *(entry[0] for entry in oracle.script)]), "offset")
    index = data.draw(st.integers(0, 5), "output index")
    byte = data.draw(st.sampled_from(b"0123aA"), "byte")
    stops = StopSet(
        locations=frozenset({start}),
        writes=frozenset({who}),
        output_index=index,
        output_values=frozenset({byte}),
        inputs=data.draw(st.booleans(), "inputs"),
    )
    oracle.run(pause)
    expected: list[int] = []
    while oracle.steps < pause + 300:
        reads = oracle.script[oracle.ip][3] if oracle.ip < len(oracle.script) else ""
        writes = len(oracle.writes)
        before, printed = oracle.position, len(oracle.output)
        if not oracle.step():
            break
        wrote = oracle.writes[writes:]
        asked = "open y" in reads or "open thy mind" in reads or "listen" in reads
        if (
            oracle.offset == start
            or any(write[1] == names[who] for write in wrote)
            or printed <= index < len(oracle.output)
            or byte in oracle.output[printed:]
            or (stops.inputs and ((wrote and asked) or oracle.position > before))
        ):
            expected.append(oracle.steps)
    code = program("shakespeare", source, engine, **options)
    machine = code.start(stdin)
    machine.run(pause)
    if machine.status in FINAL:
        return
    found: list[int] = []
    end = pause + 300
    while machine.steps < end and machine.run(end - machine.steps, stops) == "stopped":
        found.append(machine.steps)
    assert found == expected
    scanner = code.start(stdin)
    scanner.run(pause)
    hits = scanner.scan(300, stops)
    assert (hits.total, hits.first, hits.last) == (
        (len(expected), expected[0], expected[-1]) if expected else (0, None, None)
    )
