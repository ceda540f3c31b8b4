"""A framed canvas that scrolls its rows, with its title or tabs and a scroll mark in the frame."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.geometry import Offset
from textual.message import Message
from textual.strip import Strip

from esoplay.tui.debug.canvas import Canvas, Piece, strip_of, width_of
from esoplay.tui.debug.moment import Moment

if TYPE_CHECKING:
    from esolangs.source import Span
    from esoplay.debugging.debugger import BreakpointSpec

WHEEL_ROWS = 3

MOVES = ("cursor-down", "cursor-up", "cursor-right", "cursor-left")
ROWS = ("cursor-down", "cursor-up")
SEARCHES = ("search", "search-next", "search-previous")
WRITES = ("write-before", "write-after", "writes", "origin")
"""Ids of actions that several boxes share."""


class Box(Canvas, can_focus=True):
    """Draws ``╭─ title ───── caption ─╮`` around :meth:`line` for the rows from ``top``.

    WORDS: what people call the box.  ACTIONS: ids of the actions that are about it while it has
    the keyboard.  NAME: on its tab, if it shares its place with other boxes.
    """

    WORDS: ClassVar[str] = ""
    ACTIONS: ClassVar[tuple[str, ...]] = ()
    NAME: ClassVar[str] = ""

    DEFAULT_CSS: ClassVar[str] = """
    Box { width: 1fr; height: 1fr; }
    """

    class TabClicked(Message):
        """The tab of the box ``name`` was clicked."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    top: int = 0
    """First row shown."""
    group: Sequence[str] = ()
    """Names of the boxes that share this place, in order."""
    moment: Moment | None = None
    """What is shown, once there is something to show."""

    def applicable(self, moment: Moment) -> tuple[str, ...]:
        """Those of the box's actions that have a subject at this moment."""
        return self.ACTIONS

    def place(self, moment: Moment) -> BreakpointSpec | None:
        """Where a breakpoint on what is selected here stops; None where that is no place."""
        return None

    def code(self, moment: Moment) -> Span | None:
        """The bytes of the program that are selected here; None leaves that to its cursor.

        Raises UsageError where no bytes can be named.
        """
        return None

    def move(self, *, rows: int = 0, columns: int = 0) -> None:
        """Move the selection; boxes without one scroll."""
        self.top += rows
        self.repaint()

    def choose(self) -> None:
        """Do what the selection is for."""

    def clicked(self, column: int, row: int) -> None:
        """Handle a click inside the frame; boxes with a selection move it."""

    @abstractmethod
    def row_count(self) -> int:
        """Rows there are, visible or not."""

    @abstractmethod
    def line(self, row: int, width: int) -> Strip:
        """The row of this index, ``width`` columns wide."""

    def heading(self) -> list[Piece]:
        """What stands in the frame's top left corner: the tabs, its own in brackets."""
        pieces: list[Piece] = []
        for name in self.group or (self.NAME,) if self.NAME else ():
            here = name == self.NAME
            style = self.palette.strong if here else self.palette.title
            if here and self.has_focus:
                style = self.palette.title_focused
            pieces.append(Piece(f"[{name}]" if here else f" {name} ", style))
        return pieces

    def caption(self) -> list[Piece]:
        """What stands in the frame's top right corner."""
        return []

    def footing(self) -> list[Piece]:
        """What stands in the frame's lower left corner."""
        return []

    @property
    def inner_width(self) -> int:
        return max(0, self.size.width - 2)

    @property
    def inner_height(self) -> int:
        return max(0, self.size.height - 2)

    def title_piece(self, text: str) -> Piece:
        """Text of the frame in the style of the present focus."""
        return Piece(text, self.palette.title_focused if self.has_focus else self.palette.title)

    def draw(self) -> list[Strip]:
        width, height = self.size
        if width < 2 or height < 2:
            return [Strip.blank(width, self.palette.base) for _ in range(height)]
        frame = self.palette.frame_focused if self.has_focus else self.palette.frame
        rows = self.row_count()
        self.top = max(0, min(self.top, rows - self.inner_height))
        thumb = self._thumb(rows)
        blank = Strip.blank(self.inner_width, self.palette.base)
        strips = [self._top_edge()]
        for y in range(self.inner_height):
            row = self.top + y
            content = self.line(row, self.inner_width) if row < rows else blank
            right = "┃" if y in thumb else "│"
            strips.append(
                Strip.join(
                    [
                        strip_of([Piece("│", frame)], 1, frame),
                        content,
                        strip_of([Piece(right, frame)], 1, frame),
                    ]
                )
            )
        strips.append(self._lower_edge())
        return strips

    def scroll_into_view(self, row: int, *, leap: bool = False) -> None:
        """Make ``row`` visible, moving ``top`` no further than needed.

        leap: move so that ``row`` stands at a third of the height, and so seldom: scrolling
        repaints all rows.
        """
        height = self.inner_height
        if height <= 0:
            return
        if not self.top <= row < self.top + height:
            if leap:
                self.top = row - height // 3
            else:
                self.top = row if row < self.top else row + 1 - height
        self.top = max(0, min(self.top, self.row_count() - height))

    def inner_offset(self, event: events.MouseEvent) -> Offset | None:
        """Column and visible row under the mouse inside the frame."""
        x, y = event.x - 1, event.y - 1
        inside = 0 <= x < self.inner_width and 0 <= y < self.inner_height
        return Offset(x, y) if inside else None

    def on_click(self, event: events.Click) -> None:
        if event.y == 0:
            name = self._tab_at(event.x)
            if name is not None:
                self.post_message(self.TabClicked(name))
            return
        offset = self.inner_offset(event)
        if offset is not None:
            self.clicked(offset.x, self.top + offset.y)

    def _tab_at(self, x: int) -> str | None:
        column = 3  # corner, dash and space
        for name in self.group:
            if column <= x < column + len(name) + 2:
                return name
            column += len(name) + 2
        return None

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._scroll_by(WHEEL_ROWS)
        event.stop()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._scroll_by(-WHEEL_ROWS)
        event.stop()

    def on_focus(self) -> None:
        self.repaint()

    def on_blur(self) -> None:
        self.repaint()

    def _scroll_by(self, rows: int) -> None:
        self.top = max(0, min(self.top + rows, self.row_count() - self.inner_height))
        self.repaint()

    def _thumb(self, rows: int) -> range:
        """Visible rows that the scroll mark covers; none when everything is visible."""
        height = self.inner_height
        if rows <= height or height <= 0:
            return range(0)
        size = max(1, height * height // rows)
        start = (height - size) * self.top // (rows - height)
        return range(start, start + size)

    def _top_edge(self) -> Strip:
        frame = self.palette.frame_focused if self.has_focus else self.palette.frame
        room = self.size.width - 4
        left, right = _spaced(self.heading()), _spaced(self.caption())
        if width_of(left) + width_of(right) > room:
            right = []
        gap = max(0, room - width_of(left) - width_of(right))
        pieces = [Piece("╭─", frame), *left, Piece("─" * gap, frame), *right]
        edge = strip_of(pieces, self.size.width - 2, frame)
        return Strip.join([edge, strip_of([Piece("─╮", frame)], 2, frame)])

    def _lower_edge(self) -> Strip:
        frame = self.palette.frame_focused if self.has_focus else self.palette.frame
        pieces = _spaced(self.footing())
        width = self.size.width
        gap = max(0, width - 3 - width_of(pieces))
        edge = [Piece("╰─", frame), *pieces, Piece("─" * gap, frame)]
        return Strip.join(
            [strip_of(edge, width - 1, frame), strip_of([Piece("╯", frame)], 1, frame)]
        )


def _spaced(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces with a space before and behind, where there are any."""
    if not pieces:
        return []
    space = Piece(" ", pieces[0].style)
    return [space, *pieces, space]


def keys_here(widget: object) -> tuple[str, tuple[str, ...]] | None:
    """What people call a box, and the ids of the keys that are about it; None for no such box."""
    if not isinstance(widget, Box) or not widget.ACTIONS:
        return None
    moment = widget.moment
    ids = widget.ACTIONS if moment is None else widget.applicable(moment)
    return widget.WORDS, tuple(f"debug.{each}" for each in ids)
