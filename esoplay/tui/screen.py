"""The main screen: the panes, and how they work together."""

from __future__ import annotations

from typing import ClassVar

from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Footer, TextArea

from esolangs.registry import find_language
from esoplay.errors import EsoplayError
from esoplay.grading.problem import Problem
from esoplay.service.lessons import input_of
from esoplay.tui.browser.problems import ProblemList
from esoplay.tui.browser.statement import Statement
from esoplay.tui.debug import DebugPane
from esoplay.tui.desk import Desk, Opened
from esoplay.tui.editor.checking import Checking
from esoplay.tui.editor.editor import Editor
from esoplay.tui.editor.pane import EditorPane
from esoplay.tui.files import Files
from esoplay.tui.frame import VIEWS, LanguageTab, Tip, TitleBar, TooSmall, View, ViewTab
from esoplay.tui.jobs import Kind
from esoplay.tui.keys import screen_bindings
from esoplay.tui.languages import ask_language
from esoplay.tui.layout import HEIGHTS, WIDTHS
from esoplay.tui.learn.controls import LessonControls
from esoplay.tui.learn.lesson_pane import LessonPane
from esoplay.tui.learn.lessons import Lessons
from esoplay.tui.score.panel import ScorePanel
from esoplay.tui.score.results import Results
from esoplay.tui.testing import Testing

WELCOME_INPUT = b"you!"
"""What the sample reads when somebody sees it for the first time."""


class PlayScreen(LessonControls):
    """Learn, browse, edit, debug, score."""

    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    BINDINGS: ClassVar[list[BindingType]] = [*screen_bindings()]
    app: App[None]

    view: reactive[View] = reactive("browse", init=False)
    """The view that has the keyboard; on wider screens more than one is visible."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self.files = Files(self)
        self.checking = Checking(self)
        self.testing = Testing(self)
        self.lessons = Lessons(self)
        self.program = EditorPane(id="program")
        self._work: View = "edit"
        self._input: tuple[bytes, bytes | None] = (b"", None)
        self._debugged: tuple[object, ...] | None = None

    def compose(self) -> ComposeResult:
        yield TitleBar()
        with Container(id="body"):
            yield ProblemList(self.desk.pack, id="problems")
            yield Statement(id="statement")
            yield self.program
            debugger = DebugPane(id="debug")
            debugger.notes_folder = self.desk.folder
            yield debugger
            yield ScorePanel(self.desk.pack, id="score")
            yield Results(id="results")
        yield Tip(id="tip")
        yield Footer(show_command_palette=False, compact=True)
        yield TooSmall()

    # Panes

    @property
    def debugger(self) -> DebugPane:
        return self.query_one(DebugPane)

    @property
    def results(self) -> Results:
        return self.query_one(Results)

    @property
    def title_bar(self) -> TitleBar:
        return self.query_one(TitleBar)

    @property
    def work(self) -> View:
        return self._work

    @property
    def is_learning(self) -> bool:
        return self.view == "learn"

    @property
    def is_narrow(self) -> bool:
        """One view fills the screen."""
        return self.has_class("-narrow") or self.has_class("-tiny")

    # Start

    async def on_mount(self) -> None:
        desk = self.desk
        errand = desk.errand
        first_run = desk.first_run and errand is None
        if errand is not None:
            self._input = (errand.stdin, None)
        await self.take_up(desk.start())
        if first_run:
            self._input = (WELCOME_INPUT, None)
        self.query_one(Tip).set_class(first_run, "-shown")
        if first_run or (errand is not None and errand.debug):
            self.show_view("debug")
        else:
            stored = desk.state.setting("view")
            self.show_view("debug" if stored == "debug" and errand is None else "edit")

    def on_resize(self, event: events.Resize) -> None:
        self.query_one(TooSmall).show_size(event.size.width, event.size.height)

    # Views

    def show_view(self, view: View) -> None:
        """Give the keyboard to a view, also when it has it already."""
        if view == self.view:
            self.watch_view(view)
        else:
            self.view = view

    def watch_view(self, view: View) -> None:
        for each in VIEWS:
            self.set_class(each == view, f"-view-{each}", update=False)
        if view in ("edit", "debug"):
            self._work = view
        for work in ("edit", "debug"):
            self.set_class(self._work == work and view != "learn", f"-work-{work}", update=False)
        self.update_node_styles()
        self.title_bar.show_view(view)
        self.query_one(Tip).set_class(view != "debug", "-elsewhere")
        self._remember("view", self._work)
        if view == "learn":
            self.lessons.prepare()
        if view == "debug":
            self.refresh_debugger()
        self._focus_of(view).focus()

    def _focus_of(self, view: View) -> Widget:
        match view:
            case "learn":
                return self.lessons.first_focus
            case "browse":
                return self.query_one(ProblemList)
            case "edit":
                return self.program.editor
            case "score":
                return self.query_one(ScorePanel)
            case "debug":
                return self.debugger

    @on(ViewTab.Clicked)
    def _tab(self, event: ViewTab.Clicked) -> None:
        self.show_view(event.view)

    def action_view(self, by: int) -> None:
        at = VIEWS.index(self.view) + by
        if VIEWS[at % len(VIEWS)] == "debug":
            self.check()
            if self.program.error is not None:
                at += by  # what cannot be parsed cannot be debugged, and must not bar the way
        self.show_view(VIEWS[at % len(VIEWS)])

    def action_show_view(self, view: View) -> None:
        self.show_view(view)

    def action_toggle_work(self) -> None:
        self.show_view("debug" if self._work == "edit" else "edit")

    # Problems

    async def open_problem(self, problem: Problem) -> None:
        """Work on a problem."""
        self.testing.cancel()
        self.files.keep()
        await self.take_up(self.desk.open_problem(problem))

    async def take_up(self, opened: Opened) -> None:
        """Edit what was opened."""
        problem = self.desk.problem
        if problem is not None:
            self._input = (problem.examples[0].input, problem.examples[0].output)
            self.query_one(ProblemList).move_to(problem.id)
            await self.query_one(Statement).show(problem, self.desk.hints_shown(problem))
        if self.desk.lesson is not None:
            self._input = input_of(self.desk.lesson)
        self.set_class(self.desk.lesson is not None, "-lesson")
        self.program.open(opened.buffer, opened.source)
        self.call_after_refresh(self.files.watch, opened.buffer)
        self.results.show_idle(self.desk.examples, self.lessons.test_keys, self.lessons.advice)
        self.title_bar.show_status(Content(""))
        self.check()
        self.refresh_score()
        self.lessons.taken_up()
        if opened.notice:
            self.notify(opened.notice)
        if self.view == "debug":
            self.refresh_debugger()

    @on(LanguageTab.Clicked)
    def action_language(self) -> None:
        """Offer the languages."""
        ask_language(self)

    @on(ProblemList.Chosen)
    async def _chosen(self, event: ProblemList.Chosen) -> None:
        await self.open_problem(self.desk.pack.problem(event.problem_id))
        self.show_view("edit")

    @on(ProblemList.Shown)
    async def _shown(self, event: ProblemList.Shown) -> None:
        problem = self.desk.pack.problem(event.problem_id)
        await self.query_one(Statement).show(problem, self.desk.hints_shown(problem))
        self._offer_solution()

    def _offer_solution(self) -> None:
        statement, desk = self.query_one(Statement), self.desk
        solution = desk.unlocked_solution(statement.problem)
        statement.offer_solution(desk.language_id, solution)

    @on(Statement.HintWanted)
    @on(LessonPane.HintWanted)
    def action_hint(self) -> None:
        if self.is_learning or self.desk.lesson is not None:
            self.lessons.hint()
            return
        statement = self.query_one(Statement)
        if statement.problem is not None:
            statement.show_hints(self.desk.show_next_hint(statement.problem))
            if not statement.display:
                self.show_view("browse")

    def refresh_score(self) -> None:
        """Bring list, score and title up to date with what is stored."""
        desk = self.desk
        progress = desk.progress()
        problem = desk.problem
        self.query_one(ProblemList).show(progress, problem.id if problem else None)
        self.query_one(ScorePanel).show(progress, problem, desk.solutions())
        self._offer_solution()
        name = f"{problem.id} {problem.title}" if problem else ""
        if desk.buffer is not None and desk.buffer.problem_id is None:
            name = desk.buffer.path.name
        if desk.lesson is not None:
            name = f"{desk.lesson.number} {desk.lesson.title}"
        self.title_bar.show_title(Content.styled(name, "bold"), desk.language_id)

    # The program

    @on(TextArea.Changed)
    def _typed(self) -> None:
        self.checking.typed()

    def check(self) -> None:
        """Mark the parse error of the program, if it has one."""
        self.checking.check()

    @on(Editor.Left)
    def _left_editor(self) -> None:
        if self.lessons.finished:
            self.set_focus(self.lessons.pane if self.lessons.pane.display else None)
        else:
            self.results.focus() if self.results.display else self.set_focus(None)

    # The debugger

    def refresh_debugger(self) -> None:
        """Open the program as it stands, unless it is open already."""
        buffer = self.desk.buffer
        if buffer is None:
            return
        source = self.program.source
        problem = self.desk.problem
        if self._input == (WELCOME_INPUT, None) and problem is not None and self._is_own(source):
            self._input = (problem.examples[0].input, problem.examples[0].output)
        wanted = (buffer.path, source, *self._input)
        if wanted != self._debugged:
            self._debugged = wanted
            stdin, expected = self._input
            dialect = self.desk.dialect
            self.debugger.open(buffer.language_id, source, stdin, expected, dialect)

    def _is_own(self, source: bytes) -> bool:
        """Whether the program is no longer the sample that greets a newcomer."""
        return source != find_language(self.desk.language_id).sample()

    def debug_with(self, stdin: bytes, expected: bytes | None) -> None:
        """Open the program in the debugger with this input."""
        self._input = (stdin, expected)
        self.show_view("debug")

    @on(Results.TestOpened)
    def _test_opened(self, event: Results.TestOpened) -> None:
        self.debug_with(event.input, event.expected)

    @on(Statement.ExampleOpened)
    async def _example_opened(self, event: Statement.ExampleOpened) -> None:
        problem = self.query_one(Statement).problem
        if problem is not None and problem is not self.desk.problem:
            await self.open_problem(problem)
        self.debug_with(event.example.input, event.example.output)

    @on(DebugPane.ParseFailed)
    def _parse_failed(self, event: DebugPane.ParseFailed) -> None:
        self._debugged = None
        self.program.show_error(event.error)
        self.show_view("edit")
        self.program.go_to_error()

    @on(DebugPane.Moved)
    def _moved(self, event: DebugPane.Moved) -> None:
        if event.step > 0:
            self.query_one(Tip).remove_class("-shown")
            self.lessons.moved()

    # Tests

    def action_run_examples(self) -> None:
        self._test("examples")

    def action_submit(self) -> None:
        self._test("hidden tests")

    def _test(self, kind: Kind) -> None:
        if self.desk.lesson is not None and self.desk.problem is None:
            self.files.keep()
            self.lessons.check(asked=True)
            return
        if self.desk.problem is None or self.desk.buffer is None:
            self.notify("A file has no tests; choose a problem for that.", severity="warning")
            return
        self.files.keep()
        self.testing.start(kind)
        if self.view not in ("edit", "score") and not self.results.display:
            self.show_view("edit")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        running = self.testing.running or self.lessons.checking
        return running if action == "stop_tests" else True

    def action_stop_tests(self) -> None:
        self.testing.cancel()
        self.lessons.cancel()

    def action_stop(self) -> None:
        self.debugger.stop_running()

    # Files, help and the rest

    def action_save(self) -> None:
        self.files.save()

    def action_external_editor(self) -> None:
        self.files.edit_externally()

    def action_help(self) -> None:
        from esoplay.tui.help import HelpScreen

        self.app.push_screen(HelpScreen(self, self.desk.language_id, self.desk.dialect))

    def action_jump(self) -> None:
        from esoplay.tui.jump import JumpScreen

        self.app.push_screen(JumpScreen(self), self._jumped)

    def _jumped(self, target: Widget | None) -> None:
        if target is not None:
            target.focus()

    def _remember(self, name: str, value: object) -> None:
        try:
            self.desk.state.set_setting(name, value)
        except EsoplayError as error:
            self.notify(str(error), severity="error")
