"""Counted loops around loops: billions of steps at once, and still every step is exact."""

from __future__ import annotations

import random
from typing import Any

import pytest
from engines import engine_names, program
from oracles.brainfuck import Oracle

from esolangs.brainfuck import _core
from esolangs.limits import Limits
from esolangs.stops import StopSet

ENGINES = engine_names("brainfuck")


def tower(height: int, cell: int = 1) -> str:
    """A loop that adds 1 to cell 0 for each move of a tower of disks, and its inner loops."""
    if not height:
        return ""
    return f"++[->{tower(height - 1, cell + 1)}<]{'<' * cell}+{'>' * cell}"


def steps_of(height: int, cell: int = 1) -> int:
    """The steps of ``tower``; a round has "[", "-", ">", "<" and "]"."""
    if not height:
        return 0
    return 2 + 2 * (5 + steps_of(height - 1, cell + 1)) + 2 * cell + 1


def nest(chance: random.Random, depth: int) -> str:
    """A random loop of up to ``depth`` levels; most end where they began."""
    if not depth:
        return chance.choice(("[-]", "[->+<]", "[->++>+<<]", "[-<+>]", "[+>-<]", "[--]", "[>]"))
    code, off = "", 0
    for _ in range(chance.randint(1, 4)):
        move = chance.randint(-1, 2)
        off += move
        code += (">" if move > 0 else "<") * abs(move) + "+" * chance.randint(0, 3)
        code += nest(chance, chance.randrange(depth))
    code += ("<" if off > 0 else ">") * abs(off)
    return f"[-{code}]"


def state(machine: Any) -> tuple[Any, ...]:
    core = machine.core
    cells = {at: machine.peek(at) for at in range(core.low - core.base, core.high - core.base)}
    at = machine.registers()["ptr"]
    return machine.steps, machine.status, machine.location, at, cells, machine.memory


def expected(oracle: Oracle) -> tuple[Any, ...]:
    memory = len(oracle.cells) * oracle.cell // 8
    cells = dict(sorted(oracle.cells.items()))
    return oracle.steps, oracle.status, oracle.offset, oracle.pointer, cells, memory


@pytest.mark.parametrize("engine", ENGINES)
def test_a_nest_takes_the_steps_of_its_rounds(engine: str) -> None:
    height = 40 if engine == "compiled" else 24
    machine = program("brainfuck", f">{tower(height)}<".encode(), engine, cell=32).start()
    assert machine.run(1 << 62) == "halted"
    assert machine.steps == steps_of(height) + 2
    assert machine.peek(0) == (2**height - 1) % 2**32


@pytest.mark.parametrize("turn", [None, 1, 50])
def test_random_nests_match_the_oracle(turn: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = ENGINES
    if turn is not None:  # a run that pauses often; the number is built into the compiled engine
        monkeypatch.setattr(_core, "PAUSE_STEPS", turn)
        chosen = ["plain"]
    for number in range(40):
        chance = random.Random(number)
        tape = chance.choice(("error", "wrap", "both-ways"))
        size = chance.choice((5, 9)) if tape == "wrap" else 0
        options: dict[str, Any] = {"cell": chance.choice((8, 16, 32)), "tape": tape, "size": size}
        begin = ">" * chance.randrange(5)
        source = f"{begin}++++{nest(chance, 3)}>+++{nest(chance, 2)}".encode()
        oracle = Oracle(source, **options, max_steps=2000)
        machines = [
            program("brainfuck", source, engine, **options).start(limits=Limits(2000))
            for engine in chosen
        ]
        oracle.run(0)
        for cut in (chance.randrange(40), chance.randrange(700), 2000):
            oracle.run(cut)
            for machine in machines:
                machine.run(cut)
                assert state(machine) == expected(oracle), (number, source, options)
            machines = [machine.copy() for machine in machines]


@pytest.mark.parametrize("engine", ENGINES)
def test_scans_count_the_stops_in_rounds_that_are_executed_at_once(engine: str) -> None:
    source = f">{tower(8)}<".encode()
    code = program("brainfuck", source, engine)
    deep = source.rindex(b"-")
    for stops in (StopSet(locations=frozenset({deep})), StopSet(writes=frozenset({8}))):
        steps: list[int] = []
        single = code.start()
        while single.run(1 << 62, stops) == "stopped":
            steps.append(single.steps)
        machine = code.start()
        machine.run(100)
        hits = machine.scan(1 << 62, stops)
        later = [step for step in steps if step > 100]
        assert (hits.total, hits.first, hits.last) == (len(later), later[0], later[-1])
        assert machine.status == "halted"


@pytest.mark.parametrize("engine", ENGINES)
def test_a_machine_with_patience_returns_early(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = 1 << 24
    if engine == "plain":
        turn = 1000
        monkeypatch.setattr(_core, "PAUSE_STEPS", turn)
    machine = program("brainfuck", b"+[]", engine).start()
    machine.patience = 0.0
    assert machine.run(10 * turn) == "running"
    assert 0 < machine.steps <= 2 * turn
    machine.patience = None
    before = machine.steps
    machine.run(3 * turn)
    assert machine.steps == before + 3 * turn
