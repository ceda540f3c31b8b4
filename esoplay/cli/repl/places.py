"""Places in a program and cells of its memory, as people name them."""

from __future__ import annotations

import re

from esolangs.stops import Address
from esoplay.cli.repl.syntax import unescape, whole
from esoplay.errors import UsageError
from esoplay.service.debugging import BreakpointSpec, Debugger, find_place, on_a_plane

ANY_NUMBER = -(1 << 62)

_LINE_AND_COLUMN = re.compile(r"(\d+):(\d+)")
_POINT = re.compile(r"(-?\d+)\s*,\s*(-?\d+)")
_NUMBER = re.compile(r"-?[\d,_]+")
_QUOTED = re.compile(r"(['\"]).+\1", re.DOTALL)


def read_place(debugger: Debugger, text: str) -> BreakpointSpec:
    """What to stop before.

    ``12`` is an offset, ``3:7`` a line and column, ``3,7`` a point where code lies on a plane;
    other text is a name of ``Program.places``, else an instruction.  In quotes it is always
    an instruction, in which escapes may be used.  Raises UsageError with what there is.
    """
    program = debugger.program
    if _QUOTED.fullmatch(text):
        instruction = unescape(text).decode("utf-8", "surrogateescape")
        return BreakpointSpec(instruction=instruction)
    if found := _LINE_AND_COLUMN.fullmatch(text):
        return BreakpointSpec(offset=_offset(debugger, int(found[1]), int(found[2]), text))
    if on_a_plane(program) and (found := _POINT.fullmatch(text)):
        return BreakpointSpec(position=(int(found[1]), int(found[2])))
    if _NUMBER.fullmatch(text):
        return BreakpointSpec(offset=_instruction(debugger, whole(text, "an offset"), text))
    try:
        return BreakpointSpec(place=find_place(program, text)[0])
    except UsageError as error:
        if program.occurrences(text):
            return BreakpointSpec(instruction=text)
        named = f"; {error}" if program.places() else ""
    point = ", no point such as 3,-4" if on_a_plane(program) else ""
    raise UsageError(
        f"{text!r} is no offset such as 12, no line and column such as 3:7{point} "
        f"and no instruction of the program{named}"
    )


def read_cell(debugger: Debugger, text: str) -> Address:
    """A number, or ``3,-4`` where memory is a plane."""
    if not on_a_plane(debugger.program):
        return whole(text, "a cell", ANY_NUMBER)
    found = _POINT.fullmatch(text)
    if found is None:
        raise UsageError(f"a cell of a plane is a column and a row such as 3,-4, not {text!r}")
    return int(found[1]), int(found[2])


def _offset(debugger: Debugger, line: int, column: int, text: str) -> int:
    lines = debugger.program.source.split(b"\n")
    if not (1 <= line <= len(lines) and 1 <= column <= len(lines[line - 1])):
        raise UsageError(f"the program has no line {line} column {column}")
    offset = sum(len(each) + 1 for each in lines[: line - 1]) + column - 1
    return _instruction(debugger, offset, text)


def _instruction(debugger: Debugger, offset: int, text: str) -> int:
    span = debugger.program.instruction_at(offset)
    if span is None:
        raise UsageError(f"there is no instruction at {text}")
    return span[0]
