"""What is charged for cells that a flying IP passes, and for a window that grows."""

from __future__ import annotations

from typing import Any

import pytest
from engines import engine_names, program
from oracles.befunge_98 import Oracle
from selection import slow_except

from esolangs.befunge_98.program import BefungeMachine
from esolangs.limits import Limits

FREE = 1 << 18
engines = pytest.mark.parametrize("engine", engine_names("befunge-98"))

WIDE = 300_001
PUTS = "&v\n >1-:::{}p:v\n ^          _@"
FLIGHTS: dict[str, tuple[str, dict[str, Any], bytes, int]] = {
    "torus": ("20x" + " " * WIDE, {"space": "box"}, b"", 3),
    "torus, past comments": ("20x;" + " " * WIDE + ";  ", {"space": "box"}, b"", 3),
    "row of the window": ("20x" + " " * WIDE + "z", {}, b"", 3),
    "row of the window, backwards": ("02-0x" + " " * WIDE + "z", {}, b"", 5),
    "string": ('02x" ' + " " * 10, {"space": "box"}, b"", 4),
    "operand of k": ("10v" + " " * WIDE + "z\n  >ak1&0x" + " " * WIDE, {"space": "box"}, b"2 ", 9),
    "far cells of a row": ("&" * 6 + "pp20x", {}, b"65 1000000 0 65 900001 0 ", 11),
}
"""Source, options, input, and the number of steps before the first flight."""


def pair(
    source: str, options: dict[str, Any], stdin: bytes, engine: str, work: int = 10**12
) -> tuple[BefungeMachine, Oracle]:
    text = source.encode()
    machine = program("befunge-98", text, engine, **options).start(stdin, limits=Limits(work=work))
    return machine, Oracle(text, stdin, options=options, max_work=work)


@engines
@pytest.mark.parametrize("name", FLIGHTS)
def test_the_work_of_a_flight_matches_the_oracle(engine: str, name: str) -> None:
    source, options, stdin, before = FLIGHTS[name]
    machine, oracle = pair(source, options, stdin, engine)
    for _ in range(before + 8):
        machine.run(1)
        oracle.run(1)
        assert (machine.steps, machine.status) == (oracle.steps, oracle.status)
        assert machine.work == oracle.work
    whole, _ = pair(source, options, stdin, engine)
    whole.run(before + 8)
    assert whole.work == machine.work


@engines
def test_a_long_flight_is_charged_to_the_step_after_it(engine: str) -> None:
    source, options, stdin, before = FLIGHTS["row of the window"]
    machine, _ = pair(source, options, stdin, engine)
    machine.run(before)
    snapshot = machine.snapshot()
    assert machine.work == 0
    machine.run(1)
    charge = WIDE // 2 * 2 - FREE
    assert machine.work in range(charge - 10, charge + 10)
    poor = machine.program.resume(snapshot, limits=Limits(work=machine.work - 1))
    poor.run(1)
    assert (poor.limit, poor.steps, poor.work) == ("work", before, 0)
    enough = poor.program.resume(poor.snapshot(), limits=Limits(work=machine.work))
    enough.run(1)
    assert (enough.limit, enough.steps, enough.work) == (None, before + 1, machine.work)


COMMENT = ";" + "z" * 20_000 + ";"
COMMENTS = {
    "east": "12" + COMMENT + "3@",
    "west": "<@3" + COMMENT + "21",
    "k": "12k" + COMMENT + "3@",
}


@engines
@pytest.mark.parametrize("name", COMMENTS)
def test_the_work_of_far_comment_cells_matches_the_oracle(engine: str, name: str) -> None:
    """Most of the row is outside the window, as the source is high."""
    source = COMMENTS[name] + "\n" * 3000
    machine, oracle = pair(source, {}, b"", engine)
    assert oracle.window is not None
    far = len(oracle.window.outside)
    while oracle.status == "running":
        machine.run(1)
        oracle.run(1)
        assert (machine.steps, machine.status) == (oracle.steps, oracle.status)
        assert machine.work == oracle.work
        machine = machine.program.resume(machine.snapshot())
    assert machine.work in range(16 * (far - 10) - FREE, 2 * (16 * far - FREE) + 1)


@engines
def test_a_short_flight_costs_nothing(engine: str) -> None:
    machine, oracle = pair("20x" + " " * 1000 + "z", {}, b"", engine, work=0)
    machine.run(3000)
    oracle.run(3000)
    assert (machine.status, machine.work) == (oracle.status, oracle.work) == ("running", 0)


@engines
@pytest.mark.parametrize("places", slow_except(["5", "a*", "aaaaa****\\"], "5"))
def test_a_step_that_enlarges_the_window_is_charged(engine: str, places: str) -> None:
    """Also where nothing is worth it, as all cells outside are looked at."""
    source = PUTS.format(places)
    machine, oracle = pair(source, {}, b"5000 ", engine)
    whole, _ = pair(source, {}, b"5000 ", engine)
    for _ in range(60):
        machine.run(997)
        oracle.run(997)
        assert (machine.steps, machine.status, machine.work) == (
            oracle.steps,
            oracle.status,
            oracle.work,
        )
        machine = machine.program.resume(machine.snapshot(), b"5000 ")
    whole.run(60 * 997)
    assert (whole.work, whole.core.width) == (machine.work, machine.core.width)
    assert oracle.window is not None
    core, window = machine.core, oracle.window
    assert (core.left, core.top) == (window.left, window.top)
    assert (core.width, core.height) == (
        window.right - window.left + 1,
        window.bottom - window.top + 1,
    )
    assert set(core.far) == window.outside


@engines
@pytest.mark.parametrize("memory", slow_except([1 << 30, 400_000], 1 << 30))
def test_a_window_grows_ahead_of_writes_to_one_side(engine: str, memory: int) -> None:
    """While memory allows it; less memory than for the cells ahead is enough to go on."""
    source = "ff*v\n   >1+:'z\\2pv\n   ^        <"
    machine = program("befunge-98", source.encode(), engine).start(limits=Limits(memory=memory))
    widths = {machine.core.width}
    while machine.steps < 60_000 and machine.run(500) == "running":
        assert machine.core.used <= memory
        widths.add(machine.core.width)
    assert machine.core.left == 0
    written = machine.core.high_x
    if memory > 400_000:
        assert len(widths) <= 7
        assert machine.core.width <= 2.5 * written
    else:
        assert written > 5000


@engines
def test_a_window_that_the_limit_of_work_forbids_does_not_grow(engine: str) -> None:
    """The program runs on, as a larger window only saves time."""
    source = "&v\n >1-:::aa*%\\aa*/aaa**3*+p:v\n ^                        _@"
    rich, _ = pair(source, {}, b"5000 ", engine)
    poor, _ = pair(source, {}, b"5000 ", engine, work=0)
    for machine in (rich, poor):
        machine.run(10**6)
        assert (machine.status, machine.limit) == ("halted", None)
    assert rich.work > poor.work == 0
    assert rich.steps == poor.steps
    assert rich.core.height > 3000 > poor.core.height
    assert all(poor.peek(point) == rich.peek(point) for point in poor.core.far)


@engines
def test_many_far_cells_are_spread_over_small_tables(engine: str) -> None:
    source = "&v\n >1-:::aaaaa****\\p:v\n ^                 _@"
    machine = program("befunge-98", source.encode(), engine).start(b"9000 ")
    machine.run(10**6)
    cells = machine.core.far
    assert len(cells) > 8000
    assert all(machine.core.get(*point) == value for point, value in cells.items())
    again = machine.program.resume(machine.snapshot())
    assert again.core.far == cells
