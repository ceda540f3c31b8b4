"""What follows from submissions: cells, streaks, rankings, counts."""

from __future__ import annotations

from datetime import date, timedelta
from functools import reduce
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esoplay.packs.catalogue import get_pack
from esoplay.progress.records import (
    NO_PROGRESS,
    OwnSolution,
    PracticeSubmission,
    Streak,
    TierCount,
    compute_streak,
    count,
    next_unsolved,
    rank,
)

TODAY = date(2026, 3, 1)
VERDICTS = st.lists(st.sampled_from(["pass", "fault"]), min_size=6, max_size=6).map(tuple)
SUBMISSIONS = st.builds(
    PracticeSubmission,
    st.just("E08"),
    VERDICTS | st.just(("pass",) * 6),
    st.integers(0, 50),
    st.integers(0, 50),
    st.none() | st.integers(0, 50),
)


@settings(max_examples=60)
@given(st.lists(SUBMISSIONS, max_size=6), st.randoms(use_true_random=False))
def test_a_cell_does_not_depend_on_the_order(
    submissions: list[PracticeSubmission], random: Random
) -> None:
    timed = [(each, f"2026-01-{number:02}") for number, each in enumerate(submissions, 1)]
    mixed = timed[:]
    random.shuffle(mixed)
    straight, other = (
        reduce(lambda cell, each: cell.with_submission(*each), order, NO_PROGRESS)
        for order in (timed, mixed)
    )
    assert straight == other
    solved = [(each, at) for each, at in timed if each.solved]
    assert straight.tries == len(submissions)
    assert straight.solved == bool(solved)
    if solved:
        assert straight.steps == min(each.steps for each, _ in solved)
        assert straight.size == min(each.size for each, _ in solved)
        assert straight.steps_at == min(at for each, at in solved if each.steps == straight.steps)
        assert straight.solved_at == solved[0][1]
    if timed:
        assert (straight.latest, straight.latest_at) == timed[-1]


def days(*ago: int) -> list[str]:
    return [(TODAY - timedelta(days=each)).isoformat() for each in ago]


@pytest.mark.parametrize(
    ("solved", "streak"),
    [
        (days(), Streak(0, 0, False)),
        (days(0), Streak(1, 1, True)),
        (days(1), Streak(1, 1, False)),
        (days(2), Streak(0, 1, False)),
        (days(0, 1, 2, 5, 6), Streak(3, 3, True)),
        (days(1, 2, 9, 8, 7, 6), Streak(2, 4, False)),
        (days(3, 4, 5), Streak(0, 3, False)),
        (days(-1, 0, 1), Streak(2, 2, True)),  # the clock went back, or one flew west
    ],
)
def test_a_streak_counts_consecutive_days(solved: list[str], streak: Streak) -> None:
    assert compute_streak(solved, TODAY) == streak
    assert compute_streak(reversed(solved), TODAY) == streak


def test_streaks_over_the_ends_of_months_and_leap_days() -> None:
    solved = ["2027-12-31", "2028-01-01", "2028-02-28", "2028-02-29", "2028-03-01"]
    assert compute_streak(solved, date(2028, 3, 1)) == Streak(3, 3, True)


def test_a_streak_is_described_in_days() -> None:
    assert Streak().describe() == ""
    assert Streak(1, 1, True).describe() == "1 day in a row"
    assert (
        Streak(2, 5, False).describe()
        == "2 days in a row, nothing solved yet today (longest 5 days)"
    )
    assert Streak(0, 5, False).describe() == "longest streak 5 days"


OWN = st.builds(
    OwnSolution,
    st.integers(1, 9).map(lambda day: f"2026-01-0{day}"),
    st.just("standard"),
    st.integers(1, 12),
    st.integers(1, 12),
    st.none(),
    st.none() | st.integers(0, 20).map(str),
)


def size_of(solution: OwnSolution) -> int:
    assert solution.size is not None
    return solution.size


@settings(max_examples=60)
@given(st.lists(OWN, max_size=12), st.sampled_from(["steps", "size"]))
def test_a_ranking_lists_each_program_once_and_the_best_first(
    solutions: list[OwnSolution], by: str
) -> None:
    ranked = rank(solutions, by)  # type: ignore[arg-type]
    shown = [each.solution for each in ranked]
    assert {each.digest for each in shown} == {each.digest for each in solutions}
    figures = [
        (each.steps, size_of(each)) if by == "steps" else (size_of(each), each.steps)
        for each in shown
    ]
    assert figures == sorted(figures)
    for each in ranked:
        own = each.solution
        beaten = any(
            other.steps <= own.steps
            and size_of(other) <= size_of(own)
            and (other.steps, other.size) != (own.steps, own.size)
            for other in shown
        )
        assert each.is_on_front != beaten
        assert each.has_least_steps == (own.steps == min(other.steps for other in shown))
        assert each.has_least_size == (own.size == min(map(size_of, shown)))


def test_a_program_is_ranked_once_as_it_was_submitted_first() -> None:
    again = [OwnSolution(f"2026-01-0{day}", "standard", 5, 5, None, "d") for day in (3, 1, 2)]
    assert [each.solution.at for each in rank(again)] == ["2026-01-01"]


def test_tiers_are_counted_and_the_next_problem_is_unsolved() -> None:
    pack = get_pack()
    solved = NO_PROGRESS.with_submission(PracticeSubmission("", ("pass",), 1, 1), "2026-01-01")
    tried = NO_PROGRESS.with_submission(PracticeSubmission("", ("fault",), 1, 1), "2026-01-01")
    ids = [problem.id for problem in pack]
    known = {ids[0]: solved, ids[1]: tried, ids[2]: solved}
    assert count(pack, known) == TierCount(2, 1, len(ids))
    problem = pack.problem

    def after(id: str | None) -> str | None:
        found = next_unsolved(pack, known, problem(id) if id else None)
        return found.id if found else None

    assert after(None) == ids[1]
    assert after(ids[1]) == ids[3]
    assert after(ids[-1]) == ids[1]
    assert next_unsolved(pack, dict.fromkeys(ids, solved), None) is None
