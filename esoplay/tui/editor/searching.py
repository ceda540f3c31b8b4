"""The part of the editor that searches: finds are marked, gone through and replaced."""

from __future__ import annotations

from collections.abc import Iterable

from textual.document._document import Selection
from textual.message import Message

from esoplay.tui.editor.drawing import DrawnEditor
from esoplay.tui.editor.search import Finds, Query, replaced


class SearchedEditor(DrawnEditor):
    """Keeps what is searched for; where it stands is found again when the text has changed."""

    class FindWanted(Message):
        """Something is to be searched for."""

    def __init__(self, *, id: str | None = None) -> None:
        self._query = Query("")
        self._finds: Finds | None = None
        super().__init__(id=id)

    @property
    def finds(self) -> Finds | None:
        """What was found; None while nothing is searched for."""
        return self._finds

    def action_find(self) -> None:
        self.post_message(self.FindWanted())

    def search(self, query: Query) -> Finds | None:
        """Mark everything that meets a query; an empty one ends the search."""
        self._query = query
        self._finds = Finds(self.document.lines, query) if query.text else None
        self.refresh()
        return self._finds

    def search_again(self) -> Finds | None:
        """What meets the query now that the text is another one."""
        return self.search(self._query)

    def action_find_next(self, by: int = 1) -> int | None:
        """Select the next find (-1: the one before), going round; its number, None without any."""
        finds = self._finds or self.search_again()
        top, bottom = sorted(self.selection)
        if finds is None:
            self.action_find()
            return None
        number = finds.before(top) if by < 0 else finds.after(bottom if top != bottom else top)
        if number is not None:
            start, end = finds.span(number)
            self.selection = Selection(start, end)
            self.scroll_cursor_visible(center=True)
            self.history.checkpoint()
        return number

    def replace_find(self, by: str) -> int | None:
        """Replace the find that is selected and go to the next one."""
        finds = self.search_again()
        top, bottom = sorted(self.selection)
        number = finds.at(top) if finds else None
        if finds and number is not None and finds.span(number) == (top, bottom):
            self.history.checkpoint()
            result = self.replace(by, top, bottom, maintain_selection_offset=False)
            self.history.checkpoint()
            self.selection = Selection.cursor(result.end_location)
            self.search_again()
        return self.action_find_next(1)

    def replace_all(self, by: str) -> int:
        """Replace every find, as one edit; how many there were."""
        if not self._query.text or self.read_only:
            return 0
        text, count = replaced(self.document.lines, self._query, by)
        if count:
            cursor = self.cursor_location
            self.history.checkpoint()
            self.replace(text, self.document.start, self.document.end)
            self.history.checkpoint()
            self.move_cursor(self.clamp_visitable(cursor))
            self.search_again()
        return count

    def found_in(self, line: int, start: int, end: int) -> Iterable[tuple[int, int]]:
        if self._finds is None or line >= self.document.line_count:
            return ()
        return self._finds.in_line(line, start, end)
