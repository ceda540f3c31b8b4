"""Counts of executed instructions, from wherever they are asked; first arrivals; directions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies.brainfuck import sources

from esolangs.brainfuck import LANGUAGE
from esolangs.limits import Limits
from esolangs.stops import Address
from esoplay.debugging.debugger import BreakpointSpec, Debugger
from esoplay.errors import UsageError
from esoplay.timeline import profile as profile_module
from esoplay.timeline.first_occurrences import cached_first_arrivals
from esoplay.timeline.profile import cached_profile
from esoplay.timeline.timeline import MoveCancelled, Recording, Timeline

LIMITS = Limits(steps=600, output=50, memory=200)
EDITS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 3)), max_size=3)


def timeline_of(source: bytes, stdin: bytes = b"", every: int = 17) -> Timeline:
    options = LANGUAGE.configure()
    recording = Recording("brainfuck", "standard", options, source, stdin, limits=LIMITS)
    return Timeline(LANGUAGE.parse(source, options), recording, every)


def counted(timeline: Timeline, step: int) -> dict[Address, tuple[int, int]]:
    tally = cached_profile(timeline).tally_at(timeline, step)
    return {at: (count, latest) for at, count, latest in tally.entries()}


def naive(timeline: Timeline, step: int) -> dict[Address, tuple[int, int]]:
    found: dict[Address, tuple[int, int]] = {}
    machine = timeline.machine_at(0)
    while machine.steps < min(step, timeline.known_steps):
        timeline.apply_edits(machine)
        at, made = machine.location, machine.step()
        if made is None:
            break
        found[at] = found.get(at, (0, 0))[0] + 1, made.number
    return found


@given(sources(), st.binary(max_size=3), EDITS, st.lists(st.integers(0, 700), max_size=9))
def test_counts_do_not_depend_on_the_order_of_queries(
    source: bytes, stdin: bytes, edits: list[tuple[int, int]], steps: list[int]
) -> None:
    timeline = timeline_of(source, stdin)
    for at, value in edits:  # in any order: an edit in the past forgets those after it
        timeline.seek(at)
        timeline.edit(0, value)
        counted(timeline, at)
        timeline.seek(300)
        counted(timeline, 300)
    for step in steps:
        timeline.seek(step)
        assert counted(timeline, timeline.step) == naive(timeline, timeline.step)
        assert counted(timeline, 10**6) == naive(timeline, timeline.known_steps)


@given(sources(), EDITS, st.lists(st.integers(0, 700), max_size=6))
def test_the_first_arrival_at_an_instruction_is_the_first_in_a_search_of_each_step(
    source: bytes, edits: list[tuple[int, int]], steps: list[int]
) -> None:
    timeline = timeline_of(source)
    for at, value in edits:
        timeline.seek(at)
        timeline.edit(0, value)
        cached_first_arrivals(timeline).arrivals_until(timeline, at)
    for step in steps:
        timeline.seek(step)
        found = cached_first_arrivals(timeline).arrivals_until(timeline, timeline.step)
        here = {at: first for at, first in found.items() if first <= timeline.step}
        wanted: dict[Address, int] = {}
        machine = timeline.machine_at(0)
        known = {timeline.program.address_at(start) for start, _ in timeline.program.spans()}
        while True:
            timeline.apply_edits(machine)
            if machine.location in known:
                wanted.setdefault(machine.location, machine.steps)
            if machine.steps >= timeline.step or machine.step() is None:
                break
        assert here == wanted


def test_cancelled_count_resumes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profile_module, "MAX_SPACING_SECONDS", 0.0)
    timeline = timeline_of(b"+[]", every=100)
    timeline.seek(600)
    asked: list[int] = []

    def refuse(done: int, total: int) -> bool:
        asked.append(done)
        return False

    with pytest.raises(MoveCancelled):
        cached_profile(timeline).tally_at(timeline, 600, refuse)
    with pytest.raises(MoveCancelled):
        cached_profile(timeline).tally_at(timeline, 599, refuse)
    assert counted(timeline, 600) == naive(timeline, 600)
    assert asked


def test_a_breakpoint_applies_only_in_its_direction() -> None:
    debugger = Debugger.open("brainfuck", b"+++[-]")
    debugger.add_breakpoint(BreakpointSpec(offset=1, direction="backwards"))
    debugger.add_breakpoint(BreakpointSpec(offset=2, direction="forwards"))
    assert debugger.resume().step == 2
    assert debugger.resume().reasons[0].kind == "end"
    assert debugger.resume(reverse=True).step == 1
    assert debugger.resume(reverse=True).reasons[0].kind == "start"


def test_never_executed_stops_once_at_every_instruction() -> None:
    debugger = Debugger.open("brainfuck", b"++[>+<-]>.")
    debugger.add_breakpoint(BreakpointSpec(new=True))
    steps = [debugger.resume().step for _ in range(9)]
    assert steps == [1, 2, 3, 4, 5, 6, 7, 14, 15]
    assert debugger.resume().reasons[0].kind == "end"
    assert [debugger.resume(reverse=True).step for _ in range(9)] == steps[::-1]


@pytest.mark.parametrize(
    "spec",
    [
        BreakpointSpec(step=0),
        BreakpointSpec(every=-3),
        BreakpointSpec(output=b""),
        BreakpointSpec(output="x" * 201),
        BreakpointSpec(direction="backwards"),
    ],
)
def test_breakpoint_that_can_never_apply_is_refused(spec: BreakpointSpec) -> None:
    with pytest.raises(UsageError):
        Debugger.open("brainfuck", b"+").add_breakpoint(spec)


def test_breakpoint_stops_before_reads_of_a_cell() -> None:
    debugger = Debugger.open("brainfuck", b">+[.-]<.")
    debugger.add_breakpoint(BreakpointSpec(read=1))
    steps: list[int] = []
    while debugger.resume().reasons[0].kind == "breakpoint":
        steps.append(debugger.step)
    seen: list[tuple[int, str]] = []
    for step in steps:
        debugger.seek(step)
        seen.append((debugger.registers()["ptr"], debugger.view().location.instruction))
    assert seen == [(1, "["), (1, "."), (1, "]")]


def test_breakpoint_stops_before_reads_of_the_heap() -> None:
    # push 7, push 5, store; push 7, retrieve; push 8, retrieve
    source = b"   \t\t\t\n   \t \t\n\t\t    \t\t\t\n\t\t\t   \t   \n\t\t\t\n\n\n"
    debugger = Debugger.open("whitespace", source)
    debugger.add_breakpoint(BreakpointSpec(read=7))
    assert debugger.resume().step == 4
    assert debugger.registers()["top"] == 7
    assert debugger.resume().reasons[0].kind == "end"


@pytest.mark.parametrize("language", ["befunge-98", "unlambda"])
def test_unsupported_read_breakpoint_is_refused(language: str) -> None:
    debugger = Debugger.open(language, b"`.ai" if language == "unlambda" else b"12g@")
    with pytest.raises(UsageError, match="read of a cell is not supported"):
        debugger.add_breakpoint(BreakpointSpec(read=(1, 0)))
