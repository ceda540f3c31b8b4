"""The state machine alone: what each protocol allows, from one move to the next."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rule_states import PROBLEMS, RUN, apply, state_after, state_after_verdict

from esoplay.errors import RejectedCommand
from esoplay.sessions import events, machine
from esoplay.sessions.machine import check_run_allowed, decide, next_problem
from esoplay.sessions.protocols import PROTOCOLS, find_protocol

COUNTED_RUNS = replace(PROTOCOLS["primary"], id="counted", runs=2, submissions=1)


def test_primary_gives_three_submissions_and_then_fails_the_problem() -> None:
    state = state_after(PROTOCOLS["primary"], machine.Fetch())
    left: list[int | None] = []
    for passed in (0, 5, 5):
        state = state_after_verdict(state, "E01", passed)
        left.append(state.submissions_left("E01"))
    assert left == [2, 1, 0]
    assert state.progress["E01"].status == "failed"
    with pytest.raises(RejectedCommand, match="E01 is failed; a finalized problem is never"):
        decide(state, machine.Submit("E01", "p"))


def test_tests_passed_by_different_submissions_do_not_add_up() -> None:
    state = state_after_verdict(state_after(PROTOCOLS["primary"], machine.Fetch()), "E01", 3)
    assert state_after_verdict(state, "E01", 3).progress["E01"].status == "active"


def test_fetch_returns_the_next_problem_after_a_solved_one() -> None:
    state = state_after_verdict(state_after(PROTOCOLS["primary"], machine.Fetch()), "E01", 6)
    assert state.progress["E01"].status == "solved"
    assert apply(state, machine.Fetch()).current == "E02"
    for again in (machine.Fetch("E01"), machine.Submit("E01", "p")):
        with pytest.raises(RejectedCommand, match="E01 is solved; a finalized problem"):
            decide(state, again)


def test_primary_hands_out_problems_in_order_only() -> None:
    state = state_after(PROTOCOLS["primary"])
    with pytest.raises(RejectedCommand, match="fixed order: finish E01"):
        decide(state, machine.Fetch("E02"))
    state = apply(state, machine.Fetch("E01"))
    with pytest.raises(RejectedCommand, match="fixed order: finish E01"):
        decide(state, machine.Fetch("E02"))
    with pytest.raises(RejectedCommand, match="E02 has not been fetched"):
        decide(state, machine.Submit("E02", "p"))


def test_fetch_repeats_the_active_problem() -> None:
    state = state_after(PROTOCOLS["primary"], machine.Fetch())
    assert decide(state, machine.Fetch()) == (events.ProblemFetched("E01"),)
    assert decide(state, machine.Fetch("E01")) == (events.ProblemFetched("E01"),)


@pytest.mark.parametrize("used", [0, 1, 2])
def test_primary_refuses_to_skip_while_submissions_are_left(used: int) -> None:
    state = state_after(PROTOCOLS["primary"], machine.Fetch())
    for _ in range(used):
        state = state_after_verdict(state, "E01", 0)
    with pytest.raises(RejectedCommand, match=f"submissions are left \\({3 - used} of 3\\)"):
        decide(state, machine.Skip())


def test_nothing_can_be_skipped_before_it_is_fetched_or_after_it_is_final() -> None:
    state = state_after(PROTOCOLS["primary"])
    for where in (state, state_after_verdict(apply(state, machine.Fetch()), "E01", 6)):
        with pytest.raises(RejectedCommand, match="no active problem"):
            decide(where, machine.Skip())


def test_primary_is_closed_when_every_problem_is_final() -> None:
    state = state_after(PROTOCOLS["primary"])
    for problem in PROBLEMS:
        assert not state.closed
        state = state_after_verdict(apply(state, machine.Fetch()), problem, 6)
    assert state.closed
    for move in (machine.Fetch(), machine.Submit("E01", "p"), machine.Skip(), RUN):
        with pytest.raises(RejectedCommand, match="closed"):
            decide(state, move)


def test_practice_allows_any_order_and_returning() -> None:
    state = state_after(PROTOCOLS["practice"], machine.Fetch("E02"))
    for passed in (0, 0, 0, 0, 6):
        state = state_after_verdict(state, "E02", passed)
    assert state.progress["E02"].status == "solved"
    state = state_after_verdict(apply(state, machine.Fetch("E02")), "E02", 1)
    assert state.progress["E02"].status == "solved", "what was solved once stays solved"
    state = apply(apply(state, machine.Fetch()), machine.Skip())
    assert state.progress["E03"].status == "skipped"
    state = apply(apply(state, machine.Fetch()), machine.Skip())
    assert state.progress["E01"].status == "skipped"
    assert next_problem(state) == "E01"
    assert apply(state, machine.Fetch("E03")).progress["E03"].status == "active"


def test_practice_requires_a_fetch_before_submitting_to_a_skipped_problem() -> None:
    state = state_after(PROTOCOLS["practice"], machine.Fetch(), machine.Skip())
    with pytest.raises(RejectedCommand, match="E01 is skipped; fetch"):
        decide(state, machine.Submit("E01", "p"))


def test_practice_ends_when_no_problem_is_left_to_fetch() -> None:
    state = state_after(PROTOCOLS["practice"])
    for problem in PROBLEMS:
        state = state_after_verdict(apply(state, machine.Fetch()), problem, 6)
    assert not state.closed
    with pytest.raises(RejectedCommand, match="no problem is left"):
        decide(state, machine.Fetch())


def test_controlled_allows_three_runs_and_one_submission() -> None:
    state = state_after(PROTOCOLS["controlled"], machine.Fetch(), RUN, RUN, RUN)
    with pytest.raises(RejectedCommand, match="all 3 local runs for E01 are used up"):
        check_run_allowed(state)
    with pytest.raises(
        RejectedCommand, match="E01 cannot be skipped: protocol controlled does not allow it"
    ):
        decide(state, machine.Skip())
    assert state_after_verdict(state, "E01", 5).progress["E01"].status == "failed"


def test_a_budget_of_0_allows_no_run() -> None:
    state = state_after(find_protocol("budget-0"), machine.Fetch())
    with pytest.raises(RejectedCommand, match="protocol budget-0 allows no local runs"):
        decide(state, RUN)
    assert state_after_verdict(state, "E01", 6).progress["E01"].status == "solved"


def test_relaxed_leaves_problems_and_goes_back_to_them() -> None:
    state = state_after(PROTOCOLS["relaxed"], machine.Fetch())
    state = apply(state_after_verdict(state, "E01", 0), machine.Skip())
    with pytest.raises(RejectedCommand, match="fixed order: finish E02 first"):
        decide(state, machine.Fetch("E03"))
    state = apply(state, machine.Fetch())
    with pytest.raises(RejectedCommand, match="E02 is active, and problems come one at a time"):
        decide(state, machine.Fetch("E01"))
    state = apply(state_after_verdict(state, "E02", 6), machine.Fetch("E01"))
    assert (state.current, state.submissions_left("E01")) == ("E01", 2), "what was spent is spent"
    with pytest.raises(RejectedCommand, match="E02 is solved; a finalized problem"):
        decide(state, machine.Fetch("E02"))
    state = apply(apply(state, machine.Skip()), machine.Fetch())
    assert state.current == "E03"
    state = state_after_verdict(state, "E03", 6)
    assert not state.closed, "a skipped problem is left"
    state = apply(state, machine.Fetch())
    assert state.current == "E01"
    assert state_after_verdict(state, "E01", 6).closed


def test_a_solved_problem_stays_solved_when_its_submissions_run_out() -> None:
    counted = replace(PROTOCOLS["practice"], submissions=2)
    state = state_after_verdict(state_after(counted, machine.Fetch("E01")), "E01", 6)
    state = state_after_verdict(apply(state, machine.Fetch("E01")), "E01", 0)
    assert state.progress["E01"].status == "solved"
    with pytest.raises(RejectedCommand, match="all submissions for E01 are used up"):
        decide(state, machine.Submit("E01", "p"))


def test_counted_runs_need_a_problem_and_run_out() -> None:
    state = state_after(COUNTED_RUNS)
    with pytest.raises(RejectedCommand, match="fetch a problem first"):
        check_run_allowed(state)
    state = apply(apply(apply(state, machine.Fetch()), RUN), RUN)
    assert state.runs_left("E01") == 0
    with pytest.raises(RejectedCommand, match="all 2 local runs for E01 are used up"):
        decide(state, RUN)
    state = apply(state_after_verdict(state, "E01", 0), machine.Fetch())
    assert state.runs_left("E02") == 2
