"""The loop of the text mode: read a line, do it."""

from __future__ import annotations

from collections.abc import Iterable

from esolangs.errors import EngineError
from esoplay.cli.plain import choosing, solving
from esoplay.cli.plain.bench import Bench
from esoplay.cli.plain.commands import Command, Console
from esoplay.debugging.command_line import Line, quote, read_line
from esoplay.errors import EsoplayError, UsageError


class PlainShell:
    """Carries out command lines on a bench."""

    def __init__(self, bench: Bench, console: Console) -> None:
        self._bench = bench
        self._console = console
        self._leaving = False

    def greet(self) -> None:
        """Say where we are and how to get help."""
        say, bench = self._console.say, self._bench
        problem, buffer = bench.store.problem, bench.store.buffer
        name = "" if buffer is None else buffer.path.name
        if problem is not None:
            name = f"{problem.id} {problem.title}"
        say(f"esoplay as text; {name} in {bench.store.language_id}")
        if bench.notice:
            say(bench.notice)
        say("type help for the commands, problem to read what is asked for")

    def run(self, lines: Iterable[str]) -> None:
        """Carry out every line, until one leaves."""
        for text in lines:
            self.do(text)
            if self._leaving:
                break

    def do(self, text: str) -> None:
        """Carry out one line; a mistake in it is told, never raised."""
        try:
            line = read_line(text)
            if line is None:
                return
            command = _BY_NAME.get(line.word)
            if command is None:
                known = "type help for those there are"
                raise UsageError(f"there is no command {quote(line.word)}; {known}")
            if line.arguments and not command.usage:
                raise UsageError(f"{line.word} takes nothing")
            self._leaving = command is _QUIT
            command.handler(self._bench, self._console, line)
        except (EsoplayError, EngineError) as error:
            self._console.say(f"error: {error}")


def _help(bench: Bench, console: Console, line: Line) -> None:
    for command in COMMANDS:
        usage = " ".join([", ".join(command.names), command.usage]).rstrip()
        console.say(f"{usage}: {command.help}")


def _quit(bench: Bench, console: Console, line: Line) -> None:
    """Nothing: the shell leaves."""


_QUIT = Command(("quit", "q", "exit"), "", "leave; everything is kept", _quit)
COMMANDS = (
    *choosing.COMMANDS,
    *solving.COMMANDS,
    Command(("help", "h", "?"), "", "list the commands", _help),
    _QUIT,
)
_BY_NAME = {name: command for command in COMMANDS for name in command.names}
