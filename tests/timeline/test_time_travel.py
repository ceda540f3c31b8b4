"""Any order of seeks ≡ fresh replay; stops met backwards ≡ those met forwards, reversed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any
from unittest import mock

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from oracles.brainfuck import Oracle
from strategies.brainfuck import sources

from esolangs.brainfuck import LANGUAGE
from esolangs.limits import Limits
from esolangs.machine import Machine
from esolangs.registry import find_language
from esolangs.stops import StopSet
from esolangs.view import View
from esolangs.wording import format_count
from esoplay.debugging.analysis import diagnose
from esoplay.debugging.debugger import Debugger
from esoplay.running.run import run_source
from esoplay.timeline import history, search, stepping
from esoplay.timeline.breakpoint_spec import BreakpointSpec
from esoplay.timeline.breakpoints import Breakpoint, TimelineContext
from esoplay.timeline.stops import Reason
from esoplay.timeline.timeline import (
    MoveCancelled,
    Recording,
    TimeLimitReached,
    Timeline,
    with_time_limit,
)

LIMITS = Limits(steps=600, output=50, memory=200)


def timeline_of(source: bytes, stdin: bytes = b"", every: int = 17) -> Timeline:
    options = LANGUAGE.configure()
    recording = Recording("brainfuck", "standard", options, source, stdin, limits=LIMITS)
    return Timeline(LANGUAGE.parse(source, options), recording, every)


def state_of(timeline: Timeline) -> object:
    """All that a user can see; how a run ended shows when it is at its end."""
    return plain(timeline.machine.view())


def plain(view: View) -> View:
    location = view.location._replace(explanation="")
    return view._replace(status="running", fault=None, limit=None, location=location)


def oracle_of(source: bytes, stdin: bytes = b"") -> Oracle:
    oracle = Oracle(source, stdin, max_steps=600, max_output=50, max_memory=200)
    oracle.run(600)
    return oracle


_PROGRAMS = sources()
_INPUT = st.binary(max_size=4)


@given(_PROGRAMS, _INPUT, st.lists(st.integers(-5, 700), min_size=1, max_size=8))
def test_seeks_in_any_order_equal_a_replay(source: bytes, stdin: bytes, targets: list[int]) -> None:
    travelled = timeline_of(source, stdin)
    end = oracle_of(source, stdin).steps
    for target in targets:
        assert travelled.seek(target) == max(0, min(target, end))
        fresh = timeline_of(source, stdin, every=10_000)
        fresh.seek(travelled.step)
        assert state_of(travelled) == state_of(fresh)


@given(_PROGRAMS, _INPUT)
def test_known_history_matches_the_oracle(source: bytes, stdin: bytes) -> None:
    timeline, oracle = timeline_of(source, stdin), oracle_of(source, stdin)
    timeline.seek(10_000)
    assert timeline.end == timeline.known_steps == oracle.steps
    assert timeline.output == oracle.output
    assert timeline.status == oracle.status
    for index, step in enumerate(oracle.printed_at):
        assert timeline.step_that_printed(index) == step
    assert timeline.step_that_printed(len(oracle.printed_at)) is None
    assert [timeline.step_that_read(at) for at in range(len(oracle.read_at))] == oracle.read_at


@given(_PROGRAMS, _INPUT, st.integers(0, 600), st.integers(0, 3), st.integers(1, 4))
def test_writes_match_the_oracle(
    source: bytes, stdin: bytes, here: int, cell: int, limit: int
) -> None:
    timeline, oracle = timeline_of(source, stdin), oracle_of(source, stdin)
    timeline.seek(10_000)
    before = [w for w in oracle.writes if w[1] == cell and w[0] <= here]
    found = history.last_writes(timeline, cell, here, limit)
    expected = [(w[0], w[2], w[3]) for w in reversed(before[-limit:])]
    assert [(w.step, w.old, w.new) for w in found] == expected


@st.composite
def _breakpoints(draw: st.DrawFn, source: bytes) -> list[Breakpoint]:
    commands = [at for at, byte in enumerate(source) if chr(byte) in "><+-.,[]"]
    assume(commands)
    spec = st.one_of(
        st.builds(BreakpointSpec, offset=st.sampled_from(commands)),
        st.builds(BreakpointSpec, cell=st.integers(0, 3)),
        st.builds(BreakpointSpec, output=st.one_of(st.integers(0, 4), st.just("\x01"))),
        st.builds(BreakpointSpec, effect=st.sampled_from(["write", "input", "output"])),
        st.builds(BreakpointSpec, condition=st.sampled_from(
            ["cell[1] == 2", "value > 3 && ptr < 2", "hits % 3 == 0", "depth == 2", "output == 2"]
        )),
        st.builds(
            BreakpointSpec,
            offset=st.sampled_from(commands),
            condition=st.sampled_from(["hits == 2", "hits > 3", "cell[0] < 5", "step % 2 == 0"]),
        ),
        st.builds(BreakpointSpec, cell=st.integers(0, 2), condition=st.just("cell[1] != 1")),
        st.builds(BreakpointSpec, output=st.sampled_from([b"\1\1", b"\0\1", "\1\1\1"])),
        st.builds(BreakpointSpec, step=st.integers(1, 60)),
        st.builds(BreakpointSpec, every=st.integers(1, 60)),
        st.builds(
            BreakpointSpec,
            every=st.integers(1, 9),
            condition=st.sampled_from(["hits == 3", "value > 1", "hits % 2"]),
        ),
        st.builds(BreakpointSpec, every=st.integers(1, 4), effect=st.sampled_from(["write"])),
        st.builds(BreakpointSpec, new=st.just(True)),
        st.builds(BreakpointSpec, read=st.integers(0, 3)),
        st.builds(BreakpointSpec, read=st.integers(0, 1), condition=st.just("hits == 2")),
        st.builds(
            BreakpointSpec,
            new=st.just(True),
            instruction=st.sampled_from([None, chr(source[commands[0]])]),
            condition=st.sampled_from([None, "hits > 2", "value == 1"]),
        ),
    )  # fmt: skip
    specs = draw(st.lists(spec, min_size=1, max_size=3))
    return [Breakpoint(at, spec, LANGUAGE.parse(source)) for at, spec in enumerate(specs)]


@given(st.data())
def test_stops_backwards_are_the_stops_forwards_reversed(data: st.DataObject) -> None:
    source, stdin = data.draw(_PROGRAMS), data.draw(_INPUT)
    breakpoints = data.draw(_breakpoints(source))
    timeline = timeline_of(source, stdin)
    forwards: list[tuple[int, tuple[int | None, ...]]] = []
    while True:
        stop = search.run_forward(timeline, breakpoints)
        if stop.reasons[0].kind != "breakpoint":
            break
        forwards.append((stop.step, tuple(reason.breakpoint for reason in stop.reasons)))
    end = timeline.step
    assert end == oracle_of(source, stdin).steps
    backwards: list[tuple[int, tuple[int | None, ...]]] = []
    while True:
        stop = search.run_backward(timeline, breakpoints)
        if stop.reasons[0].kind == "start":
            break
        assert timeline.step == stop.step
        backwards.append((stop.step, tuple(reason.breakpoint for reason in stop.reasons)))
    # The last stop forwards may be the last step itself, where going back begins; only
    # going back reaches the very first instruction.
    backwards = [each for each in backwards if each[0]]
    assert backwards == [each for each in reversed(forwards) if each[0] < end]


@given(
    _PROGRAMS,
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 255)), min_size=1, max_size=3),
    st.lists(st.integers(0, 200), min_size=1, max_size=4),
)
def test_edits_are_replayed(
    source: bytes, edits: list[tuple[int, int]], targets: list[int]
) -> None:
    timeline = timeline_of(source, every=5)
    for step, value in sorted(edits):
        timeline.seek(step)
        timeline.edit(0, value)
    for target in targets:
        timeline.seek(target)
        machine = timeline.program.start(limits=LIMITS)
        for edit in [*timeline.recording.edits]:
            if edit.step <= timeline.step:
                machine.run(edit.step - machine.steps)
                machine.poke(0, edit.value)
        machine.run(timeline.step - machine.steps)
        assert state_of(timeline) == plain(machine.view())


def test_a_fork_has_edits_also_after_moves_back() -> None:
    """The fork has a checkpoint at the step of the edit."""
    timeline = timeline_of(b"+[>+<]", every=5)
    timeline.seek(10)
    timeline.edit(1, 99)
    fork = timeline.fork()
    for step in (30, 10, 5, 12, 10):
        timeline.seek(step)
        fork.seek(step)
        assert state_of(fork) == state_of(timeline)


def test_live_input_joins_the_recording() -> None:
    options = LANGUAGE.configure()
    source = b",.,."
    recording = Recording("brainfuck", "standard", options, source, b"", closed=False)
    timeline = Timeline(LANGUAGE.parse(source, options), recording, 2)
    assert timeline.seek(100) == 0
    assert timeline.status == "needs_input"
    timeline.feed(b"a")
    assert timeline.seek(100) == 2
    timeline.seek(0)
    timeline.feed(b"b")
    assert timeline.seek(100) == 4
    assert timeline.output == b"ab"
    assert timeline.recording.stdin == b"ab"


def test_other_input_changes_the_past() -> None:
    timeline = timeline_of(b",[.,]", b"abc")
    timeline.seek(6)
    other = timeline.with_input(b"xyz", closed=True)
    assert (timeline.output, timeline.recording.stdin) == (b"a", b"abc")
    assert other.step == 6
    assert other.output == b"x"
    other.seek(1000)
    assert other.output == b"xyz"


class CancellingTicker:
    """A ticker that says no the ``calls``-th time."""

    def __init__(self, calls: int):
        self.left = calls

    def __call__(self, done: int, total: int) -> bool:
        self.left -= 1
        return self.left > 0


LONG = b"+[->+<" + b"+" * 40 + b"]"
LONG_PROGRAM = LANGUAGE.parse(LONG)
HITS = Breakpoint(1, BreakpointSpec(cell=0, condition="hits == 100"), LONG_PROGRAM)


@pytest.mark.parametrize(
    "work",
    [
        lambda timeline: history.last_writes(timeline, 0, 500, 90, CancellingTicker(3)),
        lambda timeline: history.last_writes(timeline, 7, 500, 1, CancellingTicker(3)),
        lambda timeline: search.run_backward(timeline, [HITS], None, CancellingTicker(3)),
        lambda timeline: search.run_forward(timeline, [HITS], None, CancellingTicker(1)),
        lambda timeline: timeline.fork(CancellingTicker(3)),
        lambda timeline: timeline.with_input(b"x", True, CancellingTicker(3)),
    ],
)
def test_cancelled_search_changes_nothing(work: Callable[[Timeline], Any]) -> None:
    timeline = timeline_of(LONG)
    timeline.seek(600)
    timeline.seek(500)
    before = state_of(timeline)
    with pytest.raises(MoveCancelled):
        work(timeline)
    assert state_of(timeline) == before


@given(st.integers(0, 600), st.integers(1, 40), st.integers(0, 600))
def test_hits_count_the_same_in_both_directions(here: int, hits: int, budget: int) -> None:
    timeline = timeline_of(LONG)
    timeline.seek(600)
    timeline.seek(here)
    spec = BreakpointSpec(cell=0, condition=f"hits % {hits} == 0")
    writes = reversed(history.last_writes(timeline, 0, 600, 600))
    wanted = [write.step for at, write in enumerate(writes, 1) if at % hits == 0]
    last = max((step for step in wanted if step < here), default=0)
    assert search.run_backward(timeline, [Breakpoint(1, spec, LONG_PROGRAM)]).step == last
    timeline.seek(here)
    stop = search.run_backward(timeline, [Breakpoint(1, spec, LONG_PROGRAM)], budget)
    assert stop.step == max(last, here - budget, 0)


def test_long_move_stays_cancellable() -> None:
    """A run of few steps is quick; that says nothing about a slice of many."""
    debugger = Debugger.open("brainfuck", b"+" * 40 + b"[>+<]")
    for _ in range(40):
        debugger.step_by(1)
    asked: list[int] = []

    def refuse(done: int, _: int) -> bool:
        asked.append(done)
        return len(asked) < 3

    stop = debugger.step_by(1, granularity="loop", ticker=refuse)
    assert stop.reasons[0].kind == "cancelled"
    assert debugger.step == 40
    assert asked[-1] < 1_000_000_000


def test_step_back_between_several_output_indices() -> None:
    """Found at random: the engine watches for one index, and for two it stops at each byte."""
    timeline = timeline_of(b"....>", b"")
    program = timeline.program
    breakpoints = [Breakpoint(at, BreakpointSpec(output=at), program) for at in (0, 2)]
    timeline.seek(5)
    backwards = [search.run_backward(timeline, breakpoints).step for _ in range(3)]
    assert backwards == [3, 1, 0]


@given(
    _PROGRAMS,
    _INPUT,
    st.sampled_from([BreakpointSpec(every=3), BreakpointSpec(cell=0), BreakpointSpec(cell=1)]),
    st.sampled_from([BreakpointSpec(every=7), BreakpointSpec(effect="input")]),
    st.integers(0, 60),
)
def test_log_lines_are_the_same_in_both_directions(
    source: bytes, stdin: bytes, noted: BreakpointSpec, stops: BreakpointSpec, budget: int
) -> None:
    timeline = timeline_of(source, stdin)
    timeline.seek(10_000)
    end = timeline.step
    log = Breakpoint(1, replace(noted, log="{step} {hits}"), timeline.program)
    stop = Breakpoint(2, stops, timeline.program)
    timeline.seek(0)
    forwards = search.run_forward(timeline, [log]).logs
    assert [line.split()[1] for line in forwards] == [str(at + 1) for at in range(len(forwards))]
    met = {int(line.split()[0]): line for line in forwards}
    assert log.hits == len(forwards)
    while timeline.step:
        began, hits = timeline.step, log.hits
        found = search.run_backward(timeline, [log, stop], budget or None)
        low = found.step - (found.reasons[0].kind == "breakpoint" or found.step == began - budget)
        wanted = [met[step] for step in sorted(met, reverse=True) if low < step < began]
        assert list(found.logs) == wanted
        assert log.hits == hits + len(wanted)
    assert end == timeline.known_steps


def test_stop_at_the_end_of_the_budget_counts_at_a_checkpoint() -> None:
    """Found at random: what stood right at the checkpoint that a search began with was missed."""
    timeline = timeline_of(b"+[>+]", b"")
    timeline.seek(562)
    timeline.checkpoints.add(timeline.machine_at(561).snapshot(), 0.01)
    stop = Breakpoint(1, BreakpointSpec(step=561), timeline.program)
    assert search.run_backward(timeline, [stop], 1).reasons[0].kind == "breakpoint"


def test_search_for_new_instructions_skips_empty_intervals() -> None:
    timeline = timeline_of(LONG, every=10_000)
    timeline.seek(600)
    looks: list[int] = []
    new = Breakpoint(1, BreakpointSpec(new=True), LONG_PROGRAM)
    applies = new.applies

    def counted(machine: Machine, past: TimelineContext) -> bool:
        looks.append(machine.steps)
        return applies(machine, past)

    new.applies = counted
    last = search.run_backward(timeline, [new]).step
    assert looks[-1] == last < 100
    assert timeline.seek(600) == 600
    timeline.seek(last)
    assert search.run_backward(timeline, [new]).step == last - 1


def test_reverse_search_returns_at_most_1000_log_lines() -> None:
    source = b"+[>+<]"
    recording = Recording("brainfuck", "standard", LANGUAGE.configure(), source, b"")
    timeline = Timeline(LANGUAGE.parse(source), recording, 700)
    timeline.seek(2500)
    log = Breakpoint(1, BreakpointSpec(every=1, log="{step}"), timeline.program)
    stop = search.run_backward(timeline, [log])
    assert [int(line) for line in stop.logs] == list(range(1000, 0, -1))
    assert log.hits == 2499


def test_a_log_text_counts_hits_from_the_beginning() -> None:
    timeline = timeline_of(LONG)
    log = Breakpoint(1, BreakpointSpec(cell=1, log="{hits}"), LONG_PROGRAM)
    every = Breakpoint(2, BreakpointSpec(every=50), LONG_PROGRAM)
    noted: list[str] = []
    for _ in range(5):
        noted += search.run_forward(timeline, [log, every]).logs
    assert noted == [str(at + 1) for at in range(len(noted))]


# Moves that end because their time is up


@given(_PROGRAMS, _INPUT, st.integers(0, 2), st.integers(1, 40), st.sampled_from(["", "value < 3"]))
def test_timed_moves_back_find_the_same_stops(
    source: bytes, stdin: bytes, cell: int, every: int, condition: str
) -> None:
    timeline = timeline_of(source, stdin, every)
    timeline.seek(600)
    end = timeline.step
    spec = BreakpointSpec(cell=cell, condition=condition or None)
    stops = [Breakpoint(1, spec, timeline.program)]
    expected: list[int] = []
    while timeline.step:
        expected.append(search.run_backward(timeline, stops).step)
    timeline.seek(end)
    found: list[int] = []
    while timeline.step:
        began = timeline.step
        with mock.patch.object(search, "_TIMED_CHUNK", 10):
            stop = search.run_backward(timeline, stops, ticker=with_time_limit(-1.0, None))
        assert stop.step == timeline.step < began
        if stop.reasons[0].kind == "budget":
            words = f"{format_count(began - stop.step, 'step')} undone"
            assert stop.reasons == (Reason("budget", words),)
        else:
            found.append(stop.step)
    assert found == expected


@given(_PROGRAMS, _INPUT, st.integers(1, 9), st.booleans())
def test_timed_search_skips_no_stop(source: bytes, stdin: bytes, every: int, reverse: bool) -> None:
    timeline = timeline_of(source, stdin, every)
    timeline.seek(600 if reverse else 0)
    began = timeline.step
    stops = StopSet(inputs=True)
    found = search.move_to_stop(timeline, stops, reverse, None)
    expected = timeline.step
    timeline.seek(began)
    for _ in range(1000):
        try:
            assert (
                search.move_to_stop(timeline, stops, reverse, with_time_limit(-1.0, None)) == found
            )
            break
        except TimeLimitReached:
            assert expected <= timeline.step <= began or began <= timeline.step <= expected
    assert timeline.step == expected


def test_timed_walk_back_resumes() -> None:
    language = find_language("befunge-98")
    options = language.configure()
    recording = Recording("befunge-98", "standard", options, b"v\n><", b"")  # it stays in row 1
    timeline = Timeline(language.parse(recording.source, options), recording, 700)
    timeline.seek(3500)
    expected = stepping.step(timeline, "line", True, None).step
    timeline.seek(3500)
    positions = [3500]
    while timeline.step > expected:
        with suppress(TimeLimitReached):
            stepping.step(timeline, "line", True, with_time_limit(-1.0, None))
        positions.append(timeline.step)
    assert positions == [3500, 2500, 1500, 500, expected]


@pytest.mark.parametrize(
    ("source", "limits", "words"),
    [
        (b"+[]", Limits(steps=70), "the limit of 70 steps was reached"),
        (b"+[.]", Limits(output=7), "the limit of 7 bytes of output was reached"),
        (b"+[>+]", Limits(memory=70), "the limit of 70 bytes of memory was reached"),
    ],
)
def test_run_and_debugger_report_limits_alike(source: bytes, limits: Limits, words: str) -> None:
    assert run_source("brainfuck", source, limits=limits).stderr.endswith(words)
    debugger = Debugger.open("brainfuck", source, limits=limits)
    (reason,) = debugger.resume().reasons
    assert reason == Reason("limit", words)
    assert words in [finding.text for finding in diagnose(debugger).findings]
