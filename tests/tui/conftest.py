"""Fixtures that start the application, each test with a new state folder."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
import textual.app
import textual.pilot
from idle import wait_for_idle
from play_pilot import Player
from terminal import Start, Terminal

from esoplay.tui.app import EsoplayApp
from esoplay.tui.workspace import LaunchRequest

ROOT = Path(__file__).resolve().parents[2]
SIZE = {"COLUMNS", "LINES"}
"""Variables that would override the size of a terminal."""

textual.app.wait_for_idle = wait_for_idle  # type: ignore[attr-defined]
textual.pilot.wait_for_idle = wait_for_idle  # type: ignore[attr-defined]

Play = Callable[..., AbstractAsyncContextManager[Player]]


@pytest.fixture
def home() -> Path:
    """The state folder of this test."""
    folder = Path(os.environ["ESOPLAY_HOME"])
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def play(home: Path) -> Play:
    """Start the application in this process; a second start uses the same state folder."""

    @asynccontextmanager
    async def start(
        *,
        size: tuple[int, int] = (120, 40),
        launch: LaunchRequest | None = None,
        motion: bool = False,
    ) -> AsyncGenerator[Player]:
        app = EsoplayApp(home, request=launch)
        app.animation_level = "full" if motion else "none"
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            yield Player(app, pilot)
        app.save_everything()
        app.workspace.state.close()

    return start


@pytest.fixture
def start(home: Path) -> Start:
    """Start esoplay, or Python with other arguments, in a new pseudo-terminal."""

    def run(
        *command: str,
        size: tuple[int, int] = (120, 40),
        environment: Mapping[str, str] | None = None,
    ) -> Terminal:
        env = {
            **{name: value for name, value in os.environ.items() if name not in SIZE},
            "ESOPLAY_HOME": str(home),
            "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'interpreters'}",
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            **(environment or {}),
        }
        return Terminal([sys.executable, *(command or ("-m", "esoplay"))], env=env, size=size)

    return run
