"""Views, panels, stops and breakpoints as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from esolangs.numbers import abbreviate
from esolangs.source import locate
from esolangs.view import (
    Actor,
    CallStack,
    Drawing,
    Frame,
    Grid,
    Number,
    Panel,
    Pointer,
    Stack,
    StackOfStacks,
    Stage,
    Table,
    Tape,
    Term,
    View,
    Window,
    as_json,
)
from esolangs.wording import format_count
from esoplay.debugging.debugger import Breakpoint, CellWrite, Debugger, Reason, Stop, address_text
from esoplay.debugging.watches import WatchedExpression
from esoplay.running.run import SHOWN_IN_TEST, bytes_as_json, truncation_fields
from esoplay.timeline.breakpoint_spec import describe_breakpoint, spec_as_json

_SHOWN_BY_WHERE = frozenset({"end", "fault", "limit", "needs_input"})
_MAX_INSTRUCTION_LENGTH = 80  # characters
_RUN_TO_ID = 0  # the id of the internal breakpoint of "run to here"


def position_text(view: View) -> str:
    """Return the step, the location and the text of the next instruction on one line."""
    at = view.location
    if view.fault is not None:
        return (
            f"step {view.step}, fault at line {view.fault.line} column {view.fault.column}: "
            f"{view.fault.message}"
        )
    if view.limit is not None:
        return f"step {view.step}, stopped by the limit on {view.limit}"
    if view.status == "halted" or not at.instruction:
        return f"step {view.step}, the program has ended"
    if isinstance(at.address, tuple):
        place = f"at {address_text(at.address)}"
    else:
        place = f"line {at.line} column {at.column}"
    words = instruction_text(at.readable_instruction)
    if at.explanation and not words.startswith(at.explanation):  # `push 2` needs no explanation
        words = f"{words}  {at.explanation}"
    return f"step {view.step}, {place}: {words}"


def instruction_text(instruction: str) -> str:
    """Return an instruction's text on one line, shortened if it is long."""
    text = " ".join(instruction.split()) or instruction
    return (
        text if len(text) <= _MAX_INSTRUCTION_LENGTH else text[: _MAX_INSTRUCTION_LENGTH - 1] + "…"
    )


def stop_lines(stop: Stop) -> list[str]:
    """Return the logged lines of a stop, and the reasons that the command ``where`` omits."""
    reasons = [
        reason.text
        for reason in stop.reasons
        if reason.kind not in _SHOWN_BY_WHERE
        and reason.text != f"step {stop.step}"
        and reason.breakpoint != _RUN_TO_ID
    ]
    return [f"log: {text}" for text in stop.logs] + reasons


def watch_line(watch: WatchedExpression) -> str:
    """Return a watch expression with its value."""
    if watch.value is None:
        return f"watch {watch.id}: {watch.text}: {watch.error}"
    missing = f" ({watch.missing})" if watch.missing else ""
    return f"watch {watch.id}: {watch.text} is {abbreviate(watch.value)}{missing}"


def change_line(watch: WatchedExpression) -> str:
    """Return a watch expression with its value now and its value before a move."""
    assert watch.previous_value is not None
    return f"{watch_line(watch)}, was {abbreviate(watch.previous_value)}"


def breakpoint_line(breakpoint: Breakpoint) -> str:
    """Return the description of a breakpoint in one line."""
    hits = "never hit" if not breakpoint.hits else f"hit {count_text(breakpoint.hits)}"
    off = "" if breakpoint.spec.enabled else ", disabled"
    return f"{breakpoint.id}: {describe_breakpoint(breakpoint.spec)}, {hits}{off}"


def moved_breakpoint_lines(breakpoint: Breakpoint, source: bytes) -> list[str]:
    """Return why a breakpoint set in a comment moved, as lines; [] if it did not move."""
    if breakpoint.moved_from is None or breakpoint.spec.offset is None:
        return []
    asked, found = locate(source, breakpoint.moved_from), locate(source, breakpoint.spec.offset)
    kind = "blank" if breakpoint.on_plane else "in a comment"
    place = f"line {asked[0]} column {asked[1]} is {kind}"
    moved = f"{place}: moved to {next_instruction_text(breakpoint.on_plane)}"
    return [f"{moved}, at line {found[0]} column {found[1]}"]


def next_instruction_text(is_on_plane: bool) -> str:
    """Return a phrase for the instruction to which a breakpoint in a comment moves.

    is_on_plane: whether the program is two-dimensional, so that text order is not execution order.
    """
    if is_on_plane:
        return "the next instruction in text order, which the pointer may never reach"
    return "the next instruction"


def cell_write_line(write: CellWrite) -> str:
    """Return a description of one write to a cell."""
    old, new = abbreviate(write.old), abbreviate(write.new)
    at = write.location if isinstance(write.location, tuple) else write.span[0]
    return f"step {write.step}: {old} to {new}, by the instruction at {address_text(at)}"


_DIRECTIONS = {(1, 0): "east", (-1, 0): "west", (0, 1): "south", (0, -1): "north"}
_MAX_POINTS = 16


def panels_lines(panels: Iterable[Panel]) -> list[str]:
    """Return the lines of all panels."""
    return [line for panel in panels for line in panel_lines(panel)]


def panel_lines(panel: Panel) -> list[str]:
    """Return the lines of one panel: its name and size, then its contents, indented."""
    match panel:
        case Tape():
            return _tape(panel)
        case CallStack():
            return _calls(panel)
        case Grid():
            return _grid(panel)
        case Stack():
            return [f"{panel.name}: {_stack(panel)}"]
        case StackOfStacks():
            return _stacks(panel)
        case Table():
            return _table(panel)
        case Term():
            return _term(panel)
        case Stage():
            return _stage(panel)
        case Drawing():
            return _drawing(panel)


def _tape(tape: Tape) -> list[str]:
    """Return the cells as ``index: value``, eight per line, with the pointer's cell in brackets."""
    lines = [f"{tape.name}: pointer at {tape.pointer}, visited cells {tape.low} to {tape.high}"]
    cells = [
        f"[{index}: {value}]" if index == tape.pointer else f"{index}: {value}"
        for index, value in enumerate(tape.cells, tape.first)
    ]
    for first in range(0, len(cells), 8):
        lines.append("  " + ", ".join(cells[first : first + 8]))
    return lines


def _calls(stack: CallStack) -> list[str]:
    """Return the frames, innermost first; frames are numbered from the outermost."""
    if not stack.frames:
        return [f"{stack.name}: none"]
    lines = [f"{stack.name}: {stack.depth}, innermost first"]
    lines += [f"  {stack.depth - at}: {_frame(frame)}" for at, frame in enumerate(stack.frames)]
    return lines + _hidden_line(stack.depth - len(stack.frames), "outside")


def _frame(frame: Frame) -> str:
    place = f"{frame.label} of line {frame.line} column {frame.column}"
    return f"{place}, entered {count_text(frame.times)}"


def count_text(count: int) -> str:
    """Return ``once``, or a count such as ``5 times``."""
    return "once" if count == 1 else f"{count} times"


def _grid(grid: Grid) -> list[str]:
    """Return the rows that are not blank, then the pointers and lists of special cells.

    The lists contain cells that cannot be printed, were executed last, or were changed.
    """
    right = grid.left + max(map(len, grid.rows), default=0) - 1
    bottom = grid.top + len(grid.rows) - 1
    used = f"in use from {_point(grid.low)} to {_point(grid.high)}"
    here = f"columns {grid.left} to {right}, rows {grid.top} to {bottom}"
    lines = [f"{grid.name}: {used}; shown: {here}"]
    others: list[str] = []
    for y, row in enumerate(grid.rows, grid.top):
        text = "".join(map(_character, row)).rstrip()
        if text:
            lines.append(f"  row {y}: {text}")
        others += [
            f"{_point((x, y))} holds {value}"
            for x, value in enumerate(row, grid.left)
            if value != 32 and _character(value) == _NO_CHARACTER
        ]
    lines += [f"  {_pointer(pointer)}" for pointer in grid.pointers]
    lines += _list_line("not printable", others)
    lines += _list_line("executed before, the latest first", map(_point, grid.trail))
    return lines + _list_line("changed by the program", map(_point, grid.written))


_NO_CHARACTER = "·"


def _character(value: Number) -> str:
    return chr(value) if isinstance(value, int) and 32 <= value < 127 else _NO_CHARACTER


def _pointer(pointer: Pointer) -> str:
    going = _DIRECTIONS.get(pointer.delta) or f"by {_point(pointer.delta)}"
    offset = f", storage offset {_point(pointer.offset)}" if pointer.offset != (0, 0) else ""
    turn = ", active" if pointer.active else ""
    return f"pointer {pointer.id} at {_point(pointer.position)}, going {going}{offset}{turn}"


def _list_line(label: str, items: Iterable[str]) -> list[str]:
    """Return a list with one line of up to ``_MAX_POINTS`` items, or [] without items."""
    listed = list(items)
    if not listed:
        return []
    more = len(listed) - _MAX_POINTS
    rest = f" and {more} more" if more > 0 else ""
    return [f"  {label}: {'; '.join(listed[:_MAX_POINTS])}{rest}"]


def _point(point: tuple[int, int]) -> str:
    return f"{point[0]},{point[1]}"


def _stack(stack: Stack) -> str:
    if not stack.depth:
        return "empty"
    values = " ".join(map(str, stack.values))
    more = stack.depth - len(stack.values)
    rest = f" and {more} more below" if more > 0 else ""
    return f"{stack.depth}, top first: {values}{rest}"


def _stacks(stacks: StackOfStacks) -> list[str]:
    lines = [f"{stacks.name}: {stacks.depth}, innermost first"]
    lines += [f"  {stack.name}: {_stack(stack)}" for stack in stacks.stacks]
    return lines + _hidden_line(stacks.depth - len(stacks.stacks), "outside")


def _table(table: Table) -> list[str]:
    """Return rows with the column's name before each value; ``next:`` marks the current row."""
    if not table.size:
        return [f"{table.name}: empty"]
    lines = [f"{table.name}: {table.size}"]
    for at, row in enumerate(table.rows):
        pairs = zip(table.columns, row, strict=True)
        text = ", ".join(f"{name} {value}" for name, value in pairs if value != "")
        lines.append(f"  next: {text}" if at == table.current else f"  {text}")
    return lines + _hidden_line(table.size - len(table.rows), "not shown")


def _term(term: Term) -> list[str]:
    lines = [f"{term.name}: {term.text}"]
    if term.redex is not None:
        start, end = term.redex
        lines.append(f"  reduced next, from character {start + 1}: {term.text[start:end]}")
    return lines


def _stage(stage: Stage) -> list[str]:
    answer = {None: "none yet", True: "yes", False: "no"}[stage.condition]
    lines = [f"{stage.name}: {stage.act}, {stage.scene}; the last answer: {answer}"]
    for on_stage, place in ((True, "on stage"), (False, "off stage")):
        actors = [actor for actor in stage.actors if actor.on_stage is on_stage]
        if not actors:
            lines.append(f"  {place}: no one")
        lines += [f"  {place}: {_actor(actor)}" for actor in actors]
    return lines


def _actor(actor: Actor) -> str:
    role = f", {actor.role}" if actor.role else ""
    return f"{actor.name}{role}, value {actor.value}, stack {_stack(actor.stack)}"


def _drawing(drawing: Drawing) -> list[str]:
    """Describe a drawing: its number of lines, the turtle, and the last lines, newest first."""
    extent = f" from {_point(drawing.low)} to {_point(drawing.high)}" if drawing.size else ""
    lines = format_count(drawing.size, "line")
    pen = f"pen {'down' if drawing.pen else 'up'}, color {color_text(drawing.color)}"
    told = [
        f"  turtle at {_point(drawing.position)}, heading {drawing.heading} degrees, {pen}",
        f"  paper {color_text(drawing.paper)}",
    ]
    latest = [
        f"{_point(line.start)} to {_point(line.end)} {color_text(line.color)}"
        for line in reversed(drawing.lines)
    ]
    shown = _list_line("lines, the latest first", latest[:_MAX_POINTS])
    hidden = drawing.size - len(latest[:_MAX_POINTS])
    return [f"{drawing.name}: {lines}{extent}", *told, *shown, *_hidden_line(hidden, "before them")]


def color_text(color: int) -> str:
    """Return a color in CSS notation: ``#ff8000``."""
    return f"#{color:06x}"


def _hidden_line(count: int, place: str) -> list[str]:
    return [f"  and {count} more {place}"] if count > 0 else []


# JSON for all front ends

SHOWN_IN_VIEW = SHOWN_IN_TEST
"""The maximum number of bytes of output or input in a view; only the last bytes are shown."""

VIEW_FIELDS = (*View._fields, "output", "input", "registers", "places", "source")


def view_as_json(debugger: Debugger, view: View, fields: list[str] | None = None) -> dict[str, Any]:
    """Return a view as JSON: all its fields and ``source``, or only the parts in ``fields``.

    The parts are the fields of the view, ``output`` and ``input`` (the last bytes up to the current
    step), ``registers`` (names for conditions, with their values), ``places`` (names and addresses)
    and ``source`` (the line of the generator's source, if a source map is open).
    """
    if fields is None:
        return {**as_json(view), **_source(debugger)}
    data: dict[str, Any] = {}
    for field in fields:
        match field:
            case "output":
                printed = debugger.output[: view.output_length]
                data |= bytes_as_json("output", printed[-SHOWN_IN_VIEW:])
                if len(printed) > SHOWN_IN_VIEW:
                    data |= truncation_fields(len(printed))
            case "input":
                read = debugger.input[: view.input_position]
                data |= bytes_as_json("input", read[-SHOWN_IN_VIEW:])
            case "registers":
                values = debugger.registers()
                data["registers"] = {name: abbreviate(value) for name, value in values.items()}
            case "places":
                places = debugger.program.places()
                data["places"] = {name: as_json(at) for name, at in places.items()}
            case "source":
                data |= _source(debugger)
            case _:
                data[field] = as_json(getattr(view, field))
    return data


def _source(debugger: Debugger) -> dict[str, Any]:
    """Return the source line that is executed next, if a source map is open."""
    lines = debugger.source_lines
    if lines is None:
        return {}
    from esoplay.timeline.source_steps import (
        next_instruction_span,  # imported only for programs with a map
    )

    here = next_instruction_span(debugger.timeline, lines)
    line, label = (None, "") if here is None else (here.line, here.label)
    return {"source": {"name": lines.source_map.name, "line": line, "label": label}}


def stop_as_json(
    debugger: Debugger, stop: Stop, window: Window | None = None, fields: list[str] | None = None
) -> dict[str, Any]:
    """Return a stop as JSON: its step, reasons, state and logged lines."""
    data: dict[str, Any] = {
        "step": stop.step,
        "stopped": [reason_as_json(reason) for reason in stop.reasons],
        "view": view_as_json(debugger, debugger.view(window), fields),
    }
    if stop.logs:
        data["logs"] = list(stop.logs)
    return data


def reason_as_json(reason: Reason) -> dict[str, Any]:
    """Return a reason for a stop as JSON, with the breakpoint or the condition that caused it."""
    data: dict[str, Any] = {"kind": reason.kind, "text": reason.text}
    if reason.breakpoint is None:
        return data
    if reason.breakpoint > 0:
        return {**data, "breakpoint": reason.breakpoint}
    # An internal breakpoint: moves number their conditions -1, -2, …
    data["text"] = reason.text.partition(": ")[2]
    return {**data, "until": -1 - reason.breakpoint} if reason.breakpoint else data


def breakpoint_as_json(breakpoint: Breakpoint) -> dict[str, Any]:
    """Return a breakpoint's spec, id and hit count as JSON."""
    data: dict[str, Any] = {"id": breakpoint.id, "hits": breakpoint.hits, "enabled": True}
    if breakpoint.moved_from is not None:
        data["moved_from"] = breakpoint.moved_from
    return data | spec_as_json(breakpoint.spec, _text)


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def cell_write_as_json(write: CellWrite) -> dict[str, Any]:
    """Return a write to a cell as JSON; very large numbers are strings."""
    old, new = abbreviate(write.old), abbreviate(write.new)
    data = {"step": write.step, "old": old, "new": new, "span": list(write.span)}
    if isinstance(write.location, tuple):
        data["position"] = list(write.location)
    return data
