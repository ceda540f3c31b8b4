"""Runs of Shakespeare in compiled code equal runs in the core; see ``shakespeare_tier_trials``."""

from __future__ import annotations

import pytest
import shakespeare_tier_trials
from shakespeare_tier_trials import in_words
from tier_pairs import assert_same_runs, start

from esolangs import compiled
from esolangs.limits import Limits
from esolangs.reasons import BUDGET
from esolangs.shakespeare import LANGUAGE, native
from esolangs.shakespeare.program import ShakespeareProgram

FRAME = """\
A play.
Romeo, somebody.
Juliet, somebody.
Hamlet, somebody.
Act I: All.
Scene I: Begin.
[Enter Romeo and Juliet]
Romeo: Is a rose as good as nothing?
Scene II: Again.
{body}
Romeo: Let us return to scene II.
Scene III: End.
"""

COUNTER = FRAME.format(body="Romeo: You are the sum of yourself and a rose.")

ROTATION = FRAME.format(
    body="""\
Romeo: You are the sum of yourself and me. You are the sum of yourself and a rose.
 You are the remainder of the quotient between yourself and the sum of a rose and {prime}.
 Are you better than the square of a big big big rose?
[Exit Juliet]
[Enter Hamlet]
Romeo: You are the sum of yourself and a rose. If so, open your heart.
[Exit Romeo]
[Enter Juliet]
Hamlet: Remember me. You are the sum of me and yourself. Recall your name.
[Exeunt Hamlet and Juliet]
[Enter Romeo and Juliet]
"""
).replace("{prime}", in_words(1_000_002))
"""All three speak to each other; the core would execute the same sentences."""


def program(source: str, **options: int | str) -> ShakespeareProgram:
    code = LANGUAGE.parse(source.encode(), {**LANGUAGE.configure(), **options})
    assert isinstance(code, ShakespeareProgram)
    return code


def test_limits_of_output_and_steps_are_exact_in_the_tier(eager: pytest.MonkeyPatch) -> None:
    machine = assert_same_runs(eager, program(ROTATION), limits=Limits(output=20_001))
    assert (machine.limit, machine.output_length) == ("output", 20_001)
    assert machine.tier is not None
    assert machine.tier.visits < 50  # printing and changes of the stage do not need the core
    machine = assert_same_runs(eager, program(ROTATION), limits=Limits(steps=123_457))
    assert (machine.limit, machine.steps) == ("steps", 123_457)


def test_a_growing_stack_is_the_same_in_the_tier(eager: pytest.MonkeyPatch) -> None:
    """Larger than what is copied for a visit, and than the stack in compiled code."""
    body = "Romeo: Remember yourself. You are the sum of yourself and a rose."
    machine = assert_same_runs(
        eager, program(FRAME.format(body=body)), limits=Limits(memory=1_000_000)
    )
    assert machine.limit == "memory"
    assert machine.core.stack_depth(1) > native.MAX_COPIED_ENTRIES


def test_emptying_stacks_is_the_same_in_the_tier(eager: pytest.MonkeyPatch) -> None:
    body = f"""\
Romeo: Remember yourself. You are the sum of yourself and a rose.
 Are you worse than {in_words(9000)}? If so, let us return to scene II.
Scene XI: Back.
Romeo: Recall all."""
    source = FRAME.format(body=body).replace(
        "us return to scene II.\nScene III", "us return to scene XI.\nScene III"
    )
    machine = assert_same_runs(eager, program(source))
    assert machine.fault is not None
    assert machine.fault.kind == "empty_stack"


def test_numbers_beyond_64_bits_are_the_same_in_the_tier(eager: pytest.MonkeyPatch) -> None:
    body = "Romeo: You are twice the sum of yourself and a rose."
    machine = assert_same_runs(eager, program(FRAME.format(body=body)), budget=2000)
    assert machine.peek(1) > 1 << 300


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("Am I better than the quotient between a rose and you", "division_by_zero"),
        ("Is the remainder of the quotient between me and you as good as me", "division_by_zero"),
        ("Are you better than nothing? If not, recall all", "empty_stack"),
        ("Are you better than nothing? If not, let us proceed to scene X", "no_such_scene"),
        ("You are the sum of a pig and yourself. Speak your mind", "no_character"),
        ("Am I better than the square root of the sum of a pig and you", "negative_root"),
        ("Is the factorial of the sum of a pig and you as good as me", "negative_factorial"),
        ("Are you as good as nothing? If so, remember Ophelia", "no_such_character"),
    ],
)
def test_faults_are_the_same_in_the_tier(
    eager: pytest.MonkeyPatch, sentence: str, kind: str
) -> None:
    end = "?" if sentence.startswith(("Am", "Is")) else "."
    body = f"Romeo: You are the sum of yourself and a pig. {sentence}{end}"
    source = FRAME.format(body=body).replace("nothing?\nScene II", "nothing? You are {}.\nScene II")
    source = source.replace("{}", in_words(100))
    machine = assert_same_runs(eager, program(source, missing="fault"), budget=1000)
    assert (machine.fault and machine.fault.kind) == kind


def test_arithmetic_is_the_same_in_the_tier(eager: pytest.MonkeyPatch) -> None:
    """All operations on small and large numbers of both signs."""
    values = (3, -3, 8, -8, 1, -1, 1 << 40, (1 << 62) - 1, 3_037_000_499)
    sentences = [
        f"You are the remainder of the quotient between {form} and {in_words(by)}. Open your heart."
        for by in values
        for form in (
            f"the quotient between me and {in_words(by)}",
            f"the quotient between {in_words(by)} and the sum of twice me and a rose",
            f"the sum of me and the square root of the square of {in_words(by)}",
            f"the square of the difference between me and {in_words(by)}",
            f"the cube of the remainder of the quotient between {in_words(by)} and a big big cat",
            f"the product of me and the product of {in_words(by)} and {in_words(by)}",
            "the square root of the square of me",
            "the square root of the sum of a rose and the square of me",
            "the square root of the difference between the square of me and me",
        )
    ]
    body = "Romeo: " + "\n ".join(sentences)
    body += "\nJuliet: You are the sum of yourself and a rose. Are you better than me?"
    source = FRAME.format(body=body).replace("nothing?\n", "nothing?\nJuliet: You are {}.\n", 1)
    for first in (-20, 2_147_483_640, 1 << 52, (1 << 61) - 20):
        assert_same_runs(eager, program(source.replace("{}", in_words(first))), budget=20_000)


@pytest.mark.usefixtures("wasmtime")
def test_random_plays_run_the_same_in_the_tier() -> None:
    """Plays of many kinds, cut at random steps."""
    with shakespeare_tier_trials.eager_tier():
        for seed in range(12):
            shakespeare_tier_trials.run_trial(seed)


@pytest.mark.slow
@pytest.mark.usefixtures("wasmtime")
def test_many_random_plays_run_the_same_in_the_tier() -> None:
    with shakespeare_tier_trials.eager_tier():
        visits = [shakespeare_tier_trials.run_trial(seed).visits for seed in range(12, 600)]
    assert sum(count > 0 for count in visits) > 450


@pytest.mark.usefixtures("wasmtime")
def test_a_program_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine whose core still runs may ask for code when a thread has just compiled it."""
    machine = start(monkeypatch, "native", program(COUNTER))
    assert machine.tier is not None
    compiler = machine.tier.compiler
    compiler.request(machine.core, blocking=True)
    latest = compiler.latest
    machine.core.run(5)
    compiler.request(machine.core, blocking=True)
    assert latest is not None
    assert compiler.latest is latest


def test_a_run_outside_the_compiled_part_is_soon_left_to_the_core() -> None:
    class LoopingCore:
        """A core whose run never meets a sentence where compiled code can be entered."""

        ip = steps = printed = single_steps = 0

        def run(self, limit: int) -> int:
            self.steps = limit
            return BUDGET

        def run_to_entry(self, entries: bytearray, limit: int) -> int:
            self.single_steps += limit - self.steps
            return self.run(limit)

    class LoopingMachine:
        core_seconds = 0.0

        def __init__(self) -> None:
            self.core = core

    class UnusedTier(compiled.EntryTier):
        def _cells_to_copy(self) -> int:
            return 0

        def _visit(self, limit: int) -> int:
            raise AssertionError("there is no entry")

    core = LoopingCore()
    compiler = native.PlayCompiler(program(COUNTER))
    compiler.entries = bytearray(1)
    machine = LoopingMachine()
    tier = UnusedTier(machine, compiler, "native", min_core_steps=0)
    steps = 1 << 30
    while core.steps < steps:
        tier.run(steps)
    assert 0 < core.single_steps < steps // 1000
