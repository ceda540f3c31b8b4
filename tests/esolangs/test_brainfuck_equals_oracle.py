"""Compiled ≡ plain ≡ oracle, in everything a user can see, however the run is cut up."""

from __future__ import annotations

import pytest
from engines import engine_names, program
from hypothesis import example, given
from hypothesis import strategies as st
from oracles.brainfuck import Oracle
from strategies.brainfuck import options as some_options
from strategies.brainfuck import sources

from esolangs.brainfuck.program import BrainfuckMachine
from esolangs.limits import Limits
from esolangs.machine import FINAL
from esolangs.stops import StopSet
from esolangs.view import CallStack

ENGINES = engine_names("brainfuck")
MAX_STEPS = 3000  # steps an example is followed


def assert_same(machine: BrainfuckMachine, oracle: Oracle) -> None:
    core = machine.core
    cells = {at: machine.peek(at) for at in range(core.low - core.base, core.high - core.base)}
    assert machine.steps == oracle.steps
    assert machine.status == oracle.status
    assert machine.location == oracle.offset
    assert machine.registers()["ptr"] == oracle.pointer
    assert cells == oracle.cells
    loops = machine.view().panels[1]
    assert isinstance(loops, CallStack)
    assert loops.depth == len(loops.frames)
    rounds = {frame.span[0]: frame.times for frame in loops.frames}
    assert rounds == {oracle.code[at][0]: times for at, times in oracle.rounds.items()}
    assert machine.output_length == len(oracle.output)
    assert machine.input_position == oracle.position
    assert machine.memory == len(oracle.cells) * oracle.cell // 8


@pytest.mark.parametrize("engine", ENGINES)
@given(
    source=sources(),
    options=some_options(),
    stdin=st.binary(max_size=6),
    closed=st.booleans(),
    cuts=st.lists(st.integers(0, 400), max_size=6),
    limits=st.tuples(st.integers(0, MAX_STEPS), st.integers(0, 20), st.integers(1, 60)),
)
@example(
    b"+[]", {"tape": "error", "size": 0, "cell": 8, "eof": 0}, b"", True, [], (MAX_STEPS, 20, 60)
)
@example(
    b"+[>+]", {"tape": "error", "size": 0, "cell": 8, "eof": 0}, b"", True, [7], (MAX_STEPS, 1, 9)
)
@example(b"-[->+<]", {"tape": "error", "size": 0, "cell": 8, "eof": 0}, b"", True, [9], (900, 1, 9))
def test_an_interrupted_run_matches_the_oracle(
    engine: str,
    source: bytes,
    options: dict[str, str | int],
    stdin: bytes,
    closed: bool,
    cuts: list[int],
    limits: tuple[int, int, int],
) -> None:
    steps, output, memory = limits
    memory *= int(options["cell"]) // 8
    machine = program("brainfuck", source, engine, **options).start(
        stdin, closed=closed, limits=Limits(steps, output, memory)
    )
    oracle = Oracle(
        source,
        stdin,
        closed,
        **options,  # pyright: ignore[reportArgumentType]
        max_steps=steps,
        max_output=output,
        max_memory=memory,
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
@given(source=sources(), options=some_options(), stdin=st.binary(max_size=4))
def test_single_steps_show_their_effects(
    engine: str, source: bytes, options: dict[str, str | int], stdin: bytes
) -> None:
    machine = program("brainfuck", source, engine, **options).start(stdin)
    oracle = Oracle(source, stdin, **options)  # pyright: ignore[reportArgumentType]
    for _ in range(300):
        offset, read, printed = oracle.offset, oracle.position, len(oracle.output)
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
        if step.read is not None:
            assert source[offset : offset + 1] == b","
            assert step.read == stdin[read : oracle.position]


@pytest.mark.parametrize("engine", ENGINES)
@given(
    source=sources(),
    options=some_options(),
    stdin=st.binary(max_size=4),
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
    cell = data.draw(st.integers(-3, 5), "cell")
    offset = data.draw(st.integers(0, max(0, len(source) - 1)), "offset")
    index = data.draw(st.integers(0, 5), "output index")
    stops = StopSet(
        locations=frozenset({offset}),
        writes=frozenset({cell}),
        output_index=index,
        inputs=data.draw(st.booleans(), "inputs"),
    )
    oracle = Oracle(source, stdin, **options)  # pyright: ignore[reportArgumentType]
    oracle.run(pause)
    expected: list[int] = []
    while oracle.steps < pause + 500:
        read, reads = oracle.offset, source[oracle.offset : oracle.offset + 1] == b","
        if not oracle.step():
            break
        printed = len(oracle.output) == index + 1 and oracle.printed_at[-1] == oracle.steps
        wrote = any(w[0] == oracle.steps and w[1] == cell for w in oracle.writes[-1:])
        here = oracle.offset == offset < len(source) and source[offset] in b"><+-.,[]"
        if here or wrote or printed or (reads and stops.inputs and read is not None):
            expected.append(oracle.steps)
    code = program("brainfuck", source, engine, **options)
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
    stdin=st.binary(max_size=6),
    before=st.integers(0, 600),
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
    code = program("brainfuck", source, engine, **options)
    machine = code.start(stdin)
    machine.run(before)
    machine.take_printed()
    twin = code.resume(machine.snapshot(), stdin)
    if machine.status not in FINAL:  # why it ended shows again at the next attempt
        assert twin.view() == machine.view()
    machine.run(after)
    twin.run(after)
    assert twin.view() == machine.view()
    assert twin.take_printed() == machine.take_printed()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("single", [False, True])
def test_a_loop_that_an_edit_ends_has_no_rounds(engine: str, single: bool) -> None:
    machine = program("brainfuck", b"+++++[-]>++[>+<-]", engine).start()
    assert isinstance(machine, BrainfuckMachine)
    machine.run(8)  # between two rounds of the first loop
    machine.poke(0, 0)
    for _ in range(6 if single else 1):
        machine.run(1 if single else 6)  # into the second loop
    loops = machine.view().panels[1]
    assert isinstance(loops, CallStack)
    assert [frame.times for frame in loops.frames] == [1]
