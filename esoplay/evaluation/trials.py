"""What an evaluation consists of: trials, and what holds for all of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

from esoplay.errors import UsageError
from esoplay.evaluation.prompts import prompts_digest
from esoplay.grading.grader import Compare
from esoplay.version import VERSION

TaskName = Literal["solve", "predict"]

FORMAT_NAME = "esoplay-evaluation"
FORMAT = 1

_RANGE = re.compile(r"(?P<first>[^-]+)-(?P<last>[^-]+)")


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


class Choosable(Protocol):
    """A problem or an output prediction."""

    @property
    def id(self) -> str: ...
    @property
    def tier(self) -> str: ...


T = TypeVar("T", bound=Choosable)


def choose(things: Sequence[T], wanted: Iterable[str] | None) -> list[T]:
    """Return the ``things`` that are named by id, range of ids or tier, in their own order.

    Raises UsageError for an unknown name.
    """
    if wanted is None:
        return list(things)
    places = {thing.id.casefold(): at for at, thing in enumerate(things)}
    chosen: set[int] = set()
    for word in wanted:
        name = word.strip().casefold()
        tier = {at for at, thing in enumerate(things) if thing.tier.casefold() == name}
        match = _RANGE.fullmatch(name)
        if name in places:
            chosen.add(places[name])
        elif tier:
            chosen |= tier
        elif match and match["first"] in places and match["last"] in places:
            first, last = places[match["first"]], places[match["last"]]
            if first > last:
                raise UsageError(
                    f"--problems: {word!r} ends before it begins; did you mean "
                    f"{things[last].id}-{things[first].id}?"
                )
            chosen |= set(range(first, last + 1))
        else:
            raise UsageError(
                f"--problems: {word!r} is not an id, a range such as E01-E05 or a tier; the "
                f"ids are {things[0].id} to {things[-1].id}"
            )
    return [things[at] for at in sorted(chosen)]
