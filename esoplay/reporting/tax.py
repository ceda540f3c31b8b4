"""The language tax: what a solver loses where the language is unfamiliar.

The pass rate in the unfamiliar language minus that in a familiar one, averaged over the familiar
ones, of the same solver on the same problems (the methodology of the AgentLang Index).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from esoplay.reporting.comparison import solved_share
from esoplay.reporting.series import Series
from esoplay.reporting.statistics.intervals import Interval
from esoplay.reporting.statistics.summary import RESAMPLES, bootstrap_mean, mean_of


class Tax(NamedTuple):
    """The tax of one solver in one language; below zero, something is lost.

    familiar: the languages compared with; the shares are means over problems and complete
    sessions.  interval: of ``tax``, by bootstrap over problems, at 95 %.
    """

    solver: str
    language: str
    protocol: str
    familiar: tuple[str, ...]
    share: float
    familiar_share: float
    tax: float
    interval: Interval


def language_tax(
    series: Sequence[Series],
    familiar: Collection[str],
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Iterator[Tax]:
    """The taxes of all complete series in other languages than the ``familiar`` ones.

    Compared are those of the same solver, protocol, pack and problems; where the familiar
    languages were played under one other protocol alone, with that.
    """
    complete = [one for one in series if one.headline is not None]
    for one in complete:
        if one.language in familiar:
            continue
        others = _counterparts(one, [each for each in complete if each.language in familiar])
        if not others:
            continue
        here = [solved_share(one, problem) for problem in one.problems]
        there = [
            mean_of([solved_share(other, problem) for other in others]) for problem in one.problems
        ]
        lost = [mine - theirs for mine, theirs in zip(here, there, strict=True)]
        yield Tax(
            solver=one.solver,
            language=one.language,
            protocol=one.protocol,
            familiar=tuple(other.language for other in others),
            share=mean_of(here),
            familiar_share=mean_of(there),
            tax=mean_of(lost),
            interval=bootstrap_mean(lost, resamples, seed=seed),
        )


def _counterparts(one: Series, familiar: Sequence[Series]) -> list[Series]:
    """Hosts may have rules of their own, where no interpreter has to be learned."""
    known = [
        other
        for other in familiar
        if (other.solver, other.pack, other.pack_version, other.problems)
        == (one.solver, one.pack, one.pack_version, one.problems)
    ]
    same = [other for other in known if other.protocol == one.protocol]
    return same or (known if len({other.protocol for other in known}) == 1 else [])
