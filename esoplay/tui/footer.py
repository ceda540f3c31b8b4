"""The footer of each screen: the keys of the focused widget, as buttons for the mouse.

The footer shows the keys that the focused widget declares (:class:`esoplay.tui.keys.KeyProvider`),
or else the bindings that have a footer text. A modal screen has its own footer. Textual's footer
mounts a widget for each key at every change of the focus, which takes a tenth of the time to the
first frame. This footer is one widget that draws a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, NamedTuple, TypeVar, cast

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.app import App
from textual.screen import ModalScreen, Screen
from textual.signal import Signal
from textual.widget import Widget

from esoplay.tui.keys import FooterKey, FooterKeys, KeyProvider

Result = TypeVar("Result")


class Button(NamedTuple):
    """A button for a key, in columns ``start`` to ``end`` of the footer.

    display: the key as displayed, or several keys with slashes between them; may be empty.
    second_key: the key that a click after the first slash presses; if it is empty, the click
    presses ``key``.
    """

    start: int
    end: int
    key: str
    display: str
    label: str
    tip: str = ""
    enabled: bool = True
    second_key: str = ""

    def key_at(self, column: int) -> str:
        """Return the key for a click in this column of the row."""
        first = self.display.partition("/")[0]
        second = self.start + cell_len(first) < column < self.start + cell_len(self.display)
        return self.second_key if self.second_key and second else self.key


class Footer(Widget, can_focus=False):
    """Shows the keys of the focused widget, or else the bindings of the screen."""

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

    def __init__(self, is_hidden: Callable[[str], bool] | None = None) -> None:
        """Create a footer.

        is_hidden: returns whether an action is unavailable, so that its key is hidden.
        """
        super().__init__()
        self._is_hidden = is_hidden
        self._buttons: tuple[Button, ...] = ()
        self._update_pending = False

    def on_mount(self) -> None:
        signal = cast("Signal[Screen[Any]]", self.screen.bindings_updated_signal)  # pyright: ignore[reportUnknownMemberType]
        signal.subscribe(self, self._bindings_changed)

    def on_resize(self) -> None:
        self.call_after_refresh(self._update_buttons)

    def _bindings_changed(self, screen: Screen[Any]) -> None:
        """Schedule an update of the row after the current message, before the next frame."""
        if self.is_attached and screen is self.screen and self.app.app_focus:
            if not self._update_pending:
                self._update_pending = True
                self.call_later(self._update_buttons)

    def _update_buttons(self) -> None:
        """Collect the active keys, and redraw the row only if they have changed."""
        self._update_pending = False
        if self.is_attached and (buttons := self._active_buttons()) != self._buttons:
            self._buttons = buttons
            self.refresh()

    def _active_buttons(self) -> tuple[Button, ...]:
        """Return buttons for the declared keys or, if none are declared, for the bindings."""
        width = self.size.width
        place = self._declared_keys()
        if place is None:
            return lay_out(tuple(self._bound_buttons(())), width)
        first = tuple(map(_button, place.keys))
        last = tuple(map(_button, place.last))
        more = (
            tuple(self._bound_buttons((*place.keys, *place.last))) if place.with_other_keys else ()
        )
        if first and first[0].label[:1].islower():
            more = tuple(each._replace(label=each.label.lower()) for each in more)
        return lay_out((*first, *more, *last), width, last_count=len(last) or 1)

    def _declared_keys(self) -> FooterKeys | None:
        """Return the keys declared by the innermost focused widget, or None."""
        focused = self.screen.focused
        for node in (self.screen,) if focused is None else focused.ancestors_with_self:
            keys = node.footer_keys() if isinstance(node, KeyProvider) else None
            if keys is not None:
                return keys.current
        return None

    def _bound_buttons(self, shown_keys: tuple[FooterKey, ...]) -> Iterator[Button]:
        """Yield a button for each action with a footer text, except actions of ``shown_keys``."""
        keys = {key for each in shown_keys for key in each.keys}
        bound = self.screen.active_bindings
        seen = {each.binding.action for key, each in bound.items() if key in keys}
        for _, binding, enabled, tooltip in bound.values():
            if not binding.show or binding.action in seen:
                continue
            if self._is_hidden is not None and self._is_hidden(binding.action):
                continue
            seen.add(binding.action)
            shown = self.app.get_key_display(binding)
            yield Button(0, 0, binding.key, shown, binding.description, tooltip, enabled)

    def render(self) -> Text:
        key = self.get_component_rich_style("footer--key")
        words = self.get_component_rich_style("footer--words")
        disabled = self.get_component_rich_style("footer--disabled", partial=True)
        text = Text(no_wrap=True, overflow="crop", end="")
        for button in self._buttons:
            dim = None if button.enabled else disabled
            text.append(button.display, key if dim is None else key + dim)
            if button.label:
                gap = " " if button.display else ""
                text.append(f"{gap}{button.label}", words if dim is None else words + dim)
            text.append(" ")
        return text

    def _button_at(self, event: events.MouseEvent) -> Button | None:
        return next((each for each in self._buttons if each.start <= event.x < each.end), None)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Run the action of the clicked key."""
        button = self._button_at(event)
        if button is None or not button.key:
            return
        if button.enabled:
            self.app.simulate_key(button.key_at(event.x))
        else:
            self.app.bell()

    def on_click(self, event: events.Click) -> None:
        event.stop()  # handled when the button was pressed

    def on_mouse_move(self, event: events.MouseMove) -> None:
        button = self._button_at(event)
        tip = button.tip if button is not None and button.tip else None
        if self.tooltip != tip:
            self.tooltip = tip


def _button(key: FooterKey) -> Button:
    pressed = key.keys[0] if key.keys else ""
    return Button(0, 0, pressed, key.display, key.label, second_key=key.second_key)


def lay_out(buttons: tuple[Button, ...], width: int, *, last_count: int = 1) -> tuple[Button, ...]:
    """Return the buttons that fit in a row, with their positions.

    The first button and the ``last_count`` last buttons are always included.  width: width of the
    row, or 0 to include all buttons.
    """
    kept = list(buttons)
    while True:
        placed: list[Button] = []
        at = 0
        for each in kept:
            end = at + cell_len(" ".join(filter(None, (each.display, each.label))))
            placed.append(each._replace(start=at, end=end))
            at = end + 1
        if not 0 < width < at - 1 or len(kept) <= last_count + 1:
            return tuple(placed)
        del kept[len(kept) - last_count - 1]


class ModalPage(ModalScreen[Result], KeyProvider):
    """A modal screen with a footer for its own keys."""

    DEFAULT_CSS = """
    ModalPage > Footer { background: $background; }
    """

    def _extend_compose(self, widgets: list[Widget]) -> None:
        super()._extend_compose(widgets)
        widgets.append(Footer())
