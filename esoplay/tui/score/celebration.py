"""The box shown when a problem is solved: steps and bytes, and the next problem.

Steps and bytes are compared with *par*: the steps and bytes of the pack's solution.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

from textual.app import App
from textual.content import Content
from textual.events import Click
from textual.timer import Timer
from textual.widgets import Static

from esolangs.wording import plural
from esoplay.grading.problem import Problem
from esoplay.packs.stars import SolutionFigures, award_stars, solution_kind
from esoplay.tui.keys import key_names
from esoplay.tui.score.results import ResultList
from esoplay.tui.terminal import OrderedKeysApp
from esoplay.tui.workspace import PracticeSubmission, SolvedProgramRecord, Workspace

FRAMES, FRAMES_PER_SECOND = 18, 15
"""Frames of the celebration in total and per second; it takes 1.2 s."""
_SPARKS = "✦ · ✧ · ⋆ · ✶ · "
_STYLES = ("$success", "$accent", "$primary")


class SolvedProblem(NamedTuple):
    """A problem that was just solved.

    next_problem: the problem to try next; None if all are solved. best: the fewest steps and bytes
    of all solutions. origin: whether the pack's solution is hand-written or generated.
    """

    problem: Problem
    submission: PracticeSubmission
    next_problem: Problem | None
    par: SolvedProgramRecord | None = None
    best: tuple[int, int] | None = None
    origin: str = ""

    @property
    def title(self) -> str:
        return f"solved: {self.problem.id} {self.problem.title}"

    def lines(self) -> list[str]:
        """Return the title, steps and bytes compared with par, the next problem, and the stars."""
        figures = ", ".join(
            _figure(name, value, None if self.par is None else par)
            for name, value, par in (
                ("step", self.submission.steps, 0 if self.par is None else self.par.steps),
                ("byte", self.submission.size, 0 if self.par is None else self.par.size),
            )
        )
        return [self.title, figures, self._advice(), *self._stars()]

    def _stars(self) -> list[str]:
        if self.par is None or self.best is None:
            return []
        stars = award_stars(
            SolutionFigures(*self.best), SolutionFigures(self.par.steps, self.par.size)
        )
        return [f"{stars.describe()}; the pack's solution is {self.origin}"]

    def _advice(self) -> str:
        key = key_names("screen", "problem.open-next")
        if self.next_problem is None:
            return "all problems are solved in this language; F8 chooses another language"
        return f"next problem: {self.next_problem.id} {self.next_problem.title} ({key})"


def _figure(name: str, value: int, par: int | None) -> str:
    words = plural(value, name)
    if par is None:
        return words
    sign = "better than" if value < par else "exactly" if value == par else "over"
    return f"{words} ({sign} par {par:,})"


class Celebration(Static):
    """A box, animated for 1.2 s; a click or a key closes it, and the key has its usual effect."""

    DEFAULT_CSS = """
    Celebration {
        layer: cover;
        dock: top;
        width: auto;
        height: auto;
        padding: 0 2;
        border: round $success;
        background: $surface;
        text-align: center;
        text-wrap: nowrap;
    }
    """
    app: OrderedKeysApp

    def __init__(self, lines: list[str]) -> None:
        super().__init__(markup=False)
        self._lines = lines
        self._frame = self._keys_at_start = 0
        self._timer: Timer | None = None

    def on_mount(self) -> None:
        self._keys_at_start = self.app.keys_sent
        self._draw()
        screen = self.screen.size
        width = max(map(len, self._lines)) + 6
        self.styles.offset = (max(0, (screen.width - width) // 2), max(0, screen.height // 3))
        self._timer = self.set_interval(1 / FRAMES_PER_SECOND, self._draw_next_frame)

    def on_click(self, event: Click) -> None:
        event.stop()
        self.end()

    def end(self) -> None:
        """Close the box."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if self.is_attached:
            self.remove()

    def _draw_next_frame(self) -> None:
        self._frame += 1
        if self._frame >= FRAMES or self.app.keys_sent != self._keys_at_start:
            self.end()
        else:
            self._draw()

    def _draw(self) -> None:
        width = max(map(len, self._lines))
        title, *more = self._lines
        self.update(
            Content("\n").join(
                [
                    _sparks(width, self._frame),
                    Content.assemble(("✓ ", "bold $success"), (title, "bold")),
                    *map(Content, more),
                    _sparks(width, -self._frame),
                ]
            )
        )


def _sparks(width: int, shift: int) -> Content:
    return Content.assemble(
        *(
            (_SPARKS[(at + shift) % len(_SPARKS)], _STYLES[(at + shift) // 3 % len(_STYLES)])
            for at in range(width)
        )
    )


def allows_animation(app: App[None]) -> bool:
    """Return whether the user and the terminal allow animation."""
    return app.animation_level != "none" and not app.no_color and "NO_COLOR" not in os.environ


class CelebrationController:
    """Celebrates solved problems, and shows their steps and bytes, and the next problem."""

    def __init__(
        self,
        workspace: Workspace,
        results: ResultList,
        *,
        find_par: Callable[[Problem], SolvedProgramRecord | None],
        show: Callable[[Celebration], object],
    ) -> None:
        """Create a controller that celebrates solved problems of ``workspace``.

        find_par: returns the par of a problem, or None if it is not known yet. show: displays a
        celebration.
        """
        self._workspace = workspace
        self._results = results
        self._find_par = find_par
        self._show_celebration = show
        self._solved_problem: SolvedProblem | None = None
        self.celebration: Celebration | None = None

    def celebrate(self) -> None:
        """Celebrate that the latest submission solved the current problem."""
        workspace, problem = self._workspace, self._workspace.problem
        latest = None if problem is None else workspace.progress()[problem.id].latest
        if problem is None or latest is None:
            return
        self._solved_problem = SolvedProblem(
            problem,
            latest,
            workspace.next_unsolved(),
            self._find_par(problem),
            workspace.best_figures(problem, workspace.language_id),
            solution_kind(problem, workspace.language_id),
        )
        lines = self._solved_problem.lines()
        self._results.show_note(lines, positive=True)
        if allows_animation(self._results.app):
            self.celebration = Celebration(lines)
            self._show_celebration(self.celebration)

    def refresh_par(self) -> None:
        """Add the comparison with par (the pack's solution) if its figures have become known."""
        solved = self._solved_problem
        if (
            solved is None
            or solved.par is not None
            or solved.problem is not self._workspace.problem
        ):
            return
        par = self._find_par(solved.problem)
        if par is not None:
            self._solved_problem = solved._replace(par=par)
            self._results.show_note(self._solved_problem.lines(), positive=True)

    def forget(self) -> None:
        """Remove the celebration, because another problem is open or tested."""
        self._solved_problem = None
        self.skip()

    def skip(self) -> None:
        """Close the box; :meth:`refresh_par` still updates the notes above the test results."""
        celebration, self.celebration = self.celebration, None
        if celebration is not None:
            celebration.end()
