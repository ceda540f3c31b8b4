"""Where the pane is in time, and how it gets elsewhere: moves, play, live input.

It knows a driver and a mover, but no widget besides the one that hosts timers and threads.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from textual.timer import Timer
from textual.widget import Widget

from esoplay.debugging.debugger import Reason, Stop
from esoplay.debugging.locations import breakpoint_text
from esoplay.tui.debug.lines import Badge
from esoplay.tui.debug.mover import Mover
from esoplay.tui.debug.resuming import stay
from esoplay.tui.debug.target import Driver, Move
from esoplay.tui.debug.visible import grouped, plural

SPEEDS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000, 20_000, 100_000, 1_000_000)
"""Steps a second while playing."""
FRAMES = 30
"""Steps are shown at most so often a second."""
AHEAD = 2_000_000
"""Steps that are run on opening, so that timeline and output are known from the start."""

_SILENT = frozenset({"step", "budget"})
_BADGES = {
    "faulted": Badge("FAULT", "bad"),
    "limited": Badge("LIMIT", "bad"),
    "halted": Badge("ENDED", "good"),
    "needs_input": Badge("INPUT", "attention"),
}


class Navigator:
    """Travels in time on behalf of ``host``; calls ``changed`` after everything it does."""

    def __init__(
        self,
        host: Widget,
        changed: Callable[[], None],
        broke: Callable[[Exception], None],
        stopped: Callable[[Driver, Stop], None] = lambda driver, stop: None,
    ) -> None:
        """``broke``: called where an engine fails, which nothing that is shown may hang on.

        ``stopped``: called after a move, before its end is shown.
        """
        self._host = host
        self._changed = changed
        self._broke = broke
        self._stopped = stopped
        self.mover = Mover(host, self._arrived, broke)
        self.driver: Driver | None = None
        self.notice = ""
        self.speed = SPEEDS.index(10)
        self._timer: Timer | None = None
        self._due = 0.0
        self._exploring: Move | None = None
        self._interrupted: Move | None = None
        self._queue: list[Callable[[], None]] = []

    # Opening and closing

    def open(self, driver: Driver) -> None:
        """Travel in this program from now on, and look ahead in it.

        In a new version of the program shown, time stays where it was if nothing before differs.
        """
        explore = driver.explore(AHEAD)
        if self.driver is not None and not self.mover.busy:
            explore = stay(self.driver, driver, explore)
        self.close()
        self.driver = driver
        self._exploring = explore
        self.mover.make(self._exploring)

    def close(self) -> None:
        """Let go of the program."""
        self.pause()
        self.mover.abandon()
        self.driver = self._exploring = self._interrupted = None
        self._queue.clear()
        self.notice = ""

    # Moving

    @property
    def running(self) -> bool:
        """A long move that the user asked for is under way."""
        return self.mover.busy and self._exploring is None and not self.playing

    def go(self, move: Move) -> None:
        """Make a move; whatever is under way ends first."""
        self.pause()
        self.notice = ""
        self.mover.make(move)
        if self.mover.busy:  # else it has arrived, and that was shown
            self._changed()

    def stop(self) -> bool:
        """End play or a long move; False when there is neither."""
        if self.playing:
            self.pause()
            self._changed()
            return True
        return self.running and self.mover.stop()

    def when_free(self, action: Callable[[], None]) -> None:
        """Do something with the debugger as soon as no thread works on it.

        Looking ahead is ended for it.  While a move that the user asked for is under way
        nothing is done: the status says that Escape stops it.
        """
        if not self.mover.busy:
            self._look(action)
        elif self._exploring is not None:
            self._queue.append(action)
            self.mover.cancel()

    def refresh(self) -> None:
        """Look again, because something else than time has changed."""
        if self.driver is not None and not self.mover.busy:
            if self._look(self.driver.refresh):
                self._changed()

    def _look(self, look: Callable[[], object]) -> bool:
        """Do something with the driver; false where the engine fails at that."""
        try:
            look()
        except Exception as error:
            self._broke(error)
            return False
        return True

    def say(self, notice: str) -> None:
        """Tell the user something, until the next move."""
        self.notice = notice
        self._changed()

    def _arrived(self, move: Move, stop: Stop) -> None:
        assert self.driver is not None
        if move is self._exploring:
            self._exploring = None
            if stop.step != self.driver.moment.step:
                self.driver.sight.follow()
                steps = plural(stop.step, "step")
                self.notice = f"a new version; its first {steps} are the same, so time stays here"
            if not self._look(self.driver.refresh):
                return
            self._changed()
            queue, self._queue = self._queue, []
            for action in queue:
                if not self._look(action):
                    return
            return
        began = self.driver.moment.step
        if not self._look(partial(self.driver.arrive, stop)):
            return
        self._stopped(self.driver, stop)
        kinds = {reason.kind for reason in stop.reasons}
        waits = "needs_input" in kinds and move.name != "stepping"
        self._interrupted = move if waits else None
        if "cancelled" in kinds:
            self.notice = f"stopped {move.name}; still at step {grouped(stop.step)}"
        elif stop.step == 0 and "start" in kinds:
            self.notice = "start of history"
        else:
            if self.playing and kinds - _SILENT:
                self.pause()
            texts = [self._said(reason) for reason in stop.reasons if reason.kind not in _SILENT]
            if stop.step == began or move.tells:
                texts = [reason.text for reason in stop.reasons]  # why nothing has moved
            self.notice = "; ".join(texts)
            if move.after is not None:
                move.after()
        self._changed()

    def _said(self, reason: Reason) -> str:
        """A reason in words; breakpoints as they are written in the pane."""
        assert self.driver is not None
        for each in self.driver.debugger.breakpoints:
            if each.id == reason.breakpoint:
                spec = breakpoint_text(each.spec, self.driver.debugger.program.source)
                return f"breakpoint {each.id}: {spec}"
        return reason.text

    # Play

    @property
    def playing(self) -> bool:
        return self._timer is not None

    def play(self) -> None:
        """Step on at the present speed until something stops it."""
        if self.driver is None:
            return
        if self.driver.moment.ended:
            self.say("the program has ended; g goes back to the start")
            return
        self.notice = ""
        self._due = 1.0
        self._timer = self._host.set_interval(1 / FRAMES, self.beat)
        self._changed()

    def pause(self) -> None:
        """Stop playing."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def change_speed(self, by: int) -> None:
        """Play faster or slower."""
        self.speed = max(0, min(self.speed + by, len(SPEEDS) - 1))
        self.say(f"{plural(SPEEDS[self.speed], 'step')} a second")

    def set_speed(self, steps_per_second: int) -> None:
        """Play at the nearest speed there is."""
        nearest = min(SPEEDS, key=lambda speed: abs(speed - steps_per_second))
        self.change_speed(SPEEDS.index(nearest) - self.speed)

    def beat(self) -> None:
        """One frame of playing: as many steps as are due."""
        if self.driver is None or self.mover.busy:
            return
        self._due += SPEEDS[self.speed] / FRAMES
        steps = int(self._due)
        if not steps:
            return
        self._due -= steps
        if self.driver.source.by_line:
            self.mover.make(self.driver.step(steps, granularity="source"))
            return
        try:
            stop = self.driver.resume(budget=steps).run(None)
        except Exception as error:
            self._broke(error)
            return
        if any(reason.kind not in _SILENT for reason in stop.reasons):
            self.pause()
        self._arrived(self.driver.resume(), stop)

    # Input typed while the program runs

    def feed(self, data: bytes) -> None:
        """Live input joins the recording, and what waited for it goes on."""
        driver = self.driver
        if driver is not None:
            self._change_input(lambda: driver.debugger.feed(data))

    def end_input(self) -> None:
        """The input ends here: reads from now on meet its end."""
        if self.driver is not None:
            self._change_input(self.driver.debugger.close_input)

    def _change_input(self, change: Callable[[], None]) -> None:
        def go_on() -> None:
            change()
            self.notice = ""
            move, self._interrupted = self._interrupted, None
            if move is not None:
                self.go(move)
            else:
                self.refresh()

        self.when_free(go_on)

    # Words for where we are

    def badge(self) -> Badge:
        """One word on the state."""
        if self.running:
            return Badge("RUNNING", "busy")
        if self.playing:
            return Badge("PLAYING", "busy")
        assert self.driver is not None
        if self.driver.is_blank:
            return Badge("EMPTY")
        return _BADGES.get(self.driver.moment.view.status, Badge("PAUSED"))

    def sentence(self) -> str:
        """What there is to say besides."""
        assert self.driver is not None
        if self.running:
            done = f"  {grouped(self.mover.done)} steps so far" if self.mover.done else ""
            return f"{self.mover.name}{done}, Esc stops"
        if self.notice:
            return self.notice
        if self.playing:
            unit = "line" if self.driver.source.by_line else "step"
            return f"{plural(SPEEDS[self.speed], unit)} a second"
        if self.driver.is_blank:
            return "nothing to run: e opens the editor; ^p, Load the sample, has a template"
        status = self.driver.moment.view.status
        if status == "needs_input":
            return "the program waits for input: Enter to type, ctrl+d there ends it"
        if status == "limited":
            return f"the {self.driver.moment.view.limit} limit was reached"
        return ""
