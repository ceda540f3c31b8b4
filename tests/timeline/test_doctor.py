"""The doctor's findings are what a naive look at every step finds."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from selection import slow_except

from esolangs.errors import ParseError
from esolangs.limits import Limits
from esolangs.machine import Machine
from esolangs.stops import Step
from esoplay.debugging.analysis import diagnose, diagnosis_as_json
from esoplay.debugging.debugger import Debugger, MoveCancelled
from esoplay.timeline.diagnosis import Diagnosis, DiagnosisFinding

LANGUAGES = ["brainfuck", "befunge-98", "whitespace", "unlambda", "shakespeare"]
LIMITS = Limits(steps=300, output=100)


def drawn(language: str, data: st.DataObject, **fixed: Any) -> Debugger:
    some = import_module(f"strategies.{language.replace('-', '_')}")
    source, stdin = data.draw(some.sources()), data.draw(some.stdins())
    options = {**data.draw(some.options()), **fixed}
    try:
        return Debugger.open(language, source, stdin=stdin, options=options, limits=LIMITS)
    except ParseError:
        assume(False)
        raise


def history(debugger: Debugger) -> list[tuple[Step, Machine]]:
    """Every step of the run; the machine is one and the same, at its end."""
    machine = debugger.timeline.machine_at(0)
    steps: list[tuple[Step, Machine]] = []
    while (step := machine.step()) is not None:
        steps.append((step, machine))
    return steps


def of_kind(diagnosis: Diagnosis, kind: str) -> DiagnosisFinding | None:
    return next((each for each in diagnosis.findings if each.kind == kind), None)


@pytest.mark.parametrize("language", slow_except(LANGUAGES, "unlambda", "whitespace"))
@given(st.data())
def test_diagnosis_changes_nothing(language: str, data: st.DataObject) -> None:
    debugger = drawn(language, data)
    debugger.seek(data.draw(st.integers(0, 400)))
    before = debugger.step, debugger.known_steps, debugger.end, debugger.view(), debugger.output
    for quick in (True, False):
        found = diagnose(debugger, bound=400, brief=quick)
        after = debugger.step, debugger.known_steps, debugger.end, debugger.view(), debugger.output
        assert after == before
        assert found.known_steps == debugger.known_steps
        for finding in found.findings:
            assert finding.certainty in ("proved", "observed", "possible")
            assert (finding.certainty == "proved") == (finding.kind == "endless")
            assert finding.text
            assert not finding.text.endswith(".")
        assert diagnosis_as_json(found)["known"] == debugger.known_steps


@pytest.mark.parametrize("language", LANGUAGES)
@given(st.data())
def test_diagnosis_reports_how_a_run_ended(language: str, data: st.DataObject) -> None:
    debugger = drawn(language, data)
    debugger.seek(1_000)
    view = debugger.view()
    found = diagnose(debugger, brief=True)
    assert len(found.findings) == 1
    (finding,) = found.findings
    if view.fault is not None:
        assert finding.kind == view.fault.kind
        assert finding.advice
        assert finding.moments[-1].step == debugger.end
    elif view.limit is not None:
        assert finding.kind == f"{view.limit.removesuffix('s')}_limit"
    else:
        assert finding.kind == "ended"


@pytest.mark.parametrize("language", slow_except(LANGUAGES, "shakespeare", "unlambda"))
@given(st.data())
def test_reads_at_the_end_of_input_are_counted(language: str, data: st.DataObject) -> None:
    debugger = drawn(language, data)
    debugger.seek(1_000)
    finding = of_kind(diagnose(debugger, bound=10), "past_input")
    met = [step.number for step, _ in history(debugger) if step.read == b""]
    if not met:
        assert finding is None
        return
    assert finding is not None
    assert finding.moments[0].step == met[0]
    count = "1 read reached the end" if len(met) == 1 else f"{len(met)} reads reached the end"
    assert finding.text.startswith(f"{count} of the input; ")


@given(st.data())
def test_first_wrap_of_a_cell_is_reported(data: st.DataObject) -> None:
    debugger = drawn("brainfuck", data)
    debugger.seek(1_000)
    finding = of_kind(diagnose(debugger, bound=10), "wrap")
    wraps = [
        step.number
        for step, _ in history(debugger)
        if step.read is None and any(abs(w.new - w.old) != 1 for w in step.writes)
    ]
    assert [moment.step for moment in finding.moments] == wraps[:1] if finding else not wraps


@pytest.mark.parametrize(
    ("language", "register", "kind", "fixed"),
    [
        ("whitespace", "depth", "stack_underflow", {}),
        ("whitespace", "calls", "call_stack_underflow", {}),
        ("befunge-98", "depth", "stack_underflow", {"underflow": "fault"}),
    ],
)
@given(data=st.data())
def test_step_that_emptied_a_stack_is_found(
    language: str, register: str, kind: str, fixed: dict[str, Any], data: st.DataObject
) -> None:
    debugger = drawn(language, data, **fixed)
    debugger.seek(1_000)
    finding = of_kind(diagnose(debugger, brief=True), kind)
    registers = debugger.registers()
    if finding is None or registers.get("stacks", 1) != 1 or registers.get("ips", 1) != 1:
        return
    machine = debugger.timeline.machine_at(0)
    levels = [machine.registers()[register]]
    while machine.step() is not None:
        levels.append(machine.registers()[register])
    fallen = [at for at in range(1, len(levels)) if levels[at] < levels[at - 1]]
    if fallen:
        assert finding.moments[0].step == fallen[-1]
    else:
        assert len(finding.moments) == 1


@pytest.mark.parametrize(
    ("language", "source", "said", "steps"),
    [
        ("whitespace", b"   \t\n \n\n\t   \n\n\n", "the stack was emptied by step 2", [2, 2]),
        ("whitespace", b"\n\t\n", "nothing was ever pushed to the call stack", [0]),
        ("befunge-98", b"12+$>+@", "the stack was emptied by step 4", [4, 5]),
        (
            "shakespeare",
            (
                b"A.\nRomeo, a.\nJuliet, b.\nAct I: a.\nScene I: a.\n[Enter Romeo and Juliet]\n"
                b"Romeo: Remember me. Recall it. Listen to your heart. Recall it.\n[Exeunt]"
            ),
            "the stack of Juliet was emptied by step 3",
            [3, 4],
        ),
    ],
)
def test_step_that_emptied_a_stack_is_described(
    language: str, source: bytes, said: str, steps: list[int]
) -> None:
    dialect = "benchmark" if language == "befunge-98" else "standard"
    debugger = Debugger.open(language, source, stdin=b"1", dialect=dialect)
    debugger.seek(100)
    (finding,) = diagnose(debugger, brief=True).findings
    assert said in finding.text
    assert [moment.step for moment in finding.moments] == steps


def test_search_for_reads_can_be_cancelled() -> None:
    debugger = Debugger.open("brainfuck", b"+[,+]", limits=Limits())
    debugger.seek(1_000_000)
    with pytest.raises(MoveCancelled):
        diagnose(debugger, ticker=lambda done, total: False)


def test_pointer_that_wraps_at_the_edge_is_reported() -> None:
    debugger = Debugger.open("befunge-98", b"v\n1\n>  1#", limits=LIMITS)
    debugger.seek(100)
    finding = of_kind(diagnose(debugger, bound=1_000), "edge")
    assert finding is not None
    view = debugger.seek(finding.moments[0].step)
    assert view.step == finding.moments[0].step
    assert "wrapped around an edge" in finding.text


def test_a_long_silence_is_only_possibly_an_endless_loop() -> None:
    debugger = Debugger.open("brainfuck", b"+.[>+]", limits=Limits(memory=10**6))
    debugger.seek(50_000)
    found = diagnose(debugger, bound=60_000)
    finding = of_kind(found, "quiet")
    assert finding is not None
    assert (finding.certainty, finding.moments[0].step) == ("possible", 2)
    assert found.searched == 60_000


def test_findings_cover_only_searched_steps() -> None:
    """A period longer than the bound is not excluded, however much is known."""
    debugger = Debugger.open("brainfuck", b"+[>+<]")
    debugger.seek(10_000)
    assert diagnose(debugger, bound=500).searched == 500
    assert of_kind(diagnose(debugger, bound=1_280), "endless") is not None
