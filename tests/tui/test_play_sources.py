"""Write-once sources on the screen: typed, compiled, tested, debugged, saved; the pack's read."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from conftest import Play, Start
from play_pilot import Player
from terminal import CTRL_S, F2

from esolangs.registry import language_ids
from esoplay.packs.references import find_reference
from esoplay.programs.generation import back_end_ids, generate
from esoplay.tui.browser.solution import SolutionScreen
from esoplay.tui.debug.canvas import Canvas
from esoplay.tui.generate.pane import GeneratedPane
from esoplay.tui.workspace import LaunchRequest

pytestmark = pytest.mark.slow  # each test walks through several views

LENGTH = b"""\
from esoplay.codegen.source import getc, print_int


def main() -> None:
    n = 0
    c = getc()
    while c != 0:
        n += 1
        c = getc()
    print_int(n)
"""
WRONG = LENGTH.replace(b"n += 1", b"m += 1")


def source_file(folder: Path, text: bytes = LENGTH) -> Path:
    path = folder / "length.py"
    path.write_bytes(text)
    return path


def program_of(text: bytes, language: str = "brainfuck", name: str = "length.py") -> bytes:
    return generate(text.decode(), language, name=name).source


def pane(player: Player) -> GeneratedPane:
    return player.screen.query_one(GeneratedPane)


def rows(canvas: Canvas) -> str:
    return "\n".join(canvas.render_line(y).text for y in range(canvas.size.height))


def solved(player: Player, language: str) -> bool:
    known = player.screen.workspace.standings()[language].get("E07")
    return known is not None and known.solved


async def made(player: Player) -> None:
    """Wait until the result is for the current source."""
    await player.until(lambda: player.screen.compiler.is_current)
    await player.pilot.pause()


async def test_source_is_beside_its_generated_program(play: Play, tmp_path: Path) -> None:
    async with play(launch=LaunchRequest(source_file(tmp_path), "brainfuck")) as player:
        await made(player)
        screen = player.screen
        program = program_of(LENGTH)
        assert screen.runnable_program == program
        assert screen.program.source == LENGTH
        head = rows(pane(player)).splitlines()[0]
        assert head.startswith("╭─ brainfuck")
        assert f"{len(program):,} bytes" in head
        # the size of the code of the cursor's line is shown
        screen.program.editor.move_cursor((7, 0))
        await player.pilot.pause()
        spans = generate(LENGTH.decode(), "brainfuck").source_map.spans_of_line(8)
        size = sum(span.end - span.start for span in spans)
        assert f"line 8: {size}" in rows(pane(player))
        await player.press("f1")
        assert "write-once card" in player.text()
        await player.press("escape")
        # a change makes another program
        changed = LENGTH.replace(b"print_int(n)", b"print_int(n + 1)")
        await player.write(changed)
        await player.until(lambda: screen.runnable_program == program_of(changed))
        assert screen.program.error is None


async def test_error_is_shown_at_its_position_and_the_last_program_stays(
    play: Play, tmp_path: Path
) -> None:
    async with play(launch=LaunchRequest(source_file(tmp_path), "whitespace")) as player:
        await made(player)
        screen = player.screen
        await player.write(WRONG)
        await player.until(lambda: screen.program.error is not None)
        error = screen.program.error
        assert error is not None
        assert (error.line, error.column) == (8, 9)
        assert WRONG[error.offset : error.offset + 1] == b"m"
        assert screen.runnable_program == program_of(LENGTH, "whitespace")
        assert "stale: error in line 8" in rows(pane(player))
        await player.write(LENGTH)
        await player.until(lambda: screen.program.error is None)
        assert "stale" not in rows(pane(player))


@pytest.mark.slow
async def test_only_languages_with_a_back_end_can_be_chosen(play: Play, tmp_path: Path) -> None:
    async with play(launch=LaunchRequest(source_file(tmp_path), "brainfuck")) as player:
        for language in back_end_ids():
            await player.screen.language_choice.choose(language)
            await made(player)
            assert player.screen.runnable_program == program_of(LENGTH, language)
            assert rows(pane(player)).startswith(f"╭─ {language}")
        player.screen.sources.retarget("nonsense")
        assert player.screen.workspace.language_id == back_end_ids()[-1]


@pytest.mark.slow
async def test_debugging_shows_source_lines_and_variables(play: Play, tmp_path: Path) -> None:
    launch = LaunchRequest(source_file(tmp_path), "brainfuck", stdin=b"ab")
    async with play(size=(200, 60), launch=launch) as player:
        await player.press("f2")
        debug = player.screen.debugger
        await player.until(lambda: debug.has_source_map)
        await player.until(lambda: not debug.time.is_busy)
        await player.until(lambda: debug.widgets.source.display)
        assert debug.widgets.program.display
        await player.press("y", "n", "n")
        await player.until(lambda: debug.widgets.source.cursor == 6)
        assert "by line" in rows(debug.widgets.source)
        assert " n " in rows(debug.widgets.variables)
        # edits are followed, and an error leaves the last program
        await player.press("f2")
        await player.write(WRONG)
        await made(player)
        await player.press("f2")
        await player.pilot.pause()
        assert "stale" in rows(debug.widgets.source)


@pytest.mark.slow
async def test_saving_never_replaces_handwritten_files(play: Play, tmp_path: Path) -> None:
    path = source_file(tmp_path)
    program, beside = tmp_path / "length.bf", tmp_path / "length.bf.map.json"
    async with play(launch=LaunchRequest(path, "brainfuck")) as player:
        await player.press("ctrl+s")
        await player.until(program.exists)
        await player.until(beside.exists)
        assert program.read_bytes() == program_of(LENGTH)
        changed = LENGTH.replace(b"n = 0", b"n = 5")
        await player.write(changed)
        await player.press("ctrl+s")
        await player.until(lambda: program.read_bytes() == program_of(changed))
        assert path.read_bytes() == changed
        program.write_bytes(b"+++ by hand")
        await player.write(LENGTH)
        await player.press("ctrl+s")
        await player.until(lambda: path.read_bytes() == LENGTH)
        await made(player)
        assert program.read_bytes() == b"+++ by hand"


@pytest.mark.slow
async def test_a_problem_is_solved_by_one_source_in_two_languages(play: Play) -> None:
    async with play() as player:
        await player.open("E07")
        await player.screen.sources.set_write_once(True)
        await made(player)
        assert player.screen.program.source.startswith(b'"""E07: ')
        await player.write(LENGTH)
        for language in ("brainfuck", "whitespace"):
            await player.screen.language_choice.choose(language)
            await player.press("ctrl+t")
            await player.until(partial(solved, player, language))
        assert not player.screen.workspace.standings()["unlambda"].get("E07")
        # a source with an error is not tested by the program from before
        await player.write(WRONG)
        await player.press("f5")
        await made(player)
        assert not player.screen.test_runner.is_running
        await player.screen.sources.set_write_once(False)
        assert not player.screen.compiler.is_active
    async with play() as player:
        await player.screen.sources.set_write_once(True)
        await made(player)
        assert player.screen.program.source == WRONG


@pytest.mark.slow
async def test_pack_solution_is_available_after_solving_in_any_language(play: Play) -> None:
    async with play() as player:
        await player.open("E02")
        player.screen.show_view("browse")
        await player.press("tab", "g", "r")
        assert not isinstance(player.app.screen, SolutionScreen)
        player.screen.show_view("edit")
        reference = find_reference("E02", "brainfuck")
        assert reference is not None
        await player.write(reference.program)
        await player.press("ctrl+t")
        await player.graded()
        player.screen.show_view("browse")
        await player.press("tab", "g", "r")
        page = player.app.screen
        assert isinstance(page, SolutionScreen)
        seen: set[str] = set()
        for _ in language_ids():
            await player.until(lambda: page.shown_reference is not None)
            assert page.shown_reference is not None
            assert page.shown_reference.source_text is not None
            assert "def main" in page.shown_reference.source_text
            seen.add(page.language_id)
            await player.press("L")
        assert seen >= set(back_end_ids())
        # a generated program is debugged by the lines of its source
        await player.until(
            lambda: page.language_id == "brainfuck" and page.shown_reference is not None
        )
        if page.shown_reference is not None and page.shown_reference.by_hand:
            await player.press("Y")
            await player.until(
                lambda: page.shown_reference is not None and not page.shown_reference.by_hand
            )
        await player.press("enter")
        debug = player.screen.debugger
        await player.until(lambda: debug.has_source_map)
        assert player.screen.view == "debug"
        # and the user's program is back afterwards
        await player.press("f2", "f2")
        await player.until(lambda: not debug.has_source_map)
        assert debug.has_program


@pytest.mark.slow
def test_a_source_is_compiled_and_debugged_in_a_real_terminal(start: Start, tmp_path: Path) -> None:
    path = source_file(tmp_path)
    with start("-m", "esoplay", "play", str(path), size=(120, 40)) as terminal:
        terminal.wait_for(lambda text: "brainfuck" in text and "bytes ─╮" in text, "a program")
        terminal.send(CTRL_S)
        terminal.wait_for("length.bf and its map")
        terminal.send(F2)
        terminal.wait_for("variables")
        terminal.send("y")
        terminal.wait_for("length.py by line")
        terminal.send("\x11")
        assert terminal.wait_for_end() == 0
    assert (tmp_path / "length.bf").read_bytes() == program_of(LENGTH)


@pytest.mark.slow
async def test_a_program_is_debugged_by_the_map_that_was_named(play: Play, tmp_path: Path) -> None:
    made_of = generate(LENGTH.decode(), "brainfuck", name="length.py")
    file = tmp_path / "mine.bf"
    file.write_bytes(made_of.source)
    launch = LaunchRequest(file, stdin=b"abc", debug=True, source_map=made_of.source_map)
    async with play(launch=launch) as player:
        debugger = player.screen.debugger
        await player.until(lambda: debugger.has_program)
        assert debugger.has_source_map
        await player.press("y", "s")
        assert "length.py by line" in player.text()


async def test_no_map_is_used_without_a_map_file(play: Play, tmp_path: Path) -> None:
    launch = LaunchRequest(source_file(tmp_path), "brainfuck", debug=True, source_map=False)
    async with play(launch=launch) as player:
        await made(player)
        debugger = player.screen.debugger
        await player.until(lambda: debugger.has_program)
        assert not debugger.has_source_map


async def test_source_opens_in_the_debugger_by_lines(play: Play, tmp_path: Path) -> None:
    launch = LaunchRequest(source_file(tmp_path), "whitespace", stdin=b"abc", debug=True)
    async with play(launch=launch) as player:
        await made(player)
        await player.press("y", "s", "s")
        assert "length.py by line" in player.text()
        assert "line 7: while c != 0" in player.text()
