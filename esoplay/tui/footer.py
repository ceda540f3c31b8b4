"""The row of keys at the bottom: what can be pressed now, each a button for the mouse.

Textual's own footer mounts a widget a key, anew at every change of the keyboard's pane, which
takes a tenth of the time to the first frame; this is one widget that draws a row.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, cast

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.app import App
from textual.screen import Screen
from textual.signal import Signal
from textual.widget import Widget


class Button(NamedTuple):
    """A key, in columns ``start`` to ``end`` of the row.  shown: as it is written there."""

    start: int
    end: int
    key: str
    shown: str
    words: str
    tip: str
    enabled: bool


class Footer(Widget, can_focus=False):
    """Shows the bindings that the screen has at the moment."""

    app: App[Any]

    DEFAULT_CSS = """
    Footer {
        dock: bottom; height: 1; text-wrap: nowrap;
        color: $footer-foreground; background: $footer-background;
        & > .footer--key {
            color: $footer-key-foreground; background: $footer-key-background; text-style: bold;
        }
        & > .footer--words {
            color: $footer-description-foreground; background: $footer-description-background;
        }
        & > .footer--disabled { text-style: dim; }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"footer--key", "footer--words", "footer--disabled"}
    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__()
        self._buttons: tuple[Button, ...] = ()

    def on_mount(self) -> None:
        signal = cast("Signal[Screen[Any]]", self.screen.bindings_updated_signal)  # pyright: ignore[reportUnknownMemberType]
        signal.subscribe(self, self._changed)

    def on_resize(self) -> None:
        self.call_after_refresh(self._look)

    def _changed(self, screen: Screen[Any]) -> None:
        if self.is_attached and screen is self.screen and self.app.app_focus:
            self.call_after_refresh(self._look)

    def _look(self) -> None:
        """Take over what can be pressed now; the row is drawn anew only if it differs."""
        if self.is_attached and (buttons := self._present()) != self._buttons:
            self._buttons = buttons
            self.refresh()

    def _present(self) -> tuple[Button, ...]:
        """One button an action, in the order of the bindings."""
        buttons: dict[str, Button] = {}
        at = 0
        for _, binding, enabled, tooltip in self.screen.active_bindings.values():
            if not binding.show or binding.action in buttons:
                continue
            shown = self.app.get_key_display(binding)
            end = at + cell_len(" ".join(filter(None, (shown, binding.description))))
            buttons[binding.action] = Button(
                at, end, binding.key, shown, binding.description, tooltip, enabled
            )
            at = end + 1
        return _fitting(tuple(buttons.values()), self.size.width)

    def render(self) -> Text:
        key = self.get_component_rich_style("footer--key")
        words = self.get_component_rich_style("footer--words")
        disabled = self.get_component_rich_style("footer--disabled", partial=True)
        text = Text(no_wrap=True, overflow="crop", end="")
        for button in self._buttons:
            dim = None if button.enabled else disabled
            text.append(button.shown, key if dim is None else key + dim)
            if button.words:
                text.append(f" {button.words}", words if dim is None else words + dim)
            text.append(" ")
        return text

    def _under(self, event: events.MouseEvent) -> Button | None:
        return next((each for each in self._buttons if each.start <= event.x < each.end), None)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """As if the key were pressed."""
        button = self._under(event)
        if button is None:
            return
        if button.enabled:
            self.app.simulate_key(button.key)
        else:
            self.app.bell()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        button = self._under(event)
        tip = button.tip if button is not None and button.tip else None
        if self.tooltip != tip:
            self.tooltip = tip


def _fitting(buttons: tuple[Button, ...], width: int) -> tuple[Button, ...]:
    """The buttons that fit into a row: the last, which leaves, before those in front of it."""
    while len(buttons) > 2 and 0 < width < buttons[-1].end:
        *others, left_out, last = buttons
        by = last.start - left_out.start
        moved = last._replace(start=last.start - by, end=last.end - by)
        buttons = (*others, moved)
    return buttons
