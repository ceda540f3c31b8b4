"""Compiled ≡ plain ≡ oracle, in everything a user can see, however the run is cut up.

Garbage is collected every few words, so that a word that goes astray is found.
"""

from __future__ import annotations

import pytest
from engines import engine_names, program
from hypothesis import example, given
from hypothesis import strategies as st
from oracles.unlambda import Oracle
from strategies.unlambda import sources, stdins

from esolangs.limits import Limits
from esolangs.machine import FINAL
from esolangs.stops import StopSet
from esolangs.unlambda.program import UnlambdaMachine, UnlambdaProgram
from esolangs.view import CallStack

ENGINES = engine_names("unlambda")
MAX_STEPS = 1500  # steps an example is followed
NURSERIES = st.sampled_from([1, 2, 3, 7, 40, 16384])


def code_of(source: bytes, engine: str, nursery: int = 1) -> UnlambdaProgram:
    code: UnlambdaProgram = program("unlambda", source, engine)
    code.nursery = nursery
    return code


def assert_same(machine: UnlambdaMachine, oracle: Oracle) -> None:
    assert machine.steps == oracle.steps
    assert machine.status == oracle.status
    assert machine.location == oracle.offset
    assert machine.registers()["char"] == oracle.current
    assert machine.registers()["depth"] == oracle.depth
    assert machine.registers()["cells"] == oracle.cells
    assert machine.output_length == len(oracle.output)
    assert machine.input_position == oracle.position
    assert machine.memory == oracle.memory


@pytest.mark.parametrize("engine", ENGINES)
@given(
    source=sources(),
    stdin=stdins(),
    closed=st.booleans(),
    nursery=NURSERIES,
    cuts=st.lists(st.integers(0, 300), max_size=6),
    limits=st.tuples(
        st.integers(0, MAX_STEPS), st.integers(0, 20), st.sampled_from([8, 60, 200, 1000, 10**9])
    ),
)
@example(b"``ci`ci", b"", True, 1, [5], (MAX_STEPS, 1, 10**9))
@example(b"```sii``sii", b"", True, 1, [1, 1, 1], (MAX_STEPS, 1, 10**9))
@example(b"```s`ki``sii``s`ki``sii", b"", True, 1, [100], (MAX_STEPS, 1, 1000))
@example(b"``r`ci`.*`ci", b"", True, 3, [7, 7], (MAX_STEPS, 9, 10**9))
@example(b"```scdi", b"", True, 1, [], (MAX_STEPS, 9, 10**9))
def test_an_interrupted_run_matches_the_oracle(
    engine: str,
    source: bytes,
    stdin: bytes,
    closed: bool,
    nursery: int,
    cuts: list[int],
    limits: tuple[int, int, int],
) -> None:
    steps, output, memory = limits
    machine = code_of(source, engine, nursery).start(
        stdin, closed=closed, limits=Limits(steps, output, memory)
    )
    oracle = Oracle(source, stdin, closed, steps, output, memory, nursery)
    oracle.run(0)
    assert_same(machine, oracle)
    for budget in [*cuts, MAX_STEPS]:
        machine.run(budget)
        oracle.run(budget)
        assert_same(machine, oracle)
        continuation = machine.view().panels[1]
        assert isinstance(continuation, CallStack)
        assert continuation.depth == oracle.depth
        assert len(continuation.frames) == min(32, oracle.depth)
    printed, printed_at = machine.take_printed()
    assert printed == bytes(oracle.output)
    assert list(printed_at) == oracle.printed_at
    assert list(machine.take_reads()) == oracle.read_at


@pytest.mark.parametrize("engine", ENGINES)
@given(source=sources(), stdin=stdins(), nursery=NURSERIES)
def test_single_steps_show_their_effects(
    engine: str, source: bytes, stdin: bytes, nursery: int
) -> None:
    machine = code_of(source, engine, nursery).start(stdin)
    oracle = Oracle(source, stdin, nursery=nursery)
    for _ in range(200):
        offset, read, printed = oracle.offset, oracle.position, len(oracle.output)
        tries = oracle.read_tries
        step = machine.step()
        oracle.run(1)
        assert_same(machine, oracle)
        if step is None:
            assert machine.status in FINAL
            break
        assert (step.number, step.location) == (oracle.steps, offset)
        assert step.span == machine.program.atom_span(offset)
        assert (step.writes, step.printed) == ((), bytes(oracle.output[printed:]))
        if oracle.read_tries > tries:
            assert step.read == stdin[read : oracle.position]
        else:
            assert step.read is None


@pytest.mark.parametrize("engine", ENGINES)
@given(source=sources(), stdin=stdins(), pause=st.integers(0, 300), data=st.data())
def test_stops_match_the_oracle(
    engine: str, source: bytes, stdin: bytes, pause: int, data: st.DataObject
) -> None:
    code = code_of(source, engine)
    offset = data.draw(st.sampled_from([start for start, _ in code.spans()]), "offset")
    index = data.draw(st.integers(0, 5), "output index")
    inputs = data.draw(st.booleans(), "inputs")
    stops = StopSet(locations=frozenset({offset}), output_index=index, inputs=inputs)
    oracle = Oracle(source, stdin, nursery=1)
    oracle.run(pause)
    expected: list[int] = []
    while oracle.steps < pause + 300:
        tries, printed = oracle.read_tries, len(oracle.output)
        if not oracle.step():
            break
        met = oracle.fun is not None and oracle.offset == offset
        met = met or (inputs and oracle.read_tries > tries)
        if met or printed == index < len(oracle.output):
            expected.append(oracle.steps)
    machine, scanner = code.start(stdin), code.start(stdin)
    machine.run(pause)
    scanner.run(pause)
    if machine.status in FINAL:
        return
    found: list[int] = []
    end = pause + 300
    while machine.steps < end and machine.run(end - machine.steps, stops) == "stopped":
        found.append(machine.steps)
    assert found == expected
    hits = scanner.scan(300, stops)
    assert (hits.total, hits.first, hits.last) == (
        (len(expected), expected[0], expected[-1]) if expected else (0, None, None)
    )


@pytest.mark.parametrize("engine", ENGINES)
@given(
    source=sources(),
    stdin=stdins(),
    nursery=NURSERIES,
    looks=st.lists(st.integers(1, 200), min_size=1, max_size=6),
)
def test_snapshots_and_views_change_nothing(
    engine: str, source: bytes, stdin: bytes, nursery: int, looks: list[int]
) -> None:
    """Machines that are resumed again and again stay where the undisturbed one is."""
    code = code_of(source, engine, nursery)
    undisturbed = machine = code.start(stdin)
    for budget in looks:
        machine = code.resume(machine.snapshot(), stdin)
        machine.run(budget)
        machine.snapshot()
        undisturbed.run(budget)
        assert machine.view() == undisturbed.view()
        assert machine.registers() == undisturbed.registers()
    assert machine.run(MAX_STEPS) == undisturbed.run(MAX_STEPS)
    assert (machine.steps, machine.memory) == (undisturbed.steps, undisturbed.memory)
