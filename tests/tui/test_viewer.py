"""An evaluation on the screen: questions, answers, verdicts, and the debugger."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from play_pilot import Player

from esoplay.reporting.viewer import ViewerEntry, ViewerRun, ViewerSection, entry_text
from esoplay.tui.dialogs import ChoiceDialog
from esoplay.tui.viewer.entries import MAX_SHOWN_LENGTH, EntryText
from esoplay.tui.viewer.screen import ViewerScreen, viewer_app
from esoplay.tui.viewer.source import DebugInput, ViewerSource


def entry(number: int, problem: str, outcome: str, program: bytes | None) -> ViewerEntry:
    good = outcome == "pass"
    sections = [
        ViewerSection("prompt", "question", f"Solve {problem}, please. " * 30),
        ViewerSection("text", "answer (1.5 s, 7 tokens out)", "Here [it] is.\x1b[2J"),
    ]
    if program is not None:
        sections += [
            ViewerSection("program", "program, 5 bytes", program.decode()),
            ViewerSection("result", f"verdict: {outcome}, 1 of 6 tests passed", "1  pass"),
        ]
    return ViewerEntry(
        number,
        f"solve/brainfuck/react/{problem}/1",
        (problem, "brainfuck", "react", "1"),
        outcome,
        "calm" if program is None else "good" if good else "bad",
        program is not None,
        "brainfuck",
        problem,
        program,
        tuple(sections),
    )


class Source(ViewerSource):
    def inputs(self, entry: ViewerEntry) -> Sequence[DebugInput]:
        return [DebugInput("public example", b"ab", b"ab")]


@asynccontextmanager
async def viewing(
    size: tuple[int, int], *more: ViewerEntry
) -> AsyncGenerator[tuple[Player, ViewerScreen]]:
    home = Path(os.environ["ESOPLAY_HOME"])
    home.mkdir(parents=True, exist_ok=True)
    entries = (
        entry(1, "E01", "planner", None),
        entry(2, "E01", "wrong answer", b",[.,]"),
        entry(3, "E02", "pass", b",[.,]"),
        *more,
    )
    run = ViewerRun("Transcript of heron", ("problem", "language", "regime", "turn"), (), entries)
    app = viewer_app(Source(run, "benchmark", {"eof": "-1"}), home)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        seen = app.run_screen
        assert isinstance(seen, ViewerScreen)
        yield Player(app, pilot), seen
    app.workspace.state.close()


@pytest.mark.slow
async def test_an_evaluation_is_read_and_debugged_at_80_by_24() -> None:
    async with viewing((80, 24)) as (player, seen):
        text = player.text()
        for words in ("Transcript of heron", "2 verdicts, 1 solved", "E01  brainfu react       1"):
            assert words in text
        assert "planner" in text
        await player.press("enter")
        assert not seen.is_debugging  # a plan has no program
        await player.press("j")
        assert "✗ verdict: wrong answer, 1 of 6 tests passed" in player.text()
        beside = player.text(seen.query_one(EntryText))
        assert beside.index("verdict: wrong answer") < beside.index("program, 5 bytes")
        assert "Here [it] is.␛[2J" in beside
        await player.press("tab", "G")
        assert "Solve E01, please." in player.text(seen.query_one(EntryText))
        assert "verdict" not in player.text(seen.query_one(EntryText))
        await player.press("tab", "enter")
        assert seen.is_debugging
        target = seen.debugger.time.target
        assert target is not None
        assert target.debugger.recording.stdin == b"ab"
        assert target.debugger.recording.options["eof"] == -1  # the run was made with --set
        assert "back to the list" in player.text()
        await player.press("escape", "M")
        assert isinstance(player.app.screen, ChoiceDialog)
        assert "not used" in player.text()
        await player.press("2")
        await player.until(lambda: seen.is_debugging)
        assert seen.debugger.time.target is not target
        await player.press("escape")
        assert not seen.is_debugging
        await player.press("slash")
        assert "questions and answers: verdicts" in player.text()
        assert "1/2" in player.text(seen.items)
        await player.press("z")
        assert not seen.items.display
        await player.press("escape")
        assert seen.items.display


async def test_a_long_text_is_shown_in_part_with_the_number_of_characters_left() -> None:
    text = "shown " + "x" * (MAX_SHOWN_LENGTH - 16) + " last-one!" + "hidden" * 5
    section = ViewerSection("text", "answer", text)
    long = entry(4, "E03", "pass", None)._replace(sections=(section,))
    async with viewing((80, 24), long) as (player, seen):
        await player.press("end", "tab", "home")
        beside = seen.query_one(EntryText)
        assert "shown" in player.text(beside)
        await player.press("end")
        assert "last-one!" in player.text(beside)
        assert "hidden" not in player.text(beside)
        said = " ".join(player.text(beside).replace("│", "").split())
        assert "… 30 more characters; --plain prints all" in said
    assert text in "\n".join(entry_text(long))
