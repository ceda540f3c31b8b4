"""The same 200 command lines mean the same on the screen, in the REPL and in the DAP console.

``command_lines.txt`` has them, by language.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from dap_client import Client, Refused
from selection import slow_except
from textual.app import App, ComposeResult

from esolangs.registry import find_language, language_ids
from esoplay.cli.repl.debugger import DebuggerShell, LessonSession
from esoplay.debugging import commands, handlers
from esoplay.debugging.command_line import CommandLine
from esoplay.debugging.commands import Chapter, CommandTable
from esoplay.debugging.debugger import Debugger
from esoplay.debugging.session import DebugCommand, DebugSession, Reply
from esoplay.tui.debug.pane import DebugPane

LINES: dict[str, list[str]] = {}
rows: list[str] = []
for row in Path(__file__).with_name("command_lines.txt").read_text().splitlines():
    if row.startswith("== "):
        LINES[row.removeprefix("== ")] = rows = []
    else:
        rows.append(row)

INPUT = b"5"
PROGRAMS = {
    "brainfuck": b"++[>+++<-]>.",
    "befunge-98": b"3>:.1-:v\n ^     _@",
    "whitespace": "SSSTTLSLSTLSTSSSTSLTSSSTLSTLLL".translate(
        str.maketrans("STL", " \t\n")
    ).encode(),
    "unlambda": b"``.a.b`.ci",
    "shakespeare": b"""Doubling.
Romeo, who doubles.
Juliet, who is doubled.
Act I: The only act.
Scene I: A beginning.
[Enter Romeo and Juliet]
Romeo:
 You are a rose.
Scene II: Again and again.
Romeo:
 You are twice yourself.
 Are you better than the cube of the sum of a big big big cat and a big cat?
 If not, let us return to scene II.
Scene III: An end.
Romeo:
 Open your heart!
[Exeunt]
""",
}


class Answer(NamedTuple):
    """What a front end says to a line, and the step at which it is after that."""

    text: str
    step: int


def in_the_repl(language: str, lines: list[str]) -> list[Answer]:
    debugger = Debugger.open(language, PROGRAMS[language], stdin=INPUT)
    said: list[str] = []
    shell = DebuggerShell(LessonSession(debugger), said.append)
    answers: list[Answer] = []
    for line in lines:
        said.clear()
        shell.run_line(line)
        step = shell.session.debugger.step
        answers.append(Answer("\n".join(said).removeprefix("error: "), step))
    return answers


class Screen(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.pane = DebugPane(id="debug")

    def compose(self) -> ComposeResult:
        yield self.pane


async def on_the_screen(language: str, lines: list[str]) -> list[Answer]:
    answers: list[Answer] = []
    app = Screen()
    async with app.run_test(size=(120, 40)) as pilot:
        pane = app.pane
        pane.open(language, PROGRAMS[language], INPUT, None, "standard")
        await app.workers.wait_for_complete()
        await pilot.pause()
        for line in lines:
            pane.commands.run(line)
            await pilot.pause()
            await app.workers.wait_for_complete()
            await pilot.pause()
            reply = pane.commands.reply
            text = pane.time.notice if reply is None else "\n".join(reply.lines)
            answers.append(Answer(text, pane.step))
    return answers


def in_the_console(language: str, lines: list[str], folder: Path) -> list[Answer]:
    path = folder / f"program{find_language(language).extensions[0]}"
    path.write_bytes(PROGRAMS[language])
    answers: list[Answer] = []
    with Client() as client:
        client.launch(path, stdin=INPUT.decode())
        for line in lines:
            try:
                text = client.ask("evaluate", expression=f":{line}", context="repl")["result"]
            except Refused as refused:
                text = str(refused)
            answers.append(Answer(text, int(client.value("step").split()[0])))
            client.events.clear()
    return answers


def test_the_sample_has_200_lines_in_five_languages() -> None:
    assert sorted(LINES) == sorted(language_ids())
    assert sum(map(len, LINES.values())) >= 200


@pytest.mark.parametrize("language", slow_except(PROGRAMS))
async def test_a_line_means_the_same_in_every_front_end(language: str, tmp_path: Path) -> None:
    lines = LINES[language]
    repl = in_the_repl(language, lines)
    console = in_the_console(language, lines, tmp_path)
    screen = await on_the_screen(language, lines)
    rows = list(zip(lines, repl, console, screen, strict=True))
    assert [row for row in rows if row[1] != row[2] or row[1] != row[3]] == []


async def test_b_3_stops_at_step_3_everywhere(tmp_path: Path) -> None:
    lines = ["b 3", "c"]
    for answers in (
        in_the_repl("brainfuck", lines),
        in_the_console("brainfuck", lines, tmp_path),
        await on_the_screen("brainfuck", lines),
    ):
        assert answers[1].step == 3


async def test_keys_after_a_colon_type_the_commands_on_the_screen() -> None:
    app = Screen()
    async with app.run_test(size=(120, 40)) as pilot:
        app.pane.open("brainfuck", PROGRAMS["brainfuck"], INPUT, None, "standard")
        app.pane.focus()
        await app.workers.wait_for_complete()
        await pilot.pause()
        for keys in (("colon", "b", "space", "3", "enter"), ("colon", "c", "enter")):
            await pilot.press(*keys)
            await pilot.pause()
            await app.workers.wait_for_complete()
            await pilot.pause()
        assert app.pane.step == 3


async def test_one_row_of_the_table_adds_a_command_to_every_front_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def double(session: DebugSession, line: CommandLine) -> Reply:
        return Reply([f"twice {line.rest}"], {})

    row = DebugCommand(("double",), "TEXT", "say it twice", double)
    monkeypatch.setattr(commands, "CHAPTERS", [*commands.CHAPTERS, Chapter("ours", (row,))])
    for answers in (
        in_the_repl("brainfuck", ["double 4"]),
        in_the_console("brainfuck", ["double 4"], tmp_path),
        await on_the_screen("brainfuck", ["double 4"]),
    ):
        assert answers == [Answer("twice 4", 0)]
    session = DebugSession(Debugger.open("brainfuck", b"+"))
    assert CommandTable().complete(session, "dou") == ["double"]


DOUBLING = """
from esoplay.debugging.session import DebugCommand, Reply

TITLE = "ours"
COMMANDS = (
    DebugCommand(
        ("double",), "TEXT", "say it twice", lambda session, line: Reply([line.rest * 2], {})
    ),
)
"""


@pytest.fixture
def doubling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A new file among the handlers of commands."""
    folder = tmp_path / "handlers"
    folder.mkdir()
    (folder / "doubling.py").write_text(DOUBLING)
    monkeypatch.setattr(handlers, "__path__", [*handlers.__path__, str(folder)])
    yield
    sys.modules.pop(f"{handlers.__name__}.doubling", None)


@pytest.mark.usefixtures("doubling")
async def test_one_file_of_handlers_adds_a_command_to_every_front_end(tmp_path: Path) -> None:
    for answers in (
        in_the_repl("brainfuck", ["double 4"]),
        in_the_console("brainfuck", ["double 4"], tmp_path),
        await on_the_screen("brainfuck", ["double 4"]),
    ):
        assert answers == [Answer("44", 0)]
    table, session = CommandTable(), DebugSession(Debugger.open("brainfuck", b"+"))
    assert table.complete(session, "dou") == ["double"]
    reply = table.run_line(session, "help")
    assert reply is not None
    assert "ours:" in reply.lines
    assert "  double TEXT  -  say it twice" in reply.lines


def test_the_frame_at_the_end_of_a_program_is_on_its_last_line(tmp_path: Path) -> None:
    path = tmp_path / "end.bf"
    path.write_bytes(b"+\n.\n")
    with Client() as client:
        client.launch(path)
        client.go("continue")
        frames = client.ask("stackTrace", threadId=1)["stackFrames"]
    assert frames[0]["line"] == 2


def test_long_moves_of_the_console_can_be_paused(tmp_path: Path) -> None:
    path = tmp_path / "endless.bf"
    path.write_bytes(b"+[>+<]")
    with Client() as client:
        client.launch(path)
        client.ask("evaluate", expression=":b if cell[1] == 300", context="repl")
        client.ask("evaluate", expression=":c 9000000000000", context="repl")
        assert client.go("pause")["reason"] == "pause"
        client.ask("evaluate", expression=":d 1", context="repl")
        client.ask("evaluate", expression=":b 1:3", context="repl")
        client.ask("evaluate", expression=":c", context="repl")
        assert client.stopped()["reason"] == "breakpoint"
