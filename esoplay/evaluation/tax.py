"""The language tax of an evaluation: what a model loses where the language is unfamiliar.

As in reports on sessions (``reporting.comparison``): the share solved less that in the host lanes
that were asked under the same regime on the same problems, averaged over these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from esoplay.evaluation.results import Line
from esoplay.reporting.comparison import loss
from esoplay.reporting.statistics import Interval, mean_of
from esoplay.running.host.lanes import is_lane


class Tax(NamedTuple):
    """familiar: the lanes compared with.  interval: of ``tax``, by bootstrap over problems."""

    language: str
    regime: str
    familiar: tuple[str, ...]
    share: float
    familiar_share: float
    tax: float
    interval: Interval

    def as_json(self) -> dict[str, Any]:
        return {
            **self._asdict(),
            "familiar": list(self.familiar),
            "interval": list(self.interval),
        }


def language_taxes(lines: Sequence[Line]) -> Iterator[Tax]:
    """The taxes of all lines in esoteric languages that have a counterpart in a lane."""
    shares = [(line, _shares(line)) for line in lines if line.task == "solve"]
    for line, here in shares:
        if is_lane(line.language):
            continue
        others = [
            (other.language, there)
            for other, there in shares
            if is_lane(other.language) and other.regime == line.regime and set(there) == set(here)
        ]
        if not others:
            continue
        familiar = [[there[item] for item in here] for _, there in others]
        languages = tuple(language for language, _ in others)
        found = loss([list(here.values())], familiar)
        yield Tax(line.language, line.regime, languages, *found)


def _shares(line: Line) -> dict[str, float]:
    """The share of the runs in which each problem was solved."""
    found: dict[str, list[float]] = {}
    for result in line.results:
        found.setdefault(result.trial.item, []).append(float(result.solved))
    return {item: mean_of(each) for item, each in found.items()}
