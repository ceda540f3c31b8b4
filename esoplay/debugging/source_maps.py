"""Source maps in the debugger: positions in the generator's source, and its variables.

A debugger has at most one open map (``Debugger.use_map``). Without a map, lines and variables are
empty or None, and functions about heat raise UsageError.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from esolangs.numbers import abbreviate
from esoplay.codegen.source_map import (
    MAP_SUFFIX,
    MapError,
    MappedSpan,
    SourceMap,
    parse_map,
    read_map,
)
from esoplay.debugging.debugger import Debugger, Reason, Stop, Ticker
from esoplay.debugging.heat import heat_level
from esoplay.errors import UsageError
from esoplay.timeline.profile import cached_profile
from esoplay.timeline.source_lines import SourceLines
from esoplay.timeline.source_steps import (
    current_variables,
    first_line_step,
    last_statement,
    next_instruction_span,
)
from esoplay.timeline.source_variables import SourceVariable, encode_value, place_addresses

__all__ = [
    "MapError",
    "MappedSpan",
    "SourceHeat",
    "SourceLineHeat",
    "SourceMap",
    "SourceVariable",
    "current_span",
    "find_map",
    "last_line",
    "line_heat",
    "parse_map",
    "read_map",
    "set_variable",
    "source_map_path",
    "variables",
]


@dataclass(frozen=True, slots=True)
class SourceLineHeat:
    """A line of the source that generated instructions, with its execution counts.

    count: steps executed on the line. last: the last of these steps, 0 if none. level: the count on
    the scale of :class:`esoplay.debugging.heat.Heat`, 0 if not executed.
    """

    line: int
    count: int
    level: int
    executed: int
    instructions: int
    last: int


@dataclass(frozen=True, slots=True)
class SourceHeat:
    """The execution counts of the source's lines in steps 1 to ``step``, sorted by line.

    unexecuted: the numbers of the lines that were not executed.
    """

    step: int
    lines: tuple[SourceLineHeat, ...]
    unexecuted: tuple[int, ...]

    @property
    def percent(self) -> int:
        """The percentage of lines executed, rounded down; 100 only if all were executed."""
        count = len(self.lines)
        return 100 * (count - len(self.unexecuted)) // count if count else 100


def source_map_path(program: str | Path) -> Path:
    """Return the path of a program's map, which is in the same folder."""
    path = Path(program)
    return path.with_name(path.name + MAP_SUFFIX)


def find_map(program_path: str | Path) -> SourceMap | None:
    """Return the map in the folder of a program, or None. Raises MapError if the map is damaged.

    ``Debugger.use_map`` checks whether the map belongs to the current version of the program.
    """
    path = source_map_path(program_path)
    return read_map(path) if path.is_file() else None


def current_span(debugger: Debugger) -> MappedSpan | None:
    """Return the innermost span of the map around the next instruction, or None."""
    lines = debugger.source_lines
    return None if lines is None else next_instruction_span(debugger.timeline, lines)


def last_line(debugger: Debugger) -> int | None:
    """Return the source line of the statement that the run reached last, or None.

    In code between two statements, this is the line of the statement before it.
    """
    lines = debugger.source_lines
    if lines is None:
        return None
    statement = last_statement(debugger.timeline, lines, debugger.step)
    return None if statement is None else lines.statement_line(statement)


def variables(debugger: Debugger) -> tuple[SourceVariable, ...]:
    """Return the source's variables with their current values, in the order of the map."""
    lines = debugger.source_lines
    return () if lines is None else current_variables(debugger.timeline, lines)


def set_variable(debugger: Debugger, name: str, value: int) -> Stop:
    """Set a variable at the current step and discard later history.

    Raises UsageError, and changes nothing, if a cell of the variable cannot be set.
    """
    lines = _lines(debugger)
    place = lines.source_map.variables.get(name)
    if place is None:
        raise UsageError(_unknown_variable(debugger, name))
    try:
        held, cells = encode_value(place, value), place_addresses(place)
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from None
    tried = debugger.timeline.machine_at(debugger.step)
    try:
        for cell, each in zip(cells, held, strict=True):
            tried.poke(cell, each)
    except ValueError as error:
        raise UsageError(f"{name}: {error}") from None
    for cell, each in zip(cells, held, strict=True):
        debugger.set_cell(cell, each)
    return Stop(debugger.step, (Reason("step", f"{name} is now {abbreviate(value)}"),))


def line_heat(
    debugger: Debugger, *, whole_history: bool = False, ticker: Ticker | None = None
) -> SourceHeat:
    """Count the steps on each line of the source, up to the current step or in all known history.

    Raises MoveCancelled if ``ticker`` returns False. Steps in which the program constructed its own
    code are not counted.
    """
    lines, timeline = _lines(debugger), debugger.timeline
    upto = debugger.known_steps if whole_history else debugger.step
    begins = min(first_line_step(timeline, lines), upto)
    before = cached_profile(timeline).tally_at(timeline, begins, ticker) if begins else None
    counts = cached_profile(timeline).tally_at(timeline, upto, ticker)
    rows: dict[int, list[int]] = {line: [0, 0, 0, 0] for line in lines.lines}
    for address, line in lines.instruction_lines():
        count, last = counts.count_and_last_step(address)
        if before is not None:
            count -= before.count_and_last_step(address)[0]
        row = rows.setdefault(line, [0, 0, 0, 0])
        row[0] += count
        row[1] += count > 0
        row[2] += 1
        row[3] = max(row[3], last if count else 0)
    most = max((row[0] for row in rows.values()), default=0)
    told = tuple(
        SourceLineHeat(line, count, heat_level(count, most), executed, instructions, last)
        for line, (count, executed, instructions, last) in sorted(rows.items())
    )
    return SourceHeat(counts.steps, told, tuple(each.line for each in told if not each.count))


def _lines(debugger: Debugger) -> SourceLines:
    if debugger.source_lines is None:
        raise UsageError("no source map is open")
    return debugger.source_lines


def _unknown_variable(debugger: Debugger, name: str) -> str:
    names = list(_lines(debugger).source_map.variables)
    if not names:
        return f"the source map has no variables, so there is no {name!r}"
    listed = ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
    return f"no variable {name!r}; variables: {listed}"


def variable_as_json(variable: SourceVariable) -> dict[str, Any]:
    """Return a variable with its value as JSON; very large numbers are text."""
    value = None if variable.value is None else abbreviate(variable.value)
    return {
        "name": variable.name,
        "value": value,
        "text": variable.text,
        "cells": list(variable.cells),
    }


def source_as_json(
    debugger: Debugger, source_variables: Sequence[SourceVariable], limit: int
) -> dict[str, Any]:
    """Return the current position in the source and up to ``limit`` variables as JSON.

    ``line``: the line that was started last, even in code that several lines share. ``reason``: why
    no variables are shown.
    """
    source_map = _lines(debugger).source_map
    data: dict[str, Any] = {
        "step": debugger.step,
        "name": source_map.name,
        "line": last_line(debugger),
        "variables": [variable_as_json(each) for each in source_variables[:limit]],
        "more": max(0, len(source_variables) - limit),
    }
    reason = missing_variables_reason(debugger)
    return {**data, "reason": reason} if reason else data


def missing_variables_reason(debugger: Debugger) -> str:
    """Return the reason why no variables are shown, or ""."""
    if _lines(debugger).source_map.variables:
        return ""
    return "the source map has no variables"


def heat_as_json(heat: SourceHeat, limit: int) -> dict[str, Any]:
    """Return up to ``limit`` lines of the source as JSON, most frequently executed first."""
    ranked = sorted(heat.lines, key=lambda row: (-row.count, row.line))[:limit]
    most = max((row.count for row in heat.lines), default=0)
    return {"step": heat.step, "most": most, "lines": [_row_as_json(row) for row in ranked]}


def _row_as_json(row: SourceLineHeat) -> dict[str, int]:
    return {
        "line": row.line,
        "count": row.count,
        "executed": row.executed,
        "instructions": row.instructions,
        "last": row.last,
        "level": row.level,
    }


def coverage_as_json(heat: SourceHeat, limit: int) -> dict[str, Any]:
    """Return the coverage of the source as JSON: the counts, and the first lines not executed."""
    return {
        "step": heat.step,
        "lines": len(heat.lines),
        "executed": len(heat.lines) - len(heat.unexecuted),
        "percent": heat.percent,
        "never": list(heat.unexecuted[:limit]),
        "more": max(0, len(heat.unexecuted) - limit),
    }
