"""Widgets that show the questions of an evaluation, and the texts of the selected question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from rich.cells import chop_cells
from textual.binding import BindingType
from textual.strip import Strip

from esolangs.wording import plural
from esoplay.reporting.viewer import MARKS, ViewerEntry, ViewerSection
from esoplay.tui.debug.byte_glyphs import CONTROL_PICTURES
from esoplay.tui.debug.canvas import PanelFrame, StyledText, make_strip
from esoplay.tui.replay.changes import SCROLL_BINDINGS
from esoplay.tui.replay.item_list import ItemList
from esoplay.tui.word_wrap import wrap_words

MAX_SHOWN_LENGTH = 200_000
"""Maximum number of characters of a text to show."""

_LABEL_COLUMNS = (5, 8, 12, 2)
"""Widths of the labels in columns, in the order of :attr:`ViewerEntry.labels`."""


class EntryList(ItemList[ViewerEntry]):
    """The questions of an evaluation, with the outcomes of their answers."""

    TITLE = "questions and answers"
    NOUN = "entry"
    GRADED_NAME = "verdicts"
    EMPTY_TEXT = "no question yet"

    def item_index(self, item: ViewerEntry) -> int:
        return item.number - 1

    def item_problem(self, item: ViewerEntry) -> str | None:
        return item.problem

    def is_gradable(self, item: ViewerEntry) -> bool:
        return item.is_last

    def has_failed(self, item: ViewerEntry) -> bool:
        return item.tone == "bad"

    def row_spans(self, item: ViewerEntry, mark: str, width: int) -> list[StyledText]:
        palette = self.palette
        labels = "".join(
            f"{label.translate(CONTROL_PICTURES)[: room - 1]:{room}}"
            for label, room in zip(item.labels, _LABEL_COLUMNS, strict=False)
        )
        tone = {"good": palette.good, "bad": palette.bad, "calm": palette.faint}[item.tone]
        outcome = f"{MARKS[item.tone]} {item.outcome}".translate(CONTROL_PICTURES)
        return [StyledText(f"{mark}{labels}", palette.base), StyledText(outcome, tone)]


class EntryText(PanelFrame):
    """The texts of the selected question, such as its answer and program, one below the other."""

    BINDINGS: ClassVar[list[BindingType]] = SCROLL_BINDINGS

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._entry: ViewerEntry | None = None
        self._rows: list[StyledText] = []
        self._laid_out_width = -1

    def show(self, entry: ViewerEntry | None) -> None:
        """Show an entry from its start; None shows an empty text."""
        self._entry = entry
        self._laid_out_width = -1
        self.first_row = 0
        self.repaint()

    def heading(self) -> list[StyledText]:
        if self._entry is None:
            return []
        labels = [label for label in self._entry.labels if label]
        return [self.title_span(", ".join(labels).translate(CONTROL_PICTURES))]

    def row_count(self) -> int:
        width = self.inner_width
        if width != self._laid_out_width:
            self._laid_out_width = width
            self._rows = [] if self._entry is None else list(self._lay_out(width))
        return max(1, len(self._rows))

    def line(self, row: int, width: int) -> Strip:
        pieces = [self._rows[row]] if row < len(self._rows) else []
        return make_strip(pieces, width, self.palette.base)

    def _lay_out(self, width: int) -> Iterator[StyledText]:
        assert self._entry is not None
        # The result comes first, because the answer may be many pages long.
        order = {"result": 0, "program": 1, "note": 2, "text": 2, "prompt": 3}
        for section in sorted(self._entry.sections, key=lambda each: order[each.kind]):
            yield StyledText(f" {section.title}".translate(CONTROL_PICTURES), self.palette.strong)
            style = self.palette.faint if section.kind == "prompt" else self.palette.base
            for line in _lines(section, max(1, width - 2)):
                yield StyledText(f"  {line}", style)
            yield StyledText("", style)

    def action_scroll_rows(self, rows: int) -> None:
        self._scroll_by(rows)

    def action_scroll_pages(self, pages: int) -> None:
        self._scroll_by(pages * max(1, self.inner_height - 1))

    def action_scroll_to(self, to_end: bool) -> None:
        self._scroll_by(self.row_count() if to_end else -self.row_count())


def _lines(section: ViewerSection, width: int) -> Iterator[str]:
    """Yield the wrapped lines of a text; programs are broken anywhere, other text between words."""
    text = section.text[:MAX_SHOWN_LENGTH].encode("utf-8", "backslashreplace").decode("utf-8")
    for line in text.rstrip("\n").split("\n"):
        shown = line.translate(CONTROL_PICTURES)
        if section.kind == "program" or shown.startswith((" ", "\t")):
            yield from chop_cells(shown, width) or [""]
        else:
            yield from wrap_words(shown, width) or [""]
    if (more := len(section.text) - MAX_SHOWN_LENGTH) > 0:
        yield from wrap_words(f"… {plural(more, 'more character')}; --plain prints all", width)
