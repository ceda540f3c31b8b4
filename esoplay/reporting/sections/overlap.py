"""The section on n-grams that programs share with references."""

from __future__ import annotations

from esoplay.reporting import publications
from esoplay.reporting.canvas import SvgCanvas
from esoplay.reporting.charts import ChartRow, ValueAxis, draw_ranges
from esoplay.reporting.document import Paragraph, Picture, ReportTable, Section, TableColumn
from esoplay.reporting.report import Report
from esoplay.reporting.sections.wording import SeriesNames, percent

_NO_REFERENCES_NOTE = (
    "No references: the packs of these sessions are not installed, or have none in these languages."
)


def overlap_sections(report: Report) -> list[Section]:
    """Return the section on overlap; empty if it was not requested."""
    found = report.overlaps
    if report.options.overlap is None:
        return []
    if not found:
        return [Section("Overlap with references", [Paragraph(_NO_REFERENCES_NOTE)])]
    names = SeriesNames(report)
    size = found[0].size
    about = (
        "Each program that solved a problem is compared with the pack's reference for the problem: "
        f"which share of the program's distinct sequences of {size} tokens does the reference "
        "also contain? The table shows the median and the greatest share over the programs of one "
        "session: the first complete session of the series or, if none is complete, the one with "
        "the most solved problems. “Other problems” is a control: the median share when the same "
        "programs are compared with the references of all other problems of the session. "
        "Tokens are commands; in Shakespeare, they are words and punctuation marks."
    )
    canvas = SvgCanvas(
        "overlap",
        f"Overlap with references, {size} tokens in a row",
        "For each series the median share of a program's n-grams that are also in the reference of "
        "its problem; the short stroke is the control, the share in references of other problems.",
    )
    rows = [
        ChartRow(
            group="",
            label=names.label(one),
            marker=one.solver,
            value=one.same,
            low=None,
            high=None,
            value_text=percent(one.same),
            others=[] if one.other is None else [one.other],
            is_partial=names.is_partial(one),
        )
        for one in found
        if one.same is not None
    ]
    axis = ValueAxis("share of n-grams", 0, 1, is_percent=True)
    draw_ranges(canvas, rows, axis, names.solvers, "median")
    columns = [
        *names.columns,
        *map(TableColumn, ("programs", "same problem", "greatest", "other problems")),
    ]
    cells = [
        [
            *names.cells(one),
            str(one.programs),
            *(
                "–" if share is None else percent(share)
                for share in (one.same, one.greatest, one.other)
            ),
        ]
        for one in found
    ]
    table = ReportTable(
        f"Overlap with references by {size}-grams", columns, cells, reproduces=publications.OVERLAP
    )
    picture = [Picture(canvas, publications.OVERLAP)] if rows else []
    return [Section("Overlap with references", [Paragraph(about), *picture, table])]
