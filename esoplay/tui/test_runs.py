"""Test runs of the editor's program: in a thread, one at a time, and cancelled by Escape."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Event
from typing import Literal, NamedTuple

from textual.content import Content

from esoplay.errors import EsoplayError
from esoplay.grading.report import GradeReport
from esoplay.tui.editor.pane import EditorPane
from esoplay.tui.frame import TitleBar
from esoplay.tui.generate.sources import SourceCompiler
from esoplay.tui.score.results import ResultList
from esoplay.tui.workspace import Workspace

# Background grading: a thread that drives a process; both end on request

TestKind = Literal["examples", "hidden tests"]


class GradingRequest(NamedTuple):
    """The program to grade, and the tests to run.

    check_dialects: whether to find a dialect in which a failing program passes.
    pack: the folder of the problem's pack; None for the built-in one.
    """

    kind: TestKind
    problem_id: str
    language_id: str
    source: bytes
    dialect: str = "standard"
    check_dialects: bool = False
    pack: Path | None = None

    @property
    def title(self) -> str:
        return f"{self.problem_id} {self.kind}, {self.dialect}"


class GradingJob:
    """A program that is graded; :meth:`run` is called in a thread."""

    def __init__(self, request: GradingRequest, progress: Callable[[int, int], None]) -> None:
        self.request = request
        self._progress = progress
        self._cancelled = Event()

    def cancel(self) -> None:
        """Stop as soon as possible, even if the program is in an endless loop."""
        self._cancelled.set()

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    def run(self) -> GradeReport | None:
        """Return the report of ``esoplay grade``, or None if cancelled.

        Raises EsoplayError if grading itself fails, which the program cannot cause.
        """
        from esoplay.packs import grading  # imported late, because it imports multiprocessing

        request = self.request
        grade = grading.grade_examples if request.kind == "examples" else grading.grade_source
        try:
            return grade(
                request.problem_id,
                request.language_id,
                request.source,
                dialect=request.dialect,
                progress=self._progress,
                cancelled=self._cancelled.is_set,
                check_dialects=request.check_dialects,
                pack=request.pack,
            )
        except Exception:
            if self.is_cancelled:
                return None
            raise


class TestRunner:
    """Starts test runs and shows their results."""

    __test__ = False

    def __init__(
        self,
        workspace: Workspace,
        editor_pane: EditorPane,
        compiler: SourceCompiler,
        results: ResultList,
        title_bar: TitleBar,
        *,
        on_submitted: Callable[[GradeReport], None],
        on_finished: Callable[[GradeReport], None],
    ) -> None:
        """Create a runner for the program in ``editor_pane``.

        on_submitted: called with the report of each finished run of the hidden tests.
        on_finished: called with the report of each finished run, of examples or hidden tests.
        """
        self._workspace = workspace
        self._editor_pane = editor_pane
        self._compiler = compiler
        self._results = results
        self._title_bar = title_bar
        self._on_submitted = on_submitted
        self._on_finished = on_finished
        self._job: GradingJob | None = None
        self._last_status: tuple[bytes, Content] | None = None

    @property
    def is_running(self) -> bool:
        return self._job is not None

    def start(self, kind: TestKind) -> None:
        """Cancel a running test, and grade the current program.

        A program that is generated from a source is generated again if the source has changed.
        """
        self.cancel()
        compiler = self._compiler
        if compiler.is_active and not compiler.is_current:
            compiler.compile(partial(self.start, kind))
            return
        if compiler.is_active and compiler.error is not None:
            words = f"Nothing was tested: the source has an error in line {compiler.error.line}"
            self._editor_pane.notify(words, severity="warning")
            return
        problem = self._workspace.problem
        assert problem is not None
        workspace = self._workspace
        request = GradingRequest(
            kind,
            problem.id,
            workspace.language_id,
            compiler.runnable_program,
            workspace.dialect,
            check_dialects=True,
            pack=workspace.pack_of_problem,
        )
        self._last_status = None
        total = len(problem.examples) if kind == "examples" else None
        self._results.show_running(request.title, 0, total)
        self._title_bar.show_status(Content.styled(f"{kind} …  Esc stops", "$accent"))
        app = self._editor_pane.app
        job = GradingJob(
            request, lambda done, all: app.call_from_thread(self._show_progress, job, done, all)
        )
        self._job = job
        self._editor_pane.refresh_bindings()
        self._editor_pane.run_worker(
            lambda: self._run_job(job), thread=True, group="grading", exit_on_error=False
        )

    def cancel(self) -> bool:
        """Cancel the running test; return False if no test is running."""
        job, self._job = self._job, None
        if job is None:
            return False
        job.cancel()
        self._editor_pane.refresh_bindings()
        self._results.show_stopped("stopped; no result was saved")
        self._title_bar.show_status(Content(""))
        return True

    def forget(self) -> None:
        """Discard the last result, because another program was opened."""
        self._last_status = None

    def refresh_status(self) -> None:
        """Show whether the result is for the current text of the program."""
        if self._last_status is None:
            return
        source, status = self._last_status
        if source != self._compiler.runnable_program:
            status = Content.styled(f"({status.plain.strip()}, edited since)", "$quiet")
        self._title_bar.show_status(status)

    def _run_job(self, job: GradingJob) -> None:
        """Run the job; called in a thread."""
        result: GradeReport | str | None
        try:
            result = job.run()
        except EsoplayError as error:
            result = str(error)
        except Exception as error:  # a bug in esoplay must not end the application
            result = f"internal error: {error!r}"
        if not job.is_cancelled:
            self._editor_pane.app.call_from_thread(self._finish, job, result)

    def _show_progress(self, job: GradingJob, done: int, total: int) -> None:
        if job is self._job:
            self._results.show_running(job.request.title, done, total)

    def _finish(self, job: GradingJob, result: GradeReport | str | None) -> None:
        if job is not self._job:
            return
        self._job = None
        self._editor_pane.refresh_bindings()  # Escape does not stop tests any more.
        if not isinstance(result, GradeReport):
            self._results.show_stopped(f"could not be graded: {result}; no result was saved")
            self._title_bar.show_status(Content.styled("not graded", "$warning"))
            return
        if job.request.kind == "hidden tests":
            try:
                self._workspace.save_submission(result, job.request.source)
            except EsoplayError as error:
                self._editor_pane.notify(str(error), severity="error")
            self._on_submitted(result)
        other = result.other_dialect
        notes = [] if other is None else other.lines(result.dialect)
        notes += [result.only_class_text] if result.only_class is not None else []
        self._results.show(job.request.title, result.tests, notes)
        status = _status(job.request.kind, result)
        self._last_status = job.request.source, status
        self._title_bar.show_status(status)
        self.refresh_status()
        self._on_finished(result)


def _status(kind: TestKind, report: GradeReport) -> Content:
    words = "solved" if kind == "hidden tests" and report.solved else kind
    sign, style = ("✓", "$success") if report.solved else ("✗", "$error")
    return Content.assemble((f"{sign} {words} {report.passed}/{report.total}", f"bold {style}"))
