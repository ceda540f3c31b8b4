"""The figures of evaluations of models, from the results that ``esoplay eval`` saved.

A condition is a model with a language and a regime.  Each of its trials is one run of one problem.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, Literal, NamedTuple

from msgspec import Struct, structs

from esolangs.wording import plural
from esoplay.decoding import DecodingError, decode_json
from esoplay.errors import EsoplayError
from esoplay.reporting.comparison import Loss, loss
from esoplay.reporting.statistics import (
    RESAMPLES,
    ConfidenceInterval,
    SeriesSummary,
    SignedRank,
    bonferroni,
    bootstrap_mean,
    mcnemar,
    mean_of,
    quantile,
    signed_rank,
    summarise,
    wilson,
)

FORMAT = "esoplay-evaluation-results"
FORMAT_VERSION = 1
USUAL_ATTEMPTS = 5
"""The default of ``eval --attempts``."""

ERROR_CLASSES: Mapping[str, tuple[str, ...]] = {
    "no program": ("no_program", "no_answer"),
    "compile": ("parse_error",),
    "runtime": ("fault",),
    "limit": ("step_limit", "output_limit", "memory_limit", "work_limit", "time_limit"),
    "wrong answer": ("wrong_answer",),
}
"""Classes of failed trials, with their verdicts; other verdicts of later versions are ``other``."""

EvaluationAxis = Literal["regime", "model", "language"]
AXES: tuple[EvaluationAxis, ...] = ("regime", "model", "language")


class EvaluationRefused(EsoplayError):
    """A file of results that cannot be used, and why."""

    def __init__(self, file: str, reason: str):
        super().__init__(f"{file}: {reason}")
        self.file = file
        self.reason = reason


# The saved files


class SavedTokens(Struct):
    input: int
    cached: int
    output: int
    untold: int


class SavedTrial(Struct, kw_only=True):
    """A finished trial; see ``evaluation.results.TrialResult``."""

    id: str
    task: str
    language: str
    regime: str
    item: str
    run: int
    tier: str
    solved: bool
    verdict: str
    attempts: int
    turns: int
    seconds: float
    tokens: SavedTokens
    cost: float | None


class SavedTerms(Struct, kw_only=True):
    """The terms that say which trials can be compared."""

    model: str
    dialect: str
    compare: str
    pack: str
    pack_version: str
    seed_commitment: str
    card: bool
    attempts: int
    examples: int | None = None
    feedback: str = "examples"
    prompts: str = ""
    own_prompts: list[str] = []
    temperature: float | None = None
    max_tokens: int | None = None
    extra: dict[str, Any] = {}
    options: dict[str, Any] = {}
    bare: bool = False

    @property
    def mode(self) -> str:
        """Return what differs from the usual terms, in words."""
        told = [self.dialect] if self.dialect != "benchmark" else []
        told += [f"{name}={value}" for name, value in sorted(self.options.items())]
        told += [f"compare {self.compare}"] if self.compare != "exact" else []
        told += [plural(self.examples, "example")] if self.examples is not None else []
        told += ["scoring feedback"] if self.feedback == "scoring" else []
        told += ["no card"] if not self.card else []
        told += ["bare"] if self.bare else []
        told += [plural(self.attempts, "attempt")] if self.attempts != USUAL_ATTEMPTS else []
        told += [f"own prompts {self.prompts[:6]}".rstrip()] if self.own_prompts else []
        told += [f"temperature {self.temperature:g}"] if self.temperature is not None else []
        told += [f"max {self.max_tokens} tokens"] if self.max_tokens is not None else []
        told += [f"{name}={json.dumps(value)}" for name, value in sorted(self.extra.items())]
        return ", ".join(told)


class SavedResults(Struct, kw_only=True):
    """The members of ``results.json`` that a report needs."""

    format: str
    format_version: int
    terms: SavedTerms
    left: list[str]
    currency: str | None
    trials: list[SavedTrial]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The results of one evaluation.  file: where they were read."""

    file: str
    results: SavedResults


def read_evaluation(file: str, data: bytes) -> Evaluation:
    """Read ``results.json``; raise EvaluationRefused."""
    try:
        results = decode_json(data, SavedResults)
    except DecodingError as error:
        raise EvaluationRefused(file, f"not the results of an evaluation: {error}") from None
    if (results.format, results.format_version) != (FORMAT, FORMAT_VERSION):
        raise EvaluationRefused(file, f"expected results of the format {FORMAT} {FORMAT_VERSION}")
    return Evaluation(file, results)


# Conditions


@dataclass(frozen=True, slots=True)
class EvaluatedCondition:
    """All trials of a model in a language under a regime.

    model: with what differs from the usual terms in brackets.  trials: by problem, a list of its
    runs in order; problems sorted by id.
    """

    model: str
    language: str
    regime: str
    pack: str
    trials: Mapping[str, Sequence[SavedTrial]]

    @property
    def name(self) -> str:
        return f"{self.model}, {self.language}, {self.regime}"

    @property
    def problems(self) -> tuple[str, ...]:
        return tuple(self.trials)

    @property
    def all_trials(self) -> list[SavedTrial]:
        return [trial for trials in self.trials.values() for trial in trials]

    @property
    def shares(self) -> list[float]:
        """Return the share of runs that solved each problem."""
        return [mean_of([float(one.solved) for one in runs]) for runs in self.trials.values()]


class Standing(NamedTuple):
    """The figures of a condition.

    interval: Wilson's over all trials; bootstrap: of the mean over problems.  over_runs: of the
    share solved in each run.  tiers: solved and all trials.  errors: failed trials by class.
    at_attempt: trials that were solved with the first, second … program.  first_attempt: share
    solved with the first program.  attempts_when_solved, median_seconds: None without a trial that
    counts.  tokens and cost: means for a trial; None where an endpoint did not report them.
    pass_at: pass@k by k, up to the least number of runs of a problem.
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
    median_seconds: float
    input_tokens: float | None
    output_tokens: float | None
    cost: float | None
    pass_at: dict[int, float]


class PairedConditions(NamedTuple):
    """Two conditions that differ only along the axis, on the same problems.

    match: what they have in common; None for all matches together.  difference: of the shares
    solved, first minus second, by problem over all runs; with a bootstrap interval over problems.
    McNemar's test uses the first run.  tests: the number of tests that both p are corrected for.
    """

    first: str
    second: str
    match: str | None
    problems: int
    both: int
    only_first: int
    only_second: int
    neither: int
    difference: float
    interval: ConfidenceInterval
    mcnemar: float
    wilcoxon: SignedRank
    tests: int = 1
    mcnemar_corrected: float = 1.0
    wilcoxon_corrected: float = 1.0


class EvaluationComparison(NamedTuple):
    """Pairs of conditions along an axis; baseline: the value that all others are compared with."""

    axis: EvaluationAxis
    baseline: str | None
    pairs: tuple[PairedConditions, ...]


class ModelTax(NamedTuple):
    """The language tax of a model under a regime, in one unfamiliar language."""

    model: str
    regime: str
    language: str
    familiar: tuple[str, ...]
    loss: Loss


class FrontierPoint(NamedTuple):
    """Mean cost or output tokens of a trial, and the share solved.

    best: no other condition solves as much for less.
    """

    model: str
    language: str
    regime: str
    amount: float
    share: float
    best: bool


@dataclass(frozen=True, slots=True)
class EvaluationFigures:
    """All figures of some evaluations; ``standings`` has one entry for each condition.

    titles: of problems.  tiers and categories: in the pack's order.
    """

    evaluations: tuple[Evaluation, ...]
    conditions: tuple[EvaluatedCondition, ...]
    standings: tuple[Standing, ...]
    tiers: tuple[str, ...]
    categories: tuple[str, ...]
    comparison: EvaluationComparison | None
    taxes: tuple[ModelTax, ...]
    by_cost: tuple[FrontierPoint, ...]
    by_tokens: tuple[FrontierPoint, ...]
    currency: str | None
    resamples: int
    seed: int


class EvaluationReportOptions(NamedTuple):
    """by: the axis to compare along; None for the first that differs.  baseline: compare only with
    this value of the axis.  familiar: the languages that the tax compares with."""

    by: EvaluationAxis | None = None
    baseline: str | None = None
    familiar: Collection[str] = ()
    resamples: int = RESAMPLES
    seed: int = 0


def conditions_of(evaluations: Sequence[Evaluation]) -> list[EvaluatedCondition]:
    """Group the trials that solve problems; runs of several evaluations are counted together.

    Raises EvaluationRefused if the same trials are there twice.
    """
    found: dict[tuple[str, str, str, str], dict[str, list[SavedTrial]]] = {}
    sources: dict[tuple[str, str, str], str] = {}
    runs: dict[tuple[str, str, str, str], int] = {}  # the last run of a condition
    for evaluation in evaluations:
        terms, file = evaluation.results.terms, evaluation.file
        earlier_runs = dict(runs)
        model = f"{terms.model} ({terms.mode})" if terms.mode else terms.model
        for trial in evaluation.results.trials:
            if trial.task != "solve":
                continue
            key = (terms.seed_commitment, model, trial.id)
            if key in sources:
                same = sources[key] == file
                where = "is counted twice" if same else f"is also in {sources[key]}"
                raise EvaluationRefused(file, f"trial {trial.id} of {model} {where}")
            sources[key] = file
            names = (model, trial.language, trial.regime, f"{terms.pack} {terms.pack_version}")
            run = earlier_runs.get(names, 0) + trial.run
            runs[names] = max(run, runs.get(names, 0))
            trials = found.setdefault(names, {}).setdefault(trial.item, [])
            trials.append(structs.replace(trial, run=run))
    return [
        EvaluatedCondition(
            *names,
            {item: sorted(trials[item], key=lambda trial: trial.run) for item in sorted(trials)},
        )
        for names, trials in found.items()
    ]


def figures_of(
    evaluations: Sequence[Evaluation],
    tiers: Sequence[str],
    categories: Mapping[str, str],
    options: EvaluationReportOptions,
) -> EvaluationFigures:
    """Work out all figures.

    tiers: in the pack's order.  categories: of problems, in the pack's order; empty if unknown.
    """
    conditions = conditions_of(evaluations)
    standings = [standing_of(one, categories, options) for one in conditions]
    axis = options.by or _first_axis(conditions)
    currencies = {one.results.currency for one in evaluations} - {None}
    costs = [one.cost if len(currencies) == 1 else None for one in standings]
    return EvaluationFigures(
        evaluations=tuple(evaluations),
        conditions=tuple(conditions),
        standings=tuple(standings),
        tiers=_ordered(tiers, [tier for one in standings for tier in one.tiers]),
        categories=_ordered(
            list(dict.fromkeys(categories.values())),
            [category for one in standings for category in one.categories],
        ),
        comparison=axis and compare_conditions(conditions, axis, options),
        taxes=tuple(_taxes(conditions, options)),
        by_cost=_frontier(standings, costs),
        by_tokens=_frontier(standings, [one.output_tokens for one in standings]),
        currency=currencies.pop() if len(currencies) == 1 else None,
        resamples=options.resamples,
        seed=options.seed,
    )


def _ordered(known: Sequence[str], used: Collection[str]) -> tuple[str, ...]:
    """Return the used names, the known ones first and in their order."""
    return tuple(dict.fromkeys([*(name for name in known if name in used), *used]))


def standing_of(
    condition: EvaluatedCondition, categories: Mapping[str, str], options: EvaluationReportOptions
) -> Standing:
    """Return the figures of one condition."""
    trials = condition.all_trials
    solved = [trial for trial in trials if trial.solved]
    known = [trial for trial in trials if not trial.tokens.untold]
    costs = [trial.cost for trial in trials if trial.cost is not None]
    errors = dict.fromkeys([*ERROR_CLASSES, "other"], 0)
    for trial in trials:
        if not trial.solved:
            errors[_error_class(trial.verdict)] += 1
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
        summarise(_shares_of_runs(trials)),
        _counts([(trial.tier, trial.solved) for trial in trials]),
        _counts(
            [(categories[trial.item], trial.solved) for trial in trials if trial.item in categories]
        ),
        {name: count for name, count in errors.items() if count or name != "other"},
        _at_attempt(solved),
        sum(trial.attempts == 1 for trial in solved) / len(trials),
        mean_of([float(trial.attempts) for trial in solved]) if solved else None,
        quantile(sorted(trial.seconds for trial in trials), 0.5),
        mean_of([float(trial.tokens.input) for trial in known]) if known else None,
        mean_of([float(trial.tokens.output) for trial in known]) if known else None,
        mean_of(costs) if len(costs) == len(trials) else None,
        _pass_at(condition),
    )


def _error_class(verdict: str) -> str:
    return next((name for name, verdicts in ERROR_CLASSES.items() if verdict in verdicts), "other")


def _shares_of_runs(trials: Sequence[SavedTrial]) -> list[float]:
    runs: dict[int, list[float]] = {}
    for trial in trials:
        runs.setdefault(trial.run, []).append(float(trial.solved))
    return [mean_of(solved) for _, solved in sorted(runs.items())]


def _counts(trials: Sequence[tuple[str, bool]]) -> dict[str, tuple[int, int]]:
    """Return solved and all trials by name."""
    counts: dict[str, tuple[int, int]] = {}
    for name, solved in trials:
        before, total = counts.get(name, (0, 0))
        counts[name] = before + solved, total + 1
    return counts


def _at_attempt(solved: Sequence[SavedTrial]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for trial in sorted(solved, key=lambda trial: trial.attempts):
        counts[trial.attempts] = counts.get(trial.attempts, 0) + 1
    return counts


def pass_at(runs: int, solved: int, k: int) -> float:
    """Return the probability that one of ``k`` runs, drawn from all without replacement, solves.

    The unbiased estimator of Chen et al. 2021 (arXiv 2107.03374).
    """
    return 1.0 - comb(runs - solved, k) / comb(runs, k)


def _pass_at(condition: EvaluatedCondition) -> dict[int, float]:
    least = min(len(runs) for runs in condition.trials.values())
    counts = [(len(runs), sum(one.solved for one in runs)) for runs in condition.trials.values()]
    return {
        k: mean_of([pass_at(runs, solved, k) for runs, solved in counts])
        for k in range(1, least + 1)
    }


# Comparisons


def _value(condition: EvaluatedCondition, axis: EvaluationAxis) -> str:
    return str(getattr(condition, axis))


def _rest(condition: EvaluatedCondition, axis: EvaluationAxis) -> tuple[object, ...]:
    """Return everything that must agree between two conditions that are compared."""
    names = [_value(condition, other) for other in ("model", "language", "regime") if other != axis]
    return (*names, condition.pack, condition.problems)


def _matches(
    conditions: Sequence[EvaluatedCondition], axis: EvaluationAxis, first: str, second: str
) -> list[tuple[str, EvaluatedCondition, EvaluatedCondition]]:
    there = {_rest(one, axis): one for one in conditions if _value(one, axis) == second}
    return [
        (", ".join(map(str, _rest(one, axis)[:2])), one, there[_rest(one, axis)])
        for one in conditions
        if _value(one, axis) == first and _rest(one, axis) in there
    ]


def _first_axis(conditions: Sequence[EvaluatedCondition]) -> EvaluationAxis | None:
    for axis in AXES:
        values = dict.fromkeys(_value(one, axis) for one in conditions)
        if any(_matches(conditions, axis, *pair) for pair in combinations(values, 2)):
            return axis
    return None


def compare_conditions(
    conditions: Sequence[EvaluatedCondition],
    axis: EvaluationAxis,
    options: EvaluationReportOptions,
) -> EvaluationComparison:
    """Compare all pairs of values along an axis, or each value with the baseline.

    Bonferroni's correction counts the tests that are made: tests of single matches, and tests over
    all matches together, are two families.
    """
    values = list(dict.fromkeys(_value(one, axis) for one in conditions))
    baseline = options.baseline
    asked = (
        list(combinations(values, 2))
        if baseline is None
        else [(value, baseline) for value in values if value != baseline]
    )
    pairs: list[PairedConditions] = []
    for first, second in asked:
        matches = _matches(conditions, axis, first, second)
        for name, one, other in matches:
            pairs.append(_pair(first, second, name, [(one, other)], options))
        alike = len({one.problems for _, one, _ in matches}) == 1
        if len(matches) > 1 and alike:
            sides = [(one, other) for _, one, other in matches]
            pairs.append(_pair(first, second, None, sides, options))
    single = sum(pair.match is not None for pair in pairs)
    corrected = [
        _corrected(pair, single if pair.match is not None else len(pairs) - single)
        for pair in pairs
    ]
    return EvaluationComparison(axis, baseline, tuple(corrected))


def _corrected(pair: PairedConditions, tests: int) -> PairedConditions:
    return pair._replace(
        tests=tests,
        mcnemar_corrected=bonferroni(pair.mcnemar, tests),
        wilcoxon_corrected=bonferroni(pair.wilcoxon.p, tests),
    )


def _pair(
    first: str,
    second: str,
    match: str | None,
    sides: Sequence[tuple[EvaluatedCondition, EvaluatedCondition]],
    options: EvaluationReportOptions,
) -> PairedConditions:
    problems = sides[0][0].problems
    table = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for one, other in sides:
        for problem in problems:
            table[one.trials[problem][0].solved, other.trials[problem][0].solved] += 1
    shares = [(one.shares, other.shares) for one, other in sides]
    differences = [
        mean_of([one[at] - other[at] for one, other in shares]) for at in range(len(problems))
    ]
    return PairedConditions(
        first,
        second,
        match,
        len(problems),
        table[True, True],
        table[True, False],
        table[False, True],
        table[False, False],
        mean_of(differences),
        bootstrap_mean(differences, options.resamples, seed=options.seed),
        mcnemar(table[True, False], table[False, True]),
        # Rounded, as equal thirds may differ in their last bit and would not be ties.
        signed_rank([round(value, 12) for value in differences]),
    )


def _taxes(
    conditions: Sequence[EvaluatedCondition], options: EvaluationReportOptions
) -> Iterator[ModelTax]:
    for one in conditions:
        if one.language in options.familiar:
            continue
        others = [
            other
            for other in conditions
            if other.language in options.familiar
            and _rest(other, "language") == _rest(one, "language")
        ]
        if others:
            found = loss(
                [one.shares], [other.shares for other in others], options.resamples, options.seed
            )
            languages = tuple(other.language for other in others)
            yield ModelTax(one.model, one.regime, one.language, languages, found)


def _frontier(
    standings: Sequence[Standing], amounts: Sequence[float | None]
) -> tuple[FrontierPoint, ...]:
    """Return all conditions with a known amount, the cheapest first."""
    known = [
        (amount, one) for amount, one in zip(amounts, standings, strict=True) if amount is not None
    ]
    points: list[FrontierPoint] = []
    best = (-1.0, -1.0)  # the greatest share so far, and the least amount that gave it
    for amount, one in sorted(known, key=lambda each: (each[0], -each[1].share)):
        if one.share > best[0]:
            best = one.share, amount
        beaten = (one.share, amount) != best
        points.append(
            FrontierPoint(one.model, one.language, one.regime, amount, one.share, not beaten)
        )
    return tuple(points)
