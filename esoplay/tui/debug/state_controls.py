"""Keys and clicks on breakpoints and cells."""

from __future__ import annotations

from collections.abc import Callable

from textual import on

from esoplay.debugging.debugger import Breakpoint, BreakpointSpec
from esoplay.debugging.locations import breakpoint_text
from esoplay.debugging.provenance import Place
from esoplay.errors import EsoplayError
from esoplay.tui.debug.anchors import Orphan
from esoplay.tui.debug.lines import TimelineStrip
from esoplay.tui.debug.pages.breaks_page import BreaksPage
from esoplay.tui.debug.program_view import ProgramView
from esoplay.tui.debug.questions import list_puts, to_origin, to_put
from esoplay.tui.debug.state.grid_panel import GridPanel
from esoplay.tui.debug.state.panel_box import PanelBox
from esoplay.tui.debug.target import Driver, Move
from esoplay.tui.debug.time_controls import TimeControls

WRITES_LISTED = 20


class StateControls(TimeControls):
    """Setting, editing and listing breakpoints; asking about cells."""

    # Breakpoints

    def action_toggle_break(self) -> None:
        here, cursor = self.here, self.parts.program.cursor

        def toggle(driver: Driver) -> str:
            place = here.place(driver.moment)
            if place is not None:
                return driver.breakpoints.toggle(place)
            code = here.code(driver.moment)
            return driver.breakpoints.toggle_at(*(code or (cursor, cursor + 1)))

        self._toggle_break(toggle)

    def action_edit_break(self) -> None:
        driver = self.navigator.driver
        if driver is None:
            return
        source = driver.debugger.program.source
        listed = self.here.subject if isinstance(self.here, BreaksPage) else None
        place = self.place_at_cursor()
        edited = listed or driver.breakpoints.standing_at(place)
        if edited is not None:
            text = breakpoint_text(edited.spec, source)
            self.parts.prompt.ask("command", f"change {edited.id} {text}")
        else:
            place = place or BreakpointSpec(offset=self.parts.program.cursor)
            self.parts.prompt.ask("command", f"b {breakpoint_text(place, source)} if ")
        self.parts.hints.display = False

    @on(ProgramView.GutterClicked)
    def _gutter_clicked(self, event: ProgramView.GutterClicked) -> None:
        self._toggle_break(lambda driver: driver.breakpoints.toggle_at(event.start, event.end))

    def _toggle_standing(self, spec: BreakpointSpec) -> None:
        self._toggle_break(lambda driver: driver.breakpoints.toggle(spec))

    def _toggle_break(self, toggle: Callable[[Driver], str]) -> None:
        driver = self.navigator.driver
        if driver is None:
            return

        def do() -> None:
            try:
                self.navigator.notice = toggle(driver)
            except EsoplayError as error:
                self.navigator.notice = str(error)
            self.navigator.refresh()

        self.navigator.when_free(do)

    @on(BreaksPage.Asked)
    def _breakpoint_asked(self, event: BreaksPage.Asked) -> None:
        driver, asked = self.navigator.driver, event.breakpoint
        if driver is None:
            return

        def answer() -> None:
            if isinstance(asked, Orphan):
                if event.what == "delete":
                    driver.orphans.remove(asked)
                else:
                    self.parts.program.set_cursor(asked.near)
            elif event.what == "delete":
                driver.debugger.remove_breakpoint(asked.id)
            elif event.what == "switch":
                driver.breakpoints.enable(asked, not asked.spec.enabled)
            else:
                self._show_place(driver, asked)
            self.navigator.refresh()

        self.navigator.when_free(answer)

    def _show_place(self, driver: Driver, breakpoint: Breakpoint) -> None:
        """Bring the place of a breakpoint into view, the first one if it has several."""
        if breakpoint.spec.slot is not None:
            driver.select_slot(breakpoint.spec.slot)
        place = min(breakpoint.locations or (), default=None)
        if isinstance(place, int):
            self.parts.program.set_cursor(place)
        elif place is not None:
            driver.select(place)
            self.parts.program.show_address(place)

    # Cells

    def action_base(self) -> None:
        here = self.here
        if isinstance(here, PanelBox) and here.BASE_ALONE:
            here.cycle_base()
        else:
            self.parts.state.cycle_base()
            for page in (self.parts.watches, self.parts.side_watches):
                page.cycle_base()

    def action_write(self, direction: int) -> None:
        self._ask(lambda driver, place: to_put(driver, place, reverse=direction < 0))

    def action_list_writes(self) -> None:
        if self._ask(lambda driver, place: list_puts(driver, place, WRITES_LISTED)):
            self.parts.bring_page("log")

    def action_origin(self) -> None:
        if self._ask(to_origin):
            self.parts.open_page("log")

    def _ask(self, question: Callable[[Driver, Place], Move]) -> bool:
        """Ask about the selected place; whether there is one."""
        driver = self.navigator.driver
        if driver is None:
            return False
        place = driver.cell if driver.slot is None else driver.slot
        if place is None:
            self.navigator.say("nothing is selected: j and k do in the state, or a click")
            return False
        self.navigator.go(question(driver, place))
        return True

    @on(PanelBox.Selected)
    def _cell_selected(self, event: PanelBox.Selected) -> None:
        if self.navigator.driver is not None:
            self.navigator.driver.select(event.address)
            self.navigator.refresh()

    @on(PanelBox.SlotSelected)
    def _slot_selected(self, event: PanelBox.SlotSelected) -> None:
        if self.navigator.driver is not None:
            self.navigator.driver.select_slot(event.slot)
            self.navigator.refresh()

    @on(PanelBox.RoomChanged)
    def _room_changed(self) -> None:
        driver, room = self.navigator.driver, self.parts.state.room
        if driver is not None and driver.sight.room != room:
            driver.sight.room = room
            self.navigator.refresh()

    @on(GridPanel.Scrolled)
    def _plane_scrolled(self, event: GridPanel.Scrolled) -> None:
        if self.navigator.driver is not None:
            self.navigator.driver.sight.scroll(event.columns, event.rows)
            self.navigator.refresh()

    @on(TimelineStrip.Resized)
    def _strip_resized(self, event: TimelineStrip.Resized) -> None:
        if self.navigator.driver is not None:
            self.navigator.driver.columns = event.columns
            self.navigator.refresh()
