"""Far cells, huge counts, crowds of pointers: what no program means, and some do."""

from __future__ import annotations

from typing import Any

import pytest
from engines import one_fast_engine, program

from esolangs.limits import UNLIMITED, Limits
from esolangs.view import Window

engines = pytest.mark.parametrize("engine", one_fast_engine("befunge-98"))
MAX_INT64, MIN_INT64 = (1 << 63) - 1, 1 - (1 << 63)  # that & can read
FAR = 10**9


def started(source: str, engine: str, *numbers: int, **limits: int) -> Any:
    """A machine whose ``&`` reads these numbers."""
    text = b" ".join(b"%d" % number for number in numbers)
    return program("befunge-98", source.encode(), engine).start(text, limits=Limits(**limits))


@engines
def test_a_far_cell_costs_nothing_on_the_way(engine: str) -> None:
    points = [(-FAR, FAR), (FAR, -FAR), (MIN_INT64, MIN_INT64), (MAX_INT64, MAX_INT64)]
    numbers = [number for point in points for number in (7, *point)]
    near = started("z" * 16 + "@", engine)
    machine = started("&&&p" * 4 + "@", engine, *numbers)
    assert machine.run(100) == "halted"
    assert machine.memory == near.memory + 4 * 256
    assert [machine.peek(point) for point in points] == [7] * 4


@engines
def test_an_ip_reaches_a_far_cell_and_returns(engine: str) -> None:
    # Westwards from (12, 1): 1 at the western end, then . and @ from the eastern one.
    source = "&&&p&&&p&&&pv\n            <\n"
    cells = (ord("1"), -FAR, 1, ord("."), FAR + 1, 1, ord("@"), FAR, 1)
    machine = started(source, engine, *cells)
    assert machine.run(1000) == "halted"
    assert (machine.take_output(), machine.steps) == (b"1 ", 17)


@engines
def test_rows_of_spaces_are_crossed_without_walking_them(engine: str) -> None:
    steps = 2_000_000 if engine == "compiled" else 20_000
    wide = 200_000
    machine = started(f"1+\n{' ' * wide}@", engine, memory=10**8)
    machine.run(2 * steps)
    assert machine.registers()["top"] == steps
    tall = started("v " + "\n" * 20_000 + " @", engine, memory=10**8)
    tall.run(steps)
    assert (tall.steps, tall.location) == (steps, (0, 0))
    large = program("befunge-98", f"1+\n{' ' * wide}@".encode(), engine, cell="unbounded")
    numbers = large.start(limits=Limits(memory=10**8))
    numbers.run(20_000)
    assert numbers.registers()["top"] == 10_000
    # Written where nothing was, erased again: what was remembered of the row has to change.
    cell = started("v\n>'1&0p  z' &0p\n" + " " * wide + "@", engine, 500, 500, memory=10**8)
    cell.run(7)
    assert cell.peek((500, 0)) == ord("1")
    cell.run(4)
    assert cell.peek((500, 0)) == 32


@engines
def test_unlimited_splitting_reaches_the_memory_limit(engine: str) -> None:
    machine = started("t", engine, memory=200_000, steps=10**7)
    assert (machine.run(10**7), machine.limit) == ("limited", "memory")
    assert 200_000 - 1056 < machine.memory <= 200_000
    assert machine.registers()["ips"] == machine.steps + 1


@engines
@pytest.mark.parametrize("count", [MAX_INT64, MIN_INT64, 1 << 40, -(1 << 40)])
@pytest.mark.parametrize("source", ["&{@", "0{&}@", "0{&u@"])
def test_blocks_of_huge_sizes_reach_the_memory_limit(engine: str, source: str, count: int) -> None:
    machine = started(source, engine, count, memory=10**6)
    status = machine.run(100)
    negative_end = source == "0{&}@" and count < 0  # it drops cells, and there are none
    assert (status, machine.limit) == (("halted", None) if negative_end else ("limited", "memory"))
    assert machine.memory <= 10**6


@engines
@pytest.mark.parametrize("count", [MAX_INT64, MIN_INT64, 1 << 40, -(1 << 40)])
@pytest.mark.parametrize("source", ["&j.@", "&y.@", "0&(@", "1&)@", '"SYOT"4(&&H.@'])
def test_huge_counts_take_one_step(engine: str, source: str, count: int) -> None:
    machine = started(source, engine, count, count, steps=1000, memory=10**6)
    machine.run(1000)
    assert machine.fault is None
    assert machine.limit in (None, "steps")


@engines
def test_a_huge_iteration_takes_one_step_per_repetition(engine: str) -> None:
    machine = started("&kz.@", engine, MAX_INT64)
    assert machine.run(1000) == "running"
    assert machine.steps == 1000
    assert machine.registers()["repeats"] == MAX_INT64 - 998
    resumed = machine.program.resume(machine.snapshot(), b"%d" % MAX_INT64)
    assert resumed.run(1000) == "running"
    assert resumed.registers()["repeats"] == MAX_INT64 - 1998


@engines
@pytest.mark.parametrize(
    ("source", "steps"),
    [
        (" " * 300_000, 0),
        ("\n" * 50_000, 0),
        (";;", 0),
        (";" + " " * 100_000 + ";", 0),
        ("; 1.@ ;", 0),
        (";" * 99_999, None),
        ("#" + " " * 100_000, None),
        ("v\n\n;\n;", None),
    ],
)
def test_paths_without_instructions_are_detected_at_once(
    engine: str, source: str, steps: int | None
) -> None:
    machine = started(source, engine, memory=10**8, steps=100)
    machine.run(1000)
    if steps == 0:
        assert (machine.status, machine.fault.kind, machine.steps) == ("faulted", "empty_path", 0)
    else:
        assert machine.status in ("faulted", "limited")


@engines
def test_a_hundred_thousand_nested_blocks_run_and_resume(engine: str) -> None:
    stacks = 100_000 if engine == "compiled" else 20_000
    machine = started("0{", engine, memory=10**9)
    machine.run(2 * stacks)
    assert machine.registers()["stacks"] == stacks + 1
    assert machine.view(Window(depth=3)).panels
    resumed = machine.program.resume(machine.snapshot(), limits=Limits(memory=10**9))
    for one in (machine, resumed):
        one.run(2)
        assert one.registers()["stacks"] == stacks + 2
    small = started("0{", engine, memory=100_000)
    assert (small.run(UNLIMITED), small.limit) == ("limited", "memory")


@engines
def test_the_bounds_that_y_shows_shrink_again(engine: str) -> None:
    # y's 18th and 19th cells are the greatest point, counted from the least one.
    tell = "99+y.a9+y."
    source = f"{tell}'z&&p{tell}' &&p{tell}@"
    machine = started(source, engine, FAR, 5, FAR, 5)
    assert machine.run(1000) == "halted"
    told = [int(number) for number in machine.take_output().split()]
    assert told[:2] == told[4:]
    assert sorted(told[2:4]) == [5, FAR]
