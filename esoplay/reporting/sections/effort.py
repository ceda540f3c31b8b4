"""The sections on effort: submissions, progress over time, and generated programs."""

from __future__ import annotations

from esoplay.reporting import publications
from esoplay.reporting.canvas import SvgCanvas
from esoplay.reporting.charts import Axis, ChartRow, Curve, draw_curves, draw_ranges, draw_stacks
from esoplay.reporting.document import (
    Block,
    Paragraph,
    Picture,
    ReportTable,
    Section,
    TableColumn,
    words,
)
from esoplay.reporting.effort import Effort, Metaprogramming, Point
from esoplay.reporting.played_sessions import ERROR_CLASSES
from esoplay.reporting.report import Report
from esoplay.reporting.sections.wording import SeriesNames, format_amount, percent


def effort_sections(report: Report) -> list[Section]:
    """Yield the sections on errors, submissions and runs."""
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
            "(no program), runtime (a fault), limit (steps, output, memory or time), wrong answer, "
            "rule (all tests passed, the workspace broke a rule), other (a verdict that this "
            "version does not know). Reports are sealed until a session is closed."
        )
    ]
    used = [name for name in ERROR_CLASSES if any((one.failures or {}).get(name) for one in known)]
    if used:
        canvas = SvgCanvas(
            "errors",
            "How submissions failed",
            "For each series a bar of its failed submissions, in parts by the class of error.",
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
        blocks.append(
            ReportTable(
                "Local runs by how they ended", columns, cells, reproduces=publications.ERRORS
            )
        )
    return blocks


def _at_solve(report: Report, names: SeriesNames) -> list[Block]:
    most = max((number for one in report.efforts for number in one.submissions), default=0)
    blocks: list[Block] = [
        Paragraph(
            "The submission that solved each problem of the headline sessions, and the number of "
            "local runs before it. “At once” is the first submission."
        )
    ]
    if most:
        canvas = SvgCanvas(
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
        blocks += [
            Picture(canvas, publications.ATTEMPTS),
            Picture(_runs_picture(report, names), publications.ATTEMPTS),
        ]
    columns = [
        *names.columns,
        *(
            TableColumn("solved"),
            TableColumn("at once"),
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
            "Submissions and local runs at solve time",
            columns,
            cells,
            reproduces=publications.ATTEMPTS,
        )
    )
    return blocks


def _by_submission(one: Effort, number: int) -> int:
    """Return the solved problems by submission; the sixth part includes all later ones."""
    if number < 6:
        return one.submissions.get(number, 0)
    return sum(count for later, count in one.submissions.items() if later >= 6)


def _ordinal(number: int) -> str:
    return ("1st", "2nd", "3rd", "4th", "5th", "6th or later")[number - 1]


def _quartiles(one: Effort) -> str:
    runs = one.runs_at_solve
    return (
        f"{format_amount(runs.quarter)}–{format_amount(runs.three_quarters)}" if runs.size else "–"
    )


def _runs_picture(report: Report, names: SeriesNames) -> SvgCanvas:
    canvas = SvgCanvas(
        "runs",
        "Local runs of a problem before it was solved",
        "For each series the median with the quartiles; a short stroke is the most.",
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
                open=names.is_partial(one),
            )
        )
    most = max(value for row in rows for value in row.others)
    draw_ranges(
        canvas, rows, Axis("local runs", 0, max(most, 1)), names.solvers, "median (quartiles)"
    )
    return canvas


# Progress: problems solved against the amount used.


def progress_sections(report: Report) -> list[Section]:
    """Yield the sections on local runs, and on tokens if they were reported."""
    names = SeriesNames(report)
    sections = [Section("Solved against local runs", _against_runs(report, names))]
    if any(one.by_tokens for one in report.efforts):
        sections.append(Section("Solved against tokens", _against_tokens(report, names)))
    return sections


def _against_runs(report: Report, names: SeriesNames) -> list[Block]:
    canvas = SvgCanvas(
        "by-runs",
        "Problems solved against local runs",
        "A panel for each language, a rising line for each series: how many problems were solved "
        "against the number of programs run.",
    )
    draw_curves(
        canvas,
        [_curve(one, one.by_runs, names) for one in _sort_into_panels(report)],
        names.solvers,
        "local runs so far",
        "problems solved",
        _most(report),
    )
    rows = [[*names.cells(one), *_reached(one.by_runs)] for one in report.efforts]
    return [
        Paragraph(_ABOUT.format("the local runs of the session so far", "")),
        Picture(canvas, publications.CUMULATIVE),
        ReportTable(
            "Local runs until a share of the solved problems",
            _shares(names),
            rows,
            reproduces=publications.CUMULATIVE,
        ),
    ]


def _against_tokens(report: Report, names: SeriesNames) -> list[Block]:
    canvas = SvgCanvas(
        "by-tokens",
        "Problems solved against tokens",
        "A panel for each language, a rising line for each series: how many problems were solved "
        "against the tokens used, including prompts.",
    )
    draw_curves(
        canvas,
        [_curve(one, one.by_tokens, names) for one in _sort_into_panels(report) if one.by_tokens],
        names.solvers,
        "tokens so far",
        "problems solved",
        _most(report),
    )
    columns = [
        *_shares(names),
        TableColumn("in all"),
        TableColumn("a problem solved"),
        TableColumn("cost"),
    ]
    rows = [
        [
            *names.cells(one),
            *_reached(one.by_tokens or ()),
            format_amount(one.tokens),
            format_amount(one.tokens / one.runs_at_solve.size, 0)
            if one.tokens and one.runs_at_solve.size
            else "–",
            format_amount(one.cost, 4),
        ]
        for one in report.efforts
        if one.by_tokens
    ]
    about = _ABOUT.format(
        "the tokens, of prompts and answers, of all that a model had answered by the verdict",
        " Cost is as reported with the tokens.",
    )
    return [
        Paragraph(about),
        Picture(canvas, publications.CUMULATIVE),
        ReportTable(
            "Tokens until a share of the solved problems",
            columns,
            rows,
            reproduces=publications.CUMULATIVE,
        ),
    ]


_ABOUT = (
    "The problems solved by the headline session of each series, against {}. A line ends with the "
    "session; a ring marks a partial one. The table shows the amount used when a quarter, half and "
    "all of the session's solved problems were solved.{}"
)


def _curve(one: Effort, points: tuple[Point, ...], names: SeriesNames) -> Curve:
    panel = names.with_protocol(one.language, one.protocol)
    return Curve(panel, one.solver, points, names.is_partial(one))


def _sort_into_panels(report: Report) -> list[Effort]:
    """Sort series by protocol and language, so that related panels are adjacent."""
    protocols = list(dict.fromkeys(one.protocol for one in report.series))
    return sorted(report.efforts, key=lambda one: (protocols.index(one.protocol), one.language))


def _most(report: Report) -> int:
    return max(len(series.problems) for series in report.series)


def _shares(names: SeriesNames) -> list[TableColumn]:
    return [
        *names.columns,
        *(TableColumn(told) for told in ("a quarter", "half", "all of them")),
    ]


def _reached(points: tuple[Point, ...]) -> list[str]:
    """Return the amounts used when a quarter, half and all of the final number was solved."""
    solved = points[-1].solved if points else 0
    if not solved:
        return ["–"] * 3
    return [
        f"{next(point.used for point in points if point.solved >= share * solved):,}"
        for share in (0.25, 0.5, 1)
    ]


# Possibly generated programs.

_WITH, _WITHOUT, _UNSEEN = "generator there", "none seen", "workspace not seen"


def generator_sections(report: Report) -> list[Section]:
    """Yield the section on metaprogramming, if any workspace was inspected."""
    found = report.metaprogramming
    if not any(one.seen for one in found):
        return []
    names = SeriesNames(report)
    canvas = SvgCanvas(
        "generators",
        "Submissions with a generator in the workspace",
        "One bar for each series: graded submissions with a generator in the workspace, without "
        "one, and with a workspace that could not be inspected.",
    )
    draw_stacks(
        canvas,
        [_WITH, _WITHOUT, _UNSEEN],
        [(names.label(one), _parts(one)) for one in found],
        "graded submissions",
    )
    columns = [
        *names.columns,
        *(
            TableColumn("submissions seen"),
            TableColumn("with generator"),
            TableColumn("solved with one"),
        ),
        TableColumn("with map"),
        *(
            words("languages"),
            TableColumn("size ratio"),
            TableColumn("helpers"),
            TableColumn("reused"),
        ),
        TableColumn("most problems"),
    ]
    rows = [[*names.cells(one), *_cells(one)] for one in found]
    blocks: list[Block] = [
        Paragraph(
            "The files in the workspace at submission. A generator in the workspace does not prove "
            "that it wrote the program, and its absence proves nothing either. “With map”: the "
            "workspace had the submitted program with a source map. The size ratio is the median, "
            "over solved problems with new generators, of the program's bytes per byte of these "
            "generators. Helpers are distinct generators by content; reused ones were present for "
            "more than one problem."
        ),
        Picture(canvas, publications.GENERATORS),
        ReportTable("Metaprogramming", columns, rows, reproduces=publications.GENERATORS),
    ]
    return [Section("Metaprogramming", blocks)]


def _parts(one: Metaprogramming) -> dict[str, int]:
    without = one.seen - one.with_generator
    return {_WITH: one.with_generator, _WITHOUT: without, _UNSEEN: one.unseen}


def _cells(one: Metaprogramming) -> list[str]:
    return [
        f"{one.seen} of {one.seen + one.unseen}",
        f"{one.with_generator} ({percent(one.with_generator / one.seen)})" if one.seen else "–",
        f"{one.solved_with_generator} of {one.solved}",
        str(one.with_map),
        ", ".join(f"{name} {count}" for name, count in one.languages.items()) or "–",
        format_amount(one.ratio, 2),
        str(one.helpers),
        str(one.reused),
        str(one.widest),
    ]
