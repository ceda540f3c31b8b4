"""The parts of a term on the screen: selecting them, and finding what made them."""

from __future__ import annotations

import pytest
from debug_app import MID, NARROW, PaneApp, do, inside, make_snapshot, make_view, settle, text_of
from hypothesis import given
from hypothesis import strategies as st
from selection import slow_except
from textual import on
from textual.pilot import Pilot

from esolangs.view import Term
from esoplay.debugging.provenance import TermCreation, TermOrigin
from esoplay.tui.debug.debug_snapshot import DebugSnapshot
from esoplay.tui.debug.pane import DebugPane
from esoplay.tui.debug.state.term_panel import (
    MarkedTerm,
    TermPanel,
    elide_part,
    neighbour,
    part_at,
    tree_rows,
)

PANEL = (40, 8)
# `.a``ki.b: 0 the whole, 1 .a, 2 ``ki.b, 3 `ki, 4 k, 5 i, 6 .b
TERM = Term("term", "`.a``ki.b", (3, 9), ((0, 9), (1, 3), (3, 9), (4, 7), (5, 6), (6, 7), (7, 9)))
PROGRAM = b"```s`k.a`ki.b"


def snapshot_of(
    term: Term, part: int | None = None, made: TermOrigin | None = None
) -> DebugSnapshot:
    return make_snapshot(make_view(panels=(term,)))._replace(selected_part=part, part_origin=made)


class PanelApp(PaneApp):
    """Stores which parts were chosen."""

    def __init__(self, panel: TermPanel) -> None:
        super().__init__(panel)
        self.chosen: list[int] = []

    @on(TermPanel.PartSelected)
    def keep(self, event: TermPanel.PartSelected) -> None:
        self.chosen.append(event.part)


@given(data=st.data(), text=st.text("`ksi", min_size=1, max_size=20))
def test_brackets_are_nested_and_hide_no_text(data: st.DataObject, text: str) -> None:
    def some_range() -> tuple[int, int] | None:
        start = data.draw(st.integers(0, len(text) - 1))
        return data.draw(st.none() | st.tuples(st.just(start), st.integers(start + 1, len(text))))

    redex, selected = some_range(), some_range()
    marked = MarkedTerm(text, redex, selected)
    plain = "".join(each for each in marked.text if each not in "⟦⟧‹›")
    assert plain == text
    for some, brackets in ((redex, "⟦⟧"), (selected, "‹›")):
        if some is not None:
            opened, closed = (marked.text.index(each) for each in brackets)
            within = marked.text[opened + 1 : closed]
            assert "".join(e for e in within if e not in "⟦⟧‹›") == text[slice(*some)]
    at = data.draw(st.integers(0, len(marked.text)))
    runs = list(marked.marked_runs(at, at + 7))
    assert "".join(piece for piece, _ in runs) == marked.text[at : at + 7]
    for shown, character in enumerate(marked.text):
        origin = marked.source_index(shown)
        assert origin is not None
        assert character in "⟦⟧‹›" or text[origin] == character
    assert marked.source_index(len(marked.text)) is None
    if redex == selected is not None:
        assert "⟦‹" in marked.text
        assert "›⟧" in marked.text


@pytest.mark.parametrize(
    ("part", "rows", "columns", "expected"),
    [
        (2, 0, 1, 3), (2, 0, -1, 0), (3, 1, 0, 6), (6, -1, 0, 3), (3, -1, 0, 2),
        (1, 1, 0, 2), (2, -1, 0, 1), (4, 0, 1, 4), (0, 0, -1, 0), (6, 1, 0, 6), (5, 1, 0, 6),
    ],
)  # fmt: skip
def test_parts_are_selected_by_keys(part: int, rows: int, columns: int, expected: int) -> None:
    assert neighbour(TERM.parts, part, rows=rows, columns=columns) == expected


def test_click_selects_the_innermost_part() -> None:
    assert [part_at(TERM.parts, at) for at in range(10)] == [0, 1, 1, 2, 3, 4, 5, 6, 6, None]


async def test_the_selected_part_has_brackets_inside_the_redex() -> None:
    panel = TermPanel()
    async with PanelApp(panel).run_test(size=PANEL):
        link = TermCreation(1204, (3, 4), "s", "```s`k.a`ki.b")
        panel.show(snapshot_of(TERM, 3, TermOrigin(3, "`ki", (link,), "more")), TERM)
        assert inside(panel)[0] == " `.a⟦`‹`ki›.b⟧"
        rows = text_of(panel)
        assert "part 3 of 7" in rows[0]
        assert "made @1,204 by s" in rows[-1]
        source = TermOrigin(1, ".a", (), "source", (6, 8), 1, 7)
        panel.show(snapshot_of(TERM, 1, source), TERM)
        assert "in the program at 1:7" in text_of(panel)[-1]
        panel.show(snapshot_of(TERM, 1), TERM)
        assert "p shows what made this part" in text_of(panel)[-1]
        panel.show(snapshot_of(TERM), TERM)
        assert inside(panel)[0] == " `.a⟦``ki.b⟧"
        assert "part" not in text_of(panel)[0]


async def test_keys_start_at_the_redex_and_click_selects_the_innermost() -> None:
    panel = TermPanel()
    app = PanelApp(panel)
    async with app.run_test(size=PANEL) as pilot:
        panel.show(snapshot_of(TERM), TERM)
        panel.move(rows=1)
        await pilot.pause()
        assert app.chosen == [2]
        panel.show(snapshot_of(TERM, 2), TERM)
        panel.move(columns=1)
        await pilot.click(panel, offset=(2 + len("`.a⟦`‹`"), 1))
        await pilot.click(panel, offset=(30, 1))
        await pilot.pause()
        assert app.chosen == [2, 3, 4]


@given(focus=st.integers(0, len(TERM.parts) - 1))
def test_tree_shows_ancestors_and_children(focus: int) -> None:
    low, high = TERM.parts[focus]
    rows = tree_rows(TERM.parts, focus)
    assert rows == sorted(rows)
    for part, (start, end) in enumerate(TERM.parts):
        around = start <= low and high <= end
        child = (
            part != focus
            and low <= start
            and end <= high
            and neighbour(TERM.parts, part, columns=-1) == focus
        )
        assert (part in rows) == (around or child)


@given(text=st.text("`ksi", min_size=3, max_size=40), data=st.data(), room=st.integers(6, 50))
def test_elided_part_shows_its_placeholder(text: str, data: st.DataObject, room: int) -> None:
    start = data.draw(st.integers(1, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    shown = elide_part(text, (0, len(text)), (start, end), room)
    assert len(shown) <= room
    left, hole, right = shown.partition("_")
    assert hole
    assert text[:start].startswith(left.removesuffix("…"))
    assert text[end:].startswith(right.removesuffix("…"))
    if len(text) - (end - start) < room:
        assert "…" not in shown


async def test_a_term_is_shown_as_a_tree() -> None:
    panel = TermPanel()
    app = PanelApp(panel)
    async with app.run_test(size=PANEL) as pilot:
        panel.show(snapshot_of(TERM), TERM)
        panel.toggle_tree()
        assert inside(panel)[:4] == [" `.a_", "  ⟦``ki.b⟧", "   `ki", "   .b"]
        panel.show(snapshot_of(TERM, 3), TERM)
        assert inside(panel)[:5] == [" `.a_", "  ⟦`_.b⟧", "  ›`ki", "    k", "    i"]
        await pilot.click(panel, offset=(12, 4))
        await pilot.pause()
        assert app.chosen == [4]
        assert "tree" in text_of(panel)[0]
        panel.toggle_tree()
        assert inside(panel)[0] == " `.a⟦`‹`ki›.b⟧"


async def opened(pane: DebugPane, pilot: Pilot[None]) -> TermPanel:
    pane.open("unlambda", PROGRAM, b"", b"a", "standard")
    await settle(pilot)
    return next(box for box in pane.widgets.state.boxes if isinstance(box, TermPanel))


@pytest.mark.slow
@pytest.mark.parametrize("size", slow_except([NARROW, MID], MID))
async def test_origin_of_a_term_is_followed(size: tuple[int, int]) -> None:
    pane = DebugPane()
    app = PaneApp(pane)
    async with app.run_test(size=size) as pilot:
        panel = await opened(pane, pilot)
        await do(pilot, "6", "l")
        panel.focus()
        await do(pilot, "j")
        assert "``ki.b" in text_of(panel)[1]
        assert "made @5 by s" in text_of(panel)[-1]
        await do(pilot, "w")
        assert pane.step == 5
        assert "‹```k.a.b``ki.b›" in "".join(inside(panel)).replace("⟦", "").replace("⟧", "")
        await do(pilot, "w")
        assert "p shows its origin" in text_of(pane.widgets.status)[0]
        await do(pilot, "p")
        assert pane.step == 4
        assert "⟦‹```s`k.a`ki.b›⟧" in inside(panel)[0]
        assert "in the program at 1:1" in text_of(panel)[-1]
        assert pane.time.target is not None
        log = [entry.text for entry in pane.time.target.log]
        assert "s applied in ```s`k.a`ki.b" in log
        await do(pilot, "p")
        assert pane.step == 4
        assert "is written in the program, at 1:1" in text_of(pane.widgets.status)[0]
        await do(pilot, "W")
        assert "w goes to the step that made it" in text_of(pane.widgets.status)[0]


@pytest.mark.slow
async def test_a_breakpoint_can_be_set_on_a_part_of_the_source() -> None:
    pane = DebugPane()
    async with PaneApp(pane).run_test(size=MID) as pilot:
        panel = await opened(pane, pilot)
        await do(pilot, "6", "l")
        panel.focus()
        await do(pilot, "j", "b")
        assert "a breakpoint needs a part of the source" in text_of(pane.widgets.status)[0]
        await do(pilot, "k", "b")
        assert pane.time.target is not None
        breakpoints = pane.time.target.debugger.breakpoints
        assert [each.spec.offset for each in breakpoints] == [PROGRAM.index(b".a")]
        await do(pilot, "b")
        assert not pane.time.target.debugger.breakpoints


async def test_a_selection_ends_with_its_term_and_with_escape() -> None:
    pane = DebugPane()
    async with PaneApp(pane).run_test(size=MID) as pilot:
        panel = await opened(pane, pilot)
        panel.focus()
        await do(pilot, "j")
        assert pane.time.target is not None
        assert pane.time.target.snapshot.selected_part is not None
        await do(pilot, "l")
        assert pane.time.target.snapshot.selected_part is None
        await do(pilot, "j", "v")
        assert pane.time.target.snapshot.selected_part is not None
        assert "is written in the program" in text_of(pane.widgets.status)[0]
        await do(pilot, "escape")
        assert pane.time.target.snapshot.selected_part is None
