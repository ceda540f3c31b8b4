"""The prompt at the bottom for commands, searches, notes, watches and the program's input."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal

from textual import on
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from esoplay.tui.keys import (
    Action,
    FooterKeys,
    KeyProvider,
    bindings,
    enter_key,
    escape_key,
    footer_key,
)

PromptKind = Literal["command", "search", "input", "note", "watch"]

PromptOpener = Callable[[PromptKind, str], None]
"""A function that opens a prompt of a kind, with text in it."""

_LABELS: dict[PromptKind, str] = {
    "command": " :",
    "search": " /",
    "input": " input ▸ ",
    "note": " note ",
    "watch": " watch ",
}
_PLACEHOLDERS: dict[PromptKind, str] = {
    "command": "123   50%   b cell[3]==10   b 3,4   o 2   cell 3   input …   q",
    "search": "text to search for in the program",
    "input": "a line for the program; Enter sends it, ctrl+d ends the input",
    "watch": "an expression such as cell[3], stack[-1] or output > 5",
    "note": "a comment on this step; Enter saves it",
}
_ENTER_LABELS: dict[PromptKind, str] = {
    "command": "run the command",
    "search": "search",
    "input": "send the line",
    "watch": "watch its value",
    "note": "save the note",
}
_COMMAND_LABELS = {
    "b": "set the breakpoint",
    "cell": "go to the cell",
    "change": "change the breakpoint",
    "compare": "compare the runs",
    "set": "set the cell",
}
"""What Enter does, for commands that begin with these words.

For other commands, ``_ENTER_LABELS`` says what Enter does.
"""


def _common_prefix(words: list[str]) -> str:
    """Return the longest common prefix of the words."""
    first, last = min(words), max(words)
    differences = (at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b)
    return first[: next(differences, min(len(first), len(last)))]


class PromptInput(Input):
    """An input line that submits its text before the keys typed after Enter are handled."""

    async def action_submit(self) -> None:
        prompt = self.parent
        assert isinstance(prompt, Prompt)
        prompt.submit(self.value)


class Prompt(Horizontal, KeyProvider):
    """An input line, hidden until :meth:`ask` opens it; Enter submits it and Escape closes it."""

    DEFAULT_CSS = """
    Prompt {
        height: 1;
        display: none;
        & > Static { width: auto; color: $accent; text-style: bold; }
        & > Input {
            width: 1fr; height: 1; border: none; padding: 0;
            background: transparent;
            &:focus { border: none; background-tint: transparent; }
        }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "prompt",
        Action("prompt.leave", "leave", "Leave"),
        Action("prompt.end-input", "finish_input", "End the input", priority=True),
        Action("prompt.complete", "complete", "Complete"),
        Action("prompt.older", "recall(-1)", "Older line"),
        Action("prompt.newer", "recall(1)", "Newer line"),
    )

    class Submitted(Message):
        """The user submitted a line."""

        def __init__(self, kind: PromptKind, text: str) -> None:
            super().__init__()
            self.kind: PromptKind = kind
            self.text = text

    class InputEnded(Message):
        """The user ended the program's input."""

    class Closed(Message):
        """The user closed the prompt."""

    def __init__(self, fallback_focus: Callable[[], Widget], *, id: str | None = None) -> None:
        """Create a prompt that is closed.

        fallback_focus: returns the widget to focus if the previous one cannot have the focus.
        """
        super().__init__(id=id)
        self._fallback_focus = fallback_focus
        self._previous_focus: Widget | None = None
        self._kind: PromptKind = "command"
        self._history: dict[PromptKind, list[str]] = {kind: [] for kind in _LABELS}
        self._history_index = 0
        self._lists_completions = False  # whether the completions are shown
        self.completions: Callable[[str], list[str]] = lambda text: []
        self.show_message: Callable[[str], None] = lambda text: None

    def compose(self) -> ComposeResult:
        yield Static(markup=False)
        yield PromptInput(select_on_focus=False, compact=True)

    def ask(self, kind: PromptKind, text: str = "") -> None:
        """Open the prompt with ``text`` in it."""
        self._kind = kind
        self._history_index = len(self._history[kind])
        self.query_one(Static).update(_LABELS[kind])
        line = self.query_one(Input)
        line.placeholder = _PLACEHOLDERS[kind]
        line.value = text
        line.cursor_position = len(text)
        focused = self.screen.focused
        if focused is not line:
            is_in_pane = focused is not None and self.parent in focused.ancestors
            self._previous_focus = focused if is_in_pane else None
        self.display = True
        self.screen.set_focus(line)  # immediately, because the next key may have been typed already

    @property
    def is_open(self) -> bool:
        return self.display

    def close(self) -> None:
        """Close the prompt."""
        if self.display:
            self.display = False
            previous, self._previous_focus = self._previous_focus, None
            can_restore = previous is not None and previous.is_attached and previous.focusable
            self.screen.set_focus(previous if can_restore else self._fallback_focus())
            if self._lists_completions:
                self._lists_completions = False
                self.show_message("")
            self.post_message(self.Closed())

    def submit(self, text: str) -> None:
        """Submit the typed line."""
        history = self._history[self._kind]
        if text and history[-1:] != [text]:
            history.append(text)
        self.close()
        self.post_message(self.Submitted(self._kind, text))

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        if self._kind == "command":  # The effect of Enter depends on the first word.
            self.screen.refresh_bindings()

    def footer_keys(self) -> FooterKeys:
        label = _ENTER_LABELS[self._kind]
        if self._kind == "command":
            first = self.query_one(Input).value.split(maxsplit=1)[:1]
            label = _COMMAND_LABELS.get("".join(first), label)
        keys = [enter_key(label)]
        if self._kind == "command":
            keys.append(footer_key("prompt", "complete", "prompt.complete"))
        elif self._kind == "input":
            keys.append(footer_key("prompt", "end the input", "prompt.end-input"))
        keys.append(footer_key("prompt", "older lines", "prompt.older", "prompt.newer"))
        return FooterKeys(tuple(keys), (escape_key("cancel"),))

    def action_leave(self) -> None:
        self.close()

    def action_finish_input(self) -> None:
        if self._kind == "input":
            self.close()
            self.post_message(self.InputEnded())

    def action_complete(self) -> None:
        """Extend the word at the cursor by the common prefix of its completions, or list them."""
        if self._kind != "command":
            raise SkipAction
        line = self.query_one(Input)
        before, after = line.value[: line.cursor_position], line.value[line.cursor_position :]
        found = self.completions(before)
        if not found:
            return
        head, space, word = before.rpartition(" ")
        common = _common_prefix(found) + (" " if len(found) == 1 else "")
        if len(common) > len(word):
            line.value = head + space + common + after
            line.cursor_position = len(head + space + common)
        else:
            self._lists_completions = True
            self.show_message("  ".join(found))

    def action_recall(self, offset: int) -> None:
        history = self._history[self._kind]
        self._history_index = max(0, min(self._history_index + offset, len(history)))
        line = self.query_one(Input)
        line.value = history[self._history_index] if self._history_index < len(history) else ""
        line.cursor_position = len(line.value)
