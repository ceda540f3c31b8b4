"""The sections on progress: problems solved against local runs and tokens."""

from __future__ import annotations

from collections.abc import Callable

from esoplay.reporting import publications
from esoplay.reporting.canvas import SvgCanvas
from esoplay.reporting.charts import Curve, draw_curves
from esoplay.reporting.document import (
    Block,
    Paragraph,
    Picture,
    ReportTable,
    Section,
    TableColumn,
)
from esoplay.reporting.effort import Effort, Point
from esoplay.reporting.report import Report
from esoplay.reporting.sections.wording import SeriesNames, format_amount


def progress_sections(report: Report) -> list[Section]:
    """Return the sections on local runs, and on tokens if they were reported."""
    names = SeriesNames(report)
    sections = [Section("Solved against local runs", _local_run_blocks(report, names))]
    if any(one.by_tokens for one in report.efforts):
        sections.append(Section("Solved against tokens", _token_blocks(report, names)))
    return sections


def _local_run_blocks(report: Report, names: SeriesNames) -> list[Block]:
    canvas = SvgCanvas(
        "by-runs",
        "Problems solved against local runs",
        "A panel for each language, a rising line for each series: how many problems were solved "
        "against the number of programs run.",
    )
    draw_curves(
        canvas,
        [_curve(one, one.by_runs, names) for one in _sort_by_panel(report)],
        names.solvers,
        "local runs so far",
        "problems solved",
        _max_problems(report),
    )
    rows = [[*names.cells(one), *_amounts_at_milestones(one.by_runs)] for one in report.efforts]
    return [
        Paragraph(_PROGRESS_NOTE.format("the local runs of the session so far", "local runs", "")),
        Picture(canvas, publications.CUMULATIVE),
        ReportTable(
            "Local runs used to reach a share of the solved problems",
            _milestone_columns(names),
            rows,
            reproduces=publications.CUMULATIVE,
        ),
    ]


def _token_blocks(report: Report, names: SeriesNames) -> list[Block]:
    about = _PROGRESS_NOTE.format(
        "the tokens of all requests that a model had answered by the time of the verdict: "
        "prompts count as input, answers and reasoning as output",
        "tokens",
        " The cost is from the same source as the tokens.",
    )
    known = [one for one in report.efforts if one.by_tokens]
    blocks: list[Block] = [Paragraph(about)]
    for kind, select in _KINDS:
        canvas = SvgCanvas(
            f"by-{kind}-tokens",
            f"Problems solved against {kind} tokens",
            "A panel for each language, a rising line for each series: how many problems were "
            f"solved against the {kind} tokens used.",
        )
        curves = [
            _curve(one, select(one) or (), names) for one in _sort_by_panel(report) if one.by_tokens
        ]
        draw_curves(
            canvas,
            curves,
            names.solvers,
            f"{kind} tokens so far",
            "problems solved",
            _max_problems(report),
        )
        rows = [[*names.cells(one), *_amounts_at_milestones(select(one) or ())] for one in known]
        caption = f"{kind.capitalize()} tokens used to reach a share of the solved problems"
        blocks += [
            Picture(canvas, publications.CUMULATIVE),
            ReportTable(
                caption, _milestone_columns(names), rows, reproduces=publications.CUMULATIVE
            ),
        ]
    columns = [
        *_milestone_columns(names),
        *map(TableColumn, ("in all", "per solved problem", "input", "output", "reasoning", "cost")),
    ]
    rows = [
        [
            *names.cells(one),
            *_amounts_at_milestones(one.by_tokens or ()),
            format_amount(one.tokens),
            format_amount(one.tokens / one.runs_at_solve.size, 0)
            if one.tokens and one.runs_at_solve.size
            else "–",
            *map(format_amount, (one.input_tokens, one.output_tokens, one.reasoning_tokens)),
            format_amount(one.cost, 4),
        ]
        for one in known
    ]
    caption = "Tokens used to reach a share of the solved problems"
    blocks.append(ReportTable(caption, columns, rows, reproduces=publications.CUMULATIVE))
    return blocks


_KINDS: tuple[tuple[str, Callable[[Effort], tuple[Point, ...] | None]], ...] = (
    ("input", lambda one: one.by_input_tokens),
    ("output", lambda one: one.by_output_tokens),
)


_PROGRESS_NOTE = (
    "The problems solved by the headline session of each series, against {}. A line ends with the "
    "session; a ring marks a partial session. The table shows how many {} had been used when a "
    "quarter, half and all of the session's solved problems were solved.{}"
)


def _curve(effort: Effort, points: tuple[Point, ...], names: SeriesNames) -> Curve:
    panel = names.with_protocol(effort.language, effort.protocol)
    return Curve(panel, effort.solver, points, names.is_partial(effort))


def _sort_by_panel(report: Report) -> list[Effort]:
    """Sort series by protocol and language, so that related panels are adjacent."""
    protocols = list(dict.fromkeys(one.protocol for one in report.series))
    return sorted(report.efforts, key=lambda one: (protocols.index(one.protocol), one.language))


def _max_problems(report: Report) -> int:
    return max(len(series.problems) for series in report.series)


def _milestone_columns(names: SeriesNames) -> list[TableColumn]:
    return [
        *names.columns,
        *(TableColumn(told) for told in ("a quarter", "half", "all of them")),
    ]


def _amounts_at_milestones(points: tuple[Point, ...]) -> list[str]:
    """Return the amounts used when a quarter, half and all of the solved problems were solved."""
    solved = points[-1].solved if points else 0
    if not solved:
        return ["–"] * 3
    return [
        f"{next(point.used for point in points if point.solved >= share * solved):,}"
        for share in (0.25, 0.5, 1)
    ]
