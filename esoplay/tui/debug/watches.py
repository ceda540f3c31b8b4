"""The watch expressions of a program, their page, and the state saved between runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar, Literal

from textual.binding import BindingType
from textual.message import Message

from esolangs.numbers import abbreviate
from esoplay.debugging.autosave import EMPTY_STATE, SavedDebugState, load_state, save_state
from esoplay.debugging.debugger import Debugger
from esoplay.debugging.watches import WatchedExpression, shared_watches
from esoplay.errors import EsoplayError
from esoplay.tui.debug.byte_glyphs import CONTROL_PICTURES
from esoplay.tui.debug.canvas import StyledText
from esoplay.tui.debug.debug_snapshot import DebugSnapshot
from esoplay.tui.debug.list_page import LIST_ACTIONS, ListPage
from esoplay.tui.debug.prompt import PromptOpener
from esoplay.tui.debug.state.values import NumberBase, format_number
from esoplay.tui.debug.target import DebugTarget
from esoplay.tui.debug.time_travel import TimeTravel
from esoplay.tui.keys import Action, bindings

# The watch expressions with their current and previous values


class WatchPage(ListPage):
    """The watches of a program: Enter or ``E`` edits an expression, Delete removes it."""

    NAME = "watch"
    LABEL = "the watches"
    ACTIONS = (*LIST_ACTIONS, "watch", "base")
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "watch",
        Action("watch.edit", "ask('edit')", "Edit the expression"),
        Action("watch.delete", "ask('delete')", "Delete the expression"),
    )

    class Requested(Message):
        """A request to edit or delete a watch."""

        def __init__(self, watch: WatchedExpression, action: Literal["edit", "delete"]) -> None:
            super().__init__()
            self.watch = watch
            self.action: Literal["edit", "delete"] = action

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.base = NumberBase.DECIMAL
        self._watches: tuple[WatchedExpression, ...] = ()

    def show(self, snapshot: DebugSnapshot) -> None:
        """Show the values in a snapshot."""
        if snapshot.watches != self._watches:
            self._watches = snapshot.watches
            self.selected = max(0, min(self.selected, len(self._watches) - 1))
            self.repaint()

    def cycle_base(self) -> None:
        """Switch to the next number base."""
        self.base = self.base.next_base
        self.repaint()

    def item_count(self) -> int:
        return len(self._watches)

    def item(self, index: int) -> Sequence[StyledText]:
        watch, palette = self._watches[index], self.palette
        longest = max(len(each.text) for each in self._watches)
        text_width = min(longest, max(8, self.inner_width // 2))
        pieces = [
            StyledText(f"{watch.id:>2}  ", palette.faint),
            StyledText(
                f"{_cut(watch.text, text_width):<{text_width}}  ".translate(CONTROL_PICTURES),
                palette.base,
            ),
        ]
        if watch.value is None:
            return [
                *pieces,
                StyledText(f"✗ {watch.error}".translate(CONTROL_PICTURES), palette.warning),
            ]
        style = palette.changed if watch.changed else palette.strong
        pieces.append(StyledText(self._value_text(watch.value), style))
        if watch.changed and watch.previous_value is not None:
            pieces.append(
                StyledText(f"  was {self._value_text(watch.previous_value)}", palette.faint)
            )
        if watch.missing:
            pieces.append(
                StyledText(f"  {watch.missing}".translate(CONTROL_PICTURES), palette.faint)
            )
        return pieces

    def _value_text(self, value: int) -> str:
        return format_number(abbreviate(value), self.base)

    def empty_text(self) -> str:
        return "no watches: u adds an expression, such as cell[3] + 1 or stack[-1]"

    def choose(self) -> None:
        self.action_ask("edit")

    def handle_click(self, column: int, row: int) -> None:
        if row < self.item_count():
            self.select(row)

    def action_ask(self, action: Literal["edit", "delete"]) -> None:
        """Post the message that asks to edit or delete the selected expression."""
        if self._watches:
            self.post_message(self.Requested(self._watches[self.selected], action))


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


class WatchExpressions:
    """Adds, edits and deletes watches, and shows them."""

    def __init__(
        self,
        time_travel: TimeTravel,
        pages: tuple[WatchPage, WatchPage],
        ask: PromptOpener,
        open_page: Callable[[str], None],
    ) -> None:
        """Manage the watches of the program in ``time_travel``.

        pages: the page with a tab, and the list at the side.
        """
        self._time = time_travel
        self._pages = pages
        self._ask = ask
        self._open_page = open_page
        self._edited_id: int | None = None
        """The id of the watch that is edited; None for a new watch."""

    def cycle_base(self) -> None:
        """Switch to the next number base."""
        for page in self._pages:
            page.cycle_base()

    def prompt_for_expression(self, watch: WatchedExpression | None = None) -> None:
        """Prompt for an expression; None for a new watch."""
        if self._time.target is not None:
            self._edited_id = None if watch is None else watch.id
            self._ask("watch", "" if watch is None else watch.text)

    def submit(self, text: str) -> None:
        """Add or change a watch. An invalid expression is shown with its error."""
        edited_id, self._edited_id = self._edited_id, None
        if not text.strip() or self._time.target is None:
            return

        def add(target: DebugTarget) -> str:
            watches = shared_watches(target.debugger)
            if edited_id is not None:
                watches.change(edited_id, text, strict=False)
                error = watches.expression_error(edited_id)
                return f"watch {edited_id}: {error}" if error else f"watch {edited_id} changed"
            id = watches.add(text, strict=False)
            error = watches.expression_error(id)
            return f"watch {id}: {error}" if error else f"watch {id} added; U lists the watches"

        self._time.apply_edit(add)
        self._time.when_idle(self._show_page)

    def _show_page(self) -> None:
        if not self._pages[1].display:
            self._open_page("watch")

    def handle_request(self, watch: WatchedExpression, action: Literal["edit", "delete"]) -> None:
        """Handle a request from the list of watches."""
        if action == "edit":
            self.prompt_for_expression(watch)
            return

        def delete(target: DebugTarget) -> str:
            shared_watches(target.debugger).delete(watch.id)
            return f"watch {watch.id} deleted"

        self._time.apply_edit(delete)


class DebugStateSaver:
    """Saves the breakpoints and watches of a program next to its notes, and restores them."""

    def __init__(self, time_travel: TimeTravel, folder: Callable[[], Path | None]) -> None:
        self._time = time_travel
        self._folder = folder
        self._saved: SavedDebugState | None = None
        """The saved state of the open program; None if unknown."""
        self._saved_debugger: Debugger | None = None
        """The debugger whose state is saved; a run opened for comparison is not saved."""

    def restore(self, target: DebugTarget, old: DebugTarget | None) -> None:
        """Restore the watches of an opened program, and its breakpoints if they are not set yet.

        old: the previous version of the program, whose breakpoints are set already; None if there
        is none.
        """
        watches, folder = shared_watches(target.debugger), self._folder()
        self._saved_debugger = target.debugger
        if old is not None:
            watches.restore(shared_watches(old.debugger).texts)
            self._saved = None  # The saved state of this version is unknown.
            target.refresh()
        elif folder is not None:
            self._saved = saved = load_state(target.debugger.program, folder)
            watches.restore(saved.watches)
            for spec in saved.breakpoints:
                try:
                    target.breakpoints.put(spec, is_additional=True)
                except EsoplayError as error:
                    target.log_line(f"cannot restore a saved breakpoint: {error}")
            target.refresh()

    def save(self) -> None:
        """Save breakpoints and watches if they have changed since the last save."""
        target, folder = self._time.target, self._folder()
        if target is None or folder is None or target.debugger is not self._saved_debugger:
            return
        debugger = target.debugger
        specs = tuple(each.spec for each in debugger.breakpoints)
        state = SavedDebugState(specs, shared_watches(debugger).texts)
        if state == self._saved or (self._saved is None and state == EMPTY_STATE):
            return
        self._saved = state
        try:
            save_state(debugger.program, folder, state)
        except EsoplayError as error:
            self._time.notice = str(error)
