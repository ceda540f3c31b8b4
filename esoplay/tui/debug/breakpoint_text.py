"""Breakpoints as one line of text, to type, to edit and to list.

::

    at 2:5                      before the instruction at line 2, column 5
    at 3,4                      before the cell in column 3 and row 4 of a plane
    at label STS                before what the program calls so
    line 7                      when line 7 of the source begins, where a source map is open
    at '.x'                     before every instruction that is written so
    at 2:5 if cell[3] == 10     … when the condition holds
    write 3                     after cell 3 was written
    read 3                      before cell 3 is read, where the language lets one see that
    slot 5   slot 2:5           after something was put in level 5 of the first stack, of stack 2
    output 2                    after byte 2 was printed (from 0)
    output 'x'                  after an x was printed
    output "12"                 once the output ends with 12
    step 1000                   at step 1000
    every 1000                  at every multiple of 1000 steps
    new                         before what was never executed so far
    backwards at 2:5            … only when going backwards (or: forwards)
    on input                    after any read (or: on output, on write)
    cell[3] == 10 and hits > 5  wherever the condition holds
    at 2:5 log saw {cell[3]}    note it in the log instead of stopping

``at`` may be left out before a point, a name and an instruction in quotes; quotes before an
instruction that is no condition.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from esolangs.language import Program
from esolangs.source import locate
from esolangs.stops import Address, Slot
from esoplay.errors import ConditionError, UsageError
from esoplay.service.debugging import BreakpointSpec, address_text, find_place
from esoplay.timeline.breakpoint_spec import Effect
from esoplay.timeline.conditions import Condition

_PLACE = re.compile(r"at\s+(\d+):(\d+)(?:\s+|$)")
_POINT = re.compile(r"(?:at\s+)?(-?\d+)\s*,\s*(-?\d+)(?:\s+|$)")
_QUOTED = re.compile(r"(?:at\s+)?('(?:[^'\\]|\\.)+'|\"(?:[^\"\\]|\\.)+\")(?:\s+|$)")
_TIME = re.compile(r"(forwards|backwards|new|(?:step|every)\s+(\d+))(?:\s+|$)")
_LINE = re.compile(r"(?:at\s+)?line\s+(\d+)(?:\s+|$)")
_CELL = re.compile(r"write\s+(-?\d+(?:\s*,\s*-?\d+)*)(?:\s+|$)")
_READ = re.compile(r"read\s+(-?\d+(?:\s*,\s*-?\d+)*)(?:\s+|$)")
_SLOT = re.compile(r"slot\s+(?:(\d+):)?(\d+)(?:\s+|$)")
_REST = re.compile(
    r"\s+(?:if\b|(?:write|slot|read)\s+-?\d|output\s+[\d'\"]|on\s+(?:write|output|input)\b)"
)
_OUTPUT = re.compile(r"output\s+(\d+|'(?:[^'\\]|\\.)+'|\"(?:[^\"\\]|\\.)+\")(?:\s+|$)")
_EFFECT = re.compile(r"on\s+(write|output|input)(?:\s+|$)")
_HIGH = re.compile(r"[^\x00-\x7f]+")
_LOG = re.compile(r"(?:^|\s)log\s+(.+)$")
_EFFECTS: dict[str, Effect] = {"write": "write", "output": "output", "input": "input"}
_KEYWORD = re.compile(r"(at|write|read|slot|on)\b(?!\s*[=<>!+*/%-])")


class BreakpointTextError(ValueError):
    """The line cannot be read as a breakpoint; the message says what was expected."""


def write_spec(spec: BreakpointSpec, source: bytes) -> str:
    """The line that :func:`read_spec` reads back as ``spec``."""
    parts: list[str] = []
    if spec.direction is not None:
        parts.append(spec.direction)
    if spec.new:
        parts.append("new")
    if spec.step is not None:
        parts.append(f"step {spec.step}")
    if spec.every is not None:
        parts.append(f"every {spec.every}")
    if spec.offset is not None:
        line, column = locate(source, spec.offset)
        parts.append(f"at {line}:{column}")
    if spec.position is not None:
        parts.append(f"at {address_text(spec.position)}")
    if spec.place is not None:
        parts.append(f"at {spec.place}")
    if spec.source_line is not None:
        parts.append(f"line {spec.source_line}")
    if spec.instruction is not None:
        parts.append(f"at {_write_text(spec.instruction)}")
    if spec.cell is not None:
        parts.append(f"write {address_text(spec.cell)}")
    if spec.read is not None:
        parts.append(f"read {address_text(spec.read)}")
    if spec.slot is not None:
        stack = f"{spec.slot.stack}:" if spec.slot.stack else ""
        parts.append(f"slot {stack}{spec.slot.level}")
    if spec.output is not None:
        parts.append(f"output {_write_output(spec.output)}")
    if spec.effect is not None:
        parts.append(f"on {spec.effect}")
    if spec.condition is not None:
        parts.append(f"if {spec.condition}" if parts else spec.condition)
    if spec.log is not None:
        parts.append(f"log {spec.log}")
    return " ".join(parts)


def read_spec(text: str, program: Program) -> BreakpointSpec:
    """The breakpoint that ``text`` describes; raises BreakpointTextError."""
    rest = text.strip()
    log: str | None = None
    if match := _LOG.search(rest):
        log = match[1].strip()
        rest = rest[: match.start()].strip()
    when, rest = _read_time(rest)
    where, rest = _read_place(rest, program)
    cell: Address | None = None
    output: int | bytes | None = None
    effect: Effect | None = None
    if match := _CELL.match(rest):
        cell = read_address(match[1])
        rest = rest[match.end() :]
    read: Address | None = None
    if match := _READ.match(rest):
        read = read_address(match[1])
        rest = rest[match.end() :]
    slot: Slot | None = None
    if match := _SLOT.match(rest):
        slot = Slot(int(match[1] or 0), int(match[2]))
        rest = rest[match.end() :]
    if match := _OUTPUT.match(rest):
        output = _read_output(match[1])
        rest = rest[match.end() :]
    if match := _EFFECT.match(rest):
        effect = _EFFECTS[match[1]]
        rest = rest[match.end() :]
    if _KEYWORD.match(rest):
        raise BreakpointTextError(
            f"cannot read {rest!r}: expected at PLACE, write CELL, slot LEVEL, output BYTE, "
            "on write|output|input, or a condition"
        )
    condition = rest.removeprefix("if ").strip() or None
    timed = when.new or when.step is not None or when.every is not None
    parts = (where, cell, slot, read, output, effect, condition)
    if not timed and all(part is None for part in parts):
        raise BreakpointTextError("say where to stop, for example: at 2:5, or cell[3] == 10")
    return replace(
        where or BreakpointSpec(),
        cell=cell,
        slot=slot,
        read=read,
        output=output,
        effect=effect,
        condition=condition,
        log=log,
        step=when.step,
        every=when.every,
        new=when.new,
        direction=when.direction,
    )


def _read_time(text: str) -> tuple[BreakpointSpec, str]:
    """The direction and the steps that stand in front of a breakpoint's text, and the rest."""
    spec = BreakpointSpec()
    while match := _TIME.match(text):
        text = text[match.end() :]
        word, number = match[1].split()[0], int(match[2] or 0)
        if word == "new":
            spec = replace(spec, new=True)
        elif word == "step":
            spec = replace(spec, step=number)
        elif word == "every":
            spec = replace(spec, every=number)
        else:
            spec = replace(spec, direction="forwards" if word == "forwards" else "backwards")
    return spec, text


def read_address(text: str) -> Address:
    """The cell that ``12`` or ``3,-4`` names; raises ValueError."""
    if "," not in text:
        return int(text, 0)
    return tuple(int(part, 0) for part in text.split(","))


def _read_place(text: str, program: Program) -> tuple[BreakpointSpec | None, str]:
    """What stands in front of a breakpoint's text, and the rest of the text."""
    if match := _PLACE.match(text):
        offset = _offset_of(program.source, int(match[1]), int(match[2]))
        return BreakpointSpec(offset=offset), text[match.end() :]
    if match := _LINE.match(text):
        return BreakpointSpec(source_line=int(match[1])), text[match.end() :]
    if match := _POINT.match(text):
        return BreakpointSpec(position=(int(match[1]), int(match[2]))), text[match.end() :]
    if match := _QUOTED.match(text):
        instruction = _read_text(match[1])
        return BreakpointSpec(instruction=instruction), text[match.end() :]
    name = re.sub(r"^at\s+", "", text)
    said_at = name != text
    end = match.start() if (match := _REST.search(name)) else len(name)
    name, rest = name[:end].strip(), name[end:].strip()
    if not name or not (said_at or _may_be_a_place(name, program)):
        return None, text
    try:
        return BreakpointSpec(place=find_place(program, name)[0]), rest
    except UsageError as error:
        if program.occurrences(name):
            return BreakpointSpec(instruction=name), rest
        if said_at:
            told = "expected at LINE:COLUMN, a name, or an instruction in quotes"
            raise BreakpointTextError(f"{error}; {told}") from None
        return None, text


def _may_be_a_place(name: str, program: Program) -> bool:
    """Whether a text without ``at`` is a name, or an instruction that is no condition."""
    try:
        find_place(program, name)
    except UsageError:
        try:
            Condition(name, program.register_names())
        except ConditionError:
            return bool(program.occurrences(name))
        return False
    return True


def _offset_of(source: bytes, line: int, column: int) -> int:
    lines = source.split(b"\n")
    if not 1 <= line <= len(lines):
        raise BreakpointTextError(f"the program has {len(lines)} lines, there is no line {line}")
    if not 1 <= column <= len(lines[line - 1]):
        raise BreakpointTextError(
            f"line {line} has {len(lines[line - 1])} columns, there is no column {column}"
        )
    return sum(len(each) + 1 for each in lines[: line - 1]) + column - 1


def _write_output(output: int | bytes | str) -> str:
    if isinstance(output, int):
        return str(output)
    data = output.encode() if isinstance(output, str) else output
    return ascii(data.decode("latin-1"))


def _write_text(instruction: str) -> str:
    """An instruction in quotes, its white space and controls escaped."""
    return repr(instruction)


def _read_text(quoted: str) -> str:
    try:
        return str(ast.literal_eval(quoted))
    except (SyntaxError, ValueError) as error:
        raise BreakpointTextError(
            f"cannot read the instruction {quoted}: write it like '.x'"
        ) from error


def _as_utf8(match: re.Match[str]) -> str:
    return "".join(f"\\x{byte:02x}" for byte in match[0].encode("utf-8", "surrogateescape"))


def _read_output(text: str) -> int | bytes:
    if text.isdecimal():
        return int(text)
    try:
        value = ast.literal_eval(_HIGH.sub(_as_utf8, text))
        return str(value).encode("latin-1")
    except (SyntaxError, ValueError) as error:
        raise BreakpointTextError(f"cannot read the byte {text}: write it like 'x'") from error
