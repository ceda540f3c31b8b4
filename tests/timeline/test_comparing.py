"""Where two runs part is where a naive lockstep from step 0 sees them part."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from esolangs.errors import ParseError
from esolangs.limits import Limits
from esolangs.machine import Machine
from esoplay.debugging.debugger import Debugger
from esoplay.timeline import comparison as lockstep
from esoplay.timeline.comparison import RunComparison, compare
from esoplay.timeline.timeline import MoveCancelled

LANGUAGES = ["brainfuck", "befunge-98", "whitespace", "unlambda", "shakespeare"]
BUDGET = 400
LIMITS = Limits(output=10_000)


def opened(language: str, source: bytes, stdin: bytes = b"", **options: Any) -> Debugger:
    return Debugger.open(language, source, stdin=stdin, limits=LIMITS, options=options)


def machine_of(debugger: Debugger) -> Machine:
    return debugger.program.start(debugger.input, limits=LIMITS, world=debugger.recording.world)


def naive(this: Debugger, other: Debugger, budget: int = BUDGET) -> tuple[int | None, int | None]:
    """The first step after which anything differs, and after which the path does."""
    a, b = machine_of(this), machine_of(other)
    diagnostics = this.program.language.diagnostics()
    assert diagnostics is not None
    first: int | None = None
    while a.steps < budget:
        did, done = a.step(), b.step()
        if did is None or done is None:
            if first is None and (did is None) != (done is None):
                first = max(a.steps, b.steps)
            return first, None
        same = (did.printed, did.read, did.pushes) == (done.printed, done.read, done.pushes)
        same = same and [w[::2] for w in did.writes] == [w[::2] for w in done.writes]
        if first is None and (not same or diagnostics.partial_key(a) != diagnostics.partial_key(b)):
            first = a.steps
        if a.location != b.location:
            return first or a.steps, a.steps
    return first, None


def differing_steps(comparison: RunComparison) -> tuple[int | None, int | None]:
    """The same, as far as steps were compared."""
    found = [each for each in comparison.differences if each.kind != "output" or each.this.step]
    paths = [each.this.step for each in found if each.kind == "path"]
    first = found[0] if found else None
    step = None if first is None else max(first.this.step, first.other.step)
    return step, paths[0] if paths else None


def strategies(language: str) -> Any:
    return import_module(f"strategies.{language.replace('-', '_')}")


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@given(st.data())
def test_other_input_differs_where_a_naive_lockstep_finds_it(
    language: str, data: st.DataObject
) -> None:
    some = strategies(language)
    source, options = data.draw(some.sources()), data.draw(some.options())
    shared = data.draw(st.binary(max_size=2))
    inputs = [shared + data.draw(some.stdins()) for _ in range(2)]
    try:
        this, other = (opened(language, source, each, **options) for each in inputs)
    except ParseError:
        assume(False)
        raise
    comparison = compare(this.timeline, other.timeline, BUDGET)
    first, path = naive(this, other)
    if first is not None:
        assert differing_steps(comparison) == (first, path)
    elif comparison.differences:
        late = comparison.differences[0]
        assert late.kind == "end" or (late.kind == "output" and late.this.step >= BUDGET)


@given(st.data())
def test_other_options_differ_where_a_naive_lockstep_finds_it(data: st.DataObject) -> None:
    language = data.draw(st.sampled_from(LANGUAGES))
    some = strategies(language)
    source, stdin = data.draw(some.sources()), data.draw(some.stdins())
    try:
        this, other = (
            opened(language, source, stdin, **data.draw(some.options())) for _ in range(2)
        )
    except ParseError:
        assume(False)
        raise
    assume(this.recording.source == other.recording.source)
    comparison = compare(this.timeline, other.timeline, BUDGET)
    first, path = naive(this, other)
    if first is not None:
        assert differing_steps(comparison) == (first, path)


@pytest.mark.slow
@given(st.data())
def test_other_programs_differ_at_the_first_output_byte(data: st.DataObject) -> None:
    language = data.draw(st.sampled_from(["brainfuck", "befunge-98", "unlambda"]))
    some = strategies(language)
    try:
        this, other = (opened(language, data.draw(some.sources())) for _ in range(2))
    except ParseError:
        assume(False)
        raise
    assume(this.recording.source != other.recording.source)
    comparison = compare(this.timeline, other.timeline, BUDGET)
    assert not comparison.same_program
    printed: list[list[tuple[int, int]]] = []
    ends: list[int] = []
    for each in (this, other):
        machine, made = machine_of(each), list[tuple[int, int]]()
        machine.run(BUDGET)
        bytes_, steps = machine.take_printed()
        made += zip(bytes_, steps, strict=True)
        printed.append(made)
        ends.append(machine.steps if machine.status in ("halted", "faulted", "limited") else -1)
    a, b = printed
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x[0] != y[0]), None)
    if at is None and len(a) != len(b):
        at = min(len(a), len(b))
        if ends[0 if len(a) == at else 1] < 0:
            at = None
    found = [each for each in comparison.differences if each.kind == "output"]
    if at is None:
        assert not found
    else:
        steps = [m[at][1] if at < len(m) else end for m, end in zip(printed, ends, strict=True)]
        assert [found[0].this.step, found[0].other.step] == steps


def test_comparison_keeps_both_positions() -> None:
    this, other = opened("brainfuck", b",[.-]", b"\3"), opened("brainfuck", b",[.-]", b"\4")
    this.seek(3)
    other.seek(2)
    compare(this.timeline, other.timeline)
    assert (this.step, other.step) == (3, 2)


@pytest.mark.slow
def test_early_difference_stops_the_comparison_of_endless_runs() -> None:
    this, other = opened("brainfuck", b"+[>+<]"), opened("brainfuck", b"+[>+<]", cell=16)
    comparison = compare(this.timeline, other.timeline, 10**12)
    assert comparison.differences[0].this.step == 1_279
    other = opened("brainfuck", b",+[]", b"x")
    found = compare(opened("brainfuck", b",+[]", b"y").timeline, other.timeline, 10**6)
    assert [each.kind for each in found.differences] == ["input"]


def test_late_differences_are_found_by_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the steps that are compared one by one, the slice that differs is looked at."""
    monkeypatch.setattr(lockstep, "_EXACT_STEPS", 100)
    monkeypatch.setattr(lockstep, "_CHUNK", 50)
    source = b"++++++++++[>++++++++++<-]>[-],+[->+<]>."
    this, other = opened("brainfuck", source), opened("brainfuck", source, eof=-1)
    comparison = compare(this.timeline, other.timeline)
    assert not comparison.exact
    assert differing_steps(comparison) == naive(this, other, 10_000)
    source = b"++++++++++[>++++++++++<-]>[-]"
    this, other = opened("brainfuck", source), opened("brainfuck", source, eof=-1)
    comparison = compare(this.timeline, other.timeline)
    assert (comparison.differences, comparison.complete, comparison.exact) == ((), True, False)


def test_late_difference_in_input_is_found_quickly() -> None:
    source = b"-[>-[>-[-]<-]<-]>>>,[.-]"
    this, other = opened("brainfuck", source, b"a"), opened("brainfuck", source, b"b")
    comparison = compare(this.timeline, other.timeline, 10**8)
    first = comparison.differences[0]
    assert comparison.exact
    assert (first.kind, first.this.step) == ("input", this.timeline.step_that_read(0))
    assert first.this.step > 10**6


def test_runs_that_are_the_same_have_no_difference() -> None:
    this, other = opened("brainfuck", b",[.,]", b"ab"), opened("brainfuck", b",[.,]", b"ab")
    comparison = compare(this.timeline, other.timeline)
    assert comparison.differences == ()
    assert comparison.complete
    longer = opened("brainfuck", b",.", b"ab"), opened("brainfuck", b",.", b"ax")
    assert compare(longer[0].timeline, longer[1].timeline).differences == ()


def test_search_can_be_cancelled() -> None:
    this, other = opened("brainfuck", b",+[>+]", b"a"), opened("brainfuck", b",+[>+]", b"b")
    this.seek(1)
    with pytest.raises(MoveCancelled):
        compare(this.timeline, other.timeline, 10**9, lambda done, total: False)
    assert this.step == 1
