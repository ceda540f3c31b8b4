"""Compare the share of problems solved between protocols, and between budgets of local runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from esoplay.reporting.comparison import solved_shares
from esoplay.reporting.played_sessions import Series
from esoplay.reporting.statistics import (
    RESAMPLES,
    ConfidenceInterval,
    arithmetic_mean,
    bootstrap_difference,
    bootstrap_mean,
)

DEFAULT_BASELINE = "primary"
"""The protocol that other protocols are compared with by default."""


class Ablation(NamedTuple):
    """The mean share of problems solved under a protocol, and its difference from the baseline.

    language: None for the mean over all ``languages``. sessions, baseline_sessions: numbers of
    complete sessions, over all languages.  interval: of the difference, by bootstrap over sessions;
    None if a series has only one session.
    """

    solver: str
    language: str | None
    languages: tuple[str, ...]
    protocol: str
    baseline: str
    sessions: int
    baseline_sessions: int
    mean: float
    baseline_mean: float
    difference: float
    interval: ConfidenceInterval | None


def ablations(
    series: Sequence[Series], baseline: str, resamples: int = RESAMPLES, seed: int = 0
) -> Iterator[Ablation]:
    """Compare each complete series with its counterpart under the baseline protocol.

    A counterpart has the same solver, language, pack and problems. A series without a counterpart
    is left out. For each solver and protocol, the mean over several languages follows the single
    languages.
    """
    complete = [one for one in series if one.headline is not None]
    baselines = {_terms(one): one for one in complete if one.protocol == baseline}
    together: dict[tuple[str, str], list[tuple[Series, Series]]] = {}
    for one in complete:
        if one.protocol != baseline and _terms(one) in baselines:
            pair = (one, baselines[_terms(one)])
            together.setdefault((one.solver, one.protocol), []).append(pair)
    for pairs in together.values():
        for some in [*([pair] for pair in pairs), *([pairs] if len(pairs) > 1 else [])]:
            yield _ablation(some, resamples, seed)


def _terms(series: Series) -> tuple[object, ...]:
    return series.solver, series.language, series.pack, series.pack_version, series.problems


def _ablation(pairs: Sequence[tuple[Series, Series]], resamples: int, seed: int) -> Ablation:
    shares = [(_session_shares(one), _session_shares(other)) for one, other in pairs]
    first, second = pairs[0]
    mean, other = (
        arithmetic_mean([arithmetic_mean(pair[side]) for pair in shares]) for side in (0, 1)
    )
    several = all(len(side) > 1 for pair in shares for side in pair)
    return Ablation(
        first.solver,
        first.language if len(pairs) == 1 else None,
        tuple(one.language for one, _ in pairs),
        first.protocol,
        second.protocol,
        sum(len(pair[0]) for pair in shares),
        sum(len(pair[1]) for pair in shares),
        mean,
        other,
        mean - other,
        bootstrap_difference(shares, resamples, seed=seed) if several else None,
    )


def _session_shares(series: Series) -> list[float]:
    """Return the share of problems that each complete session solved."""
    return [len(session.solved) / len(series.problems) for session in series.complete_sessions]


# Success by budget: protocols that differ only in the number of local runs per problem.


class BudgetPoint(NamedTuple):
    """The mean share of problems solved if each problem has a budget of local runs.

    runs: the budget; None if unlimited. interval: by bootstrap over problems.
    """

    solver: str
    language: str
    protocol: str
    runs: int | None
    sessions: int
    share: float
    interval: ConfidenceInterval


def budget_points(
    series: Sequence[Series], resamples: int = RESAMPLES, seed: int = 0
) -> list[BudgetPoint]:
    """Return a point for each complete series that has counterparts with other budgets.

    Counterparts differ only in the budget; their points are adjacent, the smallest budget first. If
    two protocols have the same budget, such as ``primary`` and ``budget-inf``, the first series
    is used.
    """
    groups: dict[tuple[object, ...], dict[int | None, Series]] = {}
    for one in series:
        if one.headline is not None:
            rules = one.headline.rules
            others = replace(rules, id="", purpose="", base=None, runs=None)
            groups.setdefault((*_terms(one), others, one.headline.limits), {}).setdefault(
                rules.runs, one
            )
    points: list[BudgetPoint] = []
    for budgets in groups.values():
        if len(budgets) < 2:
            continue
        for runs, one in sorted(budgets.items(), key=lambda item: (item[0] is None, item[0] or 0)):
            shares = solved_shares(one)
            points.append(
                BudgetPoint(
                    one.solver,
                    one.language,
                    one.protocol,
                    runs,
                    len(one.complete_sessions),
                    arithmetic_mean(shares),
                    bootstrap_mean(shares, resamples, seed=seed),
                )
            )
    return points
