"""The desk: what is being worked on, without any screen.

It joins the pack, the buffers and what is kept between runs; the screens ask it.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from esolangs.registry import find_language, language_ids
from esoplay.errors import UnknownProblem
from esoplay.grading.problem import Pack, Problem
from esoplay.grading.report import GradeReport
from esoplay.service.problems import get_pack
from esoplay.tui.buffers import Buffer, Buffers
from esoplay.tui.state import PlayState, Progress, Submission

LANGUAGE = "brainfuck"
"""What problems are solved in until another language is chosen."""


class Errand(NamedTuple):
    """What the application was started for: a user's file, perhaps to be debugged."""

    file: Path
    language_id: str | None = None
    dialect: str = "standard"
    stdin: bytes = b""
    debug: bool = False


class Opened(NamedTuple):
    """A buffer on the desk.  source: what to edit.  notice: a sentence for the user, or none."""

    buffer: Buffer
    source: bytes
    notice: str | None = None


class Desk:
    """The problem and the buffer in hand, and everything known about them."""

    def __init__(
        self, folder: Path, *, pack: Pack | None = None, errand: Errand | None = None
    ) -> None:
        self.errand = errand
        self.pack = pack if pack is not None else get_pack()
        self.state = PlayState(folder)
        self.buffers = Buffers(folder)
        self.problem: Problem | None = None
        self.buffer: Buffer | None = None
        self.language_id = self._stored_language()
        self.dialect = "standard"
        self._opened = self._open_file(errand) if errand else None

    @property
    def first_run(self) -> bool:
        """Nobody has worked here before."""
        return self.state.setting("problem") is None

    def last_problem(self) -> Problem:
        """The problem of the last run, else the first one."""
        try:
            return self.pack.problem(str(self.state.setting("problem", "")))
        except UnknownProblem:
            return self.pack.problems[0]

    def choose_language(self, language_id: str) -> None:
        """Solve problems in this language from now on; raises StoreError."""
        self.language_id = language_id
        self.state.set_setting("language", language_id)

    def _stored_language(self) -> str:
        stored = self.state.setting("language")
        return stored if isinstance(stored, str) and stored in language_ids() else LANGUAGE

    def open_problem(self, problem: Problem) -> Opened:
        """Take up a problem: its own program, or the language's starter.

        Whoever opens esoplay for the very first time finds a program that works.
        """
        welcome = self.first_run
        buffer = self.buffers.of_problem(self.pack.id, problem.id, self.language_id)
        source = buffer.saved
        if source is None and welcome:
            source = find_language(self.language_id).sample()
        self.problem, self.buffer = problem, buffer
        self.state.set_setting("problem", problem.id)
        return Opened(buffer, problem.starter(self.language_id) if source is None else source)

    def start(self) -> Opened:
        """What to begin with: the errand's file, else the problem of the last run."""
        return self._opened or self.open_problem(self.last_problem())

    def _open_file(self, errand: Errand) -> Opened:
        """Take up a user's file; changes that were not saved the last time come back."""
        path = errand.file
        buffer = self.buffers.of_file(path, errand.language_id)
        draft = self.buffers.draft_of(buffer)
        self.buffer = buffer
        self.language_id = buffer.language_id
        self.dialect = errand.dialect
        if draft is not None:
            notice = f"Unsaved changes to {path.name} from the last time are back."
            return Opened(buffer, draft, notice)
        if buffer.saved is None:
            return Opened(buffer, find_language(buffer.language_id).starter())
        return Opened(buffer, buffer.saved)

    def keep(self, source: bytes) -> None:
        """Make sure that the program in hand survives; raises StoreError.

        A starter that nobody touched is not kept, so that a better one may replace it.
        """
        if self.buffer is None:
            return
        untouched = self.buffer.saved is None and (
            self.problem is not None and source == self.problem.starter(self.language_id)
        )
        if not untouched:
            self.buffer.keep(source)

    # Progress

    def progress(self) -> dict[str, Progress]:
        return self.state.progress(self.pack.id, self.language_id)

    def solved_in(self, language_id: str) -> int:
        """Problems of the pack that are solved in a language."""
        progress = self.state.progress(self.pack.id, language_id)
        return sum(each.solved for each in progress.values())

    def solutions(self) -> list[Submission]:
        """The submissions that solved the problem in hand."""
        if self.problem is None:
            return []
        return self.state.solutions(self.pack.id, self.language_id, self.problem.id)

    def record(self, report: GradeReport, size: int) -> None:
        """Keep the result of a practice submission of ``size`` bytes."""
        submission = Submission(
            report.problem,
            tuple(test.verdict for test in report.tests),
            sum(test.steps for test in report.tests),
            size,
        )
        self.state.record(self.pack.id, report.language, report.dialect, submission)

    # Hints

    def hints_shown(self, problem: Problem) -> int:
        """How many rungs of a problem's hints have been asked for."""
        shown = self.state.setting(f"hints {self.pack.id} {problem.id}", 0)
        return min(shown, len(problem.hints)) if isinstance(shown, int) else 0

    def show_next_hint(self, problem: Problem) -> int:
        """Ask for one more rung; returns how many are shown now."""
        shown = min(self.hints_shown(problem) + 1, len(problem.hints))
        self.state.set_setting(f"hints {self.pack.id} {problem.id}", shown)
        return shown
