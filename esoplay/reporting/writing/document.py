"""The whole report, section by section."""

from __future__ import annotations

from esoplay.reporting.document import Document, Section
from esoplay.reporting.report import Report
from esoplay.reporting.writing.comparing import comparing
from esoplay.reporting.writing.cumulative import cumulative
from esoplay.reporting.writing.effort import efforts
from esoplay.reporting.writing.generators import generators
from esoplay.reporting.writing.overview import overview
from esoplay.reporting.writing.solved import solved
from esoplay.reporting.writing.taxing import taxing


def write_report(report: Report, title: str = "Benchmark report") -> Document:
    """What the figures say; without sessions only why there are none."""
    sections: list[Section] = overview(report)
    if report.series:
        sections += solved(report)
        sections += efforts(report)
        sections += cumulative(report)
        sections += generators(report)
        sections += comparing(report)
        sections += taxing(report)
    return Document(title, tuple(sections))
