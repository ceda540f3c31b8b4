"""The task in hand in a line, where there is no room for the lesson's text."""

from __future__ import annotations

from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.widgets import Static

from esoplay.service.lessons import Lesson
from esoplay.tui.browser.prose import read_markdown
from esoplay.tui.learn.lesson_pane import LessonState, key_for_a_hint, key_to_go_on


class LessonLine(Static):
    """Says what is to be done; a click brings the lesson's text."""

    DEFAULT_CSS = """
    LessonLine {
        height: auto;
        max-height: 4;
        padding: 0 1;
        background: $accent 20%;
        color: $text;
        display: none;
        pointer: pointer;
    }
    """

    class Clicked(Message):
        """The lesson's text was asked for."""

    def __init__(self) -> None:
        super().__init__(markup=False)

    def show(self, lesson: Lesson, state: LessonState) -> None:
        """Say the task, or what was learnt."""
        if state.done:
            way = "the problems" if state.last else "next lesson"
            line = Content.assemble(
                ("✓ ", "bold $success"),
                read_markdown(lesson.task.done),
                (f"  {key_to_go_on(lesson)}: {way}", "bold $accent"),
            )
        else:
            way = "answer" if lesson.task.kind == "answer" else "text"
            line = Content.assemble(
                (f"{lesson.number}. ", "bold $accent"),
                read_markdown(lesson.task.say),
                (f"  ^l {way}, {key_for_a_hint(lesson)} hint", "$quiet"),
            )
            if state.reasons:
                line = Content.assemble(line, ("  ✗ ", "$error"), state.reasons[0])
        self.update(line)

    def on_click(self, event: Click) -> None:
        event.stop()
        self.post_message(self.Clicked())
