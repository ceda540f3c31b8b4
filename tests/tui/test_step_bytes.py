"""What a single step sends to the terminal, in the whole application."""

# pyright: reportPrivateUsage=false, reportUnknownMemberType=false, reportUnknownVariableType=false
from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any

import pytest
from conftest import Play, Start
from play_pilot import Player
from selection import slow_except
from wire import Wire

from esolangs.registry import find_language, language_ids
from esoplay.tui.app import EsoplayApp
from esoplay.tui.workspace import LaunchRequest

MAX_BYTES = 2048
"""Bytes a step."""

STEPS = 40
INPUT = b"Ada and all the others who are here today"
SIZES = [(80, 24), (120, 40)]

STAIRS = b"\n".join(b" " * (3 * row) + b">1+v" for row in range(60))
"""A plane wider and higher than any pane, which the IP crosses from corner to corner."""


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    """What the application sends."""
    counter = Wire()
    display: Any = EsoplayApp._display

    def counted(app: EsoplayApp, screen: Any, update: Any) -> None:
        counter.paint(app, update)
        display(app, screen, update)

    monkeypatch.setattr(EsoplayApp, "_display", counted)
    return counter


def sample(language_id: str, folder: Path) -> Path:
    """The sample of a language as a file."""
    language = find_language(language_id)
    path = folder / f"sample{language.extensions[0]}"
    path.write_bytes(language.sample())
    return path


async def sizes_of_steps(player: Player, wire: Wire) -> list[int]:
    """Bytes sent by each of the next steps."""
    debug = player.screen.debugger
    sizes: list[int] = []
    for _ in range(STEPS):
        before, wire.sent = debug.step, 0
        await player.pilot.press("l")
        if debug.step == before:
            break
        sizes.append(wire.sent)
    return sizes


@pytest.mark.slow
@pytest.mark.parametrize("size", slow_except(SIZES, (80, 24)))
@pytest.mark.parametrize("language_id", slow_except(language_ids(), "befunge-98"))
async def test_step_sends_few_bytes(
    play: Play, wire: Wire, tmp_path: Path, language_id: str, size: tuple[int, int]
) -> None:
    launch = LaunchRequest(sample(language_id, tmp_path), debug=True, stdin=INPUT)
    async with play(size=size, launch=launch) as player:
        sizes = sorted(await sizes_of_steps(player, wire))
    assert len(sizes) == STEPS
    assert sizes[0] > 0
    assert median(sizes) <= MAX_BYTES / 2
    assert sizes[STEPS * 95 // 100] <= MAX_BYTES


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_scrolling_plane_sends_few_bytes(
    play: Play, wire: Wire, tmp_path: Path, size: tuple[int, int]
) -> None:
    path = tmp_path / "stairs.b98"
    path.write_bytes(STAIRS)
    async with play(size=size, launch=LaunchRequest(path, debug=True)) as player:
        sizes = sorted(await sizes_of_steps(player, wire))
    assert sizes[STEPS * 95 // 100] <= MAX_BYTES


LONG_LOOP = ("\n   \n" + "     \t\t \t\n \n\n" * 30 + "\n \n \n").encode()
"""Whitespace: label, thirty times push and discard, jump; more lines than any pane has."""


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_long_loop_sends_few_bytes(
    play: Play, wire: Wire, tmp_path: Path, size: tuple[int, int]
) -> None:
    path = tmp_path / "loop.ws"
    path.write_bytes(LONG_LOOP)
    async with play(size=size, launch=LaunchRequest(path, debug=True)) as player:
        sizes = await sizes_of_steps(player, wire)
    assert max(sizes) <= MAX_BYTES


@pytest.mark.slow
async def test_heat_sends_few_bytes(play: Play, wire: Wire, tmp_path: Path) -> None:
    launch = LaunchRequest(sample("befunge-98", tmp_path), debug=True, stdin=INPUT)
    async with play(size=(120, 40), launch=launch) as player:
        await player.press("e")
        sizes = sorted(await sizes_of_steps(player, wire))
    assert sizes[STEPS * 95 // 100] <= MAX_BYTES


@pytest.mark.slow
def test_real_terminal_receives_few_bytes(start: Start, tmp_path: Path) -> None:
    path, steps = sample("befunge-98", tmp_path), 40
    arguments = ("-m", "esoplay", "debug", str(path), "--input", "Ada")
    with start(*arguments, size=(80, 24)) as terminal:
        terminal.wait_for("step 0/")
        terminal.send("l")
        terminal.wait_for("step 1/")
        before = len(terminal.raw)
        for step in range(2, steps + 2):
            terminal.send("l")
            terminal.wait_for(f"step {step}/")
        assert len(terminal.raw) - before <= steps * MAX_BYTES / 2
