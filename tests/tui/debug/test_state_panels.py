"""The widgets of the state column except the plane, with frozen panels."""

from __future__ import annotations

from typing import Any

import pytest
from debug_app import PaneApp, inside, make_snapshot, make_view, settle, text_of
from panel_app import HEAP, LOW, PANEL, Listener, plane, segments, snapshot_of, underlined

from esolangs.view import (
    Actor,
    CallStack,
    Frame,
    Panel,
    Pointer,
    Stack,
    StackOfStacks,
    Stage,
    Table,
    Term,
)
from esoplay.debugging.debugger import CellWrite
from esoplay.tui.debug.debug_snapshot import LastWrite
from esoplay.tui.debug.state.calls_panel import CallsPanel
from esoplay.tui.debug.state.column import StateColumn
from esoplay.tui.debug.state.panel_box import PanelBox
from esoplay.tui.debug.state.plane import GridPanel
from esoplay.tui.debug.state.stacks import StackPanel, StacksPanel
from esoplay.tui.debug.state.stage_panel import StagePanel
from esoplay.tui.debug.state.table_panel import TablePanel
from esoplay.tui.debug.state.term_panel import TermPanel

STACK = Stack("stack", (72, 10, -3, "1.5e300 (999 bits)"), 9)


async def test_stack_is_a_list_in_a_tall_panel() -> None:
    panel = StackPanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(snapshot_of(STACK), STACK)
        assert inside(panel)[:5] == [
            "  top 72  H",
            "    1 10  ␊",
            "    2 -3",
            "    3 1.5e300 (999 bits)",
            " … and 5 more below",
        ]
        assert "depth 9" in text_of(panel)[0]


async def test_stack_is_running_text_in_a_small_panel() -> None:
    stack = Stack("stack", tuple(range(30)), 40)
    panel = StackPanel()
    async with PaneApp(panel).run_test(size=LOW):
        panel.show(snapshot_of(stack), stack)
        assert inside(panel)[0].startswith("top 0 1 2 3")
        assert inside(panel)[1].endswith("…")


async def test_values_pushed_or_changed_are_underlined() -> None:
    before, after = Stack("stack", (5, 6, 7), 3), Stack("stack", (9, 5, 8, 7), 4)
    panel = StackPanel()
    async with PaneApp(panel).run_test(size=LOW):
        panel.show(snapshot_of(after, before), after)
        assert underlined(panel) == ["9", "8"]


async def test_stacks_use_the_number_base() -> None:
    panel = StackPanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(snapshot_of(STACK), STACK)
        panel.cycle_base()
        assert [row.split()[1] for row in inside(panel)[:4]] == ["48", "0a", "-3", "1.5e300"]
        panel.cycle_base()
        assert [row.split()[1] for row in inside(panel)[:4]] == ["H", "␊", "-3", "1.5e300"]


async def test_empty_stack_is_reported() -> None:
    empty = Stack("stack", (), 0)
    panel = StackPanel()
    async with PaneApp(panel).run_test(size=LOW):
        panel.show(snapshot_of(empty), empty)
        assert inside(panel)[0] == " empty"


async def test_stacks_of_stacks_show_the_innermost_first_and_the_others_below() -> None:
    stacks = (Stack("TOSS", tuple(range(60)), 99), Stack("SOSS", (1, 2), 2), Stack("3", (), 0))
    tower = StackOfStacks("stacks", stacks, 3)
    panel = StacksPanel()
    async with PaneApp(panel).run_test(size=(48, 8)):
        panel.show(snapshot_of(tower), tower)
        rows = inside(panel)
        assert rows[0].startswith(" TOSS 0 1 2 3")
        assert rows[3].endswith("…")
        assert rows[4] == " SOSS 1 2"
        assert rows[5] == "    3 empty"
        assert "3 stacks, depth 99" in text_of(panel)[0]


async def test_a_new_stack_on_top_does_not_make_the_others_look_changed() -> None:
    old = StackOfStacks("stacks", (Stack("a", (1, 2), 2),), 1)
    new = StackOfStacks("stacks", (Stack("b", (), 0), Stack("a", (1, 3), 2)), 2)
    panel = StacksPanel()
    async with PaneApp(panel).run_test(size=LOW):
        panel.show(snapshot_of(new, old), new)
        assert underlined(panel) == ["3"]


async def test_a_table_marks_the_current_row() -> None:
    panel = TablePanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(snapshot_of(HEAP), HEAP)
        assert inside(panel)[:5] == [
            " address  value",
            " -2                     7",
            "▸0                     65",
            " 3        9e99 (330 bits)",
            " … 2 more",
        ]


async def test_the_current_row_is_visible() -> None:
    rows = tuple((at, at * at) for at in range(40))
    panel = TablePanel()
    async with PaneApp(panel).run_test(size=PANEL):
        for current in (0, 30, 2):
            table = Table("heap", ("address", "value"), rows, 40, current)
            panel.show(snapshot_of(table), table)
            assert any(row.startswith(f"▸{current} ") for row in inside(panel))
        unused = Table("heap", ("address", "value"), (), 0)
        panel.show(snapshot_of(unused), unused)
        assert inside(panel)[0] == " every cell is 0"


async def test_rows_of_memory_are_selected_by_their_address() -> None:
    panel = TablePanel()
    app = Listener(panel)
    async with app.run_test(size=PANEL) as pilot:
        panel.show(snapshot_of(HEAP, selected_cell=-2, is_user_selected=True), HEAP)
        assert inside(panel)[1].startswith("›-2")
        await pilot.click(panel, offset=(4, 4))
        panel.move(rows=1)
        await settle(pilot)
        assert app.selected == [3, 0]


async def test_memory_larger_than_the_table_is_selected_beyond_its_rows() -> None:
    panel = TablePanel()
    app = Listener(panel)
    async with app.run_test(size=PANEL) as pilot:
        few = HEAP._replace(rows=((5, 0), (6, 0)), size=9, current=None)
        for selected, rows in ((6, 1), (5, -1)):
            panel.show(snapshot_of(few, selected_cell=selected, is_user_selected=True), few)
            panel.move(rows=rows)
        await settle(pilot)
        assert app.selected == [7, 4]


async def test_the_last_write_of_a_cell_of_memory_is_named() -> None:
    write = LastWrite(0, CellWrite(1200, 1, 65, (0, 1), 0))
    panel = TablePanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(
            snapshot_of(HEAP, selected_cell=0, is_user_selected=True, last_write=write), HEAP
        )
        assert "cell 0: last write @1,200" in text_of(panel)[0]


async def test_table_without_memory_scrolls() -> None:
    rows = tuple((f"row {at}", at) for at in range(40))
    table = Table("pointers", ("name", "value"), rows, 40)
    panel = TablePanel()
    app = Listener(panel)
    async with app.run_test(size=PANEL) as pilot:
        panel.show(snapshot_of(table), table)
        panel.move(rows=5)
        await pilot.click(panel, offset=(4, 3))
        await settle(pilot)
        assert inside(panel)[0].startswith(" row 4")
        assert app.selected == []


async def test_new_rows_and_values_are_underlined() -> None:
    before = HEAP._replace(rows=((-2, 7), (0, 64)), size=2)
    after = HEAP._replace(rows=((-2, 7), (0, 65), (9, 1)), size=3)
    panel = TablePanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(snapshot_of(after, before), after)
        assert underlined(panel) == ["65", "1"]


async def test_the_redex_is_bracketed_and_in_view() -> None:
    text = "`" * 700 + "ki" + "s" * 700
    term = Term("term", text, (700, 702))
    panel = TermPanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(snapshot_of(term), term)
        shown = "".join(row.strip() for row in inside(panel))
        assert "`⟦ki⟧s" in shown
        marked = [s for y in range(1, 9) for s in segments(panel, y) if s.text == "⟦ki⟧"]
        assert len(marked) == 1


async def test_a_term_without_a_redex_is_plain() -> None:
    term = Term("term", "`k\n", None)
    panel = TermPanel()
    async with PaneApp(panel).run_test(size=LOW):
        panel.show(snapshot_of(term), term)
        assert inside(panel)[0] == " `k␊"


def actor(name: str, value: int, role: str = "", *values: int, on_stage: bool = True) -> Actor:
    return Actor(name, value, Stack(name, values, len(values)), on_stage, role)


STAGE = Stage(
    "stage",
    "Act I",
    "Scene II",
    (
        actor("Ophelia", 0, on_stage=False),
        actor("Romeo", 42, "speaker"),
        actor("The Ghost", -7, ""),
        actor("Juliet", 5, "addressee", 3, 4),
    ),
    None,
)


async def test_stage_describes_speaker_and_addressee() -> None:
    panel = StagePanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(snapshot_of(STAGE), STAGE)
        assert inside(panel)[:6] == [
            " Act I, Scene II",
            " no question asked so far",
            " speaks   Romeo         42",
            " listens  Juliet         5  stack 2: 3 4",
            " on stage The Ghost     -7",
            "          Ophelia        0",
        ]
        assert "3 of 4 on stage" in text_of(panel)[0]


async def test_long_names_of_act_and_scene_break_between_words() -> None:
    scene = "Scene I: In which the Ghost of a former king counts all that is rotten."
    long = STAGE._replace(act="Act I: The insults and the flattery of Denmark.", scene=scene)
    panel = StagePanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(snapshot_of(long), long)
        rows = inside(panel)
        last = rows.index(" no question asked so far")
        assert last > 1
        assert " ".join(" ".join(rows[:last]).split()) == f"{long.act}, {long.scene}"
        assert rows[last + 1].split()[:2] == ["speaks", "Romeo"]
        place = panel.places()[0]
        assert panel.find_row(place) == last + 1
        assert panel.place_at(last + 1, 0) == place


async def test_values_and_answers_that_changed_on_stage_are_marked() -> None:
    actors = (*STAGE.actors[:3], actor("Juliet", 6, "addressee", 9, 3, 4))
    after = STAGE._replace(actors=actors, condition=False)
    panel = StagePanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(snapshot_of(after, STAGE), after)
        assert inside(panel)[1] == " last answer: no"
        assert underlined(panel) == ["6", "9"]
        panel.cycle_base()
        assert "2a" in inside(panel)[2]


async def test_calls_and_loops_have_different_labels() -> None:
    calls = CallStack("calls", (Frame("label ST", (3, 9), 2, 1, 1),), 1)
    panel = CallsPanel()
    async with PaneApp(panel).run_test(size=LOW):
        panel.show(snapshot_of(calls), calls)
        assert inside(panel)[0] == " C1 label ST at 2:1"
        empty = CallStack("calls", (), 0)
        panel.show(snapshot_of(empty), empty)
        assert inside(panel)[0] == " no calls"


@pytest.mark.parametrize(
    ("panel", "box"),
    [
        (plane("abc"), GridPanel),
        (STACK, StackPanel),
        (StackOfStacks("stacks", (STACK,), 1), StacksPanel),
        (HEAP, TablePanel),
        (Term("term", "`ki", (0, 3)), TermPanel),
        (STAGE, StagePanel),
    ],
)
@pytest.mark.parametrize("size", [(2, 2), (3, 3), (10, 4), (200, 60)])
async def test_every_panel_can_be_drawn_at_every_size(
    panel: Panel, box: type[PanelBox], size: tuple[int, int]
) -> None:
    widget = box()
    async with PaneApp(widget).run_test(size=size) as pilot:
        widget.show(snapshot_of(panel, panel, selected_cell=0), panel)
        for _each in range(3):
            widget.cycle_base()
            widget.move(rows=1, columns=1)
        await settle(pilot)
        assert len(text_of(widget)) == size[1]
        assert all(len(row) == size[0] for row in text_of(widget))


async def test_focus_stays_when_panels_change() -> None:
    column = StateColumn()
    one = plane("abc")
    pointers = Table("pointers", ("id", "x"), ((0, 1), (1, 2)), 2, 0)
    async with PaneApp(column).run_test(size=(48, 30)) as pilot:
        column.show(snapshot_of(one))
        await settle(pilot)
        grid = column.plane
        assert grid is not None
        grid.focus()
        both = make_snapshot(make_view(panels=(one, pointers)))
        assert column.show(both)
        assert not column.show(both)
        await settle(pilot)
        assert [type(box) for box in column.boxes] == [GridPanel, TablePanel]
        assert column.plane is grid
        assert column.show(snapshot_of(one))
        await settle(pilot)
        assert column.boxes == [grid]
        assert grid.has_focus
        assert column.show(snapshot_of(STAGE))
        await settle(pilot)
        assert [type(box) for box in column.boxes] == [StagePanel]


async def test_unknown_panel_type_is_shown() -> None:
    column = StateColumn()
    async with PaneApp(column).run_test(size=(48, 30)) as pilot:
        unknown: Any = Pointer(3, (4, 5), (1, 0), (0, 0), True)
        column.show(snapshot_of(unknown))
        await settle(pilot)
        assert any("4 5" in row for row in inside(column.boxes[0]))


async def test_selected_row_is_scrolled_into_a_small_panel() -> None:
    rows = tuple((at, at * at) for at in range(40))
    panel = TablePanel()
    async with PaneApp(panel).run_test(size=LOW):
        table = Table("heap", ("address", "value"), rows, 40, 0)
        for selected in (30, 7):
            panel.show(snapshot_of(table, selected_cell=selected, is_user_selected=True), table)
            assert any(row.startswith(f"›{selected} ") for row in inside(panel))
        panel.first_row = 0  # scrolled by hand: it stays so while the selection does
        panel.show(snapshot_of(table, selected_cell=7, is_user_selected=True), table)
        assert inside(panel)[1].startswith("▸0 ")
