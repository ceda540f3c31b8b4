"""The desk: what is being worked on and what was achieved, without any screen.

It joins the pack, the buffers and the progress saved between runs; the screens ask it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from esolangs.errors import UnknownLanguage
from esolangs.registry import find_language, language_ids
from esoplay.errors import EsoplayError, UnknownProblem, UsageError
from esoplay.grading.problem import Pack, Problem
from esoplay.grading.report import GradeReport
from esoplay.learning.lessons import Lesson, get_course
from esoplay.packs.catalogue import get_pack
from esoplay.programs.execution import code_size
from esoplay.progress.code_sizes import CodeSizes
from esoplay.progress.database import ResilientFile
from esoplay.progress.records import (
    NOTHING_YET,
    OwnSolution,
    PracticeSubmission,
    ProblemStanding,
    SolvedProgramRecord,
    Streak,
    next_unsolved,
)
from esoplay.progress.store import FILE_NAME, ProgressStore
from esoplay.tui.buffers import SOURCE, Buffers, ProgramBuffer

if TYPE_CHECKING:
    from esoplay.codegen.source_map import SourceMap


# What is kept between runs, under the names that the screens use for it.
#
# It is kept by :mod:`esoplay.progress.store`, which commands share with the screens.

__all__ = [
    "FILE_NAME",
    "NOTHING_YET",
    "OwnSolution",
    "PlayState",
    "PracticeSubmission",
    "ProblemStanding",
    "SolvedProgramRecord",
    "Streak",
]


class PlayState(ProgressStore):
    """Settings and progress that can always be asked for, whatever becomes of their file.

    To open it raises StoreError, and to close it where something could not be written.
    """

    def __init__(self, folder: Path) -> None:
        file = ResilientFile(folder / FILE_NAME)
        super().__init__(folder, file=file)
        self._lasting = file

    def listen(self, tell: Callable[[str], None]) -> None:
        """Have ``tell`` called with what happens to the file from now on."""
        self._lasting.tell = tell


# What a new source begins with: it compiles, and prints what it reads.

_TEMPLATE = '''\
"""{title}"""

from esoplay.codegen.source import getc, putc


def main() -> None:
    c = getc()
    while c != 0:
        putc(c)
        c = getc()


if __name__ == "__main__":
    main()
'''


def template(problem: Problem | None) -> bytes:
    """A source for a problem, or for none."""
    title = f"{problem.id}: {problem.title}." if problem else "Each character goes out again."
    for sign in ("\\", '"'):
        title = title.replace(sign, "'")
    return _TEMPLATE.format(title=title).encode()


LANGUAGE = "brainfuck"
"""What problems are solved in until another language is chosen."""


class LaunchRequest(NamedTuple):
    """What the application was started for: a file, a problem, a language or a folder.

    file: a user's program, perhaps to be debugged.  language_id: of the file; without a file, that
    in which problems are solved.  problem_id: what to solve, or what the file solves, whose tests
    it gets.  source_map: of the program, where that is not the one beside it; False for none.
    folder: whose programs are browsed.
    """

    file: Path | None = None
    language_id: str | None = None
    dialect: str = "standard"
    stdin: bytes = b""
    debug: bool = False
    problem_id: str | None = None
    source_map: SourceMap | Literal[False] | None = None
    folder: Path | None = None


class OpenedBuffer(NamedTuple):
    """A buffer on the desk.  source: what to edit.  notice: a sentence for the user, or none."""

    buffer: ProgramBuffer
    source: bytes
    notice: str | None = None


class OwnProgram(NamedTuple):
    """A program of the user's that solved a problem, and what it took."""

    source: bytes
    steps: int
    size: int


class Workspace:
    """The problem and the buffer in hand, and everything known about them."""

    def __init__(
        self,
        folder: Path,
        *,
        pack: Pack | None = None,
        errand: LaunchRequest | None = None,
        sources: bool = False,
    ) -> None:
        """``sources``: write-once sources can be worked on here; else they are refused."""
        self.takes_sources = sources
        self.folder = folder
        self.errand = errand
        self.pack = pack if pack is not None else get_pack()
        self.state = PlayState(folder)
        self.sizes = CodeSizes(self.state)
        self.buffers = Buffers(folder)
        self.problem: Problem | None = None
        self.lesson: Lesson | None = None
        self.buffer: ProgramBuffer | None = None
        self.language_id = self._stored_language()
        self.dialect = "standard"
        self._opened = self._begin(errand) if errand is not None else None

    def _begin(self, errand: LaunchRequest) -> OpenedBuffer | None:
        """Open what the application was started for; raises what names it wrongly."""
        if errand.file is not None:
            return self._open_file(errand, errand.file)
        if errand.language_id is not None:
            self.choose_language(find_language(errand.language_id).id)
        if errand.problem_id is not None:
            return self.open_problem(self.pack.problem(errand.problem_id))
        if errand.language_id is not None:
            return self.open_problem(self.last_problem())
        return None

    @property
    def folder_in_hand(self) -> Path | None:
        """The folder whose programs are browsed, if the application was started with one."""
        return None if self.errand is None else self.errand.folder

    @property
    def first_run(self) -> bool:
        """Nobody has worked here before."""
        names = ("problem", "lesson", "file")
        return all(self.state.setting(name) is None for name in names)

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

    def open_problem(self, problem: Problem, *, remember: bool = True) -> OpenedBuffer:
        """Take up a problem: its own program, or the language's starter.

        remember: the next run goes on here.
        """
        if self.writes_once:
            buffer = self.buffers.of_source(self.pack.id, problem.id, self.language_id)
        else:
            buffer = self.buffers.of_problem(self.pack.id, problem.id, self.language_id)
        self.problem, self.buffer, self.lesson = problem, buffer, None
        if remember:
            self.remember_place()
        source = buffer.saved
        return OpenedBuffer(buffer, (self.starter or b"") if source is None else source)

    def remember_place(self) -> None:
        """Let the next run go on with what is in hand; raises StoreError."""
        buffer, lesson, state = self.buffer, self.lesson, self.state
        if self.problem is not None and lesson is None:
            state.set_setting("problem", self.problem.id)
        place = None if lesson is None else [lesson.language_id, lesson.slug]
        state.set_setting("lesson", place)
        own = buffer is not None and lesson is None and self.problem is None
        state.set_setting("file", str(buffer.path) if own and buffer is not None else None)

    def open_lesson(self, lesson: Lesson) -> OpenedBuffer:
        """Take up a lesson: its own program as it was left, in the standard dialect.

        Raises StoreError, and like ``get_pack`` where it is about a problem.
        """
        buffer = self.buffers.of_lesson(lesson.language_id, lesson.slug, *lesson.former_names)
        problem = lesson.task.problem
        self.problem = self.pack.problem(problem) if problem is not None else None
        self.buffer, self.lesson = buffer, lesson
        self.language_id, self.dialect = lesson.language_id, "standard"
        self.remember_place()
        return OpenedBuffer(buffer, lesson.program if buffer.saved is None else buffer.saved)

    def start(self) -> OpenedBuffer:
        """What to begin with: the errand's file, else the lesson or problem of the last run."""
        if self._opened is not None:
            return self._opened
        lesson = self._last_lesson()
        if lesson is not None:
            return self.open_lesson(lesson)
        opened = self._open_last_file()
        if opened is not None:
            return opened
        return self.open_problem(self.last_problem(), remember=not self.first_run)

    def _open_last_file(self) -> OpenedBuffer | None:
        """The file of the last run, if one was in hand and it is still there."""
        stored = self.state.setting("file")
        if not isinstance(stored, str) or not Path(stored).is_file():
            return None
        try:
            return self._open_file(LaunchRequest(), Path(stored))
        except (EsoplayError, UnknownLanguage):
            return None

    def _last_lesson(self) -> Lesson | None:
        """The lesson of the last run, if it was in one and it is still there."""
        stored = self.state.setting("lesson")
        if stored is None:
            return None
        try:
            course = get_course(self.language_id)
        except EsoplayError:
            return None
        every = (each for lesson in course for each in (lesson, *lesson.drills))
        return next(
            (
                each
                for each in every
                for slug in (each.slug, *each.former_names)
                if [each.language_id, slug] == stored
            ),
            None,
        )

    @property
    def examples(self) -> tuple[tuple[bytes, bytes], ...]:
        """Inputs of the problem or lesson in hand, and what each must give."""
        if self.problem is not None:
            return self.problem.examples
        return self.lesson.task.runs if self.lesson is not None else ()

    @property
    def has_tests(self) -> bool:
        """What is in hand is a problem or a lesson, and not just a file."""
        return self.problem is not None or self.lesson is not None

    @property
    def starter(self) -> bytes | None:
        """What the lesson or problem in hand began with; None for a file."""
        if self.lesson is not None:
            return self.lesson.program
        if self.buffer is not None and self.buffer.is_source:
            return template(self.problem)
        return None if self.problem is None else self.problem.starter(self.language_id)

    def open_file(self, path: Path) -> OpenedBuffer:
        """Take up a file of the user's; raises UsageError, UnknownLanguage, StoreError."""
        opened = self._open_file(LaunchRequest(), path)
        self.problem = self.lesson = None
        self.remember_place()
        return opened

    def _open_file(self, errand: LaunchRequest, path: Path) -> OpenedBuffer:
        """Take up a user's file; changes that were not saved the last time come back."""
        target = self._target() if self.takes_sources else None
        if path.suffix == SOURCE and target is None:
            raise UsageError(
                f"{path.name} is a write-once source: `esoplay generate {path.name} --lang L` "
                "makes programs of it, and the screen of `esoplay play` shows them"
            )
        buffer = self.buffers.of_file(path, errand.language_id, target=target)
        if buffer.is_source:
            self._check_target(buffer.language_id)
        draft = self.buffers.draft_of(buffer)
        self.buffer = buffer
        self.language_id = buffer.language_id
        self.dialect = errand.dialect
        if errand.problem_id is not None:
            self.problem = self.pack.problem(errand.problem_id)
        if draft is not None:
            notice = f"Unsaved changes to {path.name} from the last time are back."
            return OpenedBuffer(buffer, draft, notice)
        if buffer.saved is None:
            notice = f"{path.name} is a new file: saving writes it."
            return OpenedBuffer(buffer, self._blank(buffer), notice)
        return OpenedBuffer(buffer, buffer.saved)

    def _blank(self, buffer: ProgramBuffer) -> bytes:
        """What a program that has no file yet begins with."""
        starter = self.starter
        return find_language(buffer.language_id).starter() if starter is None else starter

    # Write once

    @property
    def writes_once(self) -> bool:
        """Problems are solved by a source for all languages, where the language has a back end."""
        if not self.takes_sources or not self.state.setting("write once", False):
            return False
        return self.has_back_end(self.language_id)

    def write_once(self, on: bool) -> None:
        """Solve problems by sources from now on, or by programs; raises StoreError, UsageError."""
        if on:
            self._check_target(self.language_id)
        self.state.set_setting("write once", on)

    def open_source(self, path: Path) -> OpenedBuffer:
        """Take up a source of the user's instead of what is in hand; raises UsageError."""
        if path.suffix != SOURCE:
            raise UsageError(f"{path.name}: the name of a source ends with {SOURCE}")
        return self.open_file(path)

    def retarget(self, language_id: str) -> None:
        """Make programs of the source in hand in another language; raises as ``write_once``."""
        self._check_target(language_id)
        if self.buffer is not None:
            self.buffer.language_id = language_id
        self.choose_language(language_id)

    def _target(self) -> str:
        """The language in use, or one that has a back end."""
        return self.language_id if self.has_back_end(self.language_id) else LANGUAGE

    def _check_target(self, language_id: str) -> None:
        from esoplay.codegen.back_ends import back_end_ids

        if not self.has_back_end(language_id):
            known = ", ".join(back_end_ids())
            raise UsageError(f"nothing is generated in {language_id!r}; there are {known}")

    @staticmethod
    def has_back_end(language_id: str) -> bool:
        """Programs in this language can be made of sources."""
        from esoplay.codegen.back_ends import back_end_ids

        return language_id in back_end_ids()

    def keep(self, source: bytes) -> None:
        """Make sure that the program in hand survives; raises StoreError.

        A starter that nobody touched is not kept, so that a better one may replace it.
        """
        if self.buffer is None:
            return
        if self.buffer.saved is not None or source != self._blank(self.buffer):
            self.buffer.keep(source)

    # Progress

    def progress(self) -> dict[str, ProblemStanding]:
        return self.state.progress(self.pack.id, self.language_id)

    def solved_in(self, language_id: str) -> int:
        """Problems of the pack that are solved in a language."""
        progress = self.state.progress(self.pack.id, language_id)
        return sum(each.solved for each in progress.values())

    def cells(self) -> dict[str, dict[str, ProblemStanding]]:
        """What was achieved in each language, by its id; sizes follow the current rules."""
        pack = self.pack.id
        return {
            id: {
                problem: self.sizes.cell(pack, id, problem, cell)
                for problem, cell in self.state.progress(pack, id).items()
            }
            for id in language_ids()
        }

    def solutions(self) -> list[OwnSolution]:
        """The submissions that solved the problem in hand."""
        if self.problem is None:
            return []
        return self.sizes.solutions(self.pack.id, self.language_id, self.problem.id)

    def next_unsolved(self) -> Problem | None:
        """The problem to go on with in the language in use; None where all are solved."""
        return next_unsolved(self.pack, self.progress(), self.problem)

    def record(self, report: GradeReport, source: bytes) -> None:
        """Keep the result of a practice submission; a program that solved is kept as well."""
        submission = PracticeSubmission(
            report.problem,
            tuple(test.verdict for test in report.tests),
            report.total_steps,
            code_size(report.language, source),
            max(test.memory for test in report.tests),
        )
        self.sizes.begin_recording()
        self.state.record(self.pack.id, report.language, report.dialect, submission, source)

    def unlocked_solution(self, problem: Problem | None) -> bytes | None:
        """The pack's solution of a problem in the language in use, once one has solved it."""
        if problem is None or not self.is_unlocked(problem):
            return None
        from esoplay.packs.references import reference_of

        found = reference_of(problem, self.language_id)
        return None if found is None else found.program

    def best_solution(self, problem: Problem, language_id: str) -> OwnProgram | None:
        """The program that solved a problem in the fewest steps, with its figures.

        None where none did, or where its file is gone.
        """
        found = self.sizes.solutions(self.pack.id, language_id, problem.id)
        for each in sorted(found, key=lambda each: (each.steps, each.size or 0)):
            source = self.state.files.read(each.digest)
            if source is not None and each.size is not None:
                return OwnProgram(source, each.steps, each.size)
        return None

    def best_figures(self, problem: Problem, language_id: str) -> tuple[int, int] | None:
        """The fewest steps and the fewest bytes of all solutions; None where there are none."""
        pack = self.pack.id
        stored = self.state.cell(pack, language_id, problem.id)
        cell = self.sizes.cell(pack, language_id, problem.id, stored)
        if cell.steps is None or cell.size is None:
            return None
        return cell.steps, cell.size

    def is_unlocked(self, problem: Problem | None) -> bool:
        """One has solved the problem, in whatever language: the pack's solutions may be read."""
        if problem is None:
            return False
        cells = (self.state.cell(self.pack.id, id, problem.id) for id in language_ids())
        return any(cell.solved for cell in cells)

    # Hints

    def hints(self, problem: Problem) -> tuple[str, ...]:
        """The hints on a problem: its own, then those on the language in use."""
        from esoplay.packs.hints import hints_of

        return hints_of(problem, self.language_id)

    def hints_shown(self, problem: Problem) -> int:
        """How many rungs have been asked for: of the problem, and then of the language in use."""
        own = min(self._count(self._hints_setting(problem)), len(problem.hints))
        if own < len(problem.hints):
            return own
        more = len(self.hints(problem)) - own
        return own + min(self._count(self._hints_setting(problem, self.language_id)), more)

    def show_next_hint(self, problem: Problem) -> int:
        """Ask for one more rung; returns how many are shown now.  Raises StoreError."""
        shown = min(self.hints_shown(problem) + 1, len(self.hints(problem)))
        own = len(problem.hints)
        if shown <= own:
            self.state.set_setting(self._hints_setting(problem), shown)
        else:
            self.state.set_setting(self._hints_setting(problem, self.language_id), shown - own)
        return shown

    def _hints_setting(self, problem: Problem, language_id: str = "") -> str:
        return f"hints {self.pack.id} {problem.id} {language_id}".rstrip()

    def _count(self, setting: str) -> int:
        count = self.state.setting(setting, 0)
        return count if isinstance(count, int) else 0
