"""The REPL on stdin and stdout: prompts on a terminal only, Ctrl-C ends a move and not the REPL.

On a terminal Tab completes, lines are remembered from one run to the next, Enter repeats the last
move, and answers longer than the screen are shown a page at a time.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
from collections.abc import Generator, Iterator

from esoplay.cli.repl.lessons import LessonSession
from esoplay.cli.repl.shell import Shell
from esoplay.paths import state_folder
from esoplay.service.debugging import Debugger

PROMPT = "> "
HISTORY = "debugger_history"
"""The file in the state folder that has the lines typed before."""
LINES_KEPT = 1_000
MORE = "-- more: Enter shows another page, q ends the answer --"


def converse(
    debugger: Debugger, *, as_json: bool = False, first: str = "", strict: bool = False
) -> LessonSession:
    """Take commands from stdin until it ends or a command leaves; ``first``: one before them.

    strict: raises ScriptError at the first line that fails.  Returns the session they led to.
    """
    reconfigure = getattr(sys.stdin, "reconfigure", None)  # a stand-in may not have it
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")  # a script's bytes need not be text
    interactive = sys.stdin.isatty() and sys.stdout.isatty() and not as_json
    # Scripts say what they want, so they begin with no watches.
    session = LessonSession(debugger, keeps_notes=True, keeps_watches=interactive)
    pager = _Pager() if interactive else None
    say = _say if pager is None else pager.say
    shell = Shell(session, say, as_json=as_json, strict=strict, repeats=interactive)
    before = signal.getsignal(signal.SIGINT)
    if interactive:
        signal.signal(signal.SIGINT, lambda number, frame: session.interrupt())
    try:
        shell.greet()
        shell.do(first)
        if pager is None:
            shell.run(sys.stdin)
        else:
            with _remembered_lines(), _completion(shell):
                shell.run(pager.lines(typed(PROMPT)))
    finally:
        signal.signal(signal.SIGINT, before)
    return session


def typed(prompt: str) -> Iterator[str]:
    """Lines from a person, with editing where the platform has it."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  # pyright: ignore[reportUnusedImport]
    while True:
        try:
            yield input(prompt)
        except EOFError:
            return


@contextlib.contextmanager
def _remembered_lines() -> Generator[None]:
    """Let the lines of earlier runs be recalled, and save them with the new ones."""
    try:
        import readline
    except ImportError:
        yield
        return
    file = state_folder() / HISTORY
    readline.clear_history()
    with contextlib.suppress(OSError):
        readline.read_history_file(file)
    readline.set_history_length(LINES_KEPT)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(file, os.O_WRONLY | os.O_CREAT, 0o600))
            readline.write_history_file(file)
        readline.clear_history()


@contextlib.contextmanager
def _completion(shell: Shell) -> Generator[None]:
    """Let Tab complete commands and what they take."""
    try:
        import readline
    except ImportError:
        yield
        return
    found: list[str] = []

    def complete(text: str, number: int) -> str | None:
        if number == 0:
            line = readline.get_line_buffer()[: readline.get_endidx()]
            found[:] = shell.table.complete(shell.session, line)
        return found[number] + " " if number < len(found) else None

    before, delimiters = readline.get_completer(), readline.get_completer_delims()
    readline.set_completer(complete)
    readline.set_completer_delims(" ")
    libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
    try:
        yield
    finally:
        readline.set_completer(before)
        readline.set_completer_delims(delimiters)


class _Pager:
    """Prints an answer a page at a time."""

    def __init__(self) -> None:
        self._printed = 0
        self._silent = False

    def lines(self, typed: Iterator[str]) -> Iterator[str]:
        """The lines of a person; each one begins a new answer."""
        for line in typed:
            self._printed, self._silent = 0, False
            yield line

    def say(self, line: str) -> None:
        """Print a line, after asking where the page is full."""
        if self._silent:
            return
        columns, rows = shutil.get_terminal_size()
        needed = max(1, -(-len(line) // max(1, columns)))
        if self._printed and self._printed + needed >= rows:
            self._printed = 0
            with contextlib.suppress(EOFError):
                self._silent = _asked(MORE).strip().lower().startswith("q")
            if self._silent:
                return
        self._printed += needed
        _say(line)


def _asked(prompt: str) -> str:
    """What a person answers; it is not remembered as a command."""
    answer = input(prompt)
    with contextlib.suppress(ImportError):
        import readline

        last = readline.get_current_history_length()
        if answer and last and readline.get_history_item(last) == answer:
            readline.remove_history_item(last - 1)
    return answer


def _say(line: str) -> None:
    print(line, flush=True)
