"""The command line of the debug pane, which runs the commands of :mod:`esoplay.debugging`.

A command that moves works like the key for the move, and a slow query runs in a thread. The status
shows replies of one line; longer replies open the log.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple, cast

from esolangs.errors import EngineError
from esolangs.stops import Slot
from esolangs.wording import format_count
from esoplay.debugging.command_line import CommandLine
from esoplay.debugging.commands import Chapter, CommandTable, ParsedCommand
from esoplay.debugging.debugger import BreakpointSpec, Debugger, Stop, Ticker
from esoplay.debugging.locations import breakpoint_text
from esoplay.debugging.provenance import Place
from esoplay.debugging.session import DebugCommand, DebugSession, Reply
from esoplay.errors import EsoplayError
from esoplay.tui.debug.moves import Move, stop_with_text
from esoplay.tui.debug.target import DebugTarget
from esoplay.tui.debug.time_travel import TimeTravel

PREVIOUS_RUN_HINT = "`:compare other` opens the previous run"

PAGES = {
    "display": "watch",
    "input": "in",
    "list": "breaks",
    "note": "notes",
    "notes": "notes",
    "output": "out",
}
"""The page that shows the result of a command, by command; the log shows all other results."""

PaneCommand = Callable[[CommandLine], None]


class ScreenHost(NamedTuple):
    """The functions of the pane that commands use.

    cursor: returns the location at the cursor or, on a comment, of the next instruction; None if
    there is none. on_run_changed: called after a command that changed the run. notes_folder:
    returns the folder for notes, or None. show: opens a page. pane_commands: functions for the
    commands that the pane itself runs, by name. set_input: called with input set by the user.
    """

    cursor: Callable[[], BreakpointSpec | None]
    on_run_changed: Callable[[], None]
    notes_folder: Callable[[], Path | None]
    show: Callable[[str], None]
    pane_commands: Mapping[str, PaneCommand]
    set_input: Callable[[bytes], None]


def _run_by_pane(session: DebugSession, line: CommandLine) -> Reply:
    raise AssertionError("the debug pane runs this command")


SCREEN_CHAPTER = Chapter(
    "the screen",
    (
        DebugCommand(("speed",), "N", "play at N steps per second", _run_by_pane, ("speed 100",)),
        DebugCommand(
            ("apply",),
            "",
            "write the cells that you set on a plane into the program's text",
            _run_by_pane,
        ),
        DebugCommand(
            ("drop-input",),
            "",
            "undo the command `input TEXT`: open the program again with its original input",
            _run_by_pane,
        ),
        DebugCommand(("redraw",), "", "draw the whole screen again", _run_by_pane),
    ),
)
_QUIT = DebugCommand(("quit", "q", "exit"), "", "leave", _run_by_pane)


def screen_table() -> CommandTable:
    """Return the debugger's commands, including the commands for the screen."""
    return CommandTable(SCREEN_CHAPTER, last_commands=(_QUIT,))


class CommandRunner:
    """Runs commands on the open program."""

    def __init__(self, time_travel: TimeTravel, host: ScreenHost) -> None:
        self._time = time_travel
        self._host = host
        self.table = screen_table()
        self.reply: Reply | None = None
        """The reply to the last command."""

    def run(self, text: str) -> None:
        """Run a command line; errors are shown, not raised."""
        time, self.reply = self._time, None
        try:
            invocation = self.table.parse(text)
        except EsoplayError as error:
            time.show_notice(str(error))
            return
        if invocation is None:
            return
        command, line = invocation
        target = time.target
        own = self._host.pane_commands.get(command.name)
        # ``why go`` moves, so it is not run by the pane.
        if own is not None and line.arguments[:1] != ("go",):
            try:
                own(line)
            except EsoplayError as error:
                time.show_notice(str(error))
        elif target is not None:
            self._connect(target)
            if command.kind == "change":
                time.when_idle(partial(self._change, target, invocation))
            else:
                time.start(self._move(target, invocation))

    def record_reply(self, reply: Reply) -> None:
        """Record the reply to a command that the pane itself ran."""
        self.reply = reply

    def complete(self, text: str) -> list[str]:
        """Return the completions of the last word of a line."""
        target = self._time.target
        return [] if target is None else self.table.complete(target.session, text)

    def run_attached_commands(self, target: DebugTarget, stop: Stop) -> list[str]:
        """Run the commands attached to the breakpoints of a stop; return their replies."""
        numbers = (reason.breakpoint for reason in stop.reasons)
        return self.table.run_attached_commands(target.session, numbers)

    def _connect(self, target: DebugTarget) -> None:
        """Let commands use the cursor and the selection of the screen."""
        session, host = target.session, self._host
        session.cursor = host.cursor
        session.selection = lambda: target.cell if target.slot is None else target.slot
        session.select = partial(_select, target)
        session.notes_folder = host.notes_folder()

    def _change(self, target: DebugTarget, invocation: ParsedCommand) -> None:
        """Run a command of kind ``change`` on the main thread."""
        session, time, name = target.session, self._time, invocation.command.name
        previous_runs: list[Debugger] = []
        session.save_previous_run = previous_runs.append
        session.begin_command(None)
        try:
            reply = invocation.command.handler(session, invocation.line)
        except (EsoplayError, EngineError) as error:
            time.notice = str(error)
            time.refresh()
            return
        self.reply = reply
        if name == "set" and invocation.line.arguments[:1] == ("input",):
            self._host.set_input(session.debugger.input)
        message = _reply_text(target, reply)
        if reply.stop is not None:
            target.log_line(message)
            target.show_stop(reply.stop)
        elif len(reply.lines) > 1:
            self._log(target, reply.lines)
        if previous_runs:
            self._host.on_run_changed()
            message = f"{message}; {PREVIOUS_RUN_HINT}"
        time.notice = message
        time.refresh()
        if name in PAGES:
            self._host.show(PAGES[name])

    def _move(self, target: DebugTarget, invocation: ParsedCommand) -> Move:
        """Return a move that runs a command; the move can be cancelled and repeated."""
        command, line = invocation
        session, replies = target.session, list[Reply]()

        def run(ticker: Ticker | None) -> Stop:
            replies.clear()
            session.begin_command(ticker)
            try:
                reply = command.handler(session, line)
            except (EsoplayError, EngineError) as error:
                return stop_with_text(target, str(error))
            finally:
                session.ticker = None
            replies.append(reply)
            if reply.stop is not None:
                return reply.stop
            return stop_with_text(target, reply.lines[0] if reply.lines else "")

        def show_reply() -> None:
            self.reply = replies[0] if replies else None
            if not replies or replies[0].stop is not None:
                return
            if len(replies[0].lines) > 1:
                self._log(target, replies[0].lines)
                self._host.show(PAGES.get(command.name, "log"))
            elif command.name in PAGES:
                self._host.show(PAGES[command.name])

        return Move(command.name, run, on_complete=show_reply)

    def _log(self, target: DebugTarget, lines: list[str]) -> None:
        for text in lines:
            target.log_line(text)


def _reply_text(target: DebugTarget, reply: Reply) -> str:
    """Return the reply for the status line, with breakpoints as line and column."""
    found = reply.data.get("breakpoint")
    if isinstance(found, dict):
        id = cast("dict[str, object]", found)["id"]
        program = target.debugger.program
        for each in target.debugger.breakpoints:
            if each.id == id:
                places = (
                    f" ({format_count(reply.data['places'], 'place')})"
                    if "places" in reply.data
                    else ""
                )
                if each.moved_from is not None:
                    order = "in the text" if each.on_plane else "after the comment"
                    places += f", moved to the next instruction {order}"
                return f"breakpoint {id}: {breakpoint_text(each.spec, program.source)}{places}"
    return reply.lines[0]


def _select(target: DebugTarget, place: Place) -> None:
    if isinstance(place, Slot):
        target.select_slot(place)
    else:
        target.select(place)
