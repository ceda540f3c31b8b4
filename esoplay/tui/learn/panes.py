"""The widgets of lessons: the lesson, the list of lessons, and the task in one line."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from textual import on
from textual.actions import SkipAction
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from esolangs.wording import plural
from esoplay.learning.lessons import Course, Lesson, visible_program
from esoplay.learning.path import PathStep
from esoplay.tui.browser.statement import HINT_IN_EDITOR, HintLine, render_markdown
from esoplay.tui.frame import ActionLine, ListPane, TextPane
from esoplay.tui.keys import Action, FooterKeys, KeyProvider, bindings, enter_key, footer_key

MAX_PROGRAM_LINES = 6
"""Maximum number of program lines in the text of a lesson."""
PATH_PREFIX = "path "
"""Prefix of the ids of the rows below the lessons, which show problems to solve next."""
FENCE, TICKS = "~" * 20, "`" * 12


class LessonStatus(NamedTuple):
    """The user's progress in a lesson.

    is_open: whether it is the open lesson. done: whether it was completed, now or earlier.
    failures: the defects that the last check found. statement: the statement of its problem.
    is_last: whether no lesson follows. shows_program: whether the text shows the program, because
    it is not visible elsewhere. has_more_drills: whether it is a drill and another drill follows.
    """

    is_open: bool = False
    shown_hint_count: int = 0
    done: bool = False
    failures: tuple[str, ...] = ()
    statement: str = ""
    is_last: bool = False
    shows_program: bool = True
    undone_drill_count: int = 0
    has_more_drills: bool = False


class LessonPane(TextPane, KeyProvider):
    """Shows one lesson, and posts the user's requests."""

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
        Action("lesson.go", "continue", "Start / next", in_footer=True),
        Action("lesson.list", "app.focus_previous", "Back to the list"),
        Action("lesson.leave", "leave_answer", "Leave the answer field"),
    )
    app: App[None]

    class HintRequested(Message):
        """The user requested the next hint."""

    class StartRequested(Message):
        """The user requested to start the lesson or, if it is done, the next lesson."""

    @dataclass
    class AnswerSubmitted(Message):
        """The user typed an answer."""

        text: str

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.lesson: Lesson | None = None
        self._shown_text = ""
        self._enter_label = ""
        self._lesson_text = Static(id="lesson-text", markup=False)
        self._task_text = Static(id="lesson-task", markup=False)
        self.answer = Input(placeholder="your answer", id="lesson-answer")
        self._hint_line = HintLine(self.HintRequested, id="lesson-hints")
        self._action_line = ActionLine(self.StartRequested, id="lesson-go")

    def compose(self) -> ComposeResult:
        yield self._lesson_text
        yield self._task_text
        yield self.answer
        yield self._hint_line
        yield self._action_line

    def show(self, lesson: Lesson, lesson_count: int, status: LessonStatus) -> None:
        """Show a lesson of a course with ``lesson_count`` lessons."""
        if lesson is not self.lesson:
            self.lesson = lesson
            self.border_title = Content(f"{lesson.name} {lesson.title}")
            self.border_subtitle = (
                f"{lesson.language_id} · lesson {lesson.number} of {lesson_count}"
            )
            self.scroll_home(animate=False, immediate=True)
            self.answer.value = ""
        text = _text(lesson, status)
        if text != self._shown_text:
            self._shown_text = text
            self._lesson_text.update(render_markdown(text))
        asked = status.is_open and lesson.task.kind == "answer" and not status.done
        self.answer.set_class(asked, "-asked")
        self._task_text.update(_task(lesson, status))
        self._hint_line.display = not status.done
        asks = lesson.task.kind == "answer"  # letters are typed into the answer field
        key = HINT_IN_EDITOR if asks else hint_key(lesson)
        self._hint_line.show(lesson.task.hints, status.shown_hint_count, key)
        self._action_line.update(_next_actions(lesson, status))
        self._set_enter_label(_enter_action(lesson, status))
        if status.is_open and (status.done or status.failures):
            self.scroll_end(animate=False)

    def show_path_step(self, step: PathStep, number: int, count: int, solved: bool) -> None:
        """Show one of the problems that follow the course."""
        self.lesson, self._shown_text = None, ""
        self.border_title = Content(f"{step.problem} {step.title}")
        self.border_subtitle = f"{step.tier} · problem {number} of {count}"
        self.scroll_home(animate=False, immediate=True)
        self._lesson_text.update(
            render_markdown(f"{step.description}\n\nThe problem needs {step.lessons_text}.")
        )
        self.answer.set_class(False, "-asked")
        state = ("✓ ", "bold $success") if solved else ("· ", "$quiet")
        self._task_text.update(Content.assemble(state, "solved" if solved else "not solved yet"))
        self._hint_line.display = False
        self._action_line.update(Content.assemble(("Enter ", "bold $accent"), "opens the problem"))
        self._set_enter_label("Open the problem")

    def _set_enter_label(self, label: str) -> None:
        """Show the action of Enter in the footer."""
        if label != self._enter_label:
            self._enter_label = label
            self.refresh_bindings()

    def footer_keys(self) -> FooterKeys | None:
        if self.answer.has_focus:
            leave = footer_key("lesson", "Leave", "lesson.leave")
            return FooterKeys((leave, enter_key("Answer")), with_other_keys=True)
        keys = (footer_key("lesson", self._enter_label, "lesson.go"),) if self._enter_label else ()
        return FooterKeys(keys, with_other_keys=True)

    def reveal_hint(self) -> None:
        """Scroll to the last hint shown."""
        self._hint_line.reveal()

    def action_continue(self) -> None:
        self.post_message(self.StartRequested())

    def action_leave_answer(self) -> None:
        """Leave the answer field."""
        if not self.answer.has_focus:
            raise SkipAction
        self.focus()

    @on(Input.Submitted)
    def _post_answer(self, event: Input.Submitted) -> None:
        event.stop()
        blank = not event.value.strip()
        self.post_message(self.StartRequested() if blank else self.AnswerSubmitted(event.value))

    @on(Input.Changed)
    def _stop_change_event(self, event: Input.Changed) -> None:
        event.stop()


def _text(lesson: Lesson, status: LessonStatus) -> str:
    """Return the text before the task: a lesson's text or a drill's examples, and the program.

    The program is omitted unless ``status.shows_program``.
    """
    if not lesson.drill_number:
        return lesson.text + _program(lesson) * status.shows_program
    first = "A short exercise on this lesson."
    if lesson.task.inputs:
        first += " Your program is also tested with other inputs."
    runs = [
        f"- {_quote(run.input, 'no input')} → {_quote(run.output, 'no output')}"
        for run in lesson.task.runs
    ]
    return "\n".join([first, "", *runs]) + _program(lesson) * status.shows_program


def _program(lesson: Lesson) -> str:
    """Return the lesson's program as Markdown, or an empty text if the lesson has none to show.

    A long program is cut off, unless the task is a question about the program.
    """
    lines = visible_program(lesson).rstrip("\n").split("\n")
    if not any(lines) or lesson.task.kind in ("program", "problem"):
        return ""
    if len(lines) == 1:
        return f"\n\nThe program: {TICKS} {lines[0]} {TICKS}"
    if lesson.task.kind != "answer" and len(lines) > MAX_PROGRAM_LINES:
        lines = [*lines[:MAX_PROGRAM_LINES], "…"]
    return "\n".join(["\n\nThe program:\n", FENCE, *lines, FENCE])


def _quote(data: bytes, if_empty: str) -> str:
    from esoplay.timeline.places import bytes_text  # late: the first frame shows no lesson

    return bytes_text(data) if data else if_empty


def _task(lesson: Lesson, status: LessonStatus) -> Content:
    parts: list[Content] = [
        Content.assemble(("task  ", "bold $accent"), render_markdown(lesson.task.say))
    ]
    if status.done:
        done = Content.assemble(
            ("✓ done  ", "bold $success"), render_markdown(lesson.task.done_text)
        )
        parts.append(done)
        if status.undone_drill_count:
            drills = plural(status.undone_drill_count, "drill")
            words = f"{drills} left in the list of lessons (^l): select one and press Enter"
            parts.append(Content.styled(words, "$quiet"))
    else:
        parts += [
            Content.assemble(("✗ ", "$error"), _failure(lesson, reason))
            for reason in status.failures
        ]
    if status.statement:
        parts.append(render_markdown(status.statement))
    return Content("\n\n").join(parts)


def _failure(lesson: Lesson, reason: str) -> Content:
    """Return the reason of a failed check as styled text; render a lesson's reply as Markdown."""
    is_reply = any(reason == each.say for each in lesson.task.replies)
    return render_markdown(reason) if is_reply else Content(reason)


def continue_key(lesson: Lesson) -> str:
    """Return the keys that continue after a lesson; if the editor is used, Esc leaves it first."""
    return "Esc Enter" if _is_done_in_editor(lesson) else "Enter"


def hint_key(lesson: Lesson) -> str:
    """Return the key that shows a hint: H, or another key if the task is done in the editor."""
    return HINT_IN_EDITOR if _is_done_in_editor(lesson) else "H"


def _is_done_in_editor(lesson: Lesson) -> bool:
    return lesson.task.kind in ("program", "problem")


def _next_actions(lesson: Lesson, status: LessonStatus) -> Content:
    if not status.is_open:
        words = "starts the lesson again" if status.done else "starts the lesson"
    elif status.done:
        words = "opens the problems after the course" if status.is_last else "opens the next lesson"
    else:
        words = "^l opens and closes the list of lessons"
        if status.shows_program and lesson.task.kind != "answer":  # here the text covers the task
            words = "Enter goes to the task, ^l comes back here, Tab goes to the list"
        return Content.styled(words, "$quiet")
    key = continue_key(lesson) if status.is_open else "Enter"
    return Content.assemble((f"{key} ", "bold $accent"), words)


def _enter_action(lesson: Lesson, status: LessonStatus) -> str:
    """Return the action of Enter in the text of a lesson."""
    if not status.is_open:
        return "Start again" if status.done else "Start the lesson"
    if status.done:
        return "The problems" if status.is_last else "Next lesson"
    return "Debugger" if lesson.task.kind == "answer" else "Go to the task"


# The lessons of a language in order, with marks


class LessonList(ListPane):
    """The list of a course's lessons; posts :class:`Chosen` and :class:`Highlighted`."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "lessons",
        Action("lessons.down", "cursor_down", "Down"),
        Action("lessons.up", "cursor_up", "Up"),
        Action("lessons.open", "select", "Begin", in_footer=True),
        Action("lessons.read", "read(1)", "Scroll the lesson down"),
        Action("lessons.read-back", "read(-1)", "Scroll the lesson up"),
    )
    app: App[None]

    @dataclass
    class Chosen(Message):
        """The user opened the lesson, drill or problem in the row with this name."""

        name: str

    @dataclass
    class Highlighted(Message):
        """The cursor stopped on a row, whose lesson, drill or problem must be shown."""

        name: str

    @dataclass
    class ScrollRequested(Message):
        """A request to scroll the lesson by a page, down or up."""

        pages: int

    def action_read(self, pages: int) -> None:
        self.post_message(self.ScrollRequested(pages))

    def show(
        self,
        course: Course,
        done: Collection[str],
        current: Lesson | None,
        language_name: str,
        cursor_name: str,
        path: Sequence[PathStep] = (),
        solved: Collection[str] = (),
    ) -> None:
        """Show the lessons of a course, and the problems that follow them.

        cursor_name: the name of the lesson or drill at the cursor. Drills are listed below a lesson
        that is done or open. The problems after the course are last.
        """
        self.border_title = f"learn {language_name}"
        finished = sum(lesson.slug in done for lesson in course)
        self.border_subtitle = f"{finished} of {len(course)} done" if course.lessons else ""
        rows: list[Lesson] = []
        for lesson in course:
            rows.append(lesson)
            number = None if current is None else current.number
            if lesson.slug in done or f"{lesson.number}" in (
                f"{number}",
                cursor_name.partition(".")[0],
            ):
                rows += lesson.drills
        with self.prevent(OptionList.OptionHighlighted):
            self.clear_options()
            self.add_options(
                Option(_row(each, each.slug in done, each is current), id=each.name)
                for each in rows
            )
            if path:
                count = f"{sum(each.problem in solved for each in path)} of {len(path)}"
                heading = Content.styled(f"  after the course: {count}", "$quiet")
                self.add_option(Option(heading, disabled=True))
                self.add_options(
                    Option(_path_row(each, each.problem in solved), id=PATH_PREFIX + each.problem)
                    for each in path
                )
            if not rows:
                words = Content.styled(f"no course in {language_name} yet", "$quiet")
                self.add_option(Option(words, disabled=True))
            else:
                self.highlighted = self.get_option_index(cursor_name)

    @on(OptionList.OptionSelected)
    def _choose(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option.id:
            self.post_message(self.Chosen(event.option.id))

    @on(OptionList.OptionHighlighted)
    def _announce_highlight(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if event.option.id:
            self.post_message(self.Highlighted(event.option.id))


def _path_row(step: PathStep, solved: bool) -> Content:
    mark = ("✓", "$success") if solved else ("·", "$quiet")
    return Content.assemble(mark, " ", (step.problem, "$quiet"), " ", step.title)


def _row(lesson: Lesson, done: bool, current: bool) -> Content:
    mark = ("✓", "$success") if done else ("▸", "$accent") if current else ("·", "$quiet")
    style = "bold" if current else ""
    if lesson.drill_number:
        return Content.assemble(
            "   ", mark, " ", (f"drill {lesson.drill_number}", style or "$quiet")
        )
    number = (f"{lesson.number:>2}", "$quiet")
    return Content.assemble(mark, " ", number, " ", (lesson.title, style))


# The current task in one line, if there is no room for the lesson


class LessonLine(Static):
    """Shows the current task; a click opens the lesson."""

    DEFAULT_CSS = """
    LessonLine {
        height: auto;
        max-height: 6;
        padding: 0 1;
        background: $accent 20%;
        color: $text;
        display: none;
        pointer: pointer;
    }
    """

    class Clicked(Message):
        """The user clicked the task."""

    def __init__(self) -> None:
        super().__init__(markup=False)

    def show(self, lesson: Lesson, status: LessonStatus) -> None:
        """Show the task or, if it is done, the key that continues."""
        if status.done:
            way = "next drill" if status.has_more_drills else "next lesson"
            if status.is_last:
                way = "the problems"
            line = Content.assemble(
                ("✓ ", "bold $success"),
                render_markdown(lesson.task.done_text or "Done."),
                (f"  {continue_key(lesson)}: {way}", "bold $accent"),
                (
                    f", ^l: {plural(status.undone_drill_count, 'drill')}"
                    if status.undone_drill_count
                    else "",
                    "bold $accent",
                ),
            )
        else:
            way = "answer" if lesson.task.kind == "answer" else "text"
            line = Content.assemble(
                (f"{lesson.name}. ", "bold $accent"),
                render_markdown(lesson.task.say),
                (f"  ^l {way}, {hint_key(lesson)} hint", "$quiet"),
            )
            if status.failures:
                reason = _failure(lesson, status.failures[0])
                line = Content.assemble(line, ("  ✗ ", "$error"), reason)
            if status.shown_hint_count:
                hint = lesson.task.hints[status.shown_hint_count - 1]
                line = Content.assemble(
                    line, (f"  hint {status.shown_hint_count}  ", "$accent"), render_markdown(hint)
                )
        self.update(line)

    def on_click(self, event: Click) -> None:
        event.stop()
        self.post_message(self.Clicked())
