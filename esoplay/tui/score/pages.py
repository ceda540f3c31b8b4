"""Pages about progress, and its way into a file and back: what keys and the palette ask for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from esolangs.registry import find_language
from esoplay.errors import EsoplayError
from esoplay.service.programs import languages
from esoplay.tui.buffers import write_file
from esoplay.tui.dialogs import TextDialog
from esoplay.tui.generate.controls import write_once

if TYPE_CHECKING:
    from esoplay.tui.score.matrix import Chosen
    from esoplay.tui.score.solutions import Picked
    from esoplay.tui.screen import PlayScreen

ALL_SOLVED = "All problems are solved in {}."
NO_SOLUTION = "Solve it first; then your solutions are here, ranked."


class ProgressPages:
    """Opens the pages, and does what was chosen there."""

    def __init__(self, screen: PlayScreen) -> None:
        self._screen = screen

    async def next_unsolved(self) -> None:
        """Take up the next problem that is not solved in the language in use."""
        screen = self._screen
        problem = screen.desk.next_unsolved()
        if problem is None:
            name = find_language(screen.desk.language_id).name
            screen.notify(ALL_SOLVED.format(name))
            return
        await screen.open_problem(problem)
        if screen.view != "browse":
            screen.show_view("edit")

    # All cells

    def show_matrix(self) -> None:
        """All problems in all languages; a chosen cell is taken up."""
        from esoplay.tui.score.matrix import AllCells, MatrixScreen

        desk = self._screen.desk
        names = {language.id: language.name for language in languages()}
        page = AllCells(
            desk.pack, names, desk.cells(), desk.state.streak(), desk.language_id, desk.problem
        )
        self._screen.app.push_screen(MatrixScreen(page), self._cell_chosen)

    async def _cell_chosen(self, cell: Chosen | None) -> None:
        if cell is None:
            return
        screen = self._screen
        screen.testing.cancel()
        screen.files.keep()
        try:
            screen.desk.choose_language(cell.language_id)
        except EsoplayError as error:
            screen.notify(str(error), severity="error")
            return
        await screen.take_up(screen.desk.open_problem(screen.desk.pack.problem(cell.problem_id)))
        screen.show_view("edit")

    # One's own solutions

    def show_solutions(self) -> None:
        """The solutions of the problem in hand, ranked."""
        from esoplay.tui.score.solutions import SolutionsScreen

        screen, desk = self._screen, self._screen.desk
        solutions = desk.solutions()
        if desk.problem is None or not solutions:
            screen.notify(NO_SOLUTION)
            return
        name = find_language(desk.language_id).name
        title = f"{desk.problem.id} {desk.problem.title}: your solutions in {name}"
        screen.app.push_screen(SolutionsScreen(title, solutions), self._solution_chosen)

    async def _solution_chosen(self, picked: Picked | None) -> None:
        if picked is None:
            return
        if self._screen.generating.active:  # a solution is a program, and no source
            await write_once(self._screen, False)
        screen = self._screen
        files = screen.desk.state.files
        source = files.read(picked.digest)
        if source is None or (picked.beside and files.read(picked.beside) is None):
            screen.notify("Its file is gone from the state folder.", severity="warning")
            return
        editor = screen.program.editor
        if source != screen.program.source:
            editor.replace_source(source)
            screen.notify("The solution is in the editor; undo (^z) brings back what was there.")
        if picked.beside is None:
            screen.show_view("edit")
            return
        screen.show_view("debug")
        screen.debugger.compare_with("file", str(files.path(picked.beside)))

    # A file of progress

    def ask_export(self) -> None:
        """Ask where to, and write everything that was achieved."""

        def answered(text: str | None) -> None:
            if text:
                self.export(Path(text).expanduser())

        words = "A file for everything you achieved, programs included, for another machine."
        self._screen.app.push_screen(TextDialog("Export progress", words), answered)

    def export(self, path: Path) -> None:
        from esoplay.service.progress_exchange import export_text

        screen = self._screen
        if path.exists():
            screen.notify(f"{path} is there already; choose another name", severity="warning")
            return
        try:
            write_file(path, export_text(screen.desk.state).encode())
        except EsoplayError as error:
            screen.notify(str(error), severity="error")
        else:
            screen.notify(f"Progress written to {path}")

    def ask_import(self) -> None:
        """Ask for a file, and merge it."""

        def answered(text: str | None) -> None:
            if text:
                self.merge(Path(text).expanduser())

        words = "A file from: Export progress, or esoplay progress export. Nothing is lost."
        self._screen.app.push_screen(TextDialog("Import progress", words), answered)

    def merge(self, path: Path) -> None:
        from esoplay.service.progress_exchange import LARGEST, import_progress

        screen = self._screen
        try:
            with path.open("rb") as file:
                merged = import_progress(screen.desk.state, file.read(LARGEST + 1))
        except (OSError, EsoplayError) as error:
            screen.notify(f"{path.name}: {error}", severity="error")
            return
        screen.refresh_score()
        screen.notify(f"{path.name}: {merged.words()}")
