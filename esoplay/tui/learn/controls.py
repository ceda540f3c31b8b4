"""What keys and clicks on lessons do on the main screen."""

from __future__ import annotations

from abc import abstractmethod

from textual import on

from esoplay.tui.debug import DebugPane
from esoplay.tui.frame import View
from esoplay.tui.learn.lesson_line import LessonLine
from esoplay.tui.learn.lesson_list import LessonList
from esoplay.tui.learn.lesson_pane import LessonPane
from esoplay.tui.learn.lessons import Lessons
from esoplay.tui.settling import Settling
from esoplay.tui.thrift.driver import paint_anew


class LessonControls(Settling):
    """The part of the screen that is about lessons."""

    lessons: Lessons

    @property
    @abstractmethod
    def work(self) -> View:
        """The editor or the debugger, whichever was used last."""

    @property
    @abstractmethod
    def debugger(self) -> DebugPane:
        """The debugger, in sight or not."""

    @property
    @abstractmethod
    def is_learning(self) -> bool:
        """The lessons have the keyboard."""

    @abstractmethod
    def show_view(self, view: View) -> None:
        """Give the keyboard to a view."""

    @on(LessonList.Chosen)
    async def _lesson_chosen(self, event: LessonList.Chosen) -> None:
        await self.lessons.take(self.lessons.course.lesson(event.number))

    @on(LessonList.Shown)
    def _lesson_shown(self, event: LessonList.Shown) -> None:
        self.lessons.show_number(event.number)

    @on(LessonList.ReadOn)
    def _read_on(self, event: LessonList.ReadOn) -> None:
        pane = self.lessons.pane
        pane.scroll_relative(y=event.by * max(1, pane.size.height - 2), animate=False)

    @on(LessonPane.Answered)
    def _lesson_answered(self, event: LessonPane.Answered) -> None:
        self.lessons.answered(event.text)

    @on(LessonPane.GoOn)
    async def action_go_on(self) -> None:
        """What Enter does where nothing else wants it."""
        if self.lessons.finished or self.is_learning:
            await self.lessons.go_on()
        elif not self.debugger.keeps_enter():
            self.show_view("edit")

    @on(LessonLine.Clicked)
    def action_lesson(self) -> None:
        """From anywhere to the lesson's text, and back to what is being worked on.

        Its key is the one that repairs a screen elsewhere, so it does that as well.
        """
        paint_anew(self.app)
        self.show_view(self.work if self.is_learning else "learn")
