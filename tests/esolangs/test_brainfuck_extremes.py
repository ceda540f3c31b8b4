"""Extreme numbers: far cells, huge tapes, endless output."""

from __future__ import annotations

import tracemalloc
from functools import partial
from typing import Any

import pytest
from engines import one_fast_engine, program
from saved_states import comparable_state

from esolangs.errors import OptionError
from esolangs.limits import UNLIMITED, Limits
from esolangs.stops import Hits, StopSet

FAR = 10**15  # more than any machine has memory for
brainfuck = partial(program, "brainfuck")
engines = pytest.mark.parametrize("engine", one_fast_engine("brainfuck"))


@engines
@pytest.mark.parametrize("far", [FAR, 10**30, -FAR, -(10**30)])
@pytest.mark.parametrize("tape", ["error", "both-ways"])
def test_watching_a_far_cell_is_free_and_near_cells_still_stop(
    engine: str, far: int, tape: str
) -> None:
    stops = StopSet(writes=frozenset({1, far}), output_index=10**30)
    machine = brainfuck(b"+>+<+", engine, tape=tape).start()
    tracemalloc.start()
    assert machine.run(100, stops) == "stopped"
    assert machine.steps == 3
    assert machine.run(100, stops) == "halted"
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()


@engines
@pytest.mark.parametrize(("move", "cell"), [(b">", 1000), (b"<", -1000)])
def test_a_watched_cell_may_be_past_the_current_tape(engine: str, move: bytes, cell: int) -> None:
    code = program(
        "brainfuck", b"+" + move * 1000 + b"+" + move * 2000 + b"-", engine, tape="both-ways"
    )
    stops = StopSet(writes=frozenset({0, cell, 3 * cell}))
    machine = code.start()
    met = [1, 1002, 3003]
    for step in met:
        assert machine.run(UNLIMITED, stops) == "stopped"
        assert machine.steps == step
    assert code.start().scan(UNLIMITED, stops) == Hits(3, met[0], met[-1])


@engines
def test_a_fixed_tape_takes_memory_as_it_is_visited(engine: str) -> None:
    machine = brainfuck(b">" * 1000 + b"+.", engine, size=FAR).start()
    assert machine.run(2000) == "halted"
    wrapping = program("brainfuck", b">" * 1000 + b"+" + b"<" * 1001, engine, size=FAR, tape="wrap")
    machine = wrapping.start(limits=Limits(memory=5000))
    assert machine.run(9000) == "limited"
    assert (machine.steps, machine.limit) == (2001, "memory")


@engines
def test_a_wrapping_tape_starts_with_its_last_cell(engine: str) -> None:
    machine = program(
        "brainfuck", b"+" + b">" * 400 + b"<" * 401 + b"-.", engine, size=700, tape="wrap"
    )
    run = machine.start()
    assert run.run(9000) == "halted"
    assert (run.take_output(), run.peek(699), run.peek(0)) == (b"\xff", 255, 1)


def test_a_tape_too_large_to_count_is_refused() -> None:
    with pytest.raises(OptionError, match="size"):
        brainfuck(b"+", "plain", size=UNLIMITED + 1)


@engines
def test_huge_limits_have_no_effect(engine: str) -> None:
    limits = Limits(10**30, 10**30, 10**30)
    machine = brainfuck(b"+.", engine).start(limits=limits)
    assert machine.run(10) == "halted"


WALK = b"+[" + b"<+" * 700 + b">+" * 1100 + b"<" * 1000 + b"[-]+]"


def small_parts(monkeypatch: pytest.MonkeyPatch, room: int = 1 << 30) -> None:
    monkeypatch.setattr("esolangs.brainfuck.program._PART", 1024)
    monkeypatch.setattr("esolangs.lazy_zeros.RESERVED_BYTES", room)


def unavailable(size: int, code: str) -> None:
    """What ``lazy_zeros`` is where it does not work."""


@engines
@pytest.mark.parametrize("cell", [8, 16, 32])
@pytest.mark.parametrize("room", [1 << 30, 4096], ids=["enough room", "too little room"])
@pytest.mark.parametrize("lazily", [True, False], ids=["lazily", "in place"])
def test_a_large_tape_grows_to_both_sides(
    engine: str, cell: int, room: int, lazily: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = program("brainfuck", WALK, engine, cell=cell, tape="both-ways")
    expected = code.start()
    expected.run(100_000)
    small_parts(monkeypatch, room)
    if not lazily:
        monkeypatch.setattr("esolangs.lazy_zeros.lazy_zeros", unavailable)
    machine = code.start()
    machine.run(40_000)
    snapshot = machine.snapshot()
    machine.run(60_000)
    again = code.resume(snapshot)
    again.run(60_000)
    states = [comparable_state(each.snapshot()) for each in (machine, again, expected)]
    assert states[0] == states[1] == states[2]
    assert expected.memory > 2048


@engines
@pytest.mark.parametrize(
    ("source", "options"),
    [(b"+[<+]", {"tape": "both-ways"}), (b"<+[<+]", {"tape": "wrap", "size": 1 << 24})],
    ids=["both-ways", "wrap"],
)
def test_growing_a_large_tape_to_the_left_moves_no_cell(
    engine: str, source: bytes, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    small_parts(monkeypatch)
    machine = program("brainfuck", source, engine, **options).start()
    machine.run(4000)
    mapping = machine.core.buffer.obj
    machine.run(40_000)
    assert machine.core.buffer.obj is mapping
    assert machine.core.high - machine.core.low > 10_000
