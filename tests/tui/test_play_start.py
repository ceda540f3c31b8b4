"""Start-up: work that is delayed for the first frame is done after it."""

from __future__ import annotations

import gc
import tempfile
from pathlib import Path

import pytest
from conftest import Play

from esoplay.tui.screen import PlayScreen


async def test_further_work_at_the_start_is_done_after_the_first_frame(
    play: Play, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Garbage is collected, covered panes are mounted, and folders of killed processes removed."""
    left = tmp_path / "esoplay-lane-1a2b3c4d"
    left.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    painted: list[list[str | None]] = []
    paint = PlayScreen.paint_when_stable

    async def paint_and_look(screen: PlayScreen) -> None:
        await paint(screen)
        painted.append([pane.id for pane in screen.body.children])

    monkeypatch.setattr(PlayScreen, "paint_when_stable", paint_and_look)
    gc.disable()
    try:
        async with play() as player:
            assert painted == [["start"]]
            assert not left.exists()
            panes = ["problems", "statement", "program", "generated", "debug", "score", "results"]
            assert [pane.id for pane in player.screen.body.children] == ["start", *panes]
            assert player.screen.shows_start_page
            assert player.screen.program.source == player.screen.workspace.starter
            await player.until(gc.isenabled)
            assert gc.get_freeze_count()
    finally:
        gc.enable()
        gc.unfreeze()
