"""The main screen: the panes, and how they work together."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.widget import Widget
from textual.widgets import TextArea

from esoplay.grading.problem import Problem
from esoplay.service.lessons import input_of
from esoplay.tui.browser.problems import ProblemList
from esoplay.tui.browser.reading import Reading
from esoplay.tui.browser.statement import Statement
from esoplay.tui.debug import DebugPane
from esoplay.tui.debugging import WELCOME_INPUT, Debugging
from esoplay.tui.desk import Desk, Opened
from esoplay.tui.editor.checking import Checking
from esoplay.tui.editor.editor import Editor
from esoplay.tui.editor.pane import EditorPane
from esoplay.tui.files import Files
from esoplay.tui.footer import Footer
from esoplay.tui.frame import LanguageTab, Tip, TitleBar, TooSmall, View
from esoplay.tui.generate.generating import Generating
from esoplay.tui.generate.pane import GeneratedPane
from esoplay.tui.jobs import Kind
from esoplay.tui.keeping import Keeping, bring_back, fill_again
from esoplay.tui.keys import Action, bindings
from esoplay.tui.languages import ask_language, letters
from esoplay.tui.layout import HEIGHTS, WIDTHS
from esoplay.tui.learn.lesson_pane import LessonPane
from esoplay.tui.learn.lessons import Lessons
from esoplay.tui.score.comparing import Comparing
from esoplay.tui.score.pages import ProgressPages
from esoplay.tui.score.panel import ScorePanel
from esoplay.tui.score.results import NO_TESTS, Results
from esoplay.tui.testing import Testing


class PlayScreen(Keeping):
    """Learn, browse, edit, debug, score."""

    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(
            "screen",
            Action("help", "help", "Help", shown=True),
            Action("view.toggle", "toggle_work", "Edit/debug", shown=True),
            Action("theme.next", "app.next_theme", "Theme"),
            Action("file.external", "external_editor", "$EDITOR"),
            Action("tests.examples", "run_examples", "Examples", shown=True),
            Action("tests.submit", "submit", "Submit", shown=True),
            Action("file.save", "save", "Save"),
            Action("language", "language", "Language", shown=True),
            Action("lesson", "lesson", "Learn", shown=True),
            Action("view.previous", "view(-1)", "Previous view"),
            Action("view.next", "view(1)", "Next view"),
            Action("view.edit", "show_view('edit')", "Edit"),
            Action("lesson.go", "go_on", "Edit, or the next lesson"),
            Action("view.debug", "show_view('debug')", "Debug"),
            Action("view.browse", "show_view('browse')", "Problems"),
            Action("hint.next", "hint", "Hint"),
            Action("problem.next", "next_unsolved", "Next unsolved problem"),
            Action("matrix", "matrix", "All problems in all languages"),
            Action("solutions", "solutions", "Your solutions, ranked"),
            Action("redraw", "redraw", "Redraw the screen"),
            Action("jump", "jump", "Jump to a pane"),
            Action("maximise", "maximise", "This pane alone, or all again"),
            Action("stop", "stop", "Stop the program"),
        ),
        *bindings("tests", Action("tests.stop", "stop_tests", "Stop the tests", first=True)),
    ]
    app: App[None]

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self.files = Files(self)
        self.checking = Checking(self)
        self.testing = Testing(self)
        self.generating = Generating(self)
        self.reading = Reading(self)
        self.debugging = Debugging(self)
        self.lessons = Lessons(self)
        self.comparing = Comparing(self)
        self.pages = ProgressPages(self)
        self.program = EditorPane(id="program")

    def compose(self) -> ComposeResult:
        yield TitleBar()
        with Container(id="body"):
            yield ProblemList(self.desk.pack, id="problems")
            yield Statement(id="statement")
            yield self.program
            yield GeneratedPane(id="generated")
            debugger = DebugPane(id="debug")
            debugger.notes_folder = self.desk.folder
            yield debugger
            yield ScorePanel(self.desk.pack, id="score")
            yield Results(id="results")
        yield Tip(id="tip")
        yield Footer()
        yield TooSmall()

    # Panes

    @property
    def results(self) -> Results:
        return self.query_one(Results)

    # Start

    async def on_mount(self) -> None:
        desk = self.desk
        errand = desk.errand
        first_run = desk.first_run and errand is None
        if errand is not None:
            self.debugging.take_input(errand.stdin, None)
        bring_back(self)
        await self.take_up(desk.start())
        if first_run:
            self.debugging.take_input(WELCOME_INPUT, None)
        self.query_one(Tip).set_class(first_run, "-shown")
        self.show_view(self.first_view)
        self.call_after_refresh(fill_again, self)

    def on_resize(self, event: events.Resize) -> None:
        self.query_one(TooSmall).show_size(event.size.width, event.size.height)

    # Problems

    async def open_problem(self, problem: Problem) -> None:
        """Work on a problem."""
        self.testing.cancel()
        self.files.keep()
        await self.take_up(self.desk.open_problem(problem))

    async def take_up(self, opened: Opened) -> None:
        """Edit what was opened."""
        problem = self.desk.problem
        self.reading.guest = None
        if problem is not None:
            self.debugging.take_example(problem)
            self.query_one(ProblemList).move_to(problem.id)
            await self.once_painted(partial(self._state, problem))
        if self.desk.lesson is not None:
            self.debugging.take_input(*input_of(self.desk.lesson))
        self.set_class(self.desk.lesson is not None, "-lesson")
        self.set_class(opened.buffer.is_source, "-writing")
        self.set_class(problem is None, "-no-problem")
        self.program.open(opened.buffer, opened.source)
        self.generating.begin()
        self.after_first_frame(partial(self.files.watch, opened.buffer))
        keys = self.lessons.test_keys if self.desk.has_tests else NO_TESTS
        self.results.show_idle(self.desk.examples, keys, self.lessons.advice)
        self.title_bar.show_status(Content(""))
        self.testing.forget()
        self.check()
        self.refresh_score()
        self.lessons.taken_up()
        if opened.notice:
            self.notify(opened.notice)
        if self.view == "debug":
            self.refresh_debugger()

    async def _state(self, problem: Problem) -> None:
        """Show what a problem asks for; what reads Markdown is slow to import."""
        await self.query_one(Statement).show(problem, self.desk.hints_shown(problem))

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
        await self.once_painted(partial(self._state, problem))
        self._offer_solution()

    def _offer_solution(self) -> None:
        statement = self.query_one(Statement)
        statement.offer_solution(self.desk.is_unlocked(statement.problem))

    @on(Statement.SolutionWanted)
    def _solution_wanted(self) -> None:
        problem = self.query_one(Statement).problem
        if problem is not None:
            self.reading.open(problem)

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
        cells = desk.cells()
        problem = desk.problem
        current = problem.id if problem else None
        self.query_one(ProblemList).show(cells, desk.language_id, letters(), current)
        self.query_one(ScorePanel).show(self.comparing.standing(cells))
        self._offer_solution()
        name = f"{problem.id} {problem.title}" if problem else ""
        if desk.buffer is not None and desk.buffer.problem_id is None:
            name = f"{desk.buffer.path.name} {problem.id if problem else ''}".strip()
        if desk.lesson is not None:
            name = f"{desk.lesson.number} {desk.lesson.title}"
        self.title_bar.show_title(Content.styled(name, "bold"), desk.language_id)

    async def action_next_unsolved(self) -> None:
        await self.pages.next_unsolved()

    def action_matrix(self) -> None:
        self.pages.show_matrix()

    @on(ScorePanel.SolutionsWanted)
    def action_solutions(self) -> None:
        self.pages.show_solutions()

    # The program

    @on(TextArea.Changed)
    def _typed(self) -> None:
        self.checking.typed()
        self.generating.typed()

    @on(TextArea.SelectionChanged)
    def _cursor_moved(self) -> None:
        self.generating.show_cursor()

    @property
    def runnable(self) -> bytes:
        """The program as it stands; of a source the last one that was made of it."""
        if not self.generating.active:
            return self.program.source
        made = self.generating.program
        return b"" if made is None else made.source

    def generated(self) -> None:
        """A program was made of the source in hand, or could not be."""
        if self.view == "debug":
            self.refresh_debugger()

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
        self.debugging.refresh()

    def watch_view(self, view: View) -> None:
        if view != "debug":
            self.reading.guest = None
        super().watch_view(view)

    @property
    def has_last_run(self) -> bool:
        """The debugger holds a version of the program in hand."""
        return self.debugging.has_last_run

    def debug_with(self, stdin: bytes, expected: bytes | None) -> None:
        """Open the program in the debugger with this input."""
        self.debugging.take_input(stdin, expected)
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
        self.program.show_error(event.error)
        if event.stale:
            return
        self.debugging.forget()
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
            self.notify(f"{NO_TESTS}.", severity="warning")
            return
        self.files.keep()
        self.testing.start(kind)
        if self.view not in ("edit", "score") and not self.results.display:
            self.show_view("edit")

    def test_again(self) -> None:
        """Run the examples because the program has changed on disk; nothing else moves."""
        if self.desk.problem is not None and (self.generating.active or not self.program.error):
            self.testing.start("examples")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "next_unsolved":
            return not self.is_learning
        running = self.testing.running or self.lessons.checking
        return running if action == "stop_tests" else True

    def action_stop_tests(self) -> None:
        self.testing.cancel()
        self.lessons.cancel()

    def action_stop(self) -> None:
        if not self.debugger.stop_running():
            self.maximise(None)

    # Files, help and the rest

    def action_save(self) -> None:
        self.files.save()

    def action_external_editor(self) -> None:
        self.files.edit_externally()

    def action_help(self) -> None:
        from esoplay.tui.help import HelpScreen

        source = self.generating.active and self.view != "debug"
        page = HelpScreen(self, self.desk.language_id, self.desk.dialect, source=source)
        self.app.push_screen(page)

    def action_jump(self) -> None:
        from esoplay.tui.jump import JumpScreen

        self.app.push_screen(JumpScreen(self), self._jumped)

    def _jumped(self, target: Widget | None) -> None:
        if target is not None:
            target.focus()
