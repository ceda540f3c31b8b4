"""Commands that look and change nothing."""

from __future__ import annotations

from esolangs.view import CallStack, Tape, Window, as_json
from esoplay.cli.repl.desk import Command, Desk, Reply
from esoplay.cli.repl.syntax import Line, whole
from esoplay.cli.repl.wording import (
    panel_lines,
    quoted,
    stack_lines,
    tape_lines,
    where,
    write_line,
)
from esoplay.errors import UsageError
from esoplay.service.encoding import bytes_as_json, write_as_json

_ANY_CELL = -(1 << 62)
_MAX_CELLS = 4_096
_DEFAULT_CELLS = 16
_MAX_WRITES = 1_000


def _view(desk: Desk, line: Line) -> Reply:
    view = desk.debugger.view(Window(cells=_DEFAULT_CELLS))
    io = f"printed {view.output_length} bytes, read {view.input_position} bytes"
    return Reply([where(view), *panel_lines(view), io], as_json(view))


def _where(desk: Desk, line: Line) -> Reply:
    return desk.here()


def _explain(desk: Desk, line: Line) -> Reply:
    at = desk.debugger.view().location
    return Reply([at.explanation], {"explanation": at.explanation, "instruction": at.instruction})


def _tape(desk: Desk, line: Line) -> Reply:
    numbers = [whole(text, "a cell", _ANY_CELL) for text in line.arguments]
    first = numbers[0] if numbers else None
    cells = numbers[1] if len(numbers) > 1 else _DEFAULT_CELLS
    if len(numbers) > 2 or not 1 <= cells <= _MAX_CELLS:
        raise UsageError(f"tape takes a first cell and a number of cells from 1 to {_MAX_CELLS}")
    view = desk.debugger.view(Window(cells=cells, first=first))
    tapes = [panel for panel in view.panels if isinstance(panel, Tape)]
    if not tapes:
        raise UsageError(f"{desk.debugger.program.language.name} has no tape")
    return Reply(
        [text for tape in tapes for text in tape_lines(tape)],
        {"panels": [as_json(tape) for tape in tapes]},
    )


def _loops(desk: Desk, line: Line) -> Reply:
    stacks = [p for p in desk.debugger.view().panels if isinstance(p, CallStack)]
    return Reply(
        [text for stack in stacks for text in stack_lines(stack)],
        {"panels": [as_json(stack) for stack in stacks]},
    )


def _output(desk: Desk, line: Line) -> Reply:
    length = desk.debugger.view().output_length
    known = desk.debugger.output
    now, later = known[:length], known[length:]
    lines = [f"printed: {quoted(now)}" if now else "nothing printed yet"]
    if later:
        lines.append(f"printed later, in known history: {quoted(later)}")
    return Reply(lines, {**bytes_as_json("printed", now), **bytes_as_json("later", later)})


def _input(desk: Desk, line: Line) -> Reply:
    position = desk.debugger.view().input_position
    data = desk.debugger.input
    end = "the input ends there" if desk.debugger.closed else "more can be fed"
    lines = [f"read: {quoted(data[:position])}", f"unread: {quoted(data[position:])}; {end}"]
    return Reply(
        lines,
        {
            **bytes_as_json("read", data[:position]),
            **bytes_as_json("unread", data[position:]),
            "closed": desk.debugger.closed,
        },
    )


def _printed(desk: Desk, line: Line) -> Reply:
    byte = _number(line, "the number of an output byte")
    step = desk.debugger.printed(byte)
    said = "has not been printed in known history" if step is None else f"printed by step {step}"
    return Reply([f"output byte {byte}: {said}"], {"byte": byte, "step": step})


def _read(desk: Desk, line: Line) -> Reply:
    byte = _number(line, "the number of an input byte")
    step = desk.debugger.read_by(byte)
    said = "has not been read in known history" if step is None else f"read by step {step}"
    return Reply([f"input byte {byte}: {said}"], {"byte": byte, "step": step})


def _writes(desk: Desk, line: Line) -> Reply:
    numbers = [whole(text, "a cell", _ANY_CELL) for text in line.arguments]
    if len(numbers) > 2:
        raise UsageError("writes takes a cell, and how many writes to list")
    cell = numbers[0] if numbers else desk.tape_pointer(desk.debugger.view())
    limit = numbers[1] if len(numbers) > 1 else 10
    if not 1 <= limit <= _MAX_WRITES:
        raise UsageError(f"between 1 and {_MAX_WRITES} writes are listed")
    found = desk.ask(lambda ticker: desk.debugger.writes(cell, limit=limit, ticker=ticker))
    lines = [f"cell {cell}, newest write first:", *(f"  {write_line(each)}" for each in found)]
    return Reply(
        lines if found else [f"cell {cell} has not been written: it has its initial value"],
        {
            "cell": cell,
            "writes": [write_as_json(each) for each in found],
        },
    )


def _number(line: Line, what: str) -> int:
    if len(line.arguments) != 1:
        raise UsageError(f"{line.word} takes {what}, counted from 0")
    return whole(line.arguments[0], what)


COMMANDS = (
    Command(("where",), "", "say the step, the place and what comes next", _where),
    Command(("explain", "e"), "", "say in plain words what the next step does", _explain),
    Command(("view",), "", "say everything: place, tape, loops", _view),
    Command(
        ("tape",),
        "[FIRST [COUNT]]",
        "list cells, around the pointer or from FIRST",
        _tape,
        ("tape", "tape 0 32"),
    ),
    Command(("loops",), "", "list the loops we are in, with their rounds", _loops),
    Command(("output",), "", "say what has been printed, and what will be", _output),
    Command(("input",), "", "say what has been read, and what is left", _input),
    Command(
        ("printed",), "BYTE", "which step printed an output byte (from 0)", _printed, ("printed 2",)
    ),
    Command(("read",), "BYTE", "which step read an input byte (from 0)", _read, ("read 0",)),
    Command(
        ("writes", "v"), "[CELL [N]]", "list the last N writes of a cell", _writes, ("writes 3 20",)
    ),
)
