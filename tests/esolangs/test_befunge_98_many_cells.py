"""Instructions that move many cells: what they are charged, and where a limit stops them."""

from __future__ import annotations

from typing import Any

import pytest
from engines import engine_names, program
from oracles.befunge_98 import Oracle
from selection import slow_except

from esolangs.befunge_98.posix_match import match
from esolangs.befunge_98.posix_regex import compile_pattern
from esolangs.limits import Limits

FREE, MANY, VERY_MANY = 1 << 18, 20_000, 200_000
STDIN = b"20000 " * 4
DEEP = "1&A"  # a stack of ones
BLOCK = "aa*aa*2*"  # 100 columns, 200 rows
LETTERS: dict[str, tuple[str, int]] = {
    "STRN N": (DEEP, 16 + 64),
    "STRN D": (DEEP, 16),
    "STRN A": (DEEP + "0" + DEEP, 2 * (16 + 64)),
    "STRN P": (DEEP + "00", 16 + 256),
    "TOYS A": ("1&", 64),
    "TOYS E": (DEEP, 64),
    "TOYS S": ("1" + BLOCK + "0a", 256),
    "TOYS C": ("0a" + BLOCK + "0a", 64 + 256),
    "TOYS V": ("0a" + BLOCK + "0a", 64 + 2 * 256),
    "TOYS F": (DEEP + BLOCK + "0a", 64 + 256),
    "TOYS G": (BLOCK + "0a", 64 + 64),
    "FRTH L": (DEEP + "&", 64 + 64),
    "JSTR G": ("100a&", 64 + 64),
    "JSTR P": (DEEP + "100a&", 64 + 256),
    "SUBR C": (DEEP + "0a&", 64 + 64),
    "EVAR G": (DEEP, 16),
}
"""A letter on 20,000 cells: what is executed before it, and the units for each of them."""

INSTRUCTIONS: dict[str, tuple[str, str, int]] = {
    "{": ("&", "200000", 2),
    "{ with zeros below": ("0&-", "200000", 2),
    "}": ("&{&", "200000 200000", 2),
    "u": ("&0{&", "9 200000", 2),
    "u from SOSS": ("&1-{0&-", "200001 200000", 2),
    "t": ("&{", "200000", 2),
}
"""What is executed before an instruction, the input of that, and the units for 200,000 cells."""


def load(fingerprint: str) -> str:
    return f'"{fingerprint[::-1]}"4($$'


def started(
    engine: str, row: str, stdin: bytes, cell: int | str, work: int = 10**12
) -> tuple[Any, Oracle]:
    """The machine and the oracle just before the last instruction but ``z@``."""
    source = row.encode()
    oracle = Oracle(source, stdin, max_work=work, options={"cell": cell})
    while oracle.location() != (len(row) - 3, 0) or oracle.ips[0].repeats:
        assert oracle.run(1) == "running"
    machine = program("befunge-98", source, engine, cell=cell).start(
        stdin, limits=Limits(work=work)
    )
    machine.run(oracle.steps)
    assert (machine.steps, machine.work) == (oracle.steps, oracle.work)
    return machine, oracle


def check_charge(
    engine: str, row: str, stdin: bytes, cell: int | str, least: int, most: int
) -> None:
    machine, oracle = started(engine, row, stdin, cell)
    steps, before, snapshot = machine.steps, machine.work, machine.snapshot()
    machine.run(1)
    oracle.run(1)
    assert machine.steps == oracle.steps == steps + 1
    assert machine.work == oracle.work
    assert least <= machine.work - before <= most
    # One unit less stops before the instruction, with nothing changed.
    code = machine.program
    poor = code.resume(snapshot, stdin, limits=Limits(work=machine.work - 1))
    poor.run(1)
    assert (poor.limit, poor.steps, poor.work) == ("work", steps, before)
    poor_oracle = Oracle(row.encode(), stdin, max_work=machine.work - 1, options={"cell": cell})
    poor_oracle.run(steps + 1)
    assert (poor_oracle.fault, poor_oracle.steps) == ("work", steps)
    resumed = code.resume(poor.snapshot(), stdin)
    resumed.run(1)
    assert (resumed.steps, resumed.work) == (machine.steps, machine.work)
    assert resumed.core.plane == machine.core.plane
    assert resumed.core.far == machine.core.far
    assert (
        resumed.core.ip.buffer[: resumed.core.ip.depth]
        == (machine.core.ip.buffer[: machine.core.ip.depth])
    )


def row_of(name: str) -> str:
    return load("TOYS") + LETTERS[name][0] + load(name[:4]) + name[5] + "z@"


@pytest.mark.parametrize("engine", engine_names("befunge-98"))
@pytest.mark.parametrize("cell", [64, "unbounded"])
@pytest.mark.parametrize("name", slow_except(LETTERS, "TOYS C"))
def test_the_work_of_a_letter_matches_the_oracle(engine: str, cell: int | str, name: str) -> None:
    charge = MANY * LETTERS[name][1] - FREE
    # The end of a string that is written counts, and so do the characters of the program.
    check_charge(engine, row_of(name), STDIN, cell, charge, charge + 4000)


@pytest.mark.parametrize("engine", engine_names("befunge-98"))
@pytest.mark.parametrize("cell", [64, "unbounded"])
@pytest.mark.parametrize("name", slow_except(INSTRUCTIONS, "{", "}", "t"))
def test_the_work_of_an_instruction_matches_the_oracle(
    engine: str, cell: int | str, name: str
) -> None:
    row, stdin, units = INSTRUCTIONS[name]
    if cell == "unbounded" and name[0] in "}t":
        units += 32 if name[0] == "}" else 30  # the sizes of the values are looked up
    charge = VERY_MANY * units - FREE
    check_charge(engine, row + name[0] + "z@", (stdin + " ").encode(), cell, charge, charge + 200)


@pytest.mark.parametrize("engine", engine_names("befunge-98"))
@pytest.mark.parametrize("letter", ["1", "+", "y", "H"])
def test_moving_a_whole_stack_is_charged(engine: str, letter: str) -> None:
    row = load("MODE") + "&{IQ1" + letter + "z@"
    machine, oracle = started(engine, row, b"300000 ", 64)
    before = machine.work
    machine.run(1)
    oracle.run(1)
    units = 33 if letter in "yH" else 1
    assert machine.work - before in range(300_000 * units - FREE, 300_100 * units - FREE)
    assert machine.work == oracle.work


@pytest.mark.parametrize("engine", engine_names("befunge-98"))
@pytest.mark.parametrize("row", ["&{n", "&0{&{t@"])
def test_discarding_large_numbers_is_charged(engine: str, row: str) -> None:
    machine, oracle = started(engine, row + "z@", b"20000 20000 ", "unbounded")
    machine.run(1)
    oracle.run(1)
    assert machine.work == oracle.work >= 20_000 * 32 - FREE


@pytest.mark.parametrize("engine", engine_names("befunge-98"))
@pytest.mark.parametrize(("row", "stacks"), [("&{n0}z@", 3_000_000), ("&{t@", 3_000_016)])
def test_freeing_memory_is_charged(engine: str, row: str, stacks: int) -> None:
    """Beyond 2^20 cells of the stacks' memory, also where they have become empty."""
    code = program("befunge-98", row.encode(), engine)
    machine = code.start(b"3000000")
    machine.run(4)
    before, snapshot = machine.work, machine.snapshot()
    machine.run(1)
    assert machine.work - before == (stacks - (1 << 20)) // 4
    poor = code.resume(snapshot, b"3000000", limits=Limits(work=machine.work - 1))
    poor.run(1)
    assert (poor.limit, poor.steps, poor.work) == ("work", 4, before)


@pytest.mark.parametrize("engine", engine_names("befunge-98"))
@pytest.mark.parametrize("row", ["0'a&k:1C", "0'a&k:1C0'a0E"])
def test_an_expression_is_charged_by_its_length(engine: str, row: str) -> None:
    """To compile it and to execute it, which may have to compile it again."""
    row = load("REXP") + row + "@"
    machine = program("befunge-98", row.encode(), engine).start(b"999 ")
    while machine.location != (len(row) - 2, 0):
        machine.run(1)
    before = machine.work
    machine.run(1)
    charge = 1001 * 1024 - FREE
    assert machine.work - before in range(charge, charge + 1001 * 16 + 1000)


@pytest.mark.parametrize("engine", engine_names("befunge-98"))
def test_a_search_is_charged_by_its_operations(engine: str) -> None:
    expression, text = b"(a*)b*\\1c", b"a" * 20
    row = load("REXP") + '0"' + expression.decode()[::-1] + '"1C0"' + text.decode() + '"0E@'
    machine = program("befunge-98", row.encode(), engine).start()
    while machine.location != (len(row) - 2, 0):
        machine.run(1)
    assert machine.work == 0
    machine.run(1)
    _, operations = match(compile_pattern(tuple(expression), 1), tuple(text), 0)
    charge = operations * 128 - FREE
    assert 0 < charge <= machine.work <= charge + 1024 * (len(expression) + 1)


@pytest.mark.parametrize("engine", engine_names("befunge-98"))
def test_few_cells_cost_nothing(engine: str) -> None:
    source = b'"NRTS"4($$1&k1Nz@'
    machine = program("befunge-98", source, engine).start(b"2000", limits=Limits(work=0))
    machine.run(10_000)
    assert (machine.status, machine.work) == ("halted", 0)


@pytest.mark.parametrize("engine", engine_names("befunge-98"))
@pytest.mark.parametrize("name", slow_except(LETTERS, "STRN A", "TOYS G"))
def test_the_least_memory_of_a_letter_is_what_it_reports(engine: str, name: str) -> None:
    machine, _ = started(engine, row_of(name), STDIN, 64)
    steps, snapshot, used = machine.steps, machine.snapshot(), machine.core.used

    def bounded(memory: int) -> Any:
        again = machine.program.resume(snapshot, STDIN, limits=Limits(memory=memory))
        again.run(1)
        assert (again.steps, again.limit) in ((steps + 1, None), (steps, "memory"))
        return again

    fresh = bounded(used + (64 << 20))
    low, high = machine.memory, fresh.memory  # what it had before; what is enough
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if bounded(middle).limit else (low, middle)
    least = bounded(low)
    assert least.memory == low
    # What it held or set aside is given back, and where the window grew does not matter.
    assert least.core.used <= low <= fresh.memory
    for x, y in ((0, 0), (10, 0), (99, 0), (10, 50), (99, 199), (10, 199), (1999, 0)):
        assert least.core.get(x, y) == fresh.core.get(x, y)
    if name in ("STRN A", "STRN N", "FRTH L", "TOYS F"):
        assert low >= used + 64 * (MANY - 4096)


@pytest.mark.parametrize("engine", engine_names("befunge-98"))
def test_a_block_in_the_window_takes_no_memory(engine: str) -> None:
    row = load("TOYS") + "'x" + "a5*6" + "00Sz@"  # the first rows, 50 columns
    source = "\n".join([row, *["z" * 60] * 6]).encode()
    code = program("befunge-98", source, engine)
    machine = code.start()
    machine.run(len(row) - 2)
    before = machine.memory
    assert machine.core.used == before
    again = code.start(limits=Limits(memory=before))
    again.run(1000)
    assert again.limit is None
    assert again.memory == before
