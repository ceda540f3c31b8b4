"""The pack's solutions: offered once one has solved a problem, to be read and to be debugged."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from esoplay.errors import EsoplayError
from esoplay.tui.debug import DebugPane
from esoplay.tui.desk import Desk
from esoplay.tui.views import Navigation

if TYPE_CHECKING:
    from esoplay.codegen.source_map import SourceMap
    from esoplay.grading.problem import Problem
    from esoplay.tui.browser.solution import Asked


class Debuggee(NamedTuple):
    """A program for the debugger, with what it is to read and to print."""

    path: Path
    language_id: str
    source: bytes
    stdin: bytes
    expected: bytes | None
    dialect: str
    source_map: SourceMap | None = None


class Reading:
    """Opens solutions; ``guest`` is the one that is in the debugger instead of one's own."""

    def __init__(
        self,
        desk: Desk,
        debugger: DebugPane,
        navigation: Navigation,
        open_problem: Callable[[Problem], Awaitable[None]],
    ) -> None:
        self._desk = desk
        self._debugger = debugger
        self._navigation = navigation
        self._open_problem = open_problem
        self.guest: Debuggee | None = None

    def open(self, problem: Problem) -> None:
        """Show how the pack solves a problem, if it was solved."""
        from esoplay.tui.browser.solution import SolutionScreen

        desk = self._desk
        try:
            unlocked = desk.is_unlocked(problem)
        except EsoplayError as error:
            self._debugger.notify(str(error), severity="error")
            return
        if not unlocked:
            self._debugger.notify("Solve it first; then there is a solution to read.")
            return
        page = SolutionScreen(problem, desk.language_id)
        self._debugger.app.push_screen(page, self._asked)

    async def _asked(self, asked: Asked | None) -> None:
        """Debug a solution; the way back to one's own program is any other view."""
        if asked is None:
            return
        problem = asked.problem
        if problem is not self._desk.problem:
            await self._open_problem(problem)
        example = problem.examples[0]
        self.guest = Debuggee(
            Path(f"{problem.id} of the pack"),
            asked.language_id,
            asked.program,
            example.input,
            example.output,
            "standard",
            asked.source_map,
        )
        self._navigation.show_view("debug")
        words = f"how the pack solves {problem.id} in {asked.language_id}; F2 leads back to yours"
        self._debugger.say(words)
