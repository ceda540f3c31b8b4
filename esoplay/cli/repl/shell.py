"""The shell of the text debugger: reads a line, runs its command, prints the answer."""

from __future__ import annotations

import sys
from typing import Any

from esolangs.errors import EngineError
from esoplay.cli.output import json_line
from esoplay.cli.repl import loop
from esoplay.cli.repl.lessons import LESSON_COMMANDS, LessonSession
from esoplay.cli.repl.loop import LineShell, Pager, Say
from esoplay.debugging.command_line import Line
from esoplay.debugging.commands import Chapter, CommandTable
from esoplay.debugging.session import Command, DebugSession, Reply
from esoplay.errors import EsoplayError
from esoplay.service.debugging import Debugger

PROMPT = "> "
HISTORY = "debugger_history"
"""The file in the state folder that has the lines typed before."""


def converse(
    debugger: Debugger, *, as_json: bool = False, first: str = "", strict: bool = False
) -> LessonSession:
    """Take commands from stdin until it ends or a command leaves; ``first``: one before them.

    On a terminal with a prompt, completion, history and pages.  strict: raises ScriptError at the
    first line that fails.  Returns the session they led to.
    """
    reconfigure = getattr(sys.stdin, "reconfigure", None)  # a stand-in may not have it
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")  # a script's bytes need not be text
    interactive = sys.stdin.isatty() and sys.stdout.isatty() and not as_json
    # Scripts say what they want, so they begin with no watches.
    session = LessonSession(debugger, keeps_notes=True, keeps_watches=interactive)
    if not interactive:
        shell = Shell(session, loop.say, as_json=as_json, strict=strict)
        shell.greet()
        shell.do(first)
        shell.run(sys.stdin)
        return session
    pager = Pager()
    shell = Shell(session, pager.say, strict=strict, repeats=True)
    loop.converse(shell, PROMPT, first=first, pager=pager, history=HISTORY, complete=shell.complete)
    return session


def _quit(session: DebugSession, line: Line) -> Reply:
    return Reply([], {})


_QUIT = Command(("quit", "q", "exit"), "", "leave", _quit)
_BLOCK = "commands"
"""The command whose lines may follow it, up to one that says ``end``."""


def repl_table() -> CommandTable:
    """The commands of the REPL."""
    return CommandTable(Chapter("learn", LESSON_COMMANDS), closing=(_QUIT,))


COMMANDS = repl_table().commands


class ScriptError(EsoplayError):
    """A line of a script that failed, where the first failure ends it."""


class Shell(LineShell):
    """Runs the debugger's command lines in a session.

    as_json: one JSON object for each command, instead of sentences.  strict: the first error
    raises ScriptError.  repeats: a blank line repeats the last move.
    """

    def __init__(
        self,
        session: LessonSession,
        say: Say,
        *,
        as_json: bool = False,
        strict: bool = False,
        repeats: bool = False,
    ):
        super().__init__(say)
        self.session = session
        self.table = repl_table()
        self._as_json = as_json
        self._strict = strict
        self._repeats = repeats
        self._text = self._word = ""  # the line and the command under way
        self._last_move = ""
        self._block: tuple[str, list[str]] | None = None

    def greet(self) -> None:
        program = self.session.debugger.program
        reply = self.session.here()
        name = program.language.name
        lines = [f"{name}, {len(program.spans())} instructions; type help for the commands"]
        lines += [f"warning: {text}" for text in program.warnings]
        data = {"language": program.language.id, "warnings": list(program.warnings), **reply.data}
        self._answer("open", Reply([*lines, *reply.lines], data))

    def begin(self) -> None:
        self.session.begin(None)

    def interrupt(self) -> None:
        self.session.interrupt()

    def complete(self, text: str) -> list[str]:
        """The words that the last word of a line may become."""
        return self.table.complete(self.session, text)

    def perform(self, text: str) -> None:
        if self._block is not None:
            first, collected = self._block
            if text.strip() != "end":
                collected.append(text.strip())
                return
            self._block, text = None, f"{first} {'; '.join(collected) or 'none'}"
        elif self._repeats and not text.strip():
            text = self._last_move
        self._text, self._word = text, "".join(text.split(maxsplit=1)[:1])
        invocation = self.table.read(text)
        if invocation is None:
            return
        command, line = invocation
        self._word = command.name
        if command.name == _BLOCK and len(line.arguments) == 1 and not self._as_json:
            self._block = text.strip(), []
            return
        self._last_move = text if command.kind == "move" else ""
        self.leaving = command is _QUIT
        self._answer(command.name, self.table.run(self.session, invocation))

    def refuse(self, error: EsoplayError | EngineError) -> None:
        """Report the error of a line; if strict, raise ScriptError as well."""
        if self._as_json:
            kind = error.kind if isinstance(error, EsoplayError) else "usage"
            told = {"kind": kind, "message": str(error)}
            self._say_json({"command": self._word, "ok": False, "error": told})
        else:
            super().refuse(error)
        if self._strict:
            place = f"stdin:{self.number}: " if self.number else ""
            raise ScriptError(f"{place}{self._text.strip()}: {error}") from None

    def _answer(self, name: str, reply: Reply) -> None:
        if self._as_json:
            self._say_json({"command": name, "ok": True, **reply.data})
        else:
            for line in reply.lines:
                self.say(line)

    def _say_json(self, value: dict[str, Any]) -> None:
        self.say(json_line(value))
