"""The figures of a report on evaluations, for each condition: a model, language and regime.

Sessions of agents are included if the report has any.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb, fsum
from typing import NamedTuple

from esoplay.reporting.comparison import (
    Axis,
    AxisComparison,
    ComparedCondition,
    Loss,
    compare_conditions,
    first_axis,
    loss,
    losses_by_language,
)
from esoplay.reporting.conditions import ReportedCondition, ReportedTrial, TrialTokens, count_errors
from esoplay.reporting.external import (
    ExternalCorrelation,
    ExternalTables,
    ScoredShare,
    correlations,
)
from esoplay.reporting.report import Report
from esoplay.reporting.saved_evaluations import Evaluation
from esoplay.reporting.standing import NO_CATALOGUE, Catalogue
from esoplay.reporting.statistics import (
    RESAMPLES,
    ConfidenceInterval,
    SeriesSummary,
    arithmetic_mean,
    bootstrap_mean,
    quantile,
    summarize,
    wilson,
)

AXES: tuple[Axis, ...] = ("regime", "model", "language")
"""The properties by which conditions can be compared; the first possible one is the default."""


class Standing(NamedTuple):
    """The figures of all trials of one condition.

    session: whether each run is a session of an agent.  interval: Wilson's interval over all
    trials; bootstrap: the interval of the mean over problems.  over_runs: a summary of the shares
    solved in each run.  tiers, categories: numbers of solved and of all trials.  errors: failed
    trials by class.  at_attempt: trials that were solved with the first, second … program.
    first_attempt: share solved with the first program.  attempts: mean number of programs of a
    trial, also by tier and by problem; attempts_when_solved: the mean for solved trials, None if no
    trial was solved.  median_seconds: median time that a trial waited for answers; seconds: total
    of all trials.  input_tokens, output_tokens, reasoning_tokens (a part of the output), cost:
    means per trial; None if not reported.  pass_at: pass@k by k, up to the smallest number of runs
    of a problem.
    """

    model: str
    language: str
    regime: str
    problems: int
    solved: int
    total: int
    share: float
    interval: ConfidenceInterval
    bootstrap: ConfidenceInterval
    over_runs: SeriesSummary
    tiers: dict[str, tuple[int, int]]
    categories: dict[str, tuple[int, int]]
    errors: dict[str, int]
    at_attempt: dict[int, int]
    first_attempt: float
    attempts_when_solved: float | None
    attempts: float
    attempts_by_tier: dict[str, float]
    attempts_by_problem: dict[str, float]
    median_seconds: float
    seconds: float
    input_tokens: float | None
    output_tokens: float | None
    reasoning_tokens: float | None
    cost: float | None
    pass_at: dict[int, float]
    session: bool = False


class ModelTax(NamedTuple):
    """The language tax of a model under a regime, in one unfamiliar language.

    loss: the loss compared with the mean of the ``familiar`` languages.
    each: the losses compared with each of them alone.
    """

    model: str
    regime: str
    language: str
    familiar: tuple[str, ...]
    loss: Loss
    each: Mapping[str, Loss]


class FrontierPoint(NamedTuple):
    """The share that a condition solved, and the mean cost or output tokens of its trials.

    best: whether no cheaper condition solves as much, and none of the same amount solves more.
    """

    model: str
    language: str
    regime: str
    amount: float
    share: float
    best: bool


@dataclass(frozen=True, slots=True)
class ConditionFigures:
    """All figures of evaluations and sessions; ``standings`` has one entry for each condition.

    sessions: the report on the sessions.

    tiers and categories: in the pack's order.  familiar: the languages that the tax compares with.
    """

    evaluations: tuple[Evaluation, ...]
    sessions: Report | None
    conditions: tuple[ReportedCondition, ...]
    standings: tuple[Standing, ...]
    tiers: tuple[str, ...]
    categories: tuple[str, ...]
    familiar: frozenset[str]
    compared: AxisComparison | None
    taxes: tuple[ModelTax, ...]
    external: tuple[ExternalCorrelation, ...]
    by_cost: tuple[FrontierPoint, ...]
    by_tokens: tuple[FrontierPoint, ...]
    currency: str | None
    baseline: str | None
    resamples: int
    seed: int
    categorization: str | None = None


class ConditionOptions(NamedTuple):
    """Options of a report on conditions.

    axis: the axis to compare along; None for the first along which conditions can be compared.
    baseline: compare only with this value of the axis.  familiar: the languages that the tax
    compares with.  external: scores of other benchmarks and sizes of corpora.  categories: a
    categorization of the pack; None for its own.
    """

    axis: Axis | None = None
    baseline: str | None = None
    familiar: Collection[str] = ()
    resamples: int = RESAMPLES
    seed: int = 0
    external: ExternalTables | None = None
    categories: str | None = None


def compute_figures(
    evaluations: Sequence[Evaluation],
    sessions: Report | None,
    conditions: Sequence[ReportedCondition],
    catalogues: Mapping[str, Catalogue],
    options: ConditionOptions,
) -> ConditionFigures:
    """Compute all figures of some conditions.

    evaluations, sessions: the origin of the conditions.  catalogues: by id of the pack.
    """
    standings = [
        compute_standing(one, catalogues.get(one.pack_id, NO_CATALOGUE), options)
        for one in conditions
    ]
    compared = [_to_compared_condition(one) for one in conditions]
    axis = options.axis or first_axis(compared, AXES)
    currencies = {one.results.currency for one in evaluations} - {None}
    costs = [one.cost if len(currencies) <= 1 else None for one in standings]
    return ConditionFigures(
        evaluations=tuple(evaluations),
        sessions=sessions,
        conditions=tuple(conditions),
        standings=tuple(standings),
        tiers=_known_first(
            [tier for each in catalogues.values() for tier in each.tiers],
            [tier for one in standings for tier in one.tiers],
        ),
        categories=_known_first(
            [name for each in catalogues.values() for name in each.categories],
            [category for one in standings for category in one.categories],
        ),
        familiar=frozenset(options.familiar),
        compared=axis
        and compare_conditions(compared, axis, options.resamples, options.seed, options.baseline),
        taxes=tuple(_taxes(conditions, options)),
        external=tuple(_external(standings, options)),
        by_cost=_frontier(standings, costs),
        by_tokens=_frontier(standings, [one.output_tokens for one in standings]),
        currency=currencies.pop() if len(currencies) == 1 else None,
        baseline=options.baseline,
        resamples=options.resamples,
        seed=options.seed,
        categorization=options.categories,
    )


def _external(
    standings: Sequence[Standing], options: ConditionOptions
) -> list[ExternalCorrelation]:
    if options.external is None:
        return []
    shares = [ScoredShare(one.model, one.regime, one.language, one.share) for one in standings]
    return correlations(options.external, shares, options.familiar, options.seed)


def _known_first(known: Sequence[str], names: Collection[str]) -> tuple[str, ...]:
    """Return the distinct ``names``: first the known ones, in the order of ``known``."""
    return tuple(dict.fromkeys([*(name for name in known if name in names), *names]))


def compute_standing(
    condition: ReportedCondition, catalogue: Catalogue, options: ConditionOptions
) -> Standing:
    """Return the figures of one condition.  catalogue: the problems and categories of its pack."""
    trials = condition.all_trials
    solved = [trial for trial in trials if trial.solved]
    about = catalogue.problems
    return Standing(
        condition.model,
        condition.language,
        condition.regime,
        len(condition.trials),
        len(solved),
        len(trials),
        len(solved) / len(trials),
        wilson(len(solved), len(trials)),
        bootstrap_mean(condition.shares, options.resamples, seed=options.seed),
        summarize(_shares_of_runs(trials)),
        _count_solved([(trial.tier, trial.solved) for trial in trials if trial.tier]),
        _count_solved(
            [
                (about[each.problem].category, each.solved)
                for each in trials
                if each.problem in about
            ]
        ),
        count_errors([trial.failure for trial in trials if not trial.solved]),
        _count_by_attempt(solved),
        sum(trial.attempts == 1 for trial in solved) / len(trials),
        arithmetic_mean([float(trial.attempts) for trial in solved]) if solved else None,
        arithmetic_mean([float(trial.attempts) for trial in trials]),
        _mean_attempts([(trial.tier, trial.attempts) for trial in trials if trial.tier]),
        _mean_attempts([(trial.problem, trial.attempts) for trial in trials]),
        quantile(sorted(trial.seconds for trial in trials), 0.5),
        fsum(trial.seconds for trial in trials),
        *_mean_tokens([trial.tokens for trial in trials if trial.tokens is not None]),
        _mean_of_all([trial.cost for trial in trials]),
        _pass_at(condition),
        condition.is_session,
    )


def _mean_tokens(
    tokens: Sequence[TrialTokens],
) -> tuple[float | None, float | None, float | None]:
    """Return the means of input, output and reasoning tokens over the trials that report them."""
    return (
        _mean_of_all([one.input for one in tokens]),
        _mean_of_all([one.output for one in tokens]),
        _mean_of_all([one.reasoning for one in tokens]),
    )


def _mean_of_all(values: Sequence[float | None]) -> float | None:
    """Return the mean; None without values, or if one is unknown."""
    known = [value for value in values if value is not None]
    return arithmetic_mean(known) if known and len(known) == len(values) else None


def _shares_of_runs(trials: Sequence[ReportedTrial]) -> list[float]:
    runs: dict[int, list[float]] = {}
    for trial in trials:
        runs.setdefault(trial.run, []).append(float(trial.solved))
    return [arithmetic_mean(solved) for _, solved in sorted(runs.items())]


def _count_solved(trials: Sequence[tuple[str, bool]]) -> dict[str, tuple[int, int]]:
    """Return the number of solved trials and the number of all trials for each name.

    trials: a name, such as a tier, for each trial, and whether the trial was solved.
    """
    counts: dict[str, tuple[int, int]] = {}
    for name, solved in trials:
        before, total = counts.get(name, (0, 0))
        counts[name] = before + solved, total + 1
    return counts


def _mean_attempts(trials: Sequence[tuple[str, int]]) -> dict[str, float]:
    """Return the mean number of programs in a trial, by the name of a group of trials.

    trials: for each trial, the name of its group (a tier or problem) and its number of programs.
    """
    found: dict[str, list[float]] = {}
    for name, attempts in trials:
        found.setdefault(name, []).append(float(attempts))
    return {name: arithmetic_mean(attempts) for name, attempts in found.items()}


def _count_by_attempt(solved: Sequence[ReportedTrial]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for trial in sorted(solved, key=lambda trial: trial.attempts):
        counts[trial.attempts] = counts.get(trial.attempts, 0) + 1
    return counts


def pass_at_k(runs: int, solved: int, k: int) -> float:
    """Return pass@k: the probability that at least one of ``k`` runs solved the problem.

    The runs are drawn from all ``runs`` without replacement; this is the unbiased estimator of
    Chen et al. 2021 (arXiv 2107.03374).
    """
    return 1.0 - comb(runs - solved, k) / comb(runs, k)


def _pass_at(condition: ReportedCondition) -> dict[int, float]:
    least = min(len(runs) for runs in condition.trials.values())
    counts = [(len(runs), sum(one.solved for one in runs)) for runs in condition.trials.values()]
    return {
        k: arithmetic_mean([pass_at_k(runs, solved, k) for runs, solved in counts])
        for k in range(1, least + 1)
    }


def _to_compared_condition(condition: ReportedCondition) -> ComparedCondition:
    return ComparedCondition(
        condition.name,
        {
            "model": condition.model,
            "language": condition.language,
            "regime": condition.regime,
        },
        condition.pack,
        condition.problems,
        [runs[0].solved for runs in condition.trials.values()],
        condition.shares,
    )


def _taxes(
    conditions: Sequence[ReportedCondition], options: ConditionOptions
) -> Iterator[ModelTax]:
    for one in conditions:
        if one.language in options.familiar:
            continue
        others = [
            other
            for other in conditions
            if other.language in options.familiar and _only_languages_differ(one, other)
        ]
        if others:
            shares = {other.language: other.shares for other in others}
            bootstrap = options.resamples, options.seed
            yield ModelTax(
                one.model,
                one.regime,
                one.language,
                tuple(shares),
                loss([one.shares], list(shares.values()), *bootstrap),
                losses_by_language([one.shares], shares, *bootstrap),
            )


def _only_languages_differ(one: ReportedCondition, other: ReportedCondition) -> bool:
    terms = [(each.model, each.regime, each.pack, each.problems) for each in (one, other)]
    return terms[0] == terms[1]


def _frontier(
    standings: Sequence[Standing], amounts: Sequence[float | None]
) -> tuple[FrontierPoint, ...]:
    """Return a point for each condition with a known amount, least amount first.

    Amounts are compared to 12 decimals, because equal means may differ in their last bit.
    """
    known = [
        (round(amount, 12), amount, one)
        for amount, one in zip(amounts, standings, strict=True)
        if amount is not None
    ]
    points: list[FrontierPoint] = []
    best = (-1.0, -1.0)  # the greatest share so far, and the least amount that gave it
    for rounded, amount, one in sorted(known, key=lambda each: (each[0], -each[2].share)):
        if one.share > best[0]:
            best = one.share, rounded
        beaten = (one.share, rounded) != best
        points.append(
            FrontierPoint(one.model, one.language, one.regime, amount, one.share, not beaten)
        )
    return tuple(points)
