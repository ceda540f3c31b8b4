"""Map a theme's exact colours to the colours of a terminal with 256, 16 or no colours.

Widgets are drawn in exact colours. :class:`PaletteFilter` is the last step before a line is
painted: it replaces each pair of text and background colours by colours of the terminal's palette.
A theme chooses numbers for its own colours (tables ``colours-256`` and ``colours-16`` of its file);
other colours, such as blends, get the most similar one. The contrast of text does not fall below
:data:`MIN_TEXT_CONTRAST`, unless it already was below in exact colours.

Sources: xterm's palette (``256colres.pl`` and ``XTerm-col.ad``); relative luminance and contrast of
WCAG 2.1; Oklab by Björn Ottosson, https://bottosson.github.io/posts/oklab.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.color import Color, ColorParseError
from textual.filter import LineFilter
from textual.theme import Theme

from esoplay.color_depth import ColorDepth

Rgb = tuple[int, int, int]

MIN_TEXT_CONTRAST = 4.5
"""Minimum contrast of text (WCAG 2.1, level AA)."""
MIN_BACKGROUND_CONTRAST = 1.25
"""A background with at least this contrast with the theme's background counts as highlighted.

A terminal without colours shows a highlighted background in reverse video.
"""

ANSI_NAMES = (
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
    "bright_black", "bright_red", "bright_green", "bright_yellow",
    "bright_blue", "bright_magenta", "bright_cyan", "bright_white",
)  # fmt: skip
"""Names of the 16 colours, by number. Users choose how their terminal displays them."""

XTERM_16: tuple[Rgb, ...] = (
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0),
    (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0),
    (92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255),
)  # fmt: skip
"""xterm's default values of the 16 colours, from which contrast is computed."""

_LEVELS = (0, 95, 135, 175, 215, 255)


def xterm_color(number: int) -> Rgb:
    """Return one of xterm's 256 colours: 16 named colours, a cube of 216, or 24 greys."""
    if number < 16:
        return XTERM_16[number]
    if number < 232:
        red, rest = divmod(number - 16, 36)
        green, blue = divmod(rest, 6)
        return _LEVELS[red], _LEVELS[green], _LEVELS[blue]
    grey = 8 + 10 * (number - 232)
    return grey, grey, grey


class TerminalColors(NamedTuple):
    """The numbers of terminal colours by name of theme colour, for 256 and for 16 colours."""

    colors_256: Mapping[str, int]
    colors_16: Mapping[str, int]

    def for_depth(self, depth: ColorDepth) -> Mapping[str, int]:
        """Return the number of each theme colour at a colour depth; {} without colours."""
        if depth is ColorDepth.EIGHT_BIT:
            return self.colors_256
        return self.colors_16 if depth is ColorDepth.ANSI else {}


NO_TERMINAL_COLORS = TerminalColors({}, {})
"""The terminal colours of a theme that does not choose any."""


def read_terminal_colors(table: Mapping[str, object], known_names: Iterable[str]) -> TerminalColors:
    """Read the tables ``colours-256`` and ``colours-16`` of a theme file.

    Raises ValueError for an unknown name or colour.
    """
    names = frozenset(known_names)
    tables: list[dict[str, int]] = []
    for title, read in (("colours-256", _parse_number_256), ("colours-16", _parse_number_16)):
        found = table.get(title, {})
        if not isinstance(found, dict):
            raise ValueError(f"{title} must be a table")
        numbers: dict[str, int] = {}
        for name, value in found.items():  # pyright: ignore[reportUnknownVariableType]
            if name not in names:
                raise ValueError(f"{title}: unknown theme colour {name}")
            numbers[str(name)] = read(f"{title}: {name}", value)  # pyright: ignore[reportUnknownArgumentType]
        tables.append(numbers)
    return TerminalColors(*tables)


def _parse_number_256(key: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 16 <= value <= 255:
        raise ValueError(f"{key}: expected an integer from 16 to 255, found {value!r}")
    return value


def _parse_number_16(key: str, value: object) -> int:
    if value not in ANSI_NAMES:
        expected = ", ".join(ANSI_NAMES)
        raise ValueError(f"{key}: expected one of {expected}; found {value!r}")
    return ANSI_NAMES.index(str(value))


# Contrast and similarity.


def _linear(channel: int) -> float:
    share = channel / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


@lru_cache(4096)
def luminance(color: Rgb) -> float:
    """Return the relative luminance of a colour, from 0 to 1."""
    red, green, blue = map(_linear, color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: Rgb, second: Rgb) -> float:
    """Return the contrast ratio of two colours, from 1 to 21."""
    darker, lighter = sorted((luminance(first), luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


@lru_cache(4096)
def _oklab(color: Rgb) -> tuple[float, float, float]:
    red, green, blue = map(_linear, color)
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def _difference(first: Rgb, second: Rgb) -> float:
    return sum((a - b) ** 2 for a, b in zip(_oklab(first), _oklab(second), strict=True))


# From exact colours to the colours of a palette.


class ColorMap:
    """Maps exact colours, and pairs of text and background, to colours of a palette.

    chosen_numbers: numbers that the theme chooses for its colours. numbers: the candidates for
    other colours.
    """

    def __init__(self, chosen_numbers: Mapping[Rgb, int], numbers: range) -> None:
        self._chosen = dict(chosen_numbers)
        self._numbers = numbers
        self._nearest: dict[Rgb, int] = {}

    def pair(self, foreground: Rgb, background: Rgb) -> tuple[int, int]:
        """Return the palette numbers for text in ``foreground`` on ``background``."""
        ground = self.nearest(background)
        below = xterm_color(ground)
        least = min(MIN_TEXT_CONTRAST, contrast(foreground, background))
        number = self.nearest(foreground)
        if contrast(xterm_color(number), below) >= least:
            return number, ground
        enough = [each for each in self._numbers if contrast(xterm_color(each), below) >= least]
        if enough:
            return min(enough, key=lambda each: _difference(xterm_color(each), foreground)), ground
        return max(self._numbers, key=lambda each: contrast(xterm_color(each), below)), ground

    def nearest(self, color: Rgb) -> int:
        """Return the palette number that the theme chose for a colour.

        If the theme chose none, return the number of the most similar palette colour.
        """
        if (chosen := self._chosen.get(color)) is not None:
            return chosen
        number = self._nearest.get(color)
        if number is None:
            number = min(self._numbers, key=lambda each: _difference(xterm_color(each), color))
            self._nearest[color] = number
        return number


def color_map(
    theme: Theme, variables: Mapping[str, str], colors: TerminalColors, depth: ColorDepth
) -> ColorMap:
    """Return the map from a theme's exact colours to numbers of terminal colours.

    variables: the theme's colours by name, including derived ones.  colors: the numbers that the
    theme chooses for some of its colours.  depth: whether the terminal has 256 or 16 colours.
    """
    chosen: dict[Rgb, int] = {}
    for name, number in colors.for_depth(depth).items():
        value = getattr(theme, name, None) or variables.get(name)
        if isinstance(value, str) and (rgb := _parse_color(value)) is not None:
            chosen.setdefault(rgb, number)
    return ColorMap(chosen, range(16, 256) if depth is ColorDepth.EIGHT_BIT else range(16))


def _parse_color(value: str) -> Rgb | None:
    """Return the RGB values of an opaque colour; None for other text."""
    try:
        color = Color.parse(value)
    except ColorParseError:
        return None
    return color.rgb if color.a == 1 else None


class PaletteFilter(LineFilter):
    """Replaces exact colours by colours of the terminal's palette, for one theme."""

    def __init__(self, depth: ColorDepth, colors: ColorMap, background: Rgb) -> None:
        super().__init__(enabled=depth is not ColorDepth.TRUECOLOR)
        self._removes_colors = depth is ColorDepth.NONE
        self._colors = colors
        self._background = background
        self._styles: dict[Style, Style] = {}

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments in colours of the terminal."""
        styles = self._styles
        found: list[Segment] = []
        for segment in segments:
            text, style, control = segment
            if style is not None:
                replaced = styles.get(style)
                if replaced is None:
                    replaced = styles[style] = self._replace_colors(style, background)
                segment = Segment(text, replaced, control)
            found.append(segment)
        return found

    def _replace_colors(self, style: Style, background: Color) -> Style:
        front, back = _rgb(style.color), _rgb(style.bgcolor)
        below = background.rgb if back is None else back
        if self._removes_colors:
            return _remove_colors(
                style, highlighted=contrast(below, self._background) >= MIN_BACKGROUND_CONTRAST
            )
        number, ground = self._colors.pair(below if front is None else front, below)
        return style + Style.from_color(
            None if front is None else RichColor.from_ansi(number),
            None if back is None else RichColor.from_ansi(ground),
        )


def _rgb(color: RichColor | None) -> Rgb | None:
    """Return the RGB values of an exact colour; None for a palette colour."""
    if color is None or color.triplet is None:
        return None
    red, green, blue = color.triplet
    return red, green, blue


_NO_COLORS = Style.from_color(RichColor.default(), RichColor.default())


def _remove_colors(style: Style, *, highlighted: bool) -> Style:
    """Return a style without colours.

    highlighted: whether to toggle reverse video, so that the background remains visible.
    """
    return style + _NO_COLORS + Style(reverse=highlighted != bool(style.reverse))
