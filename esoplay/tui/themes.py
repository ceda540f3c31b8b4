"""Theme files: ``themes/*.toml`` of the package and of the user's state folder.

A file contains the arguments of :class:`textual.theme.Theme`. Its ``[variables]`` may set esoplay's
own colours (:data:`OWN_VARIABLES`); otherwise they are derived from the general colours, so that
any Textual theme works. Its ``[colours-256]`` and ``[colours-16]`` choose colours for terminals
without exact colours (:mod:`esoplay.tui.color_palettes`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from textual.color import Color, ColorParseError
from textual.theme import Theme

from esoplay.tui.color_palettes import (
    NO_TERMINAL_COLORS,
    ColorMap,
    TerminalColors,
    color_map,
    read_terminal_colors,
)

if TYPE_CHECKING:
    from esoplay.color_depth import ColorDepth

DEFAULT_THEME = "midnight"

_DERIVED = {
    "quiet": "foreground 60%",
    "pointer": "primary",
    "pointer-text": "background",
    "next": "accent",
    "next-text": "background",
    "changed": "accent",
    "breakpoint": "error",
    "heat-1": "primary 10%",
    "heat-2": "primary 25%",
    "heat-3": "warning 30%",
    "heat-4": "warning 50%",
    "heat-5": "error 60%",
    "future": "foreground 40%",
    "consumed": "foreground 50%",
    "diff-expected": "success",
    "diff-got": "error",
    "code-loop": "secondary-lighten-2",
    "code-move": "primary-lighten-1",
    "code-arithmetic": "success",
    "code-io": "accent",
    "code-comment": "foreground 50%",
}

OWN_VARIABLES = tuple(_DERIVED)
"""Names of the colours that esoplay adds to the colours of a Textual theme.

``heat-1`` to ``heat-5`` are the colours of cells that were executed rarely to often.
"""


GENERAL_COLORS = (
    "primary", "secondary", "accent", "success", "warning", "error", "foreground", "background",
    "surface", "panel", "boost",
)  # fmt: skip
"""Names of the colours that are arguments of :class:`textual.theme.Theme`."""


class LoadedThemes(NamedTuple):
    """The themes that were read from files.

    themes: by name; the user's replace esoplay's. notices: a message for each invalid file.
    terminal_colors: the colours of each theme on terminals without exact colours.
    """

    themes: dict[str, Theme]
    notices: list[str]
    terminal_colors: dict[str, TerminalColors]


def load_themes(folders: Iterable[Path]) -> LoadedThemes:
    """Read all ``*.toml`` files in the folders; invalid files are reported and skipped."""
    loaded = LoadedThemes({}, [], {})
    for folder in folders:
        for path in sorted(folder.glob("*.toml")):
            try:
                theme, colors = read_theme_file(path.read_text("utf-8"))
            except (OSError, ValueError) as error:
                loaded.notices.append(f"theme {path.name} was ignored: {error}")
            else:
                loaded.themes[theme.name] = theme
                loaded.terminal_colors[theme.name] = colors
    return loaded


def load_shipped_theme(name: str, folder: Path) -> LoadedThemes | None:
    """Read only the theme ``name`` in esoplay's own ``folder``; None if it cannot be read."""
    try:
        theme, colors = read_theme_file((folder / f"{name}.toml").read_text("utf-8"))
    except (OSError, ValueError):
        return None
    if theme.name != name:
        return None
    return LoadedThemes({name: theme}, [], {name: colors})


def read_theme(text: str) -> Theme:
    """Return the theme in the text of a file. Raises ValueError, which names the invalid key."""
    return read_theme_file(text)[0]


def read_theme_file(text: str) -> tuple[Theme, TerminalColors]:
    """Return a theme and its terminal colours. Raises ValueError, which names the invalid key."""
    table = tomllib.loads(text)
    tables = {name: table.pop(name) for name in ("colours-256", "colours-16") if name in table}
    try:
        theme = Theme(**table)
        variables = theme.to_color_system().generate()
    except (TypeError, AttributeError) as error:
        raise ValueError(str(error).replace("Theme.__init__() ", "")) from error
    except ColorParseError as error:
        raise ValueError(str(error)) from error
    for name, value in {**variables, **theme.variables}.items():
        if name in OWN_VARIABLES:
            _check_color(name, value)
    known = {*GENERAL_COLORS, *variables, *OWN_VARIABLES, *theme.variables}
    return theme, read_terminal_colors(tables, known) if tables else NO_TERMINAL_COLORS


def displayed_colors(theme: Theme, colors: TerminalColors, depth: ColorDepth) -> ColorMap:
    """Return the colours of a theme as displayed at a colour depth."""
    variables = theme.to_color_system().generate()
    return color_map(
        theme, {**variables, **variable_defaults(theme), **theme.variables}, colors, depth
    )


def variable_defaults(theme: Theme) -> dict[str, str]:
    """Return esoplay's own colours for a theme that does not set them."""
    general = theme.to_color_system().generate()
    defaults: dict[str, str] = {}
    for name, source in _DERIVED.items():
        base, _, opacity = source.partition(" ")
        defaults[name] = f"{general[base]} {opacity}".strip()
    return defaults


def _check_color(name: str, value: str) -> None:
    color = value.rpartition(" ")[0] if value.endswith("%") else value
    try:
        Color.parse(color)
    except (ColorParseError, AttributeError, TypeError) as error:
        raise ValueError(f"variable {name} is not a colour: {value!r}") from error
