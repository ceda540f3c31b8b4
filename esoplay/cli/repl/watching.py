"""Commands of the watch expressions: values that are told whenever a move changes them."""

from __future__ import annotations

from esolangs.numbers import shown
from esoplay.cli.repl.desk import Command, Desk, Reply
from esoplay.cli.repl.syntax import Line, whole
from esoplay.cli.repl.wording import watch_line
from esoplay.errors import UsageError
from esoplay.service.watches import Watch, watch_as_json


def _display(desk: Desk, line: Line) -> Reply:
    word, _, rest = line.rest.strip().partition(" ")
    if word == "change":
        number, _, text = rest.strip().partition(" ")
        id = whole(number, "the number of a watch", 1)
        desk.watches.change(id, text)
    elif word == "delete":
        return _delete(desk, rest.split())
    elif word:
        id = desk.watches.add(line.rest)
    else:
        return _listed(desk)
    desk.keep_watches()
    watch = next(each for each in desk.watched() if each.id == id)
    return Reply([watch_line(watch)], {"watch": watch_as_json(watch)})


def _delete(desk: Desk, numbers: list[str]) -> Reply:
    if numbers == ["all"]:
        ids = [each.id for each in desk.watched()]
    else:
        ids = [whole(number, "the number of a watch", 1) for number in numbers]
    if not numbers:
        raise UsageError("say which watches to delete: their numbers, or all")
    desk.watches.edit(delete=ids)
    desk.keep_watches()
    count = "one watch" if len(ids) == 1 else f"{len(ids)} watches"
    return Reply([f"{count} deleted"], {"deleted": ids})


def _undisplay(desk: Desk, line: Line) -> Reply:
    return _delete(desk, list(line.arguments))


def _listed(desk: Desk) -> Reply:
    watched = desk.watched()
    lines = [watch_line(watch) for watch in watched]
    return Reply(
        lines or ["no watches: display cell[3] + 1 adds one"],
        {"watches": [watch_as_json(watch) for watch in watched]},
    )


def _value(desk: Desk, line: Line) -> Reply:
    """The value of an expression, once."""
    if not line.rest.strip():
        raise UsageError("print takes an expression, such as cell[3] + 1")
    watch = desk.value_of(line.rest)
    return Reply([_plain(watch)], {"watch": watch_as_json(watch)})


def _plain(watch: Watch) -> str:
    missing = f" ({watch.missing})" if watch.missing else ""
    assert watch.value is not None  # what is no expression was refused
    return f"{watch.text} is {shown(watch.value)}{missing}"


COMMANDS = (
    Command(
        ("display",),
        "[EXPRESSION | change NUMBER EXPRESSION | delete NUMBER… | delete all]",
        "watch the value of an expression: told now, and by every move that changes it; "
        "without one list the watches",
        _display,
        ("display cell[3]", "display stack[-1] + 1", "display change 1 cell[4]", "display"),
    ),
    Command(("undisplay",), "NUMBER… | all", "delete watches", _undisplay, ("undisplay 1",)),
    Command(
        ("print",),
        "EXPRESSION",
        "say the value of an expression, once",
        _value,
        ("print cell[3] * 10 + cell[4]",),
    ),
)
