"""Finding bugs from a wrong output to its cause, by places on stacks and in casts."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from debug_app import MID, NARROW, PaneApp, do, settle, text_of
from panel_app import foot
from textual.pilot import Pilot

from esolangs.stops import Slot
from esoplay.tui.debug.canvas import PanelFrame
from esoplay.tui.debug.pane import DebugPane
from esoplay.tui.debug.state.stacks import StackPanel, StacksPanel
from esoplay.tui.debug.state.stage_panel import StagePanel
from esoplay.tui.debug.state.table_panel import TablePanel
from esoplay.tui.debug.target import DebugTarget


@asynccontextmanager
async def hunt(
    language_id: str, source: bytes, expected: bytes, size: tuple[int, int] = NARROW
) -> AsyncGenerator[tuple[Pilot[None], DebugPane, DebugTarget]]:
    """Return the program at the step before the one that printed the first wrong byte."""
    pane = DebugPane(id="debug")
    async with PaneApp(pane).run_test(size=size) as pilot:
        pane.open(language_id, source, b"", expected, "standard")
        pane.focus()
        await settle(pilot)
        await do(pilot, "G", "o")
        driver = pane.time.target
        assert driver is not None
        yield pilot, pane, driver


def status(pane: DebugPane) -> str:
    return text_of(pane.widgets.status)[0]


def log(driver: DebugTarget) -> list[tuple[int, str]]:
    lines = [(entry.step, entry.text) for entry in driver.log]
    return [line for line in lines if line[1] != "the program ended"]


def box_of(pane: DebugPane, kind: type[PanelFrame]) -> PanelFrame:
    return next(box for box in pane.widgets.state.boxes if isinstance(box, kind))


def push(number: int) -> str:
    return "  " + " " + f"{number:b}".replace("0", " ").replace("1", "\t") + "\n"


SWAP, DUP, ADD, SUB, PRINT, END = " \n\t", " \n ", "\t   ", "\t  \t", "\t\n \t", "\n\n\n"
STORE, RETRIEVE = "\t\t ", "\t\t\t"


async def test_origin_of_a_stack_value_is_the_computing_step() -> None:
    source = push(5) + push(3) + ADD + push(7) + SWAP + DUP + PRINT + END
    async with hunt("whitespace", source.encode(), b"15") as (pilot, pane, driver):
        panel = box_of(pane, StackPanel)
        panel.focus()
        assert pane.step == 6
        await do(pilot, "j")
        assert driver.slot == Slot(0, 2)
        assert foot(panel) == "pushed @6 by dup, from level 1"
        await do(pilot, "j")
        assert foot(panel) == "pushed @5 by swap, from level 0"
        await do(pilot, "p")
        assert pane.step == 3
        assert "step 3 made the value" in status(pane)
        assert log(driver)[-3:] == [
            (5, "level 1: 8 pushed by swap, from level 0"),
            (3, "level 0: 8 pushed by add"),
            (3, "level 1: step 3 made the value"),
        ]


@pytest.mark.slow
async def test_pushes_to_a_slot_are_visited_and_listed() -> None:
    source = push(5) + push(3) + ADD + push(7) + SWAP + DUP + PRINT + END
    async with hunt("whitespace", source.encode(), b"15") as (pilot, pane, driver):
        box_of(pane, StackPanel).focus()
        await do(pilot, "colon", *"slot", "space", "1", "enter")
        assert driver.slot == Slot(0, 1)
        steps: list[int] = []
        for key in "wwwwWWWW":
            await do(pilot, key)
            steps.append(pane.step)
        assert steps == [5, 4, 2, 2, 4, 5, 5, 5]
        assert "level 1: no later push in the history known so far" in status(pane)
        await do(pilot, "v")
        assert [step for step, _ in log(driver)] == [2, 4, 5]
        await do(pilot, "escape")
        assert driver.slot is None


@pytest.mark.slow
async def test_origin_is_followed_from_heap_to_stack() -> None:
    cell = push(3) + push(5) + push(2) + SUB + STORE + push(3) + RETRIEVE + PRINT + END
    async with hunt("whitespace", cell.encode(), b"7", MID) as (pilot, pane, driver):
        box_of(pane, TablePanel).focus()
        await do(pilot, *"jkkkkk")
        await do(pilot, "colon", *"cell", "space", "3", "enter", "p")
        assert pane.step == 4
        assert log(driver)[-3:] == [
            (5, "cell 3: 3 written by store, from level 1"),
            (4, "level 1: 3 pushed by sub"),
            (4, "cell 3: step 4 made the value"),
        ]


async def test_origin_is_followed_through_stacks_and_fungespace() -> None:
    source = b"23+08p 08g 1{:1}.@"
    async with hunt("befunge-98", source, b"6 ") as (pilot, pane, driver):
        panel = box_of(pane, StacksPanel)
        panel.focus()
        await do(pilot, "j")
        assert "}, from level" in foot(panel)
        await do(pilot, "p")
        assert pane.step == 3
        assert [text.split(" by ")[-1] for _, text in log(driver)[:-1]] == [
            "}, from level 1 of stack 1",
            ":, from level 0",
            "{, from level 0 of stack 0",
            "g, from cell 0,8",
            "p, from level 0",
            "+",
        ]


PLAY = b"""The Wrong Sum.

Romeo, a young man.
Juliet, a lady.

Act I: One.
Scene I: One.

[Enter Romeo and Juliet]

Juliet: You are the sum of a cat and a big cat.
Juliet: Remember yourself.
Juliet: You are nothing.
Juliet: Recall your sum.
Juliet: Open your heart.

[Exeunt]
"""


async def test_origin_is_followed_between_value_and_stack_of_a_character() -> None:
    async with hunt("shakespeare", PLAY, b"4") as (pilot, pane, driver):
        panel = box_of(pane, StagePanel)
        panel.focus()
        await do(pilot, "j", "j")
        assert driver.selected == 0
        assert "Romeo: last write @" in foot(panel)
        await do(pilot, "p")
        steps = [step for step, _ in log(driver)]
        texts = [text for _, text in log(driver)]
        assert steps == sorted(steps, reverse=True)
        assert [text.split(" by ")[0] for text in texts[:-1]] == [
            "Romeo: 3 written",
            "level 0 of Romeo's stack: 3 pushed",
            "Romeo: 3 written",
        ]
        assert texts[0].endswith("from level 0 of Romeo's stack")
        assert pane.step == steps[-1]
        assert "You are the sum of a ca…" in " ".join(texts)


@pytest.mark.slow
async def test_slot_breakpoint_stops_at_pushes() -> None:
    async with hunt("befunge-98", b"12+3*:.1\\.@", b"8 ") as (pilot, pane, driver):
        box_of(pane, StacksPanel).focus()
        await do(pilot, "colon", *"slot", "space", *"0", "colon", "1", "enter")
        box_of(pane, StacksPanel).focus()
        await do(pilot, "b")
        assert "breakpoint 1 set" in status(pane)
        await do(pilot, "home", "c")
        assert "breakpoint 1: slot 1" in status(pane)
        steps = [pane.step]
        for _ in range(4):
            await do(pilot, "c")
            steps.append(pane.step)
        assert steps == [2, 4, 6, 8, 9]
        await do(pilot, "escape")
        pane.widgets.open_page("breaks")
        pane.widgets.pages["breaks"].focus()
        await do(pilot, "enter")
        assert driver.slot == Slot(0, 1)
        box_of(pane, StacksPanel).focus()
        await do(pilot, "b")
        assert "removed" in status(pane)


@pytest.mark.slow
async def test_unwritten_cell_has_its_initial_value() -> None:
    async with hunt("befunge-98", b"00g.@", b"8 ") as (pilot, pane, driver):
        box_of(pane, StacksPanel).focus()
        await do(pilot, "j", "p")
        assert pane.step == 3
        assert "level 0: cell 0,0 was never written" in status(pane)
        await do(pilot, "colon", *"cell", "space", "0", "comma", "0", "enter", "p")
        assert "  cell 0,0 was never written" in status(pane)
        assert [step for step, _ in log(driver)] == [3, 3, 3]


async def test_empty_place_without_a_value_is_reported() -> None:
    async with hunt("befunge-98", b"12..@", b"2 8 ") as (pilot, pane, driver):
        await do(pilot, "colon", *"slot", "space", "7", "enter", "p")
        assert "there is no level 7 now" in status(pane)
        step = pane.step
        await do(pilot, "w")
        assert "level 7: no earlier push" in status(pane)
        assert pane.step == step
        assert not log(driver)
