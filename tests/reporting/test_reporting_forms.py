"""What a report looks like: as text, as Markdown, as a page, as pictures."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from report_sessions import make
from shell import ROOT

from esoplay.reporting.canvas import WIDTH, name_column_width, shorten, style, text_width
from esoplay.reporting.charts import LinearScale, format_tick, marker_styles, ticks
from esoplay.reporting.document import Document, Picture, ReportTable, as_markdown, as_page, as_text
from esoplay.reporting.played_sessions import PlayedSession, read_session
from esoplay.reporting.report import RefusedExport, ReportOptions, make_report
from esoplay.reporting.sections.document import write_report
from esoplay.reporting.sections.wording import (
    format_amount,
    format_p_value,
    format_points,
    format_signed,
    percent,
)
from esoplay.reporting.standing import pool
from esoplay.reporting.usage import Usage

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</title><script>alert(1)</script>|`*_[x](javascript:y)"


class Page(HTMLParser):
    """Elements of a page; raises where they are not nested as they should be."""

    VOID = ("meta", "br", "hr", "img")

    def __init__(self, text: str):
        super().__init__()
        self.open: list[str] = []
        self.count: Counter[str] = Counter()
        self.attributes: list[tuple[str, str | None]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.count[tag] += 1
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.count[tag] += 1
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_the_page_is_self_contained_and_has_no_script(document: Document) -> None:
    page = Page(as_page(document))
    assert page.count["svg"] == len(list(document.pictures)) == 16
    assert page.count["script"] == page.count["link"] == page.count["img"] == 0
    for name, value in page.attributes:
        assert not name.startswith("on")
        if name in ("href", "src"):
            assert value is not None
            assert value.startswith("#")
        if name == "content" and value is not None and "default-src" in value:
            assert value == "default-src 'none'; style-src 'unsafe-inline'"
    names = [value for name, value in page.attributes if name == "id"]
    assert len(names) == len(set(names))
    linked = {value for name, value in page.attributes if name == "href"}
    assert linked <= {f"#{name}" for name in names}
    labels = {
        label
        for name, value in page.attributes
        if name == "aria-labelledby"
        for label in (value or "").split()
    }
    assert labels <= set(names)


def test_every_picture_has_a_description_and_its_figures_are_in_a_table(document: Document) -> None:
    for section in document.sections:
        if any(isinstance(block, Picture) for block in section.blocks):
            assert any(isinstance(block, ReportTable) for block in section.blocks), section.title
    for canvas in document.pictures:
        tree = ElementTree.fromstring(canvas.document())
        title, description = tree.find(f"{SVG}title"), tree.find(f"{SVG}desc")
        assert title is not None
        assert description is not None
        assert title.text == canvas.title
        assert len(description.text or "") > 40


def test_names_are_escaped_in_every_format(sessions: list[PlayedSession]) -> None:
    named = [replace(one, solver=HOSTILE, file=HOSTILE) for one in sessions]
    document = write_report(make(named))
    page = Page(as_page(document))
    assert page.count["script"] == 0
    assert HOSTILE in page.words
    markdown = as_markdown(document, "pictures")
    assert "<script" not in re.sub(r"\\<", "", markdown)
    table = next(line for line in markdown.splitlines() if "alert" in line and line[0] == "|")
    assert len(re.findall(r"(?<!\\)\|", table)) == 4  # three cells: the pipe in the name is none
    for canvas in document.pictures:
        ElementTree.fromstring(canvas.document())


def test_lines_of_text_keep_to_their_width(document: Document) -> None:
    for width in (80, 100, 160):
        text = as_text(document, width)
        assert max(map(len, text.splitlines())) <= width
    assert "Problems not solved" not in text
    assert "Problems not solved" in as_text(document, show_folded=True)
    # The words of a section whose pictures and tables are not shown have nothing to be about.
    assert "Problem by problem" not in text
    assert "Problem by problem" in as_text(document, show_folded=True)


def test_columns_are_aligned_in_every_script(sessions: list[PlayedSession]) -> None:
    named = [
        replace(one, solver={"ant": "蚂蚁", "bee": "abeilléé\u0301"}[one.solver])
        for one in sessions
    ]
    document = write_report(make(named))
    lines = as_text(document, 160).splitlines()
    start = lines.index("Problems solved") + 2
    # A letter of East Asia takes two columns, an accent that combines none.
    places = [
        len(line.partition(word)[0]) + line.count("蚂蚁") * 2 - line.count("\u0301")
        for line, word in zip(
            lines[start : start + 4],
            ("language", *["brainfuck"], "whitespace", "brainfuck"),
            strict=True,
        )
    ]
    assert len(set(places)) == 1
    assert shorten("蚂蚁" * 40, 100) == "蚂蚁蚂蚁蚂蚁…"
    assert text_width("蚂蚁") == text_width("ants")


def test_the_text_report_has_a_row_for_each_series(document: Document) -> None:
    text = as_text(document, 160)
    row = next(line for line in text.splitlines() if line.startswith("ant     brainfuck   primary"))
    assert row.split()[3:11] == ["4/6", "66.7", "30.0–90.3", "36.7", "3", "3–5", "4", "1"]
    assert row.endswith("  █████████████▍")
    assert "█" not in as_text(document, 160, show_bars=False)
    partial = next(line for line in text.splitlines() if line.startswith("bee     unlambda"))
    assert partial.split()[3:7] == ["2/6*", "33.3", "–", "–"]


def test_the_main_table_has_solvers_languages_and_means(sessions: list[PlayedSession]) -> None:
    report = replace(
        make(sessions), options=ReportOptions(), pooled=tuple(pool(make(sessions).standings))
    )
    lines = as_text(write_report(report), 160).splitlines()
    start = lines.index("Solved by solver and language, primary") + 2
    assert lines[start].split() == [
        *("solver", "brainfuck", "unlambda", "whitespace", "mean", "spread", "SD")
    ]
    # Of ant 4/6 and 6/6, of bee 2/6 and 3/6; over solvers 4/6 and 2/6, 6/6 and 3/6.
    assert [line.split() for line in lines[start + 1 : start + 6]] == [
        ["ant", "4/6", "(3–5)", "–", "6/6", "83.3", "%", "33.3", "%", "23.6", "%"],
        ["bee", "2/6", "2/6*", "3/6", "41.7", "%", "16.7", "%", "11.8", "%"],
        ["mean", "50.0", "%", "–", "75.0", "%"],
        ["spread", "33.3", "%", "–", "50.0", "%"],
        ["SD", "23.6", "%", "–", "35.4", "%"],
    ]
    assert "Solved by solver and language, direct" not in lines


def test_familiar_languages_follow_the_means_over_the_others(
    sessions: list[PlayedSession],
) -> None:
    named = {"whitespace": "befunge-98", "unlambda": "python", "brainfuck": "brainfuck"}
    others = [
        replace(one, language=named[one.language]) for one in sessions if not one.partial_reason
    ]
    known = [replace(one, language="ada") for one in others if one.language == "brainfuck"]
    lines = as_text(write_report(make([*others, *known], "ada")), 160).splitlines()
    start = lines.index("Solved by solver and language, primary") + 2
    assert lines[start].split() == [
        *("solver", "befunge-98", "brainfuck", "mean", "spread", "SD", "ada")
    ]
    # Of ant 6/6 and 4/6, over solvers 6/6 and 3/6, 4/6 and 2/6, 4/6 and 2/6.
    assert lines[start + 1].split()[4:] == [
        *("83.3", "%", "33.3", "%", "23.6", "%", "4/6", "(3–5)")
    ]
    assert lines[start + 3].split() == ["mean", "75.0", "%", "50.0", "%", "50.0", "%"]


def test_partial_series_are_marked_wherever_they_are_named(document: Document) -> None:
    for section in document.sections:
        for block in section.blocks:
            if isinstance(block, ReportTable) and [one.name for one in block.columns[:2]] == [
                *("solver", "language")
            ]:
                cells = {row[1] for row in block.rows}
                assert "unlambda" not in cells, block.caption
    for name in ("by-tier", "by-category", "problems", "submissions", "runs", "generators"):
        canvas = next(one for one in document.pictures if one.name == name)
        assert ">bee, unlambda*, primary</text>" in canvas.element()


def test_markdown_has_tables_and_names_its_pictures(document: Document) -> None:
    markdown = as_markdown(document, "pictures")
    assert "| ant | brainfuck | primary | 4/6 | 66.7 | 30.0–90.3 | 36.7 |" in markdown
    named = re.findall(r"\]\(pictures/([a-z-]+)\.svg\)", markdown)
    assert named == [canvas.name for canvas in document.pictures]
    assert "](" not in as_markdown(document)
    columns: dict[str, int] = {}
    for block in markdown.split("\n\n"):
        lines = block.splitlines()
        if lines[0].startswith("|"):
            counts = {len(re.findall(r"(?<!\\)\|", line)) for line in lines}
            assert len(counts) == 1, lines[0]
            columns[lines[0]] = counts.pop()
    assert len(columns) >= 12


def test_a_value_is_at_its_position_on_the_axis(document: Document) -> None:
    canvas = next(one for one in document.pictures if one.name == "solved")
    tree = ElementTree.fromstring(canvas.document())
    marks = {
        hint.text: mark
        for mark in tree.iter(f"{SVG}g")
        if (hint := mark.find(f"{SVG}title")) is not None
    }
    labels = {node.text: float(node.get("x", "")) for node in tree.iter(f"{SVG}text")}
    zero, whole = labels["0 %"], labels["100 %"]
    place = marks["ant, primary: 4/6 (3–5)"].get("transform", "")
    x = float(place.removeprefix("translate(").split()[0])
    assert x == pytest.approx(zero + 4 / 6 * (whole - zero), abs=0.1)
    assert name_column_width(["ant, primary"]) < zero < x < whole < WIDTH


def test_a_report_of_nothing_says_why() -> None:
    refused = RefusedExport("it.json", "for good reasons")
    report = make_report([], [refused], {}, Usage(), ReportOptions())
    text = as_text(write_report(report))
    assert text.splitlines()[-1] == "it.json  for good reasons"
    assert report.as_json()["series"] == []
    Page(as_page(write_report(report)))


def test_a_report_on_a_session_without_events_is_written(exports: dict[str, bytes]) -> None:
    session = read_session("it", exports["bee-open"])
    empty = replace(
        session,
        problem_records=dict.fromkeys(session.problems, session.problem_records["E3"]),
        runs={},
    )
    document = write_report(make([empty]))
    for canvas in document.pictures:
        ElementTree.fromstring(canvas.document())
    assert "0/6*" in as_text(document)


def test_signs_differ_in_more_than_colour() -> None:
    named = marker_styles([str(number) for number in range(42)])
    assert len(set(named.values())) == 42
    shapes = [sign.shape for sign in list(named.values())[:7]]
    dashes = [sign.dash for sign in list(named.values())[:7]]
    assert len(set(shapes)) == len(set(dashes)) == 7


def luminance(colour: str) -> float:
    """Relative luminance, as the Web Content Accessibility Guidelines 2.1 define it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_charts_have_contrast_in_light_and_dark() -> None:
    blocks = re.findall(r"--ink:.*?\}", style(), re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        colours = dict(re.findall(r"--([a-z0-9]+): (#[0-9a-f]{6})", block))
        paper = luminance(colours["paper"])
        for name, least in {"ink": 7, "quiet": 4.5, **{f"c{at}": 4.5 for at in range(6)}}.items():
            light, dark = sorted((luminance(colours[name]), paper), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= least, (name, colours[name])


def test_axes_have_round_values() -> None:
    assert ticks(0, 1, 8) == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])
    assert ticks(-40, 40, 8) == [-40, -30, -20, -10, 0, 10, 20, 30, 40]
    assert ticks(0, 422, 4) == [0, 200, 400]
    assert ticks(3, 3) == [3]
    assert [format_tick(value) for value in (0.2, 1500, 12_000, 2_500_000, -20)] == [
        *("0.2", "1500", "12k", "2.5M", "−20")
    ]
    assert LinearScale(0, 10, 100, 200)(5) == 150


def test_figures_are_rounded_half_up_and_have_signs() -> None:
    assert [format_signed(value) for value in (0.04, -0.04, 1.25, -3)] == [
        "0.0",
        "0.0",
        "+1.3",
        "−3.0",
    ]
    assert format_points(-0.125) == "−12.5"
    # Halves go up, however the number is stored: Python's own way gives 93.8, but 76.2.
    assert [percent(of / 80) for of in (75, 61, 41, 1)] == [
        *("93.8 %", "76.3 %", "51.3 %", "1.3 %")
    ]
    assert [format_p_value(p) for p in (0.0009, 0.001, 1)] == ["< 0.001", "0.001", "1.000"]
    assert [format_amount(value) for value in (None, 3, 2.5, 1234.0)] == ["–", "3", "2.5", "1,234"]


def test_a_long_text_in_the_last_column_wraps() -> None:
    reason = "the export fails verification: " + "because of this and that, " * 6
    refused = [RefusedExport("it.json", reason), RefusedExport("other.json", "short")]
    lines = as_text(
        write_report(make_report([], refused, {}, Usage(), ReportOptions())), 80
    ).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[-1] == "other.json  short"
    assert " ".join(" ".join(lines[-5:-1]).split()).endswith(reason.strip())


def test_the_gallery_has_every_picture_in_the_current_style(document: Document) -> None:
    page = (ROOT / "docs" / "reports.md").read_text("utf-8")
    for canvas in document.pictures:
        file = ROOT / "docs" / "images" / "reports" / f"{canvas.name}.svg"
        assert f"(images/reports/{file.name})" in page
        assert style() in file.read_text("utf-8"), "make gallery"
