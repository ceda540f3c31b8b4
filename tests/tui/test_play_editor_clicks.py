"""Two clicks select a word, three a line."""

from __future__ import annotations

import pytest
from conftest import Play
from hypothesis import given
from hypothesis import strategies as st

from esoplay.tui.editor.search import word_at


@pytest.mark.parametrize(
    ("line", "column", "word"),
    [
        ("++++>--", 1, "++++"),
        ("++++>--", 4, ">"),
        ("++++>--", 7, "--"),
        ("loop_2 ends", 3, "loop_2"),
        ("a  b", 1, "  "),
        ("", 0, ""),
    ],
)
def test_word_consists_of_letters_or_one_character(line: str, column: int, word: str) -> None:
    start, end = word_at(line, column)
    assert line[start:end] == word


@given(st.text("+-ab \t"), st.integers(0, 40))
def test_word_contains_the_place_and_ends_at_another_word(line: str, column: int) -> None:
    start, end = word_at(line, column)
    assert 0 <= start <= min(column, len(line)) <= max(end, len(line))
    for other in range(start, end):
        assert word_at(line, other) == (start, end)


@pytest.mark.parametrize(
    ("clicks", "selected"),
    [(1, ""), pytest.param(2, "++++", marks=pytest.mark.slow), (3, "[>++++<-]")],
)
async def test_a_double_click_selects_a_word_and_a_triple_click_a_line(
    play: Play, clicks: int, selected: str
) -> None:
    async with play(size=(120, 40)) as player:
        player.screen.show_view("edit")
        await player.write(b"[>++++<-]\n")
        editor = player.screen.program.editor
        x = editor.gutter_width + 3
        await player.pilot.click(editor, offset=(x, 0), times=clicks)
        await player.pilot.pause()
        assert editor.selected_text == selected


@pytest.mark.slow
async def test_on_a_plane_the_cells_of_the_word_are_selected(play: Play) -> None:
    async with play(size=(120, 40)) as player:
        player.screen.workspace.choose_language("befunge-98")
        await player.open("E01")
        player.screen.show_view("edit")
        await player.write(b">12345v @\n")
        editor = player.screen.program.editor
        await player.pilot.click(editor, offset=(editor.gutter_width + 3, 0), times=2)
        await player.pilot.pause()
        assert editor.selected_columns(0) == (1, 7)
        await player.press("ctrl+x")
        assert editor.source == b">       @\n"
