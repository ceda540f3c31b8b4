"""Runs of Whitespace in compiled code equal runs in the core; see ``whitespace_tier_trials``."""

from __future__ import annotations

import pytest
import whitespace_tier_trials
from tier_pairs import assert_same_runs

from esolangs.limits import Limits
from esolangs.whitespace import LANGUAGE, native
from esolangs.whitespace.program import WhitespaceProgram

ENDLESS = """\
push 0
label next
push 1
add
dup
push 7
mod
jump next
"""
"""Counts, and leaves remainders on the stack."""

COUNTER = "push 0\nlabel next\npush 1\nadd\njump next\n"

POWERS = """\
push 1
label next
dup
printn
push 10
printc
push 3
mul
push 1000003
mod
jump next
"""
"""Prints powers of 3."""

DEEP = """\
push {count}
call down
printn
end
label down
dup
jz bottom
dup
push 1
sub
call down
add
return
label bottom
return
"""
"""Adds the numbers up to a count by recursion."""

FILL = """\
push 0
label next
dup
push 20
mul
push 8
add
copy 1
store
push 1
add
dup
push 3000
sub
jn next
push 8
retrieve
printn
"""
"""Writes to every twentieth cell, so that the window of the heap grows."""


def program(source: str, **options: int | str) -> WhitespaceProgram:
    code = LANGUAGE.parse(
        source.encode(), {**LANGUAGE.configure(), "notation": "assembly", **options}
    )
    assert isinstance(code, WhitespaceProgram)
    return code


def test_limits_of_output_and_steps_are_exact_in_the_tier(eager: pytest.MonkeyPatch) -> None:
    machine = assert_same_runs(eager, program(POWERS), limits=Limits(output=20_001))
    assert (machine.limit, machine.output_length) == ("output", 20_001)
    assert machine.tier is not None
    assert machine.tier.visits < 50  # printing does not need the core
    machine = assert_same_runs(eager, program(POWERS), limits=Limits(steps=123_457))
    assert (machine.limit, machine.steps) == ("steps", 123_457)


def test_deep_recursion_is_the_same_in_the_tier(eager: pytest.MonkeyPatch) -> None:
    """Deeper than what is copied for a visit, and than compiled code can go."""
    machine = assert_same_runs(eager, program(DEEP.format(count=70_000)))
    assert machine.status == "halted"
    machine = assert_same_runs(
        eager, program(DEEP.format(count=70_000)), limits=Limits(memory=100_000)
    )
    assert machine.limit == "memory"


def test_a_growing_stack_is_the_same_in_the_tier(eager: pytest.MonkeyPatch) -> None:
    machine = assert_same_runs(eager, program(ENDLESS), limits=Limits(memory=1_500_000))
    assert machine.limit == "memory"


def test_a_growing_heap_is_the_same_in_the_tier(eager: pytest.MonkeyPatch) -> None:
    eager.setattr(native, "_RESERVED_CELLS", 1)
    assert_same_runs(eager, program(FILL))
    machine = assert_same_runs(eager, program(FILL), limits=Limits(memory=300_000))
    assert machine.limit == "memory"


def test_numbers_beyond_64_bits_are_the_same_in_the_tier(eager: pytest.MonkeyPatch) -> None:
    source = "push 1\nlabel next\npush 3\nmul\ndup\npush 8\nswap\nstore\njump next"
    machine = assert_same_runs(eager, program(source), budget=2000)
    assert machine.peek(8) > 1 << 300


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("dup\njz zero\njump next\nlabel zero\npush 5\nswap\ndiv", "division_by_zero"),
        ("dup\njz zero\njump next\nlabel zero\ndiscard\ndiscard\ndiscard", "stack_underflow"),
        ("dup\njz nowhere\njump next", "missing_label"),
        ("dup\njz zero\njump next\nlabel zero\nreturn", "call_stack_underflow"),
        ("dup\njz zero\njump next\nlabel zero\npush -1\nprintc", "bad_character"),
    ],
)
def test_faults_are_the_same_in_the_tier(eager: pytest.MonkeyPatch, body: str, kind: str) -> None:
    source = f"push 9\nlabel next\npush 1\nsub\n{body}\n"
    machine = assert_same_runs(eager, program(source), budget=1000)
    assert (machine.fault and machine.fault.kind) == kind


@pytest.mark.parametrize("division", ["floor", "mixed", "truncate"])
def test_division_of_negative_numbers_is_the_same_in_the_tier(
    eager: pytest.MonkeyPatch, division: str
) -> None:
    body = "".join(
        f"dup\npush {by}\n{op}\nprintn\npush 32\nprintc\n"
        for by in (3, -3, 8, -8, 1, -1, 1 << 40)
        for op in ("div", "mod")
    )
    source = f"push -30\nlabel next\n{body}push 1\nadd\ndup\npush 30\nsub\njn next\n"
    assert_same_runs(eager, program(source, division=division))


@pytest.mark.usefixtures("wasmtime")
def test_random_programs_run_the_same_in_the_tier() -> None:
    """Programs of many kinds, cut at random steps."""
    with whitespace_tier_trials.eager_tier():
        for seed in range(12):
            whitespace_tier_trials.run_trial(seed)


@pytest.mark.slow
@pytest.mark.usefixtures("wasmtime")
def test_many_random_programs_run_the_same_in_the_tier() -> None:
    with whitespace_tier_trials.eager_tier():
        visits = [whitespace_tier_trials.run_trial(seed).visits for seed in range(12, 600)]
    assert sum(count > 0 for count in visits) > 450
