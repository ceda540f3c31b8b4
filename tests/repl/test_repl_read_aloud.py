"""The text mode and the text debugger, as a screen reader reads them: line after line, no colours.

Every command that shows something is walked through in every language, with the keyboard alone.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from shell import PATHS

from esolangs.registry import find_language, language_ids
from esoplay.cli.prose import text_mode_lines
from esoplay.cli.repl.debugger import DebuggerShell, LessonSession
from esoplay.cli.repl.practice import COMMANDS, PracticeShell
from esoplay.cli.repl.workbench import CommandConsole, LessonProgress, Workbench
from esoplay.debugging.debugger import Debugger
from esoplay.learning.lessons import get_course
from esoplay.tui.learn import lesson_progress
from esoplay.tui.workspace import Workspace

DRAWN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2190\u2191\u2193\u2500-\u27bf\u2800-\u28ff]")
"""Controls, arrows that point to another place, boxes, bars, bullets and braille."""
QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']+'")
"""What is quoted: signs of programs, which are as they are."""
WORD = re.compile(r"[A-Za-z0-9]")
COLUMNS = re.compile(r"\S {3,}\S")
"""Text that a place in the line explains: something, a gap, something else."""

DEBUGGED = (
    "where", "explain", "view", "panels", "tape", "grid", "loops", "x", "registers", "places",
    "output", "output all", "input", "display step", "display", "term", "7 s", "where", "view",
    "panels", "tape", "grid", "loops", "term", "x", "registers", "heat", "heat lines", "coverage",
    "writes top", "origin top", "note here", "notes", "break step 9", "list", "checkpoint",
    "restart", "info line", "info registers", "info stack", "compare input zz", "G", "view",
    "printed 0", "read 0", "why", "g", "c", "lesson", "lesson 1", "task", "hint", "help", "help s",
    "nonsense",
)  # fmt: skip


def is_bare(line: str) -> bool:
    """Whether a line consists of signs only and quotes no program."""
    return not WORD.search(line) and not {"'", '"'} & set(line)


def unclear_lines(lines: list[str], own: str = "") -> Iterator[str]:
    """Lines that a listener would not understand; ``own`` is the program, which is as it is."""
    for line in lines:
        for said in line.split("\n"):
            told = QUOTED.sub("quoted", said)
            if own and any(part and part in told for part in own.split("\n")):
                continue
            if re.match(r"  row -?\d+: |\d+: ", said) or not said.strip():
                continue
            if DRAWN.search(told) or COLUMNS.search(told) or is_bare(told):
                yield said


@pytest.mark.parametrize("language", language_ids())
def test_text_of_the_debugger_needs_no_colour_and_no_position(language: str) -> None:
    source = find_language(language).sample()
    said: list[str] = []
    shell = DebuggerShell(LessonSession(Debugger.open(language, source, stdin=b"ab")), said.append)
    shell.greet()
    shell.run([*DEBUGGED, "q"])
    assert len(said) > 150
    assert list(unclear_lines(said, source.decode("latin-1"))) == []


@pytest.mark.parametrize("language", language_ids())
def test_text_of_the_text_mode_needs_no_colour_and_no_position(
    language: str, tmp_path: Path
) -> None:
    said: list[str] = []
    typed = {"whitespace": "ssstl", "befunge-98": "&&+.@", "unlambda": "`|i"}.get(language, ",")
    queue = iter(
        [
            *("help", f"language {language}", "problems easy", "problem E04", "hint", "lessons"),
            *("show", "type", typed, ".", "show", "run 1 2", "examples", "debug 1", "score"),
            *("card", "solution", "nonsense", "problem E99", "quit"),
        ]
    )
    workspace = Workspace(tmp_path)
    try:
        lessons = LessonProgress(
            partial(lesson_progress.finished_lessons, workspace.state),
            partial(lesson_progress.mark_done, workspace.state),
        )

        def until_dot() -> list[str]:
            return list(iter(lambda: next(queue), "."))

        def debug(debugger: Debugger, first: str) -> LessonSession:
            session = LessonSession(debugger)
            DebuggerShell(session, said.append).run(["view", "s", "view", "q"])
            return session

        console = CommandConsole(said.append, debug, lambda source, _: source, until_dot)
        shell = PracticeShell(Workbench(workspace, lessons), console)
        shell.greet()
        shell.run(queue)
    finally:
        workspace.state.close()
    assert len(said) > 100
    assert not any(line.startswith("error: unknown language") for line in said)
    code = [line for line in said if line.startswith("    ")]  # of the card
    assert list(unclear_lines([line for line in said if line not in code])) == []


@pytest.mark.parametrize("language", language_ids())
def test_texts_of_lessons_are_read_line_by_line(language: str) -> None:
    for lesson in get_course(language):
        listed = {line for line in text_mode_lines(lesson.text) if line.startswith("    ")}
        lines = [line for line in text_mode_lines(lesson.text) if line not in listed]
        assert [line for line in lines if COLUMNS.search(line)] == []


def test_a_table_is_read_row_by_row() -> None:
    table = (
        "| sign | name | what it does |\n|-|-|-|\n| `STS` n | copy | push `it`, `again` |\n"
        "| `>` | | go |\n"
    )
    assert text_mode_lines(table) == [
        "sign, name: what it does",
        "'STS' n, copy: push 'it', 'again'",
        "'>': go",
    ]


def test_every_command_of_the_text_mode_is_typed() -> None:
    """No command needs a key but letters and Enter."""
    for command in COMMANDS:
        assert any(name.isalpha() and name.isascii() for name in command.names)


@pytest.mark.slow
@pytest.mark.terminal
@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("arguments", [["play", "--plain"], ["debug", "sample.bf", "--repl"]])
def test_text_interfaces_send_no_escape_sequences_to_a_terminal(
    arguments: list[str], tmp_path: Path
) -> None:
    """No colours, no moves of the cursor: nothing that a line of text does not have."""
    import pty

    (tmp_path / "sample.bf").write_bytes(find_language("brainfuck").sample())
    master, slave = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": PATHS, "TERM": "xterm-256color", "LINES": "500"}
    process = subprocess.Popen(
        [sys.executable, "-m", "esoplay", *arguments],
        env=environment,
        cwd=tmp_path,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
    )
    os.close(slave)
    typed = [
        "help",
        "view",
        "s",
        "problem E04",
        "examples",
        "card",
        "lesson",
        "task",
        "s",
        "q",
        "hint",
    ]
    os.write(master, "\n".join([*typed, "q", "q", ""]).encode())
    shown = b""
    with contextlib.suppress(OSError):  # Linux says so when the other side has been closed
        while part := os.read(master, 1 << 16):
            shown += part
    os.close(master)
    assert process.wait(300) == 0
    assert b"step" in shown
    assert b"\x1b" not in re.sub(rb"\x1b\[\?2004[hl]", b"", shown)  # readline asks for whole pastes
