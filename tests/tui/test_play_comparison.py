"""After solving: the pack's solution beside the user's, their figures, and stars."""

from __future__ import annotations

import re

import pytest
from conftest import Play
from play_pilot import Player

from esoplay.packs.catalogue import get_problem
from esoplay.packs.par import measure_par
from esoplay.tui.browser.solution import SolutionScreen
from esoplay.tui.editor.editor import Editor

ECHO, LONG = b",[.,]", b"+-+-,[.,]"


def words_of(text: str) -> str:
    return " ".join(re.sub("[\u2500-\u259f]", " ", text).split())


async def solve(player: Player, program: bytes) -> None:
    await player.open("E02")
    await player.write(program)
    await player.press("ctrl+t")
    await player.graded()
    for worker in list(player.app.workers):
        if worker.group == "par":
            await worker.wait()
    await player.pilot.pause()


async def compared(player: Player) -> SolutionScreen:
    await player.press("escape", "g", "r")
    page = player.app.screen
    assert isinstance(page, SolutionScreen)
    await player.until(lambda: "bytes of code: yours" in words_of(player.text()))
    return page


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_pack_solution_is_shown_beside_the_users(play: Play, size: tuple[int, int]) -> None:
    par = measure_par(get_problem("E02"), "brainfuck")
    assert par is not None
    assert par.origin == "hand-written"
    async with play(size=size) as player:
        await solve(player, LONG)
        said = words_of(player.text(player.screen.results))
        assert f"★☆☆ for two more stars: at most {par.figures.size} bytes (now 9)" in said
        page = await compared(player)
        text = words_of(player.text())
        assert "Esc closes" in text
        assert f"the pack's approach: {par.approach}" in text
        assert f"bytes of code: yours 9, the pack's {par.figures.size} (hand-written)" in text
        assert f"the pack's {par.figures.steps:,}" in text
        assert "★☆☆ for two more stars" in text
        beside = page.query_one("#solution-source", Editor)
        assert beside.source == LONG
        await player.press("tab")
        assert "yours · 9 bytes" in words_of(player.text())
        await player.press("tab")
        assert "def main" in beside.text
        await player.press("tab")
        assert page.query_one("#solution", Editor).has_focus


async def test_stars_mark_the_best_figures(play: Play) -> None:
    async with play(size=(120, 40)) as player:
        await solve(player, ECHO)
        assert "★★★ all three stars; the pack's solution is hand-written" in words_of(
            player.text(player.screen.results)
        )
        await player.write(LONG)
        await player.press("ctrl+t")
        await player.graded()
        assert "★★★ all three stars" in words_of(player.text(player.screen.results))
        assert "★★★" in player.text(player.screen.score)
