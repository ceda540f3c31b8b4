"""What screens look like, kept as pictures: three sizes, two themes.

When a change of looks is meant, ``ESOPLAY_SNAPSHOTS=write pytest tests/tui/test_snapshots.py``
writes them anew; look at them before committing.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from esoplay.tui.pictures.cells import shoot
from esoplay.tui.pictures.scenes import (
    Scene,
    cells,
    debugger,
    grid,
    lesson,
    problems,
    score,
    solutions,
    stage,
)
from esoplay.tui.pictures.svg import picture

FOLDER = Path(__file__).parent / "snapshots"
SIZES = ((80, 24), (120, 40), (200, 60))
THEMES = ("midnight", "paper")
SCENES: dict[str, Scene] = {"debug": debugger, "lesson": lesson}
ONCE: dict[str, Scene] = {"befunge": grid, "score": score, "solutions": solutions}
PROGRESS: dict[str, Scene] = {"cells": cells, "problems": problems}

CASES = [
    *(
        (name, scene, size, theme)
        for name, scene in SCENES.items()
        for size in SIZES
        for theme in THEMES
    ),
    *((name, scene, (120, 40), "midnight") for name, scene in ONCE.items()),
    *((name, scene, size, "midnight") for name, scene in PROGRESS.items() for size in SIZES[:2]),
]


@pytest.mark.parametrize(
    ("name", "scene", "size", "theme"),
    CASES,
    ids=[f"{name}-{size[0]}x{size[1]}-{theme}" for name, _, size, theme in CASES],
)
async def test_it_looks_as_it_did(
    name: str, scene: Scene, size: tuple[int, int], theme: str
) -> None:
    async with stage(size, theme) as on:
        await scene(on)
        svg = picture(shoot(on.app), name)
    path = FOLDER / f"{name}-{size[0]}x{size[1]}-{theme}.svg"
    if os.environ.get("ESOPLAY_SNAPSHOTS") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(svg, "utf-8")
    assert lines(svg) == lines(path.read_text("utf-8"))


def lines(svg: str) -> list[str]:
    """A picture's rows, so that a difference names the first that differs."""
    return re.split(r"(?<=</g>)\n", svg)
