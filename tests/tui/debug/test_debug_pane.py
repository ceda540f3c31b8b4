"""The whole pane with the real debugger: keys, clicks, tabs, states."""

from __future__ import annotations

import pytest
from debug_app import do, inside, keys_shown, program, settle, status, text_of
from textual.widgets import Input

COUNT = b"+++[>++<-]>."
"""Prints byte 6 at its end; loops three times."""
ECHO = b",[.,]"


@pytest.mark.parametrize(
    ("keys", "step"),
    [
        (("l",), 1),
        pytest.param(("right", "s", "f11"), 3, marks=pytest.mark.slow),
        (tuple("20l"), 20),
        pytest.param(("l", "l", "h"), 1, marks=pytest.mark.slow),
        (("l", "S"), 0),
        (("end",), 26),
        pytest.param(("G",), 26, marks=pytest.mark.slow),
        pytest.param(tuple("12G"), 12, marks=pytest.mark.slow),
        ((*"12G", "home"), 0),
        pytest.param((*"3l", "n"), 24, marks=pytest.mark.slow),
        ((*"3l", "n", "N"), 3),
        ((*"5l", "f"), 24),
        (("colon", *"50%", "enter"), 13),
        pytest.param(("colon", *"7", "enter"), 7, marks=pytest.mark.slow),
        (("l", "m", "a", *"9l", "apostrophe", "a"), 1),
        (("colon", *"o 0", "enter"), 26),
        pytest.param((*"4l", "w"), 3, marks=pytest.mark.slow),
        ((*"4l", "w", "W"), 9),
    ],
)
async def test_keys_step_forwards_and_backwards(keys: tuple[str, ...], step: int) -> None:
    async with program(COUNT) as (pilot, pane, _):
        await do(pilot, *keys)
        assert pane.step == step


async def test_stepping_back_at_step_0_reports_the_start_of_history() -> None:
    async with program(COUNT) as (pilot, pane, _):
        await do(pilot, "h")
        assert "start of history" in status(pane)
        assert pane.step == 0


async def test_every_move_posts_one_message() -> None:
    async with program(COUNT) as (pilot, _, app):
        await do(pilot, "l", "l", "G", "j")
        assert app.moved == [(0, "paused"), (1, "paused"), (2, "paused"), (26, "halted")]


async def test_the_state_after_a_step_is_on_the_screen() -> None:
    async with program(COUNT) as (pilot, pane, _):
        await do(pilot, *"5l")
        assert "step 5/26 (19%)" in status(pane)
        assert "increment cell 1 (0 → 1)" in text_of(pane.widgets.explanation)[0]
        tape = pane.widgets.state.tape
        assert tape is not None
        assert inside(tape)[1].split()[:4] == ["3", "[", "0]", "0"]
        assert any("▶" in row for row in inside(pane.widgets.program))


async def test_breakpoints_stop_in_both_directions_at_the_same_steps() -> None:
    async with program(COUNT) as (pilot, pane, _):
        pane.widgets.program.set_cursor(6)
        await do(pilot, "b")
        assert "●" in inside(pane.widgets.program)[0]
        forwards = []
        for _each in range(3):
            await do(pilot, "c")
            forwards.append(pane.step)
        assert "breakpoint 1" in status(pane)
        await do(pilot, "c")
        assert pane.step == 26
        backwards = []
        for _each in range(3):
            await do(pilot, "C")
            backwards.append(pane.step)
        assert backwards == forwards[::-1]
        await do(pilot, "b")
        assert "removed" in status(pane)
        assert "●" not in inside(pane.widgets.program)[0]


@pytest.mark.slow
async def test_run_to_cursor_does_not_report_a_breakpoint() -> None:
    async with program(COUNT) as (pilot, pane, _):
        for key in "tT":
            await do(pilot, "G" if key == "T" else "home")
            pane.widgets.program.set_cursor(6)
            await do(pilot, key)
            assert 0 < pane.step < 26
            assert "breakpoint" not in status(pane)
        assert pane.time.target is not None
        assert not any("breakpoint" in entry.text for entry in pane.time.target.log)


@pytest.mark.slow
async def test_a_breakpoint_can_be_given_a_condition_by_editing_it() -> None:
    async with program(COUNT) as (pilot, pane, _):
        pane.widgets.program.set_cursor(6)
        await do(pilot, "b", "B")
        line = pane.query_one(Input)
        assert line.value == "change 1 at 1:7"
        await do(pilot, *" if cell[1]==3".replace(" ", "_"))
        line.value = "change 1 at 1:7 if cell[1]==3"
        await do(pilot, "enter")
        assert "at 1:7 if cell[1]==3" in status(pane)
        await do(pilot, "c")
        assert "cell 1 (3 → 4)" in text_of(pane.widgets.explanation)[0]
        assert len(pane.widgets.side_breakpoints._breakpoints) == 1


async def test_changing_a_cell_discards_the_known_history() -> None:
    async with program(COUNT) as (pilot, pane, _):
        await do(pilot, *"3l", "colon", *"set 0 1", "enter", "G")
        assert pane.time.target is not None
        assert pane.time.target.snapshot.output == b"\x02"


async def test_the_wrong_byte_leads_to_the_state_before_the_step_that_printed_it() -> None:
    async with program(b"++++[>+++<-]>.+.+.", expected=b"\x0c\x0d\x0f") as (pilot, pane, _):
        await do(pilot, "o")
        assert "[␏]" in inside(pane.widgets.diff)[0]
        assert "[␎]" in inside(pane.widgets.diff)[1]
        driver = pane.time.target
        assert driver is not None
        assert driver.snapshot.view.output_length == 2
        printed = driver.debugger.find_print_step(2)
        assert printed is not None
        assert pane.step == printed - 1


async def test_short_output_leads_to_the_end_of_the_run() -> None:
    async with program(COUNT, expected=b"\x06!") as (pilot, pane, _):
        await do(pilot, "o")
        assert pane.step == 26
        assert "ends too early" in inside(pane.widgets.diff)[2]


@pytest.mark.slow
async def test_second_click_on_a_byte_goes_before_its_step() -> None:
    async with program(ECHO, b"ab") as (pilot, pane, _):
        assert "[out]" in text_of(pane.widgets.output)[0]
        await pilot.click(pane.widgets.output, offset=(3, 1))
        await settle(pilot)
        assert pane.step == 0
        assert pane.widgets.output.cursor == 1
        await pilot.click(pane.widgets.output, offset=(3, 1))
        await settle(pilot)
        assert pane.step == 6
        assert pane.time.target is not None
        assert pane.time.target.debugger.find_print_step(1) == 7
        await do(pilot, "right_curly_bracket")
        assert "[in]" in text_of(pane.widgets.input)[0]
        for _click in range(2):
            await pilot.click(pane.widgets.input, offset=(3, 1))
            await settle(pilot)
        assert pane.time.target.debugger.find_read_step(1) == pane.step + 1


@pytest.mark.slow
async def test_clicks_set_breakpoints_seek_select_cells_and_change_tabs() -> None:
    async with program(COUNT) as (pilot, pane, _):
        await pilot.click(pane.widgets.program, offset=(1, 1))
        await settle(pilot)
        assert "●" in inside(pane.widgets.program)[0]
        await pilot.click(pane.widgets.timeline, offset=(10 + 9, 0))
        await settle(pilot)
        assert pane.step == 10
        assert pane.widgets.state.tape is not None
        await pilot.click(pane.widgets.state.tape, offset=(17, 2))
        await settle(pilot)
        assert "cell 3: never written" in inside(pane.widgets.state.tape)[-1]
        await do(pilot, "escape")
        assert "cell 3" not in inside(pane.widgets.state.tape)[-1]
        await pilot.click(pane.widgets.output, offset=(22, 0))
        await settle(pilot)
        assert pane.widgets.breakpoints.display
        assert "at 1:1" in inside(pane.widgets.breakpoints)[0]


async def test_breakpoints_are_disabled_and_deleted_in_their_list() -> None:
    async with program(COUNT) as (pilot, pane, _):
        await do(pilot, "b")
        pane.widgets.open_page("breaks")
        pane.widgets.breakpoints.focus()
        await do(pilot, "O")
        assert "○" in inside(pane.widgets.breakpoints)[0]
        assert "○" in inside(pane.widgets.program)[0]
        await do(pilot, "delete")
        assert "no breakpoints" in inside(pane.widgets.breakpoints)[0]


async def test_input_is_typed_when_the_program_asks_for_it() -> None:
    async with program(b",.,.") as (pilot, pane, app):
        await do(pilot, "G")
        assert app.moved[-1] == (0, "needs_input")
        assert "INPUT" in status(pane)
        assert pane.widgets.input.display
        await do(pilot, "enter", "x", "enter")
        assert pane.step == 4
        assert "ENDED" in status(pane)
        assert inside(pane.widgets.output)[0] == " x␊"  # in front again
        pane.widgets.open_page("in")
        await settle(pilot)
        assert inside(pane.widgets.input)[0] == " x␊"
        await do(pilot, "home", "colon", *"i 1", "enter")
        assert pane.step == 3


async def test_typed_input_can_be_ended() -> None:
    async with program(ECHO) as (pilot, pane, _):
        await do(pilot, "G", "enter", "x", "enter")
        assert "INPUT" in status(pane)
        await do(pilot, "enter", "ctrl+d")
        assert "ENDED" in status(pane)


async def test_play_steps_on_until_the_end() -> None:
    async with program(COUNT) as (pilot, pane, _):
        await do(pilot, *("minus",) * 9, "space")
        assert "PLAYING  1 step a second" in status(pane)
        pane.time.set_speed(100)
        for _each in range(60):
            pane.time.play_frame()
        await settle(pilot)
        assert pane.step == 26
        assert not pane.time.is_playing


@pytest.mark.slow
async def test_play_stops_at_breakpoints_and_at_escape() -> None:
    async with program(COUNT) as (pilot, pane, _):
        pane.widgets.program.set_cursor(10)
        await do(pilot, "b", *("minus",) * 9, "space")
        pane.time.set_speed(1_000_000)
        pane.time.play_frame()
        assert pane.step == 24
        await do(pilot, "home", "space", "escape")
        assert not pane.time.is_playing


async def test_steps_before_a_fault_can_be_visited() -> None:
    async with program(b"+<+") as (pilot, pane, _):
        await do(pilot, "G")
        assert "FAULT" in status(pane)
        assert "fault  1:2" in text_of(pane.widgets.explanation)[0]
        await do(pilot, "h")
        assert pane.step == 0
        assert "PAUSED" in status(pane)


async def test_parse_error_is_shown_at_its_position() -> None:
    async with program(b"++\n+[+") as (_, pane, app):
        assert app.failed
        assert not pane.has_program
        assert "PARSE ERROR  2:2" in status(pane)
        assert any("✖" in row for row in inside(pane.widgets.program))


async def test_last_valid_program_stays_and_is_marked_stale() -> None:
    async with program(COUNT) as (pilot, pane, app):
        await do(pilot, *"4l")
        pane.open("brainfuck", COUNT + b"]", b"", None, "standard")
        await settle(pilot)
        assert app.failed
        assert "stale" in text_of(pane.widgets.program)[0]
        assert "STALE  the last version that parsed; error at 1:" in status(pane)
        assert any(row.rstrip().endswith("^") for row in inside(pane.widgets.diagnosis))
        await do(pilot, "l")
        assert pane.step == 5
        assert "STALE" in status(pane)
        pane.open("brainfuck", COUNT + b"+", b"", None, "standard")
        await settle(pilot)
        assert "STALE" not in status(pane)
        assert "stale" not in text_of(pane.widgets.program)[0]
        pane.open("brainfuck", b"[", b"", None, "standard", is_other_program=True)
        await settle(pilot)
        assert "PARSE ERROR" in status(pane)
        assert not pane.has_program


async def test_breakpoints_follow_an_edit() -> None:
    async with program(COUNT) as (pilot, pane, _):
        pane.widgets.program.set_cursor(10)
        await do(pilot, "b")
        pane.open("brainfuck", b"a comment " + COUNT, b"", None, "standard")
        await settle(pilot)
        assert pane.time.target is not None
        assert [each.spec.offset for each in pane.time.target.debugger.breakpoints] == [20]
        assert pane.step == 0


@pytest.mark.slow
async def test_writes_of_a_cell_are_listed_and_lead_to_their_steps() -> None:
    async with program(COUNT) as (pilot, pane, _):
        await do(pilot, *"3l", "v")
        assert "cell 0: 2 → 3, at 1:3" in inside(pane.widgets.log_page)[2]
        pane.widgets.log_page.focus()
        await do(pilot, "k", "enter")
        assert pane.step == 2


async def test_last_write_in_a_long_history_is_looked_up_when_idle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("esoplay.tui.debug.target.EAGER_STEPS", {})
    monkeypatch.setattr("esoplay.tui.debug.pane.IDLE_SECONDS", 3600)
    async with program(COUNT) as (pilot, pane, _):
        await do(pilot, *"3l")
        tape = pane.widgets.state.tape
        assert tape is not None
        assert "last write …" in inside(tape)[-1]
        pane.look_up_last_write()
        assert "cell 0: last write @3" in inside(tape)[-1]


@pytest.mark.slow
async def test_a_breakpoint_that_stopped_is_on_the_timeline() -> None:
    async with program(COUNT) as (pilot, pane, _):
        await do(pilot, "colon", *"b write_1".replace("_", " "), "enter", "c", "home")
        assert "●" in text_of(pane.widgets.timeline)[0]
        await do(pilot, *"9l", "m", "q", "home")
        assert "q" in text_of(pane.widgets.timeline)[0]


async def test_log_breakpoint_logs_and_continues() -> None:
    async with program(COUNT) as (pilot, pane, _):
        await do(pilot, "colon")
        pane.query_one(Input).value = "b at 1:9 log saw {cell[0]}"
        await do(pilot, "enter", "c")
        assert pane.step == 26
        pane.widgets.open_page("log")
        await settle(pilot)
        assert any("saw 3" in row for row in inside(pane.widgets.log_page))


async def test_new_input_restarts_the_run() -> None:
    async with program(ECHO, b"ab") as (pilot, pane, _):
        await do(pilot, "colon")
        pane.query_one(Input).value = r"input xyz"
        await do(pilot, "enter", "G")
        assert pane.time.target is not None
        assert pane.time.target.snapshot.output == b"xyz"


async def test_typing_prompt_disappears_after_input() -> None:
    async with program(b"++,.") as (pilot, pane, _):
        await do(pilot, "l", "l", "l")
        assert text_of(pane.widgets.status)[0].startswith(" INPUT")
        await do(pilot, "enter", "a", "b", "enter")
        assert text_of(pane.widgets.status)[0].startswith(" PAUSED")
        assert "step" in keys_shown(pane)
        assert "read 'a'" in text_of(pane.widgets.explanation)[0]
        await do(pilot, "l")
        assert pane.step == 3
