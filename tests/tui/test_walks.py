"""Walks, key by key: how few keys it takes to find a planted error.

``tests/walks/NAME.keys`` has one key a line, as Textual names it, with a comment.  A line
``paste FILE`` pastes a file of that folder and counts as one key.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import Play
from play_pilot import Player
from selection import slow_except

from esoplay.tui.terminal import BytesPaste
from esoplay.tui.workspace import LaunchRequest

FOLDER = Path(__file__).parents[1] / "walks"


class Walk(NamedTuple):
    """A program that is opened with a problem.

    most: keys that the walk may take.  error: the byte where the planted error starts.
    """

    program: str
    problem: str
    most: int
    error: int


WALKS = (Walk("roman.b98", "X18", 15, 1093), Walk("digits.ws", "H08", 10, 847))


@pytest.mark.slow
@pytest.mark.parametrize("size", slow_except([(80, 24), (120, 40)], (120, 40)), ids=str)
@pytest.mark.parametrize("walk", WALKS, ids=lambda walk: walk.program)
async def test_keys_lead_to_the_planted_error(
    walk: Walk, size: tuple[int, int], play: Play, tmp_path: Path
) -> None:
    program = Path(shutil.copy(FOLDER / walk.program, tmp_path))
    keys = keys_of(FOLDER / f"{program.stem}.keys")
    assert len(keys) <= walk.most
    async with play(size=size, launch=LaunchRequest(program, problem_id=walk.problem)) as player:
        for key in keys:
            await press(player, key)
        target = player.screen.debugger.time.target
        assert target is not None
        location = target.snapshot.view.location
        assert location is not None
        assert location.span[0] == walk.error


@pytest.mark.slow
@pytest.mark.parametrize("size", slow_except([(80, 24), (120, 40), (200, 60)], (120, 40)), ids=str)
async def test_a_newcomer_solves_the_first_problem(size: tuple[int, int], play: Play) -> None:
    keys = keys_of(FOLDER / "E01.keys")
    assert len(keys) <= 40
    async with play(size=size) as player:
        await player.pilot.pause()
        assert player.screen.shows_start_page
        workspace = player.screen.workspace
        assert not workspace.solved_count("brainfuck")
        submissions = 0
        for key in keys:
            await press(player, key)
            if key == "ctrl+t":
                submissions += 1
                assert bool(workspace.solved_count("brainfuck")) == (submissions == 2)
        assert submissions == 2
        assert "E01" in player.text()


async def press(player: Player, key: str) -> None:
    """Press a key of a walk, or paste, and wait for the effect."""
    verb, _, name = key.partition(" ")
    if verb == "paste":
        focused = player.app.focused
        assert focused is not None
        focused.post_message(BytesPaste((FOLDER / name).read_bytes()))
        await player.pilot.pause()
    else:
        await player.press(key)
    await wait_for_effects(player)


def keys_of(path: Path) -> list[str]:
    """The keys of a walk, without comments."""
    lines = (line.partition("#")[0].strip() for line in path.read_text().splitlines())
    return [line for line in lines if line]


async def wait_for_effects(player: Player) -> None:
    """Wait for the effect of the last key."""
    await player.graded()
    for worker in list(player.app.workers):
        if worker.group == "debugger":
            await worker.wait()
    await player.pilot.pause()
