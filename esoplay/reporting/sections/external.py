"""The section on correlations with external scores and sizes of corpora."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10

from esolangs.wording import join_names
from esoplay.reporting import publications
from esoplay.reporting.canvas import WIDTH, SvgCanvas
from esoplay.reporting.charts import (
    LinearScale,
    draw_marker_legend,
    format_tick,
    select_marker_styles,
    ticks,
)
from esoplay.reporting.correlations import Coefficient
from esoplay.reporting.document import (
    Block,
    Paragraph,
    Picture,
    ReportTable,
    Section,
    TableColumn,
    text_column,
)
from esoplay.reporting.external import ExternalCorrelation, TableKind
from esoplay.reporting.sections.wording import (
    MINUS,
    format_amount,
    format_p_value,
    percent,
    round_half_up,
)

_HEIGHT = 210
_EXTERNAL_NOTE = (
    "External scores and sizes come from the file of --external and are not checked. Scores are "
    "compared with mean shares over the languages in which all named solvers or models have "
    "results. Sizes of corpora are compared with the share in each language; their r uses the "
    "logarithm of the size. p is two-sided, from permutations of the points. With few points, only "
    "a strong correlation can be detected."
)
_TITLES: dict[TableKind, tuple[str, str]] = {
    "scores": ("Share solved against external scores", publications.EXTERNAL),
    "corpora": ("Share solved against sizes of corpora", publications.CORPUS),
}


def external_sections(correlations: Sequence[ExternalCorrelation]) -> list[Section]:
    """Return the section on external figures; empty if nothing was compared."""
    if not correlations:
        return []
    blocks: list[Block] = [Paragraph(_EXTERNAL_NOTE)]
    for kind, (title, reproduced) in _TITLES.items():
        some = [one for one in correlations if one.kind == kind]
        for number, table in enumerate(dict.fromkeys(one.table for one in some)):
            name = f"{kind}-{chr(ord('a') + number % 26)}" if number else kind
            shown = [one for one in some if one.table == table]
            blocks.append(Picture(_picture(name, title, table, shown), reproduced))
        if some:
            blocks += _tables(title, some, reproduced)
    unused = sorted({name for one in correlations for name in one.unused})
    if unused:
        blocks.append(
            Paragraph(
                f"Left out of one or more comparisons for lack of results: {join_names(unused)}."
            )
        )
    return [Section("External figures", blocks)]


def _tables(
    title: str, correlations: Sequence[ExternalCorrelation], reproduced: str
) -> list[Block]:
    columns = [
        *(text_column("table"), text_column("condition"), TableColumn("points")),
        *map(TableColumn, ("Pearson r", "p", "Spearman ρ", "p")),
        text_column("over"),
    ]
    rows = [
        [
            *(one.table, one.condition, str(len(one.points))),
            *_coefficient_cells(one.pearson),
            *_coefficient_cells(one.spearman),
            join_names(one.over),
        ]
        for one in correlations
    ]
    points = [
        [one.table, one.condition, point.name, format_amount(point.value, 2), percent(point.share)]
        for one in correlations
        for point in one.points
    ]
    heads = [
        *(text_column("table"), text_column("condition"), text_column("point")),
        *map(TableColumn, ("value", "share solved")),
    ]
    return [
        ReportTable(title, columns, rows, reproduces=reproduced),
        ReportTable(f"{title}: the points", heads, points, is_folded=True, reproduces=reproduced),
    ]


def _coefficient_cells(coefficient: Coefficient | None) -> list[str]:
    if coefficient is None:
        return ["–", "–"]
    size = round_half_up(abs(coefficient.value), 2)
    negative = coefficient.value < 0 and size != "0.00"
    return [f"{MINUS}{size}" if negative else size, format_p_value(coefficient.p)]


def _picture(
    name: str, title: str, table: str, correlations: Sequence[ExternalCorrelation]
) -> SvgCanvas:
    canvas = SvgCanvas(
        f"external-{name}",
        f"{title}: {table}",
        "For each condition, a marker for each solver, model or language. Its position shows the "
        "external value and the share of problems solved.",
    )
    logarithmic = correlations[0].kind == "corpora"
    names = [one.condition for one in correlations]
    named = select_marker_styles(names, names)
    y = draw_marker_legend(canvas, 18, named) + 14
    values = [point.value for one in correlations for point in one.points]
    scale, marks = _axis(values, logarithmic)
    high = LinearScale(0, 1, y + 10 + _HEIGHT, y + 10)
    for share in ticks(0, 1, 5):
        canvas.line(scale.start, high(share), scale.end, high(share))
        canvas.text(scale.start - 6, high(share) + 4, f"{100 * share:.0f} %", "small", "end")
    for place, written in marks:
        canvas.line(scale(place), high.start, scale(place), high.start + 4, "axis")
        canvas.text(scale(place), high.start + 16, written, "small", "middle")
    canvas.line(scale.start, high.start, scale.end, high.start, "axis")
    canvas.text((scale.start + scale.end) / 2, high.start + 32, table, "small", "middle")
    canvas.text(8, y, "share solved", "small")
    for one in correlations:
        style = named[one.condition]
        for point in one.points:
            x = scale(log10(point.value) if logarithmic else point.value)
            hint = f"{one.condition}, {point.name}: {percent(point.share)} at {point.value:,g}"
            canvas.mark(style.shape, x, high(point.share), style.colour, hint)
    canvas.height = high.start + 46
    return canvas


def _axis(
    values: Sequence[float], logarithmic: bool
) -> tuple[LinearScale, list[tuple[float, str]]]:
    """Return the horizontal scale and its marks: positions with labels.

    logarithmic: whether the scale is for base-10 logarithms of ``values`` (sizes of corpora).
    """
    if logarithmic:
        least, most = floor(log10(min(values))), ceil(log10(max(values)))
        most = max(most, least + 1)
        powers = range(least, most + 1)
        marks = [(float(power), format_tick(10.0**power)) for power in powers]
        return LinearScale(least, most, 56, WIDTH - 30), marks
    reach = max(values) - min(values) or abs(max(values)) or 1.0
    least, most = min(values) - reach / 12, max(values) + reach / 12
    scale = LinearScale(least, most, 56, WIDTH - 30)
    return scale, [(value, format_tick(value)) for value in ticks(least, most, 6)]
