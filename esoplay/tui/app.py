"""The terminal application: themes, keys, commands of the palette, and shutdown."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rich.console import COLOR_SYSTEMS, Console
from rich.segment import Segment
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.color import Color
from textual.driver import Driver
from textual.filter import LineFilter
from textual.notifications import SeverityLevel
from textual.screen import Screen

from esoplay.color_depth import ColorDepth, color_depth
from esoplay.errors import EXIT_INTERNAL, EsoplayError
from esoplay.paths import state_folder, themes_folder
from esoplay.terminal_text import drop_controls
from esoplay.tui.buffers import watch_folder
from esoplay.tui.color_palettes import NO_TERMINAL_COLORS, PaletteFilter, TerminalColors
from esoplay.tui.garbage import IdleCollector, release_widgets
from esoplay.tui.keys import Action, bindings, key_label, read_keys, use_keymap
from esoplay.tui.layout import CSS
from esoplay.tui.screen import PlayScreen
from esoplay.tui.terminal import (
    OrderedKeysApp,
    end_on_signals,
    exact_driver,
    ignore_terminating_signals,
)
from esoplay.tui.terminal_diff import diff_driver
from esoplay.tui.themes import (
    DEFAULT_THEME,
    LoadedThemes,
    displayed_colors,
    load_shipped_theme,
    load_themes,
    variable_defaults,
)
from esoplay.tui.workspace import LaunchRequest, Workspace

if TYPE_CHECKING:
    from textual.command import Provider
    from textual.theme import Theme


THREAD_SWITCH_SECONDS = 0.001
"""Seconds between thread switches; a key press takes several switches.

Python's default of 5 ms would be noticeable.
"""


def _load_palette_provider() -> type[Provider]:
    from esoplay.tui.palette import PaletteProvider  # late: the import takes 8 ms

    return PaletteProvider


class ControlCharacterFilter(LineFilter):
    """A line filter that removes control characters, which file names or programs may contain."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments without control characters."""
        if all(segment.text.isprintable() for segment in segments):
            return segments
        return [
            Segment(drop_controls(segment.text), segment.style, segment.control)
            for segment in segments
        ]


_CONTROL_FILTER = ControlCharacterFilter()


class EsoplayApp(OrderedKeysApp):
    """The Textual application of esoplay."""

    TITLE = "esoplay"
    CSS = CSS
    ENABLE_COMMAND_PALETTE = True
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {
        _load_palette_provider
    }
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "app",
        Action("quit", "quit", "Quit", in_footer=True, tip="Everything is saved", priority=True),
    )

    _themes_loaded = False

    def __init__(self, folder: Path | None = None, *, request: LaunchRequest | None = None) -> None:
        super().__init__()
        # No colours, because stderr escapes Rich's control sequences.
        self.error_console = Console(markup=False, highlight=False, stderr=True, color_system=None)
        self._folder = state_folder() if folder is None else folder
        self.workspace = Workspace(self._folder, request=request, takes_sources=True)
        self._play_screen: PlayScreen | None = None
        self._color_depth = ColorDepth.TRUECOLOR
        self._terminal_colors: dict[str, TerminalColors] = {}
        self._cached_palette_filter: tuple[Theme, PaletteFilter] | None = None
        self._notices = list(self.workspace.state.notices)
        self._load_themes()
        self._load_keys()

    def get_key_display(self, binding: Binding) -> str:
        key = binding.key
        return super().get_key_display(binding) if "+" in key else key_label(key)

    @property
    def play_screen(self) -> PlayScreen:
        """The main screen, which can be below another screen."""
        assert self._play_screen is not None, "the application has not started"
        return self._play_screen

    def get_default_screen(self) -> Screen[None]:
        self._play_screen = PlayScreen(self.workspace)
        self._play_screen.prepare_styles(self.size)
        self._play_screen.suspend_painting(self)
        return self._play_screen

    def get_driver_class(self) -> type[Driver]:
        driver = super().get_driver_class()
        if (driver.__module__, driver.__name__) == ("textual.drivers.web_driver", "WebDriver"):
            from esoplay.tui.web_driver import ExactWebDriver  # late: used only in a web page

            return ExactWebDriver
        return diff_driver(exact_driver(driver))

    def get_line_filters(self) -> Sequence[LineFilter]:
        filters = super().get_line_filters()
        if self._color_depth is ColorDepth.TRUECOLOR:
            return [*filters, _CONTROL_FILTER]
        return [*filters, self._palette_filter(), _CONTROL_FILTER]

    def get_css_variables(self) -> dict[str, str]:
        """Return the colours of the theme by name; {} before the theme is read."""
        return super().get_css_variables() if self._themes_loaded else {}

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return variable_defaults(self.current_theme)

    def refresh_css(self, animate: bool = True) -> None:
        """Apply the theme to all widgets.

        Before the first screen exists, set only the colours of the theme, because the styles are
        parsed with that screen.
        """
        if self._play_screen is None:
            self.stylesheet.set_variables(self.get_css_variables())
        else:
            super().refresh_css(animate)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Show a message without markup, because a program or a file name may contain brackets.

        A message with the same text replaces the earlier one, so that a repeated key shows only
        one.
        """
        for each in list(self._notifications):
            if each.message == message:
                self._unnotify(each, refresh=False)
        super().notify(message, title=title, severity=severity, timeout=timeout, markup=False)

    def on_mount(self) -> None:
        for notice in self._notices:
            self._warn(notice)
        self.workspace.state.listen(self._warn)
        self.theme_changed_signal.subscribe(self, lambda theme: self._remember_theme(theme.name))

    async def on_ready(self) -> None:
        """Do the work that can wait until after the first frame."""
        if self._play_screen is not None:
            await self._play_screen.paint_when_stable()
        if not self.is_headless:
            self._catch_signals()  # before the work that follows, which takes 0.1 s
        if self._play_screen is not None:
            await self._play_screen.mount_hidden_panes()
        self.load_all_themes()
        _remove_stale_files()
        self.call_after_refresh(self._watch_themes)
        self.call_after_refresh(self._collect_garbage)

    def _collect_garbage(self) -> None:
        """Start automatic garbage collection, which is off until after the first frame."""
        if not gc.isenabled():
            release_widgets()
            IdleCollector(self, lambda: self.keys_sent)

    def _warn(self, notice: str) -> None:
        self.notify(notice, severity="warning", timeout=12)

    # Themes and keys

    def use_color_depth(self, depth: ColorDepth) -> None:
        """Draw for a terminal with this number of colours, from the next repaint on."""
        self._color_depth = depth
        self._cached_palette_filter = None
        system = COLOR_SYSTEMS["truecolor" if depth is ColorDepth.TRUECOLOR else "256"]
        self.console._color_system = system  # pyright: ignore[reportPrivateUsage]

    def _palette_filter(self) -> PaletteFilter:
        """Return a filter that replaces the exact colours of the theme by palette colours."""
        theme = self.current_theme
        if self._cached_palette_filter is None or self._cached_palette_filter[0] is not theme:
            colors = self._terminal_colors.get(theme.name, NO_TERMINAL_COLORS)
            colors_there = displayed_colors(theme, colors, self._color_depth)
            ground = Color.parse(self.theme_variables["background"]).rgb
            self._cached_palette_filter = (
                theme,
                PaletteFilter(self._color_depth, colors_there, ground),
            )
        return self._cached_palette_filter[1]

    def _load_themes(self) -> None:
        """Register only the selected theme if it is shipped and no user themes exist, else all."""
        name = str(self.workspace.state.setting("theme", DEFAULT_THEME))
        loaded = None
        if not any((self._folder / "themes").glob("*.toml")):
            loaded = load_shipped_theme(name, themes_folder())
        self._themes_pending = loaded is not None
        if loaded is None:
            self._notices += self._read_themes()
        else:
            self._register_themes(loaded)
        self.theme = name if name in self.available_themes else DEFAULT_THEME

    def load_all_themes(self) -> None:
        """Register the themes that the first frame does not need."""
        if self._themes_pending:
            self._themes_pending = False
            for notice in self._read_themes():
                self._warn(notice)

    def _read_themes(self) -> list[str]:
        """Register the theme files; return a message for each invalid file."""
        loaded = load_themes([themes_folder(), self._folder / "themes"])
        self._register_themes(loaded)
        return loaded.notices

    def _register_themes(self, loaded: LoadedThemes) -> None:
        self._themes_loaded = True
        self._own_themes = list(loaded.themes)
        self._terminal_colors = loaded.terminal_colors
        for name, theme in loaded.themes.items():
            if self.available_themes.get(name) != theme:
                self.register_theme(theme)

    def _watch_themes(self) -> None:
        """Reload the user's themes when one of their files changes."""

        async def watch() -> None:
            async for changed in watch_folder(self._folder / "themes"):
                if any(path.suffix == ".toml" for path in changed):
                    self.reload_themes()

        self.run_worker(watch(), group="themes", exit_on_error=False)

    def reload_themes(self) -> None:
        """Read the theme files again and apply the current theme."""
        for notice in self._read_themes():
            self.notify(notice, severity="warning")
        self.mutate_reactive(EsoplayApp.theme)

    def _remember_theme(self, name: str) -> None:
        try:
            self.workspace.state.set_setting("theme", name)
        except EsoplayError as error:
            self.notify(str(error), severity="error")

    def action_next_theme(self) -> None:
        """Switch to the next theme."""
        names = self._own_themes
        here = names.index(self.theme) if self.theme in names else -1
        self.theme = names[(here + 1) % len(names)]
        self.notify(f"Theme: {self.theme}", timeout=2)

    def _load_keys(self) -> None:
        keys = read_keys(self._folder)
        if keys.notice:
            self._notices.append(keys.notice)
        self.set_keymap(keys.keymap)
        use_keymap(keys.keymap)

    # The palette

    def action_command_palette(self) -> None:
        # Imported when the key is pressed.
        from esoplay.tui.palette import PALETTE_ID, command_palette

        if self.screen.id != PALETTE_ID:
            self.push_screen(command_palette())

    def search_themes(self) -> None:
        from esoplay.tui.palette import theme_palette

        self.push_screen(theme_palette())

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        from esoplay.tui.palette import palette_commands

        yield SystemCommand("Theme", "Choose a theme", self.action_change_theme)
        yield from palette_commands(self.play_screen)
        yield SystemCommand("Quit", "Everything is saved", self.action_leave_app)

    # Shutdown

    async def action_quit(self) -> None:
        self.action_leave_app()

    def action_leave_app(self) -> None:
        """Quit; if a file has unsaved changes, ask first."""
        self.run_worker(self._quit(), exclusive=True, group="quit")

    async def _quit(self) -> None:
        if await self.play_screen.prepare_to_leave():
            self.exit(0)

    def _catch_signals(self) -> None:
        """Close the application when the terminal is closed or the process is terminated."""
        end_on_signals(asyncio.get_running_loop(), self.exit)

    def save_everything(self) -> None:
        """Save the program that is being edited; also called after a crash."""
        if self._play_screen is not None:
            self.workspace.autosave(self._play_screen.program.source)

    def run_until_exit(self) -> int:
        """Run in this terminal and return the exit code; after a crash, save the edited program.

        Raises StoreError if the program or progress could not be saved.
        """
        sys.setswitchinterval(THREAD_SWITCH_SECONDS)
        try:
            self.use_color_depth(color_depth(os.environ))
            code = self.run()
        finally:
            ignore_terminating_signals()
            try:
                self.save_everything()
            finally:
                self.workspace.state.close()
        return EXIT_INTERNAL if self.return_code else code or 0


def _remove_stale_files() -> None:
    """Remove the temporary folders of killed processes."""
    from esoplay.temporary_folders import (
        remove_leftovers,
    )  # late: the first frame needs none of its imports

    remove_leftovers()
