"""The section on metaprogramming: generators and helpers in the workspaces of solvers."""

from __future__ import annotations

from collections.abc import Sequence

from esoplay.reporting import publications
from esoplay.reporting.canvas import SvgCanvas
from esoplay.reporting.charts import ChartRow, ValueAxis, draw_ranges, draw_stacks
from esoplay.reporting.document import (
    Block,
    Paragraph,
    Picture,
    ReportTable,
    Section,
    TableColumn,
    text_column,
)
from esoplay.reporting.effort import Metaprogramming
from esoplay.reporting.report import Report
from esoplay.reporting.sections.wording import SeriesNames, format_amount, percent
from esoplay.reporting.statistics import quantile

_WITH_GENERATOR, _WITHOUT_GENERATOR, _NOT_INSPECTED = (
    "with generator",
    "without generator",
    "not inspected",
)


def generator_sections(report: Report) -> list[Section]:
    """Return the section on metaprogramming, if any workspace was inspected."""
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
        [_WITH_GENERATOR, _WITHOUT_GENERATOR, _NOT_INSPECTED],
        [(names.label(one), _parts(one)) for one in found],
        "graded submissions",
    )
    columns = [
        *names.columns,
        *(
            TableColumn("submissions inspected"),
            TableColumn("with generator"),
            TableColumn("solved with generator"),
        ),
        TableColumn("with source map"),
        *(
            text_column("languages"),
            TableColumn("size ratio"),
            TableColumn("helpers"),
            TableColumn("reused"),
        ),
        TableColumn("most problems"),
    ]
    rows = [[*names.cells(one), *_cells(one)] for one in found]
    blocks: list[Block] = [
        Paragraph(
            "This section is about the files in the workspace at submission. A generator there "
            "does not prove that it wrote the program, and its absence proves nothing either. "
            "“With source map”: the workspace had the submitted program with a source map. The "
            "size ratio is the median, over solved problems with new generators, of the program's "
            "bytes per byte of these generators. “Helpers” counts the generators with different "
            "content; “reused” counts the helpers that were present for more than one problem; "
            "“most problems” is the greatest number of problems with the same helper."
        ),
        Picture(canvas, publications.GENERATORS),
        *_ratio_pictures(found, names),
        *_reuse_pictures(found, names),
        ReportTable("Metaprogramming", columns, rows, reproduces=publications.GENERATORS),
    ]
    return [Section("Metaprogramming", blocks)]


def _parts(figures: Metaprogramming) -> dict[str, int]:
    without = figures.seen - figures.with_generator
    return {
        _WITH_GENERATOR: figures.with_generator,
        _WITHOUT_GENERATOR: without,
        _NOT_INSPECTED: figures.unseen,
    }


def _cells(figures: Metaprogramming) -> list[str]:
    return [
        f"{figures.seen} of {figures.seen + figures.unseen}",
        f"{figures.with_generator} ({percent(figures.with_generator / figures.seen)})"
        if figures.seen
        else "–",
        f"{figures.solved_with_generator} of {figures.solved}",
        str(figures.with_map),
        ", ".join(f"{name} {count}" for name, count in figures.languages.items()) or "–",
        format_amount(figures.ratio, 2),
        str(figures.helpers),
        str(figures.reused),
        str(figures.widest),
    ]


def _ratio_pictures(figures: Sequence[Metaprogramming], names: SeriesNames) -> list[Block]:
    rows = [
        ChartRow(
            group="",
            label=names.label(one),
            marker=one.solver,
            value=one.ratio,
            low=quantile(one.ratios, 0.25),
            high=quantile(one.ratios, 0.75),
            value_text=f"{format_amount(one.ratio, 2)} of {len(one.ratios)}",
            others=[one.ratios[-1]],
            is_partial=names.is_partial(one),
        )
        for one in figures
        if one.ratio is not None
    ]
    if not rows:
        return []
    canvas = SvgCanvas(
        "generator-ratio",
        "Size of programs relative to their generators",
        "For each series, the median and quartiles of the size ratio: the bytes of a solving "
        "program per byte of the generators first seen with its problem. A short stroke marks the "
        "maximum.",
    )
    most = max(max(row.others) for row in rows)
    axis = ValueAxis("bytes of program per byte of generators", 0, most)
    draw_ranges(canvas, rows, axis, names.solvers, "median of programs")
    return [Picture(canvas, publications.GENERATORS)]


_REUSE_CLASSES = (("one problem", 1, 1), ("2–5 problems", 2, 5), ("6–20 problems", 6, 20))
_MOST_REUSED_LABEL = "more than 20"


def _reuse_pictures(figures: Sequence[Metaprogramming], names: SeriesNames) -> list[Block]:
    rows = [(names.label(one), _count_reuse_classes(one)) for one in figures if one.helpers]
    if not rows:
        return []
    canvas = SvgCanvas(
        "helper-reuse",
        "Reuse of helpers",
        "One bar for each series: its helpers, which are generators with different content, by the "
        "number of problems with a submission at which the helper was present, unchanged.",
    )
    draw_stacks(
        canvas, [*(name for name, *_ in _REUSE_CLASSES), _MOST_REUSED_LABEL], rows, "helpers"
    )
    return [Picture(canvas, publications.GENERATORS)]


def _count_reuse_classes(figures: Metaprogramming) -> dict[str, int]:
    counts = {
        name: sum(least <= span <= most for span in figures.spans)
        for name, least, most in _REUSE_CLASSES
    }
    return {
        **counts,
        _MOST_REUSED_LABEL: sum(span > _REUSE_CLASSES[-1][2] for span in figures.spans),
    }
