"""Views of the main screen: how its helpers lead from one to another, and which pane fills it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import cast

from textual.widget import Widget

from esoplay.tui.desk import Opened, PlayState
from esoplay.tui.frame import View

MAXIMISED = "-maximised"
"""Class of the pane that fills the screen."""

_MAXIMISED, _ZOOMED, _TYPED = "maximised", "debug maximised", "typed otherwise"
"""Names of settings."""


@dataclass(frozen=True, slots=True)
class Navigation:
    """What the helpers of the main screen can ask of it.

    view: the view that has the keyboard.  is_narrow: one view fills the screen.  show_view: give
    the keyboard to a view.  work_in: let the way back to work lead to a view.  leave: stop the
    tests and save the program, before another is opened.  take_up: edit what was opened.
    """

    view: Callable[[], View]
    is_narrow: Callable[[], bool]
    show_view: Callable[[View], None]
    work_in: Callable[[View], None]
    leave: Callable[[], None]
    take_up: Callable[[Opened], Awaitable[None]]


class Arrangement:
    """Which pane fills the screen, and how the panes were arranged in the last run."""

    def __init__(
        self, body: Widget, state: PlayState, remember: Callable[[str, object], None]
    ) -> None:
        """``body`` holds the panes.  ``remember`` saves a setting for the next run."""
        self._body = body
        self._state = state
        self._remember = remember

    @property
    def maximised(self) -> Widget | None:
        """The pane that fills the screen."""
        return next((pane for pane in self._body.children if pane.has_class(MAXIMISED)), None)

    def maximise(self, pane: Widget | None) -> None:
        """Let one pane fill the screen; None puts everything back."""
        if pane is None and self.maximised is None:
            return
        for each in self._body.children:
            each.set_class(each is pane, MAXIMISED)
        self._body.screen.set_class(pane is not None, "-alone")

    def toggle(self, focused: Widget | None, view: View) -> None:
        """Maximise the pane with the keyboard, or show all of them again."""
        if self.maximised is not None:
            self.maximise(None)
        else:
            here = focused
            while here is not None and here.parent is not self._body:
                here = here.parent if isinstance(here.parent, Widget) else None
            if here is not None:
                self.maximise(here)
        pane = self.maximised
        self._remember(_MAXIMISED, None if pane is None else [view, pane.id])

    def fill_again(self, view: View) -> None:
        """Let the pane fill the screen that did, if it is in the view that was open then."""
        stored = self._state.setting(_MAXIMISED)
        for pane in self._body.children:
            if stored == [view, pane.id] and pane.display:
                self.maximise(pane)

    # The pane of the debugger that filled its view, and languages that are typed otherwise

    @property
    def zoomed(self) -> str | None:
        """The name of the debugger's pane that filled its view in the last run."""
        stored = self._state.setting(_ZOOMED)
        return stored if isinstance(stored, str) else None

    def remember_zoomed(self, name: str | None) -> None:
        self._remember(_ZOOMED, name)

    @property
    def typed_otherwise(self) -> set[str]:
        """The languages whose programs are not typed in the way that is usual for them."""
        stored = self._state.setting(_TYPED, [])
        if not isinstance(stored, list):
            return set()
        return {str(each) for each in cast("list[object]", stored)}

    def remember_typed(self, languages: set[str]) -> None:
        self._remember(_TYPED, sorted(languages))
