"""The loop of the text mode: read a line, do it."""

from __future__ import annotations

from esoplay.cli.plain.bench import Bench
from esoplay.cli.plain.choosing import CHOOSING_COMMANDS
from esoplay.cli.plain.commands import Command, Console
from esoplay.cli.plain.solving import SOLVING_COMMANDS
from esoplay.cli.repl.loop import LineShell
from esoplay.debugging.command_line import Line, quote, read_line
from esoplay.errors import UsageError


class PlainShell(LineShell):
    """Runs the command lines of the text mode on a bench."""

    def __init__(self, bench: Bench, console: Console) -> None:
        super().__init__(console.say)
        self._bench = bench
        self._console = console

    def greet(self) -> None:
        say, bench = self._console.say, self._bench
        problem, buffer = bench.store.problem, bench.store.buffer
        name = "" if buffer is None else buffer.path.name
        if problem is not None:
            name = f"{problem.id} {problem.title}"
        say(f"esoplay as text; {name} in {bench.store.language_id}")
        if bench.notice:
            say(bench.notice)
        say("type help for the commands, problem to read what is asked for")

    def begin(self) -> None:
        self._bench.begin()

    def interrupt(self) -> None:
        self._bench.interrupt()

    def perform(self, text: str) -> None:
        line = read_line(text)
        if line is None:
            return
        command = _BY_NAME.get(line.word)
        if command is None:
            known = "type help for those there are"
            raise UsageError(f"there is no command {quote(line.word)}; {known}")
        if line.arguments and not command.usage:
            raise UsageError(f"{line.word} takes nothing")
        self.leaving = command is _QUIT
        command.handler(self._bench, self._console, line)


def _help(bench: Bench, console: Console, line: Line) -> None:
    for command in COMMANDS:
        usage = " ".join([", ".join(command.names), command.usage]).rstrip()
        console.say(f"{usage}: {command.help}")


def _quit(bench: Bench, console: Console, line: Line) -> None:
    """Nothing: the shell leaves."""


_QUIT = Command(("quit", "q", "exit"), "", "leave; everything is kept", _quit)
COMMANDS = (
    *CHOOSING_COMMANDS,
    *SOLVING_COMMANDS,
    Command(("help", "h", "?"), "", "list the commands", _help),
    _QUIT,
)
_BY_NAME = {name: command for command in COMMANDS for name in command.names}
