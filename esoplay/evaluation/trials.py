"""What an evaluation consists of: trials, and what holds for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple

from esoplay.evaluation.prompts import prompts_digest
from esoplay.grading.grader import Compare
from esoplay.version import VERSION

TaskName = Literal["solve", "predict"]

FORMAT_NAME = "esoplay-evaluation"
FORMAT = 1


class Trial(NamedTuple):
    """A model, a regime, a language and one problem, once.  run: from 1."""

    task: TaskName
    language: str
    regime: str
    item: str
    run: int

    @property
    def id(self) -> str:
        """Its name in transcripts and results."""
        return f"{self.task}/{self.language}/{self.regime}/{self.item}/{self.run}"


def trial_named(id: str) -> Trial:
    """The trial of an id; raises ValueError."""
    task, language, regime, item, run = id.split("/")
    if task not in ("solve", "predict"):
        raise ValueError(f"{task!r} is not a task")
    return Trial(task, language, regime, item, int(run))


@dataclass(frozen=True, slots=True)
class TrialTerms:
    """What decides requests and verdicts, besides the problem, regime, language and run.

    asked: the address or the command.  seed_commitment: a promise about the seed of the hidden
    tests, which does not reveal it.  The key and timeouts are not included.
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
    pack: str
    pack_version: str
    items: str | None
    seed_commitment: str
    card: bool
    bare: bool
    attempts: int

    def as_json(self) -> dict[str, Any]:
        """The object that ``evaluation.json`` holds."""
        data = asdict(self) | {"prompts": prompts_digest(), "esoplay": VERSION}
        return {"format": FORMAT_NAME, "format_version": FORMAT, **data}
