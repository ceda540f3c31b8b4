"""The destinations that the key ``g`` offers on the main screen, such as views and lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from textual.app import App

from esoplay.tui.browser.pack_solutions import PackSolutions
from esoplay.tui.browser.statement import StatementPane
from esoplay.tui.frame import View
from esoplay.tui.score.progress import ProgressPages
from esoplay.tui.views import Navigation
from esoplay.tui.workspace import Workspace


class Destinations:
    """Opens the menu of the key ``g``, and shows the selected destination."""

    def __init__(
        self,
        app: Callable[[], App[Any]],
        workspace: Workspace,
        statement: StatementPane,
        pages: ProgressPages,
        pack_solutions: PackSolutions,
        navigation: Navigation,
        *,
        show_start_page: Callable[[], None],
    ) -> None:
        self._app = app
        self._workspace = workspace
        self._statement = statement
        self._pages = pages
        self._pack_solutions = pack_solutions
        self._navigation = navigation
        self._show_start_page = show_start_page

    def show_menu(self) -> None:
        """Show the menu; the next key selects a destination."""
        from esoplay.tui.go_menu import GoMenu  # late: the first frame does not show it

        self._app().push_screen(GoMenu(self.unavailable_reason), self._open_destination)

    def unavailable_reason(self, destination: str) -> str | None:
        """Return why a destination is unavailable, or None if it is available."""
        from esoplay.tui.go_menu import unavailable_reason

        learning = self._navigation.view() == "learn"
        return unavailable_reason(
            destination, self._workspace, self._statement.problem, learning=learning
        )

    async def _open_destination(self, destination: str | None) -> None:
        match destination:
            case "problem.next":
                await self._pages.open_next_unsolved()
            case "matrix":
                self._pages.show_matrix()
            case "solutions":
                self._pages.show_solutions()
            case "solution":
                self.open_pack_solution()
            case "go.start":
                self._app().simulate_key("home")
            case "start":
                self._show_start_page()
            case None:
                pass
            case _:
                self._navigation.show_view(cast("View", destination.removeprefix("view.")))

    def open_pack_solution(self) -> None:
        """Show the pack's solution of the problem whose statement is shown."""
        problem = self._statement.problem
        if problem is not None:
            self._pack_solutions.open(problem)
