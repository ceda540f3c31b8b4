"""The application with a session on the screen instead of the desk."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from textual.app import App, SystemCommand
from textual.screen import Screen

from esoplay.benchmark.replay import Replay
from esoplay.tui.app import EsoplayApp
from esoplay.tui.replay.screen import ReplayScreen


class ReplayApp(EsoplayApp):
    """Shows one session; it writes nothing but the choice of a theme."""

    COMMANDS = App.COMMANDS

    def __init__(self, replay: Replay, folder: Path | None = None) -> None:
        super().__init__(folder)
        self._replay = replay
        self._replay_screen: ReplayScreen | None = None

    @property
    def replay_screen(self) -> ReplayScreen:
        """The session's screen, whatever lies on top of it."""
        assert self._replay_screen is not None, "the application has not started"
        return self._replay_screen

    def get_default_screen(self) -> Screen[None]:
        self._replay_screen = ReplayScreen(self._replay)
        return self._replay_screen

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        yield SystemCommand("Theme", "Choose the colours", self.action_change_theme)
        yield from self.replay_screen.commands()
        yield SystemCommand("Quit", "Leave the replay", self.action_quit_soon)

    def action_quit_soon(self) -> None:
        self.exit(0)
