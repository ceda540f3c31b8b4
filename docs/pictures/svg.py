"""Rows of styled text as SVG.

Text is placed run by run with its length given, so that columns line up in whatever monospace font
there is.  Lines of frames and blocks are drawn, because fonts leave gaps between them.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from pictures.cells import Row, Run, Shot

WIDTH, HEIGHT = 8.4, 18
"""Of a cell, in pixels."""
SIZE = 14
BASELINE = 13.5
MARGIN, TOP = 10, 34
FONTS = "'DejaVu Sans Mono','Liberation Mono',Menlo,Consolas,'Courier New',monospace"

NO_BREAK = "\u00a0"
BLANK = "␠"
"""The sign of a space, which many monospace fonts lack."""
_LINES = {
    "─": "lr",
    "━": "lr",
    "│": "tb",
    "┃": "tb",
    "╭": "rb",
    "┌": "rb",
    "╮": "lb",
    "┐": "lb",
    "╰": "tr",
    "└": "tr",
    "╯": "lt",
    "┘": "lt",
    "├": "tbr",
    "┤": "tbl",
    "┬": "lrb",
    "┴": "lrt",
    "┼": "tblr",
}
_LOWER = "▁▂▃▄▅▆▇█"
_LEFT = "▏▎▍▌▋▊▉"
_BRAILLE = tuple(map(chr, range(0x2800, 0x2900)))
_DOTS = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3))
"""Column and row of each of a Braille character's dots, from its lowest bit."""
_DRAWN = frozenset([*_LINES, *_LOWER, *_LEFT, *_BRAILLE, "▐", "▔", BLANK])


def picture(shot: Shot, title: str) -> str:
    """One moment as a picture in a window's frame."""
    rows = (row_elements(row, number, shot.back) for number, row in enumerate(shot.rows))
    body = "\n".join(row for row in rows if row)
    return window(shot, title, "", body)


def window(shot: Shot, title: str, style: str, body: str) -> str:
    """An SVG document: the frame of a window around ``body``, whose origin is its first cell."""
    width = shot.columns * WIDTH + 2 * MARGIN
    height = len(shot.rows) * HEIGHT + TOP + MARGIN
    dots = "".join(
        f'<circle cx="{18 + 18 * at}" cy="17" r="5.5" fill="{color}"/>'
        for at, color in enumerate(("#e0645c", "#d9a441", "#64b05c"))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(width)} {height}" '
        f'font-family="{FONTS}" font-size="{SIZE}">\n'
        f"<style>{style}</style>\n"
        f'<rect width="{_n(width)}" height="{height}" rx="8" fill="{shot.back}"/>\n'
        f'<rect x=".5" y=".5" width="{_n(width - 1)}" height="{height - 1}" rx="8" fill="none" '
        f'stroke="#808890" stroke-opacity=".5"/>\n{dots}\n'
        f'<text x="{_n(width / 2)}" y="22" fill="#808890" text-anchor="middle">'
        f"{escape(title)}</text>\n"
        f'<g transform="translate({MARGIN} {TOP})">\n{body}\n</g>\n</svg>\n'
    )


def row_elements(row: Row, number: int, ground: str) -> str:
    """The elements of a row ``number`` rows from the top, on a window of colour ``ground``."""
    parts = [_backs(row, ground), *(part for run in row for part in _run(run))]
    inside = "".join(part for part in parts if part)
    return f'<g transform="translate(0 {number * HEIGHT})">{inside}</g>' if inside else ""


def _backs(row: Row, ground: str) -> str:
    """Background rectangles; neighbours of one colour are joined, so that no seams show."""
    stretches: list[tuple[int, int, str]] = []
    for run in row:
        first = run.column
        if stretches and stretches[-1][2] == run.back:
            first = stretches.pop()[0]
        stretches.append((first, run.column + run.cells, run.back))
    return "".join(
        f'<rect x="{_n(first * WIDTH)}" width="{_n((last - first) * WIDTH)}" height="{HEIGHT}" '
        f'fill="{back}"/>'
        for first, last, back in stretches
        if back.lower() != ground.lower()
    )


def _run(run: Run) -> Iterable[str]:
    """Text and drawings of one style."""
    column, piece, drawn = run.column, "", False
    start = column
    cell = 1 if run.cells == len(run.text) else 0  # wide characters stay in one text
    for character in run.text:
        is_drawn = cell == 1 and character in _DRAWN
        if piece and (is_drawn != drawn or (is_drawn and character != piece[0])):
            yield _piece(run, start, piece, drawn)
            piece, start = "", column
        drawn = is_drawn
        piece += character
        column += cell
    if piece:
        yield _piece(run, start, piece, drawn)


def _piece(run: Run, column: int, text: str, drawn: bool) -> str:
    if drawn:
        return _drawing(run.front, column, text)
    bare = text.strip(" ")
    marked = run.underline or run.strike
    if not bare and not marked:
        return ""
    if run.cells == len(run.text) and not marked:
        column += len(text) - len(text.lstrip(" "))
        text = bare
    cells = len(text) if run.cells == len(run.text) else run.cells
    text = text.replace(" ", NO_BREAK)  # runs of other spaces are drawn as one
    more = ' font-weight="bold"' if run.bold else ""
    more += ' font-style="italic"' if run.italic else ""
    lines = [
        name for name, on in (("underline", run.underline), ("line-through", run.strike)) if on
    ]
    more += f' text-decoration="{" ".join(lines)}"' if lines else ""
    if cells > 1:
        more += f' textLength="{_n(cells * WIDTH)}"'
    return (
        f'<text x="{_n(column * WIDTH)}" y="{BASELINE}" fill="{run.front}"{more}>'
        f"{escape(text, quote=False)}</text>"
    )


def _drawing(color: str, column: int, text: str) -> str:
    """The same character several times, as lines or blocks that join."""
    x, width, sign = column * WIDTH, len(text) * WIDTH, text[0]
    if sign in _LINES:
        return _line(color, x, width, sign, len(text))
    if sign == BLANK:
        tray = f"v2.5h{_n(WIDTH - 2.4)}v-2.5"
        path = "".join(f"M{_n(x + at * WIDTH + 1.2)} 12{tray}" for at in range(len(text)))
        return f'<path d="{path}" stroke="{color}" fill="none"/>'
    if sign in _BRAILLE:
        return "".join(_dots(color, x + at * WIDTH, sign) for at in range(len(text)))
    left, top, right, bottom = 0.0, 0.0, width, float(HEIGHT)
    if sign in _LOWER:
        top = HEIGHT * (1 - (_LOWER.index(sign) + 1) / 8)
    elif sign == "▔":
        bottom = HEIGHT / 8
    elif len(text) > 1 and sign != "▐":
        parts = (_drawing(color, column + at, sign) for at in range(len(text)))
        return "".join(parts)
    elif sign == "▐":
        left = WIDTH / 2
    else:
        right = WIDTH * (7 - _LEFT[::-1].index(sign)) / 8
    return (
        f'<rect x="{_n(x + left)}" y="{_n(top)}" width="{_n(right - left)}" '
        f'height="{_n(bottom - top)}" fill="{color}"/>'
    )


def _line(color: str, x: float, width: float, sign: str, count: int) -> str:
    if sign in "─━":
        path = f"M{_n(x)} {HEIGHT / 2:g}h{_n(width)}"
    else:
        path = "".join(_strokes(x + at * WIDTH, sign) for at in range(count))
    weight = 2.4 if sign in "━┃" else 1.2
    return f'<path d="{path}" stroke="{color}" stroke-width="{weight}" fill="none"/>'


def _dots(color: str, x: float, sign: str) -> str:
    bits = ord(sign) - ord(_BRAILLE[0])
    places = (place for bit, place in enumerate(_DOTS) if bits >> bit & 1)
    path = "".join(
        f"M{_n(x + WIDTH * (2 * column + 1) / 4 - 0.8)} {_n(HEIGHT * (2 * row + 1) / 8 - 0.8)}"
        "h1.6v1.6h-1.6z"
        for column, row in places
    )
    return f'<path d="{path}" fill="{color}"/>' if path else ""


def _strokes(x: float, sign: str) -> str:
    """A path from the middle of the cell to its sides; round where the sign is."""
    middle_x, middle_y = x + WIDTH / 2, HEIGHT / 2
    ends = {
        "l": (x, middle_y),
        "r": (x + WIDTH, middle_y),
        "t": (middle_x, 0.0),
        "b": (middle_x, float(HEIGHT)),
    }
    sides = [ends[side] for side in _LINES[sign]]
    if sign in "╭╮╰╯":
        (ax, ay), (bx, by) = sides
        return f"M{_n(ax)} {_n(ay)}Q{_n(middle_x)} {_n(middle_y)} {_n(bx)} {_n(by)}"
    return "".join(f"M{_n(middle_x)} {_n(middle_y)}L{_n(a)} {_n(b)}" for a, b in sides)


def _n(value: float) -> str:
    """A number with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
