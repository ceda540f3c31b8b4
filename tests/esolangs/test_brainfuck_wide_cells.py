"""Cells of 16 and 32 bits: loops of any number of rounds are exact, and cost no time.

What a loop does is computed here by arithmetic, as stepping through four thousand million rounds
takes too long; where cells have 16 bits the oracle steps through all of them.
"""

from __future__ import annotations

from math import gcd
from typing import Any

import pytest
from engines import engine_names, one_fast_engine, program
from hypothesis import given
from hypothesis import strategies as st
from oracles.brainfuck import Oracle
from selection import slow_except

from esolangs.limits import Limits
from esolangs.stops import StopSet
from esoplay.debugging.debugger import BreakpointSpec, Debugger

BITS = (8, 16, 32)
ENGINES = engine_names("brainfuck")
VISITED = 5  # cells to either side of the counting cell that were visited before the loop
FAR = 10**18


class Loop:
    """A loop over ``body``, which comes back to where it began, and begins with ``value`` there."""

    def __init__(self, body: str, value: int, bits: int):
        self.commands = f"[{body}]"
        self.value = value
        self.modulus = 1 << bits
        self.sums: dict[int, int] = {0: 0}
        off = 0
        for command in body:
            off += (command == ">") - (command == "<")
            if command in "+-":
                self.sums[off] = self.sums.get(off, 0) + (1 if command == "+" else -1)
        assert off == 0

    @property
    def rounds(self) -> int | None:
        """How many there are; None where the loop never ends."""
        common = gcd(self.sums[0], self.modulus)
        if self.value % common:
            return None
        period = self.modulus // common
        return -self.value // common * pow(self.sums[0] // common, -1, period) % period

    @property
    def steps(self) -> int | None:
        """Of the whole loop; a loop that is skipped takes one."""
        rounds = self.rounds
        return None if rounds is None else max(1, rounds * len(self.commands))

    def after(self, steps: int) -> tuple[int, int, dict[int, int]]:
        """The next command, the pointer and the cells after some steps of the loop."""
        rounds, rest = divmod(steps, len(self.commands))
        cells = {cell: n * rounds % self.modulus for cell, n in self.sums.items()}
        cells[0] = (cells[0] + self.value) % self.modulus
        pointer = 0
        for command in self.commands[:rest]:
            pointer += (command == ">") - (command == "<")
            if command in "+-":
                changed = cells[pointer] + (1 if command == "+" else -1)
                cells[pointer] = changed % self.modulus
        if self.steps is not None and steps >= self.steps:
            rest = len(self.commands)
        return rest, pointer, {cell: value for cell, value in cells.items() if value}


BEFORE = b">" * VISITED + b"<" * 2 * VISITED + b">" * VISITED


def start_loop(loop: Loop, engine: str, bits: int, limits: Limits | None = None) -> Any:
    """A machine in front of the loop, whose cells have been visited."""
    source = BEFORE + loop.commands.encode() + b">."
    code = program("brainfuck", source, engine, cell=bits, tape="both-ways")
    machine = code.start(limits=limits or Limits())
    machine.run(len(BEFORE))
    machine.poke(0, loop.value)
    return machine


def state(machine: Any) -> tuple[int, int, dict[int, int]]:
    """As :meth:`Loop.after` has it."""
    cells = {cell: machine.peek(cell) for cell in range(-VISITED, VISITED + 1)}
    nonzero = {cell: value for cell, value in cells.items() if value}
    return machine.location - len(BEFORE), machine.registers()["ptr"], nonzero


@st.composite
def bodies(draw: st.DrawFn) -> str:
    """Bodies of loops that end where they began; some change the counting cell by much."""
    text, off = draw(st.sampled_from(["-", "+", "--", "---", "++++", "-----", ""])), 0
    for part in draw(st.lists(st.sampled_from(["+", "-", ">", "<", ">>", "++"]), max_size=8)):
        moved = off + part.count(">") - part.count("<")
        if abs(moved) <= VISITED:
            text, off = text + part, moved
    return text + ("<" * off if off > 0 else ">" * -off)


def values(bits: int) -> st.SearchStrategy[int]:
    """Of the counting cell: few rounds, many rounds, and anything."""
    most = (1 << bits) - 1
    near = st.integers(0, 9)
    return near | near.map(lambda less: most - less) | st.integers(0, most)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("bits", BITS)
@given(data=st.data())
def test_an_interrupted_loop_matches_its_arithmetic(engine: str, bits: int, data: Any) -> None:
    loop = Loop(data.draw(bodies(), "body"), data.draw(values(bits), "value"), bits)
    machine = start_loop(loop, engine, bits)
    end = FAR if loop.steps is None else loop.steps
    near_end = st.integers(0, 20).map(lambda less: max(0, end - less))
    cuts = data.draw(st.lists(st.integers(0, 99) | st.integers(0, end) | near_end, max_size=5))
    if not loop.sums[0]:  # no merged loop: it would really be executed
        cuts, end = [cut % 5_000 for cut in cuts], min(end, 5_000)
    for cut in sorted({min(cut, end) for cut in [*cuts, end]}):
        machine.run(len(BEFORE) + cut - machine.steps)
        assert machine.steps == len(BEFORE) + cut
        assert state(machine) == loop.after(cut)
        resumed = machine.copy()
        assert state(resumed) == state(machine)
        for at in range(cut + 1, min(cut + len(loop.commands), end) + 1):
            resumed.step()
            assert state(resumed) == loop.after(at)
        machine = machine.copy() if cut % 2 else machine


LOOPS = ["-[-]", "+[+]", "--[--]", "-[-----]", "-[->+<]", "-[->++>-<<]", "-[>+<-----]"]
LOOPS += ["----[---->>++<<]", "-[->+-<]", "-[->><<]", "-[[->+<]>[-<+>]<--]", "-[->+>+<<]>[-]"]


@pytest.mark.parametrize("source", slow_except(LOOPS, "-[->++>-<<]"))
def test_all_rounds_of_sixteen_bits_match_the_oracle(source: str) -> None:
    oracle = Oracle(source.encode(), cell=16)
    code = [program("brainfuck", source.encode(), engine, cell=16) for engine in ENGINES]
    machines = [each.start() for each in code]
    for cut in (3, 10, 997, 60_001, 13, 400_000, 3_000_000):
        oracle.run(min(cut, 1_500_000 - oracle.steps))
        for machine in machines:
            machine.run(oracle.steps - machine.steps)
            assert (machine.steps, machine.status) == (oracle.steps, oracle.status)
            assert machine.location == oracle.offset
            assert {at: machine.peek(at) for at in oracle.cells} == oracle.cells


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("bits", "rounds"), [(8, 255), (16, 65_535)])
def test_nested_loops_count_every_step(engine: str, bits: int, rounds: int) -> None:
    machine = program("brainfuck", b"-[>-[-]<-]", engine, cell=bits).start()
    assert machine.run(FAR) == "halted"
    assert machine.steps == 1 + rounds * (3 * rounds + 6)


@pytest.mark.parametrize("engine", ENGINES)
def test_thirty_two_bits_are_cleared_moved_and_divided_at_once(engine: str) -> None:
    """A product of -1 and -1, and -1 divided by 5, in fourteen thousand million steps and more."""
    all_rounds = 2**32 - 1
    for source, steps, cells in [
        (b"-[-]", 1 + 3 * all_rounds, [0]),
        (b"-[->-<]", 1 + 6 * all_rounds, [0, 1]),
        (b"-[>+<-----]", 1 + 10 * all_rounds // 5, [0, all_rounds // 5]),
        (b"--[-->+<]", 2 + 7 * (2**31 - 1), [0, 2**31 - 1]),
        (b"-[>-[-]<[-]]", 5 + 6 * all_rounds + 1, [0, 0]),
    ]:
        machine = program("brainfuck", source, engine, cell=32).start()
        assert machine.run(FAR) == "halted"
        assert machine.steps == steps
        assert [machine.peek(at) for at in range(len(cells))] == cells


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("bits", BITS)
def test_an_even_step_never_clears_an_odd_cell(engine: str, bits: int) -> None:
    code = program("brainfuck", b"+[-->+<]", engine, cell=bits)
    machine = code.start(limits=Limits(steps=FAR))
    assert machine.run(1 + 7 * 10**14 + 3) == "running"
    assert machine.peek(0) == (1 - 2 * 10**14 - 2) % (1 << bits)
    assert machine.peek(1) == 10**14 % (1 << bits)
    assert machine.run(2 * FAR) == "limited"
    assert (machine.steps, machine.limit) == (FAR, "steps")


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_a_loop_across_the_edge_of_a_tape_that_wraps_is_exact(engine: str) -> None:
    options = {"cell": 16, "tape": "wrap", "size": 5}
    for source in (b"-[<+>-]", b">>>>-[->+<]", b"-[->>>>>+<<<<<]+", b"-[-<<+>>]<<[->>+<<]"):
        machine = program("brainfuck", source, engine, **options).start()
        oracle = Oracle(source, **options)  # pyright: ignore[reportArgumentType]
        for cut in (90, 5_000, 10**6):
            oracle.run(cut)
            machine.run(cut)
            assert (machine.steps, machine.status) == (oracle.steps, oracle.status)
            assert {at: machine.peek(at) for at in oracle.cells} == oracle.cells


@pytest.mark.parametrize("engine", ENGINES)
@given(data=st.data())
def test_runs_stop_after_and_within_long_loops(engine: str, data: Any) -> None:
    loop = Loop(data.draw(bodies(), "body"), data.draw(values(32), "value"), 32)
    steps = loop.steps
    if steps is None or not loop.sums[0]:
        return
    after, whole = len(BEFORE) + len(loop.commands), len(BEFORE) + steps
    machine = start_loop(loop, engine, 32)
    stops = StopSet(locations=frozenset({after}), writes=frozenset({VISITED + 1}))
    machine.run(data.draw(st.integers(0, steps - 1), "pause"))
    scanned = machine.copy()
    assert machine.run(FAR, stops) == "stopped"
    assert (machine.steps, machine.location) == (whole, after)
    assert state(machine) == loop.after(steps)
    hits = scanned.scan(FAR, stops)
    assert (hits.total, hits.first, hits.last) == (1, whole, whole)

    inside = len(BEFORE) + data.draw(st.integers(1, len(loop.commands) - 1), "inside")
    machine = start_loop(loop, engine, 32)
    for times in range(3 if loop.value else 0):
        if times * len(loop.commands) < steps:
            assert machine.run(FAR, StopSet(locations=frozenset({inside}))) == "stopped"
            assert machine.steps == inside + times * len(loop.commands)
    changed = data.draw(st.sampled_from(sorted(loop.sums)), "changed")
    machine = start_loop(loop, engine, 32)
    if loop.value and steps < FAR:
        assert machine.run(FAR, StopSet(writes=frozenset({changed}))) == "stopped"
        assert machine.steps <= len(BEFORE) + len(loop.commands)


@pytest.mark.parametrize("engine", ENGINES)
@given(data=st.data())
def test_a_scan_counts_the_stops_of_all_rounds(engine: str, data: Any) -> None:
    loop = Loop(data.draw(bodies(), "body"), data.draw(st.integers(1, 2**32 - 1), "value"), 32)
    steps = loop.steps
    if steps is None or not loop.sums[0]:
        return
    inside = data.draw(st.integers(1, len(loop.commands) - 1), "inside")
    changed = data.draw(st.sampled_from(sorted(loop.sums)), "changed")
    stops = StopSet(
        locations=frozenset({len(BEFORE) + inside}),
        writes=frozenset({changed}) if data.draw(st.booleans(), "writes") else frozenset(),
    )
    one_round = start_loop(loop, engine, 32)
    length, found = len(loop.commands), list[int]()
    for step in range(1, length + 1):
        if one_round.run(1, stops) == "stopped":
            found.append(step)
    pause = data.draw(st.integers(0, 3 * length), "pause") % steps
    end = data.draw(st.just(steps) | st.integers(pause, steps), "end")
    before = [sum((at - step) // length + 1 for step in found if step <= at) for at in (pause, end)]
    machine = start_loop(loop, engine, 32)
    machine.run(pause)
    hits = machine.scan(end - pause, stops)
    assert machine.steps == len(BEFORE) + end
    assert hits.total == before[1] - before[0]
    if hits.total:
        rounds = range(pause // length, pause // length + 2)
        met = [at * length + step for at in rounds for step in found]
        assert hits.first == len(BEFORE) + min(step for step in met if step > pause)
        rounds = range(max(0, end // length - 1), end // length + 1)
        met = [at * length + step for at in rounds for step in found]
        assert hits.last == len(BEFORE) + max(step for step in met if step <= end)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_tally_counts_all_rounds(engine: str) -> None:
    source, rounds = b"-[>+<-----].", (2**32 - 1) // 5
    code = program("brainfuck", source, engine, cell=32)
    machine, tally = code.start(), code.new_tally()
    machine.tally(1 + 10 * 1_000 + 4, tally)
    assert tally.count_and_last_step(1) == (1001, 1 + 10 * 1_000 + 1)
    assert tally.count_and_last_step(5) == (1000, 1 + 10 * 999 + 5)
    machine.tally(FAR, tally)
    assert machine.status == "halted"
    end = 1 + 10 * rounds
    wanted = [(0, 1, 1)]
    wanted += [(at, rounds, end - 10 + at) for at in range(1, 11)]
    assert sorted(tally.entries()) == [*wanted, (11, 1, end + 1)]


@pytest.mark.parametrize("bits", [16, 32])
def test_a_debugger_travels_through_long_loops(bits: int) -> None:
    rounds = (1 << bits) - 1
    debugger = Debugger.open("brainfuck", b"-[->+<]>[-<+>]<.", options={"cell": bits})
    machine_at = debugger.timeline.machine_at
    first, second = 1 + 6 * rounds, 2 + 12 * rounds
    debugger.seek(second)
    assert [machine_at(second).peek(at) for at in (0, 1)] == [rounds, 0]
    assert debugger.step_by(1, reverse=True).step == second - 1
    middle = first - 6 * 1_000 - 5
    debugger.seek(middle)
    assert [machine_at(middle).peek(at) for at in (0, 1)] == [1_001, rounds - 1_001]
    debugger.add_breakpoint(BreakpointSpec(offset=8))  # the second loop
    assert debugger.resume().step == first + 1
    debugger.add_breakpoint(BreakpointSpec(offset=1))
    debugger.seek(middle)
    assert debugger.resume(reverse=True).step == middle - 1
    over = Debugger.open("brainfuck", b"-[->+<]>[-<+>]<.", options={"cell": bits})
    over.seek(1)
    assert over.step_by(1, granularity="loop").step == first
    assert over.step_by(1, granularity="loop", reverse=True).step == 1


@pytest.mark.parametrize("engine", one_fast_engine("brainfuck"))
@pytest.mark.parametrize(("bits", "cells"), [(8, 600), (16, 300), (32, 150)])
def test_memory_counts_the_bytes_of_a_cell(engine: str, bits: int, cells: int) -> None:
    machine = program("brainfuck", b"+[>+]", engine, cell=bits).start(limits=Limits(memory=600))
    assert machine.run(10_000) == "limited"
    assert (machine.limit, machine.memory) == ("memory", 600)
    assert machine.steps == 4 * (cells - 1) + 2
