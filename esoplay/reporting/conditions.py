"""A common form for the results of evaluations and sessions: conditions and their trials.

A condition is a model with a language and a regime.  A trial is one run of one problem.  Sessions
of agents are conditions too: the solver is the model, and their regime is ``AGENT_SESSION``.
``saved_evaluations`` and ``session_conditions`` create conditions; ``condition_figures`` reads
them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from esoplay.reporting.statistics import arithmetic_mean

AGENT_SESSION = "agent session"
"""The regime of sessions under the baseline protocol ``primary``."""

# How a trial, a submission or a run failed.

ErrorClass = Literal["compile", "runtime", "limit", "wrong answer", "rule", "other"]
ERROR_CLASSES: tuple[ErrorClass, ...] = (
    "compile",
    "runtime",
    "limit",
    "wrong answer",
    "rule",
    "other",
)
"""The ways in which a submission can fail.

In order: not a program, a fault, a limit, wrong output, a violated workspace rule, or a verdict
that this version does not know.
"""
NO_PROGRAM = "no program"
TRIAL_ERRORS: tuple[str, ...] = (NO_PROGRAM, *ERROR_CLASSES)
"""The classes of failed trials, in order."""
OPTIONAL_ERROR_CLASSES = ("rule", "other")
"""Classes that are shown only if a trial has them."""

_CLASS_BY_VERDICT: Mapping[str, ErrorClass] = {
    "parse_error": "compile",
    "fault": "runtime",
    "step_limit": "limit",
    "output_limit": "limit",
    "memory_limit": "limit",
    "work_limit": "limit",
    "time_limit": "limit",
    "wrong_answer": "wrong answer",
}


def error_class(verdict: str) -> ErrorClass:
    """Return the error class of the verdict of a failed test, or of the ending of a failed run."""
    return _CLASS_BY_VERDICT.get(verdict, "other")


def trial_error(verdict: str) -> str:
    """Return the class (in ``TRIAL_ERRORS``) of a failed trial with this verdict."""
    return NO_PROGRAM if verdict in ("no_program", "no_answer") else error_class(verdict)


def count_errors(failures: Sequence[str]) -> dict[str, int]:
    """Return the number of failures by class.

    failures: the class of each.  Classes in ``OPTIONAL_ERROR_CLASSES`` are included only if they
    occur, all others always.
    """
    counts = {name: failures.count(name) for name in TRIAL_ERRORS}
    return {
        name: count for name, count in counts.items() if count or name not in OPTIONAL_ERROR_CLASSES
    }


# Conditions and trials.


class TrialTokens(NamedTuple):
    """Tokens of a trial. reasoning: a part of the output; None if not reported."""

    input: float
    output: float
    reasoning: float | None


class ReportedTrial(NamedTuple):
    """One run of one problem.

    run: number of the condition's run, from 1. tier: empty if unknown. failure: one of
    ``TRIAL_ERRORS``; empty for a solved trial. attempts: number of programs of an evaluation, or of
    graded submissions of a session. seconds: time spent waiting for answers; in a session, the time
    from the fetch of the problem to its end. tokens, cost: None if not reported.
    """

    problem: str
    run: int
    tier: str
    solved: bool
    failure: str
    attempts: int
    seconds: float
    tokens: TrialTokens | None
    cost: float | None


@dataclass(frozen=True, slots=True)
class ReportedCondition:
    """All trials of a model in a language under a regime.

    model: name, with the settings that are not the defaults in brackets.  pack: with its version.
    trials: by problem, a list of its runs in order; problems sorted by id.  is_session: whether
    each run is a session of an agent.
    """

    model: str
    language: str
    regime: str
    pack: str
    trials: Mapping[str, Sequence[ReportedTrial]]
    is_session: bool = False

    @property
    def name(self) -> str:
        return f"{self.model}, {self.language}, {self.regime}"

    @property
    def pack_id(self) -> str:
        return self.pack.partition(" ")[0]

    @property
    def problems(self) -> tuple[str, ...]:
        return tuple(self.trials)

    @property
    def all_trials(self) -> list[ReportedTrial]:
        return [trial for trials in self.trials.values() for trial in trials]

    @property
    def shares(self) -> list[float]:
        """Return the share of runs that solved each problem."""
        return [
            arithmetic_mean([float(one.solved) for one in runs]) for runs in self.trials.values()
        ]


def trials_by_problem(trials: Sequence[ReportedTrial]) -> dict[str, list[ReportedTrial]]:
    """Return the trials of a condition by problem: problems sorted by id, their trials by run."""
    found: dict[str, list[ReportedTrial]] = {}
    for trial in sorted(trials, key=lambda trial: (trial.problem, trial.run)):
        found.setdefault(trial.problem, []).append(trial)
    return found
