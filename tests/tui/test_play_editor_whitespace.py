"""Typing whitespace by letter: typed and pasted text, and the label in the frame."""

from __future__ import annotations

import pytest
from test_play_editor import editing
from textual.events import Paste

from esoplay.tui.dialogs import ChoiceDialog
from esoplay.tui.terminal import BytesPaste


async def test_letters_and_whitespace_keys_enter_whitespace() -> None:
    async with editing(b"", language_id="whitespace") as (editor, pilot):
        await pilot.press("s", "S", "space", "t", "tab", "s", "l")
        assert editor.source == b"   \t\t \n"
        assert editor.structure is not None
        assert editor.structure.words == "push 6  SSSTTSL"
        await pilot.press("ctrl+z")
        assert editor.source == b"   \t\t "


async def test_incomplete_instruction_is_described() -> None:
    async with editing(b"x", language_id="whitespace") as (editor, pilot):
        await pilot.press("end", "l", "t")
        assert editor.structure is not None
        assert "S jz" in editor.structure.words
        assert "T jn" in editor.structure.words
        await pilot.press("s", "t")
        assert editor.structure is not None
        assert "jz T …" in editor.structure.words


async def test_comment_contains_no_instruction() -> None:
    async with editing(b"", language_id="whitespace") as (editor, pilot):
        await pilot.press("number_sign", "s", "o", "space", "l", "x", "backspace", "enter", "s")
        assert editor.source == "#so\N{NO-BREAK SPACE}l ".encode()


async def test_one_key_switches_to_plain_typing() -> None:
    async with editing(b"", language_id="whitespace") as (editor, pilot):
        await pilot.press("insert", "s", "t", "l", "space")
        assert editor.source == b"stl "
        await pilot.press("insert", "s")
        assert editor.source == b"stl  "


@pytest.mark.parametrize(
    ("pasted", "taken"),
    [
        (b"SSSTL", b"   \t\n"),
        (b"SSS TL\nLLL\n", b"   \t\n\n\n\n"),
        (b"  \t \t\n", b"  \t \t\n"),
        (b"  \ta comment\r\n\x00\xff", b"  \ta comment\r\n\x00\xff"),
        (b"\n\n\n", b"\n\n\n"),
    ],
)
async def test_unambiguous_paste_needs_no_question(pasted: bytes, taken: bytes) -> None:
    async with editing(b"ab", language_id="whitespace") as (editor, pilot):
        await pilot.press("right")
        editor.post_message(BytesPaste(pasted))
        await pilot.pause()
        assert editor.source == b"a" + taken + b"b"
        editor.undo()
        assert editor.source == b"ab"


@pytest.mark.parametrize(("answer", "taken"), [("l", b"one\n"), ("r", b"one L"), ("escape", b"")])
async def test_ambiguous_paste_asks(answer: str, taken: bytes) -> None:
    async with editing(b"", language_id="whitespace") as (editor, pilot):
        editor.post_message(Paste("one L"))
        await pilot.pause()
        assert isinstance(editor.app.screen, ChoiceDialog)
        await pilot.press(answer)
        assert editor.source == taken


async def test_own_copy_is_pasted_unchanged() -> None:
    async with editing(b"SSSTL", language_id="whitespace") as (editor, pilot):
        await pilot.press("f7", "ctrl+c", "right", "ctrl+v")
        assert editor.source == b"SSSTL" * 2


async def test_plain_typing_pastes_letters_as_letters() -> None:
    async with editing(b"", language_id="whitespace") as (editor, pilot):
        await pilot.press("insert")
        editor.post_message(BytesPaste(b"SSSTL"))
        await pilot.pause()
        assert editor.source == b"SSSTL"
