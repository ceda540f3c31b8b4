"""Moves through a run without blocking the screen, plays it, and adds typed input to it.

A move is tried on the main thread. If it takes too long, it is cancelled and repeated in a thread,
which shows progress at most 30 times per second until the move ends or is cancelled. While a thread
works, :attr:`TimeTravel.is_busy` is True, and other code must not use the debugger.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

from esolangs.wording import plural
from esoplay.debugging.analysis import count_equal_steps
from esoplay.debugging.debugger import (
    BreakpointSpec,
    Granularity,
    MoveCancelled,
    Reason,
    Stop,
    Ticker,
)
from esoplay.debugging.locations import breakpoint_text
from esoplay.errors import EsoplayError
from esoplay.tui.debug.breakpoints import TextChange
from esoplay.tui.debug.byte_glyphs import format_int
from esoplay.tui.debug.moves import Move
from esoplay.tui.debug.status_rows import StateBadge
from esoplay.tui.debug.target import DebugTarget

MAIN_THREAD_SECONDS = 0.012
"""Maximum seconds of a move on the main thread."""
PROGRESS_SECONDS = 1 / 30
"""Minimum seconds between two reports of progress."""
SPEEDS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000, 20_000, 100_000, 1_000_000)
"""Available speeds of playing, in steps per second."""
PLAY_FRAMES_PER_SECOND = 30
"""Frames per second while playing."""
LOOK_AHEAD_STEPS = 2_000_000
"""Steps to execute when a program is opened, to show its timeline and output."""
ALL_STEPS = 1 << 62

_SILENT_KINDS = frozenset({"step", "budget"})
_MOVE_NAMES = {"loop": "stepping over", "finish": "stepping out", "source": "stepping by line"}
_BADGES = {
    "faulted": StateBadge("FAULT", "bad"),
    "limited": StateBadge("LIMIT", "bad"),
    "halted": StateBadge("ENDED", "good"),
    "needs_input": StateBadge("INPUT", "attention"),
}


class TimeTravel:
    """Moves through the steps of a program, one move at a time.

    target: the open program, or None. notice: a message for the user until the next move.
    executed_steps: the number of steps that a long move has executed.
    """

    class Progress(Message):
        """The running move has executed ``executed_steps`` steps."""

        def __init__(self, move_id: int, executed_steps: int) -> None:
            super().__init__()
            self.move_id = move_id
            self.executed_steps = executed_steps

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, TimeTravel.Progress)

    class Finished(Message):
        """A thread has finished a move. outcome: the stop of the move, or an engine's error."""

        def __init__(self, move_id: int, outcome: Stop | Exception) -> None:
            super().__init__()
            self.move_id = move_id
            self.outcome = outcome

    def __init__(
        self,
        host: Widget,
        on_change: Callable[[], None],
        on_failure: Callable[[Exception], None],
        on_stop: Callable[[DebugTarget, Stop], None],
    ) -> None:
        """Create the object without a program.

        host: the widget that starts the timers and threads, and gets the messages. on_change:
        called after each change. on_failure: called if an engine fails; must close the program.
        on_stop: called after a move, before its stop is shown.
        """
        self._host = host
        self._on_change = on_change
        self._on_failure = on_failure
        self._on_stop = on_stop
        self.target: DebugTarget | None = None
        self.notice = ""
        self.speed_index = SPEEDS.index(10)
        self.executed_steps = 0
        self._timer: Timer | None = None
        self._due_steps = 0.0
        self._look_ahead_move: Move | None = None
        self._interrupted_move: Move | None = None
        self._queue: list[Callable[[], None]] = []
        self._move_id = 0
        self._move: Move | None = None
        self._queued_move: Move | None = None
        self._cancelled = False

    # Opening and closing

    def open(self, target: DebugTarget) -> None:
        """Open a program; run ahead to extend its known history, and return to the current step.

        A new version of the previous program opens at the same step if all earlier steps are the
        same. The other run of the same session opens at its own step.
        """
        move = _look_ahead(target)
        is_other_run = self.target is not None and self.target.session is target.session
        if self.target is not None and not is_other_run and not self.is_busy:
            move = _stay_at_step(self.target, target, move)
        self.close()
        self.target = target
        self._look_ahead_move = move
        self._run_or_queue(move)

    def close(self) -> None:
        """Close the program."""
        self.pause()
        self._discard_move()
        self.target = self._look_ahead_move = self._interrupted_move = None
        self._queue.clear()
        self.notice = ""

    # Moves

    def step(
        self, count: int, *, reverse: bool = False, granularity: Granularity = "instruction"
    ) -> None:
        """Step ``count`` times by the unit that ``granularity`` names, such as a loop or a line."""
        if self.target is not None:
            self.start(_step_move(self.target, count, reverse, granularity))

    def step_lines(self, count: int, *, reverse: bool = False) -> None:
        """Move to the start of the source line that runs ``count`` lines later.

        reverse: move backwards, to a line that ran earlier.
        """
        if self.target is None:
            return
        start, debugger = self.target.snapshot.step, self.target.debugger

        def run(ticker: Ticker | None) -> Stop:
            from esoplay.tui.debug.source_queries import move_by_lines

            if debugger.step != start:
                debugger.seek(start)
            return move_by_lines(debugger, count, reverse=reverse, ticker=ticker)

        self.start(Move("stepping to another line", run))

    def resume(self, *, reverse: bool = False) -> None:
        """Continue to the next breakpoint or, if ``reverse``, back to the previous one."""
        if self.target is not None:
            self.start(_resume_move(self.target, reverse=reverse))

    def run_to(self, spec: BreakpointSpec, *, reverse: bool = False) -> None:
        """Continue to a location, ignoring other breakpoints."""
        if self.target is None:
            return
        debugger = self.target.debugger

        def run(ticker: Ticker | None) -> Stop:
            stop = debugger.run_to(spec, reverse=reverse, ticker=ticker)
            if any(reason.kind == "breakpoint" for reason in stop.reasons):
                # This temporary breakpoint is not one of the user's breakpoints.
                return Stop(stop.step, (Reason("step", "at the cursor"),))
            return stop

        self.start(Move("running back to the cursor" if reverse else "running to the cursor", run))

    def seek(self, step: int, name: str = "") -> None:
        """Move to a step."""
        if self.target is None:
            return
        debugger = self.target.debugger

        def run(ticker: Ticker | None) -> Stop:
            return debugger.seek(step, ticker)

        self.start(Move(name or f"going to step {step:,}", run))

    def seek_end(self) -> None:
        """Move to the last step, ignoring breakpoints."""
        if self.target is not None:
            end = self.target.debugger.end
            self.seek(ALL_STEPS if end is None else end, "running to the end")

    def start(self, move: Move) -> None:
        """Start a move requested by the user; cancel playback and the running move."""
        self.pause()
        self.notice = ""
        self._run_or_queue(move)
        # If no thread is busy, the move has ended and its result is already shown.
        if self.is_busy:
            self._on_change()

    # Running moves

    @property
    def is_busy(self) -> bool:
        """Whether a thread uses the debugger."""
        return self._move is not None

    @property
    def is_running(self) -> bool:
        """Whether a long move started by the user is running."""
        return self.is_busy and self._look_ahead_move is None and not self.is_playing

    def stop(self) -> bool:
        """Stop a long move or playback; return False if neither is running."""
        if self.is_playing:
            self.pause()
            self._on_change()
            return True
        if not self.is_running:
            return False
        self._queued_move = None
        self._cancelled = True
        return True

    def when_idle(self, action: Callable[[], None]) -> None:
        """Call ``action`` as soon as no thread uses the debugger.

        Looking ahead is cancelled first. If a move of the user is running, ``action`` is not
        called, and the status shows that Escape stops the move.
        """
        if not self.is_busy:
            self._call_guarded(action)
        elif self._look_ahead_move is not None:
            self._queue.append(action)
            self._cancelled = True

    def apply_edit(self, edit: Callable[[DebugTarget], str]) -> None:
        """Call ``edit`` as soon as no thread uses the debugger, and show the message it returns.

        If ``edit`` raises an EsoplayError, show the error.
        """
        target = self.target
        if target is None:
            return

        def apply() -> None:
            try:
                self.notice = edit(target)
            except EsoplayError as error:
                self.notice = str(error)
            self.refresh()

        self.when_idle(apply)

    def refresh(self) -> None:
        """Update the snapshot after a change of anything except the step."""
        if self.target is not None and not self.is_busy:
            if self._call_guarded(self.target.refresh):
                self._on_change()

    def show_notice(self, notice: str) -> None:
        """Show a notice until the next move."""
        self.notice = notice
        self._on_change()

    def show_progress(self, message: Progress) -> None:
        """Show the progress of a long move."""
        if message.move_id == self._move_id and self.is_busy:
            self.executed_steps = message.executed_steps
            if self.is_running:
                self._on_change()

    def finish(self, message: Finished) -> None:
        """Show the state that a move in a thread reached, and start the queued move, if any.

        The message of a move that is no longer the current one is ignored.
        """
        if message.move_id != self._move_id or self._move is None:
            return
        target, move, self._move = self.target, self._move, None
        queued_move, self._queued_move = self._queued_move, None
        if isinstance(message.outcome, Exception):
            self._on_failure(message.outcome)
            return
        self._show_stop(move, message.outcome)
        if queued_move is not None and self.target is target:
            self._run_or_queue(queued_move)

    # Running a move

    def _run_or_queue(self, move: Move) -> None:
        """Run a move; if another one is running, cancel it and run this move afterwards."""
        if self.is_busy:
            self._queued_move = move
            self._cancelled = True
            return
        if move.in_thread:
            self._run_in_thread(move)
            return
        time_limit = _TimeLimit()
        try:
            stop = move.run(time_limit)
        except Exception as error:
            self._on_failure(error)
            return
        if time_limit.exceeded:
            self._run_in_thread(move)
        else:
            self._show_stop(move, stop)

    def _run_in_thread(self, move: Move) -> None:
        """Run a move in a thread; no other move may be running."""
        self._move_id += 1
        self._move = move
        self._cancelled = False
        self.executed_steps = 0
        work = partial(self._run_in_worker, move, self._move_id)
        self._host.run_worker(work, name=move.name, group="debugger", thread=True)

    def _run_in_worker(self, move: Move, move_id: int) -> None:
        """Run a move in the current worker thread, and post its outcome."""
        outcome: Stop | Exception
        try:
            outcome = move.run(partial(self._report_progress, move_id, _FrameLimiter()))
        except Exception as error:
            outcome = error
        self._host.post_message(self.Finished(move_id, outcome))

    def _report_progress(
        self, move_id: int, limiter: _FrameLimiter, done: int, _total: int
    ) -> bool:
        if limiter.is_due():
            self._host.post_message(self.Progress(move_id, done))
        return not self._cancelled and move_id == self._move_id

    def _discard_move(self) -> None:
        """Ignore the result of the running move, because its program is not shown any more."""
        self._cancelled = True
        self._move = self._queued_move = None
        self._move_id += 1

    def _call_guarded(self, action: Callable[[], object]) -> bool:
        """Call ``action``; return False if the engine fails."""
        try:
            action()
        except Exception as error:
            self._on_failure(error)
            return False
        return True

    def _show_stop(self, move: Move, stop: Stop) -> None:
        assert self.target is not None
        if move is self._look_ahead_move:
            self._finish_look_ahead(stop)
            return
        step_before = self.target.snapshot.step
        if not self._call_guarded(partial(self.target.show_stop, stop)):
            return
        self._on_stop(self.target, stop)
        kinds = {reason.kind for reason in stop.reasons}
        waits_for_input = "needs_input" in kinds and move.name != "stepping"
        self._interrupted_move = move if waits_for_input else None
        if "cancelled" in kinds:
            self.notice = f"stopped {move.name}; still at step {format_int(stop.step)}"
        elif stop.step == 0 and "start" in kinds:
            self.notice = "start of history"
        else:
            if self.is_playing and kinds - _SILENT_KINDS:
                self.pause()
            texts = [
                self._reason_text(reason)
                for reason in stop.reasons
                if reason.kind not in _SILENT_KINDS
            ]
            if stop.step == step_before or move.shows_all_reasons:
                # Even a usually silent reason explains why the step has not changed.
                texts = [reason.text for reason in stop.reasons]
            self.notice = "; ".join(texts)
            if move.on_complete is not None:
                move.on_complete()
        self._on_change()

    def _finish_look_ahead(self, stop: Stop) -> None:
        """Show the history found by looking ahead, and call the queued functions."""
        assert self.target is not None
        self._look_ahead_move = None
        if stop.step != self.target.snapshot.step:
            self.target.viewport.follow()
            steps = plural(stop.step, "step")
            self.notice = (
                f"new version; its first {steps} are unchanged, so the debugger stays here"
            )
        if not self._call_guarded(self.target.refresh):
            return
        self._on_change()
        queue, self._queue = self._queue, []
        for action in queue:
            if not self._call_guarded(action):
                return

    def _reason_text(self, reason: Reason) -> str:
        """Return the text of a reason, with breakpoints in the notation of the pane."""
        assert self.target is not None
        for each in self.target.debugger.breakpoints:
            if each.id == reason.breakpoint:
                spec = breakpoint_text(each.spec, self.target.debugger.program.source)
                return f"breakpoint {each.id}: {spec}"
        return reason.text

    # Play

    @property
    def is_playing(self) -> bool:
        return self._timer is not None

    def play(self) -> None:
        """Step at the current speed until a stop or a pause."""
        if self.target is None:
            return
        if self.target.snapshot.has_ended:
            self.show_notice("the program has ended; g g goes back to the start")
            return
        self.notice = ""
        self._due_steps = 1.0
        self._timer = self._host.set_interval(1 / PLAY_FRAMES_PER_SECOND, self.play_frame)
        self._on_change()

    def pause(self) -> None:
        """Stop playing."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def change_speed(self, levels: int) -> None:
        """Change the speed by ``levels`` entries of ``SPEEDS``; a negative number slows down."""
        self.speed_index = max(0, min(self.speed_index + levels, len(SPEEDS) - 1))
        self.show_notice(f"{plural(SPEEDS[self.speed_index], 'step')} a second")

    def set_speed(self, steps_per_second: int) -> None:
        """Set the speed to the nearest available speed."""
        nearest = min(SPEEDS, key=lambda speed: abs(speed - steps_per_second))
        self.change_speed(SPEEDS.index(nearest) - self.speed_index)

    def play_frame(self) -> None:
        """Execute the steps that are due in this frame."""
        if self.target is None or self.is_busy:
            return
        self._due_steps += SPEEDS[self.speed_index] / PLAY_FRAMES_PER_SECOND
        steps = int(self._due_steps)
        if not steps:
            return
        self._due_steps -= steps
        if self.target.source.steps_by_line:
            self._run_or_queue(_step_move(self.target, steps, False, "source"))
            return
        move = _resume_move(self.target, budget=steps)
        try:
            stop = move.run(None)
        except Exception as error:
            self._on_failure(error)
            return
        if any(reason.kind not in _SILENT_KINDS for reason in stop.reasons):
            self.pause()
        self._show_stop(_resume_move(self.target), stop)

    # Live input

    def feed(self, data: bytes) -> None:
        """Add typed input to the recording, and resume the move that waited for it."""
        target = self.target
        if target is not None:
            self._change_input(lambda: target.debugger.feed(data))

    def end_input(self) -> None:
        """Close the input, so that later reads reach its end."""
        if self.target is not None:
            self._change_input(self.target.debugger.close_input)

    def _change_input(self, edit: Callable[[], None]) -> None:
        def resume_move() -> None:
            edit()
            self.notice = ""
            move, self._interrupted_move = self._interrupted_move, None
            if move is not None:
                self.start(move)
            else:
                self.refresh()

        self.when_idle(resume_move)

    # Status texts

    def badge(self) -> StateBadge:
        """Return the state of the run as one word, such as ``PAUSED``."""
        if self.is_running:
            return StateBadge("RUNNING", "busy")
        if self.is_playing:
            return StateBadge("PLAYING", "busy")
        assert self.target is not None
        if self.target.is_blank:
            return StateBadge("EMPTY")
        return _BADGES.get(self.target.snapshot.view.status, StateBadge("PAUSED"))

    def status_text(self) -> str:
        """Return the text after the badge: a progress report, a notice, a hint or nothing."""
        assert self.target is not None
        if self.is_running and self._move is not None:
            done = f"  {plural(self.executed_steps, 'step')} so far" if self.executed_steps else ""
            return f"{self._move.name}{done}, Esc stops"
        if self.notice:
            return self.notice
        if self.is_playing:
            unit = "line" if self.target.source.steps_by_line else "step"
            return f"{plural(SPEEDS[self.speed_index], unit)} a second"
        if self.target.is_blank:
            return "nothing to run: F2 opens the editor; ^p “Load the sample” adds a program"
        view = self.target.snapshot.view
        if view.status == "needs_input":
            return "the program waits for input: press Enter to type; ctrl+d ends the input"
        if view.limit is not None:
            return self.target.debugger.recording.limits.reached_message(view.limit)
        return ""


def _step_move(target: DebugTarget, count: int, reverse: bool, granularity: Granularity) -> Move:
    debugger, start = target.debugger, target.snapshot.step

    def run(ticker: Ticker | None) -> Stop:
        if debugger.step != start:  # an earlier attempt was cancelled after some steps
            debugger.seek(start)
        return debugger.step_by(count, reverse=reverse, granularity=granularity, ticker=ticker)

    return Move(_MOVE_NAMES.get(granularity, "stepping"), run)


def _resume_move(target: DebugTarget, *, reverse: bool = False, budget: int | None = None) -> Move:
    def run(ticker: Ticker | None) -> Stop:
        return target.debugger.resume(reverse=reverse, budget=budget, ticker=ticker)

    return Move("continuing backwards" if reverse else "continuing", run)


def _look_ahead(target: DebugTarget) -> Move:
    """Return a move that runs further steps to record them, and returns to the current step."""
    debugger = target.debugger

    def run(ticker: Ticker | None) -> Stop:
        here = debugger.step
        debugger.seek(here + LOOK_AHEAD_STEPS, ticker)
        return debugger.seek(here)

    return Move("recording later steps", run)


def _stay_at_step(old: DebugTarget, new: DebugTarget, look_ahead: Move) -> Move:
    """Return a move that goes to the current step of ``old``, if possible, and then looks ahead.

    The move goes there only if ``new`` is a new version of the program of ``old``, and all
    earlier steps of both programs are equal.
    """
    step = old.snapshot.step
    before, after = old.debugger.program.source, new.debugger.program.source
    if not step or not TextChange(before, after).is_new_version:
        return look_ahead

    def run(ticker: Ticker | None) -> Stop:
        if not new.debugger.step:
            try:
                equal_steps = count_equal_steps(old.debugger, new.debugger, step, ticker)
            except MoveCancelled:
                return Stop(0, (Reason("cancelled", "cancelled"),))
            if equal_steps == step:
                new.debugger.seek(step, ticker)
        return look_ahead.run(ticker)

    return Move(look_ahead.name, run)


class _TimeLimit:
    """A ticker that cancels a move after ``MAIN_THREAD_SECONDS``."""

    def __init__(self) -> None:
        self._deadline = time.monotonic() + MAIN_THREAD_SECONDS
        self.exceeded = False

    def __call__(self, _executed_steps: int, _total: int) -> bool:
        self.exceeded = time.monotonic() > self._deadline
        return not self.exceeded


class _FrameLimiter:
    """A limiter that allows an action at most once in ``PROGRESS_SECONDS``."""

    def __init__(self) -> None:
        self._next = time.monotonic() + PROGRESS_SECONDS

    def is_due(self) -> bool:
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + PROGRESS_SECONDS
        return True
