"""Main loop of all command shells: lines, interrupts, history, completion, paging, errors.

On a terminal Ctrl-C ends the running command, not the shell. If a shell requests it, Tab completes
words, the history of lines is saved, and long responses are paged.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator

from esolangs.errors import EngineError
from esoplay.errors import EsoplayError
from esoplay.paths import state_folder

PrintLine = Callable[[str], None]
"""Function that prints one line."""
Complete = Callable[[str], list[str]]
"""Function that returns the completions of the last word of an unfinished line."""

MAX_HISTORY_LINES = 1_000
"""Maximum number of lines in a history file."""
MIN_COLUMNS = 16
"""Minimum terminal width for breaking lines between words."""
_TOKENS = re.compile(r"\S+\s?|\s")
MORE = "-- more: Enter shows the next page, q stops --"


class LineShell(ABC):
    """Shell that runs command lines until a command exits; an error ends only its line.

    is_exiting: whether the last line was an exit command. line_number: the current line in
    ``run``, from 1.
    """

    is_exiting = False
    line_number = 0

    def __init__(self, say: PrintLine) -> None:
        self.say = say

    @abstractmethod
    def greet(self) -> None:
        """Print a greeting with instructions for getting help."""

    @abstractmethod
    def begin(self) -> None:
        """Prepare for a new line: clear an interrupt of the previous line."""

    @abstractmethod
    def interrupt(self) -> None:
        """Interrupt the running command; called by a signal handler."""

    @abstractmethod
    def perform(self, text: str) -> None:
        """Run a command line. Raise EsoplayError or EngineError if it fails."""

    def report_error(self, error: EsoplayError | EngineError) -> None:
        """Report the error of a line."""
        self.say(f"error: {error}")

    def run(self, lines: Iterable[str]) -> None:
        """Run all lines until a command exits."""
        for text in lines:
            self.line_number += 1
            self.run_line(text)
            if self.is_exiting:
                break

    def run_line(self, text: str) -> None:
        """Run one line and report its error.

        An interrupt applies to this line even if it arrives while the line is parsed.
        """
        self.begin()
        try:
            self.perform(text)
        except (EsoplayError, EngineError) as error:
            self.report_error(error)


class Pager:
    """Pager that prints a response one page at a time."""

    def __init__(self) -> None:
        self._printed = 0
        self._silent = False

    def start_pages(self, typed_lines: Iterable[str]) -> Iterator[str]:
        """Yield typed lines; begin a new page before each, for the response to it."""
        for line in typed_lines:
            self._printed, self._silent = 0, False
            yield line

    def print_line(self, line: str) -> None:
        """Print a line; prompt first if the page is full."""
        if self._silent:
            return
        columns, rows = shutil.get_terminal_size()
        needed = len(break_line(line, columns))
        if self._printed and self._printed + needed >= rows:
            self._printed = 0
            with contextlib.suppress(EOFError):
                self._silent = _ask(MORE).strip().lower().startswith("q")
            if self._silent:
                return
        self._printed += needed
        print_wrapped(line)


def run_shell(
    shell: LineShell,
    prompt: str,
    *,
    first_command: str = "",
    pager: Pager | None = None,
    history: str = "",
    complete: Complete | None = None,
) -> None:
    """Run typed lines until they end or a command exits.

    first_command: a command to run before the typed lines. pager: the pager that the shell uses.
    history: a file in the state folder with the lines of earlier runs.
    """
    before = signal.signal(signal.SIGINT, lambda number, frame: shell.interrupt())
    try:
        shell.greet()
        if first_command:
            shell.run_line(first_command)
        lines = read_typed_lines(prompt)
        with _line_history(history), _completion(complete):
            shell.run(lines if pager is None else pager.start_pages(lines))
    finally:
        signal.signal(signal.SIGINT, before)


def print_unwrapped(line: str) -> None:
    """Print a line immediately, without breaking it."""
    print(line, flush=True)


def print_wrapped(line: str) -> None:
    """Print a line immediately; on a terminal, break it between words."""
    rows = [line]
    if sys.stdout.isatty():
        rows = break_line(line, shutil.get_terminal_size().columns)
    print("\n".join(rows), flush=True)


def break_line(line: str, columns: int) -> list[str]:
    """Break a long line into rows: after whitespace, and inside a word only if necessary.

    The rows contain the whole line. All rows but the first are indented by two more columns.
    """
    rows: list[str] = []
    for each in line.split("\n"):
        if len(each) <= columns or columns < MIN_COLUMNS:
            rows.append(each)
            continue
        before = min(len(each) - len(each.lstrip()), columns // 4)
        indent = " " * (before + 2)
        row = each[:before]
        for token in _TOKENS.findall(each[before:]):
            word = token.rstrip()
            fits = len(indent) + len(word) < columns  # otherwise break inside the word
            if fits and row.strip() and len(row) + len(word) >= columns:
                rows.append(row)
                row = indent
            while len(row) + len(word) >= columns:
                cut = columns - 1 - len(row)
                rows.append(row + word[:cut])
                row, token, word = indent, token[cut:], word[cut:]
            row += token
        rows.append(row)
    return rows


def read_typed_lines(prompt: str) -> Iterator[str]:
    """Yield typed lines, with line editing if the platform supports it."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  # pyright: ignore[reportUnusedImport]
    while True:
        try:
            yield input(prompt)
        except EOFError:
            return


@contextlib.contextmanager
def _line_history(history: str) -> Generator[None]:
    """Load the line history of earlier runs; on exit, save it together with the new lines."""
    try:
        import readline
    except ImportError:
        yield
        return
    if not history:
        yield
        return
    file = state_folder() / history
    readline.clear_history()
    with contextlib.suppress(OSError):
        readline.read_history_file(file)
    readline.set_history_length(MAX_HISTORY_LINES)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(file, os.O_WRONLY | os.O_CREAT, 0o600))
            readline.write_history_file(file)
        readline.clear_history()


@contextlib.contextmanager
def _completion(complete: Complete | None) -> Generator[None]:
    """Enable Tab completion of commands and their arguments."""
    try:
        import readline
    except ImportError:
        yield
        return
    if complete is None:
        yield
        return
    find = complete
    found: list[str] = []

    def completer(text: str, number: int) -> str | None:
        if number == 0:
            found[:] = find(readline.get_line_buffer()[: readline.get_endidx()])
        return found[number] + " " if number < len(found) else None

    before, delimiters = readline.get_completer(), readline.get_completer_delims()
    readline.set_completer(completer)
    readline.set_completer_delims(" ")
    libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
    try:
        yield
    finally:
        readline.set_completer(before)
        readline.set_completer_delims(delimiters)


def _ask(prompt: str) -> str:
    """Read the reply to a question without adding it to the history."""
    answer = input(prompt)
    with contextlib.suppress(ImportError):
        import readline

        last = readline.get_current_history_length()
        if answer and last and readline.get_history_item(last) == answer:
            readline.remove_history_item(last - 1)
    return answer
