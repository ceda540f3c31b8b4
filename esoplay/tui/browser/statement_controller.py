"""The controller of the statement and the title on the main screen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from textual.content import Content
from textual.worker import Worker

from esoplay.grading.problem import Problem
from esoplay.tui.browser.problems import ProblemList
from esoplay.tui.browser.statement import StatementPane, hint_dialog
from esoplay.tui.frame import TitleBar, View
from esoplay.tui.workspace import Workspace


class StatementController:
    """Shows the statement of the open problem, or of the selected problem in the list.

    Except while the user browses the list, the statement belongs to the same problem as the
    program, the tests and the score on the screen.
    """

    def __init__(
        self,
        workspace: Workspace,
        problems: ProblemList,
        statement: StatementPane,
        title_bar: TitleBar,
        *,
        view: Callable[[], View | None],
        run_after_first_frame: Callable[[Callable[[], Awaitable[object]]], Awaitable[None]],
    ) -> None:
        """Create a controller of these widgets.

        view: returns the focused view, or None on the start page. run_after_first_frame: runs a
        function, but not before the first frame.
        """
        self._workspace = workspace
        self._problems = problems
        self._statement = statement
        self._title_bar = title_bar
        self._view = view
        self._run_after_first_frame = run_after_first_frame

    @property
    def _is_browsing(self) -> bool:
        return self._view() == "browse"

    async def show(self, problem: Problem | None) -> None:
        """Show a statement after the first frame, because importing the Markdown parser is slow."""
        await self._run_after_first_frame(partial(self._show, problem))

    async def _show(self, problem: Problem | None) -> None:
        if problem is None:
            await self._statement.show_no_problem()
        else:
            await self._statement.show(problem, self._workspace.shown_hint_count(problem))
        self.refresh()

    async def show_while_browsing(self, problem: Problem) -> None:
        """Show the statement of the problem at the cursor, if the list of problems is open."""
        if self._is_browsing:
            await self.show(problem)

    def follow_view(self) -> Worker[None] | None:
        """Update the statement after the view has changed."""
        problem = self._workspace.problem
        if self._is_browsing:
            problem = self._problems.problem or problem
        elif problem is not None:
            self._problems.move_to(problem.id)
        self.refresh()
        if problem is self._statement.problem:
            return None
        return self._statement.run_worker(self.show(problem), group="statement")

    def show_next_hint(self, explain: Callable[[str], object]) -> None:
        """Show the next hint of the problem, in a dialog if the statement is hidden.

        explain: shows why no further hint exists.
        """
        workspace, statement, problem = self._workspace, self._statement, self._statement.problem
        if problem is None:
            explain("open a problem to see its hints")
            return
        hints = workspace.hints(problem)
        if workspace.shown_hint_count(problem) == (count := len(hints)):
            explain(f"all {count} hints are shown")
        shown = workspace.save_hint_shown(problem)
        statement.reveal_hint(shown)
        if not statement.display:
            statement.app.push_screen(hint_dialog(problem, hints, shown))

    def refresh(self) -> None:
        """Update the title, and offer the pack's solution if it is unlocked."""
        workspace, statement = self._workspace, self._statement
        statement.offer_solution(workspace.is_unlocked(statement.problem))
        name, is_other_problem = self._title()
        self._title_bar.show_title(Content.styled(name, "bold"), workspace.language_id)
        self._title_bar.set_status_hidden(hidden=is_other_problem)

    def _title(self) -> tuple[str, bool]:
        """Return the title, and whether the test result must be hidden.

        The result is hidden if the title names something other than the current program.
        """
        workspace, shown = self._workspace, self._statement.problem
        problem, buffer = workspace.problem, workspace.buffer
        if self._view() is None:
            return "esoplay", True
        if self._is_browsing and workspace.browsed_folder is not None:
            return workspace.browsed_folder.name, True
        if self._is_browsing and shown is not None and shown is not problem:
            return f"{shown.id} {shown.title}", True
        if workspace.lesson is not None:
            return f"{workspace.lesson.name} {workspace.lesson.title}", False
        if buffer is not None and buffer.problem_id is None:
            return f"{buffer.path.name} {problem.id if problem else ''}".strip(), False
        return f"{problem.id} {problem.title}" if problem else "", False
