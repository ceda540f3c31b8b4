"""Places on stacks and in casts: selecting them, what is said of them, and hunting bugs by them."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from debug_app import MID, NARROW, PaneApp, do, inside, make_moment, make_view, settle, text_of
from textual.pilot import Pilot
from textual.widget import Widget

from esolangs.stops import Address, Slot
from esolangs.view import Actor, Grid, Panel, Pointer, Stack, StackOfStacks, Stage
from esoplay.errors import UsageError
from esoplay.service.puts import Put
from esoplay.tui.debug import DebugPane
from esoplay.tui.debug.box import Box
from esoplay.tui.debug.driver import Driver
from esoplay.tui.debug.moment import LastPut, Moment, slot_of
from esoplay.tui.debug.sight import DEEPEST, Sight
from esoplay.tui.debug.state.grid_panel import GridPanel
from esoplay.tui.debug.state.panel_box import PanelBox
from esoplay.tui.debug.state.slots_box import SlotsBox
from esoplay.tui.debug.state.stack_panel import StackPanel
from esoplay.tui.debug.state.stacks_panel import StacksPanel
from esoplay.tui.debug.state.stage_panel import StagePanel
from esoplay.tui.debug.state.table_panel import TablePanel

HIGH, LOW = (48, 10), (48, 5)
STACK = Stack("stack", (72, 10, -3), 9, 4)
TOWER = StackOfStacks("stacks", (Stack("TOSS", (7, 88), 2, 1), Stack("SOSS", (5,), 1, 0)), 2)


class Listener(PaneApp):
    """Keeps which places were selected."""

    def __init__(self, widget: Widget) -> None:
        super().__init__(widget)
        self.selected: list[Address | Slot] = []

    def on_slots_box_slot_selected(self, event: SlotsBox.SlotSelected) -> None:
        self.selected.append(event.slot)

    def on_panel_box_selected(self, event: PanelBox.Selected) -> None:
        self.selected.append(event.address)


def moment_of(panel: Panel, slot: Slot | None = None, put: Put | None = None) -> Moment:
    known = None if slot is None else LastPut(slot, put)
    return make_moment(make_view(panels=(panel,)), slot=slot, last_put=known)


def put_by(instruction: str, place: Slot, source: Address | Slot | None = None) -> Put:
    return Put(1204, place, (0, 1), 0, instruction, source)


def foot(box: Box) -> str:
    return text_of(box)[-1].strip("╰╯─ ")


async def test_the_values_of_a_stack_are_selected_from_the_top_down() -> None:
    panel = StackPanel()
    app = Listener(panel)
    async with app.run_test(size=HIGH) as pilot:
        panel.show(moment_of(STACK), STACK)
        panel.move(rows=1)
        panel.show(moment_of(STACK, Slot(4, 8)), STACK)
        panel.move(rows=1)
        panel.move(rows=-1)
        panel.move(rows=7)
        await pilot.click(panel, offset=(5, 3))
        assert app.selected == [Slot(4, 8), Slot(4, 7), Slot(4, 8), Slot(4, 1), Slot(4, 6)]
        assert inside(panel)[:3] == ["› top 72  H", "    1 10  ␊", "    2 -3"]


async def test_a_value_of_running_text_stands_between_marks() -> None:
    panel = StackPanel()
    app = Listener(panel)
    async with app.run_test(size=LOW) as pilot:
        panel.show(moment_of(STACK, Slot(4, 7)), STACK)
        assert inside(panel)[0] == "top 72‹10›-3 …"
        await pilot.click(panel, offset=(5, 1))  # the first digit of 72
        await pilot.click(panel, offset=(11, 1))  # the minus of -3
        await pilot.click(panel, offset=(7, 1))  # between two values
        assert app.selected == [Slot(4, 8), Slot(4, 6)]


async def test_the_foot_of_a_stack_says_which_step_pushed_the_selected_value() -> None:
    panel, slot = StackPanel(), Slot(4, 7)
    async with PaneApp(panel).run_test(size=LOW):
        told = {
            foot_of(panel, slot, put)
            for put in (
                None,
                put_by("add", slot),
                put_by("dup", slot, Slot(4, 3)),
                put_by("dup", slot, Slot(0, 3)),
                put_by("'", slot, (3, -4)),
            )
        }
        assert told == {
            "level 7: nothing pushed so far",
            "level 7: pushed @1,204 by add",
            "pushed @1,204 by dup, from level 3",
            "pushed @1,204, from level 3 of stack 0",
            "pushed @1,204 by ', from cell 3,-4",
        }
        assert foot_of(panel, Slot(4, 20), None) == "level 20 (empty): nothing pushed so far"
        assert foot_of(panel, Slot(5, 2), None) == ""  # of another stack


def foot_of(panel: StackPanel, slot: Slot, put: Put | None) -> str:
    panel.show(moment_of(STACK, slot, put), STACK)
    return foot(panel)


async def test_a_long_sentence_leaves_room_for_the_step() -> None:
    panel, slot = StackPanel(), Slot(4, 7)
    put = put_by("Remember the sum of a summer's day and a rose.", slot, Slot(2, 3))
    async with PaneApp(panel).run_test(size=(36, 6)):
        panel.show(moment_of(STACK, slot, put), STACK)
        assert foot(panel) == "pushed @1,204"
        assert len(text_of(panel)[-1]) == 36


async def test_the_selection_goes_on_from_one_stack_to_the_one_below() -> None:
    panel = StacksPanel()
    app = Listener(panel)
    async with app.run_test(size=LOW) as pilot:
        panel.show(moment_of(TOWER, Slot(1, 0)), TOWER)
        assert inside(panel)[:2] == [" TOSS 7‹88›", " SOSS 5"]
        panel.move(columns=1)
        panel.move(columns=-1)
        await pilot.click(panel, offset=(7, 2))
        assert app.selected == [Slot(0, 0), Slot(1, 1), Slot(0, 0)]
        panel.show(moment_of(TOWER, Slot(0, 0), put_by("{", Slot(0, 0))), TOWER)
        assert inside(panel)[1] == " SOSS‹5›"
        assert foot(panel) == "level 0: pushed @1,204 by {"


async def test_a_value_deep_in_a_tall_stack_is_brought_into_view() -> None:
    tall = Stack("TOSS", tuple(range(500, 600)), 100, 0)
    tower = StackOfStacks("stacks", (tall, Stack("SOSS", (5,), 1, 1)), 2)
    panel = StacksPanel()
    async with PaneApp(panel).run_test(size=(30, 7)):
        panel.show(moment_of(tower, Slot(0, 10)), tower)
        assert any("‹589›" in row for row in inside(panel))
        assert any("SOSS 5" in row for row in inside(panel))
    listed = StackPanel()
    async with PaneApp(listed).run_test(size=HIGH):
        listed.show(moment_of(tall, Slot(0, 10)), tall)
        assert any(row.startswith("›  89 589") for row in inside(listed))


STAGE = Stage(
    "stage",
    "Act I",
    "Scene I",
    (
        Actor("Romeo", 4, Stack("Romeo", (), 0, 0), True, "addressee"),
        Actor("Juliet", 5, Stack("Juliet", (30, 4), 2, 1), True, "speaker"),
    ),
    None,
)


async def test_what_a_character_holds_and_remembers_is_selected() -> None:
    panel = StagePanel()
    app = Listener(panel)
    async with app.run_test(size=HIGH) as pilot:
        panel.show(moment_of(STAGE), STAGE)
        panel.move(rows=1)
        chosen = make_moment(make_view(panels=(STAGE,)), selected=1, chosen=True)
        panel.show(chosen, STAGE)
        assert inside(panel)[2] == "›speaks   Juliet      5  stack 2: 30 4"
        assert foot(panel) == "Juliet"
        panel.move(rows=1)
        panel.show(moment_of(STAGE, Slot(1, 1)), STAGE)
        assert inside(panel)[2] == " speaks   Juliet      5  stack 2:‹30›4"
        panel.move(rows=2)
        await pilot.click(panel, offset=(5, 4))
        await pilot.click(panel, offset=(38, 3))
        assert app.selected == [1, Slot(1, 1), 0, 0, Slot(1, 0)]


async def test_a_slot_is_not_mistaken_for_the_cell_of_the_same_numbers() -> None:
    pointer = Pointer(0, (2, 0), (1, 0), (0, 0), True)
    grid = Grid("fungespace", 0, 0, ((49, 50, 64),), (0, 0), (2, 0), (pointer,), (), ())
    panel = GridPanel()
    async with PaneApp(panel).run_test(size=HIGH):
        panel.show(make_moment(make_view(panels=(grid,)), selected=(2, 0)), grid)
        plain = [list(panel.render_line(y)) for y in range(4)]
        moment = make_moment(make_view(panels=(grid,)), selected=(2, 0), slot=Slot(0, 0))
        panel.show(moment, grid)
        assert [list(panel.render_line(y)) for y in range(4)] == plain


def test_a_view_goes_as_deep_as_the_slot_asked_about() -> None:
    sight = Sight()
    view = make_view(panels=(Stack("stack", (1,) * 32, 40_000, 0),))
    sight.adjust(view)
    assert not sight.adjust(view)
    sight.reveal_slot(Slot(0, 39_900))
    assert sight.adjust(view)
    assert sight.window.depth == 100
    assert not sight.adjust(view)
    sight.reveal_slot(Slot(0, 0))
    assert sight.adjust(view)
    assert sight.window.depth == DEEPEST
    sight.reveal_slot(None)
    assert sight.window.depth == sight.room.depth


def test_slots_are_named_by_stack_and_level_or_from_the_top() -> None:
    tower, play = make_view(panels=(TOWER,)), make_view(panels=(STAGE,))
    assert slot_of(tower, None, -1) == Slot(1, 1)
    assert slot_of(tower, None, -2) == Slot(1, 0)
    assert slot_of(tower, 0, 5) == Slot(0, 5)
    with pytest.raises(UsageError, match="has 2 values"):
        slot_of(tower, None, -3)
    with pytest.raises(UsageError, match="has 0 values"):  # Romeo is the one who is told
        slot_of(play, None, -1)
    with pytest.raises(UsageError, match="no stacks"):
        slot_of(make_view(), None, -1)


# In the whole pane: from a wrong output to its cause.


@asynccontextmanager
async def hunt(
    language_id: str, source: bytes, expected: bytes, size: tuple[int, int] = NARROW
) -> AsyncGenerator[tuple[Pilot[None], DebugPane, Driver]]:
    """The program at the step before the one that printed the first wrong byte."""
    pane = DebugPane(id="debug")
    async with PaneApp(pane).run_test(size=size) as pilot:
        pane.open(language_id, source, b"", expected, "standard")
        pane.focus()
        await settle(pilot)
        await do(pilot, "G", "o", "h")
        driver = pane.navigator.driver
        assert driver is not None
        yield pilot, pane, driver


def status(pane: DebugPane) -> str:
    return text_of(pane.parts.status)[0]


def log(driver: Driver) -> list[tuple[int, str]]:
    lines = [(entry.step, entry.text) for entry in driver.log]
    return [line for line in lines if line[1] != "the program ended"]


def box_of(pane: DebugPane, kind: type[Box]) -> Box:
    return next(box for box in pane.parts.state.boxes if isinstance(box, kind))


def push(number: int) -> str:
    return "  " + " " + f"{number:b}".replace("0", " ").replace("1", "\t") + "\n"


SWAP, DUP, ADD, SUB, PRINT, END = " \n\t", " \n ", "\t   ", "\t  \t", "\t\n \t", "\n\n\n"
STORE, RETRIEVE = "\t\t ", "\t\t\t"


async def test_a_hunt_on_a_stack_ends_at_the_step_that_computed_the_value() -> None:
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


async def test_pushes_to_a_slot_are_gone_through_and_listed() -> None:
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
        assert "no later push so far: level 1" in status(pane)
        await do(pilot, "v")
        assert [step for step, _ in log(driver)] == [2, 4, 5]
        await do(pilot, "escape")
        assert driver.slot is None


async def test_a_hunt_on_a_table_goes_through_the_heap_to_the_stack() -> None:
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


async def test_a_hunt_on_stacks_of_stacks_goes_through_blocks_and_fungespace() -> None:
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


async def test_a_hunt_on_a_stage_goes_from_mind_to_memory_and_back() -> None:
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


async def test_a_breakpoint_on_a_slot_stops_where_something_is_put_there() -> None:
    async with hunt("befunge-98", b"12+3*:.1\\.@", b"8 ") as (pilot, pane, driver):
        box_of(pane, StacksPanel).focus()
        await do(pilot, "colon", *"slot", "space", *"0", "colon", "1", "enter")
        box_of(pane, StacksPanel).focus()
        await do(pilot, "b")
        assert "breakpoint 1 set" in status(pane)
        await do(pilot, "g", "c")
        assert "breakpoint 1: slot 1" in status(pane)
        steps = [pane.step]
        for _ in range(4):
            await do(pilot, "c")
            steps.append(pane.step)
        assert steps == [2, 4, 6, 8, 9]
        await do(pilot, "escape")
        pane.parts.open_page("breaks")
        pane.parts.pages["breaks"].focus()
        await do(pilot, "enter")
        assert driver.slot == Slot(0, 1)
        box_of(pane, StacksPanel).focus()
        await do(pilot, "b")
        assert "removed" in status(pane)


async def test_a_cell_that_the_program_never_wrote_has_what_it_began_with() -> None:
    async with hunt("befunge-98", b"00g.@", b"8 ") as (pilot, pane, driver):
        box_of(pane, StacksPanel).focus()
        await do(pilot, "j", "p")
        assert pane.step == 3
        assert "level 0: cell 0,0 was never written" in status(pane)
        await do(pilot, "colon", *"cell", "space", "0", "comma", "0", "enter", "p")
        assert "  cell 0,0 was never written" in status(pane)
        assert [step for step, _ in log(driver)] == [3, 3, 3]


async def test_the_value_of_an_empty_place_is_said_to_be_missing() -> None:
    async with hunt("befunge-98", b"12..@", b"2 8 ") as (pilot, pane, driver):
        await do(pilot, "colon", *"slot", "space", "7", "enter", "p")
        assert "there is no level 7 now" in status(pane)
        step = pane.step
        await do(pilot, "w")
        assert "no earlier push: level 7" in status(pane)
        assert pane.step == step
        assert not log(driver)
