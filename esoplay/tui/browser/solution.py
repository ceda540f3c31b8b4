"""A program of the pack that solves a problem, to be read once one has solved it oneself."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from esoplay.tui.editor.editor import Editor


class SolutionScreen(ModalScreen[None]):
    """Shows a program that cannot be changed here."""

    DEFAULT_CSS = """
    SolutionScreen {
        align: center middle;
        background: $background 60%;
        & > Vertical {
            width: 96%;
            max-width: 120;
            height: 90%;
            border: round $border;
            border-title-style: bold;
            border-subtitle-color: $quiet;
            background: $surface;
        }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss(None)", "Close", priority=True)
    ]
    app: App[None]

    def __init__(self, title: str, language_id: str, source: bytes) -> None:
        super().__init__()
        self._title = title
        self._language_id = language_id
        self._source = source
        self._editor = Editor(id="solution")

    def compose(self) -> ComposeResult:
        box = Vertical(self._editor)
        box.border_title = Content(self._title)
        box.border_subtitle = f"{len(self._source):,} bytes · Esc closes"
        yield box

    def on_mount(self) -> None:
        self._editor.load(self._source, self._language_id)
        self._editor.read_only = True
        self._editor.focus()
