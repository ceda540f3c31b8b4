"""The loop: read a line, do it, tell what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from esolangs.errors import EngineError
from esoplay.cli.output import json_line
from esoplay.cli.repl import (
    changing,
    counting,
    learning,
    looking,
    moves,
    noting,
    provenance,
    reasons,
    source_lines,
    term_parts,
    watching,
)
from esoplay.cli.repl.desk import Command, Desk, Reply
from esoplay.cli.repl.syntax import Line, quote, read_line
from esoplay.errors import EsoplayError, UsageError
from esoplay.service.debugging import NAMES

Say = Callable[[str], None]


class Shell:
    """Carries out command lines on a desk; ``say`` receives one line of answer at a time.

    as_json: one JSON object for each command, instead of sentences.
    """

    def __init__(self, desk: Desk, say: Say, *, as_json: bool = False):
        self.desk = desk
        self._say = say
        self._as_json = as_json
        self._leaving = False

    def greet(self) -> None:
        """Say where we are and how to get help."""
        program = self.desk.debugger.program
        reply = self.desk.here()
        name = program.language.name
        lines = [f"{name}, {len(program.spans())} instructions; type help for the commands"]
        lines += [f"warning: {text}" for text in program.warnings]
        data = {"language": program.language.id, "warnings": list(program.warnings), **reply.data}
        self._answer("open", Reply([*lines, *reply.lines], data))

    def run(self, lines: Iterable[str]) -> None:
        """Carry out every line, until one leaves."""
        for text in lines:
            self.do(text)
            if self._leaving:
                break

    def do(self, text: str) -> None:
        """Carry out one line; a mistake in it is told, never raised."""
        word = text.split(maxsplit=1)[0] if text.strip() else ""
        try:
            line = read_line(text)
            if line is None:
                return
            word = line.word
            command = _BY_NAME.get(word)
            if command is None:
                known = "type help for those there are"
                raise UsageError(f"there is no command {quote(word)}; {known}")
            if line.arguments and not command.usage:
                raise UsageError(f"{word} takes nothing")
            if command is _QUIT:
                self._leaving = True
            word = command.names[0]
            self._answer(word, command.handler(self.desk, line))
        except (EsoplayError, EngineError) as error:
            self._refuse(word, error)

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


def _help(desk: Desk, line: Line) -> Reply:
    if line.arguments:
        command = _BY_NAME.get(line.arguments[0])
        if command is None:
            raise UsageError(f"there is no command {quote(line.arguments[0])}")
        lines = [_usage(command), f"  {command.help}"]
        lines += [f"  example: {example}" for example in command.examples]
        return Reply(lines, {"commands": [_describe(command)]})
    lines: list[str] = []
    for title, commands in _CHAPTERS:
        lines.append(f"{title}:")
        lines += [f"  {_usage(command)}  -  {command.help}" for command in commands]
    names = ", ".join([*NAMES, *desk.debugger.program.register_names()])
    lines.append(f"A count may come first: 200 s. Conditions, such as cell[3] == 10, know {names}.")
    return Reply(lines, {"commands": [_describe(command) for command in COMMANDS]})


def _quit(desk: Desk, line: Line) -> Reply:
    return Reply([], {})


def _usage(command: Command) -> str:
    return " ".join([", ".join(command.names), *command.usage.split("\n")]).rstrip()


def _describe(command: Command) -> dict[str, Any]:
    return {
        "names": list(command.names),
        "usage": command.usage,
        "help": command.help,
        "examples": list(command.examples),
    }


_QUIT = Command(("quit", "q", "exit"), "", "leave", _quit)
_CHAPTERS = (
    ("travel in time", moves.COMMANDS),
    (
        "look",
        looking.COMMANDS + watching.COMMANDS + term_parts.COMMANDS + provenance.COMMANDS,
    ),
    ("go by the source", source_lines.COMMANDS),
    ("count", counting.COMMANDS),
    ("ask why", reasons.COMMANDS),
    ("stop and change", changing.COMMANDS),
    ("write down", noting.COMMANDS),
    ("learn", learning.COMMANDS),
    (
        "and",
        (
            Command(("help", "h", "?"), "[COMMAND]", "list the commands, or explain one", _help),
            _QUIT,
        ),
    ),
)
COMMANDS = tuple(command for _, commands in _CHAPTERS for command in commands)
_BY_NAME = {name: command for command in COMMANDS for name in command.names}
