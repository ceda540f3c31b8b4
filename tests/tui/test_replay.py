"""A session on the screen: the list, the programs, what changed, the debugger."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from made_sessions import MadeSession, some_session
from play_pilot import Player
from terminal import CTRL_Q, ESCAPE, Start

from esoplay.benchmark.exports import SessionExport
from esoplay.benchmark.replay import Replay
from esoplay.tui.dialogs import ChoiceDialog
from esoplay.tui.help import HelpScreen
from esoplay.tui.replay.attempts import AttemptList
from esoplay.tui.replay.changes import DiffView, ProgramReader
from esoplay.tui.replay.run_screen import RunApp
from esoplay.tui.replay.screen import ReplayScreen, replay_app

pytestmark = pytest.mark.slow  # each test walks through several views

SIZES = [(80, 24), (120, 40), (200, 60)]


class Viewer(Player):
    """A player who views a session."""

    def __init__(self, app: RunApp, pilot: object) -> None:
        super().__init__(app, pilot)  # pyright: ignore[reportArgumentType]
        self.replay = app

    @property
    def seen(self) -> ReplayScreen:
        seen = self.replay.run_screen
        assert isinstance(seen, ReplayScreen)
        return seen

    @property
    def list(self) -> AttemptList:
        return self.seen.query_one(AttemptList)

    @property
    def program(self) -> str:
        return self.text(self.seen.query_one(ProgramReader))

    @property
    def changes(self) -> str:
        return self.text(self.seen.query_one(DiffView))


@asynccontextmanager
async def replay(
    made: MadeSession, size: tuple[int, int] = (120, 40), theme: str = "midnight"
) -> AsyncGenerator[Viewer]:
    home = Path(os.environ["ESOPLAY_HOME"])
    home.mkdir(parents=True, exist_ok=True)
    app = replay_app(Replay(SessionExport(made.export())), home)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        app.theme = theme
        await pilot.pause()
        yield Viewer(app, pilot)
    app.workspace.state.close()


@pytest.mark.parametrize("size", SIZES)
async def test_list_program_and_changes_are_shown_at_each_size(size: tuple[int, int]) -> None:
    async with replay(some_session(), size) as viewer:
        shown = viewer.text()
        for words in ("0:00:02 E01  run       · ok", "submit 2  ✓ 6 of 6, solved", "E01, run"):
            assert words in shown
        await viewer.press("j")
        assert "++++" in viewer.program
        if size[0] < 180:
            assert not viewer.seen.query_one(DiffView).display
            await viewer.press("D")
            assert not viewer.seen.query_one(ProgramReader).display
        assert "1- +++" in viewer.changes
        assert "1+ ++++" in viewer.changes
        assert "since attempt 1" in viewer.changes
        if size[0] > 80:
            assert viewer.text(viewer.list).splitlines()[1].rstrip("│").split()[-2:] == ["80", "8"]


@pytest.mark.slow
async def test_the_selection_moves_by_keys_and_mouse_and_by_problem() -> None:
    async with replay(some_session()) as viewer:

        def place() -> int:
            assert viewer.list.selected_item is not None
            return viewer.list.selected_item.index

        await viewer.press("G")
        assert place() == 5
        await viewer.press("left_square_bracket")
        assert place() == 3
        await viewer.press("right_square_bracket", "right_square_bracket")
        assert place() == 5
        told = [each.message for each in viewer.app._notifications]  # pyright: ignore[reportPrivateUsage]
        assert told == ["This is the last attempt on E01."]
        await viewer.press("home", "j", "j", "k")
        assert place() == 1
        await viewer.pilot.click(AttemptList, offset=(8, 5))
        assert place() == 4
        assert "E02, submission 2" in viewer.program
        await viewer.press("slash")
        assert "runs and submissions: submissions ─" in viewer.text()
        assert "2/3" in viewer.text(viewer.list)
        await viewer.press("slash")
        assert "runs and submissions: failed submissions ─" in viewer.text()
        await viewer.press("slash")
        assert "runs and submissions: one problem ─" in viewer.text()
        assert "E02" not in viewer.text(viewer.list)
        await viewer.press("slash")
        assert "/6" in viewer.text(viewer.list)


@pytest.mark.slow
async def test_enter_opens_the_debugger_and_another_key_offers_inputs() -> None:
    async with replay(some_session()) as viewer:
        await viewer.press("enter")
        target = viewer.seen.debugger.time.target
        assert target is not None
        assert target.debugger.recording.stdin == b"one"  # of this run
        await viewer.press("escape", "M")
        assert isinstance(viewer.app.screen, ChoiceDialog)
        shown = viewer.text()
        for words in ("of this run", "one", "#2", "two", "empty"):
            assert words in shown
        await viewer.press("2")
        debugger = viewer.seen.debugger
        assert debugger.time.target is not None
        assert debugger.time.target.debugger.recording.stdin == b"two"
        assert debugger.time.target.debugger.recording.dialect == "benchmark"
        assert "#1: E01, run" in viewer.text()
        await viewer.press("l", "l")
        assert debugger.step == 2
        await viewer.press("escape")
        assert viewer.app.focused is viewer.list
        assert "0:00:01" in viewer.text()
        await viewer.press("f2")
        assert debugger.step == 2
        assert viewer.seen.is_debugging
        await viewer.press("f2", "enter", "escape")
        assert not viewer.seen.is_debugging


@pytest.mark.slow
async def test_single_input_is_used_without_asking() -> None:
    made = MadeSession()
    made.run("E02", b",.", b"")
    async with replay(made) as viewer:
        await viewer.press("enter")
        driver = viewer.seen.debugger.time.target
        assert driver is not None
        assert driver.debugger.is_input_closed
        await viewer.press("G")
        assert viewer.seen.debugger.step == 2


async def test_shown_tests_have_their_expected_output() -> None:
    made = MadeSession()
    test = {"index": 1, "verdict": "wrong_answer", "steps": 2, "input": "in", "expected": "out"}
    made.submit("E02", b",.", 0, [test])
    async with replay(made) as viewer:
        await viewer.press("M")
        assert "and hidden tests" in viewer.text()
        await viewer.press("1")
        assert "exp [o]ut" in viewer.text()


@pytest.mark.slow
async def test_parse_error_is_shown_at_its_place() -> None:
    async with replay(some_session(), (80, 24)) as viewer:
        await viewer.press("G", "enter")
        assert "PARSE ERROR" in viewer.text()
        await viewer.press("escape", "home", "enter")
        assert "PARSE ERROR" not in viewer.text()
        assert "PAUSED" in viewer.text()


@pytest.mark.slow
async def test_changes_are_side_by_side_and_can_be_maximised() -> None:
    async with replay(some_session()) as viewer:
        await viewer.press("j", "D", "tab", "V")
        assert any("1- +++" in line and "1+ ++++" in line for line in viewer.changes.split("\n"))
        await viewer.press("z")
        assert not viewer.list.display
        assert viewer.seen.query_one(DiffView).size.width == 120
        await viewer.press("escape")
        assert viewer.list.display
        assert viewer.app.focused is viewer.list
        await viewer.press("right_square_bracket", "right_square_bracket")
        assert "E01, submission 3" not in viewer.text()
        await viewer.press("D")
        assert "E01, submission 3" in viewer.text()


async def test_spaces_are_pictured_in_lines_of_spaces() -> None:
    made = MadeSession("whitespace")
    made.run("E01", b"   \t\n\t\n  \n\n\n")
    made.run("E01", b"   \t\t\n\t\n  \n\n\n")
    async with replay(made) as viewer:
        await viewer.press("j", "D")
        assert "1- ···→ " in viewer.changes
        assert "1+ ···→→ " in viewer.changes
        await viewer.press("enter")
        assert viewer.seen.debugger.has_program


@pytest.mark.slow
async def test_help_lists_the_keys_of_the_list() -> None:
    async with replay(some_session()) as viewer:
        await viewer.press("f1")
        assert isinstance(viewer.app.screen, HelpScreen)
        for words in ("attempt list", "Debug", "Filter", "Changes"):
            assert words in viewer.text()


async def test_session_without_attempts_is_reported() -> None:
    async with replay(MadeSession(), (80, 24)) as viewer:
        await viewer.press("enter", "j", "slash", "right_square_bracket", "D", "V", "f2")
        assert "nothing was run or submitted" in viewer.text()


async def test_only_visible_attempts_are_drawn() -> None:
    made = MadeSession()
    for number in range(2000):
        made.run(f"E{number % 80:02}", b"+" * (number % 9 + 1), b"%d" % number)
    async with replay(made, (80, 24)) as viewer:
        drawn: list[int] = []
        line = viewer.list.line

        def counted(row: int, width: int) -> object:
            drawn.append(row)
            return line(row, width)

        viewer.list.line = counted  # pyright: ignore[reportAttributeAccessIssue]
        await viewer.press("G")
        assert "2,000/2,000" in viewer.text()
        assert set(drawn) <= set(range(1900, 2000))
        drawn.clear()
        await viewer.press("k")
        assert len(drawn) <= 3 * 24
        await viewer.press("M")
        assert len(viewer.app.screen.query("OptionList")) == 1


@pytest.mark.slow
@pytest.mark.terminal
def test_session_is_replayed_in_a_terminal(start: Start, tmp_path: Path) -> None:
    file = tmp_path / "session.json"
    file.write_text(json.dumps(some_session().export()))
    with start("-m", "esoplay", "session", "replay", str(file), size=(80, 24)) as terminal:
        terminal.wait_for("submit 2")
        terminal.send("j")
        terminal.wait_for("2/6")
        terminal.send("D")
        terminal.wait_for("1+ ++++")
        terminal.click(10, 5)
        terminal.wait_for("no earlier attempt on E02")
        terminal.send("M")
        terminal.wait_for("Debug with input")
        terminal.send("1")
        terminal.wait_for("PAUSED")
        terminal.send("G")
        terminal.wait_for("ENDED")
        terminal.send(ESCAPE)
        terminal.wait_for("submit 2")
        terminal.send(CTRL_Q)
        assert terminal.wait_for_end() == 0
