"""The controller of lessons on the main screen, which also checks tasks."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widget import Widget

from esolangs.registry import find_language
from esoplay.errors import EsoplayError
from esoplay.grading.limits import statement_with_limits
from esoplay.grading.report import GradeReport
from esoplay.learning.lessons import Course, Lesson, get_course
from esoplay.learning.path import PathStep, get_path, next_path_step
from esoplay.packs.catalogue import get_problem
from esoplay.tui.browser.statement import render_markdown
from esoplay.tui.debug.deferred_pane import DeferredDebugPane
from esoplay.tui.editor.pane import EditorPane
from esoplay.tui.frame import TitleBar
from esoplay.tui.keys import key_names
from esoplay.tui.learn import lesson_progress
from esoplay.tui.learn.panes import PATH_PREFIX, LessonLine, LessonList, LessonPane, LessonStatus
from esoplay.tui.score.results import TEST_KEY_HINTS, ResultList
from esoplay.tui.views import Navigation
from esoplay.tui.workspace import Workspace

if TYPE_CHECKING:
    from esoplay.learning.checks import TaskReport

_HOW_TO_CHECK = {
    "state": "do this task in the debugger: F2 opens the debugger",
    "answer": "this task is a question: ^l opens the answer field",
    "program": "F5 checks the program; it is also checked whenever you stop typing",
}


class LessonController:
    """Controls the lessons on the screen; their widgets are created when first needed."""

    def __init__(
        self,
        workspace: Workspace,
        editor_pane: EditorPane,
        deferred_debugger: DeferredDebugPane,
        results: ResultList,
        title_bar: TitleBar,
        navigation: Navigation,
        mount: Callable[[], None],
    ) -> None:
        """Create the controller and its widgets, which are not added to the screen yet.

        mount: adds the widgets to the screen and shows them later.
        """
        self._workspace = workspace
        self._editor_pane = editor_pane
        self._deferred_debugger = deferred_debugger
        self._results = results
        self._title_bar = title_bar
        self._navigation = navigation
        self._mount = mount
        self.list = LessonList(id="lessons")
        self.pane = LessonPane(id="lesson")
        self.line = LessonLine()
        self._shown_lesson: Lesson | None = None
        self._shown_path_step: PathStep | None = None
        self._failures: tuple[str, ...] = ()
        self._is_finished = False
        self._check_cancellation: Event | None = None

    # State

    @property
    def current(self) -> Lesson | None:
        """The open lesson, or None."""
        return self._workspace.lesson

    @property
    def is_finished(self) -> bool:
        """Whether the open lesson has been completed since it was opened."""
        return self.current is not None and self._is_finished

    @property
    def course(self) -> Course:
        """The course of the current language; empty if it cannot be read."""
        language_id = self._workspace.language_id
        try:
            return get_course(language_id)
        except EsoplayError as error:
            self._editor_pane.notify(str(error), severity="error")
            return Course(language_id, ())

    @property
    def next_unfinished(self) -> Lesson | None:
        """The first lesson that is not done, or the last lesson if all are done."""
        course = self.course
        done = lesson_progress.finished_lessons(self._workspace.state, course.language_id)
        undone = [lesson for lesson in course if lesson.slug not in done]
        return next(iter(undone or course.lessons[-1:]), None)

    @property
    def testing_keys(self) -> str:
        """A sentence with the keys that test the current program."""
        kind = self.current.task.kind if self.current is not None else "problem"
        return TEST_KEY_HINTS if kind == "problem" else _HOW_TO_CHECK[kind]

    @property
    def debugger_key(self) -> str:
        """The key that opens the debugger from the current view; "" in the debugger."""
        view = self._navigation.view()
        if (
            view == "learn"
            and self._shown_lesson is not None
            and self._shown_lesson.view == "debug"
        ):
            return key_names("lesson", "lesson.go")
        return "" if view == "debug" else key_names("screen", "view.toggle")

    @property
    def advice(self) -> str:
        """A tip for users who have not solved anything in this language."""
        workspace = self._workspace
        if self.current is not None or workspace.solved_count(workspace.language_id):
            return ""
        return "new here? ^l lessons, F1 help and card"

    @property
    def first_focus(self) -> Widget:
        """The widget that gets the focus when the lesson view opens."""
        if self.current is None or (self._is_finished and self._unfinished_drills(self.current)):
            return self.list
        asks = self.current.task.kind == "answer" and not self._is_finished
        return self.pane.answer if asks else self.pane

    @property
    def is_question(self) -> bool:
        """Whether the current task is a question and the lesson has the focus."""
        asks = self.current is not None and self.current.task.kind == "answer"
        return asks and (self._navigation.view() == "learn" or self.pane.has_focus_within)

    # Showing

    def prepare(self) -> None:
        """Create the widgets if necessary, and update them."""
        if self.list.parent is None:
            self._mount()
        else:
            self.show()

    def show(self, lesson: Lesson | None = None) -> None:
        """Show ``lesson``; by default the open, last shown or first unfinished lesson."""
        course, workspace = self.course, self._workspace
        self._shown_path_step = None
        lesson = lesson or self.current
        shown = self._shown_lesson
        if lesson is None and shown is not None and shown.language_id == course.language_id:
            lesson = shown
        lesson = lesson or self.next_unfinished
        self._shown_lesson = lesson
        done = lesson_progress.finished_lessons(workspace.state, course.language_id)
        name = find_language(workspace.language_id).name
        at = lesson.name if lesson else "1"
        if lesson is not None and lesson is self.current and self._is_finished:
            at = next((drill.name for drill in self._unfinished_drills(lesson)), at)
        self.list.show(course, done, self.current, name, at, self.path, self._solved)
        if lesson is not None:
            self._show_lesson(lesson)

    def show_named(self, name: str) -> None:
        """Show the lesson, drill or problem that is highlighted in the list."""
        steps = self.path
        for number, step in enumerate(steps, 1):
            if name == PATH_PREFIX + step.problem:
                self._shown_path_step = step
                self.pane.show_path_step(step, number, len(steps), step.problem in self._solved)
                return
        self._shown_lesson, self._shown_path_step = self.course.find_lesson(name), None
        self._show_lesson(self._shown_lesson)

    @property
    def path(self) -> tuple[PathStep, ...]:
        """The problems of the current language's learning path; empty if the path is invalid."""
        try:
            return get_path(self._workspace.language_id)
        except EsoplayError as error:
            self._editor_pane.notify(str(error), severity="error")
            return ()

    @property
    def _solved(self) -> set[str]:
        return {id for id, each in self._workspace.progress().items() if each.solved}

    def _unfinished_drills(self, lesson: Lesson) -> list[Lesson]:
        done = lesson_progress.finished_lessons(self._workspace.state, lesson.language_id)
        return [drill for drill in lesson.drills if drill.slug not in done]

    def _show_lesson(self, lesson: Lesson) -> None:
        workspace, course = self._workspace, self.course
        is_open = lesson is self.current
        slugs = lesson_progress.finished_lessons(workspace.state, lesson.language_id)
        problem = lesson.task.problem
        after = course.next_lesson(lesson)
        state = LessonStatus(
            is_open=is_open,
            shown_hint_count=lesson_progress.shown_hint_count(workspace.state, lesson),
            done=self._is_finished if is_open else lesson.slug in slugs,
            failures=self._failures if is_open else (),
            statement=statement_with_limits(get_problem(problem)) if problem else "",
            is_last=after is None,
            shows_program=not is_open or self._navigation.is_narrow(),
            undone_drill_count=len(self._unfinished_drills(lesson)),
            has_more_drills=after is not None and after.drill_number > 0,
        )
        self.pane.show(lesson, len(course), state)
        if is_open:
            self.line.show(lesson, state)

    # Opening lessons

    async def choose(self, name: str) -> None:
        """Open the lesson, drill or problem in a row of the list."""
        if name.startswith(PATH_PREFIX):
            await self._open_problem(name.removeprefix(PATH_PREFIX))
            self._navigation.show_view("edit")
        else:
            await self.open_task(self.course.find_lesson(name))

    async def _open_problem(self, id: str) -> None:
        self._navigation.leave_program()
        await self._navigation.edit_buffer(
            self._workspace.open_problem(self._workspace.pack.problem(id))
        )

    async def open_task(self, lesson: Lesson) -> None:
        """Open a lesson in the view that its task needs."""
        await self.open(lesson)
        if lesson.task.kind == "answer" and not self._navigation.is_narrow():
            self.pane.answer.focus()
        self._navigation.show_view(lesson.view)

    async def open(self, lesson: Lesson) -> None:
        """Open a lesson; the previous program is saved."""
        self.cancel()
        self._navigation.leave_program()
        try:
            opened = self._workspace.open_lesson(lesson)
        except EsoplayError as error:
            self._editor_pane.notify(str(error), severity="error")
            return
        await self._navigation.edit_buffer(opened)
        self._navigation.set_work_view(lesson.view)

    def on_program_opened(self) -> None:
        """Update the lessons after another program was opened."""
        self._is_finished, self._failures, self._shown_lesson = False, (), self.current
        asks = self.current is not None and self.current.task.kind == "answer"
        if asks or self._deferred_debugger.created_pane is not None:
            self._deferred_debugger.pane.widgets.output.is_future_hidden = asks
        self.cancel()
        if self.current is not None or self.list.parent is not None:
            self.prepare()

    async def advance(self) -> None:
        """Continue with the next lesson or problem, or start the one that is shown."""
        navigation, lesson = self._navigation, self.current
        if self._shown_path_step is not None and navigation.view() == "learn":
            await self.choose(PATH_PREFIX + self._shown_path_step.problem)
            return
        if lesson is None or not self._is_finished:
            if self._shown_lesson is not None and self._shown_lesson is not lesson:
                await self.open_task(self._shown_lesson)
            elif lesson is not None:
                navigation.show_view(lesson.view)
            return
        following = self.course.next_lesson(lesson)
        if following is None:
            step = next_path_step(self._workspace.language_id, self._solved)
            if step is not None:
                await self._open_problem(step.problem)
            navigation.show_view("browse")
        elif navigation.is_narrow():
            await self.open(following)
            navigation.show_view("learn")
        else:
            await self.open_task(following)

    def show_next_hint(self) -> None:
        """Show one more hint for the lesson on the screen."""
        lesson = self._shown_lesson if self._navigation.view() == "learn" else self.current
        if lesson is None:
            return
        try:
            lesson_progress.save_hint_shown(self._workspace.state, lesson)
        except EsoplayError as error:
            self._editor_pane.notify(str(error), severity="error")
        self._show_lesson(lesson)
        shown = lesson_progress.shown_hint_count(self._workspace.state, lesson)
        if self.pane.display:
            self.pane.reveal_hint()
        elif not self.line.display:
            hint = render_markdown(lesson.task.hints[shown - 1]).plain
            self._editor_pane.notify(hint, title=f"Hint {shown}", timeout=12)

    # Checking

    @property
    def is_checking(self) -> bool:
        """Whether a program is being checked."""
        return self._check_cancellation is not None

    def cancel(self) -> bool:
        """Cancel the running check; return False if no check is running."""
        checking, self._check_cancellation = self._check_cancellation, None
        if checking is None:
            return False
        checking.set()
        self._editor_pane.refresh_bindings()
        return True

    def on_debugger_moved(self) -> None:
        """Check the task after the debugger has moved."""
        lesson, time = self.current, self._deferred_debugger.pane.time
        if lesson is None or lesson.task.kind != "state" or self._is_finished:
            return
        if time.target is not None and not time.is_busy:
            from esoplay.learning.checks import check_state  # late: it imports the debugger

            report = check_state(lesson, time.target.debugger)
            if report.done and time.target.snapshot.step > 0:
                self._mark_done(lesson)
            else:
                self._explain_failure(lesson, report)

    def _explain_failure(self, lesson: Lesson, report: TaskReport) -> None:
        """Show why a check failed, if the reason helps the user.

        A reason helps if a cell was set by hand, or if the lesson has a reply to the mistake.
        """
        from esoplay.learning.checks import EDITED_BY_HAND

        explanations = tuple(
            each for each in report.reasons if each in (EDITED_BY_HAND, report.reply)
        )
        if explanations != self._failures:
            self._failures = explanations
            self._show_lesson(lesson)

    def check_answer(self, text: str) -> None:
        """Check a typed answer."""
        lesson = self.current
        if lesson is None or lesson.task.kind != "answer":
            return
        from esoplay.learning.checks import check_answer

        report = check_answer(lesson, text)
        if report.done:
            self._mark_done(lesson)
            self.pane.focus()
        else:
            self._failures = report.reasons
            self._show_lesson(lesson)

    def on_submission(self, report: GradeReport) -> None:
        """Mark the open lesson as done if a submission solved the problem of its task."""
        lesson = self.current
        if lesson is not None and report.solved and lesson.task.problem == report.problem:
            self._mark_done(lesson)

    def check(self, *, requested: bool) -> None:
        """Run the program to check the task.

        requested: whether the user pressed a key for the check; otherwise, typing paused.
        """
        lesson, editor_pane = self.current, self._editor_pane
        if lesson is None or (self._is_finished and not requested):
            return
        kind = lesson.task.kind
        if kind != "program":
            if requested:
                editor_pane.notify(_HOW_TO_CHECK[kind], severity="warning")
            return
        source = editor_pane.source
        if not requested and (editor_pane.error is not None or source == lesson.program):
            return
        self.cancel()
        cancellation = self._check_cancellation = Event()
        editor_pane.refresh_bindings()

        from esoplay.learning.checks import check_program

        def check_in_thread() -> None:
            report: TaskReport | str | None
            try:
                report = check_program(lesson, source, cancelled=cancellation.is_set)
            except Exception as error:  # a bug in esoplay must not end the application
                report = f"internal error: {error!r}"
            if not cancellation.is_set():
                editor_pane.app.call_from_thread(self._finish_check, cancellation, lesson, report)

        editor_pane.run_worker(check_in_thread, thread=True, group="grading", exit_on_error=False)

    def _finish_check(
        self, cancellation: Event, lesson: Lesson, report: TaskReport | str | None
    ) -> None:
        if (
            cancellation is not self._check_cancellation
            or lesson is not self.current
            or report is None
        ):
            return
        self._check_cancellation = None
        self._editor_pane.refresh_bindings()
        if isinstance(report, str):
            self._results.show_stopped(report)
            return
        self._results.show(f"lesson {lesson.name}", report.tests)
        self._failures = report.reasons
        if report.done:
            self._mark_done(lesson)
        else:
            self._show_lesson(lesson)

    def _mark_done(self, lesson: Lesson) -> None:
        self._is_finished, self._failures = True, ()
        try:
            lesson_progress.mark_done(self._workspace.state, lesson)
        except EsoplayError as error:
            self._editor_pane.notify(str(error), severity="error")
        self._title_bar.show_status(Content.styled(f"✓ lesson {lesson.name}", "bold $success"))
        self.show(lesson)
