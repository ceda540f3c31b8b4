"""Keys and clicks on breakpoints and cells."""

from __future__ import annotations

from collections.abc import Callable

from textual import on

from esolangs.source import locate
from esoplay.errors import EsoplayError
from esoplay.tui.debug.breakpoint_text import write_spec
from esoplay.tui.debug.driver import Driver, Move
from esoplay.tui.debug.lines import TimelineStrip
from esoplay.tui.debug.pages.breaks_page import BreaksPage
from esoplay.tui.debug.program_view import ProgramView
from esoplay.tui.debug.tape_panel import TapePanel
from esoplay.tui.debug.time_controls import TimeControls

WRITES_LISTED = 20


class StateControls(TimeControls):
    """Setting, editing and listing breakpoints; asking about cells."""

    # Breakpoints

    def action_toggle_break(self) -> None:
        cursor = self.parts.program.cursor
        self._toggle_break(cursor, cursor + 1)

    def action_edit_break(self) -> None:
        driver = self.navigator.driver
        if driver is None:
            return
        source, cursor = driver.debugger.program.source, self.parts.program.cursor
        listed = self.here.subject if isinstance(self.here, BreaksPage) else None
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
        self._ask_cell(lambda driver, cell: driver.to_write(cell, reverse=direction < 0))

    def action_list_writes(self) -> None:
        self._ask_cell(lambda driver, cell: driver.list_writes(cell, WRITES_LISTED))
        self.parts.open_page("log")

    def _ask_cell(self, question: Callable[[Driver, int], Move]) -> None:
        driver = self.navigator.driver
        if driver is None:
            return
        cell = driver.cell
        if cell is None:
            self.navigator.say("there is no tape")
        else:
            self.navigator.go(question(driver, cell))

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
