"""The solutions of a pack; each is available after the user has solved its problem."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from esoplay.errors import EsoplayError
from esoplay.grading.problem import Problem
from esoplay.tui.debug.deferred_pane import DeferredDebugPane
from esoplay.tui.views import Navigation
from esoplay.tui.workspace import Workspace

if TYPE_CHECKING:
    from esoplay.codegen.source_map import SourceMap
    from esoplay.tui.browser.solution import DebugRequest


class Debuggee(NamedTuple):
    """A program for the debugger, with its input and expected output."""

    path: Path
    language_id: str
    source: bytes
    stdin: bytes
    expected: bytes | None
    dialect: str
    source_map: SourceMap | None = None


class PackSolutions:
    """Opens solutions of the pack; the debugger can show one instead of the user's program."""

    def __init__(
        self,
        workspace: Workspace,
        deferred_debugger: DeferredDebugPane,
        navigation: Navigation,
        open_problem: Callable[[Problem], Awaitable[None]],
    ) -> None:
        self._workspace = workspace
        self._deferred_debugger = deferred_debugger
        self._navigation = navigation
        self._open_problem = open_problem
        self.debugged_solution: Debuggee | None = None

    def open(self, problem: Problem) -> None:
        """Show the pack's solution of a problem if the user has solved the problem."""

        from esoplay.tui.browser.solution import SolutionScreen  # late: not in the first frame

        workspace = self._workspace
        try:
            unlocked = workspace.is_unlocked(problem)
        except EsoplayError as error:
            self._deferred_debugger.pane.notify(str(error), severity="error")
            return
        if not unlocked:
            self._deferred_debugger.pane.notify(
                "The pack's solution is available after you solve the problem."
            )
            return
        page = SolutionScreen(
            problem,
            workspace.language_id,
            partial(workspace.best_solution, problem),
            partial(workspace.best_figures, problem),
        )
        self._deferred_debugger.pane.app.push_screen(page, self._debug_solution)

    async def _debug_solution(self, request: DebugRequest | None) -> None:
        """Debug a solution; leaving the debugger returns to the user's program."""
        if request is None:
            return
        problem = request.problem
        if problem is not self._workspace.problem:
            await self._open_problem(problem)
        example = problem.examples[0]
        self.debugged_solution = Debuggee(
            Path(f"{problem.id} of the pack"),
            request.language_id,
            request.program,
            example.input,
            example.output,
            "standard",
            request.source_map,
        )
        self._navigation.show_view("debug")
        words = (
            f"the pack's solution of {problem.id} in {request.language_id}; "
            "F2 returns to your program"
        )
        self._deferred_debugger.pane.show_notice(words)
