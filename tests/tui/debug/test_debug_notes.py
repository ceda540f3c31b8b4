"""The notebook in the pane: a note, its place in the list, its text, the file."""

from __future__ import annotations

from pathlib import Path

import pytest
from debug_app import MID, PaneApp, do, inside, program, settle

from esoplay.tui.debug.pane import DebugPane

SOURCE = b"++[.-]"


@pytest.mark.slow
async def test_note_is_listed_and_leads_to_its_step() -> None:
    async with program(SOURCE, b"x", size=MID) as (pilot, pane, _):
        await do(pilot, "3", "s", "a", *"here", "enter")
        assert "note on step 3 saved" in pane.time.notice
        await do(pilot, "home", "a", "enter")
        await do(pilot, "G", "A")
        rows = inside(pane.widgets.notes)
        assert "@0" in rows[0]
        assert "increment cell 0" in rows[0]
        assert "@3  1:4  here" in rows[1]
        await do(pilot, "j", "enter")
        assert pane.step == 3
        await do(pilot, "E", *" now", "enter")
        await do(pilot, "A")
        assert "here now" in inside(pane.widgets.notes)[1]
        await do(pilot, "delete")
        assert "here now" not in "".join(inside(pane.widgets.notes))
        assert pane.step == 3


@pytest.mark.slow
async def test_notes_are_restored_and_exported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a name that is quickly typed
    path = Path("notes.md")
    for time in range(2):
        pane = DebugPane(id="debug")
        pane.notes_folder = tmp_path
        async with PaneApp(pane).run_test(size=MID) as pilot:
            pane.open("brainfuck", SOURCE, b"x", None, "standard")
            pane.focus()
            await settle(pilot)
            if not time:
                await do(pilot, "a", *"first", "enter")
            else:
                await do(pilot, "A")
                assert "first" in inside(pane.widgets.notes)[0]
                await do(pilot, "colon", *f"export {path}", "enter")
                assert "one note written" in pane.time.notice
                path.write_text("precious")
                await do(pilot, "colon", *f"export {path}", "enter")
                assert "!" in pane.time.notice
                assert path.read_text() == "precious"
                await do(pilot, "colon", *f"export! {path}", "enter")
                assert path.read_text("utf-8").startswith("# Notes")


async def test_each_program_has_its_own_notes() -> None:
    async with program(SOURCE, b"x", size=MID) as (pilot, pane, _):
        await do(pilot, "a", *"one", "enter")
        pane.open("brainfuck", b"+++", b"x", None, "standard")
        await settle(pilot)
        await do(pilot, "A")
        assert "no notes" in inside(pane.widgets.notes)[0]


@pytest.mark.slow
async def test_focus_returns_after_the_prompt() -> None:
    async with program(b"+++.", b"", b"x") as (pilot, pane, _):
        await do(pilot, "a", *"here", "enter", "A", "E", "!", "enter")
        assert pane.widgets.notes.has_focus
        assert "here!" in inside(pane.widgets.notes)[0]
        await do(pilot, "E", "escape")
        assert pane.widgets.notes.has_focus
        await do(pilot, "delete")
        assert inside(pane.widgets.notes)[0].startswith(" no notes")
