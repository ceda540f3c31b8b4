"""Places in a program and cells of its memory, as people name them."""

from __future__ import annotations

import re

from esolangs.stops import Address, Slot
from esolangs.view import Stage, View, Window
from esoplay.debugging.command_line import ANY_NUMBER, quote, unescape, whole
from esoplay.errors import UsageError
from esoplay.service.debugging import BreakpointSpec, Debugger, find_place, on_a_plane
from esoplay.service.puts import characters_of, stacks_of

_LINE_AND_COLUMN = re.compile(r"(\d+):(\d+)")
_POINT = re.compile(r"(-?\d+)\s*,\s*(-?\d+)")
_NUMBER = re.compile(r"-?[\d,_]+")
_SOURCE_LINE = re.compile(r"line\s+([\d,_]+)")
_QUOTED = re.compile(r"(['\"]).+\1", re.DOTALL)


PLACES = "[CELL | top [N] | stack KEY:LEVEL]"
"""The usage of what ``read_state_place`` reads."""

SMALLEST = Window(cells=1, depth=1, width=1, height=1)
"""Enough of a view to see which panels there are."""


def read_place(debugger: Debugger, text: str) -> BreakpointSpec:
    """What to stop before.

    ``12`` is an offset, ``3:7`` a line and column, ``3,7`` a point where code lies on a plane,
    ``line 7`` one of the generator's source where a source map is open;
    other text is a name of ``Program.places``, else an instruction.  In quotes it is always
    an instruction, in which escapes may be used.  Raises UsageError with what there is.
    """
    program = debugger.program
    word, _, rest = text.partition(" ")
    if word == "at" and rest.strip():  # as it is written on the screen
        return read_place(debugger, rest.strip())
    if _QUOTED.fullmatch(text):
        instruction = unescape(text).decode("utf-8", "surrogateescape")
        return BreakpointSpec(instruction=instruction)
    if found := _LINE_AND_COLUMN.fullmatch(text):
        line, column = whole(found[1], "a line"), whole(found[2], "a column")
        return BreakpointSpec(offset=_offset(debugger, line, column, text))
    if on_a_plane(program) and (found := _POINT.fullmatch(text)):
        return BreakpointSpec(position=_point(found))
    if (found := _SOURCE_LINE.fullmatch(text)) and debugger.source_map is not None:
        return BreakpointSpec(source_line=whole(found[1], "a line", 1))
    if _NUMBER.fullmatch(text):
        return BreakpointSpec(offset=_instruction(debugger, whole(text, "an offset"), text))
    try:
        return BreakpointSpec(place=find_place(program, text)[0])
    except UsageError as error:
        if program.occurrences(text):
            return BreakpointSpec(instruction=text)
        if _SOURCE_LINE.fullmatch(text):
            raise UsageError("no source map is open, so there are no source lines") from None
        named = f"; {error}" if program.places() else ""
    point = ", no point such as 3,-4" if on_a_plane(program) else ""
    raise UsageError(
        f"{quote(text)} is no offset such as 12, no line and column such as 3:7{point} "
        f"and no instruction of the program{named}"
    )


def read_cell(debugger: Debugger, text: str) -> Address:
    """A number, ``3,-4`` where memory is a plane, or a character's name in a play."""
    if not on_a_plane(debugger.program):
        characters = {} if _NUMBER.fullmatch(text) else _characters(debugger)
        if not characters:
            return whole(text, "a cell", ANY_NUMBER)
        if (name := _folded(text)) in characters:
            return characters[name]
        named = "is no number of a cell, and nobody in the play is called so"
        raise UsageError(f"{quote(text)} {named}")
    found = _POINT.fullmatch(text)
    if found is None:
        wanted = "a cell of a plane is a column and a row such as 3,-4"
        raise UsageError(f"{wanted}, not {quote(text)}")
    return _point(found)


def _point(found: re.Match[str]) -> tuple[int, int]:
    column = whole(found[1], "a column", ANY_NUMBER)
    return column, whole(found[2], "a row", ANY_NUMBER)


def read_state_place(debugger: Debugger, text: str) -> Address | Slot:
    """A cell, or a place on a stack: ``top``, ``top 2`` (two below it) or ``stack 0:5``.

    A character of a play goes by its name: ``romeo`` is a cell, ``stack romeo:5`` a place on
    that stack; ``top`` is then the addressee's.  Raises UsageError.
    """
    word, _, rest = text.strip().partition(" ")
    if word == "top":
        down = whole(rest.strip(), "places below the top") if rest else 0
        return slot_below_top(debugger.view(SMALLEST), down, debugger.program.language.name)
    if word == "stack" and rest:
        return read_slot(debugger, rest)
    return read_cell(debugger, text)


def read_slot(debugger: Debugger, text: str) -> Slot:
    """``LEVEL`` of the first stack, or ``STACK:LEVEL``, whose stack may be a character's name."""
    stack, colon, level = text.strip().rpartition(":")
    at = whole(level.strip(), "a level of a stack")
    if not colon:
        return Slot(0, at)
    characters = _characters(debugger)
    if (found := _folded(stack)) in characters:
        return Slot(characters[found], at)
    if characters and not _NUMBER.fullmatch(stack.strip()):
        raise UsageError(f"nobody in the play is called so: {stack.strip()!r}")
    return Slot(whole(stack.strip(), "the key of a stack"), at)


def slot_below_top(view: View, down: int, language: str = "this language") -> Slot:
    """The level ``down`` below the top of the stack shown first, in a play the addressee's.

    Raises UsageError.
    """
    stacks = list(stacks_of(view))
    for panel in view.panels:
        if isinstance(panel, Stage):
            told = [each.stack for each in panel.actors if each.role == "addressee"]
            if not told:
                raise UsageError("nobody is addressed here: say whose stack, as in stack romeo:0")
            stacks = told
    if not stacks:
        raise UsageError(f"{language} has no stacks")
    if down >= stacks[0].depth:
        raise UsageError(f"there are only {stacks[0].depth} values on that stack")
    return Slot(stacks[0].key, stacks[0].depth - 1 - down)


def _characters(debugger: Debugger) -> dict[str, int]:
    found = characters_of(debugger.view(SMALLEST))
    return {_folded(name): key for key, name in found.items()}


def _folded(name: str) -> str:
    return " ".join(name.casefold().replace("_", " ").split())


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
