"""What stands in tables and pictures of a report, against what was counted by hand."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from report_sessions import make

from esoplay.reporting.canvas import SvgCanvas
from esoplay.reporting.charts import Curve, draw_curves
from esoplay.reporting.document import Document, ReportTable
from esoplay.reporting.played_sessions import PlayedSession
from esoplay.reporting.sections.document import write_report
from esoplay.reporting.sections.wording import format_points

SVG = "{http://www.w3.org/2000/svg}"


def table(document: Document, caption: str) -> ReportTable:
    return next(
        block
        for section in document.sections
        for block in section.blocks
        if isinstance(block, ReportTable) and block.caption == caption
    )


@pytest.mark.parametrize(
    ("caption", "protocol", "cells"),
    [
        # Submissions 1, 2, 3 and 1 solved, after 1, 2, 0 and 0 runs of their problems.
        (
            "Submissions and local runs until a problem was solved",
            "primary",
            ["4", "2", "1.75", "0.5", "0–1.3", "2", "0.8", "3", "13"],
        ),
        ("Failed submissions by class", "primary", ["3", "1", "1", "4", "0", "0", "9"]),
        ("Local runs by outcome", "primary", ["2", "0", "1", "3"]),
        (
            "Local runs used to reach a share of the solved problems",
            "primary",
            ["1", "3", "3"],
        ),
        # Nothing was reported before the end; then 1,200 tokens.
        (
            "Tokens used to reach a share of the solved problems",
            "primary",
            ["0", "0", "0", "1,200", "300", "1,000", "200", "–", "0.25"],
        ),
        ("Input tokens used to reach a share of the solved problems", "primary", ["0", "0", "0"]),
        # After 1, 2, 0 and 0 runs of their own problems.
        (
            "Problems solved within a number of local runs",
            "primary",
            ["2", "3", "4", "4", "4", "4", "4", "4", "4"],
        ),
        (
            "Metaprogramming",
            "primary",
            ["13 of 13", "13 (100.0 %)", "4 of 4", "0", "python 13", "7.5", "4", "3", "3"],
        ),
        # A generator lay there for H2 alone, at three of 14 submissions.
        (
            "Metaprogramming",
            "direct",
            ["14 of 14", "3 (21.4 %)", "0 of 2", "0", "python 3", "–", "1", "0", "1"],
        ),
        ("Language tax in percentage points", "primary", ["whitespace", "66.7 %", "100.0 %"]),
        ("Language tax in percentage points", "direct", ["whitespace (primary)", "33.3 %"]),
    ],
)
def test_a_row_of_a_table_has_its_figures(
    document: Document, caption: str, protocol: str, cells: list[str]
) -> None:
    rows = [list(row) for row in table(document, caption).rows]
    (row,) = (row[3:] for row in rows if row[:3] == ["ant", "brainfuck", protocol])
    assert row[: len(cells)] == cells


def test_the_rows_of_a_comparison_and_of_the_tax_have_their_figures(
    sessions: list[PlayedSession],
) -> None:
    report = make(sessions)
    document = write_report(report)
    assert report.compared is not None
    ((found,),) = (each.pairs for each in report.compared.comparisons)
    low, high = (format_points(end) for end in found.interval)
    (row,) = table(document, "Paired comparison").rows
    # Worked out by hand in test_reporting_figures; the interval is only written here.
    assert list(row) == [
        *("primary", "direct", "ant, brainfuck", "2", "2", "0", "2", "+33.3", f"{low} to {high}"),
        *("0.500", "0.500", "0.250", "0.250"),
    ]
    ends = report.taxes[0].interval
    first = table(document, "Language tax in percentage points").rows[0]
    assert list(first[-2:]) == ["−33.3", f"{format_points(ends.low)} to {format_points(ends.high)}"]


def test_parts_of_bars_are_as_long_as_their_counts(document: Document) -> None:
    canvas = next(one for one in document.pictures if one.name == "submissions")
    tree = ElementTree.fromstring(canvas.document())
    hints = {
        hint.text: rect
        for rect in tree.iter(f"{SVG}rect")
        if (hint := rect.find(f"{SVG}title")) is not None
    }
    parts = [hints[f"ant, brainfuck, primary, {part}"] for part in ("1st: 2", "2nd: 1", "3rd: 1")]
    lengths = [float(part.get("width", "")) for part in parts]
    starts = [float(part.get("x", "")) for part in parts]
    assert lengths == pytest.approx([2 * lengths[1], lengths[1], lengths[1]], abs=0.2)
    assert starts[1:] == pytest.approx([starts[0] + lengths[0], starts[1] + lengths[1]], abs=0.2)


def test_a_curve_rises_where_problems_were_solved(document: Document) -> None:
    canvas = next(one for one in document.pictures if one.name == "by-runs")
    curve = Curve("panel", "ant", [(0, 0), (1, 1), (3, 4)])
    alone = SvgCanvas("curve", "A curve", "Of one solver.")
    draw_curves(alone, [curve], ["ant"], "runs", "solved", 6)
    tree = ElementTree.fromstring(alone.document())
    way = [path.get("d", "") for path in tree.iter(f"{SVG}path") if path.get("class") == "s0 thin"]
    (places,) = ([tuple(map(float, at.split())) for at in one[1:].split("L")] for one in way)
    # Level until 1 run, up by one, level until 3, up by three: each corner stands in the way.
    assert len(places) == 5
    xs, ys = zip(*places, strict=True)
    assert (xs[1], xs[3]) == (xs[2], xs[4])
    assert (ys[0], ys[2]) == (ys[1], ys[3])
    assert ys[2] - ys[4] == pytest.approx(3 * (ys[0] - ys[2]), abs=0.3)
    assert "ant: 4 at 3" in canvas.element()


def test_ticks_mark_only_the_sessions_after_the_headline(document: Document) -> None:
    canvas = next(one for one in document.pictures if one.name == "solved")
    tree = ElementTree.fromstring(canvas.document())
    strokes = [line for line in tree.iter(f"{SVG}line") if line.get("class") == "axis"]
    assert len(strokes) == 2  # 3 and 5 of ant's; no other series has several complete sessions
