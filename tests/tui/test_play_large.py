"""Large programs are opened in the debugger in a thread."""

from __future__ import annotations

import pytest
from conftest import Play
from play_pilot import Player

LARGE = 2_000
"""Bytes that count as large here: the way is the same, and the editor is done with them sooner."""


@pytest.fixture(autouse=True)
def few_bytes_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("esoplay.tui.debug.pane.LARGE_BYTES", LARGE)


def opened(player: Player) -> bytes | None:
    """The program in the debugger."""
    driver = player.screen.debugger.time.target
    return None if driver is None else driver.debugger.program.source


@pytest.mark.slow
async def test_keys_work_while_a_large_program_opens(play: Play) -> None:
    async with play() as player:
        await player.open("E02")
        await player.write(b"+>-<" * (LARGE // 4) + b".")
        player.screen.show_view("debug")
        assert opened(player) != player.screen.program.source
        await player.press("f2")
        assert player.screen.view == "edit"
        await player.press("f2")
        await player.until(lambda: opened(player) == player.screen.program.source)
        await player.press("3", "l")
        await player.until(lambda: player.screen.debugger.step == 3)


async def test_last_requested_version_is_shown(play: Play) -> None:
    async with play() as player:
        await player.open("E02")
        await player.write(b"+" * LARGE)
        player.screen.show_view("debug")
        player.screen.show_view("edit")
        await player.write(b"-" * LARGE)
        player.screen.show_view("debug")
        player.screen.show_view("edit")
        await player.write(b">+")
        player.screen.show_view("debug")
        await player.until(lambda: opened(player) == b">+")
        for worker in list(player.app.workers):
            if worker.group == "opening":
                await worker.wait()
        assert opened(player) == b">+"


@pytest.mark.slow
async def test_large_program_with_a_parse_error_keeps_the_last_run(play: Play) -> None:
    async with play() as player:
        await player.open("E02")
        await player.write(b">+")
        player.screen.show_view("debug")
        await player.until(lambda: opened(player) == b">+")
        await player.write(b"+>-<" * (LARGE // 4) + b"]")
        player.screen.show_view("edit")
        player.screen.show_view("debug")
        await player.until(lambda: "STALE" in player.text())
        assert opened(player) == b">+"
