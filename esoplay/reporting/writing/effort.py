"""What it took to solve, and how submissions failed."""

from __future__ import annotations

from esoplay.reporting.document import Block, Column, Picture, Section, Table, Text
from esoplay.reporting.effort import Effort
from esoplay.reporting.pictures.canvas import Canvas
from esoplay.reporting.pictures.ranges import Axis, Row, draw_ranges
from esoplay.reporting.pictures.stacks import draw_stacks
from esoplay.reporting.played import ERROR_CLASSES
from esoplay.reporting.report import Report
from esoplay.reporting.writing.wording import Names, amount


def efforts(report: Report) -> list[Section]:
    """Sections on errors, and on submissions and runs."""
    names = Names(report)
    return [
        Section("Errors", _errors(report, names)),
        Section("Submissions and local runs", _at_solve(report, names)),
    ]


def _errors(report: Report, names: Names) -> list[Block]:
    known = [one for one in report.efforts if one.failures is not None]
    blocks: list[Block] = [
        Text(
            "Submissions of the headline sessions that failed, by the first test that did: compile "
            "(no program), runtime (a fault), limit (steps, output, memory or time), wrong answer, "
            "rule (all tests passed, the workspace broke a rule), other (a verdict that this "
            "version does not know). Reports are sealed until a session is closed."
        )
    ]
    used = [name for name in ERROR_CLASSES if any((one.failures or {}).get(name) for one in known)]
    if used:
        canvas = Canvas(
            "errors",
            "How submissions failed",
            "For each series a bar of its failed submissions, in parts by the class of error.",
        )
        rows = [(names.label(one), dict(one.failures or {})) for one in known]
        draw_stacks(canvas, used, rows, "failed submissions")
        blocks.append(Picture(canvas))
    columns = [*names.columns, *(Column(name) for name in ERROR_CLASSES), Column("failed")]
    cells: list[list[str]] = []
    for one in report.efforts:
        counts = one.failures
        shown = ["sealed"] * (len(ERROR_CLASSES) + 1)
        if counts is not None:
            shown = [*(str(counts[name]) for name in ERROR_CLASSES), str(sum(counts.values()))]
        cells.append([*names.cells(one), *shown])
    blocks.append(Table("Failed submissions by class", columns, cells))
    endings = list(dict.fromkeys(name for one in report.efforts for name in one.run_endings))
    if endings:
        order = [name for name in ("ok", *ERROR_CLASSES) if name in endings]
        columns = [*names.columns, *map(Column, order), Column("runs")]
        cells = [
            [
                *names.cells(one),
                *(str(one.run_endings.get(name, 0)) for name in order),
                str(one.runs),
            ]
            for one in report.efforts
        ]
        blocks.append(Table("Local runs by how they ended", columns, cells))
    return blocks


def _at_solve(report: Report, names: Names) -> list[Block]:
    most = max((number for one in report.efforts for number in one.submissions), default=0)
    blocks: list[Block] = [
        Text(
            "Of the problems that the headline sessions solved: by which submission of the "
            "problem, and after how many of its local runs. “At once” is by the first submission."
        )
    ]
    if most:
        canvas = Canvas(
            "submissions",
            "By which submission problems were solved",
            "For each series a bar of its solved problems, in parts by the submission that did it.",
        )
        parts = {_ordinal(number): number for number in range(1, min(most, 6) + 1)}
        rows = [
            (
                names.label(one),
                {part: _by_submission(one, number) for part, number in parts.items()},
            )
            for one in report.efforts
        ]
        draw_stacks(canvas, list(parts), rows, "problems solved")
        blocks += [Picture(canvas), Picture(_runs_picture(report, names))]
    columns = [
        *names.columns,
        *(Column("solved"), Column("at once"), Column("submissions, mean"), Column("runs, median")),
        *(Column("quartiles"), Column("most"), Column("mean"), Column("runs in all")),
        Column("submissions in all"),
    ]
    cells = [
        [
            *names.cells(one),
            *(str(one.runs_at_solve.size), str(one.submissions.get(1, 0))),
            *(amount(one.submissions_at_solve.mean, 2), amount(one.runs_at_solve.median)),
            _quartiles(one),
            *(amount(one.runs_at_solve.greatest), amount(one.runs_at_solve.mean)),
            *(f"{one.runs:,}", f"{one.graded:,}"),
        ]
        for one in report.efforts
    ]
    blocks.append(Table("Submissions and local runs at solve time", columns, cells))
    return blocks


def _by_submission(one: Effort, number: int) -> int:
    """The sixth part holds all later ones, too."""
    if number < 6:
        return one.submissions.get(number, 0)
    return sum(count for later, count in one.submissions.items() if later >= 6)


def _ordinal(number: int) -> str:
    return ("1st", "2nd", "3rd", "4th", "5th", "6th or later")[number - 1]


def _quartiles(one: Effort) -> str:
    runs = one.runs_at_solve
    return f"{amount(runs.quarter)}–{amount(runs.three_quarters)}" if runs.size else "–"


def _runs_picture(report: Report, names: Names) -> Canvas:
    canvas = Canvas(
        "runs",
        "Local runs of a problem before it was solved",
        "For each series the median with the quartiles; a short stroke is the most.",
    )
    rows: list[Row] = []
    for one in report.efforts:
        runs = one.runs_at_solve
        if runs.median is None or runs.greatest is None:
            continue
        rows.append(
            Row(
                *("", names.label(one), one.solver),
                *(runs.median, runs.quarter, runs.three_quarters),
                f"{amount(runs.median)} ({_quartiles(one)})",
                others=[runs.greatest],
                open=names.is_partial(one),
            )
        )
    most = max(value for row in rows for value in row.others)
    draw_ranges(
        canvas, rows, Axis("local runs", 0, max(most, 1)), names.solvers, "median (quartiles)"
    )
    return canvas
