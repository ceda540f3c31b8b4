"""The loop of the REPL: read a line, run its command, print the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from esolangs.errors import EngineError
from esoplay.cli.output import json_line
from esoplay.cli.repl import lessons
from esoplay.debugging.command_line import Line
from esoplay.debugging.commands import Chapter, CommandTable
from esoplay.debugging.session import Command, DebugSession, Reply
from esoplay.errors import EsoplayError

Say = Callable[[str], None]


def _quit(session: DebugSession, line: Line) -> Reply:
    return Reply([], {})


_QUIT = Command(("quit", "q", "exit"), "", "leave", _quit)
_BLOCK = "commands"
"""The command whose lines may follow it, up to one that says ``end``."""


def repl_table() -> CommandTable:
    """The commands of the REPL."""
    return CommandTable(Chapter("learn", lessons.COMMANDS), closing=(_QUIT,))


COMMANDS = repl_table().commands


class ScriptError(EsoplayError):
    """A line of a script that failed, where the first failure ends it."""


class Shell:
    """Runs command lines in a session; ``say`` receives one line of answer at a time.

    as_json: one JSON object for each command, instead of sentences.  strict: the first error
    raises ScriptError.  repeats: a blank line repeats the last move.
    """

    def __init__(
        self,
        session: lessons.LessonSession,
        say: Say,
        *,
        as_json: bool = False,
        strict: bool = False,
        repeats: bool = False,
    ):
        self.session = session
        self.table = repl_table()
        self._say = say
        self._as_json = as_json
        self._strict = strict
        self._repeats = repeats
        self._last_move = ""
        self._number = 0
        self._block: tuple[str, list[str]] | None = None
        self._leaving = False

    def greet(self) -> None:
        """Say where we are and how to get help."""
        program = self.session.debugger.program
        reply = self.session.here()
        name = program.language.name
        lines = [f"{name}, {len(program.spans())} instructions; type help for the commands"]
        lines += [f"warning: {text}" for text in program.warnings]
        data = {"language": program.language.id, "warnings": list(program.warnings), **reply.data}
        self._answer("open", Reply([*lines, *reply.lines], data))

    def run(self, lines: Iterable[str]) -> None:
        """Run every line, until one leaves.  Raises ScriptError if strict."""
        for text in lines:
            self._number += 1
            self.do(text)
            if self._leaving:
                break

    def do(self, text: str) -> None:
        """Run one line; an error is printed, and raised as ScriptError only if strict."""
        if self._block is not None:
            first, collected = self._block
            if text.strip() != "end":
                collected.append(text.strip())
                return
            self._block, text = None, f"{first} {'; '.join(collected) or 'none'}"
        elif self._repeats and not text.strip():
            text = self._last_move
        word = text.split(maxsplit=1)[0] if text.strip() else ""
        try:
            invocation = self.table.read(text)
            if invocation is None:
                return
            command, line = invocation
            word = command.name
            if command.name == _BLOCK and len(line.arguments) == 1 and not self._as_json:
                self._block = text.strip(), []
                return
            self._last_move = text if command.kind == "move" else ""
            self._leaving = command is _QUIT
            self._answer(word, self.table.run(self.session, invocation))
        except (EsoplayError, EngineError) as error:
            self._refuse(word, error)
            if self._strict:
                place = f"stdin:{self._number}: " if self._number else ""
                raise ScriptError(f"{place}{text.strip()}: {error}") from None

    def _answer(self, name: str, reply: Reply) -> None:
        if self._as_json:
            self._say_json({"command": name, "ok": True, **reply.data})
        else:
            for line in reply.lines:
                self._say(line)

    def _refuse(self, word: str, error: EsoplayError | EngineError) -> None:
        if self._as_json:
            kind = error.kind if isinstance(error, EsoplayError) else "usage"
            told = {"kind": kind, "message": str(error)}
            self._say_json({"command": word, "ok": False, "error": told})
        else:
            self._say(f"error: {error}")

    def _say_json(self, value: dict[str, Any]) -> None:
        self._say(json_line(value))
