"""Ablations against the headline and success by budget, against figures counted by hand."""

from __future__ import annotations

import pytest
from report_sessions import PROBLEMS, play, report

from esoplay.reporting.report import Report, ReportOptions
from esoplay.reporting.statistics import bootstrap_difference


def moves(*solved: str) -> dict[str, str]:
    return {problem: "S" if problem in solved else "www" for problem in PROBLEMS}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("ablations")
    plans = [
        ("primary", "brainfuck", [("E1", "E2", "E3"), ("E1", "E2", "E3", "H1", "H2")]),
        ("direct", "brainfuck", [("E1",), ("E1", "E2", "E3")]),
        ("primary", "whitespace", [("E1", "E2"), ("E1", "E2", "H1", "H2")]),
        ("direct", "whitespace", [("E1",), ("E2",)]),
        ("budget-3", "brainfuck", [("E1", "E2"), ()]),
    ]
    return {
        f"{protocol}-{language}-{number}": play(
            folder, moves(*solved), protocol=protocol, language=language, number=number, day=number
        )
        for protocol, language, sessions in plans
        for number, solved in enumerate(sessions, 1)
    }


@pytest.fixture(scope="module")
def found(played: dict[str, bytes]) -> Report:
    return report(played)


def test_an_ablation_has_means_over_sessions_and_their_difference(found: Report) -> None:
    figures = {(one.protocol, one.language): one for one in found.ablations}
    assert len(figures) == 4
    direct = figures["direct", "brainfuck"]
    assert (direct.baseline, direct.sessions, direct.baseline_sessions) == ("primary", 2, 2)
    assert direct.mean == pytest.approx(2 / 6)
    assert direct.baseline_mean == pytest.approx(4 / 6)
    together = figures["direct", None]
    assert together.languages == ("brainfuck", "whitespace")
    assert together.mean == pytest.approx((2 / 6 + 1 / 6) / 2)
    assert together.difference == pytest.approx(((2 - 4) / 6 + (1 - 3) / 6) / 2)
    assert figures["budget-3", "brainfuck"].difference == pytest.approx((1 - 4) / 6)


def test_the_interval_of_an_ablation_is_over_sessions(
    found: Report, played: dict[str, bytes]
) -> None:
    interval = next(one.interval for one in found.ablations if one.protocol == "direct")
    assert interval is not None
    # Draws of two sessions: direct 1 to 3, primary 3 to 5 of 6; both ends are drawn in 1 of 16.
    assert (interval.low, interval.high) == pytest.approx((-4 / 6, 0))
    names = ["primary-brainfuck-1", "direct-brainfuck-1", "direct-brainfuck-2"]
    (one,) = report(played, names).ablations
    assert one.interval is None


def test_a_baseline_may_be_named(played: dict[str, bytes]) -> None:
    found = report(played, options=ReportOptions(baseline="direct"))
    assert {one.baseline for one in found.ablations} == {"direct"}
    assert {one.protocol for one in found.ablations} == {"primary", "budget-3"}


def test_success_by_budget_lists_protocols_that_differ_in_nothing_else(found: Report) -> None:
    points = [(one.language, one.runs, one.protocol, one.share) for one in found.budgets]
    assert points == [
        ("brainfuck", 3, "budget-3", pytest.approx(1 / 6)),
        ("brainfuck", None, "primary", pytest.approx(4 / 6)),
    ]


def test_the_bootstrap_of_a_difference_is_exact_and_repeatable() -> None:
    assert bootstrap_difference([((1.0, 1.0), (0.25, 0.25))]) == (0.75, 0.75)
    assert bootstrap_difference([((1.0, 1.0), (0.5, 0.5)), ((0.5,), (1.0,))]) == (0, 0)
    assert bootstrap_difference([((0.0, 1.0), (0.0, 1.0))], seed=3) == bootstrap_difference(
        [((0.0, 1.0), (0.0, 1.0))], seed=3
    )
    with pytest.raises(ValueError, match="empty"):
        bootstrap_difference([((), (1.0,))])
