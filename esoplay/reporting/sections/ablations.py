"""The sections on ablations against the baseline protocol, and on success by run budget."""

from __future__ import annotations

from collections.abc import Sequence

from esolangs.wording import plural
from esoplay.reporting import publications
from esoplay.reporting.ablations import Ablation, BudgetPoint
from esoplay.reporting.canvas import SvgCanvas
from esoplay.reporting.category_charts import TierCurve, draw_tier_curves
from esoplay.reporting.charts import ChartRow, draw_ranges, percentage_point_axis
from esoplay.reporting.document import (
    Block,
    Paragraph,
    Picture,
    ReportTable,
    Section,
    TableColumn,
    text_column,
)
from esoplay.reporting.effort import Effort
from esoplay.reporting.report import Report
from esoplay.reporting.sections.wording import (
    SeriesNames,
    format_points,
    in_percent,
    in_points,
    percent,
)

_ALL_LABEL = "all together"


def ablation_sections(report: Report) -> list[Section]:
    """Return the section that compares protocols with the baseline, if any were compared."""
    found = report.ablations
    if not found:
        return []
    baseline = found[0].baseline
    about = (
        f"The mean share of problems solved in the complete sessions of each protocol, and the "
        f"difference from {baseline}, the baseline. The 95 % interval is by percentile bootstrap "
        f"over sessions ({report.options.resamples:,} samples): the sessions of the protocol and "
        "of the baseline are drawn independently, and languages are averaged. It shows the "
        "variation between sessions, not the influence of the choice of problems, and needs two "
        "sessions of each series."
    )
    canvas = SvgCanvas(
        "ablations",
        f"Protocols against {baseline}",
        "For each protocol, solver and language: the mean share solved minus the one under "
        f"{baseline} in percentage points, with its bootstrap 95 % interval over sessions.",
    )
    rows = [
        ChartRow(
            group=one.protocol,
            label=f"{one.solver}, {one.language or _ALL_LABEL}",
            marker=one.solver,
            value=100 * one.difference,
            low=None if one.interval is None else 100 * one.interval.low,
            high=None if one.interval is None else 100 * one.interval.high,
            value_text=format_points(one.difference),
        )
        for one in sorted(found, key=lambda one: one.protocol)
    ]
    solvers = list(dict.fromkeys(one.solver for one in report.series))
    draw_ranges(canvas, rows, percentage_point_axis(rows), solvers, "points")
    columns = [
        *(text_column("solver"), text_column("language"), text_column("protocol")),
        *map(TableColumn, ("sessions", "mean", baseline, f"{baseline} sessions")),
        *map(TableColumn, ("difference", "95 % interval")),
    ]
    cells = [_ablation_cells(one) for one in found]
    table = ReportTable(
        f"Means against {baseline}", columns, cells, reproduces=publications.ABLATIONS
    )
    blocks: list[Block] = [Paragraph(about), Picture(canvas, publications.ABLATIONS), table]
    return [Section("Ablations", blocks)]


def _ablation_cells(ablation: Ablation) -> list[str]:
    return [
        ablation.solver,
        ablation.language or f"all {plural(len(ablation.languages), 'language')}",
        ablation.protocol,
        str(ablation.sessions),
        percent(ablation.mean),
        percent(ablation.baseline_mean),
        str(ablation.baseline_sessions),
        format_points(ablation.difference),
        "–" if ablation.interval is None else in_points(ablation.interval),
    ]


_RUN_LIMITS = (0, 1, 2, 3, 5, 10, 15, 30)


def budget_sections(report: Report) -> list[Section]:
    """Return the section on success by run budget."""
    names = SeriesNames(report)
    blocks: list[Block] = []
    if report.budgets:
        blocks += _between_protocols(report.budgets, names.solvers)
    rows = [[*names.cells(one), *_solved_within(one)] for one in report.efforts]
    columns = [
        *names.columns,
        *(TableColumn(f"≤ {most}") for most in _RUN_LIMITS),
        TableColumn("all"),
    ]
    about = (
        "Each column counts the problems of the headline sessions that were solved with at most as "
        "many local runs as its heading says. Under a limit on local runs, the solvers might have "
        "used their runs differently."
    )
    table = ReportTable(
        "Problems solved within a number of local runs",
        columns,
        rows,
        reproduces=publications.BUDGETS,
    )
    return [Section("Success by run budget", [*blocks, Paragraph(about), table])]


def _between_protocols(budget_points: Sequence[BudgetPoint], solvers: Sequence[str]) -> list[Block]:
    budgets = sorted(
        {one.runs for one in budget_points}, key=lambda runs: (runs is None, runs or 0)
    )
    canvas = SvgCanvas(
        "by-budget",
        "Success by run budget",
        "A panel for each language, a line for each solver: the mean share of problems solved, by "
        "the number of local runs allowed per problem.",
    )
    grouped: dict[tuple[str, str], dict[str, float]] = {}
    for one in budget_points:
        grouped.setdefault((one.language, one.solver), {})[_budget(one.runs)] = one.share
    curves = [TierCurve(*names, shares) for names, shares in grouped.items()]
    draw_tier_curves(canvas, curves, [_budget(runs) for runs in budgets], solvers)
    rows = [
        [
            one.solver,
            one.language,
            one.protocol,
            _budget(one.runs),
            str(one.sessions),
            percent(one.share),
            in_percent(one.interval),
        ]
        for one in budget_points
    ]
    columns = [
        *(text_column("solver"), text_column("language"), text_column("protocol")),
        *map(TableColumn, ("local runs", "sessions", "mean", "95 % interval")),
    ]
    about = (
        "Protocols that differ only in the number of local runs allowed per problem. The mean is "
        "over complete sessions, the interval by bootstrap over problems."
    )
    caption = "Share solved by budget of local runs"
    return [
        Paragraph(about),
        Picture(canvas, publications.BUDGETS),
        ReportTable(caption, columns, rows, reproduces=publications.BUDGETS),
    ]


def _budget(runs: int | None) -> str:
    return "unlimited" if runs is None else str(runs)


def _solved_within(effort: Effort) -> list[str]:
    def solved(max_runs: int) -> int:
        return max(
            (count for runs, count in effort.within_runs.items() if runs <= max_runs), default=0
        )

    return [*(str(solved(most)) for most in _RUN_LIMITS), str(effort.runs_at_solve.size)]
