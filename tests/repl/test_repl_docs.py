"""docs/repl.md is executed; docs/commands.md has every command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from esoplay.cli.repl.debugger import COMMANDS, DebuggerShell, LessonSession
from esoplay.debugging.debugger import Debugger
from esoplay.debugging.session import BUDGET

DOCS = Path(__file__).resolve().parents[2] / "docs"
TEXT = (DOCS / "repl.md").read_text()


_PROGRAMS = re.findall(r"[Tt]he program (?:of this example|here) is `(.*?)`", TEXT)
_TALKS = re.findall(r"```repl\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize(("program", "talk"), list(zip(_PROGRAMS, _TALKS, strict=True)))
def test_the_conversation_on_the_page_is_what_the_debugger_prints(program: str, talk: str) -> None:
    said: list[str] = []
    shell = DebuggerShell(LessonSession(Debugger.open("brainfuck", program.encode())), said.append)
    for line in talk.splitlines():
        if line.startswith("> "):
            said.append(line)
            shell.run_line(line[2:])
    assert said == talk.splitlines()


def test_the_table_has_every_command() -> None:
    table = (DOCS / "commands.md").read_text()
    words = set(re.findall(r"`([\w?-]+)", table))
    for command in COMMANDS:
        assert set(command.names) <= words, command.names


def test_the_page_states_the_budget_of_a_move() -> None:
    assert f"stops after {BUDGET:,} steps" in " ".join(TEXT.split())
