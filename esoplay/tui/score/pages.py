"""Pages about progress, and its way into a file and back: what keys and the palette ask for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from esolangs.registry import find_language
from esoplay.errors import EsoplayError
from esoplay.grading.problem import Problem
from esoplay.service.programs import languages
from esoplay.tui.buffers import write_file
from esoplay.tui.debug import DebugPane
from esoplay.tui.desk import Desk
from esoplay.tui.dialogs import TextDialog
from esoplay.tui.editor.pane import EditorPane
from esoplay.tui.generate.controls import Sources
from esoplay.tui.views import Navigation

if TYPE_CHECKING:
    from esoplay.tui.score.matrix import Chosen
    from esoplay.tui.score.solutions import Picked

ALL_SOLVED = "All problems are solved in {}."
NO_SOLUTION = "Solve it first; then your solutions are here, ranked."


class ProgressPages:
    """Opens the pages, and does what was chosen there."""

    def __init__(
        self,
        desk: Desk,
        program: EditorPane,
        debugger: DebugPane,
        sources: Sources,
        navigation: Navigation,
        *,
        open_problem: Callable[[Problem], Awaitable[None]],
        merged: Callable[[], None],
    ) -> None:
        """``merged`` is called when progress was imported."""
        self._desk = desk
        self._program = program
        self._debugger = debugger
        self._sources = sources
        self._navigation = navigation
        self._open_problem = open_problem
        self._merged = merged

    async def next_unsolved(self) -> None:
        """Take up the next problem that is not solved in the language in use."""
        problem = self._desk.next_unsolved()
        if problem is None:
            name = find_language(self._desk.language_id).name
            self._program.notify(ALL_SOLVED.format(name))
            return
        await self._open_problem(problem)
        if self._navigation.view() != "browse":
            self._navigation.show_view("edit")

    # All cells

    def show_matrix(self) -> None:
        """All problems in all languages; a chosen cell is taken up."""
        from esoplay.tui.score.matrix import AllCells, MatrixScreen

        desk = self._desk
        names = {language.id: language.name for language in languages()}
        page = AllCells(
            desk.pack, names, desk.cells(), desk.state.streak(), desk.language_id, desk.problem
        )
        self._program.app.push_screen(MatrixScreen(page), self._cell_chosen)

    async def _cell_chosen(self, cell: Chosen | None) -> None:
        if cell is None:
            return
        self._navigation.leave()
        try:
            self._desk.choose_language(cell.language_id)
        except EsoplayError as error:
            self._program.notify(str(error), severity="error")
            return
        await self._navigation.take_up(
            self._desk.open_problem(self._desk.pack.problem(cell.problem_id))
        )
        self._navigation.show_view("edit")

    # One's own solutions

    def show_solutions(self) -> None:
        """The solutions of the problem in hand, ranked."""
        from esoplay.tui.score.solutions import SolutionsScreen

        desk = self._desk
        solutions = desk.solutions()
        if desk.problem is None or not solutions:
            self._program.notify(NO_SOLUTION)
            return
        name = find_language(desk.language_id).name
        title = f"{desk.problem.id} {desk.problem.title}: your solutions in {name}"
        self._program.app.push_screen(SolutionsScreen(title, solutions), self._solution_chosen)

    async def _solution_chosen(self, picked: Picked | None) -> None:
        if picked is None:
            return
        if self._sources.active:  # a solution is a program, and no source
            await self._sources.write_once(False)
        files = self._desk.state.files
        source = files.read(picked.digest)
        if source is None or (picked.beside and files.read(picked.beside) is None):
            self._program.notify("Its file is gone from the state folder.", severity="warning")
            return
        editor = self._program.editor
        if source != self._program.source:
            editor.replace_source(source)
            self._program.notify(
                "The solution is in the editor; undo (^z) brings back what was there."
            )
        if picked.beside is None:
            self._navigation.show_view("edit")
            return
        self._navigation.show_view("debug")
        self._debugger.compare_with("file", str(files.path(picked.beside)))

    # A file of progress

    def ask_export(self) -> None:
        """Ask where to, and write everything that was achieved."""

        def answered(text: str | None) -> None:
            if text:
                self.export(Path(text).expanduser())

        words = "A file for everything you achieved, programs included, for another machine."
        self._program.app.push_screen(TextDialog("Export progress", words), answered)

    def export(self, path: Path) -> None:
        from esoplay.service.progress_exchange import export_text

        if path.exists():
            self._program.notify(
                f"{path} is there already; choose another name", severity="warning"
            )
            return
        try:
            write_file(path, export_text(self._desk.state).encode())
        except EsoplayError as error:
            self._program.notify(str(error), severity="error")
        else:
            self._program.notify(f"Progress written to {path}")

    def ask_import(self) -> None:
        """Ask for a file, and merge it."""

        def answered(text: str | None) -> None:
            if text:
                self.merge(Path(text).expanduser())

        words = "A file from: Export progress, or esoplay progress export. Nothing is lost."
        self._program.app.push_screen(TextDialog("Import progress", words), answered)

    def merge(self, path: Path) -> None:
        from esoplay.service.progress_exchange import LARGEST, import_progress

        try:
            with path.open("rb") as file:
                merged = import_progress(self._desk.state, file.read(LARGEST + 1))
        except (OSError, EsoplayError) as error:
            self._program.notify(f"{path.name}: {error}", severity="error")
            return
        self._merged()
        self._program.notify(f"{path.name}: {merged.words()}")
