"""The language tax: what a solver loses where the language is unfamiliar.

The pass rate in the unfamiliar language minus that in a familiar one, averaged over the familiar
ones, of the same solver on the same problems (the methodology of the AgentLang Index).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from esoplay.reporting.comparison import solved_shares
from esoplay.reporting.series import Series
from esoplay.reporting.statistics.intervals import Interval
from esoplay.reporting.statistics.summary import RESAMPLES, bootstrap_mean, mean_of


class Loss(NamedTuple):
    """Shares solved here and in what is familiar, the first less the second, and its interval.

    interval: by bootstrap over problems, at 95 %.
    """

    share: float
    familiar_share: float
    tax: float
    interval: Interval


class Tax(NamedTuple):
    """The tax of one solver in one language, or in several together; below zero, something is lost.

    language: None for the mean over all ``languages``, in each of which problems weigh alike.
    familiar: the languages compared with, and the protocol that they were played under.
    share, familiar_share: means over problems and complete sessions.
    """

    solver: str
    language: str | None
    languages: tuple[str, ...]
    protocol: str
    familiar: tuple[str, ...]
    familiar_protocol: str
    share: float
    familiar_share: float
    tax: float
    interval: Interval


def loss(
    here: Sequence[Sequence[float]],
    familiar: Sequence[Sequence[float]],
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Loss:
    """What is lost in some languages against others.

    Each language is a list of the shares of the sessions in which each problem was solved, with
    the problems in one order; a problem's share is the mean over the languages.
    """
    mine, theirs = (
        [mean_of(each) for each in zip(*side, strict=True)] for side in (here, familiar)
    )
    lost = [one - other for one, other in zip(mine, theirs, strict=True)]
    interval = bootstrap_mean(lost, resamples, seed=seed)
    return Loss(mean_of(mine), mean_of(theirs), mean_of(lost), interval)


def language_taxes(
    series: Sequence[Series],
    familiar: Collection[str],
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Iterator[Tax]:
    """The taxes of all complete series in other languages than the ``familiar`` ones.

    Compared are those of the same solver, protocol, pack and problems; where the familiar
    languages were played under one other protocol alone, with that.  Behind those of several
    languages under the same terms comes their mean.
    """
    complete = [one for one in series if one.headline is not None]
    known = [one for one in complete if one.language in familiar]
    together: dict[tuple[object, ...], list[Series]] = {}
    for one in complete:
        if one.language not in familiar and _counterparts(one, known):
            terms = (one.solver, one.protocol, one.pack, one.pack_version, one.problems)
            together.setdefault(terms, []).append(one)
    for those in together.values():
        others = _counterparts(those[0], known)
        for some in [*([one] for one in those), *([those] if len(those) > 1 else [])]:
            yield _tax(some, others, resamples, seed)


def _tax(here: Sequence[Series], familiar: Sequence[Series], resamples: int, seed: int) -> Tax:
    first, other = here[0], familiar[0]
    mine, theirs = ([solved_shares(one) for one in side] for side in (here, familiar))
    return Tax(
        first.solver,
        first.language if len(here) == 1 else None,
        tuple(one.language for one in here),
        first.protocol,
        tuple(one.language for one in familiar),
        other.protocol,
        *loss(mine, theirs, resamples, seed),
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
