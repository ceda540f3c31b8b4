"""``esoplay play`` as lines of text: the same problems, programs, tests and debugger."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from terminal import Start

from esoplay.cli.output import is_plain
from esoplay.cli.repl.debugger import DebuggerShell
from esoplay.cli.repl.debugger import LessonSession as Debugged
from esoplay.cli.repl.practice import COMMANDS, PracticeShell
from esoplay.cli.repl.workbench import CommandConsole, LessonProgress, Workbench
from esoplay.debugging.debugger import Debugger
from esoplay.errors import UsageError
from esoplay.packs.catalogue import get_problem
from esoplay.packs.hints import all_hints
from esoplay.tui.learn import lesson_progress
from esoplay.tui.workspace import LaunchRequest, Workspace

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "tui.md"
Talk = Callable[..., list[str]]


@pytest.fixture
def talk(tmp_path: Path) -> Talk:
    """Run a conversation in a state folder of its own; return its output, debugger included."""

    def converse(
        *lines: str,
        launch: LaunchRequest | None = None,
        editor: bytes | None = None,
        debugged: tuple[str, ...] = (),
    ) -> list[str]:
        said: list[str] = []
        queue = iter(lines)

        def debug(debugger: Debugger, first: str) -> Debugged:
            session = Debugged(debugger)
            DebuggerShell(session, said.append).run([first, *debugged])
            return session

        def edit(source: bytes, name: str) -> bytes:
            if editor is None:
                raise UsageError("no editor")
            return source + editor

        def until_dot() -> list[str]:
            return list(iter(lambda: next(queue), "."))

        workspace = Workspace(tmp_path, request=launch)
        lessons = LessonProgress(
            partial(lesson_progress.finished_lessons, workspace.state),
            partial(lesson_progress.mark_done, workspace.state),
        )
        try:
            shell = PracticeShell(
                Workbench(workspace, lessons), CommandConsole(said.append, debug, edit, until_dot)
            )
            shell.run(queue)
        finally:
            workspace.state.close()
        return said

    return converse


def test_solved_problem_is_saved(talk: Talk) -> None:
    said = talk("problem E02", "type", ",[", ".", "examples", "type", ",[.,]", ".", "submit")
    assert "E02.bf: 3 bytes; it does not parse" in said
    assert "line 1 column 2: '[' without a ']' that closes the loop" in said
    assert "0 of 3 examples pass" in said
    assert "dialect standard" in said
    assert "try: `debug 1` steps through example 1" in said
    assert "E02 is solved: 6 of 6 hidden tests pass" in said
    assert any(each.startswith("★") and "star" in each for each in said)
    assert said[-1] == "`solution` shows how the pack solves it"
    said = talk("score", "problems echo", "show", "solution")
    assert "brainfuck: 1 of" in said[0]
    assert "  E02 Echo Line, solved" in said
    assert "1: ,[.,]" in said
    assert "your approach: no comment of your program describes it" in said
    assert any(each.startswith("the pack's approach: ") for each in said)
    assert any("," in each for each in said[-4:])
    said = talk("solution source", "solution of", "language unlambda", "problem E02", "solution")
    assert "def main() -> None:" in said
    assert any("expected solution, or solution source" in each for each in said)
    assert "solve the problem first" not in " ".join(said)
    assert any(each.startswith("`") for each in said[-4:])


def test_failed_example_shows_the_expected_output_and_can_be_stepped(talk: Talk) -> None:
    said = talk("problem E02", "type", ",.", ".", "examples", "debug 1", debugged=("s", "q"))
    assert '  expected "Hello there"' in said
    assert '  got "H"' in said
    assert any(each.startswith("step 1, line 1 column 2: .") for each in said)


def test_program_can_come_from_an_editor_or_a_file(talk: Talk, tmp_path: Path) -> None:
    file = tmp_path / "mine.bf"
    file.write_bytes(b"+")
    said = talk("edit", "run", launch=LaunchRequest(file), editor=b"+.")
    assert file.read_bytes() == b"++."
    assert 'printed: "\\x02"' in said
    other = tmp_path / "other.bf"
    other.write_bytes(b",.")
    said = talk(f"load {other}", r"run \x41", "edit", launch=LaunchRequest(file))
    assert file.read_bytes() == b",."
    assert 'printed: "A"' in said
    assert said[-1] == "error: no editor"


def test_finished_lesson_is_saved(talk: Talk) -> None:
    said = talk("lesson", "lessons", debugged=("6 s", "q"))
    assert "Press 's' to execute one command" in " ".join(said)
    assert "lesson 1 is done" in said
    assert "1: What is this cell, done" in said


def test_whitespace_is_typed_and_shown_as_letters(talk: Talk) -> None:
    said = talk("language whitespace", "problem E01", "type", "s s s t", "l LLL", ".", "show")
    assert said[-5:] == ["E01.ws, 8 bytes", "1: SSSTL", "2: L", "3: L", "4: L"]


def test_problem_is_shown_with_its_limits(talk: Talk) -> None:
    said = talk("problem E04")
    assert "Limits. 10,000,000 steps, 1 MiB of output and 256 MiB of memory" in " ".join(said)


def test_invalid_commands_are_reported(talk: Talk, tmp_path: Path) -> None:
    said = talk("dance", "show me", "problem E99", "language cobol", "load", "hint", "quit", "hint")
    assert sum(each.startswith("error: ") for each in said) == 5
    every = len(all_hints(get_problem("E01"), "brainfuck"))
    assert said[-1].startswith(f"hint 1 of {every}: ")
    said = talk("examples", launch=LaunchRequest(tmp_path / "free.bf"))
    assert said == ["error: no problem is open: `problem E01` opens the first"]


def test_every_command_is_documented(talk: Talk) -> None:
    text = DOCUMENT.read_text("utf-8")
    table = text[text.index("## As text") :]
    for command in COMMANDS:
        for name in command.names:
            assert f"`{name}" in table, name
    listed = talk("help")
    assert len(listed) == len(COMMANDS)


class Interrupted(Workbench):
    """A workbench that presses Ctrl-C as soon as anything runs."""

    def begin_command(self) -> None:
        super().begin_command()
        self.interrupt()


def test_ctrl_c_stops_the_running_program(tmp_path: Path) -> None:
    said: list[str] = []
    workspace = Workspace(tmp_path)
    lessons = LessonProgress(
        partial(lesson_progress.finished_lessons, workspace.state),
        partial(lesson_progress.mark_done, workspace.state),
    )
    bench = Interrupted(workspace, lessons)
    bench.set_program(b"+[]")
    shell = PracticeShell(bench, CommandConsole(said.append, _unused, _unused, list))
    shell.run(["run", "examples", "submit"])
    workspace.state.close()
    assert said[1] == "stopped"
    assert said[2:] == ["error: stopped; no result was saved"] * 2


def _unused(*_: object) -> Any:
    raise AssertionError


def test_text_mode_is_requested_or_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("ESOPLAY_PLAIN", raising=False)
    assert not is_plain()
    assert is_plain(True)
    monkeypatch.setenv("ESOPLAY_PLAIN", "1")
    assert is_plain()
    monkeypatch.setenv("ESOPLAY_PLAIN", "0")
    assert not is_plain()
    monkeypatch.setenv("TERM", "dumb")
    assert is_plain()


@pytest.mark.terminal
def test_text_mode_draws_no_screen(start: Start) -> None:
    with start("-m", "esoplay", "play", "--plain") as terminal:
        terminal.wait_for("esoplay>")
        for line, answer in (
            ("type", "single dot"),
            (",.\r.", "E01.bf: "),
            ("debug input A", "read 'A' (65)"),
            ("s", "step 1,"),
            ("q", "back in esoplay"),
        ):
            terminal.send(f"{line}\r")
            terminal.wait_for(answer)
        terminal.send("quit\r")
        assert terminal.wait_for_end() == 0
    assert b"\x1b[?1049h" not in terminal.raw
