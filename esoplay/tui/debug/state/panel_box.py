"""What all state panels have in common: what is selected, the number base, the room they have."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, NamedTuple

from textual import events
from textual.message import Message

from esolangs.stops import Address
from esoplay.tui.debug.box import Box
from esoplay.tui.debug.moment import Moment
from esoplay.tui.debug.state.values import Base


class Height(NamedTuple):
    """Rows that a panel wants, frame included.

    least: what it cannot do without.  share: its part of what is left when others have theirs.
    most: rows beyond which it has nothing more to show.
    """

    least: int = 3
    share: int = 1
    most: int = 1000


class PanelBox(Box):
    """Shows the panels of one name, moment after moment."""

    HEIGHT: ClassVar[Height] = Height()

    class Selected(Message):
        """A cell was chosen, which questions are about from now on."""

        def __init__(self, address: Address) -> None:
            super().__init__()
            self.address = address

    class RoomChanged(Message):
        """More or fewer cells fit now."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.base = Base.DECIMAL
        self.moment: Moment | None = None

    @abstractmethod
    def show(self, moment: Moment, panel: Any) -> None:
        """Show a panel of this moment."""

    @property
    def height_wanted(self) -> Height:
        """Rows for what is shown now; looked at when the panels are given their places."""
        return self.HEIGHT

    @property
    def depth(self) -> int:
        """Entries that can be shown at once."""
        return max(1, self.inner_height)

    def cycle_base(self) -> None:
        """Write the values in the next number base."""
        self.base = self.base.following
        self.post_message(self.RoomChanged())
        self.repaint()

    def move(self, *, rows: int = 0, columns: int = 0) -> None:
        """Scroll."""
        self.top += rows
        self.repaint()

    def on_resize(self, event: events.Resize) -> None:
        self.post_message(self.RoomChanged())


def panel_before(moment: Moment, panel: Any) -> Any:
    """The panel of the same kind and name in the view shown before; None without one."""
    if moment.before is None:
        return None
    return next(
        (
            each
            for each in moment.before.panels
            if type(each) is type(panel) and each.name == panel.name
        ),
        None,
    )
