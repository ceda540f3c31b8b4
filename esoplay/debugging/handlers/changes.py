"""Commands that change the state or the input; the previous run stays available for comparison."""

from __future__ import annotations

from esoplay.debugging.command_line import CommandLine, parse_value, unescape
from esoplay.debugging.handlers.inspection import set_variable
from esoplay.debugging.locations import parse_cell, parse_state_place
from esoplay.debugging.provenance import Place, place_as_json, place_text
from esoplay.debugging.session import DebugCommand, DebugSession, Reply
from esoplay.errors import UsageError
from esoplay.running.run import bytes_as_json
from esoplay.timeline.places import address_text, bytes_text


def _set(session: DebugSession, line: CommandLine) -> Reply:
    if line.arguments[:1] == ("input",):
        return set_input(session, line.rest.partition("input")[2].strip())
    if (changed := set_variable(session, line.rest)) is not None:
        return changed
    name, _, value = line.rest.strip().rpartition(" ")
    if not name:
        raise UsageError("set: expected CELL VALUE, NAME = VALUE or input TEXT")
    cell, number = parse_cell(session.debugger, name.strip()), parse_value(value)
    former = session.debugger.fork_at_start()
    reply = session.move(lambda: session.debugger.set_cell(cell, number))
    session.other_run = former
    return reply


def set_input(session: DebugSession, text: str) -> Reply:
    """Rerun with another input, to the current step."""
    data = unescape(text)
    former = session.debugger.fork_at_start()
    reply = session.move(lambda: session.debugger.set_stdin(data, ticker=session.tick))
    if session.interrupted:
        return reply
    session.other_run = former
    return reply._replace(lines=[f"the input is now {bytes_text(data)}", *reply.lines])


def _undo(session: DebugSession, line: CommandLine) -> Reply:
    """Undo the user's last change of a cell, and rerun the program to the current step."""
    debugger = session.debugger
    edits, former = debugger.recording.edits, debugger.fork_at_start()
    reply = session.move(lambda: debugger.undo_set_cell(ticker=session.tick))
    if session.interrupted:
        return reply
    session.other_run = former
    undone = edits[-1]
    text = f"the change of cell {address_text(undone.address)} at step {undone.step:,} is undone"
    return reply._replace(lines=[text, *reply.lines])


def _feed(session: DebugSession, line: CommandLine) -> Reply:
    if not line.rest:
        raise UsageError(r"feed: expected text, such as 5 7\n")
    data = unescape(line.rest)
    session.debugger.feed(data)
    return Reply([f"fed {bytes_text(data)}"], bytes_as_json("fed", data))


def _close_input(session: DebugSession, line: CommandLine) -> Reply:
    session.debugger.close_input()
    return Reply(["input closed"], {"closed": True})


def _select_cell(session: DebugSession, line: CommandLine) -> Reply:
    place = parse_cell(session.debugger, line.rest.strip())
    return _select(session, place)


def _select_top(session: DebugSession, line: CommandLine) -> Reply:
    return _select(session, parse_state_place(session.debugger, f"top {line.rest}".strip()))


def _select_slot(session: DebugSession, line: CommandLine) -> Reply:
    return _select(session, parse_state_place(session.debugger, f"stack {line.rest}"))


def _select(session: DebugSession, place: Place) -> Reply:
    session.select(place)
    name = place_text(place, session.debugger.view())
    return Reply([f"{name} selected"], place_as_json(place))


COMMANDS = (
    DebugCommand(
        ("set",),
        "CELL VALUE | NAME = VALUE | input TEXT",
        "change a cell or a source variable, or replace the whole input; discard later history",
        _set,
        ("set 3 10", "set 3 'A'", "set total = -5", r"set input 5 7\n"),
        kind="change",
    ),
    DebugCommand(
        ("undo",),
        "",
        "undo the last change of a cell or variable by `set`",
        _undo,
        kind="change",
    ),
    DebugCommand(
        ("feed",),
        "TEXT",
        "append TEXT to the input; an error if the input is closed",
        _feed,
        (r"feed 5 7\n",),
        kind="change",
    ),
    DebugCommand(("eof",), "", "close the input", _close_input, kind="change"),
    DebugCommand(
        ("cell",),
        "CELL",
        "select the cell that w, W, v and p use by default",
        _select_cell,
        ("cell 3", "cell 3,-4", "cell juliet"),
        kind="change",
    ),
    DebugCommand(
        ("top",),
        "[N]",
        "select the top of the stack, or the value N places below it",
        _select_top,
        ("top", "top 2"),
        kind="change",
    ),
    DebugCommand(
        ("slot",),
        "[STACK:]LEVEL",
        "select a level of a stack, counted from 0 at the bottom; default stack: the first",
        _select_slot,
        ("slot 5", "slot 2:5"),
        kind="change",
    ),
)
