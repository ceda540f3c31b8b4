"""Commands that set breakpoints, and those that change the past or the input."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from esolangs.stops import Slot
from esoplay.cli.repl.desk import Command, Desk, Reply
from esoplay.cli.repl.places import ANY_NUMBER, read_cell, read_place, read_slot, read_state_place
from esoplay.cli.repl.source_lines import set_variable
from esoplay.cli.repl.syntax import Line, one_byte, unescape, whole
from esoplay.cli.repl.wording import breakpoint_line
from esoplay.errors import UsageError
from esoplay.service.debugging import DIRECTIONS, Breakpoint, BreakpointSpec, Direction
from esoplay.service.encoding import breakpoint_as_json, bytes_as_json
from esoplay.timeline.breakpoint_spec import breakpoint_words
from esoplay.timeline.places import bytes_text


def _break(desk: Desk, line: Line) -> Reply:
    place, condition, log = _clauses(line.rest)
    place, direction = _direction(place)
    spec = BreakpointSpec()
    if place:
        spec = _read_time(place) or read_place(desk.debugger, place)
    elif condition is None:
        at = desk.debugger.view().location
        if isinstance(at.address, tuple):
            x, y = at.address
            spec = BreakpointSpec(position=(x, y))
        else:
            spec = BreakpointSpec(offset=at.offset)
    return _add(desk, replace(spec, condition=condition, log=log, direction=direction))


def _direction(text: str) -> tuple[str, Direction | None]:
    """What is left of a subject without the direction in front of it, and that direction."""
    word, _, rest = text.partition(" ")
    for direction in DIRECTIONS:
        if word == direction:
            return rest.strip(), direction
    return text, None


def _read_time(text: str) -> BreakpointSpec | None:
    """``new``, ``step N`` and ``every N``: what depends on the past and not on a place."""
    word, _, number = text.partition(" ")
    if text == "new":
        return BreakpointSpec(new=True)
    if word == "step" and number:
        return BreakpointSpec(step=whole(number.strip(), "a step", 1))
    if word == "every" and number:
        return BreakpointSpec(every=whole(number.strip(), "a number of steps", 1))
    return None


def _watch(desk: Desk, line: Line) -> Reply:
    what, condition, log = _clauses(line.rest)
    what, direction = _direction(what)
    word, _, detail = what.partition(" ")
    detail = detail.strip()
    spec = BreakpointSpec(condition=condition, log=log, direction=direction)
    if word == "output" and detail:
        byte = one_byte(detail)
        if byte is None and len(detail) > 2 and detail[0] == detail[-1] and detail[0] in "'\"":
            byte = unescape(detail)
        if byte is None:
            return _add(desk, replace(spec, output=whole(detail, "the number of an output byte")))
        return _add(desk, replace(spec, output=byte.decode() if byte.isascii() else byte))
    if word in ("output", "input", "write") and not detail:
        return _add(desk, replace(spec, effect=word))
    if word == "top" or (word == "stack" and detail):
        place = read_state_place(desk.debugger, what)
        assert isinstance(place, Slot)
        return _add(desk, replace(spec, slot=place))
    if word in ("push", "slot") and detail:
        return _add(desk, replace(spec, slot=read_slot(desk.debugger, detail)))
    if word == "read" and detail:
        return _add(desk, replace(spec, read=read_cell(desk.debugger, detail)))
    if word == "cell":
        word, detail = detail, ""
    if not word or detail:
        raise UsageError(
            "watch takes a cell such as 3, or push 3, top, output, output 5, output 'x', "
            'output "text", input, or write'
        )
    return _add(desk, replace(spec, cell=read_cell(desk.debugger, word)))


def _condition(desk: Desk, line: Line) -> Reply:
    number, _, condition = line.rest.partition(" ")
    old = _breakpoint(desk, number)
    condition = condition.strip().removeprefix("if ").strip()
    return _change(desk, old, replace(old.spec, condition=condition or None))


def _enable(desk: Desk, line: Line) -> Reply:
    old = _breakpoint(desk, line.rest)
    return _change(desk, old, replace(old.spec, enabled=line.word == "enable"))


def _delete(desk: Desk, line: Line) -> Reply:
    if line.rest.strip() == "all":
        gone = list(desk.debugger.breakpoints)
    else:
        gone = [_breakpoint(desk, text) for text in line.arguments or ("",)]
    for each in gone:
        desk.debugger.remove_breakpoint(each.id)
    count = "one breakpoint" if len(gone) == 1 else f"{len(gone)} breakpoints"
    return Reply([f"{count} deleted"], {"deleted": [each.id for each in gone]})


def _list(desk: Desk, line: Line) -> Reply:
    breakpoints = desk.debugger.breakpoints
    lines = [f"breakpoint {breakpoint_line(each)}" for each in breakpoints]
    return Reply(
        lines or ["no breakpoints"],
        {"breakpoints": [_as_json(each) for each in breakpoints]},
    )


def _set(desk: Desk, line: Line) -> Reply:
    if line.arguments[:1] == ("input",):
        data = unescape(line.rest.partition("input")[2].strip())
        former = desk.debugger.anew()
        reply = desk.move(lambda: desk.debugger.set_stdin(data, ticker=desk.tick))
        if desk.interrupted:
            return reply
        desk.other = former
        return Reply([f"the input is now {bytes_text(data)}", *reply.lines], reply.data)
    if (changed := set_variable(desk, line.rest)) is not None:
        return changed
    if len(line.arguments) != 2:
        raise UsageError("set takes a cell and a value, or the word input and a text")
    cell = read_cell(desk.debugger, line.arguments[0])
    value = one_byte(line.arguments[1])
    number = value[0] if value is not None else whole(line.arguments[1], "a value", ANY_NUMBER)
    former = desk.debugger.anew()
    reply = desk.move(lambda: desk.debugger.set_cell(cell, number))
    desk.other = former
    return reply


def _feed(desk: Desk, line: Line) -> Reply:
    if not line.rest:
        raise UsageError(r"feed takes a text, such as 5 7\n")
    data = unescape(line.rest)
    desk.debugger.feed(data)
    return Reply([f"fed {bytes_text(data)}"], bytes_as_json("fed", data))


def _eof(desk: Desk, line: Line) -> Reply:
    desk.debugger.close_input()
    return Reply(["the input ends here"], {"closed": True})


def _add(desk: Desk, spec: BreakpointSpec) -> Reply:
    added = desk.debugger.add_breakpoint(spec)
    return Reply([f"breakpoint {breakpoint_line(added)}"], {"breakpoint": _as_json(added)})


def _change(desk: Desk, old: Breakpoint, spec: BreakpointSpec) -> Reply:
    changed = desk.debugger.change_breakpoint(old.id, spec)
    return Reply([f"breakpoint {breakpoint_line(changed)}"], {"breakpoint": _as_json(changed)})


def _breakpoint(desk: Desk, text: str) -> Breakpoint:
    number = whole(text.strip(), "the number of a breakpoint", 1)
    for each in desk.debugger.breakpoints:
        if each.id == number:
            return each
    known = ", ".join(str(each.id) for each in desk.debugger.breakpoints) or "none"
    raise UsageError(f"there is no breakpoint {number}; there are: {known}")


def _as_json(breakpoint: Breakpoint) -> dict[str, Any]:
    return {**breakpoint_as_json(breakpoint), "text": breakpoint_words(breakpoint.spec)}


def _clauses(text: str) -> tuple[str, str | None, str | None]:
    """The subject, the condition after ``if`` and the text after ``log``."""
    subject, said_log, log = f" {text} ".partition(" log ")
    subject, said_if, condition = subject.partition(" if ")
    if (said_log and not log.strip()) or (said_if and not condition.strip()):
        raise UsageError("something is missing after if or log")
    return subject.strip(), condition.strip() or None, log.strip() or None


COMMANDS = (
    Command(
        ("break", "b"),
        "[forwards | backwards] [PLACE | line N | new | step N | every N]  "
        "[if CONDITION] [log TEXT]",
        "stop before the instruction at a place (else the current one), where a line of the "
        "generator's source is begun, before any instruction that was never "
        "executed (new), at steps, or where a condition holds",
        _break,
        (
            "b",
            "b 12",
            "b 3:7 if cell[0] == 10",
            "b line 7",
            "b '.'",
            "b if step > 100 and output == 5",
            "b new",
            "b every 1000",
            "b backwards 3:7",
        ),
    ),
    Command(
        ("watch",),
        "CELL | push [STACK:]LEVEL | top [N] | output [BYTE | 'x' | \"text\"] | input | write  "
        "[if CONDITION] [log TEXT]",
        "stop after a cell was written, a value put on a stack, output printed or input read",
        _watch,
        (
            "watch 3",
            "watch 3 if value == 0",
            "watch push 3",
            "watch output 'x'",
            'watch output "12"',
            "watch output 5",
        ),
    ),
    Command(
        ("condition", "B"),
        "NUMBER [CONDITION]",
        "change a breakpoint's condition; without one, drop it",
        _condition,
        ("B 1 step > 1000",),
    ),
    Command(("enable",), "NUMBER", "switch a breakpoint on", _enable),
    Command(("disable",), "NUMBER", "switch a breakpoint off", _enable),
    Command(("delete", "d"), "NUMBER… | all", "delete breakpoints", _delete),
    Command(("list", "l"), "", "list the breakpoints", _list),
    Command(
        ("set",),
        "CELL VALUE | NAME = VALUE | input TEXT",
        "change the present (also a variable of the source), or the input: history forks here",
        _set,
        ("set 3 10", "set 3 'A'", "set total = -5", r"set input 5 7\n"),
    ),
    Command(
        ("feed",), "TEXT", "give the program more input (when it is open)", _feed, (r"feed 5 7\n",)
    ),
    Command(("eof",), "", "say that no more input will come", _eof),
)
