"""Charts of shares by tier or category: curves over tiers, and a heat map.

Their horizontal axis has names, in a given order, instead of numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from esoplay.reporting.canvas import (
    FONT_SIZE,
    ROW_HEIGHT,
    WIDTH,
    SvgCanvas,
    name_column_width,
    shorten,
)
from esoplay.reporting.charts import (
    LinearScale,
    ShareCell,
    draw_column_heads,
    draw_marker_legend,
    select_marker_styles,
)
from esoplay.reporting.rounding import percent

_HEIGHT = 170
_PANEL_GAP = 56
_PANELS_ACROSS = 2
_MAX_OPACITY = 0.55
"""The opacity of a cell with the share 1, which leaves enough contrast for text."""


class TierCurve(NamedTuple):
    """A line in a panel of a chart. shares: by tier; a tier without a share has no point."""

    panel: str
    name: str
    shares: Mapping[str, float]


def draw_tier_curves(
    canvas: SvgCanvas, curves: Sequence[TierCurve], tiers: Sequence[str], order: Sequence[str]
) -> None:
    """Draw a panel for each distinct ``panel`` of the curves; tiers are on the horizontal axis.

    order: see ``select_marker_styles``.
    """
    styles = select_marker_styles((curve.name for curve in curves), order)
    panels = list(dict.fromkeys(curve.panel for curve in curves))
    y = draw_marker_legend(canvas, 18, styles, with_lines=True) + 8
    columns = min(_PANELS_ACROSS, len(panels))
    width = WIDTH / columns
    for at, panel in enumerate(panels):
        left, top = at % columns * width, y + at // columns * (_HEIGHT + _PANEL_GAP)
        high = LinearScale(0, 1, top + 20 + _HEIGHT, top + 20)
        start, end = left + 52, left + width - 34
        step = (end - start) / max(1, len(tiers) - 1)
        places = {tier: start + at * step for at, tier in enumerate(tiers)}
        canvas.text(left + 52, top + 10, shorten(panel, width - 70), "head", full_text=panel)
        for share in (0, 0.25, 0.5, 0.75, 1):
            canvas.line(start, high(share), end, high(share))
            canvas.text(start - 8, high(share) + 4, f"{100 * share:.0f} %", "small", "end")
        canvas.line(start, high.start, end, high.start, "axis")
        for tier, x in places.items():
            written = shorten(tier, max(step, 60) - 4, 11)
            canvas.text(x, high.start + 16, written, "small", "middle", full_text=tier)
        for curve in curves:
            if curve.panel == panel:
                style = styles[curve.name]
                points = [
                    (places[tier], high(curve.shares[tier]), tier)
                    for tier in tiers
                    if tier in curve.shares
                ]
                canvas.path([(x, up) for x, up, _ in points], f"s{style.colour} thin", style.dash)
                for x, up, tier in points:
                    hint = f"{panel}, {curve.name}, {tier}: {percent(curve.shares[tier])}"
                    canvas.mark(style.shape, x, up, style.colour, hint, 4)
    canvas.height = y + ((len(panels) - 1) // columns + 1) * (_HEIGHT + _PANEL_GAP) + 4


def draw_heat_map(
    canvas: SvgCanvas, columns: Sequence[str], rows: Sequence[tuple[str, Mapping[str, ShareCell]]]
) -> None:
    """Draw a cell for each row and column; a greater share has a stronger color."""
    left = name_column_width(name for name, _ in rows)
    width = min(130.0, (WIDTH - left - 20) / max(1, len(columns)))
    y = draw_column_heads(canvas, columns, left + 12, width)
    for name, shares in rows:
        canvas.label(left, y + ROW_HEIGHT / 2 + FONT_SIZE / 3, name, left - 12)
        for at, column in enumerate(columns):
            if column not in shares:
                continue
            x, cell = left + 12 + at * width, shares[column]
            hint = f"{name}, {column}: {cell.text}"
            canvas.rect(x, y, width - 1, ROW_HEIGHT - 1, "frame")
            canvas.rect(
                x, y, width - 1, ROW_HEIGHT - 1, "c0", opacity=_MAX_OPACITY * cell.share, hint=hint
            )
            middle = x + (width - 1) / 2
            canvas.text(middle, y + ROW_HEIGHT / 2 + FONT_SIZE / 3, cell.text, anchor="middle")
        y += ROW_HEIGHT
    _draw_scale(canvas, left + 12, y + 12)
    canvas.height = y + 34


def _draw_scale(canvas: SvgCanvas, x: float, y: float) -> None:
    """Draw the legend of a heat map: cells from 0 to 100 %."""
    canvas.text(x - 8, y + 10, "0 %", "small", "end")
    steps = 10
    for at in range(steps + 1):
        canvas.rect(x + 14 * at, y, 14, 12, "frame")
        canvas.rect(x + 14 * at, y, 14, 12, "c0", opacity=_MAX_OPACITY * at / steps)
    canvas.text(x + 14 * (steps + 1) + 8, y + 10, "100 %", "small")
