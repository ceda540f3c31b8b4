"""Typing on a plane: other cells do not move, and every step can be undone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_play_editor import editing

from esoplay.tui.editor.modes import GridMode

PLANE = b">  v\n@..<\nab\n"


async def test_typing_overwrites_in_the_chosen_direction() -> None:
    async with editing(PLANE, language_id="befunge-98") as (editor, pilot):
        assert isinstance(editor.mode, GridMode)
        await pilot.press("1", "2", "alt+down", "x", "y")
        assert editor.source == b"12 v\n@.x<\nab\n".replace(b" v", b"xv").replace(b".x", b".y")
        await pilot.press("alt+left", "z")
        assert editor.drawn_cursor == (2, 1)
        assert editor.source == b"12xv\n@.y<\nabz\n"


async def test_typed_arrows_turn_but_not_in_strings() -> None:
    async with editing(b"", language_id="befunge-98") as (editor, pilot):
        await pilot.press("1", "v", "2", "quotation_mark", "v", "quotation_mark", "less_than_sign")
        await pilot.press("3")
        assert editor.source == b'1v\n 2\n "\n v\n "\n3<'
        assert isinstance(editor.mode, GridMode)
        editor.toggle_follows_arrows()
        await pilot.press("alt+right", "^", "4")
        assert editor.source == b'1v\n 2\n "\n v\n "\n^4'


async def test_spaces_are_added_only_when_typing_beyond_the_text() -> None:
    async with editing(b"ab\r\ncd", language_id="befunge-98") as (editor, pilot):
        await pilot.press("down", "down", *["right"] * 4)
        assert editor.source == b"ab\r\ncd"
        assert editor.drawn_cursor == (2, 4)
        await pilot.press("x")
        assert editor.source == b"ab\r\ncd\n    x"
        await pilot.press("up", "up", "y")
        assert editor.source == b"ab   y\r\ncd\n    x"
        await pilot.press("ctrl+z", "ctrl+z")
        assert editor.source == b"ab\r\ncd"


async def test_backspace_moves_back_and_delete_stays() -> None:
    async with editing(b"abc\ndef\n", language_id="befunge-98") as (editor, pilot):
        await pilot.press("right", "right", "alt+down", "1", "2", "backspace")
        assert editor.drawn_cursor == (1, 2)
        assert editor.source == b"ab1\nde\n"
        await pilot.press("left", "delete")
        assert editor.source == b"ab1\nd\n"
        await pilot.press("up", "delete")
        assert editor.source == b"a 1\nd\n"


async def test_pasted_block_overwrites_in_one_edit() -> None:
    plane = b"12345\n12345\n12345\n"
    async with editing(plane, language_id="befunge-98") as (editor, pilot):
        await pilot.press("right", "shift+right", "shift+down", "ctrl+c")
        assert editor.app.clipboard == "23\n23"
        await pilot.press("end", "down", "ctrl+v")
        assert editor.source == b"12345\n12345\n1234523\n     23"
        await pilot.press("ctrl+z")
        assert editor.source == plane
        editor.app.copy_to_clipboard("ab\nc\nd\n")
        editor.move_cursor((1, 1))
        await pilot.press("ctrl+v")
        assert editor.source == b"12345\n1ab45\n1c345\n d"


async def test_rectangle_is_shown_and_cut() -> None:
    async with editing(b"12345\n12345\n", language_id="befunge-98") as (editor, pilot):
        await pilot.press("right", "shift+right", "shift+right", "shift+down", "ctrl+x")
        assert editor.source == b"1   5\n1   5\n"
        assert editor.drawn_cursor == (0, 1)
        await pilot.press("ctrl+z")
        assert editor.source == b"12345\n12345\n"


async def test_enter_moves_next_to_the_start_of_typing() -> None:
    async with editing(b"    \n    \n", language_id="befunge-98") as (editor, pilot):
        await pilot.press("right", "1", "2", "enter", "3", "4")
        assert editor.source == b" 12 \n 34 \n"
        await pilot.press("alt+up", "enter")
        assert editor.drawn_cursor[1] == 4


async def test_insert_toggles_plain_typing() -> None:
    async with editing(b"ab\n", language_id="befunge-98") as (editor, pilot):
        await pilot.press("insert", "x", "enter")
        assert editor.source == b"x\nab\n"
        await pilot.press("insert", "y")
        assert editor.source == b"x\nyb\n"


async def test_a_click_reaches_cells_beyond_the_text() -> None:
    async with editing(b"ab\ncdef\n", language_id="befunge-98") as (editor, pilot):
        await pilot.click(editor, offset=(editor.gutter_width + 6, 0))
        assert editor.drawn_cursor == (0, 6)
        await pilot.press("x")
        assert editor.source == b"ab    x\ncdef\n"
        await pilot.click(editor, offset=(editor.gutter_width + 1, 1))
        assert editor.drawn_cursor == (1, 1)


async def test_the_mouse_selects_a_rectangle() -> None:
    async with editing(b"12345\n12345\n", language_id="befunge-98") as (editor, pilot):
        x = editor.gutter_width
        await pilot.mouse_down(editor, offset=(x + 1, 0))
        await pilot.hover(editor, offset=(x + 2, 1))
        await pilot.mouse_up(editor, offset=(x + 2, 1))
        await pilot.press("ctrl+c")
        assert editor.app.clipboard == "23\n23"


async def test_path_of_the_ip_is_shown_from_the_cursor() -> None:
    async with editing(PLANE, language_id="befunge-98") as (editor, pilot):
        await pilot.press("f9")
        assert editor.structure is not None
        assert "6 instructions, @ ends the IP" in editor.structure.words
        await pilot.press("ctrl+right_square_bracket")
        assert editor.cursor_location == (1, 0)
        await pilot.press("f9")
        assert editor.structure is None


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["1", "v", "<", "\"", "up", "down", "left", "right", "shift+down", "shift+right",
             "alt+up", "alt+left", "alt+down", "backspace", "delete", "enter", "tab", "ctrl+x",
             "ctrl+c", "ctrl+v", "insert", "end", "home", "é"]
        ),
        max_size=25,
    ),
    st.binary(max_size=30),
)  # fmt: skip
async def test_undoing_all_edits_restores_the_plane(keys: list[str], source: bytes) -> None:
    async with editing(source, language_id="befunge-98") as (editor, pilot):
        editor.app.copy_to_clipboard("ab\ncd")
        await pilot.press(*keys)
        after = editor.source
        count = len(editor.history.undo_stack)
        for _ in range(count):
            editor.undo()
        assert editor.source == source
        for _ in range(count):
            editor.redo()
        assert editor.source == after


async def test_select_all_is_the_rectangle_around_all_rows() -> None:
    async with editing(b'"eH",,@\n\nabc\n', language_id="befunge-98") as (editor, pilot):
        await pilot.press("down", "f7", "ctrl+c")
        assert editor.app.clipboard == '"eH",,@\n       \nabc    '
        await pilot.press("delete")
        assert editor.source == b"\n\n\n"
        assert editor.drawn_cursor == (0, 0)
        await pilot.press("ctrl+z")
        assert editor.source == b'"eH",,@\n\nabc\n'
    async with editing(b"", language_id="befunge-98") as (editor, pilot):
        await pilot.press("f7", "delete", "1")
        assert editor.source == b"1"


async def test_paste_replaces_the_selected_rectangle() -> None:
    plane = b"12345\n12345\n12345\n"
    async with editing(plane, language_id="befunge-98") as (editor, pilot):
        await pilot.press("right", "shift+right", "shift+right", "shift+down")
        editor.app.copy_to_clipboard("ab")
        await pilot.press("ctrl+v")
        assert editor.source == b"1ab 5\n1   5\n12345\n"
        await pilot.press("ctrl+z")
        assert editor.source == plane
        editor.app.copy_to_clipboard(">@\n")
        await pilot.press("f7", "ctrl+v")
        assert editor.source == b">@\n"
        await pilot.press("ctrl+z")
        assert editor.source == plane
        editor.app.copy_to_clipboard("a\nb\nc\nd\ne\n")
        await pilot.press("f7", "ctrl+v")
        assert editor.source == b"a\nb\nc\nd\ne\n"
