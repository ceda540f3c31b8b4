"""The trials of an evaluation, and the terms that apply to all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple

from esoplay.grading.output_comparison import Compare
from esoplay.version import VERSION

TaskName = Literal["solve", "predict"]

Feedback = Literal["examples", "scoring"]
"""The tests that a model gets feedback on: the public examples, or the tests that score it."""

FORMAT_NAME = "esoplay-evaluation"
FORMAT = 1


class Trial(NamedTuple):
    """One run of a model, regime, language and problem. run: counts from 1."""

    task: TaskName
    language: str
    regime: str
    item: str
    run: int

    @property
    def id(self) -> str:
        """Return the trial's name in transcripts and results."""
        return f"{self.task}/{self.language}/{self.regime}/{self.item}/{self.run}"


def trial_named(id: str) -> Trial:
    """Return the trial with this id; raises ValueError."""
    task, language, regime, item, run = id.split("/")
    if task not in ("solve", "predict"):
        raise ValueError(f"{task!r} is not a task")
    return Trial(task, language, regime, item, int(run))


class TrialLimits(NamedTuple):
    """The limits of one trial, None without: answers, output tokens and seconds of all answers.

    They are checked before each question, from the saved answers, so a resumed trial meets them at
    the same question. The last program that was tried then counts.
    """

    turns: int | None = None
    output_tokens: int | None = None
    seconds: float | None = None


NO_LIMITS = TrialLimits()


@dataclass(frozen=True, slots=True)
class TrialTerms:
    """Everything that affects requests and verdicts except problem, regime, language and run.

    asked: the address or the command. seed_commitment: a hash that commits to the seed of the
    hidden tests without revealing it. time_limit: seconds of one run, None for the limits of the
    problems. examples: the number of public examples that the model may
    see, None for all. prompts: the digest of the templates; own_prompts: the names of the user's
    own. limits: of each trial. requested_model: the name of the model in requests, None for
    ``model``. The key and timeouts are not included.
    """

    model: str
    asked: str
    temperature: float | None
    max_tokens: int | None
    sampling_seed: int | None
    extra: Mapping[str, Any]
    dialect: str
    options: Mapping[str, str]
    compare: Compare
    time_limit: float | None
    pack: str
    pack_version: str
    items: str | None
    seed_commitment: str
    card: bool
    bare: bool
    attempts: int
    examples: int | None
    feedback: Feedback
    prompts: str
    own_prompts: Sequence[str]
    limits: TrialLimits
    requested_model: str | None

    def as_json(self) -> dict[str, Any]:
        """Return the object in ``evaluation.json``."""
        limits = self.limits._asdict() if any(self.limits) else None
        data = asdict(self) | {"limits": limits, "esoplay": VERSION}
        return {"format": FORMAT_NAME, "format_version": FORMAT, **data}
