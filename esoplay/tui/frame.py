"""The frame of the screen: the title bar with tabs, and base classes of lists and texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from textual.app import App, ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.widgets import OptionList, Static

View = Literal["learn", "browse", "edit", "debug", "score"]
VIEWS: tuple[View, ...] = ("learn", "browse", "edit", "debug", "score")
MATRIX_NAME = "All problems in all languages"
"""The title of the table of all problems, on its page, in menus and in the palette."""

MIN_SIZE = (60, 16)
"""Minimum columns and rows of the terminal."""

MIN_TITLE_COLUMNS = 10
"""Minimum columns of the title."""


class ViewTab(Static):
    """The tab of a view."""

    DEFAULT_CSS = """
    ViewTab {
        width: auto;
        padding: 0 1;
        color: $quiet;
        pointer: pointer;
        &:hover { color: $text; }
        &.-here { color: $background; background: $primary; text-style: bold; }
    }
    """

    @dataclass
    class Clicked(Message):
        """The user clicked the tab of a view."""

        view: View

    def __init__(self, view: View) -> None:
        super().__init__(view, id=f"tab-{view}", markup=False)
        self._view: View = view

    def on_click(self, event: Click) -> None:
        event.stop()
        self.post_message(self.Clicked(self._view))


class LanguageTab(Static):
    """The current language; a click opens the list of languages."""

    DEFAULT_CSS = """
    LanguageTab {
        width: auto;
        padding: 0 1 0 0;
        color: $quiet;
        pointer: pointer;
        &:hover { color: $text; }
    }
    """

    class Clicked(Message):
        """The user clicked the current language."""

    def on_click(self, event: Click) -> None:
        event.stop()
        self.post_message(self.Clicked())


class TitleBar(Horizontal):
    """The open program, the tabs of the views, and the result of the last tests."""

    DEFAULT_CSS = """
    TitleBar {
        height: 1;
        background: $panel;
        #title {
            width: auto; padding: 0 1;
            text-wrap: nowrap; text-overflow: ellipsis;
        }
        #status {
            width: 1fr; padding: 0 1; text-align: right;
            text-wrap: nowrap; text-overflow: ellipsis;
        }
    }
    """
    app: App[None]

    def __init__(self) -> None:
        super().__init__()
        self._language = ""
        self._status = Content("")

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        yield LanguageTab(id="language", markup=False)
        for view in VIEWS:
            yield ViewTab(view)
        yield Static(id="status", markup=False)

    def show_title(self, title: Content, language: str) -> None:
        """Show the name and the language of the program."""
        self._language = language
        self.query_one("#title", Static).update(title)
        self.query_one(LanguageTab).update(language)
        self._limit_title()

    def show_status(self, status: Content) -> None:
        self._status = status
        if self.query("#status"):  # not while the application closes
            self.query_one("#status", Static).update(status, layout=False)
            self._limit_title()

    def on_resize(self) -> None:
        self._limit_title()

    def _limit_title(self) -> None:
        """Limit the title so that the result of the last tests fits."""
        width = self.size.width
        tabs = sum(len(view) + 2 for view in VIEWS) + len(self._language) + 1
        status = self._status.cell_length + 2 if self._status else 0
        most = max(MIN_TITLE_COLUMNS, min(width * 2 // 5, width - tabs - status))
        self.query_one("#title", Static).styles.max_width = most

    def set_status_hidden(self, *, hidden: bool) -> None:
        """Hide or show the result of the last tests.

        It must be hidden while the title names a program other than the tested one.
        """
        self.query_one("#status").visible = not hidden

    def highlight_tab(self, view: View | None) -> None:
        """Highlight the tab of a view, or no tab if None."""
        for each in self.query(ViewTab):
            each.set_class(each.id == f"tab-{view}", "-here")


class TipLine(Static):
    """A line for new users with the keys of the debugger."""

    DEFAULT_CSS = """
    TipLine { height: 1; padding: 0 1; background: $accent 20%; color: $text; display: none; }
    TipLine.-shown { display: block; }
    TipLine.-shown.-elsewhere { display: none; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(
            Content.assemble(
                "press ",
                ("l", "bold $accent"),
                " to step, ",
                ("h", "bold $accent"),
                " back, ",
                ("space", "bold $accent"),
                " to play – ",
                ("^l", "bold $accent"),
                " lesson, ",
                ("g", "bold $accent"),
                " go to, ",
                ("?", "bold $accent"),
                " help",
            ),
            id=id,
        )


class TooSmallNotice(Static):
    """A notice that covers the screen while the terminal is too small."""

    DEFAULT_CSS = """
    TooSmallNotice {
        display: none;
        layer: cover;
        dock: top;
        width: 100%;
        height: 100%;
        content-align: center middle;
        text-align: center;
        background: $background;
        color: $text;
    }
    """

    def show_size(self, width: int, height: int) -> None:
        columns, rows = MIN_SIZE
        self.update(
            Content(f"esoplay needs {columns} × {rows}\nthis terminal is {width} × {height}")
        )


# Base classes of panes with lists and texts.


class ListPane(OptionList):
    """A list in a frame."""

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
    """A text in a frame with its title."""

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


class ActionLine(Static):
    """A line of text that posts a message of the given type when it is clicked."""

    DEFAULT_CSS = """
    ActionLine { height: auto; margin: 0 2; pointer: pointer; }
    """

    def __init__(self, message_type: type[Message], *, id: str) -> None:
        super().__init__(id=id, markup=False)
        self._message_type = message_type

    def on_click(self, event: Click) -> None:
        event.stop()
        self.post_message(self._message_type())
