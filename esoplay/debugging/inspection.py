"""Commands that look and change nothing."""

from __future__ import annotations

from esolangs.numbers import shown
from esolangs.stops import Address
from esolangs.view import CallStack, Grid, Panel, Tape, Window, as_json
from esoplay.debugging.command_line import ANY_NUMBER, Line, whole
from esoplay.debugging.descriptions import lines_of, where
from esoplay.debugging.locations import read_cell
from esoplay.debugging.session import Command, DebugSession, Reply
from esoplay.errors import UsageError
from esoplay.service.debugging import address_text
from esoplay.service.encoding import bytes_as_json
from esoplay.timeline.places import bytes_text

_MAX_SIDE = 512
_MAX_CELLS = 4_096
_DEFAULT_CELLS = 16
_DEFAULT_DEPTH = 8
_CELLS_A_LINE = 8
_MAX_PLACES = 100
_GRID_WIDTH, _GRID_HEIGHT = 80, 25


def _view(session: DebugSession, line: Line) -> Reply:
    view = session.debugger.view(Window(cells=_DEFAULT_CELLS, depth=_DEFAULT_DEPTH))
    io = f"printed {view.output_length} bytes, read {view.input_position} bytes"
    return Reply([where(view), *lines_of(view.panels), io], as_json(view))


def where_we_are(session: DebugSession, line: Line) -> Reply:
    """The step, the place and what comes next."""
    return session.here()


def _explain(session: DebugSession, line: Line) -> Reply:
    at = session.debugger.view().location
    return Reply([at.explanation], {"explanation": at.explanation, "instruction": at.instruction})


def _tape(session: DebugSession, line: Line) -> Reply:
    numbers = [whole(text, "a cell", ANY_NUMBER) for text in line.arguments]
    first = numbers[0] if numbers else None
    cells = numbers[1] if len(numbers) > 1 else _DEFAULT_CELLS
    if len(numbers) > 2 or not 1 <= cells <= _MAX_CELLS:
        raise UsageError(f"tape takes a first cell and a number of cells from 1 to {_MAX_CELLS}")
    view = session.debugger.view(Window(cells=cells, first=first))
    return _panels(session, view.panels, Tape, "tape")


def _grid(session: DebugSession, line: Line) -> Reply:
    words = line.arguments
    corner, sides = None, [whole(text, "a number of cells", 1) for text in words[1:]]
    at = read_cell(session.debugger, words[0]) if words else None
    if isinstance(at, tuple):  # else nothing here has a grid, which is said below
        corner = at[0], at[1]
    if len(sides) not in (0, 2) or max(sides, default=1) > _MAX_SIDE:
        raise UsageError(f"grid takes a corner, then width and height, each at most {_MAX_SIDE}")
    width, height = sides if sides else (_GRID_WIDTH, _GRID_HEIGHT)
    view = session.debugger.view(Window(width=width, height=height, corner=corner))
    return _panels(session, view.panels, Grid, "grid")


def _all_panels(session: DebugSession, line: Line) -> Reply:
    depth = _count(line, "panels", _MAX_CELLS) or _DEFAULT_CELLS
    panels = session.debugger.view(Window(cells=depth, depth=depth)).panels
    return Reply(lines_of(panels), {"panels": [as_json(panel) for panel in panels]})


def loops(session: DebugSession, line: Line) -> Reply:
    """The loops or calls around the next instruction, innermost first."""
    return _panels(session, session.debugger.view().panels, CallStack, "loops or calls to list")


def _panels(
    session: DebugSession, panels: tuple[Panel, ...], kind: type[Panel], name: str
) -> Reply:
    """The panels of a kind; UsageError when the language has none."""
    found = [panel for panel in panels if isinstance(panel, kind)]
    if not found:
        raise UsageError(f"{session.debugger.program.language.name} has no {name}; try view")
    return Reply(lines_of(found), {"panels": [as_json(panel) for panel in found]})


def _examine(session: DebugSession, line: Line) -> Reply:
    words = line.arguments
    if len(words) > 2:
        raise UsageError("x takes a cell and a number of cells")
    first = read_cell(session.debugger, words[0]) if words else session.cell_in_focus()
    count = whole(words[1], "a number of cells", 1) if len(words) > 1 else line.repeat or 1
    if count > _MAX_CELLS:
        raise UsageError(f"x lists at most {_MAX_CELLS} cells")
    cells: list[Address]
    if isinstance(first, tuple):
        cells = [(first[0] + at, *first[1:]) for at in range(count)]
    else:
        cells = [first + at for at in range(count)]
    try:
        values = [shown(session.debugger.timeline.machine.peek(cell)) for cell in cells]
    except ValueError as error:
        raise UsageError(str(error)) from None
    named = [f"{address_text(cell)}: {value}" for cell, value in zip(cells, values, strict=True)]
    rows = [named[at : at + _CELLS_A_LINE] for at in range(0, count, _CELLS_A_LINE)]
    data = [
        {"cell": as_json(cell), "value": value} for cell, value in zip(cells, values, strict=True)
    ]
    return Reply(["  ".join(row) for row in rows], {"cells": data})


def registers(session: DebugSession, line: Line) -> Reply:
    """The names that conditions may use, with their values."""
    values = {name: shown(value) for name, value in session.debugger.registers().items()}
    names = session.debugger.program.register_names()
    lines = [f"{name} is {value}: {names[name]}" for name, value in values.items()]
    return Reply(lines or ["this language has no registers"], {"registers": values})


def _places(session: DebugSession, line: Line) -> Reply:
    places = session.debugger.program.places()
    limit = _count(line, "places", _MAX_CELLS) or _MAX_PLACES
    listed = list(places.items())[:limit]
    lines = [f"{name}, at {address_text(at)}" for name, at in listed]
    more = len(places) - len(listed)
    lines += [f"and {more} more"] if more else []
    return Reply(
        lines or ["this program has no named places"],
        {"places": {name: as_json(at) for name, at in listed}, "size": len(places)},
    )


def _count(line: Line, what: str, most: int) -> int | None:
    if not line.arguments:
        return None
    count = whole(line.arguments[0], "a number of entries", 1)
    if len(line.arguments) > 1 or count > most:
        raise UsageError(f"{what} takes how many entries to list, at most {most}")
    return count


def _output(session: DebugSession, line: Line) -> Reply:
    length = session.debugger.view().output_length
    known = session.debugger.output
    now, later = known[:length], known[length:]
    lines = [f"printed: {bytes_text(now)}" if now else "nothing printed yet"]
    if later:
        lines.append(f"printed later, in known history: {bytes_text(later)}")
    return Reply(lines, {**bytes_as_json("printed", now), **bytes_as_json("later", later)})


def _input(session: DebugSession, line: Line) -> Reply:
    position = session.debugger.view().input_position
    data = session.debugger.input
    end = "the input ends there" if session.debugger.closed else "more can be fed"
    lines = [
        f"read: {bytes_text(data[:position])}",
        f"unread: {bytes_text(data[position:])}; {end}",
    ]
    return Reply(
        lines,
        {
            **bytes_as_json("read", data[:position]),
            **bytes_as_json("unread", data[position:]),
            "closed": session.debugger.closed,
        },
    )


def _printed(session: DebugSession, line: Line) -> Reply:
    byte = _number(line, "the number of an output byte")
    step = session.debugger.printed(byte)
    said = "has not been printed in known history" if step is None else f"printed by step {step}"
    return Reply([f"output byte {byte}: {said}"], {"byte": byte, "step": step})


def _read(session: DebugSession, line: Line) -> Reply:
    byte = _number(line, "the number of an input byte")
    step = session.debugger.read_by(byte)
    said = "has not been read in known history" if step is None else f"read by step {step}"
    return Reply([f"input byte {byte}: {said}"], {"byte": byte, "step": step})


def _number(line: Line, what: str) -> int:
    if len(line.arguments) != 1:
        raise UsageError(f"{line.word} takes {what}, counted from 0")
    return whole(line.arguments[0], what)


COMMANDS = (
    Command(("where",), "", "say the step, the place and what comes next", where_we_are),
    Command(("explain", "e"), "", "say in plain words what the next step does", _explain),
    Command(("view",), "", "say everything: the place, and what the state has", _view),
    Command(
        ("tape",),
        "[FIRST [COUNT]]",
        "list cells, around the pointer or from FIRST",
        _tape,
        ("tape", "tape 0 32"),
    ),
    Command(
        ("grid",),
        "[X,Y [WIDTH HEIGHT]]",
        "say the rows of a plane, around the pointer or from X,Y",
        _grid,
        ("grid", "grid 0,0 40 10"),
    ),
    Command(("panels",), "[N]", "say all that the state has, up to N entries of each", _all_panels),
    Command(
        ("loops", "calls"),
        "",
        "list the loops or calls we are in",
        loops,
        aliases=("backtrace", "bt"),
    ),
    Command(
        ("x",),
        "[CELL [COUNT]]",
        "list the values of cells, from CELL on (else the pointer's)",
        _examine,
        ("x 3", "x 3 8", "x/8 3"),
    ),
    Command(
        ("registers",), "", "say the names that conditions may use, and their values", registers
    ),
    Command(
        ("places",), "[N]", "list the places that the program names, for break and to", _places
    ),
    Command(("output",), "", "say what has been printed, and what will be", _output),
    Command(("input",), "", "say what has been read, and what is left", _input),
    Command(
        ("printed",), "BYTE", "which step printed an output byte (from 0)", _printed, ("printed 2",)
    ),
    Command(("read",), "BYTE", "which step read an input byte (from 0)", _read, ("read 0",)),
)
