"""A requested hint is visible, in every size and from every view."""

from __future__ import annotations

import re

import pytest
from conftest import Play
from selection import slow_except

from esolangs.registry import language_ids
from esoplay.learning.lessons import get_course
from esoplay.packs.catalogue import get_pack
from esoplay.packs.hints import all_hints
from esoplay.tui.browser.statement import HintLine, hint_text, render_markdown

pytestmark = pytest.mark.slow  # each test walks through several views


def words_of(text: str) -> str:
    """Without frames, scrollbars and line breaks."""
    return " ".join(re.sub("[\u2500-\u259f]", " ", text).split())


SIZES = [(80, 24), (120, 40), (200, 60)]


@pytest.mark.slow
@pytest.mark.parametrize("size", slow_except(SIZES, (120, 40)))
async def test_every_requested_hint_is_visible(play: Play, size: tuple[int, int]) -> None:
    async with play(size=size) as player:
        screen = player.screen
        screen.workspace.choose_language("befunge-98")
        await player.open("E04")
        await player.press("escape")
        problem = screen.workspace.problem
        assert problem is not None
        hints = screen.workspace.hints(problem)
        assert len(hints) == 6
        for number, hint in enumerate(hints, 1):
            await player.press("H")
            await player.pilot.pause()
            shown = words_of(player.text(screen.statement))
            assert f"hint {number} " in shown
            assert words_of(render_markdown(hint).plain)[:30] in shown
        await player.press("H")
        assert screen.workspace.shown_hint_count(problem) == len(hints)


async def test_hint_can_be_requested_in_the_editor(play: Play) -> None:
    async with play(size=(120, 40)) as player:
        await player.open("E04")
        before = player.screen.program.source
        await player.press("alt+h")
        assert player.screen.program.editor.has_focus
        assert "hint 1 " in player.text(player.screen.statement)
        assert player.screen.program.source == before


async def test_hint_can_be_requested_in_a_lessons_editor(play: Play) -> None:
    course = get_course("brainfuck")
    lesson = next(each for each in course if each.task.kind == "program")
    async with play(size=(120, 40)) as player:
        await player.screen.lessons.open_task(lesson)
        await player.pilot.pause()
        before = player.screen.program.source
        await player.press("alt+h")
        await player.pilot.pause()
        assert player.screen.program.source == before
        said = [words_of(str(each.message)) for each in player.app._notifications]  # pyright: ignore[reportPrivateUsage]
        visible = words_of(player.text())
        first = words_of(lesson.task.hints[0])
        assert first[:30] in visible or any(first in each for each in said)


async def test_hints_on_the_language_are_counted_for_each_language(play: Play) -> None:
    async with play() as player:
        workspace = player.screen.workspace
        problem = workspace.pack.problem("E04")
        workspace.choose_language("befunge-98")
        for _ in range(5):
            workspace.save_hint_shown(problem)
        assert workspace.shown_hint_count(problem) == 5
        workspace.choose_language("whitespace")
        assert workspace.shown_hint_count(problem) == 3
        assert workspace.save_hint_shown(problem) == 4
        workspace.choose_language("befunge-98")
        assert workspace.shown_hint_count(problem) == 5


async def test_a_statement_ends_with_the_limits_of_its_tests(play: Play) -> None:
    async with play(size=(120, 40)) as player:
        await player.open("E04")
        shown = words_of(player.text(player.screen.statement))
        assert "Limits. 10,000,000 steps, 1 MiB of output and 256 MiB of memory" in shown


def test_hints_show_code_without_the_marks_around_it() -> None:
    shown = hint_text(["Write `` `si ``, then `'-,0\\-`.", "Not [-] yet"], 2).plain
    assert shown == "hint 1  Write `si, then '-,0\\-.\nhint 2  Not [-] yet"


def test_hints_are_shown_completely() -> None:
    for problem in get_pack():
        for language in language_ids():
            for hint in all_hints(problem, language):
                code = re.sub(r"(?<!`)(`+)(?!`) ?(.+?) ?(?<!`)\1(?!`)", r"\2", hint)
                assert render_markdown(hint).plain.split() == code.split(), (problem.id, hint)


async def test_message_shows_brackets_literally(play: Play) -> None:
    async with play() as player:
        for text in ("a [Enter Romeo] b", "x [/] y"):
            player.app.notify(text)
            await player.pilot.pause()
        assert not any(each.markup for each in player.app._notifications)  # pyright: ignore[reportPrivateUsage]


async def test_the_last_hint_is_visible_although_the_layout_is_late(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two keys in one read: the callbacks of both may run before the layout of the second text."""
    async with play(size=(80, 24)) as player:
        await player.open("E01")
        await player.press("escape")
        statement = player.screen.statement
        with monkeypatch.context() as patch:
            patch.setattr(HintLine, "call_after_refresh", lambda _, callback: callback())
            await player.press("H", "H")
        await player.pilot.pause()
        assert "(2 of 6 shown)" in words_of(player.text(statement))
        statement.scroll_home(animate=False)
        await player.pilot.resize_terminal(90, 24)
        await player.pilot.pause()
        assert statement.scroll_y == 0
