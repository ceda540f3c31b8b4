"""The workspace: the open program and the user's progress, independent of screens.

It combines the pack, the buffers and the saved progress.
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
from esoplay.packs.catalogue import BUILT_IN, get_pack, get_problem
from esoplay.programs.execution import code_size
from esoplay.progress.code_sizes import CodeSizes
from esoplay.progress.database import ResilientFile
from esoplay.progress.records import (
    NO_PROGRESS,
    OwnSolution,
    PracticeSubmission,
    ProblemStanding,
    SolvedProgramRecord,
    Streak,
    next_unsolved,
)
from esoplay.progress.store import FILE_NAME, ProgressStore
from esoplay.tui.buffers import SOURCE_EXTENSION, Buffers, ProgramBuffer

if TYPE_CHECKING:
    from esoplay.codegen.source_map import SourceMap


# State saved between runs by :mod:`esoplay.progress.store`, which commands and screens share

__all__ = [
    "FILE_NAME",
    "NO_PROGRESS",
    "OwnSolution",
    "PlayState",
    "PracticeSubmission",
    "ProblemStanding",
    "SolvedProgramRecord",
    "Streak",
]


class PlayState(ProgressStore):
    """Settings and progress, which remain readable if writing their file fails.

    Raises StoreError on opening if the file cannot be read, and on closing if a write failed.
    """

    def __init__(self, folder: Path) -> None:
        file = ResilientFile(folder / FILE_NAME)
        super().__init__(folder, file=file)
        self._resilient_file = file

    def listen(self, callback: Callable[[str], None]) -> None:
        """Call ``callback`` with each new notice about the progress file, such as a write error."""
        self._resilient_file.notify = callback


# The template of a new source, which compiles and prints its input

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
    """Return the initial write-once source for a problem, or for a file without a problem."""
    title = f"{problem.id}: {problem.title}." if problem else "Prints every character of the input."
    for sign in ("\\", '"'):
        title = title.replace(sign, "'")
    return _TEMPLATE.format(title=title).encode()


DEFAULT_LANGUAGE = "brainfuck"
"""The language of problems until the user chooses another one."""


class LaunchRequest(NamedTuple):
    """The file, problem, language or folder for which the application was started.

    file: a user's program. debug: whether to debug it. language_id: the language of the file;
    without a file, the language of problems. problem_id: the problem to solve, or the
    problem of the file. source_map: a map of the program, instead of the map next to it; False for
    no map. folder: a folder whose programs are browsed. step: the step at which the debugger
    starts. play: whether it plays from this step. pack: the pack to choose problems from; None for
    the built-in pack.
    """

    file: Path | None = None
    language_id: str | None = None
    dialect: str = "standard"
    stdin: bytes = b""
    debug: bool = False
    problem_id: str | None = None
    source_map: SourceMap | Literal[False] | None = None
    folder: Path | None = None
    step: int = 0
    play: bool = False
    pack: Pack | None = None


class OpenedBuffer(NamedTuple):
    """A buffer with its initial text, as :class:`Workspace` opened it.

    source: the bytes to edit.
    notice: a message for the user, or None.
    """

    buffer: ProgramBuffer
    source: bytes
    notice: str | None = None


class OwnProgram(NamedTuple):
    """A program with which the user solved a problem, with its steps and size in bytes."""

    source: bytes
    steps: int
    size: int


class Workspace:
    """The current problem, lesson and buffer, the user's settings, and the user's progress."""

    def __init__(
        self,
        folder: Path,
        *,
        pack: Pack | None = None,
        request: LaunchRequest | None = None,
        takes_sources: bool = False,
    ) -> None:
        """Open the workspace in ``folder``.

        takes_sources: whether write-once sources are supported.
        """
        self.takes_sources = takes_sources
        self.folder = folder
        self.launch_request = request
        chosen = request.pack if request is not None else None
        self.pack = pack or chosen or get_pack()
        self.state = PlayState(folder)
        self.sizes = CodeSizes(self.state)
        self.buffers = Buffers(folder)
        self.problem: Problem | None = None
        self.lesson: Lesson | None = None
        self.buffer: ProgramBuffer | None = None
        self.language_id = self._stored_language()
        self.dialect = "standard"
        self._opened = self._open_requested(request) if request is not None else None

    def _open_requested(self, request: LaunchRequest) -> OpenedBuffer | None:
        """Open the program that ``request`` names, or return None.

        A request for only a language or a pack opens the problem that was open last.
        """
        if request.file is not None:
            return self._open_file(request, request.file)
        if request.language_id is not None:
            self.choose_language(find_language(request.language_id).id)
        if request.problem_id is not None:
            return self.open_problem(self.pack.problem(request.problem_id))
        if request.language_id is not None or (request.pack is not None and not request.folder):
            return self.open_problem(self.last_problem())
        return None

    @property
    def browsed_folder(self) -> Path | None:
        """The folder whose programs are browsed, or None."""
        return None if self.launch_request is None else self.launch_request.folder

    @property
    def is_first_run(self) -> bool:
        """Whether this is the user's first run."""
        names = ("problem", "lesson", "file")
        return all(self.state.setting(name) is None for name in names)

    def last_problem(self) -> Problem:
        """Return the problem that was open in the last session, or the first problem."""
        try:
            return self.pack.problem(str(self.state.setting(self._problem_setting, "")))
        except UnknownProblem:
            return self.pack.problems[0]

    @property
    def _problem_setting(self) -> str:
        """The name of the setting with the last problem; each pack has its own."""
        return "problem" if self.pack.id == BUILT_IN else f"problem {self.pack.id}"

    @property
    def pack_folder(self) -> Path | None:
        """The folder of the pack; None for the built-in pack."""
        return None if self.pack.id == BUILT_IN else self.pack.problems[0].folder.parent

    @property
    def pack_of_problem(self) -> Path | None:
        """The folder of the current problem's pack; None for the built-in pack, and in lessons."""
        return None if self.lesson is not None else self.pack_folder

    def choose_language(self, language_id: str) -> None:
        """Use this language for problems. Raises StoreError if the choice cannot be saved."""
        self.language_id = language_id
        self.state.set_setting("language", language_id)

    def _stored_language(self) -> str:
        stored = self.state.setting("language")
        return stored if isinstance(stored, str) and stored in language_ids() else DEFAULT_LANGUAGE

    def open_problem(self, problem: Problem, *, remember: bool = True) -> OpenedBuffer:
        """Open a problem with the user's program, or with the language's starter.

        remember: whether the next session of the application opens this problem.
        """
        if self.is_write_once:
            buffer = self.buffers.for_source(self.pack.id, problem.id, self.language_id)
        else:
            buffer = self.buffers.for_problem(self.pack.id, problem.id, self.language_id)
        self.problem, self.buffer, self.lesson = problem, buffer, None
        if remember:
            self.remember_open_program()
        source = buffer.saved_source
        return OpenedBuffer(buffer, (self.starter or b"") if source is None else source)

    def remember_open_program(self) -> None:
        """Save which program the next session of the application opens.

        Raises StoreError if it cannot be saved.
        """
        buffer, lesson, state = self.buffer, self.lesson, self.state
        if self.problem is not None and lesson is None:
            state.set_setting(self._problem_setting, self.problem.id)
        place = None if lesson is None else [lesson.language_id, lesson.slug]
        state.set_setting("lesson", place)
        own = buffer is not None and lesson is None and self.problem is None
        state.set_setting("file", str(buffer.path) if own and buffer is not None else None)

    def open_lesson(self, lesson: Lesson) -> OpenedBuffer:
        """Open a lesson with the user's saved program, in the standard dialect.

        Raises StoreError and, for a lesson about a problem, the errors of ``get_pack``.
        """
        buffer = self.buffers.for_lesson(lesson.language_id, lesson.slug, *lesson.former_names)
        problem = lesson.task.problem
        self.problem = get_problem(problem) if problem is not None else None
        self.buffer, self.lesson = buffer, lesson
        self.language_id, self.dialect = lesson.language_id, "standard"
        self.remember_open_program()
        return OpenedBuffer(
            buffer, lesson.program if buffer.saved_source is None else buffer.saved_source
        )

    def open_initial_program(self) -> OpenedBuffer:
        """Open the requested program, or the program that was open in the last session."""
        if self._opened is not None:
            return self._opened
        lesson = self._last_lesson()
        if lesson is not None:
            return self.open_lesson(lesson)
        opened = self._open_last_file()
        if opened is not None:
            return opened
        return self.open_problem(self.last_problem(), remember=not self.is_first_run)

    def _open_last_file(self) -> OpenedBuffer | None:
        """Open the file that was open when esoplay last ended; return None if this fails."""
        stored = self.state.setting("file")
        if not isinstance(stored, str) or not Path(stored).is_file():
            return None
        try:
            return self._open_file(LaunchRequest(), Path(stored))
        except (EsoplayError, UnknownLanguage):
            return None

    def _last_lesson(self) -> Lesson | None:
        """Return the lesson that was open when esoplay last ended, or None if it does not exist."""
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
        """Inputs and expected outputs of the current problem or lesson."""
        if self.problem is not None:
            return tuple((each.input, each.output) for each in self.problem.examples)
        return self.lesson.task.runs if self.lesson is not None else ()

    @property
    def has_tests(self) -> bool:
        """Whether the current program belongs to a problem or lesson."""
        return self.problem is not None or self.lesson is not None

    @property
    def starter(self) -> bytes | None:
        """The starter of the current lesson or problem, or a source's template; None for a file."""
        if self.lesson is not None:
            return self.lesson.program
        if self.buffer is not None and self.buffer.is_source:
            return template(self.problem)
        return None if self.problem is None else self.problem.starter(self.language_id)

    def open_file(self, path: Path) -> OpenedBuffer:
        """Open a user's file, which the next session of the application will open again.

        Raises UsageError or UnknownLanguage if the file cannot be opened, and StoreError if its
        path cannot be saved.
        """
        opened = self._open_file(LaunchRequest(), path)
        self.problem = self.lesson = None
        self.remember_open_program()
        return opened

    def _open_file(self, request: LaunchRequest, path: Path) -> OpenedBuffer:
        """Open a user's file, with unsaved changes from the last session of the application."""
        target = self._target_language_id() if self.takes_sources else None
        if path.suffix == SOURCE_EXTENSION and target is None:
            raise UsageError(
                f"{path.name} is a write-once source: `esoplay generate {path.name} --lang L` "
                "generates programs from it; `esoplay play` opens it, except in the text mode "
                "(--plain)"
            )
        buffer = self.buffers.for_file(path, request.language_id, target=target)
        if buffer.is_source:
            self._check_target_language(buffer.language_id)
        draft = self.buffers.read_draft(buffer)
        self.buffer = buffer
        self.language_id = buffer.language_id
        self.dialect = request.dialect
        if request.problem_id is not None:
            self.problem = self.pack.problem(request.problem_id)
        if draft is not None:
            notice = f"Restored unsaved changes to {path.name}."
            return OpenedBuffer(buffer, draft, notice)
        if buffer.saved_source is None:
            notice = f"{path.name} is a new file: saving writes it."
            return OpenedBuffer(buffer, self._initial_text(buffer), notice)
        return OpenedBuffer(buffer, buffer.saved_source)

    def _initial_text(self, buffer: ProgramBuffer) -> bytes:
        """Return the initial text of a program whose file does not exist."""
        starter = self.starter
        return find_language(buffer.language_id).starter() if starter is None else starter

    # Write once

    @property
    def is_write_once(self) -> bool:
        """Whether problems are solved with write-once sources, compiled to the current language.

        False if programs in the current language cannot be generated.
        """
        if not self.takes_sources or not self.state.setting("write once", False):
            return False
        return self.has_back_end(self.language_id)

    def set_write_once(self, enabled: bool) -> None:
        """Set whether problems are solved with write-once sources.

        Raises StoreError if the setting cannot be saved, and UsageError if programs in the current
        language cannot be generated.
        """
        if enabled:
            self._check_target_language(self.language_id)
        self.state.set_setting("write once", enabled)

    def open_source(self, path: Path) -> OpenedBuffer:
        """Open a user's source. Raises UsageError if its name does not end in ``.py``."""
        if path.suffix != SOURCE_EXTENSION:
            raise UsageError(
                f"{path.name} is not a source; expected a name that ends with {SOURCE_EXTENSION}"
            )
        return self.open_file(path)

    def retarget(self, language_id: str) -> None:
        """Set the language in which programs are generated from sources.

        Raises UsageError if programs in this language cannot be generated, and StoreError if the
        setting cannot be saved.
        """
        self._check_target_language(language_id)
        if self.buffer is not None:
            self.buffer.language_id = language_id
        self.choose_language(language_id)

    def _target_language_id(self) -> str:
        """Return the current language, or ``DEFAULT_LANGUAGE`` if no code generator supports it."""
        return self.language_id if self.has_back_end(self.language_id) else DEFAULT_LANGUAGE

    def _check_target_language(self, language_id: str) -> None:
        from esoplay.codegen.back_ends import back_end_ids

        if not self.has_back_end(language_id):
            known = ", ".join(back_end_ids())
            raise UsageError(
                f"cannot generate programs in {language_id!r}; known languages: {known}"
            )

    @staticmethod
    def has_back_end(language_id: str) -> bool:
        """Return whether programs in this language can be generated from sources."""
        from esoplay.codegen.back_ends import back_end_ids

        return language_id in back_end_ids()

    def autosave(self, source: bytes) -> None:
        """Save the current program. Raises StoreError if it cannot be saved.

        An unchanged starter is not saved, so that a newer version can replace it.
        """
        if self.buffer is None:
            return
        if self.buffer.saved_source is not None or source != self._initial_text(self.buffer):
            self.buffer.autosave(source)

    # Progress

    def progress(self) -> dict[str, ProblemStanding]:
        return self.state.progress(self.pack.id, self.language_id)

    def solved_count(self, language_id: str) -> int:
        """Return the number of problems of the pack that are solved in a language."""
        progress = self.state.progress(self.pack.id, language_id)
        return sum(each.solved for each in progress.values())

    def standings(self) -> dict[str, dict[str, ProblemStanding]]:
        """Return the results by language and problem, with sizes by the current counting rules."""
        pack = self.pack.id
        return {
            id: {
                problem: self.sizes.standing(pack, id, problem, cell)
                for problem, cell in self.state.progress(pack, id).items()
            }
            for id in language_ids()
        }

    def solutions(self) -> list[OwnSolution]:
        """Return the submissions that solved the current problem."""
        if self.problem is None:
            return []
        return self.sizes.solutions(self.pack.id, self.language_id, self.problem.id)

    def next_unsolved(self) -> Problem | None:
        """Return the next unsolved problem in the current language; None if all are solved."""
        return next_unsolved(self.pack, self.progress(), self.problem)

    def save_submission(self, report: GradeReport, source: bytes) -> None:
        """Save the result of a practice submission, and the program if it solved the problem."""
        submission = PracticeSubmission(
            report.problem,
            tuple(test.verdict for test in report.tests),
            report.total_steps,
            code_size(report.language, source),
            max(test.memory for test in report.tests),
        )
        self.sizes.save_rules_start()
        pack = BUILT_IN if self.lesson is not None else self.pack.id
        self.state.save_submission(pack, report.language, report.dialect, submission, source)

    def unlocked_solution(self, problem: Problem | None) -> bytes | None:
        """Return the pack's solution in the current language; None if it is locked or missing."""
        if problem is None or not self.is_unlocked(problem):
            return None
        from esoplay.packs.references import find_reference

        found = find_reference(problem, self.language_id)
        return None if found is None else found.program

    def best_solution(self, problem: Problem, language_id: str) -> OwnProgram | None:
        """Return the saved program that solved a problem in the fewest steps; None without one."""
        found = self.sizes.solutions(self.pack.id, language_id, problem.id)
        for each in sorted(found, key=lambda each: (each.steps, each.size or 0)):
            source = self.state.files.read(each.digest)
            if source is not None and each.size is not None:
                return OwnProgram(source, each.steps, each.size)
        return None

    def best_figures(self, problem: Problem, language_id: str) -> tuple[int, int] | None:
        """Return the fewest steps and the fewest bytes of all solutions; None without solutions."""
        pack = self.pack.id
        stored = self.state.standing(pack, language_id, problem.id)
        cell = self.sizes.standing(pack, language_id, problem.id, stored)
        if cell.steps is None or cell.size is None:
            return None
        return cell.steps, cell.size

    def is_unlocked(self, problem: Problem | None) -> bool:
        """Return whether the pack's solution may be shown: the problem is solved in a language."""
        if problem is None:
            return False
        cells = (self.state.standing(self.pack.id, id, problem.id) for id in language_ids())
        return any(cell.solved for cell in cells)

    # Hints

    def hints(self, problem: Problem) -> tuple[str, ...]:
        """Return the hints of a problem, followed by the hints for the current language."""
        from esoplay.packs.hints import all_hints

        return all_hints(problem, self.language_id)

    def shown_hint_count(self, problem: Problem) -> int:
        """Return how many hints for the problem and the current language were shown."""
        own = min(self._count(self._hints_setting(problem)), len(problem.hints))
        if own < len(problem.hints):
            return own
        more = len(self.hints(problem)) - own
        return own + min(self._count(self._hints_setting(problem, self.language_id)), more)

    def save_hint_shown(self, problem: Problem) -> int:
        """Save that one more hint was shown; return the new number. Raises StoreError."""
        shown = min(self.shown_hint_count(problem) + 1, len(self.hints(problem)))
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
