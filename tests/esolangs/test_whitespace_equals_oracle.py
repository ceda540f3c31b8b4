"""Compiled ≡ plain ≡ oracle, in everything a user can see, however the run is cut up."""

from __future__ import annotations

import pytest
from engines import engine_names, program
from hypothesis import given
from hypothesis import strategies as st
from oracles.whitespace import Oracle
from strategies.whitespace import options as some_options
from strategies.whitespace import sources, stdins

from esolangs.limits import Limits
from esolangs.machine import FINAL
from esolangs.stops import StopSet
from esolangs.view import Window
from esolangs.whitespace.assembly import assemble
from esolangs.whitespace.program import WhitespaceMachine

ENGINES = engine_names("whitespace")
MAX_STEPS = 2500  # steps an example is followed


def assert_same(machine: WhitespaceMachine, oracle: Oracle) -> None:
    core = machine.core
    assert machine.steps == oracle.steps
    assert machine.status == oracle.status
    assert machine.location == oracle.offset
    assert [core.value(at) for at in range(core.depth())] == oracle.stack
    assert [core.frame(at) for at in range(core.calls)] == oracle.calls
    assert {at: machine.peek(at) for at in oracle.heap} == oracle.heap
    assert machine.peek(3) == oracle.heap.get(3, 0)
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
    cuts=st.lists(st.integers(0, 400), max_size=6),
    limits=st.tuples(
        st.integers(0, MAX_STEPS) | st.just(MAX_STEPS),
        st.integers(0, 20) | st.just(10**6),
        st.integers(1, 3000) | st.just(10**6),
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
    machine = program("whitespace", source, engine, **options).start(
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
    machine = program("whitespace", source, engine, **options).start(stdin)
    oracle = Oracle(source, stdin, **options)  # pyright: ignore[reportArgumentType]
    for _ in range(300):
        offset, read, printed = oracle.offset, oracle.position, len(oracle.output)
        name = oracle.code[oracle.ip][1] if oracle.ip < len(oracle.code) else ""
        step = machine.step()
        oracle.run(1)
        assert_same(machine, oracle)
        if step is None:
            assert machine.status in FINAL
            break
        assert (step.number, step.location) == (oracle.steps, offset)
        assert step.printed == bytes(oracle.output[printed:])
        written = [w[1:] for w in oracle.writes if w[0] == oracle.steps]
        assert [tuple(write) for write in step.writes] == written
        assert (step.read is not None) == (name in ("readc", "readn"))
        if step.read is not None:
            assert step.read == stdin[read : oracle.position]


@pytest.mark.parametrize("engine", ENGINES)
@given(
    source=sources(),
    options=some_options(),
    stdin=stdins(),
    pause=st.integers(0, 500),
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
    begins = [at for at, _, _ in oracle.code]
    place = data.draw(st.sampled_from(begins or [0]), "place")
    depth = data.draw(st.none() | st.integers(0, 2), "depth")
    cell = data.draw(st.sampled_from([0, 7, 8, -1, 2000, 1 << 80]), "cell")
    index = data.draw(st.integers(0, 5), "output index")
    stops = StopSet(
        locations=frozenset({place if depth is None else (place, depth)}),
        writes=frozenset({cell}),
        output_index=index,
        inputs=data.draw(st.booleans(), "inputs"),
    )
    oracle.run(pause)
    expected: list[int] = []
    while oracle.steps < pause + 500:
        printed = len(oracle.output)
        reads = oracle.ip < len(oracle.code) and oracle.code[oracle.ip][1] in ("readc", "readn")
        if not oracle.step():
            break
        here = oracle.ip < len(oracle.code) and oracle.offset == place
        if (
            (here and (depth is None or len(oracle.calls) == depth))
            or printed <= index < len(oracle.output)
            or any(w[0] == oracle.steps and w[1] == cell for w in oracle.writes[-1:])
            or (reads and stops.inputs)
        ):
            expected.append(oracle.steps)
    code = program("whitespace", source, engine, **options)
    machine = code.start(stdin)
    machine.run(pause)
    if machine.status in FINAL:
        return
    found: list[int] = []
    end = pause + 500
    while machine.steps < end and machine.run(end - machine.steps, stops) == "stopped":
        found.append(machine.steps)
    assert found == expected
    scanner = code.start(stdin)
    scanner.run(pause)
    hits = scanner.scan(500, stops)
    assert (hits.total, hits.first, hits.last) == (
        (len(expected), expected[0], expected[-1]) if expected else (0, None, None)
    )
    assert scanner.steps == machine.steps


@pytest.mark.parametrize("engine", ENGINES)
@given(
    source=sources(),
    options=some_options(),
    stdin=stdins(),
    before=st.integers(0, 1500),
    after=st.integers(1, 600),
)
def test_a_resumed_machine_matches_the_original(
    engine: str,
    source: bytes,
    options: dict[str, str | int],
    stdin: bytes,
    before: int,
    after: int,
) -> None:
    code = program("whitespace", source, engine, **options)
    machine = code.start(stdin)
    machine.run(before)
    machine.take_printed()
    twin = code.resume(machine.snapshot(), stdin)
    large = Window(depth=500)
    if machine.status not in FINAL:  # why it ended shows again at the next attempt
        assert twin.view(large) == machine.view(large)
    machine.run(after)
    twin.run(after)
    assert twin.view(large) == machine.view(large)
    assert twin.take_printed() == machine.take_printed()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("stdin", [b"", b"\n", b" \t "])
def test_end_of_input_that_changes_no_cell_is_not_a_write(engine: str, stdin: bytes) -> None:
    """Also after spaces that the step reads."""
    source = assemble(b"push 0\npush 5\nstore\npush 0\nreadn\nend\n").source
    code = program("whitespace", source, engine, eof="unchanged", number="token")
    machine = code.start(stdin)
    machine.run(4)
    step = machine.step()
    assert step is not None
    assert (step.read, step.writes, machine.peek(0)) == (stdin, (), 5)
    watching = code.start(stdin)
    watching.run(3)
    assert watching.run(100, StopSet(writes=frozenset({0}))) == "halted"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("far_cells", "most_work", "work", "cells"),
    [
        (4097, 10**9, 64, 131_072),
        (4500, 10**9, 64 * 4500 - 262_144, 131_072),
        (4500, 64 * 4500 - 262_145, 0, 0),
        (4096, 0, 0, 131_072),
    ],
)
def test_a_store_that_enlarges_the_window_is_charged(
    engine: str, far_cells: int, most_work: int, work: int, cells: int
) -> None:
    """The window does not grow if the work limit does not allow a search of the far cells."""
    text = "push 1000000\nlabel fill\ndup\ndup\nstore\npush 1\nadd\ndup\n"
    text += f"push {1_000_000 + far_cells}\nsub\njn fill\npush 66000\npush 7\nstore\nend\n"
    source = assemble(text.encode()).source
    limits = Limits(memory=10**9, work=most_work)
    machine = program("whitespace", source, engine).start(limits=limits)
    oracle = Oracle(source, max_work=most_work)
    assert machine.run(10**6) == oracle.run(10**6) == "halted"
    assert_same(machine, oracle)
    assert (machine.work, machine.core.cells, oracle.window) == (work, cells, cells)
