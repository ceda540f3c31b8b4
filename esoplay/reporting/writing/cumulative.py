"""How solving went on: problems solved against what had been used."""

from __future__ import annotations

from esoplay.reporting.document import Block, Column, Picture, Section, Table, Text
from esoplay.reporting.effort import Effort, Point
from esoplay.reporting.pictures.canvas import Canvas
from esoplay.reporting.pictures.curves import Curve, draw_curves
from esoplay.reporting.report import Report
from esoplay.reporting.writing.wording import Names, amount


def cumulative(report: Report) -> list[Section]:
    """Sections on local runs, and on tokens where something tells of them."""
    names = Names(report)
    sections = [Section("Solved against local runs", _against_runs(report, names))]
    if any(one.by_tokens for one in report.efforts):
        sections.append(Section("Solved against tokens", _against_tokens(report, names)))
    return sections


def _against_runs(report: Report, names: Names) -> list[Block]:
    canvas = Canvas(
        "by-runs",
        "Problems solved against local runs",
        "A panel for each language, a rising line for each series: how many problems were solved "
        "when so many programs had been run.",
    )
    draw_curves(
        canvas,
        [_curve(one, one.by_runs, names) for one in _in_panels(report)],
        names.solvers,
        "local runs so far",
        "problems solved",
        _most(report),
    )
    rows = [[*names.cells(one), *_reached(one.by_runs)] for one in report.efforts]
    return [
        Text(_ABOUT.format("the local runs of the session until then", "")),
        Picture(canvas),
        Table("Local runs until a share of what was solved", _shares(names), rows),
    ]


def _against_tokens(report: Report, names: Names) -> list[Block]:
    canvas = Canvas(
        "by-tokens",
        "Problems solved against tokens",
        "A panel for each language, a rising line for each series: how many problems were solved "
        "when so many tokens had been used, those of prompts included.",
    )
    draw_curves(
        canvas,
        [_curve(one, one.by_tokens, names) for one in _in_panels(report) if one.by_tokens],
        names.solvers,
        "tokens so far",
        "problems solved",
        _most(report),
    )
    columns = [*_shares(names), Column("in all"), Column("a problem solved"), Column("cost")]
    rows = [
        [
            *names.cells(one),
            *_reached(one.by_tokens or ()),
            amount(one.tokens),
            amount(one.tokens / one.runs_at_solve.size, 0)
            if one.tokens and one.runs_at_solve.size
            else "–",
            amount(one.cost, 4),
        ]
        for one in report.efforts
        if one.by_tokens
    ]
    about = _ABOUT.format(
        "the tokens, of prompts and answers, of all that a model had answered by the verdict",
        " Cost is as the lines on usage tell it.",
    )
    return [
        Text(about),
        Picture(canvas),
        Table("Tokens until a share of what was solved", columns, rows),
    ]


_ABOUT = (
    "How many problems the headline session of each series had solved, against {}. A line ends "
    "where the session did, at a ring if that is partial. The table tells what had been used when "
    "a quarter, half and all of the problems that the session solved were solved.{}"
)


def _curve(one: Effort, points: tuple[Point, ...], names: Names) -> Curve:
    panel = names.with_protocol(one.language, one.protocol)
    return Curve(panel, one.solver, points, names.is_partial(one))


def _in_panels(report: Report) -> list[Effort]:
    """By protocol and language, so that panels that belong together stand together."""
    protocols = list(dict.fromkeys(one.protocol for one in report.series))
    return sorted(report.efforts, key=lambda one: (protocols.index(one.protocol), one.language))


def _most(report: Report) -> int:
    return max(len(series.problems) for series in report.series)


def _shares(names: Names) -> list[Column]:
    return [
        *names.columns,
        *(Column(told) for told in ("a quarter", "half", "all that were solved")),
    ]


def _reached(points: tuple[Point, ...]) -> list[str]:
    """What had been used when a quarter, half and all of the final number was solved."""
    solved = points[-1].solved if points else 0
    if not solved:
        return ["–"] * 3
    return [
        f"{next(point.used for point in points if point.solved >= share * solved):,}"
        for share in (0.25, 0.5, 1)
    ]
