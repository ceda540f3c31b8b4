"""Selection of the language in which problems are solved."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.app import App
from textual.notifications import SeverityLevel

from esolangs.language import Language
from esoplay.errors import EsoplayError
from esoplay.programs.execution import languages
from esoplay.tui.dialogs import ChoiceDialog, DialogChoice
from esoplay.tui.generate.sources import SourceFiles
from esoplay.tui.learn.lessons import LessonController
from esoplay.tui.views import Navigation
from esoplay.tui.workspace import Workspace


class LanguageChoice:
    """Asks for a language, and switches to the selected language."""

    def __init__(
        self,
        workspace: Workspace,
        sources: SourceFiles,
        lessons: LessonController,
        navigation: Navigation,
        notify: Callable[[str, SeverityLevel], None],
    ) -> None:
        self._workspace = workspace
        self._sources = sources
        self._lessons = lessons
        self._navigation = navigation
        self._notify = notify

    def ask(self, app: App[None]) -> None:
        """Ask for a language, unless a file is open: its name determines the language."""
        workspace, learns = self._workspace, self._is_learning
        source = self._sources.is_active and not learns
        is_file = workspace.buffer is not None and workspace.buffer.draft is not None and not source
        if is_file and not learns:
            words = "The language of a file follows from its name; it cannot be chosen here."
            self._notify(words, "warning")
            return
        solved = {each.id: workspace.solved_count(each.id) for each in languages()}
        choices = [
            DialogChoice(
                each.id,
                key,
                each.name,
                _describe_language(each.id == workspace.language_id, solved[each.id]),
            )
            for each, key in zip(languages(), keys_for(languages()), strict=True)
            if not source or workspace.has_back_end(each.id)
        ]

        async def answered(language_id: str | None) -> None:
            if language_id is not None:
                await self.choose(language_id)

        text = "Each language has its own course and its own set of your programs."
        if source:
            text = "In every language, the program is generated from the same source."
        app.push_screen(
            ChoiceDialog("Language", text, choices, initial=workspace.language_id), answered
        )

    async def choose(self, language_id: str) -> None:
        """Use another language for problems or lessons, including the open problem or lesson."""
        workspace = self._workspace
        if language_id == workspace.language_id:
            return
        if self._sources.is_active and not self._is_learning:
            self._sources.retarget(language_id)
            return
        self._navigation.leave_program()
        try:
            workspace.choose_language(language_id)
        except EsoplayError as error:
            self._notify(str(error), "error")
            return
        lesson = self._lessons.next_unfinished if workspace.lesson or self._is_learning else None
        if lesson is not None:
            await self._lessons.open(lesson)
            self._navigation.show_view("learn")
        else:
            problem = workspace.problem or workspace.last_problem()
            opened = workspace.open_problem(problem, remember=not workspace.is_first_run)
            await self._navigation.edit_buffer(opened)

    @property
    def _is_learning(self) -> bool:
        return self._navigation.view() == "learn"


def keys_for(choices: Sequence[Language]) -> list[str]:
    """Return a key for each language: the first unused letter of its id, or else a digit."""
    taken: list[str] = []
    for language in choices:
        letters = (each for each in f"{language.id}123456789" if each.isalnum())
        taken.append(next(letter for letter in letters if letter not in taken))
    return taken


def language_letters() -> dict[str, str]:
    """Return the letter that marks each language in the list of problems, by language id."""
    known = languages()
    return {each.id: letter for each, letter in zip(known, keys_for(known), strict=True)}


def _describe_language(is_open: bool, solved_count: int) -> str:
    counted = f"{solved_count} solved" if solved_count else ""
    return ", ".join(part for part in ("in use" if is_open else "", counted) if part)
