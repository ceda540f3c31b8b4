"""Choosing the language of problems."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Play
from markdown_it import MarkdownIt
from play_pilot import Player
from selection import slow_except

from esolangs.registry import find_language, language_ids
from esoplay.tui.dialogs import ChoiceDialog
from esoplay.tui.languages import keys_for
from esoplay.tui.workspace import LaunchRequest

pytestmark = pytest.mark.slow  # each test walks through several views

OTHERS = [each for each in language_ids() if each != "brainfuck"]


def test_every_language_has_a_letter_of_its_own() -> None:
    keys = keys_for([find_language(each) for each in language_ids()])
    assert len(set(keys)) == len(language_ids())
    assert all(len(key) == 1 for key in keys)


async def choose(player: Player, language_id: str) -> None:
    languages = [find_language(each) for each in language_ids()]
    key = keys_for(languages)[language_ids().index(language_id)]
    await player.press("f8")
    assert isinstance(player.app.screen, ChoiceDialog)
    await player.press(key)
    await player.pilot.pause()


@pytest.mark.parametrize("language_id", slow_except(OTHERS, "shakespeare"))
async def test_a_problem_has_a_program_in_every_language(play: Play, language_id: str) -> None:
    async with play() as player:
        await player.open("E08")
        await player.write(b",[.,]")
        await choose(player, language_id)
        workspace = player.screen.workspace
        assert workspace.language_id == language_id
        assert workspace.problem is not None
        assert workspace.problem.id == "E08"
        assert player.screen.program.source == workspace.problem.starter(language_id)
        assert language_id in player.lines()[0]
        await player.pilot.click("#language")
        assert isinstance(player.app.screen, ChoiceDialog)
        await player.press("escape")
        await choose(player, "brainfuck")
        assert player.screen.program.source == b",[.,]"


@pytest.mark.slow
async def test_the_language_is_saved_between_runs(play: Play) -> None:
    async with play() as player:
        await player.open("E08")
        await choose(player, OTHERS[0])
    async with play() as player:
        assert player.screen.workspace.language_id == OTHERS[0]
        assert OTHERS[0] in player.lines()[0]


@pytest.mark.slow
async def test_removed_language_is_forgotten(play: Play) -> None:
    async with play() as player:
        player.screen.workspace.state.set_setting("language", "malbolge")
    async with play() as player:
        assert player.screen.workspace.language_id == "brainfuck"


async def test_a_file_keeps_its_language(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "own.bf"
    file.write_bytes(b"+.")
    async with play(launch=LaunchRequest(file)) as player:
        said: list[str] = []
        monkeypatch.setattr(player.screen, "notify", lambda text, **_: said.append(text))
        await player.press("f8")
        await player.pilot.pause()
        assert not isinstance(player.app.screen, ChoiceDialog)
        assert ["follows from its name" in text for text in said] == [True]


@pytest.mark.parametrize("language_id", slow_except(language_ids(), "whitespace"))
async def test_help_shows_the_card_of_the_language(play: Play, language_id: str) -> None:
    language = find_language(language_id)
    async with play(size=(150, 44)) as player:
        player.screen.workspace.choose_language(language_id)
        player.screen.action_help()
        await player.pilot.pause()
        assert f"{language.name} card" in player.text()


@pytest.mark.parametrize("language_id", language_ids())
def test_backticks_in_a_card_do_not_end_its_code(language_id: str) -> None:
    markdown = MarkdownIt().enable("table")
    for dialect in find_language(language_id).dialects:
        for token in markdown.parse(find_language(language_id).card(dialect)):
            for part in token.children or ():
                assert part.type != "text" or "`" not in part.content


@pytest.mark.parametrize("language_id", slow_except(language_ids(), "unlambda"))
async def test_no_language_loses_a_byte_in_the_editor(play: Play, language_id: str) -> None:
    source = find_language(language_id).sample() + b"\r\n\t\x0c \x00\xff\xc3\xa9\r\t \n"
    async with play() as player:
        player.screen.workspace.choose_language(language_id)
        problem = player.screen.workspace.problem
        assert problem is not None
        await player.screen.edit_buffer(player.screen.workspace.open_problem(problem))
        player.screen.show_view("edit")
        await player.write(source)
        assert player.screen.program.source == source
        # After a word, Tab completes it; the last line has none.
        await player.press("ctrl+end", "tab", "backspace", "space", "backspace")
        assert player.screen.program.source == source
        player.screen.current_file.autosave()
        buffer = player.screen.workspace.buffer
        assert buffer is not None
        assert buffer.path.read_bytes() == source


async def test_whitespace_code_is_visible_in_the_editor(play: Play) -> None:
    if "whitespace" not in language_ids():
        pytest.skip("Whitespace is not installed")
    async with play() as player:
        player.screen.workspace.choose_language("whitespace")
        problem = player.screen.workspace.problem
        assert problem is not None
        await player.screen.edit_buffer(player.screen.workspace.open_problem(problem))
        player.screen.show_view("edit")
        await player.write(b"   \t\n\t\n  a\n")
        rows = [line[3:].rstrip(" │") for line in player.lines(player.screen.program.editor)]
        assert rows[:3] == ["···→¶", "→¶", "··a¶"]
