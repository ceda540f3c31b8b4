"""Commands that a breakpoint runs, and the semicolons between them."""

from __future__ import annotations

import pytest

from esoplay.debugging.command_line import split_commands
from esoplay.debugging.commands import CommandTable
from esoplay.debugging.debugger import Debugger
from esoplay.debugging.session import DebugSession


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("print cell[0]; loops", ["print cell[0]", "loops"]),
        ("print cell[0] == ';'; loops", ["print cell[0] == ';'", "loops"]),
        ('find ";;" ; loops;;', ['find ";;"', "loops"]),
        (r"print '\''; find 'a\';b'", [r"print '\''", r"find 'a\';b'"]),
        ("explain; that doesn't end; loops", ["explain", "that doesn't end", "loops"]),
        (" ; ", []),
    ],
)
def test_a_semicolon_in_quotes_separates_nothing(text: str, commands: list[str]) -> None:
    assert split_commands(text) == commands


def test_a_breakpoint_runs_a_command_with_a_quoted_semicolon() -> None:
    session, table = DebugSession(Debugger.open("brainfuck", b"+" * 59 + b".")), CommandTable()
    for line in ("break 59", "commands 1 print cell[0] == ';'; print step"):
        reply = table.run_line(session, line)
    assert reply is not None
    assert reply.lines == ["breakpoint 1 runs: print cell[0] == ';'; print step"]
    stopped = table.run_line(session, "continue")
    assert stopped is not None
    assert stopped.lines[-2:] == ["cell[0] == ';' is 1", "step is 59"]
