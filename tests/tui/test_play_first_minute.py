"""The first minute: what new users are offered, and what the command line opens."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Play
from play_pilot import Player
from selection import slow_except
from shell import ROOT
from textual.widgets import TextArea

from esoplay.learning.lessons import get_course
from esoplay.packs.catalogue import get_pack
from esoplay.tui.browser.folder import find_programs
from esoplay.tui.editor.pane import code_offset
from esoplay.tui.file_dialog import FileDialog, complete, find_candidates
from esoplay.tui.workspace import LaunchRequest

SIZES = [(80, 24), (120, 40), (200, 60)]
LANGUAGES = ["brainfuck", "befunge-98", "whitespace", "shakespeare", "unlambda"]


@pytest.mark.parametrize("size", slow_except(SIZES, (80, 24)))
async def test_the_first_screen_offers_a_lesson_a_problem_and_a_file(
    play: Play, size: tuple[int, int]
) -> None:
    async with play(size=size) as player:
        text = player.text()
        for words in ("Start lesson 1", "Solve E01", "Debug a file…", "Quit"):
            assert words in text
        assert "Continue" not in text
        await player.press("down", "enter")
        assert player.screen.view == "edit"
        problem = player.screen.workspace.pack.problem("E01")
        assert player.screen.program.source == problem.starter("brainfuck")
        statement = player.text(player.screen.statement)
        assert "Print this greeting:" in statement
        assert "out Hello World!" in player.text().replace("  ", " ")


async def test_lesson_1_starts_with_one_key(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        await player.press("enter")
        lesson = player.screen.workspace.lesson
        assert lesson is not None
        assert lesson.number == 1
        assert player.screen.view == "learn"


async def test_start_options_do_not_depend_on_the_language(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        await player.press("L", "s")
        await player.until(lambda: "“The stage”" in player.text())
        assert player.screen.shows_start_page
        assert "Continue" not in player.text()
        await player.press("enter")
        assert player.screen.workspace.lesson is get_course("shakespeare").lesson(1)


@pytest.mark.slow
async def test_next_run_resumes_the_last_one(play: Play, tmp_path: Path) -> None:
    async with play() as player:
        assert player.screen.shows_start_page  # and nothing is chosen
    path = tmp_path / "own.bf"
    path.write_bytes(b"+[-]")
    async with play() as player:
        assert player.screen.shows_start_page
        await player.press("end", "enter")
        assert isinstance(player.app.screen, FileDialog)
        await player.press(*str(path), "enter")
        await player.until(lambda: player.screen.debugger.has_program)
        assert player.screen.view == "debug"
    async with play() as player:
        assert player.screen.view == "debug"
        assert player.screen.program.source == b"+[-]"
        await player.press("g", "h")
        assert "own.bf, Brainfuck" in player.text()
        await player.press("enter")
        assert player.screen.view == "debug"
        await player.press("g", "h", "down", "down", "enter")
    async with play() as player:
        assert player.screen.workspace.problem is not None
        assert player.screen.workspace.problem.id == "E01"


async def test_the_language_can_be_changed_on_the_start_page(play: Play) -> None:
    async with play() as player:
        await player.press("L", "s")
        assert player.screen.shows_start_page
        assert "a language other than Shakespeare" in player.text()
        await player.press("down", "down", "enter")
        assert player.screen.program.source == get_pack().problem("E01").starter("shakespeare")


# A statement is never above another problem's work


@pytest.mark.slow
async def test_browsing_hides_results_of_other_problems(play: Play) -> None:
    async with play(size=(200, 60)) as player:
        await player.open("E08")
        await player.press("alt+g", "p", "j", "j")
        assert player.screen.statement.problem is get_pack().problem("E10")
        title = player.text(player.screen.title_bar)
        assert "E10" in title
        assert "E08" not in title
        shown = {pane.id for pane in player.screen.panes if pane.region.area}
        assert shown == {"problems", "statement"}
        await player.press("g", "e")
        await player.until(lambda: "Reverse" in player.text(player.screen.statement))
        assert "E08 Reverse String" in player.text(player.screen.title_bar)


async def test_browsing_beside_the_editor_keeps_the_statement(play: Play) -> None:
    async with play(size=(120, 40)) as player:
        await player.open("E08")
        player.screen.problems.focus()
        await player.press("j", "j")
        assert player.screen.statement.problem is get_pack().problem("E08")
        await player.press("enter")
        await player.until(lambda: player.screen.statement.problem is get_pack().problem("E10"))
        assert player.screen.workspace.problem is get_pack().problem("E10")


# A starter is visible: its lines are not cut, and its comments do not push the code out of view

STARTER_WIDTH = 36
"""Columns for the text of an editor beside the statement at 80×24."""

STARTERS = sorted(
    [
        *(ROOT / "problems").glob("*/starters/*"),
        *(ROOT / "interpreters/esolangs").glob("*/starter.*"),
    ]
)


def test_every_starter_fits_beside_the_statement_at_80_columns() -> None:
    assert {path.suffix for path in STARTERS} == {".bf", ".b98", ".ws", ".spl", ".unl"}
    for path in STARTERS:
        lines = path.read_text("utf-8").split("\n")
        assert max(map(len, lines)) <= STARTER_WIDTH, path
        assert len(lines) < 100, path  # the line numbers have two digits


@pytest.mark.parametrize("language", LANGUAGES)
def test_code_offset_of_a_starter_is_after_its_comments(language: str) -> None:
    for problem in get_pack():
        source = problem.starter(language)
        offset = code_offset(language, source)
        assert 0 <= offset <= len(source)
    if language == "brainfuck":
        source = get_pack().problem("E08").starter(language)
        assert source[code_offset(language, source) :].startswith(b">,")


@pytest.mark.parametrize("language", slow_except(LANGUAGES, "brainfuck", "shakespeare"))
async def test_the_cursor_is_at_the_code_and_rows_below_are_visible(
    play: Play, language: str
) -> None:
    launch = LaunchRequest(problem_id="E01", language_id=language)
    async with play(size=(80, 24), launch=launch) as player:
        editor = player.screen.program.editor
        source = player.screen.program.source
        row = source[: code_offset(language, source)].count(b"\n")
        assert editor.cursor_location[0] == row
        await player.until(lambda: _shows_rows_below(player))
        assert _text_width(editor) >= STARTER_WIDTH
        await player.press("right")
        assert player.screen.program.source == source


def _text_width(editor: TextArea) -> int:
    """The columns for text beside the line numbers and a scrollbar, with the cursor at the end."""
    return editor.scrollable_content_region.width - editor.gutter_width - 1


def _shows_rows_below(player: Player) -> bool:
    """The rows from the cursor on are visible: four of them, or as many as there are."""
    editor = player.screen.program.editor
    at = editor.wrapped_document.location_to_offset(editor.cursor_location).y
    height = editor.wrapped_document.height
    last = min(height, round(editor.scroll_y) + editor.size.height)
    return last - at >= min(4, height - at)


# The command line


async def test_a_problem_and_a_language_open_without_a_file(play: Play) -> None:
    async with play(launch=LaunchRequest(problem_id="e08", language_id="befunge-98")) as player:
        assert player.screen.view == "edit"
        assert "E08 Reverse String" in player.text(player.screen.title_bar)
        assert player.screen.workspace.language_id == "befunge-98"
    async with play(launch=LaunchRequest(language_id="unlambda")) as player:
        assert player.screen.workspace.problem is get_pack().problem("E08")
        assert player.screen.program.source == get_pack().problem("E08").starter("unlambda")


async def test_the_programs_of_a_folder_are_browsed(play: Play, tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "one.bf").write_bytes(b"+[-] first\n")
    (tmp_path / "below" / "two.b98").write_bytes(b'"second",@\n')
    (tmp_path / "notes.txt").write_bytes(b"no program")
    async with play(size=(80, 24), launch=LaunchRequest(folder=tmp_path)) as player:
        assert player.screen.view == "browse"
        assert "2 programs" in player.text()
        assert "first" in player.text(player.screen.preview)
        await player.press("j")
        await player.until(lambda: "second" in player.text(player.screen.preview))
        await player.press("enter")
        assert player.screen.workspace.language_id == "befunge-98"
        assert player.screen.program.source == b'"second",@\n'
        await player.press("alt+g", "p")
        assert player.screen.focused is player.screen.folder


def test_programs_are_found_below_a_folder(tmp_path: Path) -> None:
    for name in ("b.ws", "a.bf", ".hidden/c.bf", "x/d.unl", "x/e.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"12")
    found, more = find_programs(tmp_path)
    assert [(each.name, each.size) for each in found] == [("a.bf", 2), ("b.ws", 2), ("x/d.unl", 2)]
    assert not more


def test_paths_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("alpha.bf", "alphabet.b98", "alps/x.bf", ".dot.bf", "alto.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    found = find_candidates("al")
    assert [each.path for each in found] == ["alpha.bf", "alphabet.b98", "alps/"]
    assert complete("al", found) == "alp"
    assert complete("alpha.", find_candidates("alpha.")) == "alpha.bf"
    assert [each.path for each in find_candidates(".")] == [".dot.bf"]
    assert [each.path for each in find_candidates("alps/")] == ["alps/x.bf"]
    assert find_candidates("nowhere/x") == find_candidates("\0") == []


@pytest.mark.slow
async def test_the_path_of_a_file_is_completed_with_tab(play: Play, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "program.bf").write_bytes(b"+.")
    async with play(size=(80, 24)) as player:
        player.screen.start_actions.ask_file()
        await player.pilot.pause()
        await player.press(*str(tmp_path), "slash", "f", "tab")
        assert "program.bf" in player.text()
        await player.press("enter")
        await player.until(lambda: player.screen.program.source == b"+.")
        assert player.screen.view == "debug"
