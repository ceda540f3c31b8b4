"""The input that ``:input`` sets stays when the program is edited, until it is dropped."""

from __future__ import annotations

import pytest
from debug_app import do, inside, program, settle, text_of

ECHO, PLUS = b",[.,]", b",[.,]+"


@pytest.mark.slow
async def test_input_that_was_set_survives_edits_until_it_is_dropped() -> None:
    async with program(ECHO, b"own", b"own") as (pilot, pane, _):

        async def edit(source: bytes, *, other: bool = False) -> bytes:
            pane.open("brainfuck", source, b"own", b"own", "standard", is_other_program=other)
            await settle(pilot)
            assert pane.time.target is not None
            return pane.time.target.snapshot.input

        await do(pilot, "colon", *"input", "space", *"mine", "enter")
        assert pane.time.target is not None
        assert pane.time.target.expected is None  # b"own" is expected of another input
        assert await edit(PLUS) == b"mine"
        assert pane.time.target.expected is None
        assert await edit(b"]") == b"mine"
        assert await edit(ECHO) == b"mine"
        pane.widgets.open_page("in")
        await settle(pilot)
        assert ":drop-input" in text_of(pane.widgets.input)[-1]
        await do(pilot, "colon", *"drop-input", "enter")
        assert pane.time.target is not None
        assert pane.time.target.snapshot.input == b"own"
        assert pane.time.target.expected == b"own"
        pane.widgets.open_page("in")
        await settle(pilot)
        assert inside(pane.widgets.input)[0] == " own"
        assert ":drop-input" not in text_of(pane.widgets.input)[-1]
        assert await edit(PLUS) == b"own"
        await do(pilot, "colon", *"input", "space", *"mine", "enter")
        assert await edit(ECHO, other=True) == b"own"


async def test_an_empty_input_ends_at_once_in_later_versions() -> None:
    async with program(ECHO) as (pilot, pane, _):
        await do(pilot, "colon", *"set", "space", *"input", "enter")
        pane.open("brainfuck", PLUS, b"", None, "standard")
        await settle(pilot)
        assert pane.time.target is not None
        assert pane.time.target.snapshot.is_input_closed


@pytest.mark.slow
async def test_drop_without_set_input_is_reported() -> None:
    async with program(ECHO, b"own") as (pilot, pane, _):
        await do(pilot, "colon", *"drop-input", "enter")
        assert "no input was set" in text_of(pane.widgets.status)[0]
