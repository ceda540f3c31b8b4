"""Pictures of the screens: three sizes, two themes.

After an intended change, ``ESOPLAY_SNAPSHOTS=write pytest tests/tui/test_snapshots.py`` writes
them again; review them before committing.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from made_sessions import some_session
from selection import slow_except
from textual.pilot import Pilot

from esoplay.benchmark.exports import SessionExport
from esoplay.benchmark.replay import Replay
from esoplay.color_depth import ColorDepth
from esoplay.tui.app import EsoplayApp
from esoplay.tui.replay.screen import replay_app
from pictures.cells import shoot
from pictures.scenes import (
    REVERSE,
    Scene,
    Stage,
    cells,
    debugger,
    grid,
    lesson,
    listing,
    practise,
    problems,
    solutions,
    source,
    stage,
)
from pictures.svg import picture

FOLDER = Path(__file__).parent / "snapshots"
SIZES = ((80, 24), (120, 40), (200, 60))
THEMES = ("midnight", "paper")


async def browse(on: Stage) -> None:
    """All problems, and the statement of the first one."""
    practise(on)
    await on.show("browse")


async def edit(on: Stage) -> None:
    """A program that passed its tests."""
    await on.write("E08", REVERSE)
    await on.submit()


async def debug(on: Stage) -> None:
    """The debugger after that."""
    await debugger(on)


async def compared(on: Stage) -> None:
    """Two programs of the user, the figures of practice, and par."""
    await on.write("E08", b">,[>,]<[.[-]<]")
    await on.submit()
    await on.show("score")
    await on.graded()


async def matrix(on: Stage) -> None:
    """All problems in all languages, over the score."""
    await on.press("g", "m")


async def first_lesson(on: Stage) -> None:
    """Where learning begins."""
    await on.press("escape")
    await lesson(on)


async def help_here(on: Stage) -> None:
    """The keys of the debugger."""
    await on.press("f1")


async def by_source(on: Stage) -> None:
    """A program that has a source map, by the lines of its generator."""
    await on.press("escape")
    await source(on)


WALK: dict[str, Scene] = {
    "browse": browse,
    "edit": edit,
    "debug": debug,
    "score": compared,
    "matrix": matrix,
    "lesson": first_lesson,
    "help": help_here,
    "source": by_source,
}
"""The main screens in an order in which one application can be led through them."""
ALONE: dict[str, Scene] = {
    "befunge": grid,
    "cells": cells,
    "listing": listing,
    "problems": problems,
    "solutions": solutions,
}
"""Further ones, each in an application of its own."""


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=[f"{x}x{y}" for x, y in SIZES])
async def test_the_main_screens_look_as_they_did(size: tuple[int, int]) -> None:
    different: list[str] = []
    async with stage(size, THEMES[0]) as on:
        for name, scene in WALK.items():
            await scene(on)
            different += await _differing(on.app, on.pilot, name, size)
    assert not different


@pytest.mark.parametrize("size", slow_except(SIZES, (120, 40)), ids=[f"{x}x{y}" for x, y in SIZES])
async def test_a_replayed_session_matches_its_snapshot(
    size: tuple[int, int], tmp_path: Path
) -> None:
    app = replay_app(Replay(SessionExport(some_session().export())), tmp_path)
    async with app.run_test(size=size) as pilot:
        await pilot.press("j")
        if size[0] < 180:
            await pilot.press("D")
        different = await _differing(app, pilot, "replay", size)
    app.workspace.state.close()
    assert not different


@pytest.mark.parametrize("name", slow_except(ALONE, "problems"))
async def test_a_screen_matches_its_snapshot(name: str) -> None:
    await _compare_screen(name, (120, 40))


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (200, 60)], ids=["80x24", "200x60"])
@pytest.mark.parametrize("name", ALONE)
async def test_a_screen_of_another_size_matches_its_snapshot(
    name: str, size: tuple[int, int]
) -> None:
    await _compare_screen(name, size)


async def _compare_screen(name: str, size: tuple[int, int]) -> None:
    async with stage(size, THEMES[0]) as on:
        await ALONE[name](on)
        seen = picture(shoot(on.app), name)
    assert _difference(seen, f"{name}-{size[0]}x{size[1]}-{THEMES[0]}") is None


@pytest.mark.slow
@pytest.mark.parametrize("depth", ["16", "256", "none"])
async def test_a_screen_of_few_colours_matches_its_snapshot(depth: str) -> None:
    async with stage((120, 40), THEMES[0]) as on:
        on.app.use_color_depth(ColorDepth(depth))
        await grid(on)
        on.app.theme = THEMES[1]
        await on.pilot.pause()
        on.app.theme = THEMES[0]
        await on.pilot.pause()
        seen = picture(shoot(on.app), "befunge")
    assert _difference(seen, f"befunge-120x40-{THEMES[0]}-{depth}") is None


async def _differing(
    app: EsoplayApp, pilot: Pilot[int], name: str, size: tuple[int, int]
) -> list[str]:
    """Return which pictures of this moment differ, with their first such row."""
    found: list[str | None] = []
    for theme in THEMES:
        app.theme = theme
        await pilot.pause()
        seen = picture(shoot(app), name)
        found.append(_difference(seen, f"{name}-{size[0]}x{size[1]}-{theme}"))
    return [each for each in found if each is not None]


def _difference(svg: str, name: str) -> str | None:
    path = FOLDER / f"{name}.svg"
    if os.environ.get("ESOPLAY_SNAPSHOTS") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(svg, "utf-8")
    now, before = _rows(svg), _rows(path.read_text("utf-8"))
    if now == before:
        return None
    pairs = zip(now, before, strict=False)
    row = next((at for at, (new, old) in enumerate(pairs) if new != old), len(before))
    return f"{name}, row {row}: {''.join(now[row : row + 1])!r}"


def _rows(svg: str) -> list[str]:
    return re.split(r"(?<=</g>)\n", svg)
