"""Breakpoints as one line of text, to type, to edit and to list.

::

    at 2:5                      before the instruction at line 2, column 5
    at 2:5 if cell[3] == 10     … when the condition holds
    write 3                     after cell 3 was written
    output 2                    after byte 2 was printed (from 0)
    output 'x'                  after an x was printed
    on input                    after any read (or: on output, on write)
    cell[3] == 10 and hits > 5  wherever the condition holds
    at 2:5 log saw {cell[3]}    note it in the log instead of stopping
"""

from __future__ import annotations

import ast
import re

from esolangs.source import locate
from esoplay.service.debugging import BreakpointSpec
from esoplay.timeline.breakpoints import Effect

_PLACE = re.compile(r"at\s+(\d+):(\d+)(?:\s+|$)")
_CELL = re.compile(r"write\s+(-?\d+)(?:\s+|$)")
_OUTPUT = re.compile(r"output\s+(\d+|'(?:[^'\\]|\\.)+'|\"(?:[^\"\\]|\\.)+\")(?:\s+|$)")
_EFFECT = re.compile(r"on\s+(write|output|input)(?:\s+|$)")
_LOG = re.compile(r"(?:^|\s)log\s+(.+)$")
_EFFECTS: dict[str, Effect] = {"write": "write", "output": "output", "input": "input"}
_KEYWORD = re.compile(r"(at|write|on)\b(?!\s*[=<>!+*/%-])")


class BreakpointTextError(ValueError):
    """The line cannot be read as a breakpoint; the message says what was expected."""


def write_spec(spec: BreakpointSpec, source: bytes) -> str:
    """The line that :func:`read_spec` reads back as ``spec``."""
    parts: list[str] = []
    if spec.offset is not None:
        line, column = locate(source, spec.offset)
        parts.append(f"at {line}:{column}")
    if spec.cell is not None:
        parts.append(f"write {spec.cell}")
    if spec.output is not None:
        parts.append(f"output {_write_output(spec.output)}")
    if spec.effect is not None:
        parts.append(f"on {spec.effect}")
    if spec.condition is not None:
        parts.append(f"if {spec.condition}" if parts else spec.condition)
    if spec.log is not None:
        parts.append(f"log {spec.log}")
    return " ".join(parts)


def read_spec(text: str, source: bytes) -> BreakpointSpec:
    """The breakpoint that ``text`` describes; raises BreakpointTextError."""
    rest = text.strip()
    log: str | None = None
    if match := _LOG.search(rest):
        log = match[1].strip()
        rest = rest[: match.start()].strip()
    offset: int | None = None
    cell: int | None = None
    output: int | bytes | None = None
    effect: Effect | None = None
    if match := _PLACE.match(rest):
        offset = _offset_of(source, int(match[1]), int(match[2]))
        rest = rest[match.end() :]
    if match := _CELL.match(rest):
        cell = int(match[1])
        rest = rest[match.end() :]
    if match := _OUTPUT.match(rest):
        output = _read_output(match[1])
        rest = rest[match.end() :]
    if match := _EFFECT.match(rest):
        effect = _EFFECTS[match[1]]
        rest = rest[match.end() :]
    if _KEYWORD.match(rest):
        raise BreakpointTextError(
            f"cannot read {rest!r}: expected at LINE:COLUMN, write CELL, output BYTE, "
            "on write|output|input, or a condition"
        )
    condition = rest.removeprefix("if ").strip() or None
    if offset is cell is output is effect is condition is None:
        raise BreakpointTextError("say where to stop, for example: at 2:5, or cell[3] == 10")
    return BreakpointSpec(
        offset=offset, cell=cell, output=output, effect=effect, condition=condition, log=log
    )


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


def _read_output(text: str) -> int | bytes:
    if text.isdecimal():
        return int(text)
    try:
        value = ast.literal_eval(text)
        return str(value).encode("latin-1")
    except (SyntaxError, ValueError) as error:
        raise BreakpointTextError(f"cannot read the byte {text}: write it like 'x'") from error
