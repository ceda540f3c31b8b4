"""Instructions that move many cells: what they are charged, and where a limit stops them."""

from __future__ import annotations

from typing import Any

import pytest
from engines import engine_names, program
from oracles.befunge_98 import Oracle

from esolangs.limits import Limits

MANY, FREE = 5000, 4096
DEEP = "1&k1"  # with 5000 as the input: a stack of ones
BLOCK = "aa*5a*"  # 100 columns, 50 rows
LETTERS: dict[str, tuple[str, int]] = {
    "STRN N": (DEEP + "N", 2),
    "STRN D": (DEEP + "D", 1),
    "STRN A": (DEEP + "0" + DEEP + "A", 4),
    "STRN P": (DEEP + "00P", 3),
    "TOYS A": ("1&A", 1),
    "TOYS E": (DEEP + "E", 1),
    "TOYS S": ("1" + BLOCK + "0aS", 2),
    "TOYS C": ("0a" + BLOCK + "0aC", 3),
    "TOYS V": ("0a" + BLOCK + "0aV", 5),
    "TOYS F": (DEEP + BLOCK + "0aF", 3),
    "TOYS G": (BLOCK + "0aG", 2),
    "FRTH L": (DEEP + "&L", 2),
    "JSTR G": ("100a&G", 2),
    "JSTR P": (DEEP + "100a&P", 3),
    "SUBR C": (DEEP + "0a&C", 2),
    "EVAR G": (DEEP + "G", 1),
}
"""A letter on 5,000 cells, and how often it moves each of them."""


def started(
    engine: str, name: str, cell: int | str, work: int = 10**12
) -> tuple[Any, Oracle, bytes, int]:
    """The machine and the oracle just before the letter, the input, and the steps so far."""
    row = f'"{name[3::-1]}"4($${LETTERS[name][0]}z@'
    source, stdin = row.encode(), b"5000 " * 4
    oracle = Oracle(source, stdin, max_work=work, options={"cell": cell})
    while oracle.location() != (len(row) - 3, 0) or oracle.ips[0].repeats:
        oracle.run(1)
    machine = program("befunge-98", source, engine, cell=cell).start(
        stdin, limits=Limits(work=work)
    )
    machine.run(oracle.steps)
    return machine, oracle, stdin, oracle.steps


@pytest.mark.parametrize("engine", engine_names("befunge-98"))
@pytest.mark.parametrize("cell", [64, "unbounded"])
@pytest.mark.parametrize("name", LETTERS)
def test_the_work_is_that_of_the_oracle(engine: str, cell: int | str, name: str) -> None:
    machine, oracle, stdin, steps = started(engine, name, cell)
    assert machine.work == 0
    machine.run(1)
    oracle.run(1)
    assert machine.steps == oracle.steps == steps + 1
    assert machine.work == oracle.work
    # The end of a string that is written counts, and so do the characters of the program.
    assert machine.work // 64 in range(
        MANY * LETTERS[name][1] - FREE, MANY * LETTERS[name][1] - FREE + 30
    )
    # One unit less stops before the letter, with nothing changed.
    bound, poor, _, _ = started(engine, name, cell, machine.work - 1)
    before = bound.snapshot()
    bound.run(1)
    poor.run(1)
    assert (bound.limit, poor.fault, bound.steps, bound.work) == ("work", "work", steps, 0)
    code = program("befunge-98", bound.program.source, engine, cell=cell)
    resumed = code.resume(before, stdin)
    resumed.run(1)
    assert (resumed.steps, resumed.work) == (machine.steps, machine.work)
    assert resumed.core.plane == machine.core.plane
    assert resumed.core.far == machine.core.far


@pytest.mark.parametrize("engine", engine_names("befunge-98"))
def test_few_cells_cost_nothing(engine: str) -> None:
    source = b'"NRTS"4($$1&k1Nz@'
    machine = program("befunge-98", source, engine).start(b"2000", limits=Limits(work=0))
    machine.run(10_000)
    assert (machine.status, machine.work) == ("halted", 0)


@pytest.mark.parametrize("engine", engine_names("befunge-98"))
@pytest.mark.parametrize("name", ["STRN A", "FRTH L"])
def test_memory_for_many_values_is_counted_and_given_back(engine: str, name: str) -> None:
    machine, _, stdin, steps = started(engine, name, 64)
    snapshot, used = machine.snapshot(), machine.core.used
    machine.run(1)
    most = machine.memory
    assert most >= used + 64 * (MANY - FREE)
    assert machine.core.used < most
    code = machine.program
    for less in (0, 1):
        again = code.resume(snapshot, stdin, limits=Limits(memory=most - less))
        again.run(1)
        assert again.steps == steps + 1 - less
        assert again.limit == ("memory" if less else None)
