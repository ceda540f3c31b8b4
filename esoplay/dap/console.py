"""The debug console: expressions, and debugger commands after a colon."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from esolangs.errors import EngineError
from esolangs.numbers import abbreviate
from esoplay.dap.protocol import RequestError
from esoplay.dap.variables import value_text
from esoplay.debugging.commands import CommandTable, ParsedCommand
from esoplay.debugging.debugger import Debugger, Stop
from esoplay.debugging.session import DebugSession, Reply
from esoplay.debugging.source_maps import variables
from esoplay.debugging.watches import Watches
from esoplay.errors import UsageError

MOVE_SECONDS = 0.2
"""Seconds that a move can take before the console replies; a longer move continues afterwards."""
QUERY_SECONDS = 2.0
"""Maximum seconds that a query runs while another message waits."""


def evaluate(debugger: Debugger, text: str) -> str:
    """Return the value of a source variable or of an expression in the language of conditions.

    Raises RequestError if the value cannot be computed, and UsageError or ConditionError if
    ``text`` is not a valid expression.
    """
    name = text.strip()
    if debugger.source_map is not None:
        for variable in variables(debugger):
            if variable.name == name:
                return variable.text
    watches = Watches(debugger)
    watches.add(text)
    watch = watches.values(debugger)[0]
    if watch.value is None:
        raise RequestError(watch.error)
    value = value_text(abbreviate(watch.value))
    return f"{value} ({watch.missing})" if watch.missing else value


class ConsoleCompletion(NamedTuple):
    """A word that completes the typed text; ``help`` describes the word if it is a command."""

    word: str
    help: str = ""


class DapConsole:
    """The console commands of a session, which the user types in the editor's debug console.

    has_message: returns whether a message of the client waits or its stream has ended.
    """

    def __init__(self, debugger: Debugger, has_message: Callable[[], bool]) -> None:
        self.session = DebugSession(debugger, saves_notes=True)
        self.table = CommandTable(list_hint=":help lists them")
        self._has_message = has_message

    def parse(self, text: str) -> ParsedCommand:
        """Parse a command. Raises UsageError if it is invalid and RequestError if it is empty."""
        invocation = self.table.parse(text)
        if invocation is None:
            raise RequestError("expected a command after the colon; :help lists the commands")
        return invocation

    def complete(self, text: str) -> tuple[str, list[ConsoleCompletion]]:
        """Return the last word of ``text`` and its completions, as in the REPL.

        text: the text before the cursor: a command after a colon, or an expression.
        """
        typed = text.lstrip()
        line = typed[1:] if typed.startswith(":") else f"print {typed}"
        before, _, last = line.rpartition(" ")
        words = self.table.complete(self.session, line)
        if before.strip():
            return last, [ConsoleCompletion(word) for word in words]
        return last, [ConsoleCompletion(word, self.table.find(word).help) for word in words]

    def run(self, invocation: ParsedCommand) -> Reply | None:
        """Run a command; return None, without moving, if a move exceeds ``MOVE_SECONDS``.

        Raises EsoplayError if the command fails.
        """
        start_time, moves = time.monotonic(), invocation.command.kind == "move"

        def ticker(_done: int, _total: int) -> bool:
            elapsed = time.monotonic() - start_time
            return (
                elapsed < MOVE_SECONDS
                if moves
                else elapsed < QUERY_SECONDS or not self._has_message()
            )

        return self._run(invocation, ticker)

    def resume(self, invocation: ParsedCommand) -> Reply | None:
        """Run a move to its end; return None, without moving, if the client sends a message."""
        return self._run(invocation, lambda _done, _total: not self._has_message())

    def _run(self, invocation: ParsedCommand, ticker: Callable[[int, int], bool]) -> Reply | None:
        session = self.session
        session.begin_command(ticker)
        try:
            reply = self.table.run(session, invocation)
        except EngineError as error:
            raise RequestError(str(error)) from None
        except UsageError:
            if session.interrupted and invocation.command.kind == "move":
                return None
            raise
        finally:
            session.ticker = None
        return None if reply.stop is not None and session.interrupted else reply

    def breakpoint_replies(self, stop: Stop) -> list[str]:
        """Run the commands attached to the breakpoints of a stop; return the lines they print.

        Temporary breakpoints of the stop are deleted first.
        """
        self.session.delete_temporary_breakpoints(stop)
        numbers = (reason.breakpoint for reason in stop.reasons)
        return self.table.run_attached_commands(self.session, numbers)
