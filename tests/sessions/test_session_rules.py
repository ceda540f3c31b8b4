"""The state machine alone: whatever is asked of it, in whatever order, the rules hold."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from protocol_rows import ANY_PROTOCOL, FINAL, checks_workspace
from rule_states import CLEAN, PROBLEMS, RUN, apply, start, state_after, state_after_verdict

from esoplay.errors import RejectedCommand, UnknownProblem, UsageError
from esoplay.sessions import events, machine
from esoplay.sessions.events import Event, Status, decode, encode
from esoplay.sessions.machine import Command, decide
from esoplay.sessions.protocols import PROTOCOLS, Protocol, find_protocol
from esoplay.sessions.state import MOVES, evolve, fold, is_final

MESSY = replace(CLEAN, files=3, generators={"python": "gen.py", "perl": "a.pl"}, foreign="a.pl")
(BEGINNING,) = decide(None, start(PROTOCOLS["primary"]))

a_problem = st.sampled_from((*PROBLEMS, "X99"))
a_command = st.one_of(
    st.builds(machine.Fetch, st.none() | a_problem),
    st.just(RUN),
    st.builds(
        machine.Submit,
        a_problem,
        st.sampled_from(("p", "q")),
        st.none() | st.sampled_from(("r1", "r2")),
        st.none() | st.just(3),
        st.sampled_from((None, CLEAN, MESSY)),
    ),
    st.builds(
        machine.RecordVerdict,
        st.integers(0, 12),
        st.integers(0, 6),
        st.just(6),
        st.just("report"),
    ),
    st.builds(machine.VoidSubmission, st.integers(0, 12), st.just("crash")),
    st.just(machine.Skip()),
    st.just(machine.AcceptVisibleProcesses("user 1001 can see processes")),
    st.just(start(PROTOCOLS["primary"])),
)


@settings(max_examples=6 * int(os.environ.get("ESOPLAY_EXAMPLES", "50")))
@given(ANY_PROTOCOL, st.lists(a_command, max_size=60), st.sampled_from((None, 3, 6)))
def test_no_sequence_of_commands_breaks_the_rules(
    protocol: Protocol, asked: list[Command], settle: int | None
) -> None:
    state = apply(None, start(protocol))
    log: list[Event] = list(decide(None, start(protocol)))
    graded: dict[str, int] = dict.fromkeys(PROBLEMS, 0)
    runs: dict[str, int] = dict.fromkeys(PROBLEMS, 0)
    final: set[str] = set()
    for command in asked:
        if settle is not None and state.grading and not isinstance(command, machine.VoidSubmission):
            command = machine.RecordVerdict(state.grading.number, settle, 6, "report")
        try:
            caused = decide(state, command)
        except (RejectedCommand, UnknownProblem):
            caused = ()
        for event in caused:
            before = state
            log.append(event)
            state = evolve(state, event)
            problem = getattr(event, "problem", None)
            if problem is not None:
                assert problem not in final or isinstance(event, events.SubmissionVoided)
            match event:
                case events.SubmissionGraded():
                    graded[event.problem] += 1
                    if event.violation is not None:
                        assert checks_workspace(protocol)
                        assert before.progress[event.problem].status == event.status or (
                            event.status == "failed"
                        )
                case events.ProgramRun(problem=str(counted)):
                    runs[counted] += 1
                case events.ProblemSkipped():
                    assert protocol.skip == "free"
                    assert before.progress[event.problem].status == "active"
                case events.ProblemFetched():
                    was = before.progress[event.problem].status
                    assert was in ("pending", "active") or ((protocol.revisit, was) in WAYS_BACK)
                case _:
                    pass
        final |= {
            name for name, one in state.progress.items() if one.status in FINAL[protocol.revisit]
        }
        if protocol.submissions is not None:
            assert max(graded.values()) <= protocol.submissions
            for name in PROBLEMS:
                left = state.submissions_left(name)
                assert left is not None
                assert 0 <= left <= protocol.submissions - graded[name]
        if protocol.runs is not None:
            assert max(runs.values()) <= protocol.runs
        if protocol.order == "forward":
            assert sum(one.status == "active" for one in state.progress.values()) <= 1
    assert fold(log) == state
    assert fold(written_and_read(log)) == state


WAYS_BACK = {("all", "solved"), ("all", "skipped"), ("skipped", "skipped")}


def written_and_read(log: list[Event]) -> list[Event]:
    return [decode(event.kind, json.loads(json.dumps(encode(event)))) for event in log]


def test_closing_by_hand_ends_everything_and_can_be_repeated() -> None:
    state = state_after(PROTOCOLS["practice"], machine.Fetch(), machine.Close())
    assert state.closed
    assert decide(state, machine.Close()) == ()
    with pytest.raises(RejectedCommand, match="closed"):
        decide(state, machine.Fetch())


def test_a_session_cannot_be_closed_under_a_submission() -> None:
    state = state_after(PROTOCOLS["primary"], machine.Fetch(), machine.Submit("E01", "p"))
    with pytest.raises(RejectedCommand, match="being graded"):
        decide(state, machine.Close())


def test_a_void_submission_does_not_count() -> None:
    state = state_after(PROTOCOLS["primary"], machine.Fetch(), machine.Submit("E01", "p", "r"))
    assert state.submissions_left("E01") == 2
    state = apply(state, machine.VoidSubmission(1, "crash"))
    assert state.submissions_left("E01") == 3
    assert decide(state, machine.Submit("E01", "p", "r"))[0] == events.SubmissionReserved(
        2, "E01", "p", "r"
    )


def test_only_one_submission_is_graded_at_a_time() -> None:
    state = state_after(PROTOCOLS["practice"], machine.Fetch(), machine.Submit("E01", "p"))
    with pytest.raises(RejectedCommand, match="submission 1 is still being graded"):
        decide(state, machine.Submit("E01", "q"))
    with pytest.raises(RejectedCommand, match="still being graded"):
        decide(state, machine.Skip())


def test_a_repeated_request_causes_nothing_even_in_a_closed_session() -> None:
    state = state_after_verdict(state_after(PROTOCOLS["primary"], machine.Fetch()), "E01", 2, "r")
    repeat = machine.Submit("E01", "program 2", "r")
    assert decide(state, repeat) == ()
    assert decide(apply(state, machine.Close()), repeat) == ()
    with pytest.raises(RejectedCommand, match="used for another submission"):
        decide(state, replace(repeat, program="program 3"))


@pytest.mark.parametrize(
    ("id", "generators", "foreign", "told"),
    [
        ("primary", {"python": "a.py", "rust": "b.rs"}, "notes", None),
        ("host-python", {"python": "a.py"}, "notes", None),
        ("host-python", {"python": "a.py", "rust": "b.rs"}, None, r"python; found b.rs \(rust\)"),
        ("host-rust", {"rust": "b.rs", "binary": "target/b"}, "notes", None),
        ("host-python", {"binary": "tool"}, None, r"python; found tool \(binary\)"),
        ("direct", {}, None, None),
        ("direct", {"shell": "x"}, "x", r"none; found x \(shell\)"),
        ("direct", {}, "notes", "only programs in the session's language .* found notes"),
    ],
)
def test_a_workspace_that_breaks_the_rules_fails_the_submission(
    id: str, generators: dict[str, str], foreign: str | None, told: str | None
) -> None:
    found = replace(CLEAN, generators=generators, foreign=foreign)
    state = state_after(PROTOCOLS[id], machine.Fetch())
    state = apply(state, machine.Submit("E01", "p", workspace=found))
    (verdict,) = decide(state, machine.RecordVerdict(1, 6, 6, "report"))
    assert isinstance(verdict, events.SubmissionGraded)
    if told is None:
        assert (verdict.violation, verdict.status, verdict.solved) == (None, "solved", True)
    else:
        assert re.search(told, verdict.violation or "")
        assert (verdict.status, verdict.solved, verdict.submissions_left) == ("active", False, 2)


def test_a_workspace_that_was_not_seen_breaks_no_rule() -> None:
    for found in (None, events.Inspection(False, "elsewhere")):
        state = state_after(PROTOCOLS["direct"], machine.Fetch())
        (reserved,) = decide(state, machine.Submit("E01", "p", workspace=found))
        assert isinstance(reserved, events.SubmissionReserved)
        assert (reserved.violation, reserved.workspace) == (None, found)


def test_every_status_has_its_moves_and_final_ones_have_none() -> None:
    every: set[Status] = set(get_args(Status))
    assert all(moves.keys() == every for moves in MOVES.values())
    assert {status for status in every if is_final("never", status)} == {
        *("solved", "failed", "skipped")
    }
    assert {status for status in every if is_final("skipped", status)} == {"solved", "failed"}
    assert {status for status in every if is_final("all", status)} == {"failed"}


def test_a_session_needs_problems() -> None:
    with pytest.raises(RejectedCommand, match="no problems"):
        decide(None, replace(start(PROTOCOLS["primary"]), problems=()))


def test_an_unknown_protocol_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"primary, controlled, .*practice"):
        find_protocol("primry")


@pytest.mark.parametrize(
    ("log", "reason"),
    [
        ([events.ProblemFetched("E01")], "the first event does not start the session"),
        ([BEGINNING, BEGINNING], "is started twice"),
        ([BEGINNING, events.ProblemFetched("E99")], "'E99' is not in this session"),
        ([BEGINNING, events.SubmissionVoided(1, "E01", "?")], "is not being graded"),
    ],
)
def test_an_invalid_log_cannot_be_folded(log: list[Event], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        fold(log)
