"""Prose breaks between words at every width; only a word wider than its pane is cut."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Iterable

import pytest
from conftest import Play
from rich.style import Style
from textual.app import App
from textual.containers import VerticalScroll
from textual.content import Content
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Markdown, OptionList, Static
from textual.widgets.markdown import MarkdownFence

from esolangs.registry import find_language, language_ids
from esoplay.learning.lessons import get_course
from esoplay.packs.catalogue import list_problems
from esoplay.tui.browser.statement import StatementPane
from esoplay.tui.debug.canvas import StyledText, truncate_spans
from esoplay.tui.dialogs import ChoiceDialog, DialogChoice, TextDialog
from esoplay.tui.generate.pane import CARD
from esoplay.tui.learn.panes import LessonPane, LessonStatus
from esoplay.tui.themes import variable_defaults
from esoplay.tui.word_wrap import cut_words, wrap_words

WIDTHS = (26, 46, 80, 116, 196)
"""Columns of terminals, and of panes beside others."""
ROWS = 130
"""So many that everything is on the screen, of cards five times as many."""
BORDER = "█"


class Page(App[None]):
    """Shows one widget in our colours."""

    def __init__(self, widget: Widget) -> None:
        super().__init__()
        self.widget = widget

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return variable_defaults(self.current_theme)

    def compose(self) -> Iterable[Widget]:
        yield self.widget


def cut(widget: Widget) -> list[str]:
    """The texts in a widget, all of which is on the screen, that are not shown word for word.

    Listings are left out: they keep their lines, and scroll.
    """
    rows = [strip.text for strip in widget.screen._compositor.render_strips()]
    found: list[str] = []
    for each in widget.walk_children(Static, with_self=True):
        content, region = each.visual, each.region
        if isinstance(each.parent, MarkdownFence) or not isinstance(content, Content):
            continue
        if not content.plain.strip() or not region.area:
            continue
        shown = " ".join(row[region.x : region.right] for row in rows[region.y : region.bottom])
        shown = shown.replace(BORDER, " ")
        words = content.plain.split()
        longest = max(Content(word).cell_length for word in words)
        if shown.split() != words and longest <= region.width:
            found.append(f"{content.plain!r} is shown as {shown!r}")
    return found


async def resize(pilot: Pilot[None], width: int, rows: int = ROWS) -> None:
    await pilot.resize_terminal(width, rows)
    await pilot.pause()


@pytest.mark.slow
@pytest.mark.parametrize("language", language_ids())
async def test_lessons_fit_their_width(language: str) -> None:
    course = get_course(language)
    pane = LessonPane()
    async with Page(pane).run_test(size=(80, ROWS)) as pilot:
        for width in WIDTHS:
            await resize(pilot, width)
            for lesson in course:
                for done in (False, True):
                    hints = len(lesson.task.hints)
                    reasons = ("there is a newline too much at the end of the output",)
                    pane.show(lesson, 20, LessonStatus(True, hints, done, reasons))
                    await pilot.pause()
                    assert not cut(pane), (lesson.number, width)


@pytest.mark.slow
async def test_statements_fit_their_width() -> None:
    pane = StatementPane()
    async with Page(pane).run_test(size=(80, ROWS)) as pilot:
        for width in WIDTHS:
            await resize(pilot, width)
            for problem in list_problems():
                await pane.show(problem, len(problem.hints))
                pane.offer_solution(True)
                await pilot.pause()
                for each in ("#prose", "#statement-hints", "#statement-solution"):
                    assert not cut(pane.query_one(each)), (problem.id, width)


@pytest.mark.slow
@pytest.mark.parametrize("text", [*language_ids(), "write once"])
async def test_cards_fit_their_width(text: str) -> None:
    card = CARD if text == "write once" else find_language(text).card("standard")
    markdown = Markdown(card)
    async with Page(VerticalScroll(markdown)).run_test(size=(80, 5 * ROWS)) as pilot:
        for width in WIDTHS[1:]:
            await resize(pilot, width, 5 * ROWS)
            assert not cut(markdown), width


@pytest.mark.slow
async def test_list_of_keys_fits_its_width(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        await player.press("f1")
        for width in WIDTHS[2:]:
            await player.pilot.resize_terminal(width, 100)
            await player.pilot.pause()
            assert not cut(player.app.screen.query_one("#help-keys")), width


@pytest.mark.parametrize("width", [40, 80])
async def test_dialogs_fit_their_width(width: int) -> None:
    sentence = "This program has been changed outside of esoplay since it was opened here."
    words = "write over what is on the disk with the version that is in this editor"
    choices = [
        DialogChoice("yes", "y", "Overwrite", words),
        DialogChoice("no", "n", "Cancel", words),
    ]
    for dialog in (ChoiceDialog("Changed", sentence, choices), TextDialog("Find", sentence)):
        app = Page(Static())
        async with app.run_test(size=(width, 30)) as pilot:
            app.push_screen(dialog)
            await pilot.pause()
            assert not cut(dialog)
            for answers in dialog.query(OptionList):
                shown = " ".join(strip.text for strip in answers.render_lines(answers.size.region))
                assert shown.split().count("disk") == len(choices)
                assert set(shown.split()) >= {*words.split()}


SENTENCE = "the program never ends: befunge-98 came back to exactly the same state at step 1,204"


@pytest.mark.parametrize("width", [12, 20, 33, 80])
def test_debugger_sentences_fit_their_width(width: int) -> None:
    rows = wrap_words(SENTENCE, width, 2)
    assert " ".join(rows).split() == SENTENCE.split()
    assert all(len(row) <= width for row in rows)
    assert all(row.startswith("  ") for row in rows[1:])


def test_a_word_wider_than_its_pane_is_broken_and_no_other() -> None:
    assert wrap_words("a 12345678901 b", 5) == ["a", "12345", "67890", "1 b"]
    assert wrap_words("one 12345 b", 5, 2) == ["one", "12345", "  b"]
    assert wrap_words("漢字 漢字", 5) == ["漢字", "漢字"]
    assert wrap_words(" ", 5) == []


def test_a_sentence_is_cut_between_words() -> None:
    assert cut_words("push the top once more", 22) == "push the top once more"
    assert cut_words("push the top once more", 21) == "push the top once…"
    assert cut_words("push the top once more", 18) == "push the top once…"
    assert cut_words("push 123456789012345678", 12) == "push 123456…"
    assert cut_words("one character", 11) == "one…"
    assert cut_words("characters", 5) == "char…"
    assert cut_words("characters", 0) == ""
    pieces = [StyledText("next ", Style()), StyledText("push the top", Style())]
    assert "".join(each.text for each in truncate_spans(pieces, 16)) == "next push the…"
    assert truncate_spans(pieces, 17) == pieces
