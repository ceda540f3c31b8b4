"""Search, replacing, going to places; the structure that the frame shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Play
from hypothesis import given
from hypothesis import strategies as st
from play_pilot import Player
from test_play_editor import editing

from esoplay.tui.editor.pane import FindBar
from esoplay.tui.editor.search import SearchMatches, SearchQuery, parse_location
from esoplay.tui.score.results import ResultList
from esoplay.tui.workspace import LaunchRequest


@given(st.text("ab\n", max_size=40), st.text("ab\n", min_size=1, max_size=3))
def test_matches_are_at_the_positions_of_the_text(text: str, wanted: str) -> None:
    lines = text.split("\n")
    finds = SearchMatches(lines, SearchQuery(wanted))
    assert len(finds) == text.count(wanted)
    shown = {(line, *span) for line in range(len(lines)) for span in finds.in_line(line, 0, 99)}
    for number in range(len(finds)):
        start, end = finds.span(number)
        assert before(lines, start) + wanted == before(lines, end)
        assert finds.index_at(start) == number
        assert (start[0], start[1], start[1] + len(wanted)) in shown
        assert finds.index_after(start) == number
        assert finds.index_before(start) == (number - 1) % len(finds)


def before(lines: list[str], location: tuple[int, int]) -> str:
    """The text up to a location."""
    return "\n".join([*lines[: location[0]], lines[location[0]][: location[1]]])


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("3", (2, 0)),
        (" 3:5 ", (2, 4)),
        (":7", (0, 6)),
        ("99", (9, 0)),
        ("0", (0, 0)),
        ("@12", 12),
        ("@0x1F", 31),
        ("@999", 100),
        ("", None),
        ("x", None),
        ("-1", None),
    ],
)
def test_locations_are_parsed_in_all_spellings(text: str, place: object) -> None:
    assert parse_location(text, line_count=10, size=100) == place


def bar_of(player: Player) -> FindBar:
    return player.screen.query_one(FindBar)


async def opened(player: Player, source: bytes) -> None:
    await player.write(source)
    player.screen.program.editor.move_cursor((0, 0))
    player.screen.show_view("edit")
    await player.press("ctrl+f")


@pytest.mark.slow
async def test_search_counts_and_wraps_around(play: Play, tmp_path: Path) -> None:
    async with play(launch=LaunchRequest(tmp_path / "own.bf")) as player:
        await opened(player, b"+[->+<]\n>+[-]")
        await player.press(*"[-")
        bar, editor = bar_of(player), player.screen.program.editor
        assert "1 of 2" in player.text(bar)
        await player.press("enter")
        assert "2 of 2" in player.text(bar)
        assert editor.selection == ((1, 2), (1, 4))
        await player.press("down")
        assert "1 of 2" in player.text(bar)
        await player.press("up")
        assert "2 of 2" in player.text(bar)
        await player.press("x")
        assert "not found" in player.text(bar)
        await player.press("escape")
        assert not bar.is_shown
        assert player.app.focused is editor
        await player.press("ctrl+f", "ctrl+a", *["delete"] * 3, "+")
        assert "1 of 3" in player.text(bar) or "2 of 3" in player.text(bar)
        editor.focus()
        here = editor.selection
        await player.press("ctrl+n")
        assert editor.selection != here
        await player.press("ctrl+b")
        assert editor.selection == here


@pytest.mark.slow
async def test_case_and_escapes_can_be_switched(play: Play, tmp_path: Path) -> None:
    async with play(launch=LaunchRequest(tmp_path / "own.bf")) as player:
        await opened(player, b"Aa\ta\n\x00")
        bar = bar_of(player)
        await player.press("a")
        assert "of 2" in player.text(bar)
        await player.press("alt+c")
        assert "of 3" in player.text(bar)
        await player.press("ctrl+a", "delete", "alt+e", *r"\ta")
        assert "1 of 1" in player.text(bar)
        await player.press("ctrl+a", *["delete"] * 3, *r"\x00")
        assert "1 of 1" in player.text(bar)


@pytest.mark.slow
async def test_whitespace_is_found_by_letter(play: Play, tmp_path: Path) -> None:
    async with play(launch=LaunchRequest(tmp_path / "own.ws")) as player:
        await opened(player, b"   \t\n   \t\n\n\n\n")
        await player.press(*"stl")
        assert "1 of 2" in player.text(bar_of(player))


async def test_replacing_all_is_one_undo_step(play: Play, tmp_path: Path) -> None:
    async with play(launch=LaunchRequest(tmp_path / "own.bf")) as player:
        await opened(player, b"+-+\n+\xff")
        editor = player.screen.program.editor
        await player.press("+", "ctrl+f", *">>", "f7")
        assert editor.source == b">>->>\n>>\xff"
        assert "3 replaced" in player.text(bar_of(player))
        editor.focus()
        await player.press("ctrl+z")
        assert editor.source == b"+-+\n+\xff"


@pytest.mark.slow
async def test_replacing_one_goes_to_the_next(play: Play, tmp_path: Path) -> None:
    async with play(launch=LaunchRequest(tmp_path / "own.bf")) as player:
        await opened(player, b"+-+-+")
        editor = player.screen.program.editor
        await player.press("+", "ctrl+f", ">", "enter", "enter")
        assert editor.source == b">->-+"
        editor.undo()
        assert editor.source == b">-+-+"


async def test_matches_follow_the_text(play: Play, tmp_path: Path) -> None:
    async with play(launch=LaunchRequest(tmp_path / "own.bf")) as player:
        await opened(player, b"+++")
        await player.press("+")
        assert "of 3" in player.text(bar_of(player))
        player.screen.program.editor.replace_source(b"+\n\n+")
        await player.pilot.pause()
        assert "2" in player.text(bar_of(player))
        assert player.screen.query_one(ResultList) is not None


@pytest.mark.slow
async def test_ctrl_g_goes_to_a_line_or_an_offset(play: Play, tmp_path: Path) -> None:
    async with play(launch=LaunchRequest(tmp_path / "own.bf")) as player:
        await player.write("é+\n[-]\n".encode())
        player.screen.show_view("edit")
        editor = player.screen.program.editor
        await player.press("ctrl+g", *"2:3", "enter")
        assert editor.cursor_location == (1, 2)
        await player.press("ctrl+g", *"@2", "enter")
        assert editor.cursor_location == (0, 1)
        await player.press("ctrl+g", *"nowhere", "enter")
        assert editor.cursor_location == (0, 1)


async def test_frame_shows_the_context_of_the_cursor(play: Play, tmp_path: Path) -> None:
    async with play(launch=LaunchRequest(tmp_path / "own.unl")) as player:
        await player.write(b"``ki.a")
        player.screen.show_view("edit")
        player.screen.program.editor.move_cursor((0, 0))
        await player.pilot.pause()
        assert "applies `ki to .a" in player.text(player.screen.program)
        await player.press("ctrl+right_square_bracket")
        assert player.screen.program.editor.cursor_location == (0, 4)


async def test_only_code_brackets_match() -> None:
    async with editing(b"[+]", language_id="brainfuck") as (editor, pilot):
        await pilot.press("ctrl+right_square_bracket")
        assert editor.cursor_location == (0, 2)
    async with editing(b"[+]", language_id="befunge-98") as (editor, pilot):
        await pilot.press("ctrl+right_square_bracket")
        assert editor.cursor_location == (0, 0)


async def test_frame_shows_the_mode(play: Play, tmp_path: Path) -> None:
    async with play(launch=LaunchRequest(tmp_path / "own.b98")) as player:
        player.screen.show_view("edit")
        await player.press("alt+down")
        assert "types south ↓" in player.text(player.screen.program)
        await player.press("insert")
        assert "grid" not in player.text(player.screen.program)
