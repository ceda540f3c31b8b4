"""Keys and clicks that travel in time."""

from __future__ import annotations

from textual import on

from esoplay.debugging.debugger import BreakpointSpec, Granularity
from esoplay.tui.debug.controls_base import ControlsBase
from esoplay.tui.debug.lines import TimelineStrip
from esoplay.tui.debug.mover import Mover
from esoplay.tui.debug.pages.bytes_page import BytesPage
from esoplay.tui.debug.pages.diff_page import DiffPage
from esoplay.tui.debug.pages.list_page import ListPage
from esoplay.tui.debug.state.calls_panel import CallsPanel


class TimeControls(ControlsBase):
    """Steps, leaps, play, and the steps of bytes."""

    # Time

    def action_step(self, direction: int) -> None:
        count = self.take_count()
        self.go(lambda driver: driver.step(count, reverse=direction < 0))

    def action_leap(self, granularity: Granularity, direction: int) -> None:
        count = self.take_count()
        self.go(lambda driver: driver.step(count, reverse=direction < 0, granularity=granularity))

    def action_resume(self, direction: int) -> None:
        self.go(lambda driver: driver.resume(reverse=direction < 0))

    def action_to_cursor(self, direction: int) -> None:
        spec = self.place_at_cursor()
        if spec is None and self.navigator.driver is not None:
            self.navigator.say("the cursor is on a comment; there is nothing to run to")
        elif spec is not None:
            self.go(lambda driver: driver.run_to(spec, reverse=direction < 0))

    def place_at_cursor(self) -> BreakpointSpec | None:
        """Where the cursor is: in the plane or a stack that has the keyboard, or the program."""
        driver = self.navigator.driver
        if driver is None:
            return None
        return self.here.place(driver.moment) or driver.breakpoints.spec_at(
            self.parts.program.cursor
        )

    def action_start(self) -> None:
        self.take_count()
        self.go(lambda driver: driver.seek(0))

    def action_end(self) -> None:
        if self.count:
            step = self.take_count()
            self.go(lambda driver: driver.seek(step))
        else:
            self.go(lambda driver: driver.to_end())

    def action_play(self) -> None:
        if not self.navigator.stop():
            self.navigator.when_free(self.navigator.play)

    def action_speed(self, by: int) -> None:
        self.navigator.change_speed(by)

    # Bytes and their steps

    def action_jump_output(self) -> None:
        parts = self.parts
        if parts.diff.display and not parts.output.has_focus and parts.output.selected is None:
            if not parts.diff.differs:
                self.navigator.say("there is no wrong byte of output to go to")
            parts.diff.choose()
        else:
            if parts.output.subject is None:
                self.navigator.say("nothing is printed that one could go to")
            parts.output.choose()

    def action_jump_input(self) -> None:
        if self.parts.input.subject is None:
            self.navigator.say("no input is read that one could go to")
        self.parts.input.choose()

    @on(BytesPage.ByteChosen)
    def _byte_chosen(self, event: BytesPage.ByteChosen) -> None:
        command = "to-output" if event.page is self.parts.output else "to-input"
        self.commands.run(f"{command} {event.index}")

    @on(DiffPage.JumpWanted)
    def _jump_wanted(self) -> None:
        driver = self.navigator.driver
        if driver is not None and driver.moment.wrong_step is not None:
            self.navigator.go(driver.seek(driver.moment.wrong_step))

    @on(TimelineStrip.Clicked)
    @on(ListPage.StepChosen)
    def _step_chosen(self, event: TimelineStrip.Clicked | ListPage.StepChosen) -> None:
        self.go(lambda driver: driver.seek(event.step))

    @on(CallsPanel.FrameChosen)
    def _frame_chosen(self, event: CallsPanel.FrameChosen) -> None:
        self.parts.program.set_cursor(event.offset)

    # What the thread reports

    @on(Mover.Progress)
    def _progress(self, event: Mover.Progress) -> None:
        if self.navigator.mover.take_progress(event) and self.navigator.running:
            self.show_moment()

    @on(Mover.Finished)
    def _finished(self, event: Mover.Finished) -> None:
        self.navigator.mover.take_finish(event)
