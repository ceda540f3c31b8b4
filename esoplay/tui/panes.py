"""What panes with lists and texts have in common."""

from __future__ import annotations

from textual.containers import VerticalScroll
from textual.events import Click
from textual.message import Message
from textual.widgets import OptionList, Static


class ListPane(OptionList):
    """A list to choose from, in a frame."""

    DEFAULT_CSS = """
    ListPane {
        border: round $border-blurred;
        border-title-color: $quiet;
        border-subtitle-color: $quiet;
        background: $background;
        padding: 0;
        text-wrap: nowrap;
        text-overflow: ellipsis;
        scrollbar-size-vertical: 1;
        &:focus { border: round $border; background-tint: $foreground 0%; }
    }
    """


class TextPane(VerticalScroll):
    """A text to read, in a frame with its title."""

    DEFAULT_CSS = """
    TextPane {
        border: round $border-blurred;
        border-title-color: $text;
        border-title-style: bold;
        border-subtitle-color: $quiet;
        background: $background;
        scrollbar-size-vertical: 1;
        &:focus { border: round $border; }
    }
    """


class Offer(Static):
    """A line that does on a click what its key does."""

    DEFAULT_CSS = """
    Offer { height: auto; margin: 0 2; pointer: pointer; }
    """

    def __init__(self, message: type[Message], *, id: str) -> None:
        super().__init__(id=id, markup=False)
        self._message = message

    def on_click(self, event: Click) -> None:
        event.stop()
        self.post_message(self._message())
