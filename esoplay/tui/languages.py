"""Choosing the language in which problems are solved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from esolangs.language import Language
from esoplay.errors import EsoplayError
from esoplay.service.programs import languages
from esoplay.tui.dialogs import Choice, ChoiceDialog
from esoplay.tui.generate.controls import retarget

if TYPE_CHECKING:
    from esoplay.tui.screen import PlayScreen


def ask_language(screen: PlayScreen) -> None:
    """Ask for a language; a file keeps the one that its name gives it."""
    desk = screen.desk
    source = screen.generating.active and screen.view != "learn"
    is_file = desk.buffer is not None and desk.buffer.draft is not None and not source
    if is_file and screen.view != "learn":
        words = "A file keeps its language; take up a problem or a lesson to choose another."
        screen.notify(words, severity="warning")
        return
    solved = {each.id: desk.solved_in(each.id) for each in languages()}
    choices = [
        Choice(each.id, key, each.name, _words(each.id == desk.language_id, solved[each.id]))
        for each, key in zip(languages(), keys_for(languages()), strict=True)
        if not source or desk.has_back_end(each.id)
    ]

    async def answered(language_id: str | None) -> None:
        if language_id is not None:
            await choose_language(screen, language_id)

    text = "Each has a course, and each problem a program of its own in every language."
    if source:
        text = "The program is made of the same source in every language."
    dialog = ChoiceDialog("Language", text, choices, here=desk.language_id)
    screen.app.push_screen(dialog, answered)


async def choose_language(screen: PlayScreen, language_id: str) -> None:
    """Solve problems, or take lessons, in another language, beginning with the one in hand."""
    desk = screen.desk
    if language_id == desk.language_id:
        return
    if screen.generating.active and screen.view != "learn":
        retarget(screen, language_id)
        return
    screen.testing.cancel()
    screen.files.keep()
    try:
        desk.choose_language(language_id)
    except EsoplayError as error:
        screen.notify(str(error), severity="error")
        return
    lesson = screen.lessons.next_undone if desk.lesson or screen.view == "learn" else None
    if lesson is not None:
        await screen.lessons.open(lesson)
        screen.show_view("learn")
    else:
        await screen.take_up(desk.open_problem(desk.problem or desk.last_problem()))


def keys_for(choices: Sequence[Language]) -> list[str]:
    """A letter for each language: the first of its id that no other has taken."""
    taken: list[str] = []
    for language in choices:
        letters = (each for each in f"{language.id}123456789" if each.isalnum())
        taken.append(next(letter for letter in letters if letter not in taken))
    return taken


def letters() -> dict[str, str]:
    """The letter of each language, by its id."""
    known = languages()
    return {each.id: letter for each, letter in zip(known, keys_for(known), strict=True)}


def _words(here: bool, solved: int) -> str:
    counted = f"{solved} solved" if solved else ""
    return ", ".join(part for part in ("in use" if here else "", counted) if part)
