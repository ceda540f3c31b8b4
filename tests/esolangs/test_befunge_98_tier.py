"""Runs of Befunge-98 in compiled code equal runs in the core; see ``befunge_tier_trials``."""

from __future__ import annotations

from functools import partial

import befunge_tier_trials
import pytest
import tier_pairs
from tier_pairs import start

from esolangs.befunge_98 import LANGUAGE
from esolangs.befunge_98.program import BefungeProgram
from esolangs.limits import Limits

PRIMES = """\
027p207pv    v                               <
        >217p>17g:*07g`#v_07g17g%!#v_17g1+17p^
                        >27g1+27p  v
        |        !`**fffp70:+1.:g70<
        >27g.@
"""
"""Prints the numbers from 2 to 3375, then how many of them are primes."""

ENDLESS = "v\n>1+::f%3p"

assert_same_runs = partial(tier_pairs.assert_same_runs, state=befunge_tier_trials.state)


def program(source: str, **options: int | str) -> BefungeProgram:
    code = LANGUAGE.parse(source.encode("latin-1"), {**LANGUAGE.configure(), **options})
    assert isinstance(code, BefungeProgram)
    return code


def test_printing_numbers_does_not_leave_the_tier(eager: pytest.MonkeyPatch) -> None:
    machine = assert_same_runs(eager, program(PRIMES), limits=Limits(steps=10**7))
    assert machine.status == "halted"
    assert machine.tier is not None
    assert machine.tier.visits < 50  # printing does not need the core


def test_limits_of_output_and_steps_are_exact_in_the_tier(eager: pytest.MonkeyPatch) -> None:
    machine = assert_same_runs(eager, program(PRIMES), limits=Limits(output=3001))
    assert (machine.limit, machine.output_length) == ("output", 3001)
    machine = assert_same_runs(eager, program(PRIMES), limits=Limits(steps=123_457))
    assert (machine.limit, machine.steps) == ("steps", 123_457)


def test_code_that_modifies_itself_runs_the_same_in_the_tier(eager: pytest.MonkeyPatch) -> None:
    """The digit at (2, 0) counts; after a few writes, the code no longer depends on it."""
    machine = assert_same_runs(eager, program(">$0:1+a%'0+20p"), budget=20_000)
    assert machine.tier is not None
    assert machine.tier.visits > 500


def test_a_change_of_code_after_many_rounds_takes_effect_in_the_tier(
    eager: pytest.MonkeyPatch,
) -> None:
    """The loop puts an @ in its own way after 225 rounds."""
    source = "ff*>1-:v\n   ^   _'@30pv\n   ^         <"
    machine = assert_same_runs(eager, program(source), limits=Limits(steps=100_000))
    assert machine.status == "halted"


@pytest.mark.parametrize("source", ["ff*0/.@", "12+$$$$.@", ">1+:'z\\:p", ">1-:4\\5p:5g$"])
def test_instructions_that_are_left_to_the_core_run_the_same(
    eager: pytest.MonkeyPatch, source: str
) -> None:
    """A division by zero, an empty stack, and cells outside of the window."""
    assert_same_runs(eager, program(source), budget=4000)


def test_a_cell_put_outside_of_the_window_is_executed_from_then_on(
    eager: pytest.MonkeyPatch,
) -> None:
    """The first round puts a 5 outside of the window, which every round executes from then on."""
    machine = assert_same_runs(eager, program("'5ff*0p"), budget=7 * 100)
    assert machine.registers()["depth"] == 100


WRITERS = {
    "east": "ff*v\n   >1+:'z\\2pv\n   ^        <",
    "west": "0  v\n   >1-:'z\\2pv\n   ^        <",
    "south": "ff*v\n   >1+:'z\\2\\pv\n   ^         <",
    "both sides": "ff*v\n   >1+:'z\\2p:'z\\0\\-2pv\n   ^                 <",
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_window_grows_at_the_same_steps_and_for_the_same_work_in_the_tier(
    eager: pytest.MonkeyPatch, name: str
) -> None:
    """The core enlarges the window where it is, at the same steps and for the same work."""
    machine = assert_same_runs(eager, program(WRITERS[name]), budget=200_000)
    assert machine.tier is not None
    assert machine.tier.visits > 10
    assert isinstance(machine.core.plane, memoryview)  # of the tier's memory
    assert machine.work > 0


def test_the_core_meets_cells_that_the_tier_wrote_on_a_summarized_path(
    eager: pytest.MonkeyPatch,
) -> None:
    """Reading a number is for the core, which has summarized the blank cells on the way from there.

    The number is written in the midst of them: twice a blank, then @.
    """
    rows = [
        "84*v",
        "   >ff*f*>1-:v",
        ("         ^   _$55*2*3p").ljust(100) + "v",
        "   ^".ljust(99) + "&<",
    ]
    machine = assert_same_runs(eager, program("\n".join(rows)), budget=10**5, stdin=b"32 64 0 ")
    assert machine.status == "halted"
    assert machine.tier is not None
    assert machine.tier.visits > 2


@pytest.mark.parametrize(
    ("source", "kind"),
    [("9v\n >1-:5\\/$", "zero_division"), ("123456789v\n         >1-$", "stack_underflow")],
)
def test_faults_are_the_same_in_the_tier(eager: pytest.MonkeyPatch, source: str, kind: str) -> None:
    options = {"by-zero": "fault", "underflow": "fault"}
    machine = assert_same_runs(eager, program(source, **options), budget=1000)
    assert (machine.fault and machine.fault.kind) == kind


@pytest.mark.usefixtures("wasmtime")
def test_programs_that_once_differed_run_the_same_in_the_tier() -> None:
    """Programs that were chosen because they once differed or take rare ways."""
    with befunge_tier_trials.eager_tier():
        for seed in (2, 4, 17):
            befunge_tier_trials.run_trial(seed)


@pytest.mark.slow
@pytest.mark.usefixtures("wasmtime")
def test_many_random_programs_run_the_same_in_the_tier() -> None:
    with befunge_tier_trials.eager_tier():
        visits = [befunge_tier_trials.run_trial(seed).visits for seed in range(400)]
    assert sum(count > 0 for count in visits) > 200


def test_programs_with_unbounded_cells_have_no_tier(monkeypatch: pytest.MonkeyPatch) -> None:
    assert start(monkeypatch, "auto", program("1.@", cell="unbounded")).tier is None


@pytest.mark.usefixtures("wasmtime")
def test_no_tier_is_added_while_steps_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    code = program(ENDLESS)
    machine = start(monkeypatch, "auto", code)
    monkeypatch.setattr("esolangs.core.TIER_SECONDS", 0.0)
    monkeypatch.setattr("esolangs.core._MIN_TIMED_STEPS", 0)
    tally = code.new_tally()
    machine.tally(100_000, tally)
    assert machine.tier is None
    machine.run(100_000)
    assert machine.tier is not None
