"""Keys and clicks on the parts of a term: the same ones as on cells and places on stacks."""

from __future__ import annotations

from collections.abc import Callable

from textual import on

from esoplay.tui.debug.state.term_panel import TermPanel
from esoplay.tui.debug.state_controls import StateControls
from esoplay.tui.debug.target import Driver, Move
from esoplay.tui.debug.term_questions import list_makers, to_application, to_made


class TermControls(StateControls):
    """Asks about the selected part of a term, where one is selected."""

    def action_write(self, direction: int) -> None:
        if self._chosen_part is None:
            super().action_write(direction)
        elif direction > 0:
            self.navigator.say("what made a term came before: w goes there")
        else:
            self._ask_part(to_made)

    def action_list_writes(self) -> None:
        if self._chosen_part is None:
            super().action_list_writes()
        else:
            self._ask_part(list_makers)
            self.parts.bring_page("log")

    def action_origin(self) -> None:
        if self._chosen_part is None:
            super().action_origin()
        else:
            self._ask_part(to_application)
            self.parts.open_page("log")

    @property
    def _chosen_part(self) -> int | None:
        driver = self.navigator.driver
        return None if driver is None else driver.moment.part

    def _ask_part(self, question: Callable[[Driver, int], Move]) -> None:
        driver, part = self.navigator.driver, self._chosen_part
        if driver is not None and part is not None:
            self.navigator.go(question(driver, part))

    @on(TermPanel.PartSelected)
    def _part_selected(self, event: TermPanel.PartSelected) -> None:
        driver = self.navigator.driver
        if driver is not None and not self.navigator.mover.busy:
            driver.part_choice.choose(event.part, driver.sight.window)
            self.navigator.refresh()
