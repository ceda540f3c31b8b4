"""The main screen: the panes, and the events between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Size
from textual.notifications import SeverityLevel
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import TextArea

from esoplay.errors import EsoplayError
from esoplay.grading.problem import Problem
from esoplay.grading.report import GradeReport
from esoplay.learning.lessons import lesson_input
from esoplay.tui.browser.folder import FolderList, ProgramPreview
from esoplay.tui.browser.pack_solutions import PackSolutions
from esoplay.tui.browser.problems import ProblemList
from esoplay.tui.browser.statement import StatementPane
from esoplay.tui.browser.statement_controller import StatementController
from esoplay.tui.buffers import ProgramBuffer
from esoplay.tui.debug.deferred_pane import DeferredDebugPane
from esoplay.tui.debug.messages import (
    DebugBoxZoomed,
    DebuggerCrashed,
    DebuggerMoved,
    DebuggerParseFailed,
)
from esoplay.tui.debug_launcher import DebugLauncher
from esoplay.tui.destinations import Destinations
from esoplay.tui.editor.editor import Editor
from esoplay.tui.editor.pane import EditorPane, code_offset
from esoplay.tui.fallback_keys import FallbackKeys
from esoplay.tui.files import CurrentFile, IdleChecker
from esoplay.tui.footer import Footer
from esoplay.tui.frame import VIEWS, LanguageTab, TipLine, TitleBar, TooSmallNotice, View, ViewTab
from esoplay.tui.generate.pane import GeneratedPane
from esoplay.tui.generate.sources import SourceCompiler, SourceFiles
from esoplay.tui.keys import bindings
from esoplay.tui.languages import LanguageChoice, language_letters
from esoplay.tui.layout import HEIGHT_BREAKPOINTS, WIDTH_BREAKPOINTS, classes_of_size
from esoplay.tui.learn.lessons import LessonController
from esoplay.tui.learn.panes import LessonLine, LessonList, LessonPane
from esoplay.tui.pane_screen import PaneScreen
from esoplay.tui.plane_sync import PlaneSync
from esoplay.tui.plans import LayoutInputs
from esoplay.tui.score.celebration import CelebrationController
from esoplay.tui.score.panel import ScorePanel
from esoplay.tui.score.progress import ProgressPages, ScoreModel
from esoplay.tui.score.results import NO_TESTS, ResultList
from esoplay.tui.screen_actions import ACTIONS, STOP_TESTS
from esoplay.tui.splits import SplitBody
from esoplay.tui.start_page import StartActions, StartPage
from esoplay.tui.terminal_diff import repaint_all
from esoplay.tui.test_runs import TestKind, TestRunner
from esoplay.tui.views import Navigation, PaneArrangement
from esoplay.tui.workspace import OpenedBuffer, Workspace

if TYPE_CHECKING:
    from esoplay.tui.debug.pane import DebugPane


class PlayScreen(PaneScreen):
    """The main screen, with the views learn, browse, edit, debug and score.

    It owns the panes and forwards their messages to helpers, which do not depend on the screen.
    """

    HORIZONTAL_BREAKPOINTS = WIDTH_BREAKPOINTS
    VERTICAL_BREAKPOINTS = HEIGHT_BREAKPOINTS
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("screen", *ACTIONS),
        *bindings("tests", STOP_TESTS),
    ]
    app: App[None]

    view: reactive[View] = reactive("browse", init=False)
    """The focused view; a wide screen also shows panes of other views."""

    shows_start_page = False
    _work_view: View = "edit"

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.workspace = workspace
        self.body = SplitBody(id="body")
        self.body.drag_callback = self.restore_focus
        self.title_bar = TitleBar()
        self.problems = ProblemList(workspace.pack, id="problems")
        self.statement = StatementPane(id="statement")
        self.statement.find_hints = workspace.hints
        self.program = EditorPane(id="program")
        self.generated_pane = GeneratedPane(id="generated")
        self.deferred_debugger = DeferredDebugPane(self._prepare_debugger)
        self.score = ScorePanel(workspace.pack, id="score")
        self.results = ResultList(id="results")
        self.start_page = StartPage(id="start")
        self.preview = ProgramPreview(id="preview")
        self.folder = FolderList(self.preview, id="folder")
        self.tip = TipLine(id="tip")
        self.statement_controller = StatementController(
            workspace,
            self.problems,
            self.statement,
            self.title_bar,
            view=lambda: None if self.shows_start_page else self.view,
            run_after_first_frame=self.run_after_first_frame,
        )
        self.arrangement = PaneArrangement(
            self.body,
            self.deferred_debugger,
            lambda: self.panes,
            lambda: self.layout_inputs,
            workspace.state,
            self.remember,
        )
        self._create_program_helpers()
        self._create_problem_helpers()
        self._terminal_size = Size(0, 0)
        self.shows_start_page = workspace.is_first_run and workspace.launch_request is None
        self.set_reactive(PlayScreen.view, self.first_view)

    def _create_program_helpers(self) -> None:
        """Create the objects that save, compile, test and debug the current program."""
        workspace, program = self.workspace, self.program
        self.navigation = Navigation(
            view=lambda: self.view,
            is_narrow=lambda: self.has_class("-narrow") or self.has_class("-tiny"),
            show_view=self.show_view,
            work_view=lambda: self._work_view,
            set_work_view=self.set_work_view,
            leave_program=self.leave_program,
            edit_buffer=self.edit_buffer,
        )
        self.compiler = SourceCompiler(
            workspace, program, self.generated_pane, self._refresh_open_debugger
        )
        self.current_file = CurrentFile(
            workspace,
            program,
            on_saved=self._handle_save,
            on_edited=self._refresh_open_debugger,
            on_reloaded=self._handle_reload,
        )
        self.idle_checker = IdleChecker(
            workspace, program, self.compiler, self.current_file.autosave, self._handle_pause
        )
        self.test_runner = TestRunner(
            workspace,
            program,
            self.compiler,
            self.results,
            self.title_bar,
            on_submitted=self._handle_submission,
            on_finished=self._handle_test_report,
        )
        self.pack_solutions = PackSolutions(
            workspace, self.deferred_debugger, self.navigation, self.open_problem
        )
        self.debug_launcher = DebugLauncher(
            workspace,
            self.deferred_debugger,
            self.compiler,
            self.pack_solutions,
            self.arrangement.arrange,
        )
        self.plane_sync = PlaneSync(program, self.deferred_debugger, self._refresh_open_debugger)
        self.sources = SourceFiles(
            workspace,
            program,
            self.compiler,
            self.navigation,
            prepare_to_leave=self.prepare_to_leave,
            on_retargeted=self._handle_new_target,
        )

    def _create_problem_helpers(self) -> None:
        """Create the objects that control lessons, the start page, and the score."""
        workspace, program = self.workspace, self.program
        self.lessons = LessonController(
            workspace,
            program,
            self.deferred_debugger,
            self.results,
            self.title_bar,
            self.navigation,
            self._mount_lessons,
        )
        self.start_actions = StartActions(
            workspace,
            program,
            self.lessons,
            self.debug_launcher,
            self.navigation,
            open_problem=self.open_problem,
            prepare_to_leave=self.prepare_to_leave,
        )
        self.fallback_keys = FallbackKeys(
            workspace,
            self.folder,
            program.editor,
            self.results,
            view=lambda: None if self.shows_start_page else self.view,
            has_next_lesson=lambda: self.lessons.is_finished,
        )
        self.language_choice = LanguageChoice(
            workspace, self.sources, self.lessons, self.navigation, self._show_message
        )
        self.score_model = ScoreModel(
            workspace,
            self.score,
            self.title_bar,
            remember=self.remember,
            on_changed=self.refresh_score,
        )
        self.celebrations = CelebrationController(
            workspace, self.results, find_par=self.score_model.par, show=self.mount
        )
        self.progress_pages = ProgressPages(
            workspace,
            program,
            self.deferred_debugger,
            self.sources,
            self.navigation,
            open_problem=self.open_problem,
            on_merged=self.refresh_score,
        )
        self.destinations = Destinations(
            lambda: self.app,
            workspace,
            self.statement,
            self.progress_pages,
            self.pack_solutions,
            self.navigation,
            show_start_page=self.show_start_page,
        )

    def compose(self) -> ComposeResult:
        yield self.title_bar
        with self.body:
            if self.shows_start_page:
                yield self.start_page  # mount_hidden_panes adds the others
            else:
                yield from self._work_panes()
        yield self.tip
        yield Footer(self.fallback_keys.is_unavailable)
        yield TooSmallNotice()

    def _work_panes(self) -> Iterator[Widget]:
        """Yield the panes of all views, in the order in which Tab visits them."""
        if self.workspace.browsed_folder is not None:
            yield self.folder
            yield self.preview
        yield self.problems
        yield self.statement
        yield self.program
        yield self.generated_pane
        if self.first_view == "debug" or self.deferred_debugger.created_pane is not None:
            yield self.debugger
        yield self.score
        yield self.results

    # Start

    async def on_mount(self) -> None:
        workspace = self.workspace
        request = workspace.launch_request
        if request is not None and request.file is not None:
            self.debug_launcher.set_input(request.stdin, None)
            self.debugger.start_at(request.step, request.play)
        if workspace.browsed_folder is not None:
            self.folder.show(workspace.browsed_folder)
        self.program.editor.changed_mode_languages = self.arrangement.changed_typing_modes
        if self.shows_start_page:
            self.tip.add_class("-shown")
            self.show_start_page()
        else:
            await self.edit_buffer(workspace.open_initial_program())
            self.show_view(self.first_view)
        self.call_after_refresh(lambda: self.arrangement.restore_maximised(self.view))

    async def mount_hidden_panes(self) -> None:
        """Add the panes that the first frame does not show.

        This takes as long as showing the start page. If a signal ends the application in the
        meantime, the remaining panes are not added.
        """
        if self.program.parent is None and self.body.is_attached:
            self.arrangement.arrange()  # hides the panes that follow
            await self.body.mount_all(self._work_panes())
            if self.body.is_attached:
                await self.edit_buffer(self.workspace.open_initial_program())
        if self.body.is_attached and self.debugger.parent is None:
            self.arrangement.arrange()
            await self.body.mount(self.debugger, before=self.score)

    def prepare_styles(self, size: Size) -> None:
        """Apply the styles of the first view before widgets exist, so that each is styled once."""
        self._terminal_size = size
        self.arrangement.arrange()
        self.update_classes(
            {
                **self._view_classes(self.first_view),
                **dict.fromkeys(classes_of_size(size.width, size.height), True),
            },
            update=False,
        )

    def on_resize(self, event: events.Resize) -> None:
        self._terminal_size = event.size
        self.arrangement.arrange()
        self.query_one(TooSmallNotice).show_size(event.size.width, event.size.height)
        self.call_after_refresh(self.keep_focus_visible)

    # Layout of the panes

    @property
    def panes(self) -> list[Widget]:
        """All panes of the body, including panes that are not mounted yet."""
        lessons = self.lessons
        debugger = self.deferred_debugger.created_pane
        work = (self.program, self.generated_pane, self.results)
        first = (self.start_page, self.folder, self.preview)
        side = (lessons.list, lessons.pane, self.problems, self.statement, self.score)
        return [*first, *side, *work] if debugger is None else [*first, *side, *work, debugger]

    @property
    def layout_inputs(self) -> LayoutInputs:
        """The state that determines the layout of the panes."""
        workspace, debugger = self.workspace, self.deferred_debugger.created_pane
        return LayoutInputs(
            *self._terminal_size,
            view=self.view,
            has_lesson=workspace.lesson is not None,
            has_problem=workspace.problem is not None,
            is_source=workspace.buffer is not None and workspace.buffer.is_source,
            has_source_map=debugger is not None and debugger.has_source_map,
            is_start_page=self.shows_start_page,
            has_folder=workspace.browsed_folder is not None,
        )

    # Views

    @cached_property
    def first_view(self) -> View:
        """The requested view, or else the view that was open when the application ended."""
        request = self.workspace.launch_request
        if request is not None and request.folder is not None:
            return "browse"
        if request is not None:
            return "debug" if request.debug else "edit"
        stored = self.workspace.state.setting("view")
        known: dict[object, View] = {view: view for view in VIEWS}
        return known.get(stored, "edit")

    def _view_classes(self, view: View) -> dict[str, bool]:
        """Return the style class of each view, and whether it is the class of ``view``."""
        return {f"-view-{each}": each == view for each in VIEWS}

    def show_view(self, view: View) -> None:
        """Focus a view, even if it already has the focus."""
        if view == self.view:
            self.watch_view(view)
        else:
            self.view = view

    def show_start_page(self) -> None:
        """Show the start page."""
        self.shows_start_page = True
        if self.start_page.parent is None:
            self.body.mount(self.start_page, before=0)
        self.arrangement.maximise(None)
        self.arrangement.arrange()
        self.title_bar.highlight_tab(None)
        self.tip.add_class("-elsewhere")
        self.statement_controller.refresh()
        self.call_later(self.start_page.show_options, self.workspace)

    @on(StartPage.Chosen)
    async def _open_start_option(self, event: StartPage.Chosen) -> None:
        await self.start_actions.open_option(event.option_id)

    @on(FolderList.Chosen)
    async def _program_chosen(self, event: FolderList.Chosen) -> None:
        await self.start_actions.open_file(event.path, "edit")

    def watch_view(self, view: View) -> None:
        if self.shows_start_page:
            self.shows_start_page = False
            self._save_setting(self.workspace.remember_open_program)
        if view != "debug":
            self.pack_solutions.debugged_solution = None
        if view in ("edit", "debug"):
            self._work_view = view
        self.update_classes(self._view_classes(view))
        self.arrangement.maximise(None)
        self.arrangement.arrange()
        self.title_bar.highlight_tab(view)
        self.tip.set_class(view != "debug", "-elsewhere")
        self.remember("view", view)
        if view == "learn":
            self.lessons.prepare()
        elif view == "debug":
            self.debug_launcher.refresh()
        elif view == "score":
            self.score_model.measure_par()
        self.plane_sync.follow_view(view)
        self.statement_controller.follow_view()
        self.main_pane.focus()

    @property
    def main_pane(self) -> Widget:
        """The widget that gets the focus when the view opens."""
        if self.shows_start_page:
            return self.start_page.list
        match self.view:
            case "learn":
                return self.lessons.first_focus
            case "browse" if self.workspace.browsed_folder is not None:
                return self.folder
            case "browse":
                return self.problems
            case "edit":
                return self.program.editor
            case "score":
                return self.score
            case "debug":
                return self.debugger

    def set_work_view(self, view: View) -> None:
        """Set the view, ``edit`` or ``debug``, to which the user returns from other views."""
        self._work_view = view

    @property
    def is_learning(self) -> bool:
        return self.view == "learn"

    @on(ViewTab.Clicked)
    def _view_tab_clicked(self, event: ViewTab.Clicked) -> None:
        self.show_view(event.view)

    def action_view(self, offset: int) -> None:
        at = VIEWS.index(self.view) + offset
        if VIEWS[at % len(VIEWS)] == "debug":
            self.idle_checker.check()
            if self.program.error is not None and not self.debug_launcher.has_open_version:
                at += offset  # A text that never parsed cannot be debugged; skip the view.
        self.show_view(VIEWS[at % len(VIEWS)])

    def action_go(self) -> None:
        """Show the menu of ``g``; the next key selects a destination."""
        self.destinations.show_menu()

    def on_key(self, event: events.Key) -> None:
        """If a typed character has no effect here, show a message that says where it has one."""
        if event.is_printable and event.key not in self.active_bindings:
            from esoplay.tui.go_menu import explain_unbound  # late: few keys need it

            self.notify(explain_unbound(event.key, self.lessons.debugger_key), timeout=3)

    def action_toggle_work(self) -> None:
        other: View = "debug" if self._work_view == "edit" or self.lessons.is_question else "edit"
        self.show_view(self._work_view if self.shows_start_page else other)

    @on(DebugBoxZoomed)
    def _handle_zoom(self, event: DebugBoxZoomed) -> None:
        self.arrangement.remember_zoomed_box(event.name)

    @on(Editor.ModeChosen)
    def _mode_chosen(self) -> None:
        self.arrangement.remember_typing_modes(self.program.editor.changed_mode_languages)

    def remember(self, name: str, value: object) -> None:
        """Save a setting for the next session of the app."""
        self._save_setting(partial(self.workspace.state.set_setting, name, value))

    def _save_setting(self, write: Callable[[], None]) -> None:
        try:
            write()
        except EsoplayError as error:
            self.notify(str(error), severity="error")

    def _show_message(self, message: str, severity: SeverityLevel) -> None:
        self.notify(message, severity=severity)

    # Problems

    async def open_problem(self, problem: Problem) -> None:
        """Save the current program, and open a problem in the editor."""
        self.leave_program()
        await self.edit_buffer(self.workspace.open_problem(problem))

    def leave_program(self) -> None:
        """Stop the tests and save the program, because another program will be opened."""
        self.test_runner.cancel()
        self.current_file.autosave()

    async def prepare_to_leave(self) -> bool:
        """Save the drafts, ask about changes of an open file, and return whether to leave."""
        self.test_runner.cancel()
        return await self.current_file.prepare_to_quit()

    async def edit_buffer(self, opened: OpenedBuffer) -> None:
        """Show the opened buffer in the editor, and update all panes for its program."""
        problem = self.workspace.problem
        self.pack_solutions.debugged_solution = None
        if problem is not None:
            self.debug_launcher.set_example_input(problem)
            self.problems.move_to(problem.id)
        await self.statement_controller.show(problem)
        if self.workspace.lesson is not None:
            self.debug_launcher.set_input(*lesson_input(self.workspace.lesson))
        self.arrangement.arrange()
        untouched = opened.source == self.workspace.starter and not opened.buffer.is_source
        code = code_offset(self.workspace.language_id, opened.source) if untouched else 0
        self.program.open(opened.buffer, opened.source, cursor_offset=code)
        self.compiler.reset()
        self.after_first_frame(partial(self.current_file.watch, opened.buffer))
        keys = self.lessons.testing_keys if self.workspace.has_tests else NO_TESTS
        self.results.show_idle(self.workspace.examples, keys, self.lessons.advice)
        self.title_bar.show_status(Content(""))
        self.test_runner.forget()
        self.celebrations.forget()
        self.idle_checker.check()
        self.refresh_score()
        self.refresh_bindings()
        self.lessons.on_program_opened()
        if self.shows_start_page:
            self.start_page.show_options(self.workspace)
        if opened.notice:
            self.notify(opened.notice)
        self._refresh_open_debugger()

    @on(LanguageTab.Clicked)
    def action_language(self) -> None:
        """Show the list of languages."""
        self.language_choice.ask(self.app)

    @on(ProblemList.Chosen)
    async def _problem_chosen(self, event: ProblemList.Chosen) -> None:
        await self.open_problem(self.workspace.pack.problem(event.problem_id))
        self.show_view("edit")

    @on(ProblemList.Highlighted)
    async def _problem_highlighted(self, event: ProblemList.Highlighted) -> None:
        problem = self.workspace.pack.problem(event.problem_id)
        await self.statement_controller.show_while_browsing(problem)

    @on(StatementPane.SolutionRequested)
    def _open_pack_solution(self) -> None:
        self.destinations.open_pack_solution()

    @on(StatementPane.HintRequested)
    @on(LessonPane.HintRequested)
    def action_hint(self) -> None:
        if self.is_learning or self.workspace.lesson is not None:
            self.lessons.show_next_hint()
        else:
            self.statement_controller.show_next_hint(self.explain)

    def refresh_score(self) -> None:
        """Update list, score and title from the store."""
        workspace = self.workspace
        standings = workspace.standings()
        problem = workspace.problem
        current = problem.id if problem else None
        stars = self.score_model.stars(standings)
        self.problems.show(standings, workspace.language_id, language_letters(), current, stars)
        self.score.show(self.score_model.data(standings))
        self.celebrations.refresh_par()
        self.statement_controller.refresh()

    async def action_next_problem(self) -> None:
        """Open the next unsolved problem, from any view."""
        reason = self.destinations.unavailable_reason("problem.next")
        if reason is not None:
            self.notify(f"{reason.capitalize()}.", severity="warning")
            return
        await self.progress_pages.open_next_unsolved()

    def action_matrix(self) -> None:
        self.progress_pages.show_matrix()

    def action_solutions(self) -> None:
        self.progress_pages.show_solutions()

    # The program

    @on(TextArea.Changed)
    def _handle_edit(self) -> None:
        self.idle_checker.on_edit()
        self.compiler.mark_stale()

    @on(TextArea.SelectionChanged)
    def _cursor_moved(self) -> None:
        self.compiler.show_cursor()

    @property
    def runnable_program(self) -> bytes:
        """The program in the editor or, if it shows a source, the last one generated from it."""
        return self.compiler.runnable_program

    @on(Editor.LeaveRequested)
    def _left_editor(self) -> None:
        if self.lessons.is_finished:
            self.set_focus(self.lessons.pane if self.lessons.pane.display else None)
        else:
            self.results.focus() if self.results.display else self.set_focus(None)

    # The debugger

    @property
    def debugger(self) -> DebugPane:
        """The debug pane, which is created at its first use."""
        return self.deferred_debugger.pane

    def _prepare_debugger(self, pane: DebugPane) -> None:
        pane.notes_folder = self.workspace.folder
        pane.apply_cells = self.plane_sync.apply
        pane.widgets.requested_zoom = self.arrangement.stored_zoomed_box

    def _refresh_open_debugger(self) -> None:
        """Open the current program in the debugger if the debugger is visible."""
        if self.view == "debug":
            self.debug_launcher.refresh()

    @on(DebuggerCrashed)
    def _debugger_crashed(self) -> None:
        self.current_file.autosave()
        self.debug_launcher.forget()  # so that F2 tries again

    def debug_with(self, stdin: bytes, expected: bytes | None) -> None:
        """Open the program in the debugger with an input."""
        self.debug_launcher.set_input(stdin, expected)
        self.show_view("debug")

    @on(ResultList.TestOpened)
    def _test_opened(self, event: ResultList.TestOpened) -> None:
        self.debug_with(event.input, event.expected)
        if event.starts_at_wrong_byte:
            self.debugger.go_to_wrong_byte()

    @on(StatementPane.ExampleOpened)
    async def _example_opened(self, event: StatementPane.ExampleOpened) -> None:
        problem = self.statement.problem
        if problem is not None and problem is not self.workspace.problem:
            await self.open_problem(problem)
        self.debug_with(event.example.input, event.example.output)

    @on(DebuggerParseFailed)
    def _parse_failed(self, event: DebuggerParseFailed) -> None:
        self.program.show_error(event.error)
        if event.stale:
            return
        self.debug_launcher.forget()
        self.show_view("edit")
        self.program.go_to_error()

    @on(DebuggerMoved)
    def _handle_move(self, event: DebuggerMoved) -> None:
        if event.step > 0:
            self.tip.remove_class("-shown")
        self.lessons.on_debugger_moved()

    # Tests

    def action_run_examples(self) -> None:
        self._test("examples")

    def action_submit(self) -> None:
        self._test("hidden tests")

    def _test(self, kind: TestKind) -> None:
        if (reason := self.fallback_keys.no_tests_reason) is not None:
            self.explain(reason)
            return
        if self.workspace.problem is None:
            self.current_file.autosave()
            self.lessons.check(requested=True)
            return
        self.current_file.autosave()
        self.celebrations.forget()
        self.test_runner.start(kind)
        if self.view not in ("edit", "score") and not self.results.display:
            self.show_view("edit")

    def _handle_submission(self, report: GradeReport) -> None:
        """Update lessons and score after a submission."""
        self.refresh_score()
        self.score_model.measure_par()
        self.lessons.on_submission(report)

    def _handle_test_report(self, report: GradeReport) -> None:
        """Celebrate a solution; after a failure, focus the results unless the user is typing."""
        if report.solved and report.seed_commitment is not None and self.workspace.lesson is None:
            self.celebrations.celebrate()
        if self.program.editor.has_focus or self.focused is None:
            return
        if not report.solved and self.view == "edit":
            self.results.focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        running = self.test_runner.is_running or self.lessons.is_checking
        return running if action == "stop_tests" else True

    def action_stop_tests(self) -> None:
        self.test_runner.cancel()
        self.lessons.cancel()

    def action_stop(self) -> None:
        if not self.debugger.stop_running():
            self.arrangement.maximise(None)

    # Lessons

    def _mount_lessons(self) -> None:
        """Add the widgets of lessons, which are created when first needed."""
        self.body.mount(self.lessons.list, self.lessons.pane, before=0)
        self.arrangement.arrange()
        self.mount(self.lessons.line, before=self.body)
        self.after_first_frame(self.lessons.show)

    @on(LessonList.Chosen)
    async def _lesson_chosen(self, event: LessonList.Chosen) -> None:
        await self.lessons.choose(event.name)

    @on(LessonList.Highlighted)
    def _lesson_highlighted(self, event: LessonList.Highlighted) -> None:
        self.lessons.show_named(event.name)

    @on(LessonList.ScrollRequested)
    def _scroll_lesson(self, event: LessonList.ScrollRequested) -> None:
        pane = self.lessons.pane
        pane.scroll_relative(y=event.pages * max(1, pane.size.height - 2), animate=False)

    @on(LessonPane.AnswerSubmitted)
    def _lesson_answered(self, event: LessonPane.AnswerSubmitted) -> None:
        self.lessons.check_answer(event.text)

    @on(LessonPane.StartRequested)
    async def action_continue(self) -> None:
        """Handle Enter if no pane handles it."""
        if self.lessons.is_finished or self.is_learning:
            await self.lessons.advance()
        elif not self.debugger.handle_enter():
            self.show_view("edit")

    @on(LessonLine.Clicked)
    def action_lesson(self) -> None:
        """Switch between the lesson's text and the program, and redraw the screen."""
        repaint_all(self.app)
        self.show_view(self._work_view if self.is_learning else "learn")

    # Files, help and the rest

    def _handle_save(self, buffer: ProgramBuffer) -> None:
        if buffer.is_source:
            self.sources.save_program()
        else:
            self.notify(f"Saved {buffer.path}")

    def _handle_reload(self) -> None:
        """Check, debug and test the program again after a change on disk."""
        self.idle_checker.check()
        self._refresh_open_debugger()
        if self.workspace.problem and (self.compiler.is_active or not self.program.error):
            self.test_runner.start("examples")

    def _handle_pause(self) -> None:
        """Update the status of the tests, and check the lesson's task, after a pause in typing."""
        self.test_runner.refresh_status()
        self.lessons.check(requested=False)

    def _handle_new_target(self) -> None:
        self.test_runner.cancel()
        self.compiler.compile()
        self.refresh_score()
        self._refresh_open_debugger()

    def action_save(self) -> None:
        self.current_file.save()

    def action_external_editor(self) -> None:
        self.current_file.edit_externally()

    def action_help(self) -> None:
        from esoplay.tui.help import HelpScreen

        source = self.compiler.is_active and self.view != "debug"
        page = HelpScreen(
            self, self.workspace.language_id, self.workspace.dialect, is_source=source
        )
        self.app.push_screen(page)
