"""Jump mode: a letter on every pane; pressing it goes there."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Static

from esoplay.tui.keys import Action, bindings

LETTERS = "asdfghjklqwertyuiopzxcvbnm"


class JumpScreen(ModalScreen[Widget | None]):
    """Labels whatever can take the keyboard; dismisses with the one chosen."""

    DEFAULT_CSS = """
    JumpScreen {
        background: $background 40%;
        Static {
            position: absolute;
            width: 3;
            height: 1;
            content-align: center middle;
            color: $background;
            background: $accent;
            text-style: bold;
        }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "jump",
        Action("jump.cancel", "dismiss(None)", "Cancel", shown=True),
    )
    app: App[None]

    def __init__(self, screen: Screen[None]) -> None:
        super().__init__()
        panes = [
            widget for widget in screen.focus_chain if widget.region.area and widget.is_on_screen
        ]
        self._targets = dict(zip(LETTERS, panes, strict=False))

    def compose(self) -> ComposeResult:
        for letter, target in self._targets.items():
            label = Static(Content(letter))
            label.styles.offset = (target.region.x + 1, target.region.y)
            yield label

    def on_key(self, event: events.Key) -> None:
        if event.character in self._targets:
            event.stop()
            self.dismiss(self._targets[event.character])

    def on_click(self, event: events.Click) -> None:
        for target in self._targets.values():
            if target.region.contains(event.screen_x, event.screen_y):
                self.dismiss(target)
                return
        self.dismiss(None)
