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
from protocol_rows import ANY_PROTOCOL, FINAL

from esoplay.errors import RejectedCommand, UnknownProblem, UsageError
from esoplay.sessions import commands, events
from esoplay.sessions.commands import Command
from esoplay.sessions.events import Event, RunLimits, Status, decode, encode
from esoplay.sessions.machine import check_run, decide, next_problem
from esoplay.sessions.moves import MOVES, is_final
from esoplay.sessions.protocols import PROTOCOLS, Protocol, find_protocol
from esoplay.sessions.state import State, evolve, fold

PROBLEMS = ("E01", "E02", "E03")
COUNTED_RUNS = replace(PROTOCOLS["primary"], id="counted", runs=2, submissions=1)
CLEAN = events.Inspection(True, files=1, complete=True)
MESSY = replace(CLEAN, files=3, generators={"python": "gen.py", "perl": "a.pl"}, foreign="a.pl")


def start(protocol: Protocol) -> commands.Start:
    return commands.Start(
        session="s",
        language="brainfuck",
        protocol=protocol,
        pack="fake",
        pack_version="1",
        problems=PROBLEMS,
        limits=RunLimits(1, 2, 3, 4.0),
        seed_commitment="promise",
        versions={"esoplay": "0"},
    )


def apply(state: State | None, command: Command) -> State:
    for event in decide(state, command):
        state = evolve(state, event)
    assert state is not None
    return state


def begun(protocol: Protocol, *moves: Command) -> State:
    state = apply(None, start(protocol))
    for move in moves:
        state = apply(state, move)
    return state


def judged(state: State, problem: str, passed: int, request_id: str | None = None) -> State:
    """The state after a whole submission."""
    state = apply(state, commands.Submit(problem, f"program {passed}", request_id))
    return apply(state, commands.RecordVerdict(state.numbered, passed, 6, "report"))


(BEGINNING,) = decide(None, start(PROTOCOLS["primary"]))
RUN = commands.RecordRun("p", "i", "ok", 1, "o", 0)

a_problem = st.sampled_from((*PROBLEMS, "X99"))
a_command = st.one_of(
    st.builds(commands.Fetch, st.none() | a_problem),
    st.just(RUN),
    st.builds(
        commands.Submit,
        a_problem,
        st.sampled_from(("p", "q")),
        st.none() | st.sampled_from(("r1", "r2")),
        st.none() | st.just(3),
        st.sampled_from((None, CLEAN, MESSY)),
    ),
    st.builds(
        commands.RecordVerdict,
        st.integers(0, 12),
        st.integers(0, 6),
        st.just(6),
        st.just("report"),
    ),
    st.builds(commands.VoidSubmission, st.integers(0, 12), st.just("crash")),
    st.just(commands.Skip()),
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
        if (
            settle is not None
            and state.grading
            and not isinstance(command, commands.VoidSubmission)
        ):
            command = commands.RecordVerdict(state.grading.number, settle, 6, "report")
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
                        assert protocol.checks_workspace
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


def test_primary_gives_three_submissions_and_then_fails_the_problem() -> None:
    state = begun(PROTOCOLS["primary"], commands.Fetch())
    left: list[int | None] = []
    for passed in (0, 5, 5):
        state = judged(state, "E01", passed)
        left.append(state.submissions_left("E01"))
    assert left == [2, 1, 0]
    assert state.progress["E01"].status == "failed"
    with pytest.raises(RejectedCommand, match="E01 is failed; a finalized problem is never"):
        decide(state, commands.Submit("E01", "p"))


def test_passing_different_tests_in_turn_does_not_add_up() -> None:
    state = judged(begun(PROTOCOLS["primary"], commands.Fetch()), "E01", 3)
    assert judged(state, "E01", 3).progress["E01"].status == "active"


def test_a_solved_problem_gives_way_to_the_next_one() -> None:
    state = judged(begun(PROTOCOLS["primary"], commands.Fetch()), "E01", 6)
    assert state.progress["E01"].status == "solved"
    assert apply(state, commands.Fetch()).current == "E02"
    for again in (commands.Fetch("E01"), commands.Submit("E01", "p")):
        with pytest.raises(RejectedCommand, match="E01 is solved; a finalized problem"):
            decide(state, again)


def test_primary_hands_out_problems_in_order_only() -> None:
    state = begun(PROTOCOLS["primary"])
    with pytest.raises(RejectedCommand, match="fixed order: E01"):
        decide(state, commands.Fetch("E02"))
    state = apply(state, commands.Fetch("E01"))
    with pytest.raises(RejectedCommand, match="fixed order: E01"):
        decide(state, commands.Fetch("E02"))
    with pytest.raises(RejectedCommand, match="E02 has not been fetched"):
        decide(state, commands.Submit("E02", "p"))


def test_fetch_repeats_the_active_problem() -> None:
    state = begun(PROTOCOLS["primary"], commands.Fetch())
    assert decide(state, commands.Fetch()) == (events.ProblemFetched("E01"),)
    assert decide(state, commands.Fetch("E01")) == (events.ProblemFetched("E01"),)


@pytest.mark.parametrize("used", [0, 1, 2])
def test_primary_refuses_to_skip_while_submissions_are_left(used: int) -> None:
    state = begun(PROTOCOLS["primary"], commands.Fetch())
    for _ in range(used):
        state = judged(state, "E01", 0)
    with pytest.raises(RejectedCommand, match=f"submissions are left \\({3 - used} of 3\\)"):
        decide(state, commands.Skip())


def test_nothing_can_be_skipped_before_it_is_fetched_or_after_it_is_final() -> None:
    state = begun(PROTOCOLS["primary"])
    for where in (state, judged(apply(state, commands.Fetch()), "E01", 6)):
        with pytest.raises(RejectedCommand, match="no active problem"):
            decide(where, commands.Skip())


def test_primary_is_closed_when_every_problem_is_final() -> None:
    state = begun(PROTOCOLS["primary"])
    for problem in PROBLEMS:
        assert not state.closed
        state = judged(apply(state, commands.Fetch()), problem, 6)
    assert state.closed
    for move in (commands.Fetch(), commands.Submit("E01", "p"), commands.Skip(), RUN):
        with pytest.raises(RejectedCommand, match="closed"):
            decide(state, move)


def test_closing_by_hand_ends_everything_and_can_be_repeated() -> None:
    state = begun(PROTOCOLS["practice"], commands.Fetch(), commands.Close())
    assert state.closed
    assert decide(state, commands.Close()) == ()
    with pytest.raises(RejectedCommand, match="closed"):
        decide(state, commands.Fetch())


def test_a_session_cannot_be_closed_under_a_submission() -> None:
    state = begun(PROTOCOLS["primary"], commands.Fetch(), commands.Submit("E01", "p"))
    with pytest.raises(RejectedCommand, match="being graded"):
        decide(state, commands.Close())


def test_a_void_submission_does_not_count() -> None:
    state = begun(PROTOCOLS["primary"], commands.Fetch(), commands.Submit("E01", "p", "r"))
    assert state.submissions_left("E01") == 2
    state = apply(state, commands.VoidSubmission(1, "crash"))
    assert state.submissions_left("E01") == 3
    assert decide(state, commands.Submit("E01", "p", "r"))[0] == events.SubmissionReserved(
        2, "E01", "p", "r"
    )


def test_one_submission_at_a_time() -> None:
    state = begun(PROTOCOLS["practice"], commands.Fetch(), commands.Submit("E01", "p"))
    with pytest.raises(RejectedCommand, match="submission 1 is still being graded"):
        decide(state, commands.Submit("E01", "q"))
    with pytest.raises(RejectedCommand, match="still being graded"):
        decide(state, commands.Skip())


def test_a_repeated_request_causes_nothing_even_in_a_closed_session() -> None:
    state = judged(begun(PROTOCOLS["primary"], commands.Fetch()), "E01", 2, "r")
    repeat = commands.Submit("E01", "program 2", "r")
    assert decide(state, repeat) == ()
    assert decide(apply(state, commands.Close()), repeat) == ()
    with pytest.raises(RejectedCommand, match="used for another submission"):
        decide(state, replace(repeat, program="program 3"))


def test_practice_goes_anywhere_and_comes_back() -> None:
    state = begun(PROTOCOLS["practice"], commands.Fetch("E02"))
    for passed in (0, 0, 0, 0, 6):
        state = judged(state, "E02", passed)
    assert state.progress["E02"].status == "solved"
    state = judged(apply(state, commands.Fetch("E02")), "E02", 1)
    assert state.progress["E02"].status == "solved", "what was solved once stays solved"
    state = apply(apply(state, commands.Fetch()), commands.Skip())
    assert state.progress["E03"].status == "skipped"
    state = apply(apply(state, commands.Fetch()), commands.Skip())
    assert state.progress["E01"].status == "skipped"
    assert next_problem(state) == "E01"
    assert apply(state, commands.Fetch("E03")).progress["E03"].status == "active"


def test_practice_wants_a_skipped_problem_fetched_before_a_submission() -> None:
    state = begun(PROTOCOLS["practice"], commands.Fetch(), commands.Skip())
    with pytest.raises(RejectedCommand, match="E01 is skipped; fetch"):
        decide(state, commands.Submit("E01", "p"))


def test_practice_ends_with_nothing_left_to_fetch() -> None:
    state = begun(PROTOCOLS["practice"])
    for problem in PROBLEMS:
        state = judged(apply(state, commands.Fetch()), problem, 6)
    assert not state.closed
    with pytest.raises(RejectedCommand, match="no problem is left"):
        decide(state, commands.Fetch())


def test_controlled_is_three_runs_and_one_submission() -> None:
    state = begun(PROTOCOLS["controlled"], commands.Fetch(), RUN, RUN, RUN)
    with pytest.raises(RejectedCommand, match="all 3 local runs for E01 are used up"):
        check_run(state)
    with pytest.raises(RejectedCommand, match="E01 cannot be skipped: controlled allows no skip"):
        decide(state, commands.Skip())
    assert judged(state, "E01", 5).progress["E01"].status == "failed"


def test_a_budget_of_nothing_runs_nothing() -> None:
    state = begun(find_protocol("budget-0"), commands.Fetch())
    with pytest.raises(RejectedCommand, match="all 0 local runs for E01 are used up"):
        decide(state, RUN)
    assert judged(state, "E01", 6).progress["E01"].status == "solved"


def test_relaxed_leaves_problems_and_goes_back_to_them() -> None:
    state = begun(PROTOCOLS["relaxed"], commands.Fetch())
    state = apply(judged(state, "E01", 0), commands.Skip())
    with pytest.raises(RejectedCommand, match="fixed order: E02 is to be solved now"):
        decide(state, commands.Fetch("E03"))
    state = apply(state, commands.Fetch())
    with pytest.raises(RejectedCommand, match="E02 is active, and problems come one at a time"):
        decide(state, commands.Fetch("E01"))
    state = apply(judged(state, "E02", 6), commands.Fetch("E01"))
    assert (state.current, state.submissions_left("E01")) == ("E01", 2), "what was spent is spent"
    with pytest.raises(RejectedCommand, match="E02 is solved; a finalized problem"):
        decide(state, commands.Fetch("E02"))
    state = apply(apply(state, commands.Skip()), commands.Fetch())
    assert state.current == "E03"
    state = judged(state, "E03", 6)
    assert not state.closed, "a skipped problem is left"
    state = apply(state, commands.Fetch())
    assert state.current == "E01"
    assert judged(state, "E01", 6).closed


def test_a_solved_problem_stays_solved_when_its_submissions_run_out() -> None:
    counted = replace(PROTOCOLS["practice"], submissions=2)
    state = judged(begun(counted, commands.Fetch("E01")), "E01", 6)
    state = judged(apply(state, commands.Fetch("E01")), "E01", 0)
    assert state.progress["E01"].status == "solved"
    with pytest.raises(RejectedCommand, match="all submissions for E01 are used up"):
        decide(state, commands.Submit("E01", "p"))


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
    state = begun(PROTOCOLS[id], commands.Fetch())
    state = apply(state, commands.Submit("E01", "p", workspace=found))
    (verdict,) = decide(state, commands.RecordVerdict(1, 6, 6, "report"))
    assert isinstance(verdict, events.SubmissionGraded)
    if told is None:
        assert (verdict.violation, verdict.status, verdict.solved) == (None, "solved", True)
    else:
        assert re.search(told, verdict.violation or "")
        assert (verdict.status, verdict.solved, verdict.submissions_left) == ("active", False, 2)


def test_a_workspace_that_was_not_seen_breaks_no_rule() -> None:
    for found in (None, events.Inspection(False, "elsewhere")):
        state = begun(PROTOCOLS["direct"], commands.Fetch())
        (reserved,) = decide(state, commands.Submit("E01", "p", workspace=found))
        assert isinstance(reserved, events.SubmissionReserved)
        assert (reserved.violation, reserved.workspace) == (None, found)


def test_counted_runs_need_a_problem_and_run_out() -> None:
    state = begun(COUNTED_RUNS)
    with pytest.raises(RejectedCommand, match="fetch one first"):
        check_run(state)
    state = apply(apply(apply(state, commands.Fetch()), RUN), RUN)
    assert state.runs_left("E01") == 0
    with pytest.raises(RejectedCommand, match="all 2 local runs for E01 are used up"):
        decide(state, RUN)
    state = apply(judged(state, "E01", 0), commands.Fetch())
    assert state.runs_left("E02") == 2


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
        ([events.ProblemFetched("E01")], "does not begin with its start"),
        ([BEGINNING, BEGINNING], "starts twice"),
        ([BEGINNING, events.ProblemFetched("E99")], "'E99' is not in this session"),
        ([BEGINNING, events.SubmissionVoided(1, "E01", "?")], "without being graded"),
    ],
)
def test_what_is_no_log_cannot_be_folded(log: list[Event], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        fold(log)
