"""The styles of the debug views, derived from the current theme.

Information is never shown by colour alone. The next instruction is also marked in the gutter; the
cursor and changed cells are underlined; the pointer and the first wrong byte are in brackets; cells
that a program wrote into its own code are bold and italic; consumed input is struck through; future
output is italic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rich.style import Style
from textual.color import Color, ColorParseError

from esoplay.tui.themes import variable_defaults

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual.app import App
    from textual.theme import Theme


CODE_KINDS = ("comment", "loop", "move", "arithmetic", "io")

HIGH_CONTRAST_HEAT = 3
"""The lowest heat shade (1 to 5) that replaces the code's colour by almost black or white.

The code's own colour would have too little contrast with this shade.
"""

TRAIL_SHARES = (0.35, 0.22, 0.12)
"""Shares of the next instruction's colour in the background of executed cells, latest first."""


class Palette(NamedTuple):
    """Styles of the library Rich, by their meaning in the debug views.

    Each style has a background, so that spans can be drawn separately.
    """

    base: Style
    faint: Style
    strong: Style
    frame: Style
    frame_focused: Style
    title: Style
    title_focused: Style
    key: Style
    next: Style
    cursor: Style
    partner: Style
    found: Style
    pointer: Style
    changed: Style
    written: Style
    trail: tuple[Style, ...]
    selected: Style
    breakpoint: Style
    future: Style
    consumed: Style
    expected: Style
    got: Style
    wrong: Style
    good: Style
    bad: Style
    warning: Style
    code: Mapping[str, Style]
    heat: tuple[Style, ...]


_palettes: dict[Color, tuple[Theme, Mapping[str, str], Palette]] = {}


def shared_palette(app: App[None], background: Color) -> Palette:
    """Return the palette of the app's theme on ``background``; widgets share the object."""
    theme, variables = app.current_theme, app.theme_variables
    cached = _palettes.get(background)
    if cached is None or cached[0] is not theme or cached[1] is not variables:
        palette = _palette({**variable_defaults(theme), **variables}, background)
        cached = _palettes[background] = (theme, variables, palette)
    return cached[2]


def _palette(variables: Mapping[str, str], background: Color) -> Palette:

    def color(name: str, fallback: str = "foreground", over: Color = background) -> Color:
        return (
            _resolve(variables.get(name, ""), over) or _resolve(variables[fallback], over) or over
        )

    def text_style(name: str, *, on: Color | None = None, fallback: str = "foreground") -> Style:
        under = background if on is None else on
        front = color(name, fallback, under)
        return Style(color=front.rich_color, bgcolor=under.rich_color)

    bold, underline = Style(bold=True), Style(underline=True)
    cursor_color = color("block-cursor-background", "primary")
    blurred_cursor_color = color("block-cursor-blurred-background", "panel")
    next_color = color("next", "accent")
    base = text_style("foreground")
    return Palette(
        base=base,
        faint=text_style("code-comment", fallback="foreground"),
        strong=base + bold,
        frame=text_style("border-blurred", fallback="panel"),
        frame_focused=text_style("border", fallback="primary"),
        title=text_style("code-comment"),
        title_focused=text_style("border", fallback="primary") + bold,
        key=text_style("footer-key-foreground", fallback="accent"),
        next=text_style("next-text", on=next_color) + bold,
        cursor=text_style("block-cursor-foreground", on=cursor_color) + bold + underline,
        partner=base + bold + underline,
        found=text_style("foreground", on=blurred_cursor_color) + underline,
        pointer=text_style("pointer", fallback="primary") + bold,
        changed=text_style("changed", fallback="accent") + bold + underline,
        written=text_style("changed", fallback="accent") + bold + Style(italic=True),
        trail=tuple(
            base + Style(bgcolor=background.blend(next_color, share).rich_color)
            for share in TRAIL_SHARES
        ),
        selected=text_style("foreground", on=blurred_cursor_color) + bold,
        breakpoint=text_style("breakpoint", fallback="error") + bold,
        future=text_style("future", fallback="foreground") + Style(italic=True),
        consumed=text_style("consumed", fallback="foreground") + Style(strike=True),
        expected=text_style("diff-expected", fallback="success"),
        got=base,
        wrong=text_style("diff-got", fallback="error") + bold,
        good=text_style("success") + bold,
        bad=text_style("error") + bold,
        warning=text_style("warning") + bold,
        code={kind: text_style(f"code-{kind}") for kind in CODE_KINDS},
        heat=tuple(_heat_style(color(f"heat-{level}"), level) for level in range(1, 6)),
    )


def _heat_style(background: Color, level: int) -> Style:
    """Return the style of heat shade ``level``; high shades also replace the code's colour."""
    front = background.get_contrast_text(0.95).rich_color if level >= HIGH_CONTRAST_HEAT else None
    return Style(color=front, bgcolor=background.rich_color)


def _resolve(text: str, background: Color) -> Color | None:
    """Return the colour of a value such as ``#aabbcc 40%`` on ``background``; None if invalid."""
    name, _, opacity = text.partition(" ")
    try:
        if name == "auto":
            return background.get_contrast_text(float(opacity.rstrip("%") or 100) / 100)
        color = Color.parse(name)
    except (ColorParseError, ValueError):
        return None
    alpha = float(opacity.rstrip("%")) / 100 if opacity.endswith("%") else color.a
    return background.blend(color.with_alpha(1.0), alpha)


# The theme variables of the debug pane. A theme may set them; otherwise ``esoplay.tui.themes``
# derives them from the general colours, so the pane works in every Textual theme.

VARIABLES = {
    "next": "background of the next instruction, whose text has the colour $next-text",
    "pointer": "the pointer's cell and the mark of the current row",
    "changed": "cells that the last move changed",
    "breakpoint": "breakpoints, in the program and on the timeline",
    "future": "output printed after the current step, in the known history",
    "consumed": "input that has been read",
    "diff-expected": "expected output",
    "diff-got": "the first wrong byte",
    "code-loop": "brackets",
    "code-move": "pointer movements in the program; reads on the timeline",
    "code-arithmetic": "changes of cells",
    "code-io": "input and output commands in the program; output on the timeline",
    "code-comment": "comments, line numbers, secondary text",
}
"""The purpose of each theme variable."""
