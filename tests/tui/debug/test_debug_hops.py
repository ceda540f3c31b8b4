"""There are few of our modules between a key press and the repaint or the machine."""

from __future__ import annotations

import math
import re
import sys
from types import FrameType
from typing import Any

import debug_app
import pytest
from debug_app import MID, PaneApp, program, settle
from shell import ROOT

from esoplay.tui.debug import time_travel
from esoplay.tui.terminal import OrderedKeysApp

MAX_HOPS = 10
Hop = tuple[str, str]
"""A function by its module and its name."""
PRESS: Hop = ("esoplay.tui.terminal", "OrderedKeysApp.on_event")


class KeyedPaneApp(PaneApp, OrderedKeysApp):
    """Handles keys as the application does."""


@pytest.fixture(autouse=True)
def keyed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debug_app, "PaneApp", KeyedPaneApp)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a step take any time, because on a busy machine it would go on in a thread."""
    monkeypatch.setattr(time_travel, "MAIN_THREAD_SECONDS", math.inf)


def find_stack(frame: FrameType | None) -> tuple[Hop, ...]:
    """Calls from one of our modules into another that lead to a frame, the outermost first."""
    calls: list[Hop] = []
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if module.startswith(("esoplay.", "esolangs.")):
            calls.append((module, frame.f_code.co_qualname))
        frame = frame.f_back
    calls.reverse()
    before = [("", ""), *calls]
    return tuple(call for last, call in zip(before, calls, strict=False) if last[0] != call[0])


async def ways_of_a_step() -> dict[str, list[tuple[Hop, ...]]]:
    """The hops from the press of l to each run of a machine, arrival and repaint."""
    names = {
        "CoreMachine.run": "run",
        "DebugTarget.show_stop": "arrive",
        "Canvas.repaint": "repaint",
    }
    ways: dict[str, list[tuple[Hop, ...]]] = {name: [] for name in names.values()}
    async with program(b"+[->+<]>.", size=MID) as (pilot, pane, _):
        await settle(pilot)

        def note(frame: FrameType, event: str, _argument: Any) -> None:
            name = names.get(frame.f_code.co_qualname)
            if event == "call" and name is not None:
                way = find_stack(frame)
                if way[0] == PRESS:  # timers and late paints have other ways
                    ways[name].append(way)

        sys.setprofile(note)
        try:
            await pilot.press("l")
        finally:
            sys.setprofile(None)
        assert pane.step == 1
    return ways


async def test_step_reaches_the_screen_in_few_hops() -> None:
    ways = await ways_of_a_step()
    run, arrive = ways["run"][0], ways["arrive"][0]
    assert ways["repaint"]
    for repaint in ways["repaint"]:
        hops = dict.fromkeys((*run, *arrive, *repaint))
        assert len(hops) <= MAX_HOPS, hops


async def test_the_page_lists_the_hops() -> None:
    ways = await ways_of_a_step()
    text = (ROOT / "docs/architecture.md").read_text("utf-8")
    _, _, rest = text.partition("### From a key press to the repaint\n")
    listed = re.findall(r"^\d+\. `([\w.]+)`", rest.partition("\n#")[0], re.MULTILINE)
    run, arrive = ways["run"][0], ways["arrive"][0]
    repaint = next(way for way in ways["repaint"] if "TapePanel.show" in str(way))
    hops = dict.fromkeys((*run, *arrive, *repaint))
    assert listed == [name for _, name in hops]
