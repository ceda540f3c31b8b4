"""What one's solutions are compared with: par, and the solutions of imported sessions.

Figures are only comparable if they come from the same tests, so programs of others are graded here
once more, by the tests of practice.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from textual.content import Content

from esolangs.registry import find_language
from esoplay.errors import EsoplayError
from esoplay.grading.problem import Problem
from esoplay.grading.report import GradeReport
from esoplay.service.progress import Cells
from esoplay.tui.desk import Desk
from esoplay.tui.dialogs import TextDialog
from esoplay.tui.frame import TitleBar
from esoplay.tui.jobs import Attempt, GradingJob
from esoplay.tui.score.panel import ScorePanel, Standing
from esoplay.tui.state import Solution

if TYPE_CHECKING:
    from esoplay.service.solutions import SolvedProgram


class Comparing:
    """Looks up and finds out what the score panel shows."""

    def __init__(
        self,
        desk: Desk,
        panel: ScorePanel,
        title_bar: TitleBar,
        *,
        remember: Callable[[str, object], None],
        changed: Callable[[], None],
    ) -> None:
        """``changed`` is called when there is more to show."""
        self._desk = desk
        self._panel = panel
        self._title_bar = title_bar
        self._remember = remember
        self._changed = changed
        self._measured: set[str] = set()

    def standing(self, cells: Cells | None = None) -> Standing:
        """What the score panel is to show now."""
        desk = self._desk
        problem = desk.problem
        solutions: list[Solution] = []
        if problem is not None:
            solutions = [Solution(each.steps, each.size, each.memory) for each in desk.solutions()]
            solutions += desk.state.others(desk.pack.id, desk.language_id, problem.id)
        cells = desk.cells() if cells is None else cells
        return Standing(
            find_language(desk.language_id).name,
            cells[desk.language_id],
            problem,
            solutions,
            None if problem is None else self.par(problem),
            {find_language(id).name: known for id, known in cells.items()},
            desk.state.streak(),
        )

    # Par

    def par(self, problem: Problem) -> Solution | None:
        """The figures of the pack's solution, if it has one and it was measured already."""
        stored = self._desk.state.setting(self._name(problem))
        if not isinstance(stored, dict):
            return None
        from esoplay.service.references import reference_digest

        known = cast("dict[str, Any]", stored)
        digest = reference_digest(problem, self._desk.language_id)
        if digest is None or known.get("digest") != digest or "size" not in known:
            return None
        return Solution(int(known["steps"]), int(known["size"]), int(known["memory"]))

    def measure_par(self) -> None:
        """Find out in the background what the pack's solution takes."""
        desk = self._desk
        problem = desk.problem
        if problem is None or self.par(problem) is not None:
            return
        from esoplay.service.references import has_reference  # with the whole compiler

        name, language = self._name(problem), desk.language_id
        if name in self._measured or not has_reference(problem, language):
            return
        self._measured.add(name)
        self._panel.run_worker(
            partial(self._measure, name, problem, language),
            thread=True,
            group="par",
            exit_on_error=False,
        )

    def _measure(self, name: str, problem: Problem, language: str) -> None:
        """In a thread, as a reference may have to be generated first."""
        from esoplay.service.references import reference_digest, reference_of

        digest = reference_digest(problem, language)
        reference = reference_of(problem, language)
        if reference is None:
            return
        attempt = Attempt("hidden tests", problem.id, language, reference.program, "standard")
        report = _grade(attempt)
        if report is not None and report.solved:
            steps, memory = _figures(report)
            figures = {"steps": steps, "size": len(reference.program), "memory": memory}
            self._panel.app.call_from_thread(self._keep_par, name, {"digest": digest, **figures})

    def _keep_par(self, name: str, figures: dict[str, Any]) -> None:
        self._remember(name, figures)
        self._changed()

    def _name(self, problem: Problem) -> str:
        desk = self._desk
        return f"par {desk.pack.id} {problem.id} {desk.language_id}"

    # Sessions

    def ask_import(self) -> None:
        """Ask for an export, and import it."""

        def answered(text: str | None) -> None:
            if text:
                self.import_session(Path(text).expanduser())

        words = "A file from: esoplay session export -o FILE. Its solutions are graded here."
        self._panel.app.push_screen(TextDialog("Import a session", words), answered)

    def import_session(self, path: Path) -> None:
        """Take over the solutions of an export; those that do not pass here are left out."""
        from esoplay.service.solutions import read_solutions

        pack = self._desk.pack
        try:
            programs = read_solutions(path.read_bytes())
        except (OSError, EsoplayError) as error:
            self._panel.notify(f"{path.name}: {error}", severity="error")
            return
        known = {problem.id for problem in pack}
        wanted = [each for each in programs if each.pack == pack.id and each.problem in known]
        if not wanted:
            words = f"{path.name} has no solution of a problem of this pack"
            self._panel.notify(words, severity="warning")
            return
        self._panel.run_worker(
            partial(self._import, wanted), thread=True, group="import", exit_on_error=False
        )

    def _import(self, programs: list[SolvedProgram]) -> None:
        """In a thread."""
        app = self._panel.app
        passed = 0
        for number, each in enumerate(programs, 1):
            words = Content.styled(f"importing {number} of {len(programs)} …", "$accent")
            app.call_from_thread(self._title_bar.show_status, words)
            attempt = Attempt(
                "hidden tests", each.problem, each.language, each.source, each.dialect
            )
            report = _grade(attempt)
            if report is not None and report.solved:
                passed += 1
                app.call_from_thread(self._keep_other, each, report)
        app.call_from_thread(self._imported, passed, len(programs))

    def _keep_other(self, program: SolvedProgram, report: GradeReport) -> None:
        steps, memory = _figures(report)
        solution = Solution(steps, len(program.source), memory, program.solver)
        try:
            self._desk.state.record_other(
                program.pack, program.problem, program.language, program.digest, solution
            )
        except EsoplayError as error:
            self._panel.notify(str(error), severity="error")

    def _imported(self, passed: int, total: int) -> None:
        words = f"{passed} of {total} solutions imported"
        self._title_bar.show_status(Content.styled(words, "$success"))
        self._changed()


def _grade(attempt: Attempt) -> GradeReport | None:
    """The verdict of practice; None where grading itself failed."""
    try:
        return GradingJob(attempt, lambda _done, _total: None).run()
    except EsoplayError:
        return None


def _figures(report: GradeReport) -> tuple[int, int]:
    """Steps of all tests together, and the most memory that one took."""
    return sum(test.steps for test in report.tests), max(test.memory for test in report.tests)
