"""The editor: exact bytes after any edit; wrapping and offsets agree with the text."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from inspect import signature

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual import on
from textual._xterm_parser import XTermParser
from textual.app import App, ComposeResult
from textual.drivers.linux_driver import LinuxDriver
from textual.geometry import Offset
from textual.pilot import Pilot
from textual.widgets import TextArea

from esoplay.tui.editor.document import ByteDocument, CellWrapping, to_bytes, to_text
from esoplay.tui.editor.editor import MAX_EDITABLE_BYTES, Editor
from esoplay.tui.terminal import BytesPaste
from esoplay.tui.themes import variable_defaults

SOURCES = st.one_of(
    st.binary(max_size=200),
    st.text("+-<>[].,\n\t é日\r\x0b\u2028", max_size=200).map(str.encode),
)


class EditorApp(App[None]):
    def get_theme_variable_defaults(self) -> dict[str, str]:
        return variable_defaults(self.current_theme)

    left = 0

    def compose(self) -> ComposeResult:
        yield Editor()

    @on(Editor.LeaveRequested)
    def _count(self) -> None:
        self.left += 1


@asynccontextmanager
async def editing(
    source: bytes,
    *,
    size: tuple[int, int] = (40, 12),
    wrap: bool | None = None,
    language_id: str = "brainfuck",
) -> AsyncGenerator[tuple[Editor, Pilot[None]]]:
    app = EditorApp()
    async with app.run_test(size=size) as pilot:
        editor = app.query_one(Editor)
        editor.load(source, language_id, wrap=wrap)
        editor.focus()
        await pilot.pause()
        yield editor, pilot


@given(st.lists(SOURCES, min_size=1, max_size=4), st.data())
def test_edits_change_bytes_and_text_alike(sources: list[bytes], data: st.DataObject) -> None:
    document = ByteDocument(sources[0])
    assert document.source == sources[0]
    text = to_text(sources[0])
    for inserted in sources[1:]:
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, len(text)))
        where = [_location(text, at) for at in (start, end)]
        result = document.replace_range(where[0], where[1], to_text(inserted))
        assert to_bytes(result.replaced_text) == to_bytes(text[start:end])
        text = text[:start] + to_text(inserted) + text[end:]
        assert document.source == to_bytes(text)
        assert result.end_location == _location(text, start + len(to_text(inserted)))


@given(SOURCES)
def test_offsets_and_locations_agree(source: bytes) -> None:
    document = ByteDocument(source)
    for row, line in enumerate(document.lines):
        for column in range(len(line) + 1):
            offset = document.to_offset((row, column))
            assert document.to_location(offset) == (row, column)


@given(SOURCES, st.integers(0, 20))
def test_wrapping_shows_every_character_once(source: bytes, width: int) -> None:
    document = ByteDocument(source)
    wrapping = CellWrapping(document, width if width != 1 else 2)
    rows = [wrapping.row(y) for y in range(wrapping.height)]
    shown: dict[int, str] = {}
    for row in rows:
        assert row is not None
        part = document.get_line(row.line)[row.start : row.end]
        shown[row.line] = shown.get(row.line, "") + part
    assert list(shown.values()) == document.lines
    assert wrapping.row(wrapping.height) is None
    for y in range(wrapping.height):
        location = wrapping.offset_to_location(Offset(0, y))
        assert wrapping.location_to_offset(location) == Offset(0, y)


def test_bytes_survive_loading_and_saving() -> None:
    """Every byte value, every line break that Unicode knows, with and without a last newline."""
    nasty = bytes(range(256)) + "\u2028\u2029\x85\r\n\x0b\x0c\x1c".encode() + b"\r\n" * 2
    assert ByteDocument(nasty).source == nasty


async def test_typing_inserts_exactly_what_is_typed() -> None:
    async with editing(b"\r\n\x00") as (editor, pilot):
        await pilot.press("+", "[", "]", "tab", "enter", "space", "é")
        assert editor.source == b"+[]\t\n \xc3\xa9\r\n\x00"


async def test_undo_and_redo_restore_the_bytes() -> None:
    async with editing(b"\xff+") as (editor, pilot):
        await pilot.press("end", "enter", "-")
        await pilot.press("ctrl+z", "ctrl+z", "ctrl+z")
        assert editor.source == b"\xff+"
        await pilot.press("ctrl+y", "ctrl+y", "ctrl+y")
        assert editor.source == b"\xff+\n-"
        editor.replace_source(b"[]")
        await pilot.press("ctrl+z")
        assert editor.source == b"\xff+\n-"


async def test_last_line_can_be_deleted() -> None:
    async with editing(b"") as (editor, pilot):
        await pilot.press("ctrl+k", "+", "enter", "ctrl+k", "ctrl+x", "-")
        assert editor.source == b"+\n-"


async def test_one_key_goes_to_each_end_of_the_text() -> None:
    async with editing(b"one\ntwo\nthree") as (editor, pilot):
        await pilot.press("ctrl+end", "x", "ctrl+home", "y")
        assert editor.source == b"yone\ntwo\nthreex"


async def test_copying_keeps_bytes_and_pasting_keeps_lines() -> None:
    async with editing(b"\x00\xff\t") as (editor, pilot):
        await pilot.press("f7", "ctrl+c", "right", "ctrl+v")
        assert editor.source == b"\x00\xff\t" * 2
        assert editor.app.clipboard == "\x00\N{REPLACEMENT CHARACTER}\t"
        await pilot.press("f7", "ctrl+x")
        assert editor.source == b""
        editor.app.copy_to_clipboard("a\rb\rc")
        await pilot.press("ctrl+v")
        assert editor.source == b"a\nb\nc"
        editor.app.copy_to_clipboard("a\r\nb\rc")
        await pilot.press("f7", "ctrl+v")
        assert editor.source == b"a\r\nb\rc"


async def test_escape_leaves_the_editor() -> None:
    async with editing(b"+") as (editor, pilot):
        await pilot.press("escape")
        assert isinstance(pilot.app, EditorApp)
        assert pilot.app.left == 1
        assert editor.source == b"+"


async def test_matching_brackets_ignore_other_kinds() -> None:
    async with editing(b"(]\n[+[-]>)\n]") as (editor, _):
        assert editor.document.matching_bracket((1, 0)) == (2, 0)
        assert editor.document.matching_bracket((2, 0)) == (1, 0)
        assert editor.document.matching_bracket((1, 2)) == (1, 4)
        assert editor.document.matching_bracket((0, 1)) is None
        assert editor.document.matching_bracket((0, 0)) == (1, 6)


async def test_a_parse_error_is_marked_and_reached() -> None:
    async with editing("é\n+]".encode()) as (editor, _):
        editor.show_error((4, 5))
        editor.go_to_offset(4)
        assert editor.cursor_location == (1, 1)
        editor.move_cursor((0, 0))
        plain, marked = (_background_of(editor, 1, each) for each in "+]")
        assert plain != marked
        editor.insert("x")
        assert _background_of(editor, 1, "]") == _background_of(editor, 1, "+")


async def test_a_large_program_in_one_line_can_be_edited() -> None:
    source = b"+[->+<]" * 14_000
    async with editing(source) as (editor, pilot):
        await pilot.press("+", "down", "end", "pagedown", "ctrl+z")
        assert editor.source == source
        assert not editor.read_only
        editor.load(b"+" * (MAX_EDITABLE_BYTES + 1), "brainfuck")
        await pilot.press("-")
        assert len(editor.source) == MAX_EDITABLE_BYTES + 1


async def test_reflow_only_adds_line_breaks() -> None:
    source = "+é".encode() * 100 + b"\n\xff"
    async with editing(source) as (editor, _):
        editor.reflow(7)
        assert editor.source.replace(b"\n", b"") == source.replace(b"\n", b"")
        assert editor.longest_line == 7


@pytest.mark.parametrize("wrap", [True, False])
async def test_drawn_rows_have_the_width_of_the_widget(wrap: bool) -> None:
    source = "日本語+[\t]\n".encode() * 3 + b"+" * 100 + b"\n\n\x00"
    async with editing(source, wrap=wrap) as (editor, pilot):
        await pilot.press("down", "shift+down", "shift+right")
        for y in range(12):
            strip = editor.render_line(y)
            assert strip.cell_length == editor.scrollable_content_region.width


KEYS = ("a", "s", "`", "[", "é", "#", "space", "tab", "enter", "backspace", "delete", "up", "down",
        "left", "right", "end", "home", "shift+left", "shift+down", "ctrl+x", "ctrl+c", "ctrl+v",
        "ctrl+z", "ctrl+y", "insert", "f6", "f7", "ctrl+w", "ctrl+k", "ctrl+@")  # fmt: skip


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(["brainfuck", "whitespace", "unlambda", "shakespeare"]),
    SOURCES,
    st.lists(st.one_of(st.sampled_from(KEYS), st.binary(max_size=9)), max_size=20),
)
async def test_undoing_all_edits_restores_the_bytes(
    language_id: str, source: bytes, doings: list[str | bytes]
) -> None:
    async with editing(source, language_id=language_id) as (editor, pilot):
        for doing in doings:
            if isinstance(doing, str):
                await pilot.press(doing)
            else:
                editor.post_message(BytesPaste(doing))
                await pilot.pause()
                if len(pilot.app.screen_stack) > 1:
                    await pilot.press("r")
            assert to_bytes("\n".join(editor.document.lines)) == editor.source
        after = editor.source
        count = len(editor.history.undo_stack)
        for _ in range(count):
            editor.undo()
        assert editor.source == source
        for _ in range(count):
            editor.redo()
        assert editor.source == after


async def test_the_private_parts_of_textual_that_are_overridden_still_exist() -> None:
    """Whoever updates Textual's version finds out here what the editor relies on."""
    assert list(signature(TextArea._set_document).parameters) == ["self", "text", "language"]
    assert list(signature(TextArea._on_paste).parameters) == ["self", "event"]
    assert list(signature(TextArea._on_key).parameters) == ["self", "event"]
    assert EditorApp()._keymap == {}
    async with editing(b"") as (editor, _):
        assert editor._bindings.key_to_bindings["backspace"][0].action == "delete_left"
    assert list(signature(TextArea._build_highlight_map).parameters) == ["self"]
    assert list(signature(TextArea._on_mouse_down).parameters) == ["self", "event"]
    assert list(signature(TextArea._refresh_size).parameters) == ["self"]
    assert list(signature(LinuxDriver.run_input_thread).parameters) == ["self"]
    assert list(signature(XTermParser.feed).parameters) == ["self", "data"]
    assert XTermParser()._timeout_time is None
    assert list(signature(TextArea.find_matching_bracket).parameters) == [
        "self",
        "bracket",
        "search_from",
    ]


def _location(text: str, at: int) -> tuple[int, int]:
    before = text[:at]
    return before.count("\n"), at - (before.rfind("\n") + 1)


def _background_of(editor: Editor, y: int, character: str) -> object:
    """The background on which the row shows the character."""
    for segment in editor.render_line(y):
        if character in segment.text and segment.style is not None:
            return segment.style.bgcolor
    raise AssertionError(f"{character!r} is not shown")
