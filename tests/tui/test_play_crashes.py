"""A failing interpreter costs neither the program nor the application."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Play
from textual.content import Content

from esolangs.brainfuck import LANGUAGE
from esoplay.timeline.timeline import Timeline
from esoplay.tui.frame import TitleBar


def fail(*_: object, **__: object) -> Any:
    raise RuntimeError("an invariant is broken")


@pytest.mark.slow
async def test_program_survives_a_crash_and_is_debugged_again(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with play() as player:
        await player.open("E02")
        await player.write(b",[.,]++")
        player.screen.show_view("debug")
        await player.pilot.pause()
        with monkeypatch.context() as broken:
            broken.setattr(Timeline, "seek", fail)
            await player.press("l")
            await player.until(lambda: "CRASHED  the interpreter failed" in player.text())
        buffer = player.screen.workspace.buffer
        assert buffer is not None
        assert buffer.path.read_bytes() == b",[.,]++"
        await player.press("f2", "f2", "l")
        await player.until(lambda: player.screen.debugger.step == 1)


@pytest.mark.slow
async def test_parser_crash_is_reported_below_the_program(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with play() as player:
        player.screen.show_view("edit")
        await player.open("E02")
        with monkeypatch.context() as broken:
            broken.setattr(type(LANGUAGE), "parse", fail)
            await player.write(b"++")
            await player.until(lambda: "internal error in the parser" in player.text())
        await player.write(b"+++")
        await player.until(lambda: "internal error in the parser" not in player.text())


async def test_a_status_that_comes_while_the_application_closes_is_ignored(play: Play) -> None:
    async with play() as player:
        title_bar = player.app.play_screen.query_one(TitleBar)
        await title_bar.remove_children()
        title_bar.show_status(Content("late"))
        assert player.app.is_running
