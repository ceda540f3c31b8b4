"""Modal dialogs, and text with invisible characters made visible."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from esoplay.tui.editor.document import to_text, visible_text
from esoplay.tui.footer import ModalPage
from esoplay.tui.keys import Action, FooterKey, FooterKeys, bindings, enter_key, escape_key

_BOX = """
    {name} {{
        align: center middle;
        background: $background 60%;
        & > Vertical {{
            width: {width};
            max-width: 96%;
            height: auto;
            max-height: 90%;
            padding: 1 2;
            border: round $border;
            border-title-style: bold;
            background: $surface;
        }}
        OptionList {{
            border: none; background: transparent; height: auto; padding: 0;
            &:focus {{ border: none; background-tint: $foreground 0%; }}
        }}
        Static {{ margin-bottom: 1; }}
    }}
"""

_CANCEL = bindings("dialog", Action("dialog.cancel", "dismiss(None)", "Cancel", in_footer=True))
_CANCEL_KEY = escape_key("Cancel")
_CLOSE_KEY = escape_key("Close")
MAX_LETTERS_WIDTH = 24
"""Width in columns below which the footer lists the letters that select answers."""


class DialogChoice(NamedTuple):
    """An answer of a dialog.

    key: the letter that selects it. description: an explanation.
    """

    id: str
    key: str
    title: str
    description: str


class ChoiceDialog(ModalPage[str | None]):
    """Asks for one of several answers. Escape cancels."""

    DEFAULT_CSS = _BOX.format(name="ChoiceDialog", width=64)
    BINDINGS: ClassVar[list[BindingType]] = _CANCEL
    app: App[None]

    def __init__(
        self, title: str, text: str, choices: Sequence[DialogChoice], initial: str | None = None
    ) -> None:
        """Create a dialog. initial: the id of the answer that is selected at first."""
        super().__init__()
        self._initial = initial
        self._title = title
        self._text = text
        self._choices = choices

    def footer_keys(self) -> FooterKeys:
        letters = "/".join(each.key for each in self._choices if each.key.strip())
        keys = (
            [FooterKey(letters, "Answer without Enter")] if len(letters) < MAX_LETTERS_WIDTH else []
        )
        return FooterKeys((enter_key("Choose"), *keys), (_CANCEL_KEY,))

    def compose(self) -> ComposeResult:
        box = Vertical()
        box.border_title = Content(self._title)
        box.border_subtitle = "Esc cancels"
        with box:
            if self._text:
                yield Static(self._text, markup=False)
            answers = OptionList(*(Option(_row(each), id=each.id) for each in self._choices))
            if self._initial is not None:
                answers.highlighted = answers.get_option_index(self._initial)
            yield answers

    def on_key(self, event: events.Key) -> None:
        for choice in self._choices:
            if event.character == choice.key:
                event.stop()
                self.dismiss(choice.id)

    @on(OptionList.OptionSelected)
    def _choose(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option.id)


class TextDialog(ModalPage[str | None]):
    """Asks for a line of text. Escape cancels."""

    DEFAULT_CSS = _BOX.format(name="TextDialog", width=72)
    BINDINGS: ClassVar[list[BindingType]] = _CANCEL
    app: App[None]

    def __init__(self, title: str, text: str, value: str = "") -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._value = value

    def footer_keys(self) -> FooterKeys:
        return FooterKeys((enter_key("Accept"),), (_CANCEL_KEY,))

    def compose(self) -> ComposeResult:
        box = Vertical()
        box.border_title = Content(self._title)
        box.border_subtitle = "Enter accepts, Esc cancels"
        with box:
            yield Static(self._text, markup=False)
            yield Input(self._value)

    @on(Input.Submitted)
    def _accept(self, event: Input.Submitted) -> None:
        self.dismiss(event.value)


class ReadDialog(ModalPage[None]):
    """Shows a text."""

    DEFAULT_CSS = (
        _BOX.format(name="ReadDialog", width=84)
        + """
    ReadDialog VerticalScroll { height: auto; max-height: 100%; }
    """
    )
    BINDINGS: ClassVar[list[BindingType]] = _CANCEL
    app: App[None]

    def __init__(self, title: str, text: Content) -> None:
        super().__init__()
        self._title = title
        self._text = text

    def footer_keys(self) -> FooterKeys:
        return FooterKeys((FooterKey("↑/↓", "Scroll", ("up", "down"), "down"),), (_CLOSE_KEY,))

    def compose(self) -> ComposeResult:
        box = Vertical()
        box.border_title = Content(self._title)
        box.border_subtitle = "Esc closes"
        with box, VerticalScroll():
            yield Static(self._text, markup=False)


class DiffScreen(ModalPage[None]):
    """Shows two versions of a program line by line."""

    DEFAULT_CSS = (
        _BOX.format(name="DiffScreen", width=100)
        + """
    DiffScreen VerticalScroll { height: auto; max-height: 30; }
    """
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "versions",
        Action("versions.close", "dismiss(None)", "Close", in_footer=True),
    )
    app: App[None]

    def __init__(self, on_disk: bytes, edited: bytes) -> None:
        super().__init__()
        self._on_disk = on_disk
        self._edited = edited

    def compose(self) -> ComposeResult:
        box = Vertical()
        box.border_title = Content("- on disk   + in the editor")
        box.border_subtitle = "Esc closes"
        with box, VerticalScroll():
            yield Static(difference(self._on_disk, self._edited), markup=False)


def difference(on_disk: bytes, edited: bytes) -> Content:
    """Return a unified diff of two programs, with a sign and a colour for each changed line."""
    lines = difflib.unified_diff(
        visible_text(to_text(on_disk)).split("\n"),
        visible_text(to_text(edited)).split("\n"),
        lineterm="",
        n=2,
    )
    styles = {"+": "$diff-expected", "-": "$diff-got", "@": "$quiet"}
    shown = [
        Content.styled(line, styles.get(line[:1], ""))
        for number, line in enumerate(lines)
        if number >= 2  # the two lines with file names
    ]
    return Content("\n").join(shown) if shown else Content("no difference")


def _row(choice: DialogChoice) -> Content:
    return Content.assemble(
        (f"{choice.key}  ", "bold $accent"), f"{choice.title:<11}  ", (choice.description, "$quiet")
    )


# Bytes as text without markup, with each character visible


def show_invisibles(data: bytes, *, limit: int = 200, if_empty: str = "") -> Content:
    """Return ``data`` on one line, with visible control characters, outer spaces and line ends.

    limit: maximum number of characters; the number of omitted ones is appended. if_empty: the text
    for empty ``data``.
    """
    if not data:
        return Content.styled(if_empty, "$quiet italic")
    text = to_text(data)
    shown = text[:limit]
    body = shown.strip(" ")
    lead = len(shown) - len(shown.lstrip(" ")) if body else len(shown)
    tail = len(shown) - lead - len(body)
    marked = "␠" * lead + visible_text(body.replace("\n", "␊")) + "␠" * tail
    parts: list[Content | tuple[str, str]] = [Content(marked)]
    if len(text) > limit:
        parts.append((f" … {len(text) - limit:,} more", "$quiet"))
    return Content.assemble(*parts)
