"""One lesson: its text, the task, the hints asked for, and what was learnt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from textual import on
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from esoplay.service.lessons import Lesson
from esoplay.tui.browser.prose import read_markdown
from esoplay.tui.keys import Action, bindings
from esoplay.tui.panes import Offer, TextPane


class LessonState(NamedTuple):
    """How far one has come in a lesson.

    taken: it is the one in hand.  hints: how many are shown.  done: now, or at an earlier time.
    reasons: what the last check still missed.  statement: of the problem it is about.
    last: no other lesson follows.
    """

    taken: bool = False
    hints: int = 0
    done: bool = False
    reasons: tuple[str, ...] = ()
    statement: str = ""
    last: bool = False


class LessonPane(TextPane):
    """Shows one lesson; posts what is asked for."""

    DEFAULT_CSS = """
    LessonPane {
        #lesson-text { height: auto; margin: 1 2; max-width: 84; }
        #lesson-task {
            height: auto; max-width: 84; margin: 0 1; padding: 0 1;
            background: $panel; border-left: thick $accent;
        }
        #lesson-answer {
            display: none; height: 3; max-width: 40; margin: 0 1;
            border: round $border-blurred; background: $background;
            &:focus { border: round $border; }
            &.-asked { display: block; }
        }
        #lesson-hints { margin: 1 2 0 2; max-width: 84; }
        #lesson-go { margin: 1 2; max-width: 84; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "lesson",
        Action("lesson.down", "scroll_down", "Down"),
        Action("lesson.up", "scroll_up", "Up"),
        Action("lesson.go", "go_on", "Begin / next", shown=True),
        Action("lesson.list", "app.focus_previous", "Back to the list"),
    )
    app: App[None]

    class HintWanted(Message):
        """The next hint was asked for."""

    class GoOn(Message):
        """Begin the lesson, or go to the next when it is done."""

    @dataclass
    class Answered(Message):
        """An answer was typed."""

        text: str

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.lesson: Lesson | None = None
        self._prose = Static(id="lesson-text", markup=False)
        self._asked = Static(id="lesson-task", markup=False)
        self.answer = Input(placeholder="your answer", id="lesson-answer")
        self._hints = Offer(self.HintWanted, id="lesson-hints")
        self._go = Offer(self.GoOn, id="lesson-go")

    def compose(self) -> ComposeResult:
        yield self._prose
        yield self._asked
        yield self.answer
        yield self._hints
        yield self._go

    def show(self, lesson: Lesson, count: int, state: LessonState) -> None:
        """Show a lesson of a course of ``count``."""
        if lesson is not self.lesson:
            self.lesson = lesson
            self.border_title = Content(f"{lesson.number} {lesson.title}")
            self.border_subtitle = f"{lesson.language_id} · lesson {lesson.number} of {count}"
            self.scroll_home(animate=False)
            self.answer.value = ""
            self._prose.update(read_markdown(lesson.text))
        asked = state.taken and lesson.task.kind == "answer" and not state.done
        self.answer.set_class(asked, "-asked")
        self._asked.update(_task(lesson, state))
        self._hints.display = not state.done
        self._hints.update(_hints(lesson, state))
        self._go.update(_way_on(lesson, state))
        if state.taken and (state.done or state.reasons):
            self.scroll_end(animate=False)

    def action_go_on(self) -> None:
        self.post_message(self.GoOn())

    @on(Input.Submitted)
    def _answered(self, event: Input.Submitted) -> None:
        event.stop()
        blank = not event.value.strip()
        self.post_message(self.GoOn() if blank else self.Answered(event.value))

    @on(Input.Changed)
    def _typing(self, event: Input.Changed) -> None:
        event.stop()


def _task(lesson: Lesson, state: LessonState) -> Content:
    parts: list[Content] = [
        Content.assemble(("task  ", "bold $accent"), read_markdown(lesson.task.say))
    ]
    if state.done:
        done = Content.assemble(("✓ done  ", "bold $success"), read_markdown(lesson.task.done))
        parts.append(done)
    else:
        parts += [Content.assemble(("✗ ", "$error"), reason) for reason in state.reasons]
    if state.statement:
        parts.append(read_markdown(state.statement))
    return Content("\n\n").join(parts)


def _hints(lesson: Lesson, state: LessonState) -> Content:
    hints = lesson.task.hints
    parts = [
        Content.assemble((f"hint {number}  ", "$accent"), hint)
        for number, hint in enumerate(hints[: state.hints], 1)
    ]
    if state.hints < len(hints):
        offer = "Stuck? H shows a hint" if state.hints == 0 else "H shows the next hint"
        offer += f" ({state.hints} of {len(hints)} shown)"
        parts.append(Content.styled(offer, "$quiet"))
    return Content("\n").join(parts)


def key_to_go_on(lesson: Lesson) -> str:
    """What to press when a lesson is done; the editor is to be left first."""
    return _out_of_the_editor("Enter", lesson)


def key_for_a_hint(lesson: Lesson) -> str:
    """What to press for a hint, where the task may be done in the editor."""
    return _out_of_the_editor("H", lesson)


def _out_of_the_editor(key: str, lesson: Lesson) -> str:
    return f"Esc {key}" if lesson.task.kind in ("program", "problem") else key


def _way_on(lesson: Lesson, state: LessonState) -> Content:
    if not state.taken:
        words = "begins the lesson again" if state.done else "begins the lesson"
    elif state.done:
        words = "goes to the problems: that was the course" if state.last else "goes on to the next"
    else:
        words = "^l goes to the program and back, Tab to the list"
        return Content.styled(words, "$quiet")
    key = key_to_go_on(lesson) if state.taken else "Enter"
    return Content.assemble((f"{key} ", "bold $accent"), words)
