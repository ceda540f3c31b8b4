"""The lessons of a language, in their order, with those that are done."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import App
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from esoplay.service.lessons import Course, Lesson
from esoplay.tui.keys import Action, bindings
from esoplay.tui.panes import ListPane


class LessonList(ListPane):
    """Lessons to choose from; posts :class:`Chosen` and :class:`Shown`."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "lessons",
        Action("lessons.down", "cursor_down", "Down"),
        Action("lessons.up", "cursor_up", "Up"),
        Action("lessons.open", "select", "Begin", shown=True),
        Action("lessons.read", "read(1)", "Read on"),
        Action("lessons.read-back", "read(-1)", "Read back"),
    )
    app: App[None]

    @dataclass
    class Chosen(Message):
        """A lesson was chosen to be taken."""

        number: int

    @dataclass
    class Shown(Message):
        """The cursor came to rest on a lesson: it should be shown."""

        number: int

    @dataclass
    class ReadOn(Message):
        """The text shown should scroll on by a page, or back."""

        by: int

    def action_read(self, by: int) -> None:
        self.post_message(self.ReadOn(by))

    def show(
        self, course: Course, done: Collection[str], current: Lesson | None, name: str, at: int
    ) -> None:
        """List a course; ``name`` is its language's, ``at`` the number the cursor goes to."""
        self.border_title = f"learn {name}"
        finished = sum(lesson.slug in done for lesson in course)
        self.border_subtitle = f"{finished} of {len(course)} done" if course.lessons else ""
        rows = [_row(lesson, lesson.slug in done, lesson is current) for lesson in course]
        with self.prevent(OptionList.OptionHighlighted):
            self.clear_options()
            self.add_options(Option(row, id=str(number)) for number, row in enumerate(rows, 1))
            if not rows:
                words = Content.styled(f"no course in {name} yet", "$quiet")
                self.add_option(Option(words, disabled=True))
            else:
                self.highlighted = at - 1

    @on(OptionList.OptionSelected)
    def _choose(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option.id:
            self.post_message(self.Chosen(int(event.option.id)))

    @on(OptionList.OptionHighlighted)
    def _rest(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if event.option.id:
            self.post_message(self.Shown(int(event.option.id)))


def _row(lesson: Lesson, done: bool, current: bool) -> Content:
    mark = ("✓", "$success") if done else ("▸", "$accent") if current else ("·", "$quiet")
    title = (lesson.title, "bold" if current else "")
    return Content.assemble(mark, " ", (f"{lesson.number:>2}", "$quiet"), " ", title)
