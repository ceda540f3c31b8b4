"""Panels whose entries are places that can be selected, one after another or by a click."""

from __future__ import annotations

from abc import abstractmethod

from textual import events
from textual.message import Message
from textual.strip import Strip

from esolangs.stops import Slot
from esolangs.view import Stack
from esoplay.service.puts import Place
from esoplay.tui.debug.canvas import Piece
from esoplay.tui.debug.moment import Moment
from esoplay.tui.debug.place_text import put_text
from esoplay.tui.debug.state.panel_box import PanelBox

OPEN, CLOSE = "‹", "›"
"""Around the entry that is selected, as around a cell of a tape."""


class SlotsBox(PanelBox):
    """Keeps what is selected in view, and says of it which step put it there."""

    class SlotSelected(Message):
        """A place on a stack was chosen, which questions are about from now on."""

        def __init__(self, slot: Slot) -> None:
            super().__init__()
            self.slot = slot

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._bring = False

    # What a panel says of its entries

    @abstractmethod
    def stacks(self) -> list[Stack]:
        """The stacks that are shown."""

    @abstractmethod
    def places(self) -> list[Place]:
        """The entries in the order in which they are read."""

    @abstractmethod
    def row_of(self, place: Place) -> int | None:
        """The row that an entry is in, as laid out now."""

    @abstractmethod
    def place_at(self, row: int, column: int) -> Place | None:
        """The entry at a row and a column inside the frame."""

    def lay_out(self) -> None:
        """Make ready for drawing."""

    def beyond(self, last: Place, by: int) -> Place | None:
        """The entry so many further than the last one that is shown."""
        return None

    # Drawing

    def keep(self, moment: Moment) -> None:
        """To be called with a moment before it is shown."""
        before, self.moment = self.selected, moment
        self._bring = self.selected is not None and not same(self.selected, before)

    def draw(self) -> list[Strip]:
        self.lay_out()
        if self._bring and self.selected is not None:
            row = self.row_of(self.selected)
            self._bring = False
            if row is not None:
                self.scroll_into_view(row)
        return super().draw()

    def footing(self) -> list[Piece]:
        moment, slot = self.moment, self.selected
        if moment is None or not isinstance(slot, Slot) or self.stack_of(slot) is None:
            return []
        return [self.title_piece(put_text(slot, moment, self.inner_width - 4))]

    def around(self, place: Place, text: str) -> tuple[str, str]:
        """What stands before and behind an entry's text."""
        return (OPEN, CLOSE) if self.is_selected(place) else (" ", " ")

    # Selecting

    @property
    def selected(self) -> Place | None:
        """What the user has selected, here or elsewhere."""
        moment = self.moment
        if moment is None:
            return None
        if moment.slot is not None:
            return moment.slot
        return moment.selected if moment.chosen else None

    def is_selected(self, place: Place) -> bool:
        return same(place, self.selected)

    def stack_of(self, slot: Slot) -> Stack | None:
        """The stack that a slot is on, if it is shown here."""
        return next((stack for stack in self.stacks() if stack.key == slot.stack), None)

    def move(self, *, rows: int = 0, columns: int = 0) -> None:
        """Select the entry so many further on; without entries, scroll."""
        places = self.places()
        if not places:
            super().move(rows=rows, columns=columns)
            return
        at = next((at for at, place in enumerate(places) if self.is_selected(place)), None)
        wanted = 0 if at is None else max(0, at + (rows or columns))
        last = len(places) - 1
        further = self.beyond(places[last], wanted - last) if wanted > last else None
        self.choose(further or places[min(wanted, last)])

    def choose(self, place: Place) -> None:
        """Ask for a place to be selected."""
        if isinstance(place, Slot):
            self.post_message(self.SlotSelected(place))
        else:
            self.post_message(self.Selected(place))

    def on_click(self, event: events.Click) -> None:
        offset = self.inner_offset(event)
        if offset is None:
            return
        place = self.place_at(self.top + offset.y, offset.x)
        if place is not None:
            self.choose(place)


def same(one: Place | None, other: Place | None) -> bool:
    """Whether two places are the same one; a slot equals a point with its numbers otherwise."""
    return isinstance(one, Slot) == isinstance(other, Slot) and one == other


def slots_of(stack: Stack) -> list[Slot]:
    """The places of the values of a stack that are in view, the top first."""
    return [Slot(stack.key, stack.depth - 1 - index) for index in range(len(stack.values))]
