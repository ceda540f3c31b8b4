"""Destinations of ``g`` on the main screen: views, lists, the pack's solution, the start page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from textual.app import App

from esoplay.tui.browser.solution import PackSolutions
from esoplay.tui.browser.statement import StatementPane
from esoplay.tui.frame import View
from esoplay.tui.go_menu import GoMenu, refusal
from esoplay.tui.score.progress import ProgressPages
from esoplay.tui.views import Navigation
from esoplay.tui.workspace import Workspace


class Destinations:
    """Opens the menu of ``g``, and goes to the chosen destination."""

    def __init__(
        self,
        app: Callable[[], App[Any]],
        workspace: Workspace,
        statement: StatementPane,
        pages: ProgressPages,
        reading: PackSolutions,
        navigation: Navigation,
        *,
        show_start: Callable[[], None],
    ) -> None:
        self._app = app
        self._workspace = workspace
        self._statement = statement
        self._pages = pages
        self._reading = reading
        self._navigation = navigation
        self._show_start = show_start

    def show_menu(self) -> None:
        """Show the keys that can follow, and go to the destination of the next one."""
        self._app().push_screen(GoMenu(self.refusal), self._go)

    def refusal(self, destination: str) -> str | None:
        """Return why a destination is unavailable now; None if it is available."""
        learning = self._navigation.view() == "learn"
        return refusal(destination, self._workspace, self._statement.problem, learning=learning)

    async def _go(self, destination: str | None) -> None:
        match destination:
            case "problem.next":
                await self._pages.next_unsolved()
            case "matrix":
                self._pages.show_matrix()
            case "solutions":
                self._pages.show_solutions()
            case "solution":
                self.open_pack_solution()
            case "go.start":
                self._app().simulate_key("home")
            case "start":
                self._show_start()
            case None:
                pass
            case _:
                self._navigation.show_view(cast("View", destination.removeprefix("view.")))

    def open_pack_solution(self) -> None:
        """Show the pack's solution of the problem whose statement is shown."""
        problem = self._statement.problem
        if problem is not None:
            self._reading.open(problem)
