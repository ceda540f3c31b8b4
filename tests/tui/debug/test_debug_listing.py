"""The disassembly of Whitespace: what it shows, linked to the bytes below it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from debug_app import MID, NARROW, WIDE, PaneApp, do, inside, settle, status, text_of
from textual.pilot import Pilot

from esolangs.whitespace.assembly import assemble
from esoplay.codegen.source_map import MappedSpan, SourceMap, digest
from esoplay.tui.debug.listing_view import ListingView
from esoplay.tui.debug.pane import DebugPane

TEXT = b"""\
push 3
label S
dup
call STS
push 1
sub
dup
jz T
jump S
label T
end
label STS
push 72
printc
printn
return
"""
SOURCE = assemble(TEXT).source


@asynccontextmanager
async def shown(
    source: bytes = SOURCE, size: tuple[int, int] = MID, source_map: SourceMap | None = None
) -> AsyncIterator[tuple[Pilot[None], DebugPane]]:
    pane = DebugPane(id="debug")
    async with PaneApp(pane).run_test(size=size) as pilot:
        pane.open("whitespace", source, b"", None, "standard", source_map=source_map)
        pane.focus()
        await settle(pilot)
        yield pilot, pane


def rows(pane: DebugPane) -> list[str]:
    return inside(pane.widgets.listing)


async def test_listing_shows_addresses_numbers_labels_and_jump_targets() -> None:
    async with shown() as (pilot, pane):
        assert pane.widgets.focused_box is pane.widgets.listing
        found = rows(pane)
        assert found[:4] == [
            " ▶ 0   push     3",
            "   6 L1:  (S)",
            "  11   dup",
            "  14   call     L3 → 51  (STS)",
        ]
        assert "  43 L2:  (T)" in found
        assert "  58   push     72 'H'" in found
        assert " next   push 3 " in text_of(pane.widgets.explanation)[0]
        await do(pilot, *"llll")
        assert " next   label L3 (STS) " in text_of(pane.widgets.explanation)[0]
        assert rows(pane)[11] == " ▶51 L3:  (STS)"
        assert "call 1 has not returned" in rows(pane)[3]
        assert "call depth 1" in text_of(pane.widgets.listing)[-1]
        calls = next(box for box in pane.widgets.state.boxes if "calls" in text_of(box)[0])
        assert inside(calls)[0].startswith(" C1 L3 at ")


@pytest.mark.parametrize("size", [NARROW, MID, WIDE])
async def test_listing_gets_more_rows_than_the_bytes(size: tuple[int, int]) -> None:
    async with shown(size=size) as (pilot, pane):
        listing, raw = pane.widgets.listing, pane.widgets.program
        assert listing.size.height >= 3 * (raw.size.height if raw.display else 1)
        assert raw.display is (size != NARROW)
        names = [text_of(box)[0] for box in pane.widgets.state.boxes]
        assert not [name for name in names if " code " in name]
        await do(pilot, "Y")
        assert (listing.display, raw.display, pane.widgets.focused_box) == (False, True, raw)
        await do(pilot, "Y")
        assert (listing.display, pane.widgets.focused_box) == (True, listing)


async def test_listing_and_bytes_share_the_cursor() -> None:
    async with shown() as (pilot, pane):
        listing, raw = pane.widgets.listing, pane.widgets.program
        await do(pilot, "j", "j", "j")
        assert raw.cursor == 14
        assert rows(pane)[3].startswith(" ›14 ")
        raw.set_cursor(59)
        await settle(pilot)
        assert rows(pane)[12].startswith(" ›58 ")
        await do(pilot, "k")
        assert raw.cursor == 51
        await do(pilot, "escape")
        assert raw.cursor == 0
        assert rows(pane)[0].startswith(" ▶ 0 ")
        await pilot.click(listing, offset=(10, 4))
        assert raw.cursor == 14


async def test_partner_key_follows_jumps_in_both_directions() -> None:
    async with shown() as (pilot, pane):
        raw = pane.widgets.program
        await do(pilot, "j", "j", "j", "percent_sign")
        assert raw.cursor == 51
        await do(pilot, "percent_sign")
        assert raw.cursor == 14
        await do(pilot, "k", "percent_sign")
        assert raw.cursor == 11
        assert "not on a jump" in status(pane)


async def test_key_and_mouse_set_breakpoints_in_listing_and_bytes() -> None:
    async with shown() as (pilot, pane):
        await do(pilot, "j", "j", "b")
        assert rows(pane)[2].startswith("● 11") or rows(pane)[2].startswith("●›11")
        await pilot.click(pane.widgets.listing, offset=(1, 13))
        await settle(pilot)
        assert rows(pane)[12].startswith("● 58")
        assert [spec.spec.offset for spec in pane.time.target.debugger.breakpoints] == [11, 58]  # type: ignore[union-attr]
        await do(pilot, "escape", "c")
        assert pane.step == 2
        await do(pilot, "c")
        assert rows(pane)[12].startswith("●▶58")
        await pilot.click(pane.widgets.program, offset=(1, 1))
        await settle(pilot)
        assert len(pane.time.target.debugger.breakpoints) in (1, 3)  # type: ignore[union-attr]


async def test_search_matches_mnemonics() -> None:
    async with shown() as (pilot, pane):
        await do(pilot, "slash", *"printc", "enter")
        assert pane.widgets.program.cursor == SOURCE.index(b"\t\n  ")
        await do(pilot, "slash", *"nothing", "enter")
        assert "not in the program" in status(pane)


async def test_listing_shows_heat() -> None:
    async with shown() as (pilot, pane):
        await do(pilot, "G", "e")
        assert rows(pane)[0].startswith("   0 1   push")
        assert any(row.startswith("  11 ") and row[5] in "23458789" for row in rows(pane))


async def test_listing_shows_source_lines() -> None:
    span = MappedSpan(0, 6, 7, "n = 3")
    source_map = SourceMap(digest(SOURCE), "count.py", "pass\n" * 7, [span])
    async with shown(size=WIDE, source_map=source_map) as (_, pane):
        assert pane.widgets.listing.display
        assert rows(pane)[0].endswith("line 7: n = 3")


async def test_listing_ends_at_the_parse_error() -> None:
    wrong = assemble(b"push 1\ndup").source + b"\t\n\n"
    async with shown(wrong) as (_, pane):
        found = rows(pane)
        assert found[1] == "   5   dup"
        assert found[2].startswith(" ✖10 TLL does not begin an instruction")
        assert "PARSE ERROR" in status(pane)


async def test_listing_is_hidden_for_other_languages_and_after_closing() -> None:
    async with shown() as (pilot, pane):
        pane.open("brainfuck", b"+.", b"", None, "standard", is_other_program=True)
        await settle(pilot)
        assert (pane.widgets.listing.display, pane.widgets.program.display) == (False, True)
        assert pane.widgets.program.size.height == pane.widgets.state.size.height
        pane.close()
        await settle(pilot)
        assert not pane.widgets.listing.is_open


async def test_step_composes_only_visible_rows() -> None:
    """100,000 instructions: a step asks for the rows on the screen, whatever the size."""
    source = assemble(b"push 1\ndiscard\n").source * 50_000
    async with shown(source, MID) as (pilot, pane):
        view: ListingView = pane.widgets.listing
        listing = view.listing
        assert listing is not None
        assert len(listing) == 100_000
        made: list[int] = []
        row = listing.row
        listing.row = lambda at: made.append(at) or row(at)  # type: ignore[method-assign]
        await do(pilot, "l")
        assert 0 < len(made) < 20 * view.inner_height
        await do(pilot, "G")
        assert pane.step == 100_000
