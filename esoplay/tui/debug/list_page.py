"""The base class of pages that list rows with one row selected, and the page of the log."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip

from esoplay.tui.debug.byte_glyphs import CONTROL_PICTURES, format_int
from esoplay.tui.debug.canvas import ROW_ACTIONS, PanelFrame, StyledText, make_strip, truncate_spans
from esoplay.tui.debug.debug_snapshot import DebugSnapshot
from esoplay.tui.debug.target import LogEntry
from esoplay.tui.word_wrap import wrap_words

MIN_WRAP_WIDTH = 10
"""Minimum width at which the text of an empty list is wrapped."""
MARK_COLUMNS = 2
"""Width of the mark before each row, in columns."""
MIN_TEXT_COLUMNS = 20
"""Minimum width to which text is wrapped, in columns; a narrower page cuts it off."""
LIST_ACTIONS = (*ROW_ACTIONS, "choose", "page-next", "page-previous")


class ListRow(NamedTuple):
    """A row of a list, and the step that it refers to."""

    spans: tuple[StyledText, ...]
    step: int | None = None


class ListPage(PanelFrame):
    """A list: j and k select a row, and a click or Enter opens the row.

    Lists of sentences implement :meth:`rows`. Other lists implement :meth:`item_count`,
    :meth:`item` and :meth:`choose`.
    """

    LABEL: ClassVar[str] = "the list"
    ACTIONS: ClassVar[tuple[str, ...]] = LIST_ACTIONS

    class StepChosen(Message):
        """The user opened a row that refers to ``step``."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.selected = 0
        self._cached_rows: tuple[object, list[ListRow]] | None = None
        self._version = 0

    @abstractmethod
    def empty_text(self) -> str:
        """Return the text shown for an empty list."""

    def rows(self, width: int) -> Iterable[ListRow]:
        """Return the rows of a list of sentences, wrapped to ``width`` columns."""
        return ()

    def item_count(self) -> int:
        """Return the number of items."""
        return len(self._all_rows)

    def item(self, index: int) -> Sequence[StyledText]:
        """Return the styled text of an item, which takes one row."""
        return self._all_rows[index].spans

    def choose(self) -> None:
        """Request a move to the step of the selected row, or to the next step below in the list."""
        below = (row.step for row in self._all_rows[self.selected :] if row.step is not None)
        step = next(below, None)
        if step is not None:
            self.post_message(self.StepChosen(step))

    def available_actions(self, snapshot: DebugSnapshot) -> tuple[str, ...]:
        missing = ("cursor-down", "cursor-up", "choose") if not self.item_count() else ()
        return tuple(each for each in self.ACTIONS if each not in missing)

    # Sentences

    def rebuild(self) -> None:
        """Lay out the changed list and select the first row."""
        self._version += 1
        self.first_row = 0
        self.select(0)

    @property
    def steps(self) -> list[int]:
        """The steps of the rows, from top to bottom."""
        return [row.step for row in self._all_rows if row.step is not None]

    @property
    def _all_rows(self) -> list[ListRow]:
        width = max(MIN_TEXT_COLUMNS, self.inner_width - MARK_COLUMNS)
        key = width, self._version, self.palette
        if self._cached_rows is None or self._cached_rows[0] != key:
            self._cached_rows = key, list(self.rows(width))
        return self._cached_rows[1]

    # Rows

    def row_count(self) -> int:
        return self.item_count() or max(1, len(self._empty_rows(self.inner_width)))

    def line(self, row: int, width: int) -> Strip:
        if not self.item_count():
            message = StyledText(f" {self._empty_rows(width)[row]}", self.palette.faint)
            return make_strip([message], width, self.palette.base)
        is_selected = self.has_focus and row == self.selected
        mark = StyledText("› " if is_selected else "  ", self.palette.title_focused)
        pieces = truncate_spans(self.item(row), width - MARK_COLUMNS)
        return make_strip([mark, *pieces], width, self.palette.base)

    def _empty_rows(self, width: int) -> list[str]:
        return wrap_words(self.empty_text(), max(MIN_WRAP_WIDTH, width - 2))

    def move(self, *, rows: int = 0, columns: int = 0) -> None:
        self.select(self.selected + rows)

    def select(self, index: int) -> None:
        """Select a row and scroll it into view."""
        self.selected = max(0, min(index, self.item_count() - 1))
        self.scroll_into_view(self.selected)
        self.repaint()

    def handle_click(self, column: int, row: int) -> None:
        if row < self.item_count():
            self.select(row)
            self.choose()


def wrap_sentence(
    text: str, width: int, style: Style, indent: int = 0, step: int | None = None
) -> Iterable[ListRow]:
    """Yield the rows of a wrapped sentence; rows after the first are indented.

    step: the step that the rows refer to, or None.
    """
    for line in wrap_words(text.translate(CONTROL_PICTURES), max(MIN_TEXT_COLUMNS, width), indent):
        yield ListRow((StyledText(line, style),), step)


# The log: stops, output of log breakpoints, answers to queries.


class LogPage(ListPage):
    """The log, with the newest entry at the end. Enter moves to the step of an entry."""

    NAME = "log"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._entries: Sequence[LogEntry] = ()
        self._starts: list[int] = []
        """The index of the first row of each entry."""
        self._first_entry = 0

    def select(self, index: int) -> None:
        super().select(index)
        self._first_entry = max(0, bisect_right(self._starts, self.selected) - 1)

    def select_entry(self, index: int) -> None:
        """Select the first row of the entry with this index."""
        if self.item_count() and self._starts:
            self.select(self._starts[max(0, min(index, len(self._starts) - 1))])

    def show_from(self, index: int) -> None:
        """Select an entry and scroll it to the top."""
        self.select_entry(index)
        self.first_row = max(0, min(self.selected, self.row_count() - self.inner_height))
        self.repaint()

    def on_resize(self, event: events.Resize) -> None:
        """Select the same entry again after a change of the width."""
        self.select_entry(self._first_entry)

    def show_log(self, entries: Sequence[LogEntry]) -> None:
        """Show these entries and select the last one."""
        if len(entries) == len(self._entries) and list(entries) == list(self._entries):
            return
        self._entries = entries
        self._version += 1
        self.select(self.item_count() - 1)

    def rows(self, width: int) -> Iterable[ListRow]:
        palette, count = self.palette, 0
        self._starts = []
        for entry in self._entries:
            self._starts.append(count)
            prefix = f"@{format_int(entry.step)}  " if entry.shows_step else "  "
            text = entry.text.translate(CONTROL_PICTURES)
            room = max(MIN_TEXT_COLUMNS, width - len(prefix))
            for line in [text] if cell_len(text) <= room else wrap_words(text, room):
                pieces = StyledText(prefix, palette.faint), StyledText(line, palette.base)
                yield ListRow(pieces, entry.step)
                prefix = " " * len(prefix)
                count += 1

    def empty_text(self) -> str:
        return "no entries yet: stops and log breakpoints appear here"
