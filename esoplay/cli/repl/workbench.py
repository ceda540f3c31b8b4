"""State that practice commands act on: the problem, the program and saved progress."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

from esoplay.cli.repl.debugger import LessonSession
from esoplay.debugging.command_line import CommandLine
from esoplay.debugging.debugger import Debugger
from esoplay.errors import UsageError
from esoplay.grading.problem import Pack, Problem
from esoplay.grading.report import GradeReport
from esoplay.learning.lessons import Lesson


class BufferLike(Protocol):
    """The file of the edited program; see ``esoplay.tui.buffers``."""

    path: Path
    language_id: str
    problem_id: str | None
    saved_source: bytes | None

    def save(self, source: bytes) -> None: ...


class OpenedBufferLike(Protocol):
    """Opened buffer with the text to edit and a notice for the user."""

    @property
    def source(self) -> bytes: ...
    @property
    def notice(self) -> str | None: ...


class ProblemProgress(Protocol):
    """Progress on one problem."""

    @property
    def tries(self) -> int: ...
    @property
    def solved(self) -> bool: ...
    @property
    def steps(self) -> int | None: ...
    @property
    def size(self) -> int | None: ...


class SolutionLike(Protocol):
    """A user's program that solved a problem."""

    @property
    def source(self) -> bytes: ...


class ProgramStore(Protocol):
    """Program store of the application, shared by the screen and the text mode."""

    language_id: str
    dialect: str
    problem: Problem | None

    @property
    def pack(self) -> Pack: ...
    @property
    def buffer(self) -> BufferLike | None: ...
    def open_initial_program(self) -> OpenedBufferLike: ...
    def open_problem(self, problem: Problem) -> OpenedBufferLike: ...
    def last_problem(self) -> Problem: ...
    def choose_language(self, language_id: str) -> None: ...
    def autosave(self, source: bytes) -> None: ...
    def save_submission(self, report: GradeReport, source: bytes) -> None: ...
    def progress(self) -> Mapping[str, ProblemProgress]: ...
    def hints(self, problem: Problem) -> tuple[str, ...]: ...
    def save_hint_shown(self, problem: Problem) -> int: ...
    def best_solution(self, problem: Problem, language_id: str) -> SolutionLike | None: ...
    def best_figures(self, problem: Problem, language_id: str) -> tuple[int, int] | None: ...
    def unlocked_solution(self, problem: Problem | None) -> bytes | None: ...


class LessonProgress(NamedTuple):
    """The saved progress in lessons.

    done_slugs: returns the slugs of a language's finished lessons.
    """

    done_slugs: Callable[[str], Collection[str]]
    mark_done: Callable[[Lesson], None]


class Workbench:
    """Current program and problem. ``interrupt`` (for signal handlers) stops running tests."""

    def __init__(self, store: ProgramStore, lessons: LessonProgress) -> None:
        self.store = store
        self.lessons = lessons
        self._interrupted = False  # not an Event: a signal may arrive while its lock is held
        opened = store.open_initial_program()
        self.source = opened.source
        self.notice = opened.notice

    def open_problem(self, problem: Problem) -> None:
        """Open a problem with the user's last program for it."""
        self.source = self.store.open_problem(problem).source

    @property
    def problem(self) -> Problem:
        """Current problem; raise UsageError if none is open."""
        if self.store.problem is None:
            raise UsageError("no problem is open: `problem E01` opens the first")
        return self.store.problem

    def set_program(self, source: bytes) -> None:
        """Replace the program and save it to its file."""
        self.source = source
        buffer = self.store.buffer
        if buffer is not None and buffer.problem_id is None:
            buffer.save(source)
        else:
            self.store.autosave(source)

    # Interrupts

    def begin_command(self) -> None:
        """Prepare for a new command: clear an earlier interrupt."""
        self._interrupted = False

    def interrupt(self) -> None:
        self._interrupted = True

    @property
    def interrupted(self) -> bool:
        return self._interrupted


class CommandConsole(NamedTuple):
    """Functions that a command can call.

    say: prints one line. debug: runs the text debugger, starting with a command, until the user
    exits. edit: opens a text under a file name in the user's editor and returns the result. lines:
    reads lines up to a line that contains only a dot.
    """

    say: Callable[[str], None]
    debug: Callable[[Debugger, str], LessonSession]
    edit: Callable[[bytes, str], bytes]
    lines: Callable[[], list[str]]


Handler = Callable[[Workbench, CommandConsole, CommandLine], None]


class PracticeCommand(NamedTuple):
    """Command of the text mode.  ``names``: the name, then its abbreviations and synonyms."""

    names: tuple[str, ...]
    usage: str
    help: str
    handler: Handler
