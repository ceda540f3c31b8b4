"""Places in a program, as people name them."""

from __future__ import annotations

from esoplay.cli.repl.syntax import whole
from esoplay.errors import UsageError
from esoplay.service.debugging import Debugger


def read_offset(debugger: Debugger, text: str) -> int:
    """The instruction's offset that ``12`` (an offset) or ``3:7`` (line, column) names."""
    source = debugger.program.source
    line_text, colon, column_text = text.partition(":")
    if colon:
        line = whole(line_text, "a line", least=1)
        column = whole(column_text, "a column", least=1)
        lines = source.split(b"\n")
        if line > len(lines) or column > len(lines[line - 1]):
            raise UsageError(f"the program has no line {line} column {column}")
        offset = sum(len(each) + 1 for each in lines[: line - 1]) + column - 1
    else:
        offset = whole(text, "an offset")
    span = debugger.program.instruction_at(offset)
    if span is None:
        raise UsageError(f"there is no instruction at {text}")
    return span[0]
