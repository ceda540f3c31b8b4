"""Solved problems of each series: by tier and category, pooled, and across solvers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from esoplay.reporting.played_sessions import PlayedSession, Series
from esoplay.reporting.statistics import ConfidenceInterval, SeriesSummary, summarize, wilson


class Rate(NamedTuple):
    """The numbers of solved and of all problems, and the share solved, from 0 to 1.

    interval: Wilson's interval of the share, at 95 %. half_width: the greater distance from the
    share to an end of the interval.
    """

    solved: int
    total: int
    share: float
    interval: ConfidenceInterval
    half_width: float


class SeriesStanding(NamedTuple):
    """The result of a series: one solver's sessions with the same language, problems and rules.

    rate: the rate of the first complete session. partial: the reason why no session is complete;
    ``rate`` is then the rate of the session with the most solved problems. tiers, categories: rates
    of the same session as ``rate``. sessions: the number of problems solved in each complete
    session, in order. others: the least and the greatest of these numbers without the first;
    across: a summary of all of them. left_out: the reason why each partial session is left out, by
    file, if other sessions are complete.
    """

    solver: str
    language: str
    protocol: str
    pack: str
    rate: Rate
    partial: str | None
    sessions: tuple[int, ...]
    others: tuple[int, int] | None
    across: SeriesSummary | None
    left_out: Mapping[str, str]
    tiers: Mapping[str, Rate]
    categories: Mapping[str, Rate]

    @property
    def name(self) -> str:
        return f"{self.solver}, {self.language}, {self.protocol}"


class PooledShares(NamedTuple):
    """Shares of solved problems of one solver in several languages, or of several solvers in one.

    of: ``solver`` or ``language``.  name: the name of that one solver or language.
    over: the several languages or solvers, whose complete series are included.
    summary: the summary of their shares.
    """

    of: str
    name: str
    protocol: str
    pack: str
    over: tuple[str, ...]
    summary: SeriesSummary


def rate(session: PlayedSession, problems: Iterable[str]) -> Rate:
    """Return how many of ``problems`` a session solved, with the share and its interval."""
    wanted, known = list(problems), session.solved
    solved = sum(problem in known for problem in wanted)
    share = solved / len(wanted)
    interval = wilson(solved, len(wanted))
    return Rate(solved, len(wanted), share, interval, interval.half_width(share))


def standing(series: Series, catalogue: Catalogue) -> SeriesStanding:
    """Return the result of a series: its rates, and the number solved in each complete session."""
    shown = series.shown_session
    counts = tuple(len(session.solved) for session in series.complete_sessions)
    headed = series.headline is not None
    left_out = {
        one.file: one.partial_reason for one in series.sessions if one.partial_reason and headed
    }
    tiers, categories = (
        {name: rate(shown, problems) for name, problems in groups.items()}
        for groups in (
            catalogue.by_tier(series.problems),
            catalogue.by_category(series.problems),
        )
    )
    return SeriesStanding(
        solver=series.solver,
        language=series.language,
        protocol=series.protocol,
        pack=f"{series.pack} {series.pack_version}",
        rate=rate(shown, series.problems),
        partial=None if headed else shown.partial_reason,
        sessions=counts,
        others=(min(counts[1:]), max(counts[1:])) if len(counts) > 1 else None,
        across=summarize(counts) if counts else None,
        left_out=left_out,
        tiers=tiers,
        categories=categories,
    )


def pool(standings: Sequence[SeriesStanding], familiar: Collection[str] = ()) -> list[PooledShares]:
    """Return means over languages for each solver, and over solvers for each language.

    A mean is over at least two complete series with the same protocol and pack. A mean over
    languages excludes the ``familiar`` ones, unless all complete series are in familiar languages.
    """
    complete = [one for one in standings if one.partial is None]
    unfamiliar = [one for one in complete if one.language not in familiar]
    return [
        *_pool(unfamiliar or complete, "solver", lambda one: one.solver, lambda one: one.language),
        *_pool(complete, "language", lambda one: one.language, lambda one: one.solver),
    ]


_SeriesKey = Callable[[SeriesStanding], str]


def _pool(
    standings: Sequence[SeriesStanding],
    row_kind: str,
    row_name: _SeriesKey,
    member_name: _SeriesKey,
) -> Iterable[PooledShares]:
    """Yield the mean over the series of each row, if there are two or more.

    row_name: returns the name of a series' row.  member_name: returns the name by which the mean
    lists a series.
    """
    groups: dict[tuple[str, str, str], list[SeriesStanding]] = {}
    for one in standings:
        groups.setdefault((row_name(one), one.protocol, one.pack), []).append(one)
    for (named, protocol, pack), members in groups.items():
        if len(members) > 1:
            shares = [one.rate.share for one in members]
            over = tuple(map(member_name, members))
            yield PooledShares(row_kind, named, protocol, pack, over, summarize(shares))


# Data about problems besides their ids: tiers, categories and titles.


class ProblemInfo(NamedTuple):
    """The description of a problem in its pack."""

    title: str
    tier: str
    category: str


class Catalogue(NamedTuple):
    """The problems of one pack; tiers and categories in the pack's order.

    categorization: the name of the categorization; None for the pack's own.
    """

    problems: Mapping[str, ProblemInfo]
    tiers: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    categorization: str | None = None

    def by_tier(self, problems: Sequence[str]) -> dict[str, list[str]]:
        """Return the problems of each tier; empty if a problem is unknown."""
        return _group_by_kind(
            self.tiers, {one: self.problems[one].tier for one in self._if_all_known(problems)}
        )

    def by_category(self, problems: Sequence[str]) -> dict[str, list[str]]:
        """Return the problems of each category; empty if a problem is unknown."""
        kinds = {one: self.problems[one].category for one in self._if_all_known(problems)}
        return _group_by_kind(self.categories, kinds)

    def title(self, problem: str) -> str:
        """Return the title, or the id of an unknown problem."""
        known = self.problems.get(problem)
        return known.title if known else problem

    def _if_all_known(self, problems: Sequence[str]) -> Sequence[str]:
        """Return ``problems``; empty if one of them is unknown."""
        return problems if all(one in self.problems for one in problems) else ()


NO_CATALOGUE = Catalogue({})


def _group_by_kind(names: Sequence[str], kinds: Mapping[str, str]) -> dict[str, list[str]]:
    found = {name: [one for one, kind in kinds.items() if kind == name] for name in names}
    return {name: problems for name, problems in found.items() if problems}
