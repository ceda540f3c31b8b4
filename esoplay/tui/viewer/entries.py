"""The list of entries, and the text of the selected one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal

from rich.cells import chop_cells
from textual import events
from textual.binding import BindingType
from textual.message import Message
from textual.strip import Strip

from esoplay.reporting.viewer import MARKS, ViewerEntry, ViewerSection
from esoplay.tui.debug.byte_glyphs import PICTURED_TEXT, grouped
from esoplay.tui.debug.canvas import PanelFrame, StyledText, strip_of
from esoplay.tui.replay.attempts import LIST_KEYS
from esoplay.tui.replay.changes import SCROLLING
from esoplay.tui.word_wrap import wrap_words

EntryFilter = Literal["all", "verdicts", "failed", "one problem"]
FILTERS: tuple[EntryFilter, ...] = ("all", "verdicts", "failed", "one problem")

_LABELS = (5, 8, 12, 2)
"""Columns of the labels: problem, language, regime and turn."""


class EntryList(PanelFrame):
    """The list of entries; it posts :class:`EntrySelected` and :class:`EntryOpened`."""

    BINDINGS: ClassVar[list[BindingType]] = LIST_KEYS

    class EntrySelected(Message):
        """The selection is on another entry."""

        def __init__(self, entry: ViewerEntry) -> None:
            super().__init__()
            self.entry = entry

    class EntryOpened(Message):
        """A request to debug the program of an entry."""

        def __init__(self, entry: ViewerEntry) -> None:
            super().__init__()
            self.entry = entry

    def __init__(self, entries: Sequence[ViewerEntry], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._all = entries
        self._listed: Sequence[ViewerEntry] = entries
        self._filter: EntryFilter = "all"
        self._row = 0

    @property
    def selected(self) -> ViewerEntry | None:
        """The selected entry; None if there is none."""
        return self._listed[self._row] if self._listed else None

    def select(self, row: int) -> None:
        """Select a row, and bring it into view."""
        if not self._listed:
            return
        before, self._row = self._row, max(0, min(row, len(self._listed) - 1))
        self.scroll_into_view(self._row)
        self.repaint()
        if self._row != before:
            self.post_message(self.EntrySelected(self._listed[self._row]))

    def show_only(self, filter: EntryFilter) -> None:
        """Show the entries that match a filter, and select the nearest of them."""
        here = self.selected
        if here is None:
            return
        chosen = [entry for entry in self._all if _matches(filter, entry, here)]
        if not chosen:
            self.notify("No entry matches this filter.", severity="warning")
            return
        self._filter, self._listed = filter, chosen
        rows = range(len(chosen))
        self._row = min(rows, key=lambda row: abs(chosen[row].number - here.number))
        self.scroll_into_view(self._row, leap=True)
        self.repaint()
        if chosen[self._row] is not here:
            self.post_message(self.EntrySelected(chosen[self._row]))

    # Keys

    def action_open(self) -> None:
        if self.selected is not None:
            self.post_message(self.EntryOpened(self.selected))

    def action_move(self, rows: int) -> None:
        self.select(self._row + rows)

    def action_page(self, pages: int) -> None:
        self.select(self._row + pages * max(1, self.inner_height - 1))

    def action_go(self, last: bool) -> None:
        self.select(len(self._listed) - 1 if last else 0)

    def action_same(self, by: int) -> None:
        """Go to the next entry on the same problem, or the previous one."""
        here = self.selected
        if here is None:
            return
        rows = range(self._row + 1, len(self._listed)) if by > 0 else range(self._row - 1, -1, -1)
        found = next((row for row in rows if self._listed[row].problem == here.problem), None)
        if found is None:
            which = "last" if by > 0 else "first"
            self.notify(f"This is the {which} entry on {here.problem or 'no problem'}.")
        else:
            self.select(found)

    def action_filter(self) -> None:
        """Show the entries of the next filter that matches any."""
        at = FILTERS.index(self._filter)
        self.show_only(FILTERS[(at + 1) % len(FILTERS)])

    def on_click(self, event: events.Click) -> None:
        offset = self.inner_offset(event)
        if offset is None or self.top + offset.y >= len(self._listed):
            return
        self.select(self.top + offset.y)
        if event.chain > 1:
            self.action_open()

    # Drawing

    def heading(self) -> list[StyledText]:
        only = "" if self._filter == "all" else f": {self._filter}"
        return [self.title_piece(f"questions and answers{only}")]

    def caption(self) -> list[StyledText]:
        if not self._listed:
            return []
        return [self.title_piece(f"{grouped(self._row + 1)}/{grouped(len(self._listed))}")]

    def row_count(self) -> int:
        return max(1, len(self._listed))

    def line(self, row: int, width: int) -> Strip:
        palette = self.palette
        if not self._listed:
            return strip_of([StyledText(" no question yet", palette.faint)], width, palette.base)
        entry = self._listed[row]
        labels = "".join(
            f"{label.translate(PICTURED_TEXT)[: room - 1]:{room}}"
            for label, room in zip(entry.labels, _LABELS, strict=False)
        )
        outcome = f"{MARKS[entry.tone]} {entry.outcome}".translate(PICTURED_TEXT)
        if row == self._row:
            plain = palette.cursor if self.has_focus else palette.selected
            return strip_of([StyledText(f"›{labels}{outcome}", plain)], width, plain)
        tone = {"good": palette.good, "bad": palette.bad, "calm": palette.faint}[entry.tone]
        pieces = [StyledText(f" {labels}", palette.base), StyledText(outcome, tone)]
        return strip_of(pieces, width, palette.base)


def _matches(filter: EntryFilter, entry: ViewerEntry, here: ViewerEntry) -> bool:
    if filter == "verdicts":
        return entry.last
    if filter == "failed":
        return entry.last and entry.tone == "bad"
    return filter == "all" or entry.problem == here.problem


class EntryText(PanelFrame):
    """The sections of the selected entry."""

    BINDINGS: ClassVar[list[BindingType]] = SCROLLING

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._entry: ViewerEntry | None = None
        self._rows: list[StyledText] = []
        self._laid_out = -1

    def show(self, entry: ViewerEntry | None) -> None:
        """Show an entry from its start; nothing for None."""
        self._entry = entry
        self._laid_out = -1
        self.top = 0
        self.repaint()

    def heading(self) -> list[StyledText]:
        if self._entry is None:
            return []
        labels = [label for label in self._entry.labels if label]
        return [self.title_piece(", ".join(labels).translate(PICTURED_TEXT))]

    def row_count(self) -> int:
        width = self.inner_width
        if width != self._laid_out:
            self._laid_out = width
            self._rows = [] if self._entry is None else list(self._lay_out(width))
        return max(1, len(self._rows))

    def line(self, row: int, width: int) -> Strip:
        pieces = [self._rows[row]] if row < len(self._rows) else []
        return strip_of(pieces, width, self.palette.base)

    def _lay_out(self, width: int) -> Iterator[StyledText]:
        assert self._entry is not None
        # What was decided comes first: the answer may be many pages long.
        order = {"result": 0, "program": 1, "note": 2, "text": 2, "prompt": 3}
        for section in sorted(self._entry.sections, key=lambda each: order[each.kind]):
            yield StyledText(f" {section.title}".translate(PICTURED_TEXT), self.palette.strong)
            style = self.palette.faint if section.kind == "prompt" else self.palette.base
            for line in _lines(section, max(1, width - 2)):
                yield StyledText(f"  {line}", style)
            yield StyledText("", style)

    def action_scroll_rows(self, rows: int) -> None:
        self._scroll_by(rows)

    def action_scroll_pages(self, pages: int) -> None:
        self._scroll_by(pages * max(1, self.inner_height - 1))

    def action_scroll_to(self, end: bool) -> None:
        self._scroll_by(self.row_count() if end else -self.row_count())


def _lines(section: ViewerSection, width: int) -> Iterator[str]:
    """Yield the lines of a text, wrapped; programs are broken anywhere, other text at words."""
    text = section.text.encode("utf-8", "backslashreplace").decode("utf-8")
    for line in text.rstrip("\n").split("\n"):
        shown = line.translate(PICTURED_TEXT)
        if section.kind == "program" or shown.startswith((" ", "\t")):
            yield from chop_cells(shown, width) or [""]
        else:
            yield from wrap_words(shown, width) or [""]
