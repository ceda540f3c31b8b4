"""Programs that have a source map in the debug pane: lines, variables, breakpoints, heat."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from conftest import Play, Start
from debug_app import MID, NARROW, WIDE, PaneApp, do, inside, settle, status, text_of
from selection import slow_except
from sorting_program import INPUT, PRINT, READ, SORT, SWAP, line_of, sort_in, sorting

from esoplay.debugging.debugger import Debugger
from esoplay.debugging.source_maps import last_line
from esoplay.programs.generation import back_end_ids, generate
from esoplay.tui.debug.pane import DebugPane
from esoplay.tui.debug.source_queries import move_by_lines
from esoplay.tui.workspace import LaunchRequest


@pytest.mark.slow
async def test_source_and_program_alternate_in_a_narrow_pane() -> None:
    for size, beside in ((NARROW, False), (WIDE, True)):
        async with sorting(size=size) as (pilot, pane, _):
            parts = pane.widgets
            assert parts.program.display
            assert parts.source.display is beside
            assert parts.variables.display
            await do(pilot, "Y")
            assert parts.source.display
            assert parts.program.display is beside
            assert parts.source.has_focus
            await do(pilot, "Y")
            assert parts.program.display
            assert parts.program.has_focus
            await do(pilot, "z")
            assert not parts.variables.is_on_screen
            await do(pilot, "z")
            assert parts.variables.is_on_screen
            assert parts.source.display is beside


@pytest.mark.parametrize("language", slow_except(back_end_ids(), "befunge-98", "brainfuck"))
async def test_line_steps_are_reversible(language: str) -> None:
    async with sorting(language) as (pilot, pane, _):
        await do(pilot, "y")
        assert "by line" in text_of(pane.widgets.source)[0]
        met: list[tuple[int, int | None]] = []
        for _ in range(3):
            await do(pilot, "s")
            met.append((pane.step, line_of(pane)))
        assert [line for _, line in met if line is not None]
        for step, line in reversed(met[:-1]):
            await do(pilot, "S")
            assert (pane.step, line_of(pane)) == (step, line)


@pytest.mark.slow
async def test_line_steps_follow_the_order_of_lines() -> None:
    async with sorting() as (pilot, pane, _):
        await do(pilot, "y")
        lines: list[int | None] = []
        for _ in range(4):
            await do(pilot, "n")
            lines.append(line_of(pane))
        assert lines == [7, 9, 10, 9]
        await do(pilot, "2", "N")
        assert line_of(pane) == 9
        await do(pilot, "N")
        assert line_of(pane) == 7
        # l steps by instruction, and so does s after the switch
        before = pane.step
        await do(pilot, "l")
        assert pane.step == before + 1
        await do(pilot, "y", "s")
        assert pane.step == before + 2


@pytest.mark.parametrize("language", back_end_ids())
def test_only_line_of_a_program_is_first_and_last(language: str) -> None:
    made = generate("def main():\n    while getc() != 0: puts('x')\n", language)
    debugger = Debugger.open(language, made.source, stdin=b"abc")
    debugger.use_map(made.source_map)
    if last_line(debugger) is None:  # Whitespace begins with it
        assert move_by_lines(debugger, 1).reasons[0].kind == "step"
    assert (last_line(debugger), debugger.output) == (2, b"")


async def test_a_breakpoint_on_a_line_stops_there_with_its_variables() -> None:
    async with sorting(size=WIDE) as (pilot, pane, _):
        parts = pane.widgets
        parts.source.focus()
        parts.source.set_cursor(SWAP)
        await do(pilot, "b", "c")
        assert line_of(pane) == SWAP
        assert f"line {SWAP}" in status(pane)
        assert any(row.startswith(f"●▶{SWAP}") for row in inside(parts.source))
        rows = {row.split()[0]: row.split()[1:] for row in inside(parts.variables) if row}
        assert rows["n"][0] == "3"
        assert rows["kept"][0] == "5"
        assert rows["▸a[10]"][:3] == ["20", "20", "11"]
        assert f"line {SWAP}: " in text_of(parts.explanation)[0]
        # the same key takes it away; t runs to a line without one
        await do(pilot, "b")
        assert not any("●" in row for row in inside(parts.source))
        parts.source.set_cursor(PRINT)
        await do(pilot, "t")
        assert line_of(pane) == PRINT
        await do(pilot, "B")
        assert parts.prompt.is_open
        assert "line 21 if" in parts.prompt.query_one("Input").value  # pyright: ignore
        await do(pilot, "escape")


@pytest.mark.parametrize(
    "language", slow_except(["brainfuck", "whitespace", "unlambda"], "whitespace")
)
async def test_the_line_that_gave_a_variable_its_value_is_found(language: str) -> None:
    """Reading a variable moves it out of its cells and back in Brainfuck; that is not a write."""
    async with sorting(language, WIDE) as (pilot, pane, _):
        variables = pane.widgets.variables

        def kept() -> str:
            row = next(row for row in inside(variables) if "kept" in row)
            return row.split("kept")[1].split()[0]

        await do(pilot, "G")
        variables.focus()
        variables.select(["kept" in row for row in inside(variables)].index(True))
        met: list[tuple[int, str]] = []
        for _ in range(3):
            await do(pilot, "w")
            met.append((pane.step, kept()))
        assert [value for _, value in met] == ["11", "5", "5"]
        assert met[0][0] > met[1][0] == met[2][0]
        assert "kept has had this value since the start" in status(pane)
        await do(pilot, "W")
        assert (pane.step, kept()) == met[0]


@pytest.mark.slow
async def test_source_lines_show_heat() -> None:
    async with sorting(size=WIDE) as (pilot, pane, _):
        await do(pilot, "G", "e")
        source = [f"{row:<20}" for row in inside(pane.widgets.source)]
        rows = {int(row[2:4]): row[5] for row in source if row[2:4].strip()}
        assert rows[1] == " "  # which has made nothing
        assert rows[READ] in "123456789"
        assert "9" in rows.values()
        await do(pilot, "e")
        assert "lines executed: 100%" in text_of(pane.widgets.source)[-1]
        await do(pilot, "home")
        assert "lines executed: 0%" in text_of(pane.widgets.source)[-1]


async def test_a_variable_is_set_by_its_name() -> None:
    async with sorting("whitespace") as (pilot, pane, _):
        pane.commands.run(f"b line {SWAP}")
        await do(pilot, "c")
        pane.commands.run("set kept 7")
        assert "kept is now 7" in status(pane)
        pane.commands.run("d 1")
        await do(pilot, "G")
        assert pane.time.target is not None
        assert pane.time.target.debugger.output == b"7 11 20 "


async def test_map_of_another_version_is_reported_and_ignored() -> None:
    made = sort_in("brainfuck")
    pane = DebugPane(id="debug")
    async with PaneApp(pane).run_test(size=MID) as pilot:
        other = made.source + b" and more"
        pane.open("brainfuck", other, INPUT, None, "standard", source_map=made.source_map)
        await settle(pilot)
        assert "another version of the program; the map is not used" in status(pane)
        assert not pane.has_source_map
        assert not pane.widgets.source.display
        await do(pilot, "y")
        assert "no source map is open" in status(pane)


async def test_line_breakpoints_move_with_the_source() -> None:
    async with sorting() as (pilot, pane, _):
        pane.commands.run(f"b line {PRINT}")
        longer = SORT.replace("    n = read_int()\n", "    puts('> ')\n    n = read_int()\n")
        longer = longer.replace("putc, read_int", "putc, puts, read_int")
        made = generate(longer, "brainfuck", name="sort.py")
        pane.open("brainfuck", made.source, INPUT, None, "standard", source_map=made.source_map)
        await settle(pilot)
        assert pane.time.target is not None
        (kept,) = pane.time.target.debugger.breakpoints
        assert kept.spec.source_line == PRINT + 1


@pytest.mark.slow
async def test_step_by_line_sends_few_bytes() -> None:
    async with sorting(size=MID) as (pilot, _, app):
        await do(pilot, "y")
        sizes: list[int] = []
        for _ in range(7):
            app.wire.sent = 0
            await do(pilot, "l")
            sizes.append(app.wire.sent)
        assert sorted(sizes)[-2] <= 2048
        sizes = []
        for _ in range(7):
            app.wire.sent = 0
            await do(pilot, "s")
            sizes.append(app.wire.sent)
        assert sorted(sizes)[-2] <= 2048


@pytest.mark.slow
async def test_play_steps_by_lines() -> None:
    async with sorting() as (pilot, pane, _):
        await do(pilot, "y", "plus", "plus", "plus", "plus", "plus", "plus")
        await pilot.press("space")
        deadline = time.monotonic() + 300
        while not (pane.time.target and pane.time.target.snapshot.has_ended):
            assert time.monotonic() < deadline
            await pilot.pause(0.01)
        assert pane.time.target.snapshot.has_ended
        assert not pane.time.is_playing


# The whole application


BIG = SORT.replace("ints(10)", "ints(20)").replace(
    '        putc(ord(" "))\n', '        putc(ord(" "))\n    print_int(a[0] * 12345 // 77 + n)\n'
)


@pytest.mark.slow
def test_program_of_a_session_is_debugged_with_its_generator_source(
    start: Start, tmp_path: Path
) -> None:
    made = generate(BIG, "brainfuck", name="sort.py")
    path = tmp_path / "sort.bf"
    path.write_bytes(made.source)
    assert len(made.source) > 25_000
    beside = json.dumps(made.source_map.as_json())
    (tmp_path / "sort.bf.map.json").write_text(beside)
    command = ("-m", "esoplay", "debug", str(path), "--input", "3 20 5 11")
    with start(*command, size=(80, 24)) as terminal:
        terminal.wait_for("Y source")
        terminal.send("y")
        terminal.wait_for("sort.py by line")
        terminal.send(":b line 7\r")
        terminal.wait_for("breakpoint 1: line 7")
        terminal.send("c")
        terminal.wait_for(lambda text: "●▶ 7" in text, "the stop on line 7")
        terminal.send("n")
        terminal.wait_for(lambda text: "▶ 9" in text, "line 9")
        terminal.wait_for(lambda text: "was 0" in text and " 3 " in text, "the value of n")
        terminal.send("N")
        terminal.wait_for(lambda text: "●▶ 7" in text, "line 7 again, backwards")
        terminal.send(":q\r")
        assert terminal.wait_for_end() == 0
    # a map for another program does not prevent opening
    path.write_bytes(made.source + b"!")
    with start(*command, size=(80, 24)) as terminal:
        terminal.wait_for("another version of the program")
        terminal.send(":q\r")
        assert terminal.wait_for_end() == 0


async def test_the_wide_screen_has_source_program_and_state(play: Play, tmp_path: Path) -> None:
    made = sort_in("brainfuck")
    path = tmp_path / "sort.bf"
    path.write_bytes(made.source)
    (tmp_path / "sort.bf.map.json").write_text(json.dumps(made.source_map.as_json()))
    launch = LaunchRequest(path, debug=True, stdin=INPUT)
    async with play(size=(200, 60), launch=launch) as player:
        parts = player.screen.debugger.widgets
        await player.until(lambda: parts.source.display)
        assert parts.program.display
        assert parts.source.region.right <= parts.program.region.x
        assert parts.program.region.right <= parts.variables.region.x
