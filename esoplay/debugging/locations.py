"""Text syntax of locations, cells and breakpoints: parsing and formatting.

A breakpoint is a line of clauses.  Most begin with the word of their field (``FIELDS`` in
:mod:`esoplay.timeline.breakpoint_spec`)::

    12   3:7   3,-4   line 7   '.x'   label STS     before the instruction at a place
    write 3   read 3   slot 2:5                     a cell, a level of a stack
    output 2   output 'x'   on input                bytes, effects
    step 1000   every 1000   new   backwards        before a place: when it applies
    if cell[3] == 10   log saw {cell[3]}            at the end

A line can also consist of a condition alone: ``cell[3] == 10 and hits > 5``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from esolangs.source import locate, offset_at
from esolangs.stops import Address, Slot
from esolangs.view import Stage, View, Window
from esolangs.wording import format_count
from esoplay.debugging.command_line import (
    NO_MINIMUM,
    escape,
    parse_quoted_byte,
    parse_whole_number,
    quote,
    unescape,
)
from esoplay.debugging.debugger import DIRECTIONS, BreakpointSpec, Debugger, find_place, is_on_plane
from esoplay.debugging.provenance import character_names, shown_stacks
from esoplay.errors import ConditionError, UsageError
from esoplay.timeline.breakpoint_spec import EFFECTS, specified_fields
from esoplay.timeline.conditions import Condition
from esoplay.timeline.places import address_text, next_instruction

_LINE_AND_COLUMN = re.compile(r"(\d+):(\d+)")
_POINT = re.compile(r"(-?\d+)\s*,\s*(-?\d+)")
_NUMBER = re.compile(r"-?[\d,_]+")
_SOURCE_LINE = re.compile(r"line\s+([\d,_]+)")
_QUOTED = re.compile(r"(['\"]).+\1", re.DOTALL)


PLACE_USAGE = "[CELL | top [N] | stack KEY:LEVEL]"
"""The usage text for the arguments of ``parse_state_place``."""

SMALLEST_WINDOW = Window(cells=1, depth=1, width=1, height=1)
"""The smallest window, which still shows all panels of a view."""


def parse_place(debugger: Debugger, text: str) -> BreakpointSpec:
    """Parse the location of a breakpoint.

    ``12`` is an offset, ``3:7`` a line and column, ``3,7`` a point on a plane, ``line 7`` a line of
    the generator's source if a source map is open. Other text is a name of ``Program.places``, or
    else the text of an instruction. Quoted text is always an instruction and may contain escapes.
    Raises UsageError, with the valid names, if no location matches.
    """
    program = debugger.program
    word, _, rest = text.partition(" ")
    if word == "at" and rest.strip():  # as typed on the screen
        return parse_place(debugger, rest.strip())
    if _QUOTED.fullmatch(text):
        instruction = unescape(text).decode("utf-8", "surrogateescape")
        return BreakpointSpec(instruction=instruction)
    if found := _LINE_AND_COLUMN.fullmatch(text):
        line, column = (
            parse_whole_number(found[1], "a line"),
            parse_whole_number(found[2], "a column"),
        )
        return BreakpointSpec(offset=_offset(debugger, line, column, text))
    if is_on_plane(program) and (found := _POINT.fullmatch(text)):
        return BreakpointSpec(position=_point(found))
    if (found := _SOURCE_LINE.fullmatch(text)) and debugger.source_map is not None:
        return BreakpointSpec(source_line=parse_whole_number(found[1], "a line", 1))
    if _NUMBER.fullmatch(text):
        return BreakpointSpec(
            offset=_instruction_start(debugger, parse_whole_number(text, "an offset"), text)
        )
    try:
        return BreakpointSpec(place=find_place(program, text)[0])
    except UsageError as error:
        if program.occurrences(text):
            return BreakpointSpec(instruction=text)
        if _SOURCE_LINE.fullmatch(text):
            raise UsageError("no source map is open, so there are no source lines") from None
        named = f"; {error}" if program.places() else ""
    point = ", a point such as 3,-4" if is_on_plane(program) else ""
    raise UsageError(
        f"{quote(text)} is not an offset such as 12, a line and column such as 3:7{point} "
        f"or an instruction of the program{named}"
    )


def parse_cell(debugger: Debugger, text: str) -> Address:
    """Parse a cell: a number, ``3,-4`` on a plane, or the name of a character in a play."""
    if not is_on_plane(debugger.program):
        characters = {} if _NUMBER.fullmatch(text) else _characters(debugger)
        if not characters:
            return parse_whole_number(text, "a cell", NO_MINIMUM)
        if (name := _casefold(text)) in characters:
            return characters[name]
        named = "is neither the number of a cell nor a character of the play"
        raise UsageError(f"{quote(text)} {named}")
    found = _POINT.fullmatch(text)
    if found is None:
        wanted = "a cell of a plane is a column and a row such as 3,-4"
        raise UsageError(f"{wanted}, not {quote(text)}")
    return _point(found)


def _point(match: re.Match[str]) -> tuple[int, int]:
    column = parse_whole_number(match[1], "a column", NO_MINIMUM)
    return column, parse_whole_number(match[2], "a row", NO_MINIMUM)


def parse_state_place(debugger: Debugger, text: str) -> Address | Slot:
    """Parse a cell or a slot: ``3``, ``top``, ``top 2`` (two below the top) or ``stack 0:5``.

    In a play, names of characters are allowed: ``romeo`` is a cell, ``stack romeo:5`` a slot of
    that character's stack, and ``top`` the top of the addressee's stack. Raises UsageError if
    ``text`` is invalid.
    """
    word, _, rest = text.strip().partition(" ")
    if word == "top":
        down = parse_whole_number(rest.strip(), "the number of places below the top") if rest else 0
        return slot_below_top(debugger.view(SMALLEST_WINDOW), down, debugger.program.language.name)
    if word == "stack" and rest:
        return parse_slot(debugger, rest)
    return parse_cell(debugger, text)


def parse_slot(debugger: Debugger, text: str) -> Slot:
    """Parse ``LEVEL`` of the first stack, or ``STACK:LEVEL``; STACK may be a character's name."""
    stack, colon, level = text.strip().rpartition(":")
    at = parse_whole_number(level.strip(), "a level of a stack")
    if not colon:
        return Slot(0, at)
    characters = _characters(debugger)
    if (found := _casefold(stack)) in characters:
        return Slot(characters[found], at)
    if characters and not _NUMBER.fullmatch(stack.strip()):
        raise UsageError(f"no character of the play has this name: {stack.strip()!r}")
    return Slot(parse_whole_number(stack.strip(), "the number of a stack"), at)


def slot_below_top(view: View, depth: int, language: str = "this language") -> Slot:
    """Return the slot ``depth`` levels below the top of the first stack.

    In a play, the stack is the addressee's. Raises UsageError if the slot does not exist.
    """
    stacks = list(shown_stacks(view))
    for panel in view.panels:
        if isinstance(panel, Stage):
            addressees = [each.stack for each in panel.actors if each.role == "addressee"]
            if not addressees:
                raise UsageError(
                    "no character is addressed at this step; name a stack, such as stack romeo:0"
                )
            stacks = addressees
    if not stacks:
        raise UsageError(f"{language} has no stacks")
    if depth >= stacks[0].depth:
        raise UsageError(f"the stack has only {format_count(stacks[0].depth, 'value')}")
    return Slot(stacks[0].key, stacks[0].depth - 1 - depth)


def _characters(debugger: Debugger) -> dict[str, int]:
    found = character_names(debugger.view(SMALLEST_WINDOW))
    return {_casefold(name): key for key, name in found.items()}


def _casefold(name: str) -> str:
    return " ".join(name.casefold().replace("_", " ").split())


def _offset(debugger: Debugger, line: int, column: int, text: str) -> int:
    offset = offset_at(debugger.program.source, line, column)
    if offset is None:
        raise UsageError(f"line {line} column {column} is outside the program")
    return _instruction_start(debugger, offset, text)


def _instruction_start(debugger: Debugger, offset: int, text: str) -> int:
    """Return where the instruction at ``offset`` starts; in a comment, return ``offset``.

    Raises UsageError if there is no instruction at or after ``offset``.
    """
    program = debugger.program
    span = program.instruction_at(offset)
    if span is not None:
        return span[0]
    if next_instruction(program, offset) is None:
        raise UsageError(f"there is no instruction at {text}")
    return offset


# Breakpoints

_WHEN_CLAUSE = re.compile(rf"({'|'.join(DIRECTIONS)}|new|(step|every)\s+([\d,_]+))(?:\s+|$)")
_QUOTED_PLACE = re.compile(
    r"(?:at\s+)?('(?:[^'\\]|\\.)+'|\"(?:[^\"\\]|\\.)+\")(?:\s+|$)", re.DOTALL
)
_TOKEN = r"(-?[\d_]+\s*,\s*-?[\d_]+|'(?:[^'\\]|\\.)+'|\"(?:[^\"\\]|\\.)+\"|(?![=<>!+*/%)])\S+)"
_OPERATOR = re.compile(r"[=<>!&|*/%+\[(]|\b(?:and|or|not)\b")
_EFFECT = rf"on\s+(?:{'|'.join(EFFECTS)})\b"
_CLAUSE = re.compile(
    rf"(?:^|\s)(?:(write|read|slot|output)\s+{_TOKEN}|(?={_EFFECT})(on)\s+(\w+))(?:\s+|$)",
    re.DOTALL,
)


def parse_breakpoint(debugger: Debugger, text: str) -> BreakpointSpec:
    """Parse a breakpoint.

    Raises UsageError for invalid text or an unknown location, and ConditionError for an invalid
    condition.
    """
    subject, condition, log = _split_subject(text)
    values: dict[str, Any] = {}
    rest = _parse_when(subject, values)
    quoted = _QUOTED_PLACE.match(rest)
    clause = None if quoted else _CLAUSE.search(rest)
    if quoted:
        place, rest = quoted[0].strip(), rest[quoted.end() :]
    elif clause:
        place, rest = rest[: clause.start()].strip(), rest[clause.start() :].strip()
    else:
        place, rest = rest.strip(), ""
    while rest and (clause := _CLAUSE.match(rest)):
        word, detail = clause[1] or clause[3], clause[2] or clause[4]
        values |= _parse_clause(debugger, word, detail)
        rest = rest[clause.end() :]
    spec = BreakpointSpec()
    if place:
        try:
            spec = parse_place(debugger, place)
        except UsageError:
            if condition is not None or not _OPERATOR.search(place) or place.startswith("at "):
                raise
            condition = _check_condition(debugger, place)
    if rest and condition is None and is_condition(debugger, rest):
        condition = rest
    elif rest:
        wanted = "write CELL, read CELL, slot LEVEL, output BYTE, on write, on output or on input"
        raise UsageError(f"cannot read {quote(rest)}; expected {wanted}")
    return replace(spec, **values, condition=condition, log=log)


def _split_subject(text: str) -> tuple[str, str | None, str | None]:
    """Split a line into the location, the condition after ``if``, and the text after ``log``."""
    subject, said_log, log = f" {text} ".partition(" log ")
    subject, said_if, condition = subject.partition(" if ")
    if said_if and not condition.strip():
        raise UsageError("expected a condition after `if`")
    if said_log and not log.strip():
        raise UsageError("expected a text after `log`")
    return subject.strip(), condition.strip() or None, log.strip() or None


def _parse_when(text: str, values: dict[str, Any]) -> str:
    """Parse options such as ``every 5`` at the start of ``text``; return the rest of the text.

    values: the fields of a ``BreakpointSpec``, by name, to which the options are added.
    """
    while found := _WHEN_CLAUSE.match(text):
        word, counted, number = found.groups()
        if counted:
            what = "a step" if counted == "step" else "a number of steps"
            values[counted] = parse_whole_number(number, what, 1)
        elif word == "new":
            values["new"] = True
        else:
            values["direction"] = word
        text = text[found.end() :]
    return text


def _parse_clause(debugger: Debugger, word: str, detail: str) -> Mapping[str, Any]:
    match word:
        case "write":
            return {"cell": parse_cell(debugger, detail)}
        case "read":
            return {"read": parse_cell(debugger, detail)}
        case "slot":
            return {"slot": parse_slot(debugger, detail)}
        case "output":
            return {"output": parse_output(detail)}
        case _:
            return {"effect": detail}


def parse_output(text: str) -> int | bytes:
    """Parse the index of an output byte, or the quoted text that the output must end with."""
    byte = parse_quoted_byte(text)
    if byte is None and len(text) > 2 and text[0] == text[-1] and text[0] in "'\"":
        byte = unescape(text)
    return parse_whole_number(text, "the number of an output byte") if byte is None else byte


def is_condition(debugger: Debugger, text: str) -> bool:
    """Return whether ``text`` is an expression with an operator; a single name is a location."""
    if not _OPERATOR.search(text):
        return False
    try:
        _check_condition(debugger, text)
    except ConditionError:
        return False
    return True


def _check_condition(debugger: Debugger, text: str) -> str:
    """Return ``text``. Raises ConditionError if it is not a valid expression."""
    variables = () if debugger.source_map is None else tuple(debugger.source_map.variables)
    Condition(text, debugger.program.register_names(), frozenset(variables))
    return text


def parse_watchpoint(debugger: Debugger, text: str) -> BreakpointSpec:
    """Parse the argument of ``watch``: a cell, a level of a stack, printed bytes, or an effect."""
    what, condition, log = _split_subject(text)
    values: dict[str, Any] = {}
    what = _parse_when(what, values)
    word, _, detail = what.partition(" ")
    detail = detail.strip()
    spec = BreakpointSpec(condition=condition, log=log, **values)
    if word == "output" and detail:
        return replace(spec, output=parse_output(detail))
    if word == "on" and detail in EFFECTS:
        word, detail = detail, ""
    if word in EFFECTS and not detail:
        return replace(spec, effect=word)
    if word == "top" or (word == "stack" and detail):
        place = parse_state_place(debugger, what)
        assert isinstance(place, Slot)
        return replace(spec, slot=place)
    if word in ("push", "slot") and detail:
        return replace(spec, slot=parse_slot(debugger, detail))
    if word == "read" and detail:
        return replace(spec, read=parse_cell(debugger, detail))
    if word in ("cell", "write"):
        word, detail = detail, ""
    if not word or detail:
        raise UsageError(
            "watch: expected a cell such as 3, or push 3, top, output, output 5, output 'x', "
            'output "text", input, or write'
        )
    return replace(spec, cell=parse_cell(debugger, word))


def breakpoint_text(spec: BreakpointSpec, source: bytes) -> str:
    """Format a breakpoint as a line that ``parse_breakpoint`` reads back."""
    parts: list[str] = []
    when: list[str] = []
    for field, value in specified_fields(spec):
        match field.name:
            case "offset":
                line, column = locate(source, value)
                parts.append(f"at {line}:{column}")
            case "position":
                parts.append(f"at {address_text(value)}")
            case "place":
                parts.append(f"at {value}")
            case "instruction":
                parts.append(f"at {escape(value.encode('utf-8', 'surrogateescape'))}")
            case "cell" | "read":
                parts.append(f"{field.keyword} {address_text(value)}")
            case "slot":
                stack = f"{value.stack}:" if value.stack else ""
                parts.append(f"{field.keyword} {stack}{value.level}")
            case "output":
                data = value.encode() if isinstance(value, str) else value
                text = str(data) if isinstance(data, int) else escape(data)
                parts.append(f"{field.keyword} {text}")
            case "step" | "every":
                when.append(f"{field.keyword} {value}")
            case "new":
                when.append(field.keyword)
            case "direction":
                when.insert(0, value)
            case "condition" if not parts and not when:
                parts.append(value)
            case "enabled":
                pass
            case _:
                parts.append(f"{field.keyword} {value}")
    return " ".join([*when, *parts])
