"""Messages of the pane: sentences, sizes, themes, and unavailable actions."""

from __future__ import annotations

import pytest
from debug_app import (
    MID,
    NARROW,
    WIDE,
    PaneApp,
    do,
    inside,
    keys_shown,
    program,
    settle,
    status,
    text_of,
)
from selection import slow_except
from textual.widgets import Input

from esoplay.tui.debug.breakpoint_editor import BreakpointsPage
from esoplay.tui.debug.pane import DebugPane

COUNT = b"+++[>++<-]>."
"""Prints byte 6 at its end; loops three times."""
ECHO = b",[.,]"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("b cell[", "not an expression such as"),
        ("frob", "unknown command 'frob'"),
        ("brek 3", "did you mean break or"),
        pytest.param("o 99", "has not been printed", marks=pytest.mark.slow),
        pytest.param("d 7", "no breakpoint 7", marks=pytest.mark.slow),
        pytest.param(
            "b at 1:99", "line 1 column 99 is outside the program", marks=pytest.mark.slow
        ),
        ("b at label foo", "'label foo' is not an offset such as 12"),
        pytest.param("set 0 999", "999", marks=pytest.mark.slow),
    ],
)
async def test_command_errors_are_shown(line: str, said: str) -> None:
    async with program(COUNT) as (pilot, pane, _):
        await do(pilot, "colon")
        pane.query_one(Input).value = line
        await do(pilot, "enter")
        assert said in status(pane)
        await do(pilot, "l")
        assert pane.step == 1


async def test_the_end_at_a_limit_names_the_limit() -> None:
    async with program(b"+[.]") as (pilot, pane, _):
        await do(pilot, "G")
        await settle(pilot)
        assert "LIMIT" in status(pane)
        (line,) = text_of(pane.widgets.explanation)
        assert line.strip().startswith("end")
        assert "the output limit ends the run here" in line


@pytest.mark.slow
async def test_empty_pane_shows_a_message_and_accepts_all_keys() -> None:
    pane = DebugPane()
    app = PaneApp(pane)
    async with app.run_test(size=NARROW) as pilot:
        pane.focus()
        await do(pilot, *"lhnNfFcCtTgGjkbBwWvoixrz5lz", "space", "plus", "percent_sign", "m", "a")
        assert "EMPTY" in status(pane)
        assert not pane.has_program
        assert not pane.stop_running()


async def test_a_program_without_instructions_offers_a_template() -> None:
    async with program(b"just a comment") as (_, pane, _app):
        assert "nothing to run" in status(pane)
        assert "^p “Load the sample” adds a program" in status(pane)


@pytest.mark.parametrize("size", slow_except([(60, 13), NARROW, MID, WIDE, (40, 8)], NARROW, WIDE))
async def test_every_size_has_a_layout(size: tuple[int, int]) -> None:
    async with program(COUNT, size=size) as (pilot, pane, _):
        await do(pilot, "l")
        assert "step 1" in status(pane)
        await pilot.resize_terminal(100, 30)
        await do(pilot, "l")
        assert "step 2/26" in status(pane)
        bottom = pane.widgets.timeline.region.bottom
        assert bottom == pane.region.bottom == 29
        assert keys_shown(pane).startswith("l/h step ")


@pytest.mark.slow
async def test_box_can_be_maximised() -> None:
    async with program(COUNT) as (pilot, pane, _):
        height = pane.widgets.program.size.height
        await do(pilot, "z")
        assert pane.widgets.program.size.width == 80
        assert pane.widgets.program.size.height > height
        await do(pilot, "l")
        assert pane.step == 1
        await do(pilot, "escape")
        assert pane.widgets.program.size.height == height


async def test_themes_can_change_while_a_program_is_open() -> None:
    async with program(COUNT) as (pilot, pane, app):
        before = pane.widgets.status.render_line(0)
        app.theme = "textual-light"
        await settle(pilot)
        assert pane.widgets.status.render_line(0) != before
        assert pane.widgets.status.render_line(0).text == before.text


@pytest.mark.slow
async def test_step_sends_few_bytes() -> None:
    async with program(b"+" * 20 + b"[>+>++<<-]>[.-]" * 3) as (pilot, _, app):
        sizes: list[int] = []
        for _each in range(40):
            app.wire.sent = 0
            await do(pilot, "l")
            sizes.append(app.wire.sent)
        assert max(sizes) <= 2048


async def test_unknown_dialect_is_reported() -> None:
    pane = DebugPane()
    app = PaneApp(pane)
    async with app.run_test(size=NARROW) as pilot:
        pane.open("brainfuck", COUNT, b"", None, "nonsense")
        await settle(pilot)
        assert "ERROR" in status(pane)
        assert "nonsense" in status(pane)


@pytest.mark.slow
async def test_long_status_continues_above_the_timeline() -> None:
    async with program(b"++[>+<-]", b"", b"x") as (pilot, pane, _):
        await do(pilot, "colon", *"compare", "space", *"foo", "enter")
        status, rest = text_of(pane.widgets.status)[0], text_of(pane.widgets.explanation)[0]
        whole = status.rstrip().removesuffix(" …") + rest.rstrip().removeprefix(" …")
        assert "l/h step" in keys_shown(pane)
        assert whole.endswith(
            "compare: expected input TEXT, file PATH, dialect NAME, option NAME=VALUE, or `other`"
        )
        await do(pilot, "l")
        assert "next" in text_of(pane.widgets.explanation)[0]


async def test_empty_list_wraps_its_sentence() -> None:
    page = BreakpointsPage()
    async with PaneApp(page).run_test(size=(40, 7)):
        assert " ".join(inside(page)).split() == page.empty_text().split()


async def test_missing_bytes_are_reported() -> None:
    async with program(b"++[>+<-]", b"", b"") as (pilot, pane, _):
        await do(pilot, "i")
        assert "the input is empty: no step has read a byte" in text_of(pane.widgets.status)[0]
        await do(pilot, "o")
        assert "no wrong byte" in text_of(pane.widgets.status)[0]
        pane.widgets.open_page("out")
        await do(pilot, "o")
        assert "no printed byte to go to" in text_of(pane.widgets.status)[0]


@pytest.mark.slow
async def test_selection_by_command_is_reported() -> None:
    async with program(b"++[>+<-]", b"", b"x") as (pilot, pane, _):
        await do(pilot, "colon", *"nonsense", "enter")
        await do(pilot, "colon", *"cell", "space", "3", "enter")
        assert text_of(pane.widgets.status)[0].startswith(" PAUSED  cell 3 selected")


@pytest.mark.slow
async def test_tab_and_requested_pages_replace_a_maximised_box() -> None:
    async with program(b"++[>+<-]", b"", b"x") as (pilot, pane, _):
        parts = pane.widgets
        await do(pilot, "z", "tab")
        first = parts.state.boxes[0]
        assert first.has_focus
        assert first.size == (80, 18)
        assert not parts.program.display
        await do(pilot, "shift+tab")
        assert parts.program.has_focus
        assert not first.size
        await do(pilot, "A")
        assert parts.notes.has_focus
        assert parts.notes.size.height > 10
        await do(pilot, "right_curly_bracket")
        assert parts.diagnosis.has_focus
        assert not parts.notes.display
        await do(pilot, "l", "z")
        assert pane.step == 1
        assert not parts.is_zoomed
        assert parts.program.size
        assert parts.diagnosis.size


async def test_tab_completes_commands_and_arguments() -> None:
    async with program(COUNT) as (pilot, pane, _):
        await do(pilot, "colon", *"expl", "tab")
        assert pane.query_one(Input).value == "explain "
        pane.query_one(Input).value = ""
        await do(pilot, *"compare di", "tab")
        assert pane.query_one(Input).value == "compare dialect "


@pytest.mark.slow
async def test_completions_are_hidden_with_the_prompt() -> None:
    async with program(COUNT) as (pilot, pane, _):
        for key in ("escape", "enter"):
            await do(pilot, "colon", "tab")
            assert "checkpoint" in pane.time.notice
            await do(pilot, key)
            assert pane.time.notice == ""
        await do(pilot, "colon", *"print 7", "enter")
        assert pane.time.notice == "7 is 7"


async def test_commands_of_a_breakpoint_run_when_a_key_reaches_it() -> None:
    async with program(COUNT) as (pilot, pane, _):
        pane.commands.run("tbreak 3")
        pane.commands.run("commands 1 print cell[0] * 2")
        await do(pilot, "c")
        assert pane.step > 0
        assert pane.time.target is not None
        assert any("cell[0] * 2 is " in entry.text for entry in pane.time.target.log)
        assert not pane.time.target.debugger.breakpoints


async def test_a_long_answer_opens_the_log() -> None:
    async with program(COUNT) as (pilot, pane, _):
        await do(pilot, "colon", *"help", "enter")
        assert pane.widgets.log_page.display
        assert any("travel in time" in row for row in inside(pane.widgets.log_page)) or (
            pane.time.target is not None
            and any("travel in time" in entry.text for entry in pane.time.target.log)
        )
