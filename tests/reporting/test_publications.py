"""Every table and picture of a report names what it reproduces, unless no publication has it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_evaluations import results

from esoplay.benchmark.evaluation_reports import evaluation_report
from esoplay.packs.catalogue import get_pack
from esoplay.reporting import publications
from esoplay.reporting.condition_figures import ConditionOptions
from esoplay.reporting.document import (
    Document,
    Paragraph,
    ReportTable,
    as_markdown,
    as_page,
    as_text,
    source_note,
)
from esoplay.reporting.tables import as_latex

KNOWN = {value for name, value in vars(publications).items() if name.isupper() and value}
OWN = {
    "All sessions",
    "Left out of the comparison",
    "Local runs by outcome",
    "Partial sessions, not in means and comparisons",
    "Refused exports, left out of the results",
    "Evaluation files",
    "Left out of the language tax",
    "pass@k",
}
"""What a report is about, and what no publication has."""


def made(**exports: bytes) -> Document:
    files = [
        (name, json.dumps(results(name, seed=1, pack=get_pack(None).id)).encode())
        for name in ("heron", "wren")
    ]
    report = evaluation_report(
        [(name, lambda data=data: data) for name, data in files],
        ConditionOptions(resamples=100),
        exports=[(name, lambda data=data: data) for name, data in exports.items()],
    )
    return report.write(report.title)


@pytest.fixture(scope="module")
def evaluated() -> Document:
    return made()


def check(document: Document) -> None:
    for section in document.sections:
        for block in section.blocks:
            if isinstance(block, Paragraph):
                continue
            named = block.caption if isinstance(block, ReportTable) else block.canvas.title
            left = block.reproduces
            for name in KNOWN:
                left = left.replace(name, "")
            assert not left.strip("; "), named
            assert (block.reproduces != "") != (named in OWN), named


def test_every_table_and_picture_of_sessions_names_what_it_reproduces(document: Document) -> None:
    check(document)


def test_every_table_and_picture_of_evaluations_names_what_it_reproduces(
    evaluated: Document,
) -> None:
    check(evaluated)


def test_every_table_and_picture_of_both_kinds_together_names_what_it_reproduces(
    exports: dict[str, bytes],
) -> None:
    document = made(**exports)
    check(document)
    titles = [section.title for section in document.sections]
    assert len(set(titles)) == len(titles)
    pictures = [canvas.name for canvas in document.pictures]
    assert len(set(pictures)) == len(pictures)


def test_every_format_of_a_report_names_the_publication(
    evaluated: Document, tmp_path: Path
) -> None:
    notes = {
        source_note(block)
        for section in evaluated.sections
        for block in section.blocks
        if not isinstance(block, Paragraph)
    } - {""}
    text = " ".join(as_text(evaluated, 80).split())
    latex = as_latex(evaluated).replace("--", "–")
    markdown = as_markdown(evaluated, "pictures").replace("\\", "")
    for note in notes:
        assert note in as_page(evaluated)
        assert note in markdown
        assert note in text
        assert note in latex
