"""Commands of the watch expressions: values that are told whenever a move changes them."""

from __future__ import annotations

from esolangs.numbers import shown
from esoplay.debugging.command_line import Line, whole
from esoplay.debugging.descriptions import watch_line
from esoplay.debugging.session import Command, DebugSession, Reply
from esoplay.errors import UsageError
from esoplay.service.watches import Watch, watch_as_json


def display(session: DebugSession, line: Line) -> Reply:
    """Watch an expression, give a watch another one, or list them."""
    word, _, rest = line.rest.strip().partition(" ")
    if word == "change":
        number, _, text = rest.strip().partition(" ")
        id = whole(number, "the number of a watch", 1)
        session.watches.change(id, text)
    elif word == "delete":
        return _delete_watches(session, rest.split())
    elif word:
        id = session.watches.add(line.rest)
    else:
        return list_watches(session, line)
    session.keep_watches()
    watch = next(each for each in session.watched() if each.id == id)
    return Reply([watch_line(watch)], {"watch": watch_as_json(watch)})


def _delete_watches(session: DebugSession, numbers: list[str]) -> Reply:
    if numbers == ["all"]:
        ids = [each.id for each in session.watched()]
    else:
        ids = [whole(number, "the number of a watch", 1) for number in numbers]
    if not numbers:
        raise UsageError("say which watches to delete: their numbers, or all")
    session.watches.edit(delete=ids)
    session.keep_watches()
    count = "one watch" if len(ids) == 1 else f"{len(ids)} watches"
    return Reply([f"{count} deleted"], {"deleted": ids})


def _undisplay(session: DebugSession, line: Line) -> Reply:
    return _delete_watches(session, list(line.arguments))


def list_watches(session: DebugSession, line: Line) -> Reply:
    """The watches, with their values."""
    watched = session.watched()
    lines = [watch_line(watch) for watch in watched]
    return Reply(
        lines or ["no watches: display cell[3] + 1 adds one"],
        {"watches": [watch_as_json(watch) for watch in watched]},
    )


def _value(session: DebugSession, line: Line) -> Reply:
    """The value of an expression, once."""
    if not line.rest.strip():
        raise UsageError("print takes an expression, such as cell[3] + 1")
    watch = session.value_of(line.rest)
    return Reply([_plain(watch)], {"watch": watch_as_json(watch)})


def _plain(watch: Watch) -> str:
    missing = f" ({watch.missing})" if watch.missing else ""
    assert watch.value is not None  # what is no expression was refused
    return f"{watch.text} is {shown(watch.value)}{missing}"


WATCH_COMMANDS = (
    Command(
        ("display",),
        "[EXPRESSION | change NUMBER EXPRESSION | delete NUMBER… | delete all]",
        "watch the value of an expression: told now, and by every move that changes it; "
        "without one list the watches",
        display,
        ("display cell[3]", "display stack[-1] + 1", "display change 1 cell[4]", "display"),
        kind="change",
    ),
    Command(
        ("undisplay",),
        "NUMBER… | all",
        "delete watches",
        _undisplay,
        ("undisplay 1",),
        kind="change",
        aliases=("unwatch",),
    ),
    Command(
        ("print",),
        "EXPRESSION",
        "say the value of an expression, once",
        _value,
        ("print cell[3] * 10 + cell[4]",),
    ),
)
