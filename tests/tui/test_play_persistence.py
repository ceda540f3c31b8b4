"""Panes, programs and settings survive errors and a restart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import Play
from play_damage import damage
from terminal import CTRL_Q, ESCAPE, F1, F2, Start
from textual.widgets import OptionList

from esoplay.tui.editor.modes import GridMode, WhitespaceMode
from esoplay.tui.footer import Footer
from esoplay.tui.frame import VIEWS


@pytest.mark.slow
async def test_last_run_stays_while_the_program_has_an_error(play: Play) -> None:
    async with play() as player:
        await player.open("E02")
        await player.write(b"+>+")
        player.screen.show_view("debug")
        await player.press("l", "l", "f2")
        await player.write(b"+>+]")
        await player.press("f2")
        await player.until(lambda: "parsed; error at 1:4" in player.text())
        assert player.screen.view == "debug"
        await player.press("h")
        assert player.screen.debugger.step == 1
        await player.press("ctrl+pageup")
        assert player.screen.view == "edit"
        await player.press("escape")
        await player.press("ctrl+pagedown")
        assert player.screen.view == "debug"
        await player.press("f2")
        await player.write(b"+>++")
        await player.press("f2")
        await player.until(lambda: "STALE" not in player.text())


@pytest.mark.slow
async def test_maximised_pane_is_restored(play: Play) -> None:
    async with play() as player:
        player.screen.show_view("edit")
        await player.press("f12")
        assert player.screen.maximised_pane is player.screen.program
    async with play() as player:
        await player.until(lambda: player.screen.maximised_pane is player.screen.program)
        await player.press("f12", "f2", "z")
        await player.until(lambda: player.screen.debugger.widgets.is_zoomed)
    async with play() as player:
        assert player.screen.maximised_pane is None
        parts = player.screen.debugger.widgets
        await player.until(lambda: parts.is_zoomed)
        assert not parts.query_one("#pages").display
        assert parts.program.has_focus
        await player.press("z")
    async with play() as player:
        await player.press("l")
        assert not player.screen.debugger.widgets.is_zoomed


@pytest.mark.slow
async def test_damaged_progress_file_does_not_end_the_run(
    play: Play, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with play() as player:
        told, notify = list[str](), player.app.notify

        def record(message: str, **options: Any) -> None:
            told.append(message)
            notify(message, **options)

        monkeypatch.setattr(player.app, "notify", record)
        await player.open("E02")
        damage(home)
        await player.press("ctrl+t")
        await player.graded()
        for view in VIEWS:
            player.screen.show_view(view)
            await player.pilot.pause()
        await player.open("E08")
        (notice,) = [
            each for each in player.screen.workspace.state.notices if "could not be" in each
        ]
        assert notice in told
        assert player.screen.workspace.problem is not None
        assert player.screen.workspace.problem.id == "E08"
        assert player.screen.workspace.progress()["E02"].tries == 1
    assert len(list(home.glob("*.damaged-????????-??????"))) == 1
    async with play() as player:
        assert player.screen.workspace.problem is not None
        assert player.screen.workspace.problem.id == "E08"


@pytest.mark.slow
@pytest.mark.terminal
def test_damaged_state_file_is_replaced_in_a_terminal(start: Start, home: Path) -> None:
    with start() as terminal:
        terminal.wait_for("Start lesson 1")
        terminal.send(F1)  # it answers when nothing of its start is left that reads the file
        terminal.wait_for("keys here")
        terminal.send(ESCAPE)
        terminal.wait_for(lambda text: "keys here" not in text, "the start page")
        damage(home)
        terminal.send(F2)
        terminal.wait_for("could not be read")
        terminal.send(F2)
        terminal.send("l")
        terminal.wait_for("step 1/")
        terminal.send(CTRL_Q)
        assert terminal.wait_for_end() == 0
    assert len(list(home.glob("*.damaged-????????-??????"))) == 1


@pytest.mark.slow
async def test_typing_mode_is_saved_per_language(play: Play) -> None:
    async with play() as player:
        player.screen.workspace.choose_language("befunge-98")
        await player.open("E02")
        player.screen.show_view("edit")
        editor = player.screen.program.editor
        assert isinstance(editor.mode, GridMode)
        await player.press("insert")
        assert not isinstance(editor.mode, GridMode)
        player.screen.workspace.choose_language("whitespace")
        await player.open("E02")
        assert isinstance(editor.mode, WhitespaceMode)
    async with play() as player:
        player.screen.workspace.choose_language("befunge-98")
        await player.open("E02")
        assert not isinstance(player.screen.program.editor.mode, GridMode)


@pytest.mark.slow
@pytest.mark.terminal
def test_a_garbled_screen_is_repaired(start: Start) -> None:
    with start() as terminal:
        terminal.wait_for("Start lesson 1")
        terminal.wait_for("^q Quit")
        terminal.garble("GARBAGE")
        assert "GARBAGE" in terminal.text
        terminal.send("\x1c")
        terminal.wait_for(lambda text: "GARBAGE" not in text)


@pytest.mark.slow
async def test_result_of_an_edited_program_is_marked(play: Play) -> None:
    async with play() as player:
        await player.open("E02")
        await player.write(b",[.,]")
        player.screen.action_run_examples()
        await player.until(lambda: "✓ examples 3/3" in player.text())
        await player.write(b",[.,]+")
        await player.until(lambda: "(✓ examples 3/3, edited since)" in player.text())
        await player.write(b",[.,]")
        await player.until(lambda: "edited since" not in player.text())
        assert "✓ examples 3/3" in player.text()
        await player.open("E03")
        assert "examples 3/3" not in player.text()


@pytest.mark.slow
async def test_language_list_starts_with_the_current_one(play: Play) -> None:
    async with play() as player:
        player.screen.workspace.choose_language("whitespace")
        await player.open("E02")
        player.screen.show_view("browse")
        await player.press("f8")
        answers = player.app.screen.query_one(OptionList)
        assert answers.highlighted == answers.get_option_index("whitespace")


@pytest.mark.slow
async def test_narrow_footer_keeps_the_escape_key(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        player.screen.show_view("edit")
        footer = player.screen.query_one(Footer)
        await player.until(lambda: "Esc Leave" in player.text(footer))
        await player.until(lambda: "^q Quit" in player.text(footer))


@pytest.mark.slow
@pytest.mark.terminal
def test_missing_external_editor_restores_the_screen(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", "/there/is/none")
    with start() as terminal:
        terminal.wait_for("Start lesson 1")
        terminal.send("\x1bOS")
        terminal.wait_for("cannot be started")
        terminal.send("\x1bOQ")
        terminal.wait_for("E01.bf")
        terminal.send("\x1bOQ")
        terminal.wait_for("PAUSED")
        terminal.send("l")
        terminal.wait_for("step 1/")


@pytest.mark.slow
async def test_insert_key_toggles_overwriting(play: Play) -> None:
    async with play() as player:
        player.screen.show_view("edit")
        await player.open("E02")
        await player.write(b"++\n[-]")
        editor = player.screen.program.editor
        editor.move_cursor((0, 1))
        await player.press("insert", ",", ".", "+")
        assert editor.source == b"+,.+\n[-]"
        assert "overwrites (Ins)" in player.text()
        await player.press("ctrl+z", "insert", "greater_than_sign")
        assert b"[-]" in editor.source
        assert editor.source.count(b">") == 1
        assert "overwrites" not in player.text()
