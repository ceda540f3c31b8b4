"""Shells of typed commands: how long lines of an answer are broken."""

from __future__ import annotations

import os

import pytest

from esoplay.cli.repl import loop
from esoplay.cli.repl.loop import break_line
from esoplay.cli.repl.practice import COMMANDS

TEXTS = [
    *(f"{', '.join(each.names)}: {each.help}, {each.help}, {each.help}" for each in COMMANDS),
    "12: ++++[>++++<-] skipped, whatever it is that stands in this loop, since the cell is 0 there",
]


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("text", TEXTS)
def test_long_lines_break_between_words(text: str, columns: int) -> None:
    rows = break_line(text, columns)
    assert all(len(row) <= columns for row in rows)
    assert "".join([rows[0], *(row[2:] for row in rows[1:])]) == text
    assert [word for row in rows for word in row.split()] == text.split()


@pytest.mark.parametrize(
    "text", ["x" * 200, "1: " + "+" * 99 + " done", "    " + "ab " * 60, "x" * 79 + " y", ""]
)
def test_nothing_of_a_line_is_lost(text: str) -> None:
    rows = break_line(text, 80)
    indent = len(text) - len(text.lstrip()) + 2
    assert "".join([rows[0], *(row[indent:] for row in rows[1:])]) == text
    assert all(len(row) <= 80 for row in rows)


def test_a_long_word_is_not_moved_to_the_next_line() -> None:
    assert break_line("1: " + "+" * 99, 80)[0].startswith("1: +++")


def test_lines_are_wrapped_only_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "open a lesson, by default the next one; quit returns here"

    def fixed(fallback: tuple[int, int] = (30, 24)) -> os.terminal_size:
        return os.terminal_size(fallback)

    monkeypatch.setattr(loop.shutil, "get_terminal_size", fixed)
    loop.print_wrapped(text)
    assert capsys.readouterr().out == f"{text}\n"
    monkeypatch.setattr(loop.sys.stdout, "isatty", lambda: True, raising=False)
    loop.print_wrapped(text)
    assert capsys.readouterr().out.splitlines() == break_line(text, 30)
    loop.print_unwrapped(text)
    assert capsys.readouterr().out == f"{text}\n"
