"""An engine that fails costs its run and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from debug_app import PaneApp, do, program, settle, status
from selection import slow_except

from esolangs.brainfuck import LANGUAGE
from esoplay.timeline.timeline import Timeline
from esoplay.tui.debug import time_travel
from esoplay.tui.debug.pane import DebugPane

SOURCE = b"+>+[>+<-]"


def fail(*_: object, **__: object) -> Any:
    raise RuntimeError("an invariant is broken")


@pytest.mark.parametrize(
    "keys", slow_except([("l",), ("c",), ("2", "n"), ("h",), ("space",)], ("l",))
)
async def test_pane_survives_a_failing_engine(
    monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...]
) -> None:
    async with program(SOURCE, b"x") as (pilot, pane, _):
        await do(pilot, "l")
        with monkeypatch.context() as broken:
            broken.setattr(Timeline, "seek", fail)
            broken.setattr(Timeline, "advance", fail)
            await do(pilot, *keys)
            while pane.has_program:
                await pilot.pause(0.01)
        assert "CRASHED  the interpreter failed (RuntimeError: an invariant is broken)" in status(
            pane
        )
        await do(pilot, "l", "c", "colon", *"set 0 1", "enter")
        pane.open("brainfuck", SOURCE, b"x", None, "standard")
        await settle(pilot)
        await do(pilot, "l")
        assert pane.step == 1


@pytest.mark.parametrize("broken", [(Timeline, "advance"), (type(LANGUAGE), "parse")])
async def test_program_that_crashes_the_engine_can_be_closed(
    monkeypatch: pytest.MonkeyPatch, broken: tuple[type, str]
) -> None:
    monkeypatch.setattr(*broken, fail)
    pane = DebugPane(id="debug")
    app = PaneApp(pane)
    async with app.run_test(size=(80, 22)) as pilot:
        pane.open("brainfuck", SOURCE, b"x", None, "standard")
        await settle(pilot)
        assert "CRASHED" in status(pane)
        assert not pane.has_program


@pytest.mark.slow
async def test_failing_view_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    async with program(SOURCE, b"x") as (pilot, pane, _):
        driver = pane.time.target
        assert driver is not None
        look: Callable[[], object] = fail
        monkeypatch.setattr(driver, "refresh", look)
        await do(pilot, "l")
        assert "CRASHED" in status(pane)


async def test_failure_of_a_queued_action_is_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(time_travel, "MAIN_THREAD_SECONDS", -1.0)
    pane = DebugPane(id="debug")
    app = PaneApp(pane)
    async with app.run_test(size=(80, 22)) as pilot:
        pane.open("brainfuck", b"+[]", b"x", None, "standard")
        assert pane.time.is_busy
        pane.time.when_idle(fail)
        while pane.has_program:
            await pilot.pause(0.01)
        assert "CRASHED" in status(pane)
