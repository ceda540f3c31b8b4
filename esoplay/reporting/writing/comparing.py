"""Conditions compared."""

from __future__ import annotations

from esoplay.reporting.comparison import Compared, Comparison, Pair
from esoplay.reporting.document import Block, Column, Picture, Section, Table, Text, words
from esoplay.reporting.pictures.canvas import Canvas
from esoplay.reporting.pictures.ranges import Row, axis_of_points, draw_ranges
from esoplay.reporting.report import Report
from esoplay.reporting.writing.wording import in_points, p_value, points

ALL = "all together"
_ONE = "one match"


def comparing(report: Report) -> list[Section]:
    """The section on conditions; none where sessions differ in none."""
    if report.compared is None:
        return []
    title = f"Comparison by {report.compared.axis}"
    found = report.compared.comparisons
    return [Section(title, _comparison(report) if found else _nothing(report.compared))]


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
    draw_ranges(canvas, rows, axis_of_points(rows), [_ONE, ALL], "points")
    columns = [
        *(words("first"), words("second"), words("match"), Column("both"), Column("only first")),
        *(Column("only second"), Column("neither"), Column("difference"), Column("95 % interval")),
        *(Column("McNemar p"), Column("corrected"), Column("Wilcoxon p"), Column("corrected")),
    ]
    cells = [_cells(each, pair) for each in compared.comparisons for pair in each.pairs]
    blocks: list[Block] = [
        Text(_about_pairs(report)),
        Picture(canvas),
        Table("Paired comparison", columns, cells),
    ]
    if compared.left_out:
        blocks.append(_pairs_left_out(compared))
    return blocks


def _nothing(compared: Compared) -> list[Block]:
    told = f"No two complete series differ in the {compared.axis} alone, on the same problems."
    return [Text(told), _pairs_left_out(compared)]


def _pairs_left_out(compared: Compared) -> Table:
    rows = [[one.name, one.reason] for one in compared.left_out]
    columns = [words("series"), words("why")]
    return Table("Left out of the comparison", columns, rows, folded=True)


def _about_pairs(report: Report) -> str:
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
