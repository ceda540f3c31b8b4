"""The widgets of a source and its variables, without a running program."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from debug_app import PaneApp, inside, make_snapshot, settle, text_of
from hypothesis import given, settings
from hypothesis import strategies as st
from sorting_program import INPUT, sort_in
from textual.geometry import Offset
from textual.pilot import Pilot

from esoplay.codegen.source_map import MappedSpan, SourceMap
from esoplay.debugging.debugger import Breakpoint, BreakpointSpec, Debugger
from esoplay.debugging.heat import heat
from esoplay.debugging.locations import breakpoint_text, parse_breakpoint
from esoplay.debugging.source_maps import SourceHeat, SourceLineHeat, SourceVariable
from esoplay.tui.debug.canvas import PanelFrame
from esoplay.tui.debug.heat_map import HeatMode, LineHeatMap
from esoplay.tui.debug.source_position import SourcePosition, cell_addresses, variable_rows
from esoplay.tui.debug.source_view import SourceView, VariablesList


def a_snapshot(
    text: str, line: int | None, variables: tuple[SourceVariable, ...] = (), **more: object
) -> SourcePosition:
    source_map = SourceMap("", "made.py", text, (), {})
    here = None if line is None else MappedSpan(0, 1, line, "label")
    values: dict[str, object] = {"previous_variables": (), **more}
    return SourcePosition(source_map, here, variables, **values)  # pyright: ignore[reportArgumentType]


@asynccontextmanager
async def shown(widget: PanelFrame) -> AsyncGenerator[Pilot[None]]:
    async with PaneApp(widget).run_test(size=(40, 12)) as pilot:
        await settle(pilot)
        yield pilot


TEXT = "".join(f"line_{number} = {number}\n" for number in range(1, 41))


async def test_the_source_marks_the_line_its_breakpoints_and_its_heat() -> None:
    view = SourceView()
    async with shown(view) as pilot:
        sourced = a_snapshot(TEXT, 5)
        view.open(sourced.source_map)
        view.show_granularity(True)
        at_two = _stand_in(BreakpointSpec(source_line=2))
        idle = _stand_in(BreakpointSpec(source_line=3, enabled=False))
        view.show(make_snapshot(source_position=sourced, breakpoints=(at_two, idle)))
        rows = inside(view)
        assert rows[1].startswith("●  2 line_2")
        assert rows[2].startswith("○  3 line_3")
        assert rows[4].startswith(" ▶ 5 line_5")
        assert "made.py by line" in text_of(view)[0]
        assert "line 5" in text_of(view)[0]
        # a line far below comes into view
        view.show(make_snapshot(source_position=a_snapshot(TEXT, 35)))
        assert any(row.startswith(" ▶35 ") for row in inside(view))
        # the cursor stays where it is put, the search finds lines, also round the end
        view.set_cursor(4)
        assert view.cursor == 4
        assert view.find(b"_4")
        assert view.cursor == 40
        assert view.find()
        assert view.cursor == 4
        assert view.find(backwards=True)
        assert view.cursor == 40
        assert not view.find(b"nothing of this")
        view.set_cursor(None)
        assert view.cursor == 35
        await pilot.pause()


async def test_clicks_put_the_cursor_and_breakpoints() -> None:
    clicked: list[int] = []

    class Hearing(PaneApp):
        def on_source_view_gutter_clicked(self, event: SourceView.GutterClicked) -> None:
            clicked.append(event.line)

    view = SourceView()
    async with Hearing(view).run_test(size=(40, 12)) as pilot:
        sourced = a_snapshot(TEXT, 1)
        view.open(sourced.source_map)
        view.show(make_snapshot(source_position=sourced))
        await pilot.pause()
        await pilot.click(view, offset=Offset(12, 4))
        assert view.cursor == 4
        await pilot.click(view, offset=Offset(1, 6))
        await pilot.pause()
    assert clicked == [6]


async def test_variables_are_listed_and_arrays_can_be_folded() -> None:
    def variable(name: str, value: int, text: str = "") -> SourceVariable:
        return SourceVariable(name, value, text or str(value), (f"cell[{value}]",))

    now = (
        variable("c of read_int", 3),
        variable("n", 65, "65 'A'"),
        *(variable(f"word[{at}]", value) for at, value in enumerate(b"hey\0\0\0")),
    )
    before = (variable("n", 64, "64 '@'"), *now[2:])
    page = VariablesList()
    async with shown(page) as pilot:
        page.show(
            make_snapshot(source_position=a_snapshot(TEXT, 1, now, previous_variables=before))
        )
        rows = inside(page)
        assert rows[0].split() == ["›", "n", "65", "'A'", "was", "64", "'@'"]
        assert rows[1].split() == ["▸word[6]", '"hey"', "0", "…"]
        assert rows[2].strip().startswith("c of read_int")
        page.focus()
        page.select(1)
        page.choose()
        rows = inside(page)
        assert [row.split()[-1] for row in rows[2:8]] == ["104", "101", "121", "0", "0", "0"]
        page.choose()
        assert len([row for row in inside(page) if row]) == 3
        page.show(make_snapshot(source_position=a_snapshot(TEXT, 1)))
        assert "has no variables" in " ".join(inside(page))
        await pilot.pause()


def test_addresses_of_variables_are_parsed() -> None:
    assert cell_addresses(("cell[12]", "cell[-3, 4]", "juliet")) == (12, (-3, 4))


@given(st.lists(st.integers(0, 255), min_size=1, max_size=60))
@settings(max_examples=30, deadline=None)
def test_array_is_shown_in_one_row(values: list[int]) -> None:
    """The text spells the start of the array, and only repeated ends are left out."""
    variables = tuple(SourceVariable(f"a[{at}]", v, str(v), ()) for at, v in enumerate(values))
    (row,) = variable_rows(a_snapshot("", 1, variables), ())
    assert row.name == f"a[{len(values)}]"
    told = row.text.removesuffix(" …")
    text = ""
    if told.startswith('"'):
        quoted, _, told = told[1:].rpartition('"')
        text = quoted
    spelled = [*map(ord, text), *map(int, told.split())]
    assert spelled == values[: len(spelled)]
    if row.text.endswith(" …") and len(spelled) < 40:
        assert set(values[len(spelled) - 1 :]) == {spelled[-1]}
    elif not row.text.endswith(" …"):
        assert len(spelled) == len(values)


def _stand_in(spec: BreakpointSpec) -> Breakpoint:
    """A breakpoint as it is shown, without a program that has such a line."""
    breakpoint = object.__new__(Breakpoint)
    breakpoint.spec = spec
    breakpoint.locations = frozenset()
    return breakpoint


def test_a_breakpoint_on_a_line_is_read_as_it_is_written() -> None:
    debugger = a_debugger()
    debugger.use_map(sort_in("brainfuck").source_map)
    for text in ("line 7", "line 7 if step > 3", "backwards line 12 log at {step}"):
        spec = parse_breakpoint(debugger, text)
        assert breakpoint_text(spec, debugger.program.source) == text


def a_debugger() -> Debugger:
    return Debugger.open("brainfuck", sort_in("brainfuck").source, stdin=INPUT, closed=True)


def test_line_heat_levels_depend_on_the_mode() -> None:
    debugger = a_debugger()
    debugger.seek(100)
    lines = SourceHeat(
        100, (SourceLineHeat(1, 9, 9, 1, 1, 100), SourceLineHeat(2, 0, 0, 0, 1, 0)), (2,)
    )
    count = LineHeatMap(HeatMode.COUNT, lines, heat(debugger))
    assert (count.digit(1), count.digit(2), count.digit(3)) == ("9", "0", " ")
    never = LineHeatMap(HeatMode.NEVER, lines, heat(debugger))
    assert (never.digit(1), never.digit(2)) == (" ", "0")
    assert "50%" in never.legend
    last = LineHeatMap(HeatMode.LAST, lines, heat(debugger))
    assert (last.digit(1), last.digit(2)) == ("9", "0")
