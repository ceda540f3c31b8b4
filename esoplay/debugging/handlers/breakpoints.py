"""Commands that set, change and list breakpoints and watches."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from esolangs.numbers import abbreviate
from esoplay.debugging.command_line import CommandLine, parse_whole_number
from esoplay.debugging.debugger import Breakpoint, BreakpointSpec
from esoplay.debugging.descriptions import (
    breakpoint_as_json,
    breakpoint_line,
    moved_breakpoint_lines,
    watch_line,
)
from esoplay.debugging.locations import is_condition, parse_breakpoint, parse_watchpoint
from esoplay.debugging.session import DebugCommand, DebugSession, Reply
from esoplay.debugging.watches import WatchedExpression, watch_as_json
from esoplay.errors import UsageError
from esoplay.timeline.breakpoint_spec import describe_breakpoint
from esoplay.timeline.search import count_hits_up_to


def _break(session: DebugSession, line: CommandLine) -> Reply:
    return _add(session, _parse_with_default_location(session, line.rest))


def _break_once(session: DebugSession, line: CommandLine) -> Reply:
    added = session.debugger.add_breakpoint(_parse_with_default_location(session, line.rest))
    session.temporary.add(added.id)
    words = f"temporary breakpoint {breakpoint_line(added)}"
    return Reply(
        [words, *_moved_breakpoint_lines(session, added)],
        {"breakpoint": _as_json(added), "temporary": True},
    )


def _parse_with_default_location(session: DebugSession, text: str) -> BreakpointSpec:
    """Parse a breakpoint; if ``text`` has no location or condition, use the default location."""
    spec = parse_breakpoint(session.debugger, text)
    if str(spec):
        return spec
    here = session.default_location()
    return replace(here, condition=spec.condition, log=spec.log, direction=spec.direction)


def _watch(session: DebugSession, line: CommandLine) -> Reply:
    try:
        spec = parse_watchpoint(session.debugger, line.rest)
    except UsageError:
        if not line.rest.strip() or not is_condition(session.debugger, line.rest):
            raise

        return display(session, line)
    return _add(session, spec)


def _move_breakpoint(session: DebugSession, line: CommandLine) -> Reply:
    number, _, text = line.rest.partition(" ")
    old = find_breakpoint(session, number)
    if not text.strip():
        raise UsageError("missing new place; expected, for example, change 1 at 3:7")
    return _change(
        session, old, replace(_parse_with_default_location(session, text), enabled=old.spec.enabled)
    )


def _set_condition(session: DebugSession, line: CommandLine) -> Reply:
    number, _, condition = line.rest.partition(" ")
    old = find_breakpoint(session, number)
    condition = condition.strip().removeprefix("if ").strip()
    return _change(session, old, replace(old.spec, condition=condition or None))


def _ignore(session: DebugSession, line: CommandLine) -> Reply:
    """Add a condition on ``hits`` to a breakpoint, so that its next hits are ignored.

    The condition compares the number of the hit, so it also works if the run goes backwards.
    """
    if len(line.arguments) != 2:
        raise UsageError("ignore: expected the number of a breakpoint and a count")
    old = find_breakpoint(session, line.arguments[0])
    count = parse_whole_number(line.arguments[1], "the count")
    debugger, spec = session.debugger, old.spec
    counted = debugger.change_breakpoint(old.id, replace(spec, condition="hits > 0"))
    try:
        steps = [debugger.step]
        passed = session.run_query(
            lambda ticker: count_hits_up_to(debugger.timeline, [counted], steps, ticker)
        )[debugger.step][old.id]
    finally:
        debugger.change_breakpoint(old.id, spec)
    condition = f"hits > {passed + count}"
    if spec.condition is not None:
        condition = f"({spec.condition}) and {condition}"
    return _change(session, old, replace(spec, condition=condition))


def _set_enabled(session: DebugSession, line: CommandLine) -> Reply:
    old = find_breakpoint(session, line.rest)
    return _change(session, old, replace(old.spec, enabled=line.word == "enable"))


def _delete_breakpoints(session: DebugSession, line: CommandLine) -> Reply:
    if line.rest.strip() == "all":
        gone = list(session.debugger.breakpoints)
    else:
        gone = [find_breakpoint(session, text) for text in line.arguments or ("",)]
    for each in gone:
        session.debugger.remove_breakpoint(each.id)
        session.temporary.discard(each.id)
        session.attached.pop(each.id, None)
    count = "one breakpoint" if len(gone) == 1 else f"{len(gone)} breakpoints"
    return Reply([f"{count} deleted"], {"deleted": [each.id for each in gone]})


def list_breakpoints(session: DebugSession, line: CommandLine) -> Reply:
    """List every breakpoint and the commands attached to it."""
    breakpoints = session.debugger.breakpoints
    lines: list[str] = []
    for each in breakpoints:
        once = "temporary " if each.id in session.temporary else ""
        lines.append(f"{once}breakpoint {breakpoint_line(each)}")
        lines += [f"  {command}" for command in session.attached.get(each.id, ())]
    return Reply(
        lines or ["no breakpoints"],
        {"breakpoints": [_as_json(each) for each in breakpoints]},
    )


def _add(session: DebugSession, spec: BreakpointSpec) -> Reply:
    added = session.debugger.add_breakpoint(spec)
    places = len(added.locations or ())
    lines = [f"breakpoint {breakpoint_line(added)}", *_moved_breakpoint_lines(session, added)]
    data = {"breakpoint": _as_json(added)}
    return Reply(lines, data) if places < 2 else Reply(lines, {**data, "places": places})


def _change(session: DebugSession, old: Breakpoint, spec: BreakpointSpec) -> Reply:
    changed = session.debugger.change_breakpoint(old.id, spec)
    lines = [f"breakpoint {breakpoint_line(changed)}", *_moved_breakpoint_lines(session, changed)]
    return Reply(lines, {"breakpoint": _as_json(changed)})


def _moved_breakpoint_lines(session: DebugSession, breakpoint: Breakpoint) -> list[str]:
    return moved_breakpoint_lines(breakpoint, session.debugger.program.source)


def find_breakpoint(session: DebugSession, text: str) -> Breakpoint:
    """Return a breakpoint by number; an unknown one raises UsageError with the valid numbers."""
    number = parse_whole_number(text.strip(), "the number of a breakpoint", 1)
    for each in session.debugger.breakpoints:
        if each.id == number:
            return each
    known = ", ".join(str(each.id) for each in session.debugger.breakpoints) or "none"
    raise UsageError(f"no breakpoint {number}; breakpoints: {known}")


def _as_json(breakpoint: Breakpoint) -> dict[str, Any]:
    return {**breakpoint_as_json(breakpoint), "text": describe_breakpoint(breakpoint.spec)}


_WHERE = (
    "[forwards | backwards] [PLACE | line N | new | step N | every N]  [if CONDITION] [log TEXT]"
)

COMMANDS = (
    DebugCommand(
        ("break", "b"),
        _WHERE,
        "stop before an instruction: at a place (default: here), at the start of line N of the "
        "generator's source, at any instruction that was never executed (new), at a step or every "
        "N steps, or when a condition holds",
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
        kind="change",
    ),
    DebugCommand(
        ("watch",),
        "CELL | push [STACK:]LEVEL | top [N] | output [BYTE | 'x' | \"text\"] | input | write  "
        "[if CONDITION] [log TEXT]",
        "stop after a cell was written, a value pushed to a stack, output printed or input read",
        _watch,
        (
            "watch 3",
            "watch 3 if value == 0",
            "watch push 3",
            "watch output 'x'",
            'watch output "12"',
            "watch output 5",
        ),
        kind="change",
    ),
    DebugCommand(
        ("tbreak",),
        _WHERE,
        "set a breakpoint that is deleted the first time it stops a run",
        _break_once,
        ("tbreak 12", "tbreak '.'"),
        kind="change",
        aliases=("tb",),
    ),
    DebugCommand(
        ("condition", "B"),
        "NUMBER [CONDITION]",
        "set a breakpoint's condition; without CONDITION, remove the condition",
        _set_condition,
        ("B 1 step > 1000",),
        kind="change",
    ),
    DebugCommand(
        ("change",),
        "NUMBER PLACE  [if CONDITION] [log TEXT]",
        "move a breakpoint to another place; its number stays the same",
        _move_breakpoint,
        ("change 1 at 3:7", "change 1 write 3 if value == 0"),
        kind="change",
    ),
    DebugCommand(
        ("ignore",),
        "NUMBER COUNT",
        "skip the next COUNT hits of a breakpoint",
        _ignore,
        ("ignore 1 10",),
        kind="change",
    ),
    DebugCommand(("enable",), "NUMBER", "enable a breakpoint", _set_enabled, kind="change"),
    DebugCommand(("disable",), "NUMBER", "disable a breakpoint", _set_enabled, kind="change"),
    DebugCommand(
        ("delete", "d"), "NUMBER… | all", "delete breakpoints", _delete_breakpoints, kind="change"
    ),
    DebugCommand(("list", "l"), "", "list the breakpoints", list_breakpoints),
)


# Watch expressions: shown whenever a move changes their values


def display(session: DebugSession, line: CommandLine) -> Reply:
    """Add a watch, change the expression of a watch, delete watches, or list them."""
    word, _, rest = line.rest.strip().partition(" ")
    if word == "change":
        number, _, text = rest.strip().partition(" ")
        id = parse_whole_number(number, "the number of a watch", 1)
        session.watches.change(id, text)
    elif word == "delete":
        return _delete_watches(session, rest.split())
    elif word:
        id = session.watches.add(line.rest)
    else:
        return list_watches(session, line)
    session.save_watches()
    watch = next(each for each in session.watch_values() if each.id == id)
    return Reply([watch_line(watch)], {"watch": watch_as_json(watch)})


def _delete_watches(session: DebugSession, numbers: list[str]) -> Reply:
    if numbers == ["all"]:
        ids = [each.id for each in session.watch_values()]
    else:
        ids = [parse_whole_number(number, "the number of a watch", 1) for number in numbers]
    if not numbers:
        raise UsageError("expected the numbers of the watches to delete, or all")
    session.watches.edit(delete=ids)
    session.save_watches()
    count = "one watch" if len(ids) == 1 else f"{len(ids)} watches"
    return Reply([f"{count} deleted"], {"deleted": ids})


def _undisplay(session: DebugSession, line: CommandLine) -> Reply:
    return _delete_watches(session, list(line.arguments))


def list_watches(session: DebugSession, line: CommandLine) -> Reply:
    """List the watches with their values."""
    watched = session.watch_values()
    lines = [watch_line(watch) for watch in watched]
    return Reply(
        lines or ["no watches; to add one: display cell[3] + 1"],
        {"watches": [watch_as_json(watch) for watch in watched]},
    )


def _print_value(session: DebugSession, line: CommandLine) -> Reply:
    """Evaluate an expression and print its value, without adding a watch."""
    if not line.rest.strip():
        raise UsageError("print: expected an expression, such as cell[3] + 1")
    watch = session.evaluate(line.rest)
    return Reply([_value_line(watch)], {"watch": watch_as_json(watch)})


def _value_line(watch: WatchedExpression) -> str:
    missing = f" ({watch.missing})" if watch.missing else ""
    assert watch.value is not None  # invalid expressions were rejected
    return f"{watch.text} is {abbreviate(watch.value)}{missing}"


WATCH_COMMANDS = (
    DebugCommand(
        ("display",),
        "[EXPRESSION | change NUMBER EXPRESSION | delete NUMBER… | delete all]",
        "watch an expression: show its value now and after each move that changes it; "
        "without an expression, list the watches",
        display,
        ("display cell[3]", "display stack[-1] + 1", "display change 1 cell[4]", "display"),
        kind="change",
    ),
    DebugCommand(
        ("undisplay",),
        "NUMBER… | all",
        "delete watches",
        _undisplay,
        ("undisplay 1",),
        kind="change",
        aliases=("unwatch",),
    ),
    DebugCommand(
        ("print",),
        "EXPRESSION",
        "print the value of an expression once",
        _print_value,
        ("print cell[3] * 10 + cell[4]",),
    ),
)
