"""``esoplay play --pack``: the problems of another pack, on the screen and as text."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Play

from esoplay.cli.commands import play as play_command
from esoplay.cli.main import main
from esoplay.packs.catalogue import get_pack
from esoplay.packs.references import find_reference
from esoplay.tui.workspace import LaunchRequest, Workspace

pytestmark = pytest.mark.slow  # each test walks through several views

BASICS = get_pack("basics")


async def test_the_screen_shows_and_grades_the_problems_of_the_pack(play: Play) -> None:
    reference = find_reference("B01", "brainfuck", pack="basics")
    assert reference is not None
    async with play(launch=LaunchRequest(pack=BASICS)) as player:
        assert player.screen.workspace.problem == BASICS.problem("B01")
        assert "B07 Acronym" in " ".join(player.text(player.screen.problems).split())
        await player.write(reference.program)
        await player.press("ctrl+t")
        await player.graded()
        assert "6 of 6" in player.text()
        await player.open("B14")
        await player.press("ctrl+t")
        await player.until(lambda: "cannot be solved in brainfuck" in player.text())
    async with play(launch=LaunchRequest(pack=BASICS)) as player:
        assert player.screen.workspace.problem == BASICS.problem("B14")
    async with play() as player:
        assert player.screen.workspace.problem == get_pack().problem("E01")


def test_each_pack_has_its_own_last_problem(tmp_path: Path) -> None:
    for pack, first, chosen in ((None, "E01", "E05"), (BASICS, "B01", "B03")):
        workspace = Workspace(tmp_path, request=LaunchRequest(pack=pack))
        assert workspace.last_problem().id == first
        workspace.open_problem(workspace.pack.problem(chosen))
        workspace.state.close()
    for pack, chosen in ((None, "E05"), (BASICS, "B03")):
        workspace = Workspace(tmp_path, request=LaunchRequest(pack=pack))
        assert workspace.last_problem().id == chosen
        workspace.state.close()


def test_an_unknown_pack_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(play_command, "has_screen", lambda: True)
    assert main(["play", "--pack", "nothing"]) == 2
    assert "installed: esoplay-80, basics" in capsys.readouterr().err
