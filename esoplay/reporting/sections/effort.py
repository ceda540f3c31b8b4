"""The sections on effort: errors, submissions, and local runs."""

from __future__ import annotations

from esoplay.reporting import publications
from esoplay.reporting.canvas import SvgCanvas
from esoplay.reporting.charts import ChartRow, ValueAxis, draw_ranges, draw_stacks
from esoplay.reporting.conditions import ERROR_CLASSES
from esoplay.reporting.document import (
    Block,
    Paragraph,
    Picture,
    ReportTable,
    Section,
    TableColumn,
)
from esoplay.reporting.effort import Effort
from esoplay.reporting.report import Report
from esoplay.reporting.sections.wording import SeriesNames, format_amount


def effort_sections(report: Report) -> list[Section]:
    """Return the sections on errors, submissions and runs."""
    names = SeriesNames(report)
    return [
        Section("Errors", _errors(report, names)),
        Section("Submissions and local runs", _at_solve(report, names)),
    ]


def _errors(report: Report, names: SeriesNames) -> list[Block]:
    known = [one for one in report.efforts if one.failures is not None]
    blocks: list[Block] = [
        Paragraph(
            "Failed submissions of the headline sessions, by their first failed test: compile "
            "(an invalid program), runtime (a fault), limit (steps, output, memory or time), wrong "
            "answer, rule (all tests passed, but the workspace broke a rule), other (a verdict "
            "that this version does not know). “Sealed”: the session was not closed, so "
            "its failed submissions are not classified."
        )
    ]
    used = [name for name in ERROR_CLASSES if any((one.failures or {}).get(name) for one in known)]
    if used:
        canvas = SvgCanvas(
            "errors",
            "How submissions failed",
            "For each series a bar of its failed submissions, divided by class of error.",
        )
        rows = [(names.label(one), dict(one.failures or {})) for one in known]
        draw_stacks(canvas, used, rows, "failed submissions")
        blocks.append(Picture(canvas, publications.ERRORS))
    columns = [
        *names.columns,
        *(TableColumn(name) for name in ERROR_CLASSES),
        TableColumn("failed"),
    ]
    cells: list[list[str]] = []
    for one in report.efforts:
        counts = one.failures
        shown = ["sealed"] * (len(ERROR_CLASSES) + 1)
        if counts is not None:
            shown = [*(str(counts[name]) for name in ERROR_CLASSES), str(sum(counts.values()))]
        cells.append([*names.cells(one), *shown])
    blocks.append(
        ReportTable("Failed submissions by class", columns, cells, reproduces=publications.ERRORS)
    )
    endings = list(dict.fromkeys(name for one in report.efforts for name in one.run_endings))
    if endings:
        order = [name for name in ("ok", *ERROR_CLASSES) if name in endings]
        columns = [*names.columns, *map(TableColumn, order), TableColumn("runs")]
        cells = [
            [
                *names.cells(one),
                *(str(one.run_endings.get(name, 0)) for name in order),
                str(one.runs),
            ]
            for one in report.efforts
        ]
        blocks.append(ReportTable("Local runs by outcome", columns, cells))
    return blocks


def _at_solve(report: Report, names: SeriesNames) -> list[Block]:
    most = max((number for one in report.efforts for number in one.submissions), default=0)
    blocks: list[Block] = [
        Paragraph(
            "The submission that solved each problem of the headline sessions, and the number of "
            "local runs before it. “With 1 submission” counts the problems that the first "
            "submission solved."
        )
    ]
    if most:
        canvas = SvgCanvas(
            "submissions",
            "Which submission solved each problem",
            "For each series a bar of its solved problems, split by the number of the submission "
            "that solved the problem: first, second and so on.",
        )
        parts = {_ordinal(number): number for number in range(1, min(most, 6) + 1)}
        rows = [
            (
                names.label(one),
                {part: _count_solved_by_submission(one, number) for part, number in parts.items()},
            )
            for one in report.efforts
        ]
        draw_stacks(canvas, list(parts), rows, "problems solved")
        blocks += [
            Picture(canvas, publications.ATTEMPTS),
            Picture(_runs_picture(report, names), publications.ATTEMPTS),
        ]
    columns = [
        *names.columns,
        *(
            TableColumn("solved"),
            TableColumn("with 1 submission"),
            TableColumn("submissions, mean"),
            TableColumn("runs, median"),
        ),
        *(
            TableColumn("quartiles"),
            TableColumn("most"),
            TableColumn("mean"),
            TableColumn("runs in all"),
        ),
        TableColumn("submissions in all"),
    ]
    cells = [
        [
            *names.cells(one),
            *(str(one.runs_at_solve.size), str(one.submissions.get(1, 0))),
            *(
                format_amount(one.submissions_at_solve.mean, 2),
                format_amount(one.runs_at_solve.median),
            ),
            _quartiles(one),
            *(format_amount(one.runs_at_solve.greatest), format_amount(one.runs_at_solve.mean)),
            *(f"{one.runs:,}", f"{one.graded:,}"),
        ]
        for one in report.efforts
    ]
    blocks.append(
        ReportTable(
            "Submissions and local runs until a problem was solved",
            columns,
            cells,
            reproduces=publications.ATTEMPTS,
        )
    )
    return blocks


def _count_solved_by_submission(effort: Effort, number: int) -> int:
    """Return how many problems submission ``number`` solved; 6 includes all later submissions."""
    if number < 6:
        return effort.submissions.get(number, 0)
    return sum(count for later, count in effort.submissions.items() if later >= 6)


def _ordinal(number: int) -> str:
    return ("1st", "2nd", "3rd", "4th", "5th", "6th or later")[number - 1]


def _quartiles(effort: Effort) -> str:
    runs = effort.runs_at_solve
    return (
        f"{format_amount(runs.quarter)}–{format_amount(runs.three_quarters)}" if runs.size else "–"
    )


def _runs_picture(report: Report, names: SeriesNames) -> SvgCanvas:
    canvas = SvgCanvas(
        "runs",
        "Local runs of a problem before it was solved",
        "For each series the median with the quartiles; a short stroke is the maximum.",
    )
    rows: list[ChartRow] = []
    for one in report.efforts:
        runs = one.runs_at_solve
        if runs.median is None or runs.greatest is None:
            continue
        rows.append(
            ChartRow(
                *("", names.label(one), one.solver),
                *(runs.median, runs.quarter, runs.three_quarters),
                f"{format_amount(runs.median)} ({_quartiles(one)})",
                others=[runs.greatest],
                is_partial=names.is_partial(one),
            )
        )
    most = max(value for row in rows for value in row.others)
    draw_ranges(
        canvas, rows, ValueAxis("local runs", 0, max(most, 1)), names.solvers, "median (quartiles)"
    )
    return canvas
