"""Runs in compiled code equal runs in the core: steps, output, limits, faults, every state."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import tier_trials
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from saved_states import comparable_state
from strategies.brainfuck import options as some_options
from strategies.brainfuck import sources, stdins

from esolangs import compiled, wasmtime_library
from esolangs.brainfuck import LANGUAGE, flow, native, opcodes
from esolangs.brainfuck.program import BrainfuckMachine, BrainfuckProgram
from esolangs.errors import OptionError
from esolangs.limits import Limits
from esolangs.machine import FINAL, Snapshot
from esolangs.stops import StopSet
from esoplay.cli.main import main
from esoplay.errors import EXIT_USAGE

COUNTER = "+++++[>+++++[>+++++[>+++++[>+++++[>+>+++++[>+++>++<<-]<<-]<-]<-]<-]<-]"
"""Loops that take some steps, write few cells, and end."""


def program(source: str | bytes, **options: int | str) -> BrainfuckProgram:
    data = source.encode() if isinstance(source, str) else source
    return LANGUAGE.parse(data, {**LANGUAGE.configure(), **options})


def start(
    monkeypatch: pytest.MonkeyPatch,
    tier: str,
    code: BrainfuckProgram,
    stdin: bytes = b"",
    **more: Any,
) -> BrainfuckMachine:
    monkeypatch.setenv("ESOPLAY_TIER", tier)
    machine = code.start(stdin, **more)
    assert isinstance(machine, BrainfuckMachine)
    return machine


def state(machine: BrainfuckMachine) -> tuple[Any, ...]:
    """Everything that a user can ask for, and what was printed and read since the last call."""
    fault = machine.fault and (machine.fault.kind, machine.fault.step, machine.fault.line)
    return (
        (machine.steps, machine.status, machine.limit, fault, machine.memory, machine.location),
        (machine.input_position, machine.output_length, comparable_state(machine.snapshot())),
        (machine.take_printed(), machine.take_reads()),
    )


@pytest.fixture
def eager(wasmtime: None, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Visit the tier also for a few steps."""
    monkeypatch.setattr(compiled, "MIN_VISIT_STEPS", 0)
    monkeypatch.setattr(native, "MAX_SHORT_VISITS", 1 << 62)
    monkeypatch.setattr(native, "MIN_CORE_STEPS", 0)
    monkeypatch.setattr(flow, "CHECK_INTERVAL", 64)
    return monkeypatch


def assert_same_runs(
    monkeypatch: pytest.MonkeyPatch,
    code: BrainfuckProgram,
    budgets: list[tuple[int, str]],
    stdin: bytes,
    limits: Limits,
) -> int:
    """Run in slices, with and without the tier; return how often compiled code was entered."""
    core = start(monkeypatch, "core", code, stdin, limits=limits)
    tier = start(monkeypatch, "native", code, stdin, limits=limits)
    visits = 0
    for budget, change in budgets:
        if change == "stop":
            stops = StopSet(locations=frozenset({budget % 7}), writes=frozenset({budget % 3}))
            core.run(budget, stops)
            tier.run(budget, stops)
        else:
            core.run(budget)
            tier.run(budget)
        assert state(tier) == state(core)
        if core.status in FINAL:
            break
        if change == "step":
            assert str(core.step()) == str(tier.step())
        elif change == "swap":
            assert tier.tier is not None
            visits += tier.tier.visits
            core, tier = swapped(monkeypatch, code, core, tier, stdin, limits)
        elif change == "poke":
            for machine in (core, tier):
                machine.poke(machine.registers()["ptr"], budget % 3)
    assert tier.tier is not None
    return visits + tier.tier.visits


def swapped(
    monkeypatch: pytest.MonkeyPatch,
    code: BrainfuckProgram,
    core: BrainfuckMachine,
    tier: BrainfuckMachine,
    stdin: bytes,
    limits: Limits,
) -> tuple[BrainfuckMachine, BrainfuckMachine]:
    """A machine of the core that continues the tier's state, and the reverse."""

    def resumed(name: str, snapshot: Snapshot) -> BrainfuckMachine:
        monkeypatch.setenv("ESOPLAY_TIER", name)
        machine = code.resume(snapshot, stdin, limits=limits)
        assert isinstance(machine, BrainfuckMachine)
        return machine

    return resumed("core", tier.snapshot()), resumed("native", core.snapshot())


CHANGES = st.sampled_from(["", "", "", "step", "swap", "poke", "stop"])
SLICES = st.lists(
    st.tuples(st.one_of(st.integers(0, 60), st.integers(0, 30_000)), CHANGES),
    min_size=1,
    max_size=8,
)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])  # sets the same for all
@given(
    source=sources(),
    options=some_options(),
    stdin=stdins(),
    slices=SLICES,
    output=st.sampled_from([3, 5000]),
    memory=st.sampled_from([20, 5000]),
)
def test_drawn_programs_run_the_same_in_the_tier(
    eager: pytest.MonkeyPatch,
    source: bytes,
    options: dict[str, int | str],
    stdin: bytes,
    slices: list[tuple[int, str]],
    output: int,
    memory: int,
) -> None:
    limits = Limits(steps=100_000, output=output, memory=memory)
    again = [*slices, (20_000, ""), (20_000, "swap"), (20_000, "")]
    assert_same_runs(eager, program(b"-[-" + source + b"]", **options), again, stdin, limits)


@pytest.mark.parametrize(
    ("source", "options", "limits"),
    [
        (COUNTER, {}, Limits()),
        (COUNTER, {"cell": 16}, Limits(steps=40_000)),
        (COUNTER, {"cell": 32}, Limits()),
        ("-[>-[>+>+<<-]>[-<+>]<<-]" + COUNTER, {"tape": "wrap", "size": 5}, Limits(steps=200_000)),
        (">+[>+]", {"size": 3000}, Limits()),  # a fault at the end of the tape
        ("+[>+[-]+]", {}, Limits(memory=2000)),
        ("-[>-[>-[-]<-]<-]<", {}, Limits()),  # a fault left of cell 0
        ("+[<+]", {"tape": "both-ways"}, Limits(memory=3000)),
        ("-[>-[>-[>-.<-]<-]<-]", {}, Limits(output=9000)),
        (",[>,]<[.<]", {}, Limits()),
        (",+[-.,+]", {"eof": -1}, Limits()),
        # a loop that does not end
        ("++++++++[>-[>-[-]<-]<-]-[---->+<]", {}, Limits(steps=2_000_000)),
    ],
)
def test_limits_faults_and_input_are_the_same_in_the_tier(
    eager: pytest.MonkeyPatch, source: str, options: dict[str, int | str], limits: Limits
) -> None:
    budgets = [(n, change) for n in (1, 70, 999, 30_000) for change in ("", "swap")]
    code = program(source, **options)
    stdin = bytes(range(1, 256)) * 17  # more than a buffer
    assert assert_same_runs(eager, code, [*budgets, (1 << 40, "")], stdin, limits) > 0


LADDER = "[->+<" * 7 + "[->++<[-]]" + "]" * 7
"""Conditions that count a cell down, up to seven times."""


CARRY = "[-<+>>->+<[>-]>[-<+++++<<----->>>>>+<]<<<]"
"""Counts in base 5 from the second cell, with the digit in the third one, and a flag."""


@pytest.mark.parametrize("cell", [8, 16, 32])
@pytest.mark.parametrize(
    "part",
    [
        "+" * 45 + ">+++++++<[->-[>+>>]>[+[-<+>]>+>>]<<<<<]",
        ">" + "+" * 45 + ">+++++<" + CARRY + "<",
        ">".join("+" * n + LADDER for n in (0, 3, 9, 30)) + "<<<",
        ">".join("+" * n + LADDER.replace(">+<", "<+++>") for n in (1, 5, 9, 30)) + "<<<",
    ],
)
def test_loops_with_computed_rounds_take_the_same_steps_in_the_tier(
    eager: pytest.MonkeyPatch, part: str, cell: int
) -> None:
    code = program("-[>>" + part + "[-]>" * 8 + "<" * 10 + "-]", cell=cell)
    budgets = [(n, change) for n in (1, 5000, 200_000) for change in ("", "swap", "poke")]
    limits = Limits(steps=1_000_000)
    assert assert_same_runs(eager, code, [*budgets, (1 << 40, "")], b"", limits) > 0


def test_nests_of_wide_cells_return_to_the_core(eager: pytest.MonkeyPatch) -> None:
    """Executing every round would take minutes."""
    code = program("-[>-[>-[>+>++<<-]<-]<-]", cell=16)
    assert assert_same_runs(eager, code, [(1000, ""), (1 << 60, "")], b"", Limits()) > 0


def test_input_that_is_fed_later_is_read_the_same_in_the_tier(eager: pytest.MonkeyPatch) -> None:
    code = program(">,[>+++++[>+++++[>+++++<-]<-]>>[-]<<<.,]")
    machines = [start(eager, tier, code, b"ab", closed=False) for tier in ("core", "native")]
    for data in (b"c", b"", b"defg"):
        for machine in machines:
            machine.run(1 << 40)
        assert state(machines[0]) == state(machines[1])
        assert machines[0].status == "needs_input"
        for machine in machines:
            machine.feed(data)
    for machine in machines:
        machine.run(1 << 40)
        machine.close_input()
        machine.run(1 << 40)
    assert state(machines[0]) == state(machines[1])
    assert machines[1].status == "halted"
    assert machines[1].tier is not None
    assert machines[1].tier.visits > 0


@pytest.mark.usefixtures("wasmtime")
def test_a_run_that_often_leaves_the_tier_backs_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each new cell is visited by the core, and entering compiled code costs more than it gains."""
    monkeypatch.setattr(native, "MIN_CORE_STEPS", 0)
    code = program("+[>+]")
    limits = Limits(memory=1_500_000)
    machine = start(monkeypatch, "native", code, limits=limits)
    machine.run(1 << 40)
    plain = start(monkeypatch, "core", code, limits=limits)
    plain.run(1 << 40)
    assert state(machine) == state(plain)
    assert machine.tier is not None
    assert 0 < machine.tier.visits < 1000


def test_native_without_wasmtime_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    with pytest.raises(OptionError, match=r"(?s)is not installed.*pip install 'esoplay\[native\]'"):
        start(monkeypatch, "native", program("+"))


@pytest.mark.usefixtures("wasmtime")
def test_another_major_version_of_wasmtime_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wasmtime_library, "MAJOR_VERSION", 1)
    with pytest.raises(OptionError, match="needs wasmtime 1, which is not installed"):
        start(monkeypatch, "native", program("+"))


@pytest.mark.parametrize(
    "command", [["run", "x.bf"], ["run", "x.bf", "--json"], ["serve"], ["play"]]
)
def test_an_unknown_tier_is_refused(
    command: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    (tmp_path / "x.bf").write_text("+")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ESOPLAY_TIER", "fast")
    assert main(command) == EXIT_USAGE
    found = capsys.readouterr()
    assert found.err == 'esoplay: ESOPLAY_TIER must be core, native or auto, not "fast"\n'
    assert not found.out


@pytest.mark.usefixtures("wasmtime")
def test_a_process_with_a_tier_exits_without_an_error() -> None:
    """Python empties the modules of wasmtime before a module that is in use at exit."""
    script = """\
import os, sys
os.environ["ESOPLAY_TIER"] = "native"
from esolangs import compiled
from esolangs.brainfuck import LANGUAGE, native
compiled.MIN_VISIT_STEPS = native.MIN_CORE_STEPS = 0
machine = LANGUAGE.parse(sys.argv[1].encode(), LANGUAGE.configure()).start()
machine.run(1 << 40)
assert machine.tier.visits
sys.kept = native
"""
    command = [sys.executable, "-c", script, COUNTER]
    paths = os.pathsep.join(sys.path)
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": paths},
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.usefixtures("wasmtime")
@pytest.mark.parametrize("seed", [5307, 83227746384, 6778216160])
def test_editing_the_cell_of_a_running_loop_is_the_same_in_the_tier(seed: int) -> None:
    """The tier entered a block although the rounds of a loop around or inside were unexpected."""
    with tier_trials.eager_tier():
        assert tier_trials.run_trial(seed).visits > 0


@pytest.mark.slow
@pytest.mark.usefixtures("wasmtime")
@pytest.mark.parametrize("test_every", [64, 1 << 16])
def test_random_trials_run_the_same_in_the_tier(test_every: int) -> None:
    with tier_trials.eager_tier(test_every):
        assert sum(tier_trials.run_trial(seed).visits > 0 for seed in range(300)) > 100


def test_operations_have_the_lengths_of_their_table() -> None:
    """Walking over the operations meets the head of every block and each kind of operation."""
    source = "[[[[-]]]]" + "[>+++[-<+>]<-]" * 2 + ">>+<<[->+>+<<]>[--<+>]+,.[>>]<[-]>[->+<]"
    source += "+[<<[->>>+<<<]>>-]" + "+[<[->>>+>>+<<<<<]>>-]"
    code = program(source)
    ops, entry = code.tables[3], code.tables[4]
    blocks = flow.split_blocks(ops)
    assert [block.head for block in blocks] == sorted({at for at in entry if at >= 0})
    assert {ops[at] for block in blocks for at in block.operations} == set(
        range(len(opcodes.LENGTH))
    )


def test_programs_that_are_too_deep_stay_in_the_core(eager: pytest.MonkeyPatch) -> None:
    code = program("+" + "[" * 500 + "-" + "]" * 500 + COUNTER)
    assert assert_same_runs(eager, code, [(1 << 40, "")], b"", Limits()) == 0


def test_the_core_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ESOPLAY_TIER", raising=False)
    machine = program("+").start()
    assert isinstance(machine, BrainfuckMachine)
    assert machine.tier is None
