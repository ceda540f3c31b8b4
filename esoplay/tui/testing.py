"""Running tests from the screen: one attempt at a time, shown as it goes, stopped by Escape."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.content import Content

from esoplay.errors import EsoplayError
from esoplay.grading.report import GradeReport
from esoplay.tui.jobs import Attempt, GradingJob, Kind

if TYPE_CHECKING:
    from esoplay.tui.screen import PlayScreen


class Testing:
    """Starts attempts and shows what they come to."""

    __test__ = False

    def __init__(self, screen: PlayScreen) -> None:
        self._screen = screen
        self._job: GradingJob | None = None
        self._told: tuple[bytes, Content] | None = None

    @property
    def running(self) -> bool:
        return self._job is not None

    def start(self, kind: Kind) -> None:
        """Grade the program as it stands; an attempt under way is called off.

        That of a source is made first.
        """
        self.cancel()
        screen, generating = self._screen, self._screen.generating
        if generating.active and not generating.is_current:
            generating.follow(partial(self.start, kind))
            return
        if generating.active and generating.error is not None:
            words = f"The source is wrong in line {generating.error.line}: nothing was tested"
            screen.notify(words, severity="warning")
            return
        problem = screen.desk.problem
        assert problem is not None
        desk, source = screen.desk, screen.runnable
        attempt = Attempt(kind, problem.id, desk.language_id, source, desk.dialect)
        self._told = None
        total = len(problem.examples) if kind == "examples" else None
        screen.results.show_running(attempt.title, 0, total)
        screen.title_bar.show_status(Content.styled(f"{kind} …  Esc stops", "$accent"))
        app = screen.app
        job = GradingJob(
            attempt, lambda done, all: app.call_from_thread(self._show_progress, job, done, all)
        )
        self._job = job
        screen.run_worker(
            lambda: self._drive(job), thread=True, group="grading", exit_on_error=False
        )

    def cancel(self) -> bool:
        """Call off the attempt under way; False when there is none."""
        job, self._job = self._job, None
        if job is None:
            return False
        job.cancel()
        self._screen.results.show_stopped("stopped; nothing was counted")
        self._screen.title_bar.show_status(Content(""))
        return True

    def forget(self) -> None:
        """Another program is in hand."""
        self._told = None

    def look_again(self) -> None:
        """Say of the result that was told whether it is of the program as it stands now."""
        if self._told is None:
            return
        source, status = self._told
        if source != self._screen.runnable:
            status = Content.styled(f"({status.plain.strip()} before the last edit)", "$quiet")
        self._screen.title_bar.show_status(status)

    def _drive(self, job: GradingJob) -> None:
        """Runs in a thread of its own."""
        result: GradeReport | str | None
        try:
            result = job.run()
        except EsoplayError as error:
            result = str(error)
        except Exception as error:  # a defect of esoplay's, which must not cost the user anything
            result = f"internal error: {error!r}"
        if not job.cancelled:
            self._screen.app.call_from_thread(self._finish, job, result)

    def _show_progress(self, job: GradingJob, done: int, total: int) -> None:
        if job is self._job:
            self._screen.results.show_running(job.attempt.title, done, total)

    def _finish(self, job: GradingJob, result: GradeReport | str | None) -> None:
        if job is not self._job:
            return
        self._job = None
        screen = self._screen
        if not isinstance(result, GradeReport):
            screen.results.show_stopped(f"could not be graded: {result}; nothing was counted")
            screen.title_bar.show_status(Content.styled("not graded", "$warning"))
            return
        if job.attempt.kind == "hidden tests":
            try:
                screen.desk.record(result, job.attempt.source)
            except EsoplayError as error:
                screen.notify(str(error), severity="error")
            screen.refresh_score()
            screen.comparing.measure_par()
            screen.lessons.submitted(result)
        screen.results.show(job.attempt.title, result.tests)
        status = _status(job.attempt.kind, result)
        self._told = job.attempt.source, status
        screen.title_bar.show_status(status)
        self.look_again()
        if screen.program.editor.has_focus or screen.focused is None:
            return
        if not result.solved and screen.view == "edit":
            screen.results.focus()


def _status(kind: Kind, report: GradeReport) -> Content:
    words = "solved" if kind == "hidden tests" and report.solved else kind
    sign, style = ("✓", "$success") if report.solved else ("✗", "$error")
    return Content.assemble((f"{sign} {words} {report.passed}/{report.total}", f"bold {style}"))
