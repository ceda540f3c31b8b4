"""What keys and clicks do in the debug pane; see ``keys`` for the table."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import ClassVar, Literal

from textual import events, on
from textual.actions import SkipAction
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Container

from esolangs.source import locate
from esoplay.errors import EsoplayError
from esoplay.service.debugging import CellWrite, Granularity
from esoplay.tui.debug.box import Box
from esoplay.tui.debug.breakpoint_text import write_spec
from esoplay.tui.debug.calls_panel import CallsPanel
from esoplay.tui.debug.command_runner import CommandRunner
from esoplay.tui.debug.commands import unescape
from esoplay.tui.debug.driver import Driver, Move
from esoplay.tui.debug.keys import bindings
from esoplay.tui.debug.lines import TimelineStrip
from esoplay.tui.debug.mover import Mover
from esoplay.tui.debug.navigator import Navigator
from esoplay.tui.debug.pages.breaks_page import BreaksPage
from esoplay.tui.debug.pages.bytes_page import BytesPage
from esoplay.tui.debug.pages.diff_page import DiffPage
from esoplay.tui.debug.pages.list_page import ListPage
from esoplay.tui.debug.pages.log_page import LogPage
from esoplay.tui.debug.pages.page import Page
from esoplay.tui.debug.parts import Parts
from esoplay.tui.debug.program_view import ProgramView
from esoplay.tui.debug.prompt import Kind, Prompt
from esoplay.tui.debug.table_panel import TablePanel
from esoplay.tui.debug.tape_panel import TapePanel
from esoplay.tui.debug.visible import grouped

WRITES_LISTED = 20


class Controls(Container):
    """The parts, a navigator through time, and the actions that join them."""

    app: App[None]
    BINDINGS: ClassVar[list[BindingType]] = [*bindings()]

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.parts = Parts()
        self.navigator = Navigator(self, self.show_moment)
        self.commands = CommandRunner(self.navigator)
        self.count = ""
        self._awaited: Literal["set", "go"] | None = None

    def compose(self) -> ComposeResult:
        yield self.parts

    @abstractmethod
    def show_moment(self) -> None:
        """Bring everything up to date with the present moment."""

    # Time

    def action_step(self, direction: int) -> None:
        count = self._take_count()
        self._go(lambda driver: driver.step(count, reverse=direction < 0))

    def action_leap(self, granularity: Granularity, direction: int) -> None:
        count = self._take_count()
        self._go(lambda driver: driver.step(count, reverse=direction < 0, granularity=granularity))

    def action_resume(self, direction: int) -> None:
        self._go(lambda driver: driver.resume(reverse=direction < 0))

    def action_to_cursor(self, direction: int) -> None:
        driver, cursor = self.navigator.driver, self.parts.program.cursor
        if driver is not None and driver.debugger.program.instruction_at(cursor) is None:
            self.navigator.say("the cursor is on a comment; there is nothing to run to")
        else:
            self._go(lambda driver: driver.to_offset(cursor, reverse=direction < 0))

    def action_start(self) -> None:
        self._take_count()
        self._go(lambda driver: driver.seek(0))

    def action_end(self) -> None:
        if self.count:
            step = self._take_count()
            self._go(lambda driver: driver.seek(step))
        else:
            self._go(lambda driver: driver.to_end())

    def action_play(self) -> None:
        if not self.navigator.stop():
            self.navigator.when_free(self.navigator.play)

    def action_speed(self, by: int) -> None:
        self.navigator.change_speed(by)

    def _go(self, move: Callable[[Driver], Move]) -> None:
        self._take_count()
        if self.navigator.driver is not None:
            self.navigator.go(move(self.navigator.driver))

    # Cursor and selection

    @property
    def _here(self) -> Box:
        """The box that has the keyboard; the program if none has."""
        return next((box for box in self.parts.boxes if box.has_focus), self.parts.program)

    def action_cursor(self, rows: int, columns: int) -> None:
        count = self._take_count()
        here = self._here
        if isinstance(here, ProgramView):
            here.move_cursor(rows=rows * count, columns=columns * count)
        elif isinstance(here, Page | TapePanel | CallsPanel | TablePanel):
            here.move(rows=rows * count, columns=columns * count)

    def action_partner(self) -> None:
        if not self.parts.program.go_to_partner():
            self.navigator.say("the cursor is on no bracket")

    def action_ask(self, kind: Kind) -> None:
        self.parts.prompt.ask(kind)
        self.parts.hints.display = False

    def action_search_again(self, direction: int) -> None:
        if not self.parts.program.find(backwards=direction < 0):
            self.navigator.say("not found; / looks for something")

    def action_choose(self) -> None:
        driver = self.navigator.driver
        here = self._here
        if driver is not None and driver.moment.view.status == "needs_input":
            self.action_ask("input")
        elif isinstance(here, DiffPage | BytesPage | ListPage):
            here.choose()
        else:
            raise SkipAction

    # Breakpoints

    def action_toggle_break(self) -> None:
        cursor = self.parts.program.cursor
        self._toggle_break(cursor, cursor + 1)

    def action_edit_break(self) -> None:
        driver = self.navigator.driver
        if driver is None:
            return
        source, cursor = driver.debugger.program.source, self.parts.program.cursor
        listed = self._here.subject if isinstance(self._here, BreaksPage) else None
        edited = listed or driver.breakpoint_at(cursor)
        if edited is not None:
            self.parts.prompt.ask("command", f"b {write_spec(edited.spec, source)}")
        else:
            line, column = locate(source, cursor)
            self.parts.prompt.ask("command", f"b at {line}:{column} if ")
        self.parts.hints.display = False

    @on(ProgramView.GutterClicked)
    def _gutter_clicked(self, event: ProgramView.GutterClicked) -> None:
        self._toggle_break(event.start, event.end)

    def _toggle_break(self, start: int, end: int) -> None:
        driver = self.navigator.driver
        if driver is None:
            return

        def toggle() -> None:
            try:
                self.navigator.notice = driver.toggle_breakpoint(start, end)
            except EsoplayError as error:
                self.navigator.notice = str(error)
            self.navigator.refresh()

        self.navigator.when_free(toggle)

    @on(BreaksPage.Asked)
    def _breakpoint_asked(self, event: BreaksPage.Asked) -> None:
        driver, asked = self.navigator.driver, event.breakpoint
        if driver is None:
            return

        def answer() -> None:
            if event.what == "delete":
                driver.debugger.remove_breakpoint(asked.id)
            elif event.what == "switch":
                driver.enable_breakpoint(asked, not asked.spec.enabled)
            elif asked.spec.offset is not None:
                self.parts.program.set_cursor(asked.spec.offset)
            self.navigator.refresh()

        self.navigator.when_free(answer)

    # Cells

    def action_base(self) -> None:
        if self.parts.state.tape is not None:
            self.parts.state.tape.cycle_base()

    def action_write(self, direction: int) -> None:
        driver = self.navigator.driver
        if driver is not None:
            self.navigator.when_free(lambda: self._go_to_write(driver, direction))

    def _go_to_write(self, driver: Driver, direction: int) -> None:
        write = driver.write_before() if direction < 0 else driver.write_after()
        if driver.cell is None:
            self.navigator.say("there is no tape")
        elif write is not None:
            self.navigator.go(driver.seek(write.step))
        elif direction < 0:
            self.navigator.say(f"cell {driver.cell} has no write before this one; initial 0")
        else:
            self.navigator.say(f"cell {driver.cell} is not written again in known history")

    def action_list_writes(self) -> None:
        driver = self.navigator.driver
        if driver is not None and driver.cell is not None:
            self.navigator.when_free(lambda: self._list_writes(driver))

    def _list_writes(self, driver: Driver) -> None:
        writes: list[CellWrite] = list(driver.list_writes(WRITES_LISTED))
        for write in reversed(writes):
            driver.note(f"cell {driver.cell}: {write.old} → {write.new}", write.step)
        if not writes:
            driver.note(f"cell {driver.cell}: never written, initial 0")
        self.parts.open_page("log")
        self.navigator.refresh()

    @on(TapePanel.Selected)
    def _cell_selected(self, event: TapePanel.Selected) -> None:
        if self.navigator.driver is not None:
            self.navigator.driver.select(event.cell)
            self.navigator.refresh()

    @on(TapePanel.GridChanged)
    def _grid_changed(self) -> None:
        driver, tape = self.navigator.driver, self.parts.state.tape
        if driver is not None and tape is not None and driver.grid != tape.grid:
            driver.grid = tape.grid
            self.navigator.refresh()

    @on(TimelineStrip.Resized)
    def _strip_resized(self, event: TimelineStrip.Resized) -> None:
        if self.navigator.driver is not None:
            self.navigator.driver.columns = event.columns
            self.navigator.refresh()

    # Bytes and their steps

    def action_jump_output(self) -> None:
        parts = self.parts
        if parts.diff.display and not parts.output.has_focus and parts.output.selected is None:
            parts.diff.choose()
        else:
            parts.output.choose()

    def action_jump_input(self) -> None:
        self.parts.input.choose()

    @on(BytesPage.ByteChosen)
    def _byte_chosen(self, event: BytesPage.ByteChosen) -> None:
        driver = self.navigator.driver
        if driver is None:
            return
        ask = (
            self.commands.go_to_printed
            if event.page is self.parts.output
            else self.commands.go_to_read
        )
        self.navigator.when_free(lambda: ask(driver, event.index))

    @on(DiffPage.JumpWanted)
    def _jump_wanted(self) -> None:
        driver = self.navigator.driver
        if driver is not None and driver.moment.wrong_step is not None:
            self.navigator.go(driver.seek(driver.moment.wrong_step))

    @on(TimelineStrip.Clicked)
    @on(LogPage.StepChosen)
    def _step_chosen(self, event: TimelineStrip.Clicked | LogPage.StepChosen) -> None:
        self._go(lambda driver: driver.seek(event.step))

    @on(CallsPanel.FrameChosen)
    def _frame_chosen(self, event: CallsPanel.FrameChosen) -> None:
        self.parts.program.set_cursor(event.offset)

    # Tabs, maximising, letting go

    def action_output_mode(self) -> None:
        self.parts.open_page("out")
        self.parts.output.cycle_mode()

    def action_turn_page(self, by: int) -> None:
        self.parts.turn_page(by)

    @on(Page.TabClicked)
    def _tab_clicked(self, event: Page.TabClicked) -> None:
        self.parts.open_page(event.name)
        self.parts.pages[event.name].focus()

    def action_zoom(self) -> None:
        self.parts.zoom(None if self.parts.zoomed else self._here)

    def action_cancel(self) -> None:
        """Stop what runs, else forget what was begun, else let go of selections."""
        driver, parts = self.navigator.driver, self.parts
        if self.navigator.stop():
            return
        if self.count:
            self._take_count()
            self.navigator.say("")
        elif parts.zoomed:
            parts.zoom(None)
        elif parts.program.cursor_moved or parts.output.selected is not None:
            parts.program.set_cursor(None)
            parts.output.select(None)
            parts.input.select(None)
        elif driver is not None and driver.selected is not None:
            driver.select(None)
            self.navigator.refresh()
        else:
            raise SkipAction

    # What is typed at the bottom

    @on(Prompt.Submitted)
    def _typed(self, event: Prompt.Submitted) -> None:
        match event.kind:
            case "command" if event.text.strip() in ("q", "quit"):
                self.call_later(self.run_action, "app.quit")
            case "command":
                self.commands.run(event.text, self.parts.program.cursor)
            case "search":
                if not self.parts.program.find(unescape(event.text)):
                    self.navigator.say(f"{event.text!r} is not in the program")
            case "input":
                self.navigator.feed(unescape(event.text) + b"\n")

    @on(Prompt.InputEnded)
    def _input_ended(self) -> None:
        self.navigator.end_input()

    @on(Prompt.Left)
    def _prompt_left(self) -> None:
        self.parts.hints.display = True
        self.focus()

    # What the thread reports

    @on(Mover.Progress)
    def _progress(self, event: Mover.Progress) -> None:
        if self.navigator.mover.take_progress(event) and self.navigator.running:
            self.show_moment()

    @on(Mover.Finished)
    def _finished(self, event: Mover.Finished) -> None:
        self.navigator.mover.take_finish(event)

    # Keys that are no actions by themselves: digits, and the letter of a mark

    def on_key(self, event: events.Key) -> None:
        if self.parts.prompt.is_open:
            return
        char = event.character or ""
        if self._awaited is not None:
            awaited, self._awaited = self._awaited, None
            if char.isalpha():
                self._use_mark(awaited, char)
            else:
                self.navigator.say("a mark is a letter")
        elif char.isdecimal() and char.isascii() and (self.count or char != "0"):
            self.count = (self.count + char)[:15]
            self.navigator.say("")
        else:
            return
        event.stop()
        event.prevent_default()

    def _take_count(self, default: int = 1) -> int:
        count, self.count = self.count, ""
        return int(count) if count else default

    def action_await_mark(self, what: Literal["set", "go"]) -> None:
        self._awaited = what
        self.navigator.say("which mark? press a letter")

    def _use_mark(self, what: Literal["set", "go"], name: str) -> None:
        driver = self.navigator.driver
        if driver is None:
            return
        if what == "set":
            driver.marks[name] = driver.moment.step
            self._say_fresh(f"mark {name} is step {grouped(driver.moment.step)}")
        elif name in driver.marks:
            self.navigator.go(driver.seek(driver.marks[name]))
        else:
            self.navigator.say(f"there is no mark {name}")

    def _say_fresh(self, text: str) -> None:
        self.navigator.notice = text
        self.navigator.refresh()
