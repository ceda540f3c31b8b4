"""The command palette and the choice of a theme, with their keys in the last line."""

from __future__ import annotations

from textual.command import CommandPalette
from textual.theme import ThemeProvider
from textual.widget import Widget

from esoplay.tui.footer import Footer
from esoplay.tui.keys import KeyedPlace, PlaceKey, PlaceKeys, enter_key, escape_key

PALETTE_ID = "--command-palette"
"""The id by which Textual recognises its palette."""


class PaletteScreen(CommandPalette, KeyedPlace):
    """Textual's palette with its own footer."""

    DEFAULT_CSS = """
    PaletteScreen > Footer { background: $background; }
    """

    def _extend_compose(self, widgets: list[Widget]) -> None:
        super()._extend_compose(widgets)
        widgets.append(Footer())

    def place_keys(self) -> PlaceKeys:
        keys = (PlaceKey("↑/↓", "Choose", ("up", "down"), "down"), enter_key("Run"))
        return PlaceKeys((PlaceKey("", "Type to search"), *keys), (escape_key("Close"),))


def command_palette() -> PaletteScreen:
    """Return the palette of all commands."""
    return PaletteScreen(id=PALETTE_ID)


def theme_palette() -> PaletteScreen:
    """Return the choice of a theme."""
    return PaletteScreen(providers=[ThemeProvider], placeholder="Search for themes…")
