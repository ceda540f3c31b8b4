"""Conditions compared, and the language tax."""

from __future__ import annotations

from esoplay.reporting.comparison import Compared, Comparison, Pair
from esoplay.reporting.document import Block, Column, Picture, Section, Table, Text, words
from esoplay.reporting.pictures.canvas import Canvas
from esoplay.reporting.pictures.ranges import Axis, Row, draw_ranges
from esoplay.reporting.report import Report
from esoplay.reporting.writing.wording import Names, in_points, p_value, percent, points

ALL = "all together"
_ONE = "one match"


def comparing(report: Report) -> list[Section]:
    """Sections on conditions and on the language tax, as far as there is something to compare."""
    sections: list[Section] = []
    if report.compared is not None:
        title = f"Comparison by {report.compared.axis}"
        found = report.compared.comparisons
        sections.append(Section(title, _comparison(report) if found else _nothing(report.compared)))
    if report.taxes:
        sections.append(Section("Language tax", _tax(report)))
    return sections


def _comparison(report: Report) -> list[Block]:
    compared = report.compared
    assert compared is not None
    canvas = Canvas(
        "comparison",
        f"Differences by {compared.axis}",
        "For each pair of conditions the difference of the shares solved in percentage points, the "
        "first less the second, with its bootstrap 95 % interval.",
    )
    rows = [
        Row(
            group=f"{each.first} less {each.second}",
            label=pair.match or ALL,
            sign=ALL if pair.match is None else _ONE,
            value=100 * pair.difference,
            low=100 * pair.interval.low,
            high=100 * pair.interval.high,
            told=points(pair.difference),
        )
        for each in compared.comparisons
        for pair in each.pairs
    ]
    draw_ranges(canvas, rows, _axis(rows), [_ONE, ALL], "points")
    columns = [
        *(words("first"), words("second"), words("match"), Column("both"), Column("only first")),
        *(Column("only second"), Column("neither"), Column("difference"), Column("95 % interval")),
        *(Column("McNemar p"), Column("corrected"), Column("Wilcoxon p"), Column("corrected")),
    ]
    cells = [_cells(each, pair) for each in compared.comparisons for pair in each.pairs]
    blocks: list[Block] = [
        Text(_about(report)),
        Picture(canvas),
        Table("Paired comparison", columns, cells),
    ]
    if compared.left_out:
        blocks.append(_left_out(compared))
    return blocks


def _nothing(compared: Compared) -> list[Block]:
    told = f"No two complete series differ in the {compared.axis} alone, on the same problems."
    return [Text(told), _left_out(compared)]


def _left_out(compared: Compared) -> Table:
    rows = [[one.name, one.reason] for one in compared.left_out]
    columns = [words("series"), words("why")]
    return Table("Left out of the comparison", columns, rows, folded=True)


def _about(report: Report) -> str:
    return (
        "Pairs of series that differ in nothing else, on the same problems. McNemar's exact test "
        "is of the headline sessions, problem by problem; the difference, its interval (percentile "
        f"bootstrap over problems, {report.wishes.resamples:,} samples) and Wilcoxon's signed-rank "
        "test (two-sided, exact with ties) are of the share of all complete sessions in which each "
        "problem was solved. McNemar's test of all together takes matches as independent, which "
        "Wilcoxon's, being by problem, need not. “Corrected” is by Bonferroni, for the number of "
        "tests of the same kind in this table."
    )


def _cells(each: Comparison, pair: Pair) -> list[str]:
    return [
        *(each.first, each.second, pair.match or ALL),
        *(str(pair.both), str(pair.only_first), str(pair.only_second), str(pair.neither)),
        *(points(pair.difference), in_points(pair.interval)),
        *(p_value(pair.mcnemar), p_value(pair.mcnemar_corrected)),
        *(p_value(pair.wilcoxon.p), p_value(pair.wilcoxon_corrected)),
    ]


def _axis(rows: list[Row]) -> Axis:
    """As wide to both sides, in whole tens."""
    reach = max(abs(value) for row in rows for value in (row.low or 0, row.high or 0, row.value))
    reach = min(100, 10 * (int(reach / 10) + 1))
    return Axis("percentage points", -reach, reach, middle=0)


def _tax(report: Report) -> list[Block]:
    names = Names(report)
    canvas = Canvas(
        "language-tax",
        "Language tax",
        "For each series the share solved less that in familiar languages, in percentage points, "
        "with its bootstrap 95 % interval; below zero, something is lost.",
    )
    rows = [
        Row(
            group=one.language,
            label=names.with_protocol(one.solver, one),
            sign=one.solver,
            value=100 * one.tax,
            low=100 * one.interval.low,
            high=100 * one.interval.high,
            told=points(one.tax),
        )
        for one in sorted(report.taxes, key=lambda one: one.language)
    ]
    draw_ranges(canvas, rows, _axis(rows), names.solvers, "points")
    columns = [
        *names.columns,
        *(words("familiar"), Column("solved"), Column("in the familiar")),
        *(Column("tax"), Column("95 % interval")),
    ]
    cells = [
        [
            *names.cells(one),
            *(", ".join(one.familiar), percent(one.share), percent(one.familiar_share)),
            *(points(one.tax), in_points(one.interval)),
        ]
        for one in report.taxes
    ]
    about = (
        "What is solved in a language less what the same solver solves in familiar ones, on the "
        "average of these, in percentage points; shares are of all complete sessions, and the "
        "interval is by bootstrap over problems."
    )
    return [Text(about), Picture(canvas), Table("Language tax", columns, cells)]
