"""A report: all figures, independent of the output format."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, NamedTuple, cast

from esoplay.reporting.ablations import (
    DEFAULT_BASELINE,
    Ablation,
    BudgetPoint,
    ablations,
    budget_points,
)
from esoplay.reporting.comparison import (
    AXES,
    Axis,
    AxisComparison,
    SolverTax,
    choose_axis,
    compare,
    language_taxes,
)
from esoplay.reporting.effort import Effort, Metaprogramming, count_generators, effort
from esoplay.reporting.external import (
    ExternalCorrelation,
    ExternalTables,
    ScoredShare,
    correlations,
)
from esoplay.reporting.overlap import Overlap, References, overlaps
from esoplay.reporting.played_sessions import PlayedSession, Series, group_sessions
from esoplay.reporting.standing import (
    NO_CATALOGUE,
    Catalogue,
    PooledShares,
    SeriesStanding,
    pool,
    standing,
)
from esoplay.reporting.statistics import CONFIDENCE, RESAMPLES
from esoplay.reporting.usage import Usage
from esoplay.version import VERSION


class RefusedExport(NamedTuple):
    """A file that is not in the report, and the reason."""

    file: str
    reason: str


class AgentFigures(NamedTuple):
    """The agent that a solver used, with sums over its logs; None if a log lacks the number.

    sessions: number of sessions. cached_tokens are a part of input_tokens, reasoning_tokens of
    output_tokens, and shell_commands and edits of tool_calls.
    """

    solver: str
    agent: str
    version: str | None
    model: str | None
    effort: str | None
    sessions: int
    input_tokens: int | None
    cached_tokens: int | None
    output_tokens: int | None
    reasoning_tokens: int | None
    tool_calls: int | None
    shell_commands: int | None
    edits: int | None


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """The options of a report.

    axis: the axis of the comparison; None for the axis of ``baseline``, or else the first along
    which series can be compared.  baseline: compare only with this value of the axis.  familiar:
    the languages that the language tax compares with.  resamples, seed: samples and seed of the
    bootstrap.  regraded: whether all verdicts were checked with the seeds before the report.
    agents: figures from the logs of agents.  external: scores of other benchmarks and sizes of
    corpora.  overlap: the size of n-grams for the overlap with references, in tokens.  references:
    the packs' programs.  categories: a categorization of the packs; None for their own.
    """

    axis: Axis | None = None
    baseline: str | None = None
    familiar: Collection[str] = ()
    resamples: int = RESAMPLES
    seed: int = 0
    regraded: bool = False
    agents: tuple[AgentFigures, ...] = ()
    external: ExternalTables | None = None
    categories: str | None = None
    overlap: int | None = None
    references: References = field(default_factory=dict[tuple[str, str], dict[str, bytes]])


@dataclass(frozen=True, slots=True)
class Report:
    """All figures that a report on sessions shows.

    ``standings``, ``efforts`` and ``metaprogramming`` have one entry for each of ``series``, in the
    same order.  catalogues: the catalogue of each pack.
    """

    options: ReportOptions
    series: tuple[Series, ...]
    refused: tuple[RefusedExport, ...]
    catalogues: Mapping[str, Catalogue]
    standings: tuple[SeriesStanding, ...]
    pooled: tuple[PooledShares, ...]
    efforts: tuple[Effort, ...]
    metaprogramming: tuple[Metaprogramming, ...]
    compared: AxisComparison | None
    taxes: tuple[SolverTax, ...]
    ablations: tuple[Ablation, ...]
    budgets: tuple[BudgetPoint, ...]
    external: tuple[ExternalCorrelation, ...]
    overlaps: tuple[Overlap, ...]

    @property
    def sessions(self) -> list[PlayedSession]:
        return [session for series in self.series for session in series.sessions]

    def as_json(self) -> dict[str, Any]:
        """Return every figure, and the sessions, as JSON."""
        return {
            "format": "esoplay-report",
            "format_version": 1,
            "esoplay": VERSION,
            "confidence": CONFIDENCE,
            "resamples": self.options.resamples,
            "bootstrap_seed": self.options.seed,
            "familiar": sorted(self.options.familiar),
            "sessions": [_session(session) for session in self.sessions],
            "refused": to_json_data(self.refused),
            "series": to_json_data(self.standings),
            "pooled": to_json_data(self.pooled),
            "effort": to_json_data(self.efforts),
            "metaprogramming": to_json_data(self.metaprogramming),
            "comparison": to_json_data(self.compared),
            "language_tax": to_json_data(self.taxes),
            "ablations": to_json_data(self.ablations),
            "budgets": to_json_data(self.budgets),
            **({"overlap": to_json_data(self.overlaps)} if self.options.overlap else {}),
            **({"external": to_json_data(self.external)} if self.options.external else {}),
            **({"agents": to_json_data(self.options.agents)} if self.options.agents else {}),
        }


def make_report(
    sessions: Sequence[PlayedSession],
    refused: Sequence[RefusedExport],
    catalogues: Mapping[str, Catalogue],
    usage: Usage,
    options: ReportOptions,
    order: Callable[[Series], tuple[int, int]] | None = None,
) -> Report:
    """Compute all figures of a report.

    order: the sort key of the series in all tables; None for the order of ``group_sessions``, which
    series with equal keys keep.
    """
    series = group_sessions(sessions)
    if order is not None:
        series.sort(key=order)
    standings = [standing(one, catalogues.get(one.pack, NO_CATALOGUE)) for one in series]
    axis = options.axis or _axis_of_baseline(series, options.baseline) or choose_axis(series)
    baseline_protocol = (
        options.baseline if axis == "protocol" and options.baseline else DEFAULT_BASELINE
    )
    return Report(
        options=options,
        series=tuple(series),
        refused=tuple(refused),
        catalogues=catalogues,
        standings=tuple(standings),
        pooled=tuple(pool(standings, options.familiar)),
        efforts=tuple(effort(one, usage) for one in series),
        metaprogramming=tuple(map(count_generators, series)),
        compared=axis and compare(series, axis, options.resamples, options.seed, options.baseline),
        taxes=tuple(language_taxes(series, options.familiar, options.resamples, options.seed)),
        ablations=tuple(ablations(series, baseline_protocol, options.resamples, options.seed)),
        budgets=tuple(budget_points(series, options.resamples, options.seed)),
        external=tuple(_external(standings, options)),
        overlaps=tuple(
            overlaps(series, options.references, options.overlap) if options.overlap else ()
        ),
    )


def _external(
    standings: Sequence[SeriesStanding], options: ReportOptions
) -> list[ExternalCorrelation]:
    """Correlate the shares of solved problems with scores of other benchmarks and corpus sizes.

    The share of a series is the mean over its complete sessions.
    """
    shares = [
        ScoredShare(one.solver, one.protocol, one.language, one.across.mean / one.rate.total)
        for one in standings
        if one.across is not None
    ]
    if options.external is None:
        return []
    return correlations(options.external, shares, options.familiar, options.seed)


def _axis_of_baseline(series: Sequence[Series], baseline: str | None) -> Axis | None:
    """Return the axis, such as ``solver``, of which ``baseline`` is a value in some series."""
    for axis in AXES:
        if any(getattr(one, axis) == baseline for one in series):
            return axis
    return None


def to_json_data(value: object) -> Any:
    """Convert a value to JSON data: a struct becomes an object, a set a sorted list."""
    if hasattr(value, "_asdict"):  # a named tuple
        members = cast("dict[str, object]", cast("Any", value)._asdict())
        return {name: to_json_data(members[name]) for name in members}
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: to_json_data(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Mapping):
        members = cast("Mapping[Any, Any]", value)
        return {str(name): to_json_data(member) for name, member in members.items()}
    if isinstance(value, (list, tuple)):
        return [to_json_data(member) for member in cast("Sequence[object]", value)]
    if isinstance(value, (set, frozenset)):
        return sorted(to_json_data(member) for member in cast("Collection[object]", value))
    return value


def _session(session: PlayedSession) -> dict[str, Any]:
    return {
        "file": session.file,
        "session": session.session,
        "solver": session.solver,
        "language": session.language,
        "dialect": session.rules.dialect,
        "protocol": session.rules.id,
        "tools": session.rules.profile,
        "compare": session.rules.comparison,
        "time_limit": session.limits.time,
        "pack": {"id": session.pack, "version": session.pack_version},
        "began_ms": session.started_ms,
        "ended_ms": session.ended_ms,
        "events": session.events,
        "head": session.head,
        "closed": session.closed,
        "partial": session.partial_reason,
        "visible_processes": session.visible_processes,
        "solved": [solve.problem for solve in session.sorted_solves],
        "problems": {
            problem: {
                "status": play.status,
                "submissions": play.submissions,
                "runs": play.runs,
                "solve": to_json_data(play.solve),
            }
            for problem, play in session.problem_records.items()
        },
    }
