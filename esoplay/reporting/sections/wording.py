"""The format of figures and names in tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from esoplay.reporting import publications
from esoplay.reporting.comparison import Loss
from esoplay.reporting.document import Paragraph, ReportTable, TableColumn, text_column
from esoplay.reporting.played_sessions import PlayedSession
from esoplay.reporting.report import Report
from esoplay.reporting.rounding import percent, round_half_up
from esoplay.reporting.statistics import ConfidenceInterval

PARTIAL = "*"
"""The mark after the figures of a series in which no session is complete."""
MINUS = "−"


class NamedSeries(Protocol):
    """Any object with the solver, language and protocol of a series, which identify it."""

    @property
    def solver(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def protocol(self) -> str: ...


class SeriesNames:
    """The names of series in one report, without the protocol if it is the same in all.

    The language of a series without a complete session is always marked.
    """

    def __init__(self, report: Report):
        self._shows_protocol = len({one.protocol for one in report.series}) > 1
        self._partial = {
            (one.solver, one.language, one.protocol)
            for one in report.series
            if one.headline is None
        }
        self.solvers = list(dict.fromkeys(one.solver for one in report.series))

    @property
    def columns(self) -> list[TableColumn]:
        names = ["solver", "language", *(["protocol"] if self._shows_protocol else [])]
        return [text_column(name) for name in names]

    def cells(self, series: NamedSeries) -> list[str]:
        language = series.language + (PARTIAL if self.is_partial(series) else "")
        return self.label_cells(series.solver, language, series.protocol)

    def label_cells(self, solver: str, language: str, protocol: str) -> list[str]:
        """Return a table row with the arguments as cells; the protocol only if its column is shown.

        An argument can also cover several series, such as ``all 3 languages``.
        """
        return [solver, language, *([protocol] if self._shows_protocol else [])]

    def is_partial(self, series: NamedSeries) -> bool:
        return (series.solver, series.language, series.protocol) in self._partial

    def label(self, series: NamedSeries) -> str:
        return ", ".join(self.cells(series))

    def with_protocol(self, name: str, protocol: str) -> str:
        """Return ``name``, followed by ``protocol`` if the sessions have different protocols.

        name: the name of a solver or a language.
        """
        return f"{name}, {protocol}" if self._shows_protocol else name


CONDITION_COLUMNS = (text_column("model"), text_column("language"), text_column("regime"))


class NamedCondition(Protocol):
    """Any object with the model, language and regime of a condition, which identify it."""

    @property
    def model(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def regime(self) -> str: ...


def condition_cells(condition: NamedCondition) -> list[str]:
    """Return the model, language and regime of a condition, for ``CONDITION_COLUMNS``."""
    return [condition.model, condition.language, condition.regime]


def condition_label(condition: NamedCondition) -> str:
    """Return the name of a condition on one line."""
    return ", ".join(condition_cells(condition))


def toolchain_table(counts: Mapping[tuple[str, str], int], count_heading: str) -> ReportTable:
    """Return a table with the number of uses of each toolchain (compiler or interpreter).

    counts: uses by language and version. count_heading: what uses them, such as ``sessions``.
    """
    rows = [[language, version, str(count)] for (language, version), count in counts.items()]
    columns = [text_column("language"), text_column("version"), TableColumn(count_heading)]
    return ReportTable("Toolchains of host lanes (ordinary languages)", columns, sorted(rows))


def single_tax_table(
    columns: Sequence[TableColumn], losses: Sequence[tuple[Sequence[str], Loss]]
) -> ReportTable:
    """Return a table of language taxes, each relative to a single familiar language.

    A tax is the difference between the shares of problems solved in the two languages.
    losses: for each row, its cells for ``columns`` and the familiar language, and its loss.
    """
    rows = [
        [
            *(*names, percent(one.share), percent(one.familiar_share)),
            *(format_points(one.tax), in_points(one.interval)),
        ]
        for names, one in losses
    ]
    heads = [
        *columns,
        text_column("familiar"),
        *map(TableColumn, ("solved", "in familiar languages", "tax", "95 % interval")),
    ]
    caption = "Language tax against each familiar language"
    return ReportTable(caption, heads, rows, reproduces=publications.TAX)


def format_points(share: float) -> str:
    """Return a difference of shares in percentage points, with its sign."""
    return format_signed(100 * share)


def format_signed(value: float, digits: int = 1) -> str:
    text = round_half_up(abs(value), digits)
    return text if not text.strip("0.") else f"{'+' if value > 0 else MINUS}{text}"


def in_percent(interval: ConfidenceInterval) -> str:
    return f"{round_half_up(100 * interval.low)}–{round_half_up(100 * interval.high)}"


def in_points(interval: ConfidenceInterval) -> str:
    return f"{format_points(interval.low)} to {format_points(interval.high)}"


def format_p_value(p: float) -> str:
    """Return p with three decimals; smaller values as "< 0.001"."""
    return "< 0.001" if p < 0.001 else round_half_up(p, 3)


def format_amount(value: float | None, digits: int = 1) -> str:
    """Return a number without trailing zeros; a dash for None."""
    if value is None:
        return "–"
    told = round_half_up(value, digits)
    return told.rstrip("0").rstrip(".") if "." in told else told


def describe_pack(session: PlayedSession) -> str:
    return f"{session.pack} {session.pack_version}"


def categories_text(categorization: str) -> Paragraph:
    """Return a paragraph that names the categorization, the set of categories that is used."""
    return Paragraph(f"The categories are from the categorization {categorization!r}.")
