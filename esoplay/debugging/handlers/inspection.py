"""Commands that show the state or the generator's source, step by lines or set its variables."""

from __future__ import annotations

from typing import Any

from esolangs.numbers import abbreviate
from esolangs.stops import Address
from esolangs.view import CallStack, Grid, Panel, Tape, Window, as_json
from esolangs.wording import format_count, noun
from esoplay.debugging.command_line import NO_MINIMUM, CommandLine, parse_value, parse_whole_number
from esoplay.debugging.debugger import address_text
from esoplay.debugging.descriptions import SHOWN_IN_VIEW, panels_lines, position_text
from esoplay.debugging.locations import parse_cell
from esoplay.debugging.session import ALL_OUTPUT, BUDGET, DebugCommand, DebugSession, Handler, Reply
from esoplay.errors import UsageError
from esoplay.running.run import bytes_as_json, first_bytes, last_bytes, truncation_fields
from esoplay.timeline.places import SHOWN_BYTES, bytes_text

_MAX_SIDE = 512
_MAX_CELLS = 4_096
_DEFAULT_CELLS = 16
_DEFAULT_DEPTH = 8
_CELLS_PER_LINE = 8
_MAX_PLACES = 100
_GRID_WIDTH, _GRID_HEIGHT = 80, 25


def _view(session: DebugSession, line: CommandLine) -> Reply:
    view = session.debugger.view(Window(cells=_DEFAULT_CELLS, depth=_DEFAULT_DEPTH))
    printed, read = (format_count(n, "byte") for n in (view.output_length, view.input_position))
    io = f"printed {printed}, read {read}"
    return Reply([position_text(view), *panels_lines(view.panels), io], as_json(view))


def show_position(session: DebugSession, line: CommandLine) -> Reply:
    """Show the step, the location and the next instruction."""
    return session.describe_position()


def _explain(session: DebugSession, line: CommandLine) -> Reply:
    at = session.debugger.view().location
    return Reply([at.explanation], {"explanation": at.explanation, "instruction": at.instruction})


def _tape(session: DebugSession, line: CommandLine) -> Reply:
    numbers = [parse_whole_number(text, "a cell", NO_MINIMUM) for text in line.arguments]
    first = numbers[0] if numbers else None
    cells = numbers[1] if len(numbers) > 1 else _DEFAULT_CELLS
    if len(numbers) > 2 or not 1 <= cells <= _MAX_CELLS:
        raise UsageError(f"tape accepts a first cell and a number of cells from 1 to {_MAX_CELLS}")
    view = session.debugger.view(Window(cells=cells, first=first))
    return _panels(session, view.panels, Tape, "tape")


def _grid(session: DebugSession, line: CommandLine) -> Reply:
    words = line.arguments
    corner, sides = None, [parse_whole_number(text, "a number of cells", 1) for text in words[1:]]
    at = parse_cell(session.debugger, words[0]) if words else None
    if isinstance(at, tuple):  # without a grid, `_panels` raises an error
        corner = at[0], at[1]
    if len(sides) not in (0, 2) or max(sides, default=1) > _MAX_SIDE:
        raise UsageError(f"grid accepts a corner, then width and height, each at most {_MAX_SIDE}")
    width, height = sides if sides else (_GRID_WIDTH, _GRID_HEIGHT)
    view = session.debugger.view(Window(width=width, height=height, corner=corner))
    return _panels(session, view.panels, Grid, "grid")


def _all_panels(session: DebugSession, line: CommandLine) -> Reply:
    depth = _panel_size(line, "panels", _MAX_CELLS) or _DEFAULT_CELLS
    panels = session.debugger.view(Window(cells=depth, depth=depth)).panels
    return Reply(panels_lines(panels), {"panels": [as_json(panel) for panel in panels]})


def list_loops(session: DebugSession, line: CommandLine) -> Reply:
    """List the loops or calls around the next instruction, innermost first."""
    return _panels(session, session.debugger.view().panels, CallStack, "loops or calls to list")


def _panels(
    session: DebugSession, panels: tuple[Panel, ...], kind: type[Panel], name: str
) -> Reply:
    """Return the panels of one type. Raises UsageError if the language does not have this type."""
    found = [panel for panel in panels if isinstance(panel, kind)]
    if not found:
        raise UsageError(f"{session.debugger.program.language.name} has no {name}; try: view")
    return Reply(panels_lines(found), {"panels": [as_json(panel) for panel in found]})


def _examine(session: DebugSession, line: CommandLine) -> Reply:
    words = line.arguments
    if len(words) > 2:
        raise UsageError("x: expected at most two arguments: a cell and a number of cells")
    first = parse_cell(session.debugger, words[0]) if words else session.cell_at_pointer()
    count = (
        parse_whole_number(words[1], "a number of cells", 1)
        if len(words) > 1
        else line.repeat_count or 1
    )
    if count > _MAX_CELLS:
        raise UsageError(f"x lists at most {_MAX_CELLS} cells")
    cells: list[Address]
    if isinstance(first, tuple):
        cells = [(first[0] + at, *first[1:]) for at in range(count)]
    else:
        cells = [first + at for at in range(count)]
    try:
        values = [abbreviate(session.debugger.timeline.machine.peek(cell)) for cell in cells]
    except ValueError as error:
        raise UsageError(str(error)) from None
    named = [f"{address_text(cell)}: {value}" for cell, value in zip(cells, values, strict=True)]
    rows = [named[at : at + _CELLS_PER_LINE] for at in range(0, count, _CELLS_PER_LINE)]
    data = [
        {"cell": as_json(cell), "value": value} for cell, value in zip(cells, values, strict=True)
    ]
    return Reply([", ".join(row) for row in rows], {"cells": data})


def list_registers(session: DebugSession, line: CommandLine) -> Reply:
    """List the names that conditions can use, with their values."""
    values = {name: abbreviate(value) for name, value in session.debugger.registers().items()}
    names = session.debugger.program.register_names()
    lines = [f"{name} is {value}: {names[name]}" for name, value in values.items()]
    return Reply(lines or ["this language has no registers"], {"registers": values})


def _places(session: DebugSession, line: CommandLine) -> Reply:
    places = session.debugger.program.places()
    limit = _panel_size(line, "places", _MAX_CELLS) or _MAX_PLACES
    listed = list(places.items())[:limit]
    lines = [f"{name}, at {address_text(at)}" for name, at in listed]
    more = len(places) - len(listed)
    lines += [f"and {more} more"] if more else []
    return Reply(
        lines or ["this program has no named places (such as labels or scenes)"],
        {"places": {name: as_json(at) for name, at in listed}, "size": len(places)},
    )


def _panel_size(line: CommandLine, name: str, maximum: int) -> int | None:
    if not line.arguments:
        return None
    count = parse_whole_number(line.arguments[0], "a number of entries", 1)
    if len(line.arguments) > 1 or count > maximum:
        raise UsageError(f"{name} accepts the number of entries to list, at most {maximum}")
    return count


def _output(session: DebugSession, line: CommandLine) -> Reply:
    if line.arguments not in ((), ("all",)):
        raise UsageError("output: expected no argument, or all")
    most = None if line.arguments else SHOWN_IN_VIEW
    length = session.debugger.view().output_length
    known = session.debugger.output
    now, later = known[:length], known[length:]
    limit = SHOWN_BYTES if most else max(1, len(known))
    lines = [f"printed: {bytes_text(now, limit)}" if now else "nothing printed yet"]
    if later:
        lines.append(f"printed later, in the known history: {bytes_text(later, limit)}")
    if max(len(now), len(later)) > limit:
        lines.append(ALL_OUTPUT)
    shown = last_bytes(now, most), first_bytes(later, most)
    data: dict[str, Any] = {
        **bytes_as_json("printed", shown[0]),
        **bytes_as_json("later", shown[1]),
    }
    if sum(map(len, shown)) < len(known):
        data |= truncation_fields(len(known))
    return Reply(lines, data)


def _input(session: DebugSession, line: CommandLine) -> Reply:
    position = session.debugger.view().input_position
    data = session.debugger.input
    end = (
        "the input ends there"
        if session.debugger.is_input_closed
        else "`feed TEXT` appends to the input"
    )
    lines = [
        f"read: {bytes_text(data[:position])}",
        f"unread: {bytes_text(data[position:])}; {end}",
    ]
    return Reply(
        lines,
        {
            **bytes_as_json("read", data[:position]),
            **bytes_as_json("unread", data[position:]),
            "closed": session.debugger.is_input_closed,
        },
    )


def _find_print(session: DebugSession, line: CommandLine) -> Reply:
    byte = _number(line, "the number of an output byte")
    step = session.debugger.find_print_step(byte)
    answer = (
        "has not been printed in the history known so far"
        if step is None
        else f"printed by step {step}"
    )
    return Reply([f"output byte {byte}: {answer}"], {"byte": byte, "step": step})


def _read(session: DebugSession, line: CommandLine) -> Reply:
    byte = _number(line, "the number of an input byte")
    step = session.debugger.find_read_step(byte)
    answer = (
        "has not been read in the history known so far" if step is None else f"read by step {step}"
    )
    return Reply([f"input byte {byte}: {answer}"], {"byte": byte, "step": step})


def _number(line: CommandLine, name: str) -> int:
    if len(line.arguments) != 1:
        raise UsageError(f"{line.word} requires {name}, 0 or more")
    return parse_whole_number(line.arguments[0], name)


COMMANDS = (
    DebugCommand(
        ("where",), "", "show the step, the place and the next instruction", show_position
    ),
    DebugCommand(("explain", "e"), "", "explain what the next step does", _explain),
    DebugCommand(("view",), "", "show the place and the whole state", _view),
    DebugCommand(
        ("tape",),
        "[FIRST [COUNT]]",
        "list cells, around the pointer or from FIRST",
        _tape,
        ("tape", "tape 0 32"),
    ),
    DebugCommand(
        ("grid",),
        "[X,Y [WIDTH HEIGHT]]",
        "show the rows of a plane, around the pointer or from X,Y",
        _grid,
        ("grid", "grid 0,0 40 10"),
    ),
    DebugCommand(
        ("panels",), "[N]", "show the whole state, up to N entries of each panel", _all_panels
    ),
    DebugCommand(
        ("loops", "calls"),
        "",
        "list the current loops or calls",
        list_loops,
        aliases=("backtrace", "bt"),
    ),
    DebugCommand(
        ("x",),
        "[CELL [COUNT]]",
        "list the values of cells from CELL (default: the pointer's cell)",
        _examine,
        ("x 3", "x 3 8", "x/8 3"),
    ),
    DebugCommand(
        ("registers",),
        "",
        "list the names that conditions can use, with their values",
        list_registers,
    ),
    DebugCommand(
        ("places",),
        "[N]",
        "list the named places of the program, which `break` and `to` accept",
        _places,
    ),
    DebugCommand(
        ("output",),
        "[all]",
        "show the output so far, and the later output in the known history; all: in full",
        _output,
    ),
    DebugCommand(("input",), "", "show the input read so far, and the rest", _input),
    DebugCommand(
        ("printed",),
        "BYTE",
        "show which step printed an output byte (counted from 0)",
        _find_print,
        ("printed 2",),
    ),
    DebugCommand(
        ("read",), "BYTE", "show which step read an input byte (counted from 0)", _read, ("read 0",)
    ),
)


# The source of a generator: its lines and variables

_DEFAULT_LINES = 11
_MAX_LINES = 1_000
_MAX_VARIABLES = 200
_MAX_LINE_LENGTH = 200  # characters of a line that are shown


def _make_step(*, reverse: bool = False) -> Handler:
    def step(session: DebugSession, line: CommandLine) -> Reply:
        if len(line.arguments) > 1:
            raise UsageError(f"{line.word} accepts at most one argument, the count")
        count = parse_whole_number(line.arguments[0], "the count") if line.arguments else 1
        return session.move(
            lambda: session.debugger.step_by(
                count, reverse=reverse, granularity="source", budget=BUDGET, ticker=session.tick
            )
        )

    return step


def show_source(session: DebugSession, line: CommandLine) -> Reply:
    """List the lines of the source around the given line, or around the current line."""
    from esoplay.debugging.source_maps import last_line

    source_map = session.debugger.source_map
    if source_map is None:
        raise UsageError("no source map is open; esoplay debug --map FILE opens one")
    if len(line.arguments) > 2:
        raise UsageError("source accepts a line and a number of lines")
    rows, here = source_map.text.split("\n"), last_line(session.debugger)
    if rows and not rows[-1]:
        del rows[-1]
    numbers = [parse_whole_number(text, "a line", 1) for text in line.arguments]
    count = min(numbers[1] if len(numbers) > 1 else _DEFAULT_LINES, _MAX_LINES)
    middle = numbers[0] if numbers else here or 1
    first = max(1, min(middle - count // 2, len(rows) - count + 1))
    stops = {
        each.spec.source_line for each in session.debugger.breakpoints if each.spec.source_line
    }
    shown = [f"{source_map.name}, {_line_text(here)}:"]
    for number in range(first, min(first + count, len(rows) + 1)):
        marks = (">" if number == here else " ") + ("*" if number in stops else " ")
        text = rows[number - 1].expandtabs()[:_MAX_LINE_LENGTH]
        shown.append(f"{marks}{number:4}  {text}".rstrip())
    if len(shown) == 1:
        shown.append(
            f"the source has {format_count(len(rows), 'line')}"
            if rows
            else "the source map does not contain the text of the source"
        )
    listed = [
        {"line": at + first, "text": text} for at, text in enumerate(rows[first - 1 :][:count])
    ]
    return Reply(shown, {"name": source_map.name, "line": here, "lines": listed})


def _line_text(line: int | None) -> str:
    return "no source line has been executed so far" if line is None else f"at line {line}"


def list_variables(session: DebugSession, line: CommandLine) -> Reply:
    """List the variables of the source, or only variables whose names have a prefix."""
    from esoplay.debugging.source_maps import missing_variables_reason, source_as_json, variables

    wanted = line.rest.strip()
    if session.debugger.source_map is None:
        raise UsageError("no source map is open, so no variables are known")
    found = [each for each in variables(session.debugger) if each.name.startswith(wanted)]
    lines = [f"{each.name} is {each.text}" for each in found[:_MAX_VARIABLES]]
    if len(found) > _MAX_VARIABLES:
        lines.append(
            f"and {len(found) - _MAX_VARIABLES} more; vars NAME lists names that begin with NAME"
        )
    if not found:
        reason = missing_variables_reason(session.debugger)
        lines = [reason or f"there is no variable whose name begins with {wanted!r}"]
    return Reply(lines, source_as_json(session.debugger, found, _MAX_VARIABLES))


def set_variable(session: DebugSession, text: str) -> Reply | None:
    """Set a variable from ``NAME = VALUE`` or ``NAME VALUE``.

    For an unknown name, returns None, or raises UsageError if ``text`` has an equals sign.
    """
    source_map = session.debugger.source_map
    name, equals, value = text.partition("=")
    if not equals:
        name, _, value = text.strip().rpartition(" ")
    name, value = name.strip(), value.strip()
    if source_map is None or (name not in source_map.variables and not equals):
        return None
    from esoplay.debugging import source_maps

    number = parse_value(value)
    former = session.debugger.fork_at_start()
    reply = session.move(lambda: source_maps.set_variable(session.debugger, name, number))
    session.other_run = former
    return reply


def show_heat(session: DebugSession, limit: int, *, whole_history: bool) -> Reply:
    """List the lines of the source that were executed most often."""
    from esoplay.debugging import source_maps

    counted = session.run_query(
        lambda ticker: source_maps.line_heat(
            session.debugger, whole_history=whole_history, ticker=ticker
        )
    )
    ranked = sorted(counted.lines, key=lambda row: (-row.count, row.line))
    lines = [
        f"  {row.level}  line {row.line}: {abbreviate(row.count)} {noun(row.count, 'step')}, "
        f"last at step {row.last}"
        for row in ranked[:limit]
        if row.count
    ]
    source_map = session.debugger.source_map
    name = source_map.name if source_map else ""
    head = f"the most executed lines of {name} up to step {counted.step}:"
    nothing = f"no line of {name} was executed up to step {counted.step}"
    shown = [head, *lines] if lines else [nothing]
    return Reply(shown, source_maps.heat_as_json(counted, limit))


def show_coverage(session: DebugSession, limit: int, *, whole_history: bool) -> Reply:
    """Show how many lines of the source were executed, and which were not."""
    from esoplay.debugging import source_maps

    counted = session.run_query(
        lambda ticker: source_maps.line_heat(
            session.debugger, whole_history=whole_history, ticker=ticker
        )
    )
    executed = len(counted.lines) - len(counted.unexecuted)
    words = (
        f"{executed} of {len(counted.lines)} lines executed ({counted.percent} %) "
        f"up to step {counted.step}"
    )
    if counted.unexecuted:
        more = len(counted.unexecuted) - limit
        words += "; never: " + " ".join(str(line) for line in counted.unexecuted[:limit])
        words += f" and {more} more" if more > 0 else ""
    return Reply([words], source_maps.coverage_as_json(counted, limit))


SOURCE_COMMANDS = (
    DebugCommand(
        ("sline", "sl"),
        "[N]",
        "run to the start of the next line of the generator's source, or N lines",
        _make_step(),
        ("sl", "5 sl"),
        kind="move",
    ),
    DebugCommand(
        ("rsline", "SL"),
        "[N]",
        "run back to the previous start of a source line; with N, do this N times",
        _make_step(reverse=True),
        kind="move",
    ),
    DebugCommand(
        ("source",),
        "[LINE [COUNT]]",
        "list the generator's source around the current line, or around LINE",
        show_source,
        ("source", "source 7", "source 1 40"),
    ),
    DebugCommand(
        ("vars",),
        "[NAME]",
        "list the source's variables, or only variables with the prefix NAME",
        list_variables,
        ("vars", "vars total"),
    ),
)
