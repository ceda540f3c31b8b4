"""Breakpoints that are set on comments, by key, by mouse and by command."""

from __future__ import annotations

from debug_app import do, inside, program, settle, status

SOURCE = b"+ one\n\nand\n- two"


async def test_key_on_a_comment_toggles_the_next_instruction() -> None:
    async with program(SOURCE) as (pilot, pane, _):
        pane.widgets.program.set_cursor(3)
        await do(pilot, "b")
        assert "breakpoint 1 set at 4:1, the next instruction after the comment" in status(pane)
        assert inside(pane.widgets.program)[3].startswith("●")
        await do(pilot, "b")
        assert "breakpoint 1 removed at 4:1" in status(pane)


async def test_gutter_click_on_a_comment_toggles_the_next_instruction() -> None:
    async with program(SOURCE) as (pilot, pane, _):
        await pilot.click(pane.widgets.program, offset=(1, 3))
        await settle(pilot)
        assert "breakpoint 1 set at 4:1" in status(pane)


async def test_no_breakpoint_after_the_last_instruction() -> None:
    async with program(SOURCE) as (pilot, pane, _):
        pane.widgets.program.set_cursor(14)
        await do(pilot, "b")
        assert "no instruction found at the cursor or after it" in status(pane)


async def test_break_command_uses_the_cursor() -> None:
    async with program(SOURCE) as (pilot, pane, _):
        pane.widgets.program.set_cursor(3)
        await do(pilot, "colon", "b", "enter")
        target = pane.time.target
        assert target is not None
        assert [each.spec.offset for each in target.debugger.breakpoints] == [11]
        assert "breakpoint 1: at 4:1, moved to the next instruction after the comment" in status(
            pane
        )
        assert "moved to the next instruction" in target.log[-1].text
