"""Ctrl-C in the text debugger: it ends the line that was typed, wherever it comes in it."""

from __future__ import annotations

import pytest

from esoplay.cli.repl.debugger import DebuggerShell, LessonSession
from esoplay.debugging.commands import ParsedCommand
from esoplay.debugging.debugger import Debugger


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def shell(said: list[str]) -> DebuggerShell:
    """A shell on an endless program."""
    return DebuggerShell(LessonSession(Debugger.open("brainfuck", b"+[]")), said.append)


def test_an_interrupt_before_the_move_has_started_ends_it(
    shell: DebuggerShell, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    parse = shell.table.parse

    def interrupted_parse(text: str) -> ParsedCommand | None:
        shell.interrupt()
        return parse(text)

    monkeypatch.setattr(shell.table, "parse", interrupted_parse)
    shell.run_line("end")
    assert said[0] == "interrupted; still at the same step"
    assert shell.session.debugger.step == 0


def test_an_interrupt_before_a_query_has_started_ends_it(
    shell: DebuggerShell, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.run_line("1000 s")
    said.clear()
    parse = shell.table.parse

    def interrupted_parse(text: str) -> ParsedCommand | None:
        shell.interrupt()
        return parse(text)

    monkeypatch.setattr(shell.table, "parse", interrupted_parse)
    shell.run_line("why")
    assert said == ["error: interrupted"]


def test_an_interrupt_at_the_prompt_does_not_affect_the_next_command(
    shell: DebuggerShell, said: list[str]
) -> None:
    shell.run_line("s")
    shell.interrupt()  # at the prompt, where nothing runs
    said.clear()
    shell.run_line("s")
    assert shell.session.debugger.step == 2
    assert not any("interrupted" in line for line in said)
