"""Convert what programs have drawn to SVG."""

from __future__ import annotations

from esolangs.view import Drawing, Line

MARGIN = 1
"""Width of the empty border in units; it keeps the ends of lines visible."""


def make_svg(drawing: Drawing) -> str:
    """Convert a drawing to an SVG file; consecutive lines of one color share a path.

    A unit of the drawing is a pixel.
    """
    (left, top), (right, bottom) = drawing.low, drawing.high
    x, y = left - MARGIN, top - MARGIN
    width, height = right - left + 2 * MARGIN, bottom - top + 2 * MARGIN
    size = f'width="{width}" height="{height}"'
    rows = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="{x} {y} {width} {height}">',
        f'<rect x="{x}" y="{y}" {size} fill="#{drawing.paper:06x}"/>',
        '<g fill="none" stroke-linecap="round" stroke-linejoin="round">',
        *_paths(drawing.lines),
        "</g>",
        "</svg>",
    ]
    return "\n".join(rows) + "\n"


def _paths(lines: tuple[Line, ...]) -> list[str]:
    rows: list[str] = []
    moves: list[str] = []
    before: Line | None = None
    for line in lines:
        if before is not None and before.color != line.color:
            rows.append(_path(before.color, moves))
            moves, before = [], None
        if before is None or before.end != line.start:
            moves.append(f"M{line.start[0]} {line.start[1]}")
        moves.append(f"L{line.end[0]} {line.end[1]}")
        before = line
    if before is not None:
        rows.append(_path(before.color, moves))
    return rows


def _path(color: int, moves: list[str]) -> str:
    return f'<path stroke="#{color:06x}" d="{"".join(moves)}"/>'
