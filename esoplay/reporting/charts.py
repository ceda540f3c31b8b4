"""Draw the charts of reports: values with intervals, step curves, points, bars and grids.

Whatever differs in color also differs in shape, dash or hatching, so colors are not needed to read
a chart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import floor, log10
from typing import Literal, NamedTuple

from esoplay.reporting.canvas import (
    COLOUR_COUNT,
    DASHES,
    FONT_SIZE,
    ROW_HEIGHT,
    SHAPES,
    WIDTH,
    SvgCanvas,
    name_column_width,
    shorten,
    text_width,
)
from esoplay.reporting.rounding import percent

# Values with their intervals, one per row.


class ChartRow(NamedTuple):
    """One value of a chart.

    group: a heading, drawn once above consecutive rows that share it; empty for none.  marker: the
    name that determines the marker.  low, high: ends of the interval.  others: further values,
    drawn as short lines.  is_partial: whether the value is not final; it is drawn as a ring.
    value_text: the value as text.
    """

    group: str
    label: str
    marker: str
    value: float
    low: float | None
    high: float | None
    value_text: str
    others: Sequence[float] = ()
    is_partial: bool = False


class ValueAxis(NamedTuple):
    """A chart's axis of values.  reference: a value with a line, such as 0 for no difference."""

    name: str
    minimum: float
    maximum: float
    reference: float | None = None
    is_percent: bool = False


def percentage_point_axis(rows: Sequence[ChartRow]) -> ValueAxis:
    """Return an axis for differences in percentage points: ±10, ±20 … ±100, as needed."""
    reach = max(abs(value) for row in rows for value in (row.low or 0, row.high or 0, row.value))
    reach = min(100, 10 * (int(reach / 10) + 1))
    return ValueAxis("percentage points", -reach, reach, reference=0)


def draw_ranges(
    canvas: SvgCanvas, rows: Sequence[ChartRow], axis: ValueAxis, order: Sequence[str], heading: str
) -> None:
    """Draw each row's value and interval on a common axis, and its ``value_text`` at the right.

    order: see ``select_marker_styles``. heading: of the column of texts.
    """
    styles = select_marker_styles((row.marker for row in rows), order)
    y = draw_marker_legend(canvas, 18, styles) if len(styles) > 1 else 8.0
    right = 150
    left = name_column_width(row.label for row in rows)
    scale = LinearScale(axis.minimum, axis.maximum, left + 12, WIDTH - right - 10)
    top = y = y + 16
    canvas.text(scale.end + 18, y - 6, heading, "small")
    places: list[tuple[float, ChartRow]] = []
    group = None
    for row in rows:
        if row.group != group:
            group = row.group
            if group:
                y += ROW_HEIGHT
                canvas.text(8, y - 7, group, "head")
        y += ROW_HEIGHT
        places.append((y - ROW_HEIGHT / 2 + 2, row))
    _draw_axis(canvas, axis, scale, top, y + 6)
    for at, row in places:
        style = styles[row.marker]
        canvas.label(left, at + FONT_SIZE / 3, row.label, left - 12)
        for other in row.others:
            canvas.line(scale(other), at - 6, scale(other), at + 6, "axis")
        if row.low is not None and row.high is not None:
            canvas.line(scale(row.low), at, scale(row.high), at, f"s{style.colour} bold")
            for end in (row.low, row.high):
                canvas.line(scale(end), at - 3.5, scale(end), at + 3.5, f"s{style.colour} thin")
        shape = "ring" if row.is_partial else style.shape
        canvas.mark(shape, scale(row.value), at, style.colour, f"{row.label}: {row.value_text}")
        canvas.text(scale.end + 18, at + FONT_SIZE / 3, row.value_text, "quiet")
    canvas.height = y + 46


def _draw_axis(
    canvas: SvgCanvas, axis: ValueAxis, scale: LinearScale, top: float, bottom: float
) -> None:
    for value in ticks(axis.minimum, axis.maximum, 8):
        canvas.line(scale(value), top, scale(value), bottom)
        label = f"{100 * value:.0f} %" if axis.is_percent else format_tick(value)
        canvas.text(scale(value), bottom + 15, label, "small", "middle")
    if axis.reference is not None:
        canvas.line(scale(axis.reference), top, scale(axis.reference), bottom, "axis")
    canvas.text((scale.start + scale.end) / 2, bottom + 31, axis.name, "small", "middle")


# Rising steps: problems solved against an amount used.

_HEIGHT = 190
_BOTTOM_MARGIN = 68  # space for the axis, the name of a panel, and the gap to the next one
_PANELS_PER_ROW = 3


class Curve(NamedTuple):
    """A step curve: from each point, y is constant up to the x of the next point.

    is_partial: whether the values are not final.
    """

    panel: str
    name: str
    points: Sequence[tuple[float, float]]
    is_partial: bool = False


def draw_curves(
    canvas: SvgCanvas,
    curves: Sequence[Curve],
    order: Sequence[str],
    x_label: str,
    y_label: str,
    y_max: int,
) -> None:
    """Draw a panel for each distinct ``panel`` of the curves; all panels have the same axes.

    order: see ``select_marker_styles``. y_max: the upper end of the y axis.
    """
    styles = select_marker_styles((curve.name for curve in curves), order)
    panels = list(dict.fromkeys(curve.panel for curve in curves))
    y = draw_marker_legend(canvas, 18, styles, with_lines=True) + 14
    furthest = max((x for curve in curves for x, _ in curve.points), default=0) or 1
    columns = min(_PANELS_PER_ROW, len(panels))
    width = WIDTH / columns
    for at, panel in enumerate(panels):
        left, top = at % columns * width, y + at // columns * (_HEIGHT + _BOTTOM_MARGIN)
        wide = LinearScale(0, furthest, left + 40, left + width - 22)
        high = LinearScale(0, y_max, top + 20 + _HEIGHT, top + 20)
        canvas.text(left + 40, top + 10, shorten(panel, width - 60), "head", full_text=panel)
        _draw_axes(canvas, wide, high)
        canvas.text((wide.start + wide.end) / 2, high.start + 30, x_label, "small", "middle")
        for curve in curves:
            if curve.panel == panel:
                _draw_curve(canvas, curve, styles[curve.name], wide, high)
    canvas.text(8, y - 8, y_label, "small")
    canvas.height = y + ((len(panels) - 1) // columns + 1) * (_HEIGHT + _BOTTOM_MARGIN) + 4


def _draw_axes(canvas: SvgCanvas, x_scale: LinearScale, y_scale: LinearScale) -> None:
    for value in ticks(0, y_scale.maximum, 4):
        canvas.line(x_scale.start, y_scale(value), x_scale.end, y_scale(value))
        canvas.text(x_scale.start - 6, y_scale(value) + 4, format_tick(value), "small", "end")
    for value in ticks(0, x_scale.maximum, 4):
        canvas.line(x_scale(value), y_scale.start, x_scale(value), y_scale.start + 4, "axis")
        canvas.text(x_scale(value), y_scale.start + 16, format_tick(value), "small", "middle")
    canvas.line(x_scale.start, y_scale.start, x_scale.end, y_scale.start, "axis")


def _draw_curve(
    canvas: SvgCanvas, curve: Curve, style: MarkerStyle, x_scale: LinearScale, y_scale: LinearScale
) -> None:
    way: list[tuple[float, float]] = []
    for x, y in curve.points:
        if way:
            way.append((x_scale(x), way[-1][1]))
        way.append((x_scale(x), y_scale(y)))
    canvas.path(way, f"s{style.colour} thin", style.dash)
    x, y = curve.points[-1]
    shape = "ring" if curve.is_partial else style.shape
    canvas.mark(shape, x_scale(x), y_scale(y), style.colour, f"{curve.name}: {y:,} at {x:,}", 4)


# Points: a value against an amount.


class ChartPoint(NamedTuple):
    """A point of the chart that ``draw_points`` draws.

    marker: name that determines its marker.  is_optimal: whether the point is Pareto-optimal for a
    low x and a high y.
    """

    marker: str
    label: str
    x: float
    y: float
    is_optimal: bool


def draw_points(
    canvas: SvgCanvas,
    points: Sequence[ChartPoint],
    order: Sequence[str],
    x_label: str,
    y_label: str,
) -> None:
    """Draw points, x from 0 and y from 0 to 1, with a line through the Pareto-optimal ones."""
    styles = select_marker_styles((point.marker for point in points), order)
    y = draw_marker_legend(canvas, 18, styles) + 14
    furthest = max((point.x for point in points), default=0) or 1
    wide = LinearScale(0, furthest, 56, WIDTH - 30)
    high = LinearScale(0, 1, y + 10 + _HEIGHT, y + 10)
    for value in ticks(0, 1, 5):
        canvas.line(wide.start, high(value), wide.end, high(value))
        canvas.text(wide.start - 6, high(value) + 4, f"{100 * value:.0f} %", "small", "end")
    for value in ticks(0, furthest, 6):
        canvas.line(wide(value), high.start, wide(value), high.start + 4, "axis")
        canvas.text(wide(value), high.start + 16, format_tick(value), "small", "middle")
    canvas.line(wide.start, high.start, wide.end, high.start, "axis")
    canvas.text((wide.start + wide.end) / 2, high.start + 32, x_label, "small", "middle")
    canvas.text(8, y, y_label, "small")
    best = [(wide(point.x), high(point.y)) for point in points if point.is_optimal]
    if len(best) > 1:
        canvas.path(best, "s5 thin", DASHES[1])
    for point in points:
        style = styles[point.marker]
        hint = f"{point.label}: {percent(point.y)} at {point.x:,.4g}"
        canvas.mark(style.shape, wide(point.x), high(point.y), style.colour, hint)
    canvas.height = high.start + 46


# Stacked bars.


def draw_stacks(
    canvas: SvgCanvas,
    parts: Sequence[str],
    rows: Sequence[tuple[str, Mapping[str, int]]],
    axis_label: str,
    greatest: float | None = None,
) -> None:
    """Draw a bar for each row: one segment for the count of each part, and the sum at the end.

    greatest: the value at the end of the axis; None for the greatest sum.
    """
    y = draw_segment_legend(canvas, 16, parts) + 4
    sums = [sum(counts.values()) for _, counts in rows]
    left = name_column_width(name for name, _ in rows)
    scale = LinearScale(0, greatest or max(sums, default=0) or 1, left + 12, WIDTH - 60)
    bottom = y + ROW_HEIGHT * len(rows) + 4
    for value in ticks(0, scale.maximum, 8):
        canvas.line(scale(value), y, scale(value), bottom)
        canvas.text(scale(value), bottom + 15, format_tick(value), "small", "middle")
    canvas.text((scale.start + scale.end) / 2, bottom + 31, axis_label, "small", "middle")
    for (name, counts), total in zip(rows, sums, strict=True):
        canvas.label(left, y + ROW_HEIGHT / 2 + FONT_SIZE / 3, name, left - 12)
        done = 0
        for at, part in enumerate(parts):
            count = counts.get(part, 0)
            if count:
                x, width = scale(done), scale(done + count) - scale(done)
                canvas.segment(x, y + 3, width, ROW_HEIGHT - 6, at, f"{name}, {part}: {count}")
                _draw_number(canvas, x, y, width, str(count))
                done += count
        canvas.text(scale(done) + 6, y + ROW_HEIGHT / 2 + FONT_SIZE / 3, str(total), "quiet")
        y += ROW_HEIGHT
    canvas.height = bottom + 42


def _draw_number(canvas: SvgCanvas, x: float, y: float, width: float, text: str) -> None:
    """Write a number on its segment, on a plain background, if it fits."""
    needed = text_width(text, 11) + 6
    if width > needed + 6:
        middle = x + width / 2
        canvas.rect(middle - needed / 2, y + 5, needed, ROW_HEIGHT - 10, "paper")
        canvas.text(middle, y + ROW_HEIGHT / 2 + 4, text, "small", "middle")


# Shares in rows and columns, and the outcome of every problem.

Outcome = Literal["solved", "failed", "skipped", "open"]


class ShareCell(NamedTuple):
    """A cell: its filled share, from 0 to 1, and its text."""

    share: float
    text: str


def draw_shares(
    canvas: SvgCanvas, columns: Sequence[str], rows: Sequence[tuple[str, Mapping[str, ShareCell]]]
) -> None:
    """Draw a table whose cells are filled from the left in proportion to their shares.

    rows: the name and the cells of each row, by column; a missing cell is not drawn.
    """
    left = name_column_width(name for name, _ in rows)
    width = min(130.0, (WIDTH - left - 20) / max(1, len(columns)))
    y = draw_column_heads(canvas, columns, left + 12, width)
    for name, shares in rows:
        canvas.label(left, y + ROW_HEIGHT / 2 + FONT_SIZE / 3, name, left - 12)
        for at, column in enumerate(columns):
            if column not in shares:
                continue
            x, cell = left + 12 + at * width, shares[column]
            canvas.rect(x, y + 2, width - 6, ROW_HEIGHT - 4, "frame")
            filled = (width - 6) * cell.share
            hint = f"{name}, {column}: {cell.text}"
            canvas.rect(x, y + 2, filled, ROW_HEIGHT - 4, "c0", opacity=0.35, hint=hint)
            canvas.text(x + 6, y + ROW_HEIGHT / 2 + FONT_SIZE / 3, cell.text)
        y += ROW_HEIGHT
    canvas.height = y + 10


def draw_column_heads(
    canvas: SvgCanvas, columns: Sequence[str], left: float, width: float
) -> float:
    """Draw the names of columns of this width; return the y below them."""
    y = 40.0
    for at, column in enumerate(columns):
        lines = _split_heading(column, width - 6)
        for row, line in enumerate(lines):
            below = y - 6 - 13 * (len(lines) - 1 - row)
            written = shorten(line, width - 4, 11)
            canvas.text(left + at * width + 2, below, written, "small", full_text=column)
    return y


def _split_heading(name: str, width: float) -> list[str]:
    """Return the lines of a heading: one, or two if it is too wide and can be split."""
    if text_width(name, 11) <= width:
        return [name]
    for sign in (" ", "/"):
        first, found, rest = name.partition(sign)
        if found:
            return [first + found.strip(), rest]
    return [name]


def draw_outcomes(
    canvas: SvgCanvas,
    groups: Sequence[tuple[str, Sequence[str]]],
    rows: Sequence[tuple[str, Mapping[str, Outcome]]],
    titles: Mapping[str, str],
) -> None:
    """Draw a marker for each problem in each row; groups of problems are separated and named."""
    count = sum(len(problems) for _, problems in groups)
    gaps = 8 * max(0, len(groups) - 1)
    left = name_column_width(name for name, _ in rows)
    step = min(22.0, (WIDTH - left - 24 - gaps) / max(1, count))
    y = _draw_outcome_legend(canvas) + 14
    x = left + 16.0
    places: dict[str, float] = {}
    for name, problems in groups:
        room = len(problems) * step + 6
        canvas.text(x - step / 2, y, shorten(name, room, 11), "small", full_text=name)
        canvas.text(x - step / 2, y + 14, shorten(_id_range(problems), room, 11), "small")
        for problem in problems:
            places[problem] = x
            x += step
        x += 8
    y += 14
    r = min(4.5, step * 0.42)
    for name, outcomes in rows:
        y += ROW_HEIGHT
        canvas.label(left, y - ROW_HEIGHT / 2 + 9, name, left - 12)
        for problem, at in places.items():
            if problem in outcomes:
                hint = f"{problem} {titles.get(problem, '')}: {outcomes[problem]}"
                _draw_outcome(canvas, outcomes[problem], at, y - 7, r, hint)
    canvas.height = y + 12


def _id_range(problems: Sequence[str]) -> str:
    return problems[0] if len(problems) == 1 else f"{problems[0]}–{problems[-1]}"


def _draw_outcome_legend(canvas: SvgCanvas) -> float:
    x = 14.0
    key: tuple[tuple[Outcome, str], ...] = (
        ("solved", "solved"),
        ("failed", "failed"),
        ("skipped", "skipped"),
        ("open", "not finished"),
    )
    for outcome, words in key:
        _draw_outcome(canvas, outcome, x, 16, 4.5, "")
        canvas.text(x + 10, 16 + FONT_SIZE / 3, words)
        x += 22 + 8 * len(words)
    return 30


def _draw_outcome(
    canvas: SvgCanvas, outcome: Outcome, x: float, y: float, r: float, hint: str
) -> None:
    if outcome == "solved":
        canvas.mark("square", x, y, 0, hint, r)
    elif outcome == "failed":
        canvas.mark("cross", x, y, 1, hint, r * 0.75)
    elif outcome == "skipped":
        canvas.rect(x - r * 0.8, y - 1, r * 1.6, 2, "c5", hint=hint)
    else:
        canvas.mark("ring", x, y, 5, hint, r * 0.7)


# Markers: a color and a shape for each name; either of them is sufficient.


class MarkerStyle(NamedTuple):
    """The color, shape and dash by which a name is recognized in all charts."""

    colour: int
    shape: str
    dash: str


def marker_styles(names: Sequence[str]) -> dict[str, MarkerStyle]:
    """Return a marker for each name; up to 42 names have different markers."""
    return {
        name: MarkerStyle(at % COLOUR_COUNT, SHAPES[at % len(SHAPES)], DASHES[at % len(DASHES)])
        for at, name in enumerate(names)
    }


def select_marker_styles(names: Iterable[str], order: Sequence[str]) -> dict[str, MarkerStyle]:
    """Return the markers of ``names``; a marker depends on the position of its name in ``order``.

    Pictures with the same ``order`` use the same marker for a name.
    """
    known = marker_styles(order)
    wanted = set(names)
    return {name: style for name, style in known.items() if name in wanted}


def draw_marker_legend(
    canvas: SvgCanvas, y: float, styles: dict[str, MarkerStyle], with_lines: bool = False
) -> float:
    """Draw rows of markers and names from ``y``; return the y below them."""
    x = 14.0
    for name, style in styles.items():
        shown = shorten(name, WIDTH / 2)
        width = text_width(shown) + (52 if with_lines else 34)
        if x > 14 and x + width > WIDTH:
            x, y = 14.0, y + 22
        if with_lines:
            canvas.path([(x - 6, y), (x + 26, y)], f"s{style.colour} bold", style.dash)
            canvas.mark(style.shape, x + 26, y, style.colour)
        else:
            canvas.mark(style.shape, x, y, style.colour)
        canvas.text(x + (38 if with_lines else 12), y + FONT_SIZE / 3, shown, full_text=name)
        x += width
    return y + 22


def draw_segment_legend(canvas: SvgCanvas, y: float, names: Sequence[str]) -> float:
    """Draw the legend of stacked bars at ``y``, a segment for each name; return the y below it."""
    x = 8.0
    for at, name in enumerate(names):
        width = text_width(name) + 40
        if x > 8 and x + width > WIDTH:
            x, y = 8.0, y + 22
        canvas.segment(x, y - 6, 18, 12, at, "")
        canvas.text(x + 24, y + FONT_SIZE / 3, name)
        x += width
    return y + 22


# Axes: positions of values, and labels.


class LinearScale(NamedTuple):
    """A linear map of values to pixels: ``minimum`` to ``start``, and ``maximum`` to ``end``."""

    minimum: float
    maximum: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.minimum) / (self.maximum - self.minimum)
        return self.start + share * (self.end - self.start)


def ticks(minimum: float, maximum: float, target: int = 5) -> list[float]:
    """Return about ``target`` round values in a range, 1, 2 or 5 times a power of ten apart."""
    if maximum <= minimum:
        return [minimum]
    rough = (maximum - minimum) / target
    power = 10.0 ** floor(log10(rough))
    step = next(size * power for size in (1, 2, 5, 10) if size * power >= rough * 0.999)
    first, last = floor(minimum / step + 0.999), floor(maximum / step + 0.001)
    return [count * step for count in range(first, last + 1)]


def format_tick(value: float) -> str:
    """Return the label of a value, in k from 10,000 and in M from a million."""
    for unit, sign in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= unit * 10 or (abs(value) >= unit and unit == 1e6):
            return f"{value / unit:g}{sign}".replace("-", "−")
    return f"{value:g}".replace("-", "−")
