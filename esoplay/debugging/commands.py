"""The table of the debugger's commands for all front ends that accept typed commands.

A new command is a row in the ``COMMANDS`` of a module in ``handlers``. A module that is not listed
in ``CHAPTERS`` becomes a separate chapter with the heading ``TITLE``. A front end creates a
``CommandTable`` with its own chapters, and shows the replies.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, NamedTuple

from esolangs.errors import EngineError
from esolangs.wording import similar_words
from esoplay.debugging import handlers
from esoplay.debugging.command_line import CommandLine, parse_line, quote, split_commands
from esoplay.debugging.debugger import NAMES
from esoplay.debugging.handlers import breakpoints, changes, history, inspection, notes, travel
from esoplay.debugging.provenance import character_names
from esoplay.debugging.session import DebugCommand, DebugSession, Handler, Reply
from esoplay.errors import EsoplayError, UsageError


class Chapter(NamedTuple):
    """A group of commands under one heading of the help."""

    title: str
    commands: Sequence[DebugCommand]


class ParsedCommand(NamedTuple):
    """A parsed command line: the command and its arguments."""

    command: DebugCommand
    line: CommandLine


_INSPECTION_COMMANDS = (
    *inspection.COMMANDS,
    *breakpoints.WATCH_COMMANDS,
    *history.COMMANDS,
)
CHAPTERS: list[Chapter] = [
    Chapter("travel in time", travel.COMMANDS),
    Chapter("inspect", _INSPECTION_COMMANDS),
    Chapter("source lines", inspection.SOURCE_COMMANDS),
    Chapter("execution counts", history.COUNT_COMMANDS),
    Chapter("find causes", history.REASON_COMMANDS),
    Chapter("breakpoints and changes", (*breakpoints.COMMANDS, *changes.COMMANDS)),
    Chapter("notes", notes.COMMANDS),
]
"""The chapters of commands that every front end has.

``_unlisted_chapters`` finds more, in modules of ``handlers`` that are not named here.
"""
_LISTED_MODULES = frozenset(
    module.__name__.rpartition(".")[2]
    for module in (breakpoints, changes, history, inspection, notes, travel)
)

_INFO: dict[str, Handler] = {
    "breakpoints": breakpoints.list_breakpoints,
    "checkpoints": travel.list_checkpoints,
    "display": breakpoints.list_watches,
    "frame": inspection.show_position,
    "line": inspection.show_position,
    "locals": inspection.list_variables,
    "program": inspection.show_position,
    "registers": inspection.list_registers,
    "source": inspection.show_source,
    "stack": inspection.list_loops,
    "variables": inspection.list_variables,
    "watchpoints": breakpoints.list_breakpoints,
}
"""The handlers of ``info`` by subject, as in gdb; a prefix of a subject is accepted."""

_MAX_SUGGESTIONS = 3


class CommandTable:
    """The commands of one front end: a parser, completion and help for command lines."""

    def __init__(
        self,
        *front_end_chapters: Chapter,
        last_commands: Sequence[DebugCommand] = (),
        excluded: Iterable[str] = (),
        list_hint: str = "type help to list the commands",
    ) -> None:
        """Create the table from ``front_end_chapters``, the chapters of this front end.

        ``last_commands``: commands after ``help``. ``excluded``: commands to leave out.
        ``list_hint``: how to list the commands, for the error about an unknown command.
        """
        self._list_hint = list_hint
        absent = frozenset(excluded)
        extra = Chapter(
            "help",
            (
                DebugCommand(
                    ("help", "h", "?"),
                    "[COMMAND]",
                    "list the commands, or explain one",
                    self._help,
                ),
                *last_commands,
            ),
        )
        looks = Chapter(
            "as in gdb",
            (
                DebugCommand(
                    ("info",),
                    " | ".join(_INFO),
                    "show information about a subject, as in gdb; a subject can be abbreviated",
                    self._info,
                    ("info break", "info registers"),
                ),
                DebugCommand(
                    ("commands",),
                    "NUMBER [COMMAND; COMMAND… | none]",
                    "set commands to run when a breakpoint stops the run; they can only inspect "
                    "the state",
                    self._attach,
                    ("commands 1 print cell[0]; loops", "commands 1 none"),
                    kind="change",
                ),
            ),
        )
        merged: dict[str, list[DebugCommand]] = {}
        for title, commands in (
            *CHAPTERS,
            *_unlisted_chapters(),
            *front_end_chapters,
            looks,
            extra,
        ):
            kept = [each for each in commands if each.name not in absent]
            merged.setdefault(title, []).extend(kept)
        self.chapters = tuple(Chapter(title, tuple(rows)) for title, rows in merged.items())
        self.commands = tuple(each for chapter in self.chapters for each in chapter.commands)
        self._by_name: dict[str, DebugCommand] = {}
        for command in self.commands:
            for name in (*command.names, *command.aliases):
                self._by_name.setdefault(name, command)

    def parse(self, text: str) -> ParsedCommand | None:
        """Parse a line; return None for a blank line or a comment.

        Raises UsageError for an unknown command or unexpected arguments.
        """
        line = parse_line(text)
        if line is None:
            return None
        if line.word == "input" and line.arguments:  # as typed on the screen
            line = CommandLine("set", ("input", *line.arguments), f"input {line.rest}")
        command = self.find(line.word)
        if line.arguments and not command.usage:
            raise UsageError(f"{line.word} accepts no arguments")
        return ParsedCommand(command, line)

    def find(self, word: str, *, names: str | None = None) -> DebugCommand:
        """Return a command by name; for an unknown name, raise UsageError with similar names.

        names: the hint if no name is similar; the default is ``list_hint``.
        """
        command = self._by_name.get(word)
        if command is None:
            close = similar_words(word, self._by_name, _MAX_SUGGESTIONS)
            names = self._list_hint if names is None else names
            hint = f"did you mean {' or '.join(close)}?" if close else names
            raise UsageError(f"unknown command {quote(word)}" + (f"; {hint}" if hint else ""))
        return command

    def run(self, session: DebugSession, invocation: ParsedCommand) -> Reply:
        """Run a command, and the commands attached to the breakpoints at which it stopped.

        Raises UsageError, ConditionError or another EsoplayError if the command fails.
        """
        command, line = invocation
        reply = command.handler(session, line)
        return reply if reply.stop is None else self._with_attached_replies(session, reply)

    def run_line(self, session: DebugSession, text: str) -> Reply | None:
        """Parse and run a line; return None for a blank line."""
        invocation = self.parse(text)
        return None if invocation is None else self.run(session, invocation)

    def run_attached_commands(
        self, session: DebugSession, numbers: Iterable[int | None]
    ) -> list[str]:
        """Run the commands attached to breakpoints; return the lines of their replies."""
        lines: list[str] = []
        for number in numbers:
            for text in session.attached.get(number or 0, ()):
                try:
                    reply = self.run_line(session, text)
                except (EsoplayError, EngineError) as error:
                    lines.append(f"{text}: {error}")
                else:
                    lines += reply.lines if reply is not None else []
        return lines

    def _with_attached_replies(self, session: DebugSession, reply: Reply) -> Reply:
        assert reply.stop is not None
        numbers = [reason.breakpoint for reason in reply.stop.reasons]
        lines = self.run_attached_commands(session, numbers)
        if not lines:
            return reply
        data = {**reply.data, "commands": lines}
        return reply._replace(lines=[*reply.lines, *lines], data=data)

    # Completion

    def complete(self, session: DebugSession, text: str) -> list[str]:
        """Return the possible completions of the last word of a line, sorted."""
        before, _, last = text.rpartition(" ")
        if not before.strip():
            return sorted(name for name in self._by_name if name.startswith(last))
        try:
            invocation = self.parse(before)
        except UsageError:
            return []
        if invocation is None:
            return []
        words = self._completion_words(session, invocation.command)
        found = sorted(word for word in words if word.startswith(last))
        if not found and _takes_argument(invocation, "FILE", "PATH"):
            return _complete_path(last)
        name = _LAST_NAME.search(last)
        if not found and name is not None and name.start():  # after an operator or bracket
            before = last[: name.start()]
            return sorted(before + word for word in words if word.startswith(name[0]))
        return found

    def _completion_words(self, session: DebugSession, command: DebugCommand) -> set[str]:
        """Return the words of a command's usage, and the names that its arguments can refer to."""
        words = set(_WORD.findall(_QUOTED.sub("", command.usage)))
        program, source_map = session.debugger.program, session.debugger.source_map
        if re.search(r"\b(COMMAND)\b", command.usage):
            words |= self._by_name.keys()
        if re.search(r"\bPLACE\b", command.usage):
            words |= {name for name in program.places() if " " not in name}
        if re.search(r"\b(EXPRESSION|CONDITION)\b", command.usage):
            words |= {*NAMES, *program.register_names(), "cell[", "stack["}
        if source_map is not None and re.search(r"\b(NAME|EXPRESSION|CONDITION)\b", command.usage):
            words |= set(source_map.variables)
        if re.search(r"\bCELL\b", command.usage):
            names = character_names(session.debugger.view()).values()
            words |= {name.lower().replace(" ", "_") for name in names}
        return words

    # The commands about commands

    def _help(self, session: DebugSession, line: CommandLine) -> Reply:
        if line.arguments:
            command = self.find(line.arguments[0], names="")
            lines = [command.signature, f"  {command.help}"]
            if command.aliases:
                lines.append(f"  also: {', '.join(command.aliases)}")
            lines += [f"  example: {example}" for example in command.examples]
            return Reply(lines, {"commands": [command_as_json(command)]})
        lines: list[str] = []
        for title, commands in self.chapters:
            lines.append(f"{title}:")
            lines += [f"  {command.signature}  -  {command.help}" for command in commands]
        names = ", ".join([*NAMES, *session.debugger.program.register_names()])
        lines.append(
            "A count may precede a command: 200 s. Conditions such as cell[3] == 10 can use "
            f"{names}."
        )
        return Reply(lines, {"commands": [command_as_json(command) for command in self.commands]})

    def _info(self, session: DebugSession, line: CommandLine) -> Reply:
        word, _, rest = line.rest.strip().partition(" ")
        found = [name for name in _INFO if word and name.startswith(word)]
        if not found:
            raise UsageError(f"info: expected one of {', '.join(_INFO)}")
        rest = rest.strip()
        return _INFO[found[0]](session, CommandLine(word, tuple(rest.split()), rest))

    def _attach(self, session: DebugSession, line: CommandLine) -> Reply:
        number, _, text = line.rest.strip().partition(" ")
        breakpoint = breakpoints.find_breakpoint(session, number)
        texts = tuple(split_commands(text))
        for each in texts:
            if each == "none":
                continue
            invocation = self.parse(each)
            if invocation is not None and invocation.command.kind != "look":
                raise UsageError(
                    f"{each}: a breakpoint can only run commands that inspect the state, "
                    "such as print"
                )
        if text.strip():
            session.attached.pop(breakpoint.id, None)
            if texts and texts != ("none",):
                session.attached[breakpoint.id] = texts
        now = session.attached.get(breakpoint.id, ())
        said = f"breakpoint {breakpoint.id} runs: {'; '.join(now)}"
        none = f"breakpoint {breakpoint.id} runs no commands"
        return Reply([said if now else none], {"breakpoint": breakpoint.id, "commands": list(now)})


def _unlisted_chapters() -> Iterator[Chapter]:
    """Yield the chapters of modules in ``handlers`` that ``CHAPTERS`` does not list."""
    for found in iter_modules(handlers.__path__):
        if found.name not in _LISTED_MODULES:
            module = import_module(f"{handlers.__name__}.{found.name}")
            yield Chapter(module.TITLE, module.COMMANDS)


_WORD = re.compile(r"(?<![\w\[-])[a-z]+(?![\w-])")
_LAST_NAME = re.compile(r"(?<!\w)[a-z]\w*\Z")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")


def _takes_argument(invocation: ParsedCommand, *names: str) -> bool:
    """Return whether the usage of a command contains one of these arguments."""
    return any(re.search(rf"\b{each}\b", invocation.command.usage) for each in names)


def _complete_path(prefix: str) -> list[str]:
    folder, _, name = prefix.rpartition("/")
    try:
        return sorted(
            str(path) for path in Path(folder or ".").iterdir() if path.name.startswith(name)
        )
    except OSError:
        return []


def command_as_json(command: DebugCommand) -> dict[str, Any]:
    """Return a command as JSON."""
    data: dict[str, Any] = {
        "names": list(command.names),
        "usage": command.usage,
        "help": command.help,
        "examples": list(command.examples),
    }
    return {**data, "aliases": list(command.aliases)} if command.aliases else data
