"""Base class of state panels: the selected entry, the number base, and the size."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, NamedTuple

from textual import events
from textual.message import Message
from textual.strip import Strip

from esolangs.stops import Address, Slot
from esolangs.view import Stack
from esoplay.debugging.debugger import BreakpointSpec
from esoplay.debugging.provenance import Place
from esoplay.tui.debug.canvas import MOVE_ACTIONS, WRITE_ACTIONS, PanelFrame, StyledText
from esoplay.tui.debug.debug_snapshot import DebugSnapshot
from esoplay.tui.debug.place_text import last_write_text
from esoplay.tui.debug.state.values import NumberBase

OPEN, CLOSE = "‹", "›"
"""Characters before and after an entry that is marked, such as the selected entry."""
VALUE_ACTIONS = (*MOVE_ACTIONS, *WRITE_ACTIONS, "base")
SLOT_ACTIONS = (*VALUE_ACTIONS, "break", "break-edit")
"""Action ids: VALUE_ACTIONS of panels with values, SLOT_ACTIONS of panels with stacks."""


class PanelHeight(NamedTuple):
    """The preferred height of a panel in rows, including its frame.

    minimum: rows that the panel needs. weight: relative share of the remaining rows. maximum: rows
    that show the whole panel.
    """

    minimum: int = 3
    weight: int = 1
    maximum: int = 1000


class PanelBox(PanelFrame):
    """A box for one panel of the state.

    A panel whose entries are places, such as stack slots, returns them from :meth:`places`. The
    user can select entries in order or by a click, and the selected entry remains visible.
    PANEL_TYPE: the type of panel that the box shows. CYCLES_OWN_BASE: whether the box has its own
    number base. If such a box has the focus, the key for the number base changes only this base;
    otherwise it changes the base of all boxes without this flag.
    """

    LABEL: ClassVar[str] = "the state"
    ACTIONS: ClassVar[tuple[str, ...]] = VALUE_ACTIONS
    PANEL_TYPE: ClassVar[type | None] = None
    HEIGHT: ClassVar[PanelHeight] = PanelHeight()
    CYCLES_OWN_BASE: ClassVar[bool] = False

    class Selected(Message):
        """The user selected a cell for queries."""

        def __init__(self, address: Address) -> None:
            super().__init__()
            self.address = address

    class SlotSelected(Message):
        """The user selected a stack slot for queries."""

        def __init__(self, slot: Slot) -> None:
            super().__init__()
            self.slot = slot

    class CapacityChanged(Message):
        """The number of entries that fit has changed."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.base = NumberBase.DECIMAL
        self.snapshot: DebugSnapshot | None = None
        self._scrolls_to_selection = False

    @abstractmethod
    def show(self, snapshot: DebugSnapshot, panel: Any) -> None:
        """Show a panel of a snapshot."""

    def available_actions(self, snapshot: DebugSnapshot) -> tuple[str, ...]:
        asked = (snapshot.selected_cell, snapshot.selected_slot, snapshot.selected_part)
        missing = WRITE_ACTIONS if all(each is None for each in asked) else ()
        return tuple(each for each in self.ACTIONS if each not in missing)

    @property
    def wanted_height(self) -> PanelHeight:
        """The preferred height for the current panel; the layout uses it to divide the rows."""
        return self.HEIGHT

    @property
    def max_entries(self) -> int:
        """The number of entries that fit the box."""
        return max(1, self.inner_height)

    def cycle_base(self) -> None:
        """Switch to the next number base."""
        self.base = self.base.next_base
        self.post_message(self.CapacityChanged())
        self.repaint()

    def on_resize(self, event: events.Resize) -> None:
        self.post_message(self.CapacityChanged())

    # Defined by panels with entries

    def stacks(self) -> list[Stack]:
        """Return the visible stacks."""
        return []

    def places(self) -> list[Place]:
        """Return the cells or stack slots that the panel shows, in reading order."""
        return []

    def find_row(self, place: Place) -> int | None:
        """Return the row of an entry in the current layout, or None."""
        return None

    def place_at(self, row: int, column: int) -> Place | None:
        """Return the entry at a row and column inside the frame, or None."""
        return None

    def lay_out(self) -> None:
        """Compute the layout before drawing."""

    def place_past_end(self, last: Place, distance: int) -> Place | None:
        """Return the place that is ``distance`` entries after the last visible one, or None."""
        return None

    # Drawing

    def set_snapshot(self, snapshot: DebugSnapshot) -> None:
        """Set the snapshot to draw, and scroll to the selection if it has changed."""
        before, self.snapshot = self.selected, snapshot
        self._scrolls_to_selection = self.selected is not None and not is_same_place(
            self.selected, before
        )

    def draw(self) -> list[Strip]:
        self.lay_out()
        if self._scrolls_to_selection and self.selected is not None:
            row = self.find_row(self.selected)
            self._scrolls_to_selection = False
            if row is not None:
                self.scroll_into_view(row)
        return super().draw()

    def footer(self) -> list[StyledText]:
        snapshot, slot = self.snapshot, self.selected
        if snapshot is None or not isinstance(slot, Slot) or self.find_stack(slot) is None:
            return []
        return [self.title_span(last_write_text(slot, snapshot, self.inner_width - 4))]

    # Selecting

    @property
    def selected(self) -> Place | None:
        """The place that the user selected, in this or another panel."""
        snapshot = self.snapshot
        if snapshot is None:
            return None
        if snapshot.selected_slot is not None:
            return snapshot.selected_slot
        return snapshot.selected_cell if snapshot.is_user_selected else None

    def is_selected(self, place: Place) -> bool:
        return is_same_place(place, self.selected)

    def find_stack(self, slot: Slot) -> Stack | None:
        """Return the stack of a slot, if this panel shows it."""
        return next((stack for stack in self.stacks() if stack.key == slot.stack), None)

    def breakpoint_location(self, snapshot: DebugSnapshot) -> BreakpointSpec | None:
        takes_breakpoints = "break" in self.ACTIONS and snapshot.selected_slot is not None
        return BreakpointSpec(slot=snapshot.selected_slot) if takes_breakpoints else None

    def move(self, *, rows: int = 0, columns: int = 0) -> None:
        """Move the selection; scroll if the panel has no entries."""
        places = self.places()
        if not places:
            super().move(rows=rows, columns=columns)
            return
        at = next((at for at, place in enumerate(places) if self.is_selected(place)), None)
        wanted = 0 if at is None else max(0, at + (rows or columns))
        last = len(places) - 1
        further = self.place_past_end(places[last], wanted - last) if wanted > last else None
        self._request_selection(further or places[min(wanted, last)])

    def _request_selection(self, place: Place) -> None:
        """Post a request to select a place."""
        if isinstance(place, Slot):
            self.post_message(self.SlotSelected(place))
        else:
            self.post_message(self.Selected(place))

    def handle_click(self, column: int, row: int) -> None:
        place = self.place_at(row, column)
        if place is not None:
            self._request_selection(place)


def is_same_place(first: Place | None, second: Place | None) -> bool:
    """Return whether two places are the same.

    A stack slot and a point of a plane differ, although ``==`` may find these tuples equal.
    """
    return isinstance(first, Slot) == isinstance(second, Slot) and first == second


def visible_slots(stack: Stack) -> list[Slot]:
    """Return the slots of the visible values of a stack, top first."""
    return [Slot(stack.key, stack.depth - 1 - index) for index in range(len(stack.values))]


def previous_panel(snapshot: DebugSnapshot, panel: Any) -> Any:
    """Return the panel of the same type and name in the previous view, or None."""
    if snapshot.previous_view is None:
        return None
    return next(
        (
            each
            for each in snapshot.previous_view.panels
            if type(each) is type(panel) and each.name == panel.name
        ),
        None,
    )
