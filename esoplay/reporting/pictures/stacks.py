"""Bars that are made of parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from esoplay.reporting.pictures.canvas import ROW, SIZE, WIDTH, Canvas, room_for, width_of
from esoplay.reporting.pictures.legend import draw_segments
from esoplay.reporting.pictures.scales import Scale, spoken, ticks


def draw_stacks(
    canvas: Canvas,
    parts: Sequence[str],
    rows: Sequence[tuple[str, Mapping[str, int]]],
    axis: str,
    greatest: float | None = None,
) -> None:
    """A bar for each row, of its counts of ``parts`` in their order, with the sum at its end."""
    y = draw_segments(canvas, 16, parts) + 4
    sums = [sum(counts.values()) for _, counts in rows]
    left = room_for(name for name, _ in rows)
    scale = Scale(0, greatest or max(sums, default=0) or 1, left + 12, WIDTH - 60)
    bottom = y + ROW * len(rows) + 4
    for value in ticks(0, scale.greatest, 8):
        canvas.line(scale(value), y, scale(value), bottom)
        canvas.text(scale(value), bottom + 15, spoken(value), "small", "middle")
    canvas.text((scale.start + scale.end) / 2, bottom + 31, axis, "small", "middle")
    for (name, counts), total in zip(rows, sums, strict=True):
        canvas.label(left, y + ROW / 2 + SIZE / 3, name, left - 12)
        done = 0
        for at, part in enumerate(parts):
            count = counts.get(part, 0)
            if count:
                x, width = scale(done), scale(done + count) - scale(done)
                canvas.segment(x, y + 3, width, ROW - 6, at, f"{name}, {part}: {count}")
                _write(canvas, x, y, width, str(count))
                done += count
        canvas.text(scale(done) + 6, y + ROW / 2 + SIZE / 3, str(total), "quiet")
        y += ROW
    canvas.height = bottom + 42


def _write(canvas: Canvas, x: float, y: float, width: float, told: str) -> None:
    """A number on its part, on a plain ground, where there is room."""
    needed = width_of(told, 11) + 6
    if width > needed + 6:
        middle = x + width / 2
        canvas.rect(middle - needed / 2, y + 5, needed, ROW - 10, "paper")
        canvas.text(middle, y + ROW / 2 + 4, told, "small", "middle")
