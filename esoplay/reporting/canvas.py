"""A canvas that becomes an SVG element or document.

Colors are CSS classes (``chart.css``), so that a picture fits its page. Every picture has a title
and a description for readers who cannot see it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from itertools import accumulate
from typing import Any, cast
from unicodedata import combining, east_asian_width

from esoplay.errors import UsageError

WIDTH = 860
"""The width of every picture, in pixels."""
ROW_HEIGHT = 24
FONT_SIZE = 13
"""The font size, in pixels."""
_LETTER_WIDTH = 0.56  # average width of a letter, relative to the font size
_MIN_NAME_WIDTH, _MAX_NAME_WIDTH = 110.0, 340.0  # width of the names at the left

COLOUR_COUNT = 6
SHAPES = ("disc", "square", "triangle", "diamond", "cross", "ring", "bar")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "5 2", "12 4", "1 2")
HATCHES = ("", "M0 6L6 0", "M0 0L6 6", "M3 0V6", "M0 3H6", "M0 0L6 6M0 6L6 0")


@cache
def style() -> str:
    """Return the style sheet that all pictures share."""
    return files("esoplay.reporting").joinpath("chart.css").read_text("utf-8")


@cache
def plain_style() -> str:
    """Return the style sheet in light colors, without variables, for converters of SVG."""
    sheet = style()
    colours = dict(re.findall(r"--([a-z0-9]+): (#[0-9a-f]{6});", sheet.partition("}")[0]))
    rules = [line for line in sheet.splitlines() if line.startswith(".picture .")]
    # A converter without support for paint-order would draw the outline over the text.
    plain = re.sub(
        r" stroke: [^;]*; stroke-width: [^;]*; paint-order: stroke;", "", "\n".join(rules)
    )
    return re.sub(r"var\(--([a-z0-9]+)\)", lambda found: colours[found[1]], plain)


def text_width(text: str, size: float = FONT_SIZE) -> float:
    """Estimate the width of a text in pixels."""
    return count_columns(text) * _LETTER_WIDTH * size


def name_column_width(names: Iterable[str]) -> float:
    """Return a width in pixels for a column of names, between a minimum and a maximum."""
    widest = max((text_width(name) for name in names), default=0)
    return min(_MAX_NAME_WIDTH, max(_MIN_NAME_WIDTH, widest + 16))


def shorten(text: str, width: float, size: float = FONT_SIZE) -> str:
    """Shorten the text to a width in pixels."""
    return shorten_to_columns(text, max(2, int(width / (_LETTER_WIDTH * size))))


def svg_number(value: float) -> str:
    """Return a coordinate, rounded to a tenth of a pixel, in its shortest form."""
    return f"{value:.1f}".removesuffix(".0")


class SvgCanvas:
    """A collector of SVG elements; y grows downwards.  name: prefix of ids, unique in a page."""

    def __init__(self, name: str, title: str, description: str):
        self.name = name
        self.title = title
        self.description = description
        self.height = 0.0
        self._elements: list[str] = []

    def text(
        self,
        x: float,
        y: float,
        text: str,
        kind: str = "ink",
        anchor: str = "start",
        full_text: str | None = None,
    ) -> None:
        """Write a line of text, with the tooltip ``full_text`` if that differs from ``text``."""
        hint = f"<title>{escape(full_text)}</title>" if full_text and full_text != text else ""
        at = f'x="{svg_number(x)}" y="{svg_number(y)}"'
        self._elements.append(
            f'<text class="{kind}" {at} text-anchor="{anchor}">{hint}{escape(text)}</text>'
        )

    def label(self, x: float, y: float, text: str, width: float) -> None:
        """Write a name that ends at ``x``, shortened to ``width``."""
        self.text(x, y, shorten(text, width), "ink", "end", full_text=text)

    def line(self, x1: float, y1: float, x2: float, y2: float, kind: str = "rule") -> None:
        start = f'x1="{svg_number(x1)}" y1="{svg_number(y1)}"'
        end = f'x2="{svg_number(x2)}" y2="{svg_number(y2)}"'
        self._elements.append(f'<line class="{kind}" {start} {end}/>')

    def rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        kind: str,
        *,
        opacity: float | None = None,
        hint: str = "",
    ) -> None:
        place = f'x="{svg_number(x)}" y="{svg_number(y)}"'
        size = f'width="{svg_number(width)}" height="{svg_number(height)}"'
        faint = "" if opacity is None else f' fill-opacity="{opacity:.2f}"'
        self._elements.append(
            f'<rect class="{kind}" {place} {size}{faint}>{_hint(hint)}</rect>'
            if hint
            else f'<rect class="{kind}" {place} {size}{faint}/>'
        )

    def path(self, points: Sequence[tuple[float, float]], kind: str, dash: str = "") -> None:
        """Draw a line through points."""
        way = "L".join(f"{svg_number(x)} {svg_number(y)}" for x, y in points)
        broken = f' stroke-dasharray="{dash}"' if dash else ""
        self._elements.append(f'<path class="{kind}" d="M{way}"{broken}/>')

    def mark(
        self, shape: str, x: float, y: float, colour: int, hint: str = "", r: float = 5
    ) -> None:
        """Draw one of the ``SHAPES`` around a point."""
        kind = f"s{colour} bold" if shape in ("cross", "ring", "bar") else f"c{colour}"
        element = _SHAPE_ELEMENTS[shape].format(r=svg_number(r), h=svg_number(r * 0.85))
        self._elements.append(
            f'<g class="{kind}" transform="translate({svg_number(x)} {svg_number(y)})">'
            f"{_hint(hint)}{element}</g>"
        )

    def segment(
        self, x: float, y: float, width: float, height: float, colour: int, hint: str
    ) -> None:
        """Draw a segment of a bar, with its hatching."""
        self.rect(x, y, width, height, f"c{colour % COLOUR_COUNT}", hint=hint)
        if HATCHES[colour % len(HATCHES)]:
            at = f'x="{svg_number(x)}" y="{svg_number(y)}"'
            size = f'width="{svg_number(width)}" height="{svg_number(height)}"'
            fill = f"url(#{self.name}-{colour % len(HATCHES)})"
            self._elements.append(f'<rect {at} {size} fill="{fill}" pointer-events="none"/>')

    def element(self) -> str:
        """Return the picture for an HTML page that contains the style sheet."""
        return self._svg(self._body())

    def document(self) -> str:
        """Return the picture as a separate file."""
        sheet = f"<style>{style()}</style>"
        return self._svg([sheet, *self._body()], ' xmlns="http://www.w3.org/2000/svg"') + "\n"

    def plain_document(self) -> str:
        """Return the picture as a file in light colors, in the CSS that converters understand."""
        font = f' font-family="DejaVu Sans, Arial, sans-serif" font-size="{FONT_SIZE}"'
        sheet = f"<style>{plain_style()}</style>"
        xmlns = ' xmlns="http://www.w3.org/2000/svg"'
        return self._svg([sheet, *self._body()], xmlns + font) + "\n"

    def _body(self) -> Iterable[str]:
        yield f'<title id="{self.name}-title">{escape(self.title)}</title>'
        yield f'<desc id="{self.name}-desc">{escape(self.description)}</desc>'
        drawn = "\n".join(self._elements)
        patterns = "".join(
            f'<pattern id="{self.name}-{at}" width="6" height="6" patternUnits="userSpaceOnUse">'
            f'<path class="hatch" d="{way}"/></pattern>'
            for at, way in enumerate(HATCHES)
            if f"#{self.name}-{at})" in drawn
        )
        if patterns:
            yield f"<defs>{patterns}</defs>"
        yield f'<rect class="paper" width="{WIDTH}" height="{svg_number(self.height)}"/>'
        yield drawn

    def _svg(self, body: Iterable[str], attributes: str = "") -> str:
        box = f'viewBox="0 0 {WIDTH} {svg_number(self.height)}" width="{WIDTH}"'
        named = f'aria-labelledby="{self.name}-title {self.name}-desc"'
        inside = "\n".join(body)
        return f'<svg class="picture" role="img" {named} {box}{attributes}>\n{inside}\n</svg>'


_SHAPE_ELEMENTS = {
    "disc": '<circle r="{r}"/>',
    "square": '<path d="M-{h}-{h}H{h}V{h}H-{h}Z"/>',
    "triangle": '<path d="M0-{r}L{r} {h}L-{r} {h}Z"/>',
    "diamond": '<path d="M0-{r}L{r} 0L0 {r}L-{r} 0Z"/>',
    "cross": '<path d="M-{h}-{h}L{h} {h}M-{h} {h}L{h}-{h}"/>',
    "ring": '<circle r="{h}"/>',
    "bar": '<path d="M0-{r}V{r}"/>',
}


def _hint(text: str) -> str:
    return f"<title>{escape(text)}</title>" if text else ""


# Widths of texts: East Asian letters take two columns, combining characters none (UAX #11).


def count_columns(text: str) -> int:
    """Return the number of terminal columns that a printable text takes."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def shorten_to_columns(text: str, columns: int) -> str:
    """Shorten the text to a number of columns."""
    if count_columns(text) <= columns:
        return text
    ends = accumulate(map(_columns, text))
    return text[: sum(end < columns for end in ends)] + "…"


def _columns(character: str) -> int:
    return 0 if combining(character) else 1 + (east_asian_width(character) in "WF")


# Pictures as PDF, for papers; needs CairoSVG (the extra ``pdf``).

_MISSING = "--pdf needs the extra pdf: pip install 'esoplay[pdf]'"
_NO_CAIRO = "--pdf needs the library Cairo, which CairoSVG cannot load"
_TRY = "try: install libcairo2 (Debian, Ubuntu), cairo (Fedora, Homebrew)"


def pdf_writer() -> Callable[[SvgCanvas], bytes]:
    """Return a function that converts SVG to PDF; raise UsageError if a library is missing."""
    try:
        # No stubs exist.
        import cairosvg  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError:
        raise UsageError(_MISSING) from None
    except OSError:
        raise UsageError(f"{_NO_CAIRO}\n{_TRY}") from None
    convert = cast("Callable[..., Any]", getattr(cairosvg, "svg2pdf"))  # noqa: B009 (untyped)
    return lambda canvas: bytes(convert(bytestring=canvas.plain_document().encode("utf-8")))
