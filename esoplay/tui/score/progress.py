"""The data of the score panel, and the pages of solutions and progress.

Figures are comparable only if they are from the same tests, so imported solutions are graded again
with the practice tests.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.content import Content

from esolangs.registry import find_language
from esoplay.errors import EsoplayError
from esoplay.grading.problem import Problem
from esoplay.grading.report import GradeReport
from esoplay.packs.stars import SolutionFigures, solution_kind
from esoplay.programs.execution import code_size, languages
from esoplay.progress.code_sizes import RULES
from esoplay.progress.par import par_setting_name, stars_text, stored_par
from esoplay.progress.records import NO_PROGRESS, Standings
from esoplay.tui.buffers import write_file
from esoplay.tui.debug.deferred_pane import DeferredDebugPane
from esoplay.tui.dialogs import TextDialog
from esoplay.tui.editor.pane import EditorPane
from esoplay.tui.frame import TitleBar
from esoplay.tui.generate.sources import SourceFiles
from esoplay.tui.score.panel import ScoreData, ScorePanel
from esoplay.tui.test_runs import GradingJob, GradingRequest
from esoplay.tui.views import Navigation
from esoplay.tui.workspace import SolvedProgramRecord, Workspace

if TYPE_CHECKING:
    from esoplay.benchmark.exports import SolvedProgram
    from esoplay.tui.score.screens import SelectedCell, SolutionAction


class ScoreModel:
    """Collects and computes the data of the score panel."""

    def __init__(
        self,
        workspace: Workspace,
        panel: ScorePanel,
        title_bar: TitleBar,
        *,
        remember: Callable[[str, object], None],
        on_changed: Callable[[], None],
    ) -> None:
        """Create the model for the programs in ``workspace``.

        remember: saves a setting for the next session of the application. on_changed: called when
        the data has changed.
        """
        self._workspace = workspace
        self._panel = panel
        self._title_bar = title_bar
        self._remember = remember
        self._on_changed = on_changed
        self._measured_par: set[str] = set()
        self._known_par: dict[tuple[str, str], SolutionFigures] = {}
        self._problems = {problem.id: problem for problem in workspace.pack}

    def data(self, standings: Standings | None = None) -> ScoreData:
        """Return the current data of the score panel."""
        workspace = self._workspace
        problem = workspace.problem
        solutions: list[SolvedProgramRecord] = []
        unmeasured = 0
        if problem is not None:
            solutions, unmeasured = workspace.sizes.imported_solutions(
                workspace.pack.id, workspace.language_id, problem.id
            )
            own = workspace.solutions()
            known = [
                SolvedProgramRecord(each.steps, each.size, each.memory)
                for each in own
                if each.size is not None
            ]
            solutions = known + solutions
            unmeasured += len(own) - len(known)
        standings = workspace.standings() if standings is None else standings
        progress = standings[workspace.language_id]
        measured = problem is None or workspace.sizes.is_latest_known(
            workspace.pack.id,
            workspace.language_id,
            problem.id,
            progress.get(problem.id, NO_PROGRESS),
        )
        return ScoreData(
            find_language(workspace.language_id).name,
            progress,
            problem,
            solutions,
            None if problem is None else self.par(problem),
            {find_language(id).name: known for id, known in standings.items()},
            workspace.state.streak(),
            unmeasured,
            measured,
            "" if problem is None else solution_kind(problem, workspace.language_id),
            ""
            if problem is None
            else workspace.state.latest_dialect(
                workspace.pack.id, workspace.language_id, problem.id
            ),
        )

    # Par

    def par(self, problem: Problem) -> SolvedProgramRecord | None:
        """Return par: steps, bytes and memory of the pack's solution; None if not measured yet."""
        stored = self._workspace.state.setting(self._par_setting(problem))
        known = stored_par(stored, problem, self._workspace.language_id)
        if known is None:
            return None
        return SolvedProgramRecord(int(known["steps"]), int(known["size"]), int(known["memory"]))

    def stars(self, standings: Standings) -> dict[str, str]:
        """Return the stars of each problem solved in the current language, by problem id.

        The stars of a problem are an empty text if its par is unknown.
        """
        workspace = self._workspace
        found: dict[str, str] = {}
        for id, standing in standings[workspace.language_id].items():
            if not standing.solved or id not in self._problems:
                continue
            key = (id, workspace.language_id)
            if key not in self._known_par and (par := self.par(self._problems[id])) is not None:
                self._known_par[key] = SolutionFigures(par.steps, par.size)
            found[id] = stars_text(standing, self._known_par.get(key))
        return found

    def measure_par(self) -> None:
        """Start to measure par in the background: the pack's solution's steps, bytes and memory."""
        workspace = self._workspace
        problem = workspace.problem
        if problem is None or self.par(problem) is not None:
            return
        from esoplay.packs.references import has_reference  # late: imports the whole compiler

        name, language = self._par_setting(problem), workspace.language_id
        if name in self._measured_par or not has_reference(problem, language):
            return
        self._measured_par.add(name)
        self._panel.run_worker(
            partial(self._measure, name, problem, language),
            thread=True,
            group="par",
            exit_on_error=False,
        )

    def _measure(self, name: str, problem: Problem, language: str) -> None:
        """Grade the pack's solution, and save its steps, bytes and memory; called in a thread."""
        from esoplay.packs.references import find_reference, reference_digest

        digest = reference_digest(problem, language)
        reference = find_reference(problem, language)
        if reference is None:
            return
        request = GradingRequest(
            "hidden tests",
            problem.id,
            language,
            reference.program,
            "standard",
            pack=self._workspace.pack_folder,
        )
        report = _grade(request)
        if report is not None and report.solved:
            steps, memory = _figures(report)
            size = code_size(language, reference.program)
            figures = {"steps": steps, "size": size, "memory": memory, "code": RULES}
            self._panel.app.call_from_thread(self._store_par, name, {"digest": digest, **figures})

    def _store_par(self, name: str, figures: dict[str, Any]) -> None:
        self._remember(name, figures)
        self._on_changed()

    def _par_setting(self, problem: Problem) -> str:
        workspace = self._workspace
        return par_setting_name(workspace.pack.id, problem.id, workspace.language_id)

    # Sessions

    def ask_import(self) -> None:
        """Prompt for the file of an exported session, and import its solutions."""

        def answered(text: str | None) -> None:
            if text:
                self.import_session(Path(text).expanduser())

        words = (
            "A file from `esoplay session export -o FILE`. The hidden tests grade its solutions."
        )
        self._panel.app.push_screen(TextDialog("Import a session", words), answered)

    def import_session(self, path: Path) -> None:
        """Import the solutions of an export that pass the practice tests."""
        from esoplay.benchmark.exports import read_solutions

        pack = self._workspace.pack
        try:
            programs = read_solutions(path.read_bytes())
        except (OSError, EsoplayError) as error:
            self._panel.notify(f"{path.name}: {error}", severity="error")
            return
        known = {problem.id for problem in pack}
        wanted = [each for each in programs if each.pack == pack.id and each.problem in known]
        if not wanted:
            words = f"{path.name} contains no solutions of this pack's problems"
            self._panel.notify(words, severity="warning")
            return
        self._panel.run_worker(
            partial(self._import, wanted), thread=True, group="import", exit_on_error=False
        )

    def _import(self, programs: list[SolvedProgram]) -> None:
        """Grade the solutions, and store the correct ones; called in a thread."""
        app = self._panel.app
        passed = 0
        for number, each in enumerate(programs, 1):
            words = Content.styled(f"importing {number} of {len(programs)} …", "$accent")
            app.call_from_thread(self._title_bar.show_status, words)
            request = GradingRequest(
                "hidden tests",
                each.problem,
                each.language,
                each.source,
                each.dialect,
                pack=self._workspace.pack_folder,
            )
            report = _grade(request)
            if report is not None and report.solved:
                passed += 1
                app.call_from_thread(self._store_solution, each, report)
        app.call_from_thread(self._handle_import, passed, len(programs))

    def _store_solution(self, program: SolvedProgram, report: GradeReport) -> None:
        steps, memory = _figures(report)
        size = code_size(program.language, program.source)
        solution = SolvedProgramRecord(steps, size, memory, program.solver)
        try:
            self._workspace.state.files.save(program.source)
            self._workspace.state.add_imported_solution(
                program.pack, program.problem, program.language, program.digest, solution
            )
        except EsoplayError as error:
            self._panel.notify(str(error), severity="error")

    def _handle_import(self, passed_count: int, total: int) -> None:
        words = f"{passed_count} of {total} solutions imported"
        self._title_bar.show_status(Content.styled(words, "$success"))
        self._on_changed()


def _grade(request: GradingRequest) -> GradeReport | None:
    """Return the verdict of the practice tests; None if grading failed."""
    try:
        return GradingJob(request, lambda _done, _total: None).run()
    except EsoplayError:
        return None


def _figures(report: GradeReport) -> tuple[int, int]:
    """Return the total steps of all tests, and the maximum memory of one test."""
    return report.total_steps, max(test.memory for test in report.tests)


# Pages about progress, export and import

ALL_SOLVED = "All problems are solved in {}."
NO_SOLUTION = "Your solutions are ranked here after you solve the problem."


class ProgressPages:
    """Opens the pages about progress, and performs the actions that the user selects in them."""

    def __init__(
        self,
        workspace: Workspace,
        editor_pane: EditorPane,
        deferred_debugger: DeferredDebugPane,
        sources: SourceFiles,
        navigation: Navigation,
        *,
        open_problem: Callable[[Problem], Awaitable[None]],
        on_merged: Callable[[], None],
    ) -> None:
        """Create the handler of the pages. on_merged: called after progress was imported."""
        self._workspace = workspace
        self._editor_pane = editor_pane
        self._deferred_debugger = deferred_debugger
        self._sources = sources
        self._navigation = navigation
        self._open_problem = open_problem
        self._on_merged = on_merged

    async def open_next_unsolved(self) -> None:
        """Open the next problem that is not solved in the current language."""
        problem = self._workspace.next_unsolved()
        if problem is None:
            name = find_language(self._workspace.language_id).name
            self._editor_pane.notify(ALL_SOLVED.format(name))
            return
        await self._open_problem(problem)
        if self._navigation.view() != "browse":
            self._navigation.show_view("edit")

    # All problems in all languages

    def show_matrix(self) -> None:
        """Show all problems in all languages, and open the selected cell."""
        from esoplay.tui.score.screens import MatrixData, MatrixScreen

        workspace = self._workspace
        names = {language.id: language.name for language in languages()}
        page = MatrixData(
            workspace.pack,
            names,
            workspace.standings(),
            workspace.state.streak(),
            workspace.language_id,
            workspace.problem,
        )
        self._editor_pane.app.push_screen(MatrixScreen(page), self._cell_chosen)

    async def _cell_chosen(self, cell: SelectedCell | None) -> None:
        if cell is None:
            return
        self._navigation.leave_program()
        try:
            self._workspace.choose_language(cell.language_id)
        except EsoplayError as error:
            self._editor_pane.notify(str(error), severity="error")
            return
        await self._navigation.edit_buffer(
            self._workspace.open_problem(self._workspace.pack.problem(cell.problem_id))
        )
        self._navigation.show_view("edit")

    # The user's solutions

    def show_solutions(self) -> None:
        """Show the ranked solutions of the current problem."""
        from esoplay.tui.score.screens import SolutionsScreen

        workspace = self._workspace
        solutions = workspace.solutions()
        if workspace.problem is None or not solutions:
            self._editor_pane.notify(NO_SOLUTION)
            return
        name = find_language(workspace.language_id).name
        title = f"{workspace.problem.id} {workspace.problem.title}: your solutions in {name}"
        self._editor_pane.app.push_screen(SolutionsScreen(title, solutions), self._solution_chosen)

    async def _solution_chosen(self, action: SolutionAction | None) -> None:
        if action is None:
            return
        if self._sources.is_active:  # a solution is a program, not a source
            await self._sources.set_write_once(False)
        files = self._workspace.state.files
        source = files.read(action.digest)
        if source is None or (
            action.compared_digest and files.read(action.compared_digest) is None
        ):
            self._editor_pane.notify(
                "The program's file is missing from the state folder.", severity="warning"
            )
            return
        editor = self._editor_pane.editor
        if source != self._editor_pane.source:
            editor.replace_source(source)
            self._editor_pane.notify(
                "The solution is in the editor; undo (^z) restores the previous text."
            )
        if action.compared_digest is None:
            self._navigation.show_view("edit")
            return
        self._navigation.show_view("debug")
        self._deferred_debugger.pane.analysis.compare_with(
            "file", str(files.path(action.compared_digest))
        )

    # Progress files

    def ask_export(self) -> None:
        """Prompt for a path, and export all progress."""

        def answered(text: str | None) -> None:
            if text:
                self.export(Path(text).expanduser())

        words = "A file for your progress and programs, to import on another machine."
        self._editor_pane.app.push_screen(TextDialog("Export progress", words), answered)

    def export(self, path: Path) -> None:
        from esoplay.progress.exchange import export_text

        if path.exists():
            self._editor_pane.notify(
                f"{path} exists already; choose another name", severity="warning"
            )
            return
        try:
            write_file(path, export_text(self._workspace.state).encode())
        except EsoplayError as error:
            self._editor_pane.notify(str(error), severity="error")
        else:
            self._editor_pane.notify(f"Progress written to {path}")

    def ask_import(self) -> None:
        """Prompt for a file, and merge its progress."""

        def answered(text: str | None) -> None:
            if text:
                self.merge(Path(text).expanduser())

        words = "A file from “Export progress…” or `esoplay progress export`. No progress is lost."
        self._editor_pane.app.push_screen(TextDialog("Import progress", words), answered)

    def merge(self, path: Path) -> None:
        from esoplay.progress.exchange import MAX_FILE_BYTES, import_progress

        try:
            with path.open("rb") as file:
                merged = import_progress(self._workspace.state, file.read(MAX_FILE_BYTES + 1))
        except (OSError, EsoplayError) as error:
            self._editor_pane.notify(f"{path.name}: {error}", severity="error")
            return
        self._on_merged()
        self._editor_pane.notify(f"{path.name}: {merged.describe()}")
