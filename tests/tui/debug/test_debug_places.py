"""Places on stacks and in casts: selecting and describing them."""

from __future__ import annotations

import pytest
from debug_app import PaneApp, inside, make_snapshot, make_view, text_of
from panel_app import foot
from textual.widget import Widget

from esolangs.stops import Address, Slot
from esolangs.view import Actor, Grid, Panel, Pointer, Stack, StackOfStacks, Stage
from esoplay.debugging.locations import slot_below_top
from esoplay.debugging.provenance import ValueWrite
from esoplay.errors import UsageError
from esoplay.tui.debug.debug_snapshot import DebugSnapshot, LastValueWrite
from esoplay.tui.debug.state.panel_box import PanelBox
from esoplay.tui.debug.state.plane import GridPanel
from esoplay.tui.debug.state.stacks import StackPanel, StacksPanel
from esoplay.tui.debug.state.stage_panel import StagePanel
from esoplay.tui.debug.viewport import MAX_DEPTH, Viewport

HIGH, LOW = (48, 10), (48, 5)
STACK = Stack("stack", (72, 10, -3), 9, 4)
TOWER = StackOfStacks("stacks", (Stack("TOSS", (7, 88), 2, 1), Stack("SOSS", (5,), 1, 0)), 2)


class Listener(PaneApp):
    """Stores which places were selected."""

    def __init__(self, widget: Widget) -> None:
        super().__init__(widget)
        self.selected: list[Address | Slot] = []

    def on_panel_box_slot_selected(self, event: PanelBox.SlotSelected) -> None:
        self.selected.append(event.slot)

    def on_panel_box_selected(self, event: PanelBox.Selected) -> None:
        self.selected.append(event.address)


def snapshot_of(
    panel: Panel, slot: Slot | None = None, put: ValueWrite | None = None
) -> DebugSnapshot:
    known = None if slot is None else LastValueWrite(slot, put)
    return make_snapshot(make_view(panels=(panel,)), selected_slot=slot, last_value_write=known)


def put_by(instruction: str, place: Slot, source: Address | Slot | None = None) -> ValueWrite:
    return ValueWrite(1204, place, (0, 1), 0, instruction, source)


async def test_the_values_of_a_stack_are_selected_from_the_top_down() -> None:
    panel = StackPanel()
    app = Listener(panel)
    async with app.run_test(size=HIGH) as pilot:
        panel.show(snapshot_of(STACK), STACK)
        panel.move(rows=1)
        panel.show(snapshot_of(STACK, Slot(4, 8)), STACK)
        panel.move(rows=1)
        panel.move(rows=-1)
        panel.move(rows=7)
        await pilot.click(panel, offset=(5, 3))
        assert app.selected == [Slot(4, 8), Slot(4, 7), Slot(4, 8), Slot(4, 1), Slot(4, 6)]
        assert inside(panel)[:3] == ["› top 72  H", "    1 10  ␊", "    2 -3"]


async def test_selected_value_of_running_text_is_between_marks() -> None:
    panel = StackPanel()
    app = Listener(panel)
    async with app.run_test(size=LOW) as pilot:
        panel.show(snapshot_of(STACK, Slot(4, 7)), STACK)
        assert inside(panel)[0] == "top 72‹10›-3 …"
        await pilot.click(panel, offset=(5, 1))  # the first digit of 72
        await pilot.click(panel, offset=(11, 1))  # the minus of -3
        await pilot.click(panel, offset=(7, 1))  # between two values
        assert app.selected == [Slot(4, 8), Slot(4, 6)]


async def test_stack_footer_names_the_pushing_step() -> None:
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


def foot_of(panel: StackPanel, slot: Slot, put: ValueWrite | None) -> str:
    panel.show(snapshot_of(STACK, slot, put), STACK)
    return foot(panel)


async def test_a_long_sentence_leaves_room_for_the_step() -> None:
    panel, slot = StackPanel(), Slot(4, 7)
    put = put_by("Remember the sum of a summer's day and a rose.", slot, Slot(2, 3))
    async with PaneApp(panel).run_test(size=(36, 6)):
        panel.show(snapshot_of(STACK, slot, put), STACK)
        assert foot(panel) == "pushed @1,204"
        assert len(text_of(panel)[-1]) == 36


async def test_selection_continues_in_the_stack_below() -> None:
    panel = StacksPanel()
    app = Listener(panel)
    async with app.run_test(size=LOW) as pilot:
        panel.show(snapshot_of(TOWER, Slot(1, 0)), TOWER)
        assert inside(panel)[:2] == [" TOSS 7‹88›", " SOSS 5"]
        panel.move(columns=1)
        panel.move(columns=-1)
        await pilot.click(panel, offset=(7, 2))
        assert app.selected == [Slot(0, 0), Slot(1, 1), Slot(0, 0)]
        panel.show(snapshot_of(TOWER, Slot(0, 0), put_by("{", Slot(0, 0))), TOWER)
        assert inside(panel)[1] == " SOSS‹5›"
        assert foot(panel) == "level 0: pushed @1,204 by {"


async def test_a_value_deep_in_a_tall_stack_is_brought_into_view() -> None:
    tall = Stack("TOSS", tuple(range(500, 600)), 100, 0)
    tower = StackOfStacks("stacks", (tall, Stack("SOSS", (5,), 1, 1)), 2)
    panel = StacksPanel()
    async with PaneApp(panel).run_test(size=(30, 7)):
        panel.show(snapshot_of(tower, Slot(0, 10)), tower)
        assert any("‹589›" in row for row in inside(panel))
        assert any("SOSS 5" in row for row in inside(panel))
    listed = StackPanel()
    async with PaneApp(listed).run_test(size=HIGH):
        listed.show(snapshot_of(tall, Slot(0, 10)), tall)
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


async def test_values_and_stacks_of_characters_are_selected() -> None:
    panel = StagePanel()
    app = Listener(panel)
    async with app.run_test(size=HIGH) as pilot:
        panel.show(snapshot_of(STAGE), STAGE)
        panel.move(rows=1)
        chosen = make_snapshot(make_view(panels=(STAGE,)), selected_cell=1, is_user_selected=True)
        panel.show(chosen, STAGE)
        assert inside(panel)[2] == "›speaks   Juliet      5  stack 2: 30 4"
        assert foot(panel) == "Juliet"
        panel.move(rows=1)
        panel.show(snapshot_of(STAGE, Slot(1, 1)), STAGE)
        assert inside(panel)[2] == " speaks   Juliet      5  stack 2:‹30›4"
        panel.move(rows=2)
        await pilot.click(panel, offset=(5, 4))
        await pilot.click(panel, offset=(38, 3))
        assert app.selected == [1, Slot(1, 1), 0, 0, Slot(1, 0)]


async def test_slot_differs_from_cell_with_equal_numbers() -> None:
    pointer = Pointer(0, (2, 0), (1, 0), (0, 0), True)
    grid = Grid("fungespace", 0, 0, ((49, 50, 64),), (0, 0), (2, 0), (pointer,), (), ())
    panel = GridPanel()
    async with PaneApp(panel).run_test(size=HIGH):
        panel.show(make_snapshot(make_view(panels=(grid,)), selected_cell=(2, 0)), grid)
        plain = [list(panel.render_line(y)) for y in range(4)]
        snapshot = make_snapshot(
            make_view(panels=(grid,)), selected_cell=(2, 0), selected_slot=Slot(0, 0)
        )
        panel.show(snapshot, grid)
        assert [list(panel.render_line(y)) for y in range(4)] == plain


def test_view_includes_the_selected_slot() -> None:
    sight = Viewport()
    view = make_view(panels=(Stack("stack", (1,) * 32, 40_000, 0),))
    sight.adjust(view)
    assert not sight.adjust(view)
    sight.reveal_slot(Slot(0, 39_900))
    assert sight.adjust(view)
    assert sight.window.depth == 100
    assert not sight.adjust(view)
    sight.reveal_slot(Slot(0, 0))
    assert sight.adjust(view)
    assert sight.window.depth == MAX_DEPTH
    sight.reveal_slot(None)
    assert sight.window.depth == sight.capacity.depth


def test_slots_are_named_from_the_top() -> None:
    tower, play = make_view(panels=(TOWER,)), make_view(panels=(STAGE,))
    assert slot_below_top(tower, 0) == Slot(1, 1)
    assert slot_below_top(tower, 1) == Slot(1, 0)
    with pytest.raises(UsageError, match="only 2 values"):
        slot_below_top(tower, 2)
    with pytest.raises(UsageError, match="only 0 values"):  # Romeo is the addressee
        slot_below_top(play, 0)
    with pytest.raises(UsageError, match="no stacks"):
        slot_below_top(make_view(), 0)
