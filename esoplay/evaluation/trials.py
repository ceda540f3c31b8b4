"""Data classes for the trials of an evaluation and for the settings that affect them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple

from esoplay.grading.output_comparison import Compare
from esoplay.version import VERSION

TaskName = Literal["solve", "predict"]

Feedback = Literal["examples", "scoring"]
"""Tests for feedback to the model: the public examples, or the tests that score programs."""

FORMAT_NAME = "esoplay-evaluation"
FORMAT_VERSION = 1


class Trial(NamedTuple):
    """Trial of one problem in a language under a regime. run: number of the run, from 1."""

    task: TaskName
    language: str
    regime: str
    item: str
    run: int

    @property
    def id(self) -> str:
        """Name of the trial in transcripts and results."""
        return f"{self.task}/{self.language}/{self.regime}/{self.item}/{self.run}"


def parse_trial_id(id: str) -> Trial:
    """Parse the id of a trial; raise ValueError if it is malformed."""
    task, language, regime, item, run = id.split("/")
    if task not in ("solve", "predict"):
        raise ValueError(f"{task!r} is not a task; expected solve or predict")
    return Trial(task, language, regime, item, int(run))


class TrialLimits(NamedTuple):
    """Limits on the answers of one trial: their number, output tokens and seconds; None: no limit.

    They are compared with the saved answers before each question, so a resumed trial reaches a
    limit at the same question. When a limit is reached, the last tried program is graded.
    """

    turns: int | None = None
    output_tokens: int | None = None
    seconds: float | None = None


NO_LIMITS = TrialLimits()


@dataclass(frozen=True, slots=True)
class TrialTerms:
    """Terms of an evaluation: all settings that affect its requests and verdicts.

    Problem, regime, language and run are properties of a trial. asked: URL or command of the model.
    seed_commitment: hash that commits to the seed of the hidden tests without revealing it.
    time_limit: maximum seconds of one run, None for the limits of the problems. examples: number of
    public examples that the model sees, None for all. prompts: digest of the templates.
    own_prompts: names of the user's templates. limits: limits of each trial. requested_model: name
    of the model in requests, None for ``model``. The key and timeouts are not included.
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
        """Return the settings of the evaluation as the content of ``evaluation.json``."""
        limits = self.limits._asdict() if any(self.limits) else None
        data = asdict(self) | {"limits": limits, "esoplay": VERSION}
        return {"format": FORMAT_NAME, "format_version": FORMAT_VERSION, **data}
