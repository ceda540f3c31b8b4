"""Saved results of ``esoplay eval``, and the conditions that their trials belong to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import Struct

from esolangs.wording import plural
from esoplay.decoding import DecodingError, decode_json
from esoplay.errors import EsoplayError
from esoplay.reporting.conditions import (
    ReportedCondition,
    ReportedTrial,
    TrialTokens,
    trial_error,
    trials_by_problem,
)

FORMAT = "esoplay-evaluation-results"
ROSTER_FILE = "roster.json"
"""Name of the file that lists the evaluations of a roster, in the roster's folder."""
FORMAT_VERSION = 1
DEFAULT_ATTEMPTS = 5
"""The default maximum number of programs of a trial (``eval --attempts``)."""


class EvaluationRefused(EsoplayError):
    """Raised for a file of results that cannot be used, with the reason."""

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
    reasoning: int = 0


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
    toolchain: str | None = None


class SavedTerms(Struct, kw_only=True):
    """The settings of all trials of an evaluation, such as the model and the limits.

    derived: the settings before the run was rescored, None if it was not rescored.
    """

    model: str
    dialect: str
    compare: str
    pack: str
    pack_version: str
    seed_commitment: str
    card: bool
    attempts: int
    time_limit: float | None = None
    examples: int | None = None
    feedback: str = "examples"
    prompts: str = ""
    own_prompts: list[str] = []
    limits: dict[str, float | None] | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    extra: dict[str, Any] = {}
    options: dict[str, Any] = {}
    bare: bool = False
    derived: dict[str, Any] | None = None

    @property
    def limits_in_words(self) -> str:
        """Return the limits of a trial that differ from the defaults, in words."""
        parts = [plural(self.attempts, "attempt")] if self.attempts != DEFAULT_ATTEMPTS else []
        parts += [
            f"at most {value:g} {name.replace('_', ' ')}"
            for name, value in (self.limits or {}).items()
            if value is not None
        ]
        parts += [f"max {self.max_tokens} tokens"] if self.max_tokens is not None else []
        return ", ".join(parts)

    @property
    def mode(self) -> str:
        """Return the settings that differ from the defaults, except the limits, in words."""
        parts = [self.dialect] if self.dialect != "benchmark" else []
        parts += [f"{name}={value}" for name, value in sorted(self.options.items())]
        parts += [f"compare {self.compare}"] if self.compare != "exact" else []
        parts += [f"{self.time_limit:g} s a run"] if self.time_limit is not None else []
        parts += [plural(self.examples, "example")] if self.examples is not None else []
        parts += ["scoring feedback"] if self.feedback == "scoring" else []
        parts += ["no card"] if not self.card else []
        parts += ["bare"] if self.bare else []
        parts += [f"own prompts {self.prompts[:6]}".rstrip()] if self.own_prompts else []
        parts += [f"temperature {self.temperature:g}"] if self.temperature is not None else []
        parts += [f"{name}={json.dumps(value)}" for name, value in sorted(self.extra.items())]
        parts += [f"rescored {self.seed_commitment[-6:]}"] if self.derived is not None else []
        return ", ".join(parts)


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
    """The results of one evaluation, and the name of the file that contains them."""

    file: str
    results: SavedResults


def read_evaluation(file: str, data: bytes) -> Evaluation:
    """Read ``results.json``; raise EvaluationRefused if the content is invalid."""
    try:
        results = decode_json(data, SavedResults)
    except DecodingError as error:
        raise EvaluationRefused(file, f"not the results of an evaluation: {error}") from None
    if (results.format, results.format_version) != (FORMAT, FORMAT_VERSION):
        raise EvaluationRefused(file, f"expected results of the format {FORMAT} {FORMAT_VERSION}")
    return Evaluation(file, results)


# Conditions


def name_models(evaluations: Sequence[Evaluation]) -> dict[str, str]:
    """Return the name of each evaluation's model, with the settings that are not the defaults.

    Limits are left out if each regime of a model has its own limits, as in a roster, because they
    are then part of the regime.
    """
    limits: dict[tuple[str, str], dict[str, set[str]]] = {}
    for one in evaluations:
        terms = one.results.terms
        by_regime = limits.setdefault((terms.model, terms.mode), {})
        for trial in one.results.trials:
            by_regime.setdefault(trial.regime, set()).add(terms.limits_in_words)
    names: dict[str, str] = {}
    for one in evaluations:
        terms = one.results.terms
        by_regime = limits[terms.model, terms.mode].values()
        own = all(len(each) == 1 for each in by_regime) and len(set[str]().union(*by_regime)) > 1
        parts = ["" if own else terms.limits_in_words, terms.mode]
        words = ", ".join(filter(None, parts))
        names[one.file] = f"{terms.model} ({words})" if words else terms.model
    return names


def group_conditions(evaluations: Sequence[Evaluation]) -> list[ReportedCondition]:
    """Group the trials of the task ``solve`` by condition.

    If several evaluations have the same condition, their runs are numbered consecutively. Raises
    EvaluationRefused if the same trials occur twice.
    """
    model_names = name_models(evaluations)
    found: dict[tuple[str, str, str, str], list[ReportedTrial]] = {}
    sources: dict[tuple[str, str, str], str] = {}
    runs: dict[tuple[str, str, str, str], int] = {}  # the last run of a condition
    for evaluation in evaluations:
        terms, file = evaluation.results.terms, evaluation.file
        earlier_runs = dict(runs)
        model = model_names[file]
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
            found.setdefault(names, []).append(_trial(trial, run))
    return [ReportedCondition(*names, trials_by_problem(trials)) for names, trials in found.items()]


def _trial(saved: SavedTrial, run: int) -> ReportedTrial:
    tokens = saved.tokens
    return ReportedTrial(
        problem=saved.item,
        run=run,
        tier=saved.tier,
        solved=saved.solved,
        failure="" if saved.solved else trial_error(saved.verdict),
        attempts=saved.attempts,
        seconds=saved.seconds,
        tokens=None
        if tokens.untold
        else TrialTokens(tokens.input, tokens.output, tokens.reasoning),
        cost=saved.cost,
    )
