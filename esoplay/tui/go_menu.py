"""The menu of ``g``: a second key opens a view, a list or the start page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, ItemGrid
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from esoplay.grading.problem import Problem
from esoplay.tui.debug.keys import ACTIONS
from esoplay.tui.footer import ModalPage
from esoplay.tui.frame import MATRIX_NAME
from esoplay.tui.keys import KEYS, Action, FooterKey, FooterKeys, bindings, escape_key, key_label
from esoplay.tui.workspace import Workspace

DESTINATIONS = (
    Action("view.learn", "choose('view.learn')", "Lessons"),
    Action("view.browse", "choose('view.browse')", "Problems"),
    Action("view.edit", "choose('view.edit')", "Editor"),
    Action("view.debug", "choose('view.debug')", "Debugger"),
    Action("view.score", "choose('view.score')", "Score"),
    Action("problem.next", "choose('problem.next')", "Next unsolved problem"),
    Action("matrix", "choose('matrix')", MATRIX_NAME),
    Action("solutions", "choose('solutions')", "Your solutions, ranked"),
    Action("solution", "choose('solution')", "The pack's solution"),
    Action("start", "choose('start')", "Start page"),
    Action("go.start", "choose('go.start')", "Start of this list or run"),
)
"""The destinations, in the order of the menu."""

UnavailableReason = Callable[[str], str | None]
"""A function that returns why a destination, given by its id, is unavailable, or None."""


def unavailable_reason(
    destination: str, workspace: Workspace, problem: Problem | None, *, learning: bool
) -> str | None:
    """Return why a destination is unavailable, or None if it is available.

    problem: the problem whose statement is shown. learning: whether the lessons have the focus.
    """
    match destination:
        case "problem.next" if learning:
            return "not available in lessons"
        case "solutions" if workspace.problem is None:
            return "no problem is open"
        case "solution" if problem is None:
            return "no problem is open"
        case "solution" if not workspace.is_unlocked(problem):
            return "solve the problem first, in any language"
        case _:
            return None


class DestinationLine(Horizontal):
    """A destination: its key, its name and, if it is unavailable, the reason."""

    DEFAULT_CSS = """
    DestinationLine {
        height: auto;
        & > .key { width: auto; margin-right: 2; }
        & > .words { width: 1fr; }
    }
    """

    class Clicked(Message):
        """The user clicked the destination."""

        def __init__(self, id: str) -> None:
            super().__init__()
            self.id = id

    def __init__(self, action: Action, key: str, unavailable_reason: str | None) -> None:
        words = f"{action.label}: {unavailable_reason}" if unavailable_reason else action.label
        style = "$quiet" if unavailable_reason else ""
        super().__init__(
            Static(Content.styled(key, "bold $primary"), classes="key"),
            Static(Content.styled(words, style), classes="words"),
        )
        self._id = action.id

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(self.Clicked(self._id))


class GoMenu(ModalPage[str | None]):
    """A dialog with the keys that can follow ``g``; returns the id of the selected destination."""

    DEFAULT_CSS = """
    GoMenu {
        align: center bottom;
        background: transparent;
        ItemGrid {
            dock: bottom;
            margin-bottom: 1;
            height: auto;
            max-height: 100%;
            padding: 0 1;
            grid-rows: auto;
            keyline: none;
            border: round $border;
            border-title-style: bold;
            border-subtitle-color: $quiet;
            background: $surface;
        }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "go", *DESTINATIONS, Action("go.cancel", "dismiss(None)", "Close")
    )
    app: App[None]

    def __init__(self, unavailable_reason: UnavailableReason) -> None:
        super().__init__()
        self._unavailable_reasons: Mapping[str, str | None] = {
            each.id: unavailable_reason(each.id) for each in DESTINATIONS
        }

    def footer_keys(self) -> FooterKeys:
        words = "Press the letter of a destination"
        return FooterKeys((FooterKey("", words),), (escape_key("Close"),))

    def compose(self) -> ComposeResult:
        keys = self._keys()
        grid = ItemGrid(
            *(
                DestinationLine(each, keys.get(each.id, "·"), self._unavailable_reasons[each.id])
                for each in DESTINATIONS
            ),
            min_column_width=36,
        )
        grid.border_title = "go to"
        grid.border_subtitle = "Esc closes"
        yield grid

    def _keys(self) -> Mapping[str, str]:
        """Return the key of each destination, as the user has configured it."""
        found: dict[str, str] = {}
        for active in self.active_bindings.values():
            binding: Binding = active.binding
            if binding.id is not None:
                found.setdefault(binding.id, self.app.get_key_display(binding))
        return found

    def on_destination_line_clicked(self, event: DestinationLine.Clicked) -> None:
        self.action_choose(event.id)

    def action_choose(self, id: str) -> None:
        """Close the dialog with a destination, or show why the destination is unavailable."""
        unavailable_reason = self._unavailable_reasons[id]
        if unavailable_reason is not None:
            self.app.notify(unavailable_reason.capitalize() + ".", severity="warning")
        self.dismiss(None if unavailable_reason else id)

    def on_key(self, event: events.Key) -> None:
        if event.key not in self.active_bindings:
            event.stop()
            self.app.notify(
                f"g {key_label(event.key)} is not a key of this menu.", severity="warning"
            )
            self.dismiss(None)

    def on_click(self) -> None:
        self.dismiss(None)


def explain_unbound(key: str, opener: str) -> str:
    """Return a message that a key does nothing here, with its use in the debugger or after ``g``.

    opener: the key that opens the debugger; "" in the debugger.
    """
    hints: list[str] = []
    name = key_label(key)
    for each in ACTIONS if opener else ():
        if key in KEYS["debug"][each.id].split(","):
            hints.append(f"in the debugger ({opener}) it is “{each.label}”")
    for each in DESTINATIONS:
        if key in KEYS["go"][each.id].split(","):
            hints.append(f"g {name} is “{each.label}”")
    return f"{name} does nothing here: {'; '.join(hints) or '? lists the keys that do'}"
