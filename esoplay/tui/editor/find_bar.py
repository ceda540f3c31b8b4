"""The line in which one says what to look for."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.events import Click
from textual.widgets import Input, Static

from esoplay.tui.editor.codec import to_bytes, to_text
from esoplay.tui.editor.editor import Editor
from esoplay.tui.editor.search import Query, needle
from esoplay.tui.keys import Action, bindings


class Switch(Static):
    """A choice that is on or off; a click changes it."""

    DEFAULT_CSS = """
    Switch { width: auto; padding: 0 1; color: $quiet; pointer: pointer; }
    Switch.-on { color: $accent; text-style: bold underline; }
    """
    app: App[None]

    def __init__(self, text: str, action: str, *, id: str) -> None:
        super().__init__(text, id=id, markup=False)
        self._action = action

    async def on_click(self, event: Click) -> None:
        event.stop()
        await self.query_ancestor(FindBar).run_action(self._action)


class FindBar(Horizontal):
    """Looks for text while it is typed.

    cased: capitals and small letters differ.  escapes: a backslash is the beginning of one; in
    languages of blanks, letters stand for blanks instead.
    """

    DEFAULT_CSS = """
    FindBar {
        height: 1;
        display: none;
        background: $panel;
        &.-shown { display: block; }
        Input { width: 1fr; height: 1; border: none; padding: 0 1; background: $boost; }
        Input:focus { border: none; }
        #replace { display: none; }
        #find-count { width: auto; padding: 0 1; color: $quiet; }
        #find-label { width: auto; padding: 0 1; color: $quiet; }
    }
    FindBar.-replacing #replace { display: block; }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "find",
        Action("find.close", "close", "Back to the program"),
        Action("find.next", "next(1)", "Next"),
        Action("find.previous", "next(-1)", "Previous"),
        Action("find.replace", "replace", "Replace by"),
        Action("find.replace_all", "replace_all", "Replace all"),
        Action("find.case", "case", "Capitals matter"),
        Action("find.escapes", "escapes", "Escapes, letters of blanks"),
    )
    app: App[None]

    def __init__(self, editor: Editor) -> None:
        super().__init__(id="find-bar")
        self._editor = editor
        self._cased = True
        self._escapes = False
        self._replaced = 0

    def compose(self) -> ComposeResult:
        yield Static("find", id="find-label", markup=False)
        yield Input(id="find", select_on_focus=True)
        yield Input(id="replace", placeholder="replace by; F7 all", select_on_focus=True)
        yield Switch("Aa", "case", id="find-case")
        yield Switch("\\n", "escapes", id="find-escapes")
        yield Static(id="find-count", markup=False)

    @property
    def shown(self) -> bool:
        return self.has_class("-shown")

    def open(self) -> None:
        """Ask for something to find; what is selected is offered."""
        letters = self._editor.editing.letters
        if not self.shown and letters:
            self._escapes = True
        self.query_one("#find-escapes", Switch).update("STL" if letters else "\\n")
        self.add_class("-shown")
        field = self.query_one("#find", Input)
        selected = self._editor.selected_text
        if selected and "\n" not in selected and selected.isprintable():
            field.value = selected
        field.focus()
        self._search(move=False)

    def refresh_finds(self) -> None:
        """Find again after a change of the text."""
        if self.shown:
            self._editor.search_again()
            self._count(None)
            self._replaced = 0

    # Actions

    def action_close(self) -> None:
        self.remove_class("-shown", "-replacing")
        self._editor.search(Query(""))
        self._editor.focus()

    def action_next(self, by: int) -> None:
        if self.query_one("#find", Input).value:
            self._count(self._editor.action_find_next(by))

    def action_replace(self) -> None:
        self.toggle_class("-replacing")
        here = "#replace" if self.has_class("-replacing") else "#find"
        self.query_one(here, Input).focus()

    def action_replace_all(self) -> None:
        if self.has_class("-replacing"):
            self._replaced = self._editor.replace_all(self._replacement())
            self._count(None)

    def action_case(self) -> None:
        self._cased = not self._cased
        self._search(move=False)

    def action_escapes(self) -> None:
        self._escapes = not self._escapes
        self._search(move=False)

    # Events

    @on(Input.Changed, "#find")
    def _typed(self) -> None:
        if self.shown:
            self._search(move=True)

    @on(Input.Submitted, "#find")
    def _find_next(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_next(1)

    @on(Input.Submitted, "#replace")
    def _replace_one(self, event: Input.Submitted) -> None:
        event.stop()
        if not self._editor.read_only:
            self._count(self._editor.replace_find(self._replacement()))

    def _search(self, *, move: bool) -> None:
        self.query_one("#find-case").set_class(self._cased, "-on")
        self.query_one("#find-escapes").set_class(self._escapes, "-on")
        text = self._meant(self.query_one("#find", Input).value)
        finds = self._editor.search(Query(text, self._cased))
        number = None
        if move and finds:
            top = min(self._editor.selection)
            self._editor.move_cursor(top)
            number = self._editor.action_find_next(1)
        self._count(number)

    def _replacement(self) -> str:
        return self._meant(self.query_one("#replace", Input).value)

    def _meant(self, typed: str) -> str:
        letters = self._editor.editing.letters
        if letters and self._escapes:
            shown = self._editor.editing.from_visible(to_bytes(typed).upper())
            return to_text(shown.source) if shown and shown.certain else needle(typed, escapes=True)
        return needle(typed, escapes=self._escapes)

    def _count(self, number: int | None) -> None:
        finds = self._editor.finds
        if self._replaced:
            told = Content(f"{self._replaced:,} replaced")
        elif finds is None:
            told = Content("")
        elif not len(finds):
            told = Content.styled("not found", "$error")
        else:
            if number is None:
                number = finds.at(min(self._editor.selection))
            total = f"{len(finds):,}{'+' if finds.more else ''}"
            told = Content(f"{number + 1:,} of {total}" if number is not None else f"{total} found")
        self.query_one("#find-count", Static).update(told)
