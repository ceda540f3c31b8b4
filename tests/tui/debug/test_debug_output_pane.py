"""The output pane: its cursor, the step that printed a byte, and where its value comes from."""

from __future__ import annotations

import pytest
from debug_app import NARROW, WIDE, do, inside, keys_shown, program, settle, status, text_of

ECHO = b",[.,]"
TEXT = "hé\nworld".encode()
"""Bytes 0 h, 1-2 é, 3 newline, 4-8 world; byte n is printed by step 4n+3."""


def foot(rows: list[str]) -> str:
    return rows[-1]


@pytest.mark.slow
async def test_keys_move_the_cursor_by_characters_and_never_step() -> None:
    async with program(ECHO, TEXT) as (pilot, pane, _):
        output = pane.widgets.output
        await do(pilot, "G", "P")
        here = pane.step
        assert output.has_focus
        assert output.cursor == 8
        positions: list[int | None] = []
        keys = ("home", "right", "right", "right", "left", "left", "down", "up", "end", "pageup")
        for key in (*keys, "pagedown", "4", "left"):
            await do(pilot, key)
            if key != "4":
                positions.append(output.cursor)
        assert positions == [0, 1, 3, 4, 3, 1, 5, 1, 8, 3, 6, 1]
        assert pane.step == here


async def test_the_byte_at_the_cursor_is_named() -> None:
    async with program(ECHO, TEXT) as (pilot, pane, _):
        await do(pilot, "G", "P", "home", "right")
        assert "byte 1: 0xc3, byte 1 of 'é', printed by step 7" in foot(
            text_of(pane.widgets.output)
        )
        await do(pilot, "r", "right")
        assert "byte 2: 0xa9, byte 2 of 'é', printed by step 11" in foot(
            text_of(pane.widgets.output)
        )


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_enter_goes_before_the_printing_step(size: tuple[int, int]) -> None:
    async with program(ECHO, TEXT, size=size) as (pilot, pane, _):
        await do(pilot, "G", "P", "home", "right", "enter")
        assert pane.step == 6
        assert pane.widgets.output.has_focus
        assert pane.widgets.output.cursor == 1
        assert "print cell 0" in text_of(pane.widgets.explanation)[0]
        await do(pilot, "l")
        assert pane.time.target is not None
        assert pane.time.target.snapshot.view.output_length == 2


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_p_lists_the_chain_of_a_byte_and_enter_opens_a_link(size: tuple[int, int]) -> None:
    async with program(b",>+++++.<.", b"x", size=size) as (pilot, pane, _):
        log = pane.widgets.log_page
        await do(pilot, "G", "P", "p")
        assert pane.step == 10
        assert log.has_focus
        rows = [row.lstrip("› ") for row in inside(log)]
        start = rows.index("@9  step 10 printed it with . at 1:10, from cell 0, which held 120")
        assert rows[start + 1] == "@0  step 1 read 120 from the input into cell 0 by , at 1:1"
        await do(pilot, "enter")
        assert pane.step == 9
        await do(pilot, "j", "enter")
        assert pane.step == 0
        await do(pilot, "escape")
        assert pane.widgets.output.has_focus
        assert pane.widgets.output.cursor == 1
        await do(pilot, "left", "p")
        assert "from cell 1, which held 5" in "\n".join(inside(log))


@pytest.mark.slow
async def test_whole_chain_is_visible_and_its_end_has_no_step() -> None:
    async with program(b"+>.", b"", size=NARROW) as (pilot, pane, _):
        log = pane.widgets.log_page
        await do(pilot, "G", *["P", "p"] * 6)
        rows = [row.rstrip() for row in inside(log)]
        start = next(at for at, row in enumerate(rows) if row.startswith("› @2  step 3 printed"))
        end = next(at for at, row in enumerate(rows[start:], start) if "was never written" in row)
        assert not any("@" in row for row in rows[start + 1 : end + 1])
        assert log.selected - log.first_row == start


async def test_p_refers_to_the_byte_not_the_selected_cell() -> None:
    async with program(b"++>+++.", b"") as (pilot, pane, _):
        await do(pilot, "G", "colon", *"cell", "space", "0", "enter", "P", "p")
        log = "\n".join(inside(pane.widgets.log_page))
        assert "from cell 1, which held 3" in log
        assert "cell 0" not in log
        assert "byte 0, 0x03" in status(pane)


async def test_one_key_focuses_the_output_and_returns() -> None:
    async with program(ECHO, TEXT) as (pilot, pane, _):
        await do(pilot, "G")
        for leave in ("P", "escape"):
            await do(pilot, "P")
            assert pane.widgets.output.has_focus
            hints = keys_shown(pane)
            assert "Enter step that printed it" in hints
            assert "Esc leave" in hints
            await do(pilot, leave)
            assert pane.widgets.program.has_focus
            assert "Enter step that printed it" not in keys_shown(pane)
        assert pane.widgets.output.cursor is None


async def test_keys_report_missing_output() -> None:
    async with program(b"+", b"") as (pilot, pane, _):
        await do(pilot, "P", "right", "end")
        assert pane.step == 0
        await do(pilot, "p")
        assert "has not printed anything yet" in status(pane)


async def test_count_is_shown_with_the_keys_that_can_follow() -> None:
    async with program(ECHO, TEXT) as (pilot, pane, _):
        await do(pilot, "1", "6")
        hints = keys_shown(pane)
        assert "16…" in hints
        assert "G to step 16" in hints
        await do(pilot, "escape")
        assert "16" not in keys_shown(pane)
        await do(pilot, "2", "l", "m", "a", "apostrophe")
        assert "a step 2" in status(pane)
        await settle(pilot)


async def test_output_mode_is_reported_without_output() -> None:
    async with program(b"+", b"") as (pilot, pane, _):
        await do(pilot, "r")
        assert "output is shown as hex" in status(pane)
