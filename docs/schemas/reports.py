"""The JSON of reports on sessions, on evaluations, and on both together.

Reports contain the named tuples of ``esoplay.reporting`` as objects.  ``_object`` makes the types
of these objects from the tuples.
"""

from __future__ import annotations

from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from esoplay.reporting.ablations import Ablation, BudgetPoint
from esoplay.reporting.comparison import AxisComparison
from esoplay.reporting.condition_figures import FrontierPoint, ModelTax, Standing
from esoplay.reporting.effort import Effort, Metaprogramming
from esoplay.reporting.external import ExternalCorrelation
from esoplay.reporting.overlap import Overlap
from esoplay.reporting.report import AgentFigures, RefusedExport
from esoplay.reporting.saved_evaluations import SavedTerms
from esoplay.reporting.standing import SeriesStanding

Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class PackId(Struct):
    id: str
    version: str


# Reports on sessions


class ReportedSession(Struct, kw_only=True):
    file: str
    session: str
    solver: str
    language: str
    dialect: str | UnsetType = UNSET
    protocol: str
    pack: PackId
    began_ms: int
    ended_ms: int
    events: int
    head: Digest
    closed: bool
    partial: str | None
    solved: list[str]
    problems: dict[str, Any]


class Report(Struct, kw_only=True):
    """What ``report --json`` prints; docs/reports.md describes the members in full."""

    format: Literal["esoplay-report"]
    format_version: Literal[1]
    esoplay: str
    confidence: float
    resamples: int
    bootstrap_seed: int
    familiar: list[str]
    sessions: list[ReportedSession]
    refused: list[Any]
    series: list[dict[str, Any]]


# Reports on evaluations, alone and with sessions


@cache
def _object(row: Any) -> Any:
    """The type of the object that a report has for a named tuple."""
    members = [(name, _member(kind)) for name, kind in get_type_hints(row).items()]
    return defstruct(row.__name__, members, kw_only=True, module=__name__)


def _member(kind: Any) -> Any:
    """A type with the types of objects in place of named tuples."""
    if isinstance(kind, type) and hasattr(kind, "_fields"):
        return _object(kind)
    origin, parts = get_origin(kind), get_args(kind)
    if origin is None or origin is Literal:
        return kind
    replaced = tuple(part if part is ... else _member(part) for part in parts)
    if origin in (Union, UnionType):
        return Union[replaced]  # noqa: UP007 (computed)
    return origin[replaced]


class ReportedEvaluation(Struct):
    """An evaluation.  unfinished: its trials without a result."""

    file: str
    terms: SavedTerms
    unfinished: list[str]


class _ConditionsHead(Struct, kw_only=True):
    esoplay: str
    confidence: float
    resamples: int
    bootstrap_seed: int
    currency: str | None
    evaluations: list[ReportedEvaluation]
    tiers: list[str]
    categories: list[str]
    categorization: str | None
    baseline: str | None


_Conditions = defstruct(
    "_Conditions",
    [
        ("refused", list[_object(RefusedExport)]),
        ("conditions", list[_object(Standing)]),
        ("comparison", _object(AxisComparison) | None),
        ("language_tax", list[_object(ModelTax)]),
        ("external", list[_object(ExternalCorrelation)]),
        ("by_cost", list[_object(FrontierPoint)]),
        ("by_tokens", list[_object(FrontierPoint)]),
    ],
    bases=(_ConditionsHead,),
    kw_only=True,
    module=__name__,
)
_Sessions = defstruct(
    "_Sessions",
    [
        ("sessions", list[ReportedSession]),
        ("series", list[_object(SeriesStanding)]),
        ("effort", list[_object(Effort)]),
        ("metaprogramming", list[_object(Metaprogramming)]),
        ("ablations", list[_object(Ablation)]),
        ("budgets", list[_object(BudgetPoint)]),
        ("overlap", list[_object(Overlap)] | UnsetType, UNSET),
        ("agents", list[_object(AgentFigures)] | UnsetType, UNSET),
    ],
    bases=(_Conditions,),
    kw_only=True,
    module=__name__,
)


class EvaluationReport(_Conditions, kw_only=True):
    """A report on evaluations; docs/reports.md describes the members."""

    format: Literal["esoplay-evaluation-report"]
    format_version: Literal[1]


class CombinedReport(_Sessions, kw_only=True):
    """A report on evaluations and sessions; docs/reports.md describes the members."""

    format: Literal["esoplay-combined-report"]
    format_version: Literal[1]
