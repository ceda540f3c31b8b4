"""How the screen was arranged the last time: which pane filled it, how programs are typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual import on

from esoplay.tui.debug import DebugPane
from esoplay.tui.debug.parts import Parts
from esoplay.tui.debugging import Debugging
from esoplay.tui.editor.editor import Editor
from esoplay.tui.files import Files
from esoplay.tui.views import ViewControls

if TYPE_CHECKING:
    from esoplay.tui.screen import PlayScreen

MAXIMISED, ZOOMED, TYPED = "maximised", "debug maximised", "typed otherwise"
"""Names of settings."""


class Keeping(ViewControls):
    """Keeps how the screen is arranged, for the next run; and the program, whatever fails."""

    files: Files
    debugging: Debugging

    @on(DebugPane.Crashed)
    def _debugger_crashed(self) -> None:
        self.files.keep()
        self.debugging.forget()  # so that F2 tries again

    def action_maximise(self) -> None:
        super().action_maximise()
        pane = self.maximised
        self.remember(MAXIMISED, None if pane is None else [self.view, pane.id])

    @on(Parts.Zoomed)
    def _zoomed(self, event: Parts.Zoomed) -> None:
        self.remember(ZOOMED, event.name)

    @on(Editor.ModeChosen)
    def _mode_chosen(self) -> None:
        self.remember(TYPED, sorted(self.program.editor.typed_otherwise))


def bring_back(screen: PlayScreen) -> None:
    """Arrange the panes as they were, before anything is opened in them."""
    state = screen.desk.state
    typed = state.setting(TYPED, [])
    if isinstance(typed, list):
        names = {str(each) for each in cast("list[object]", typed)}
        screen.program.editor.typed_otherwise = names
    zoomed = state.setting(ZOOMED)
    screen.debugger.parts.zoom_wanted = zoomed if isinstance(zoomed, str) else None


def fill_again(screen: PlayScreen) -> None:
    """Let the pane fill the screen that did, if it is in the view that was open then."""
    stored = screen.desk.state.setting(MAXIMISED)
    for pane in screen.query("#body > *"):
        if stored == [screen.view, pane.id] and pane.display:
            screen.maximise(pane)
