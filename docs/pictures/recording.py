"""A recording as one SVG: it contains each distinct row once, and CSS shows it at its times.

Where nothing moves – an old renderer, a reader who asked for less motion – one moment is seen.
"""

from __future__ import annotations

from typing import NamedTuple

from pictures.cells import Row, Shot
from pictures.svg import row_elements, window


class Frame(NamedTuple):
    """A screen that is shown for some seconds."""

    shot: Shot
    seconds: float


class _Piece(NamedTuple):
    """A row in its place, from frame ``first`` to before frame ``last``."""

    number: int
    row: Row
    first: int
    last: int


def animation(frames: list[Frame], title: str, *, still: int = -1) -> str:
    """Return the frames as an endless animation; ``still`` is the frame shown without motion.

    All frames have the same size and ground.
    """
    count, shot = len(frames), frames[0].shot
    still %= count
    starts = [0.0]
    for frame in frames:
        starts.append(starts[-1] + frame.seconds)
    whole = starts[-1]
    names: dict[tuple[int, int], str] = {}
    groups: dict[str, list[str]] = {}
    for piece in _pieces(frames):
        elements = row_elements(piece.row, piece.number, shot.back)
        if elements:
            span = piece.first, piece.last
            name = names.setdefault(span, f"f{len(names)}")
            groups.setdefault(name, []).append(elements)
    style: list[str] = []
    body: list[str] = []
    for (first, last), name in names.items():
        shown = first <= still < last
        inside = "\n".join(groups[name])
        if (first, last) == (0, count):
            body.append(inside)
            continue
        hidden = "" if shown else ' opacity="0"'
        body.append(f'<g class="f {name}"{hidden}>{inside}</g>')
        low, high = 100 * starts[first] / whole, 100 * starts[last] / whole
        style.append(f"@keyframes {name}{{{_stops(low, high)}}}.{name}{{animation-name:{name}}}")
    general = f".f{{animation:{whole:g}s step-end infinite}}"
    calm = "@media (prefers-reduced-motion:reduce){.f{animation:none}}"
    return window(shot, title, general + "".join(style) + calm, "\n".join(body))


def _stops(low: float, high: float) -> str:
    """Visible from ``low`` to ``high`` percent, else not."""
    stops = ["0%{opacity:0}"] if low > 0 else []
    stops.append(f"{low:.3f}%{{opacity:1}}")
    if high < 100:
        stops.append(f"{high:.3f}%{{opacity:0}}")
    stops.append(f"100%{{opacity:{1 if high >= 100 else 0}}}")
    return "".join(stops)


def _pieces(frames: list[Frame]) -> list[_Piece]:
    pieces: list[_Piece] = []
    for number in range(len(frames[0].shot.rows)):
        first = 0
        for at in range(1, len(frames) + 1):
            row = frames[first].shot.rows[number]
            if at == len(frames) or frames[at].shot.rows[number] != row:
                pieces.append(_Piece(number, row, first, at))
                first = at
    return pieces
