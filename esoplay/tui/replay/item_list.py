"""A list of questions or runs: one row each, with a selection and filters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Generic, Literal, TypeVar

from textual import events
from textual.binding import BindingType
from textual.message import Message
from textual.strip import Strip

from esoplay.tui.debug.byte_glyphs import format_int
from esoplay.tui.debug.canvas import PanelFrame, StyledText, make_strip
from esoplay.tui.keys import Action, bindings

Item = TypeVar("Item")
ItemFilter = Literal["all", "graded", "failed", "one problem"]
FILTERS: tuple[ItemFilter, ...] = ("all", "graded", "failed", "one problem")


class ItemList(PanelFrame, Generic[Item]):
    """A list of items, which are the attempts of a session or the questions of an evaluation.

    Posts :class:`ItemSelected` and :class:`ItemOpened`. Subclasses implement the index, the problem
    and the result of an item, and how its row is drawn.
    """

    TITLE: ClassVar[str]
    NOUN: ClassVar[str]
    """The word for one item, such as ``attempt``."""
    GRADED_NAME: ClassVar[str]
    """The plural noun for items with a verdict, such as ``submissions``, used in filter names."""
    EMPTY_TEXT: ClassVar[str]
    """The text of an empty list."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "attempts",
        Action("replay.open", "open", "Debug", in_footer=True),
        Action("replay.down", "move(1)", "Down"),
        Action("replay.up", "move(-1)", "Up"),
        Action("replay.page-down", "page(1)", "Page down"),
        Action("replay.page-up", "page(-1)", "Page up"),
        Action("replay.first", "go(False)", "First"),
        Action("replay.last", "go(True)", "Last"),
        Action(
            "replay.next",
            "same_problem(1)",
            "Next",
            in_footer=True,
            tip="The next item on the same problem",
        ),
        Action("replay.previous", "same_problem(-1)", "Previous on the same problem"),
        Action("replay.filter", "filter", "Filter", in_footer=True),
    )

    class ItemSelected(Message):
        """Another item was selected."""

        def __init__(self, item: Any) -> None:
            super().__init__()
            self.item = item

    class ItemOpened(Message):
        """The user requested to debug an item."""

        def __init__(self, item: Any) -> None:
            super().__init__()
            self.item = item

    def __init__(self, items: Sequence[Item], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._all_items = items
        self._listed_items: Sequence[Item] = items
        self._filter: ItemFilter = "all"
        self._row = 0
        self._count = len(items)
        """The number of all items at the last update."""

    # Methods of subclasses

    def item_index(self, item: Item) -> int:
        """Return the index of an item in the list of all items."""
        raise NotImplementedError

    def item_problem(self, item: Item) -> str | None:
        raise NotImplementedError

    def is_gradable(self, item: Item) -> bool:
        """Return whether an item can get a verdict: a submission or the last answer of a trial."""
        raise NotImplementedError

    def has_failed(self, item: Item) -> bool:
        raise NotImplementedError

    def row_spans(self, item: Item, mark: str, width: int) -> list[StyledText]:
        """Return the text of an item's row. mark: the first character of the row."""
        raise NotImplementedError

    # The selection

    @property
    def selected_item(self) -> Item | None:
        """The selected item, or None."""
        return self._listed_items[self._row] if self._listed_items else None

    def select(self, row: int) -> None:
        """Select a row, and scroll it into view."""
        if not self._listed_items:
            return
        before, self._row = self._row, max(0, min(row, len(self._listed_items) - 1))
        self.scroll_into_view(self._row)
        self.repaint()
        if self._row != before:
            self.post_message(self.ItemSelected(self._listed_items[self._row]))

    def show_only(self, filter: ItemFilter) -> bool:
        """Show the items that match a filter, and select the match nearest to the selected item.

        Returns False, without a change, if no item matches.
        """
        here = self.selected_item
        if here is None:
            return False
        chosen = self._filter_items(filter, here)
        if not chosen:
            self.notify(f"No {self.NOUN} matches this filter.", severity="warning")
            return False
        self._filter, self._listed_items = filter, chosen
        self._row = self._nearest_row(here)
        self.scroll_into_view(self._row, center=True)
        self.repaint()
        if chosen[self._row] is not here:
            self.post_message(self.ItemSelected(chosen[self._row]))
        return True

    def refresh_items(self) -> None:
        """Show items that were added or changed.

        If the last item was selected, the new last item is selected, except in the filter for one
        problem; otherwise the selection does not change.
        """
        here = self.selected_item
        before, self._count = self._count, len(self._all_items)
        at_end = here is not None and self.item_index(here) == before - 1
        if here is None or (at_end and self._filter != "one problem"):
            here = self._all_items[-1] if self._all_items else None
        if here is None:
            return
        self._listed_items = self._filter_items(self._filter, here) or self._all_items
        self._row = self._nearest_row(here)
        self.scroll_into_view(self._row)
        self.repaint()
        self.post_message(self.ItemSelected(self._listed_items[self._row]))

    def _filter_items(self, filter: ItemFilter, current: Item) -> Sequence[Item]:
        """Return the items that match a filter. current: the selected item."""
        if filter == "graded":
            return [each for each in self._all_items if self.is_gradable(each)]
        if filter == "failed":
            return [
                each for each in self._all_items if self.is_gradable(each) and self.has_failed(each)
            ]
        if filter == "one problem":
            problem = self.item_problem(current)
            return [each for each in self._all_items if self.item_problem(each) == problem]
        return self._all_items

    def _nearest_row(self, current: Item) -> int:
        place = self.item_index(current)
        rows = range(len(self._listed_items))
        return min(rows, key=lambda row: abs(self.item_index(self._listed_items[row]) - place))

    def filter_name(self, filter: ItemFilter) -> str:
        """Return a filter in words, such as ``failed verdicts``."""
        return {"graded": self.GRADED_NAME, "failed": f"failed {self.GRADED_NAME}"}.get(
            filter, filter
        )

    # Keys

    def action_open(self) -> None:
        if self.selected_item is not None:
            self.post_message(self.ItemOpened(self.selected_item))

    def action_move(self, rows: int) -> None:
        self.select(self._row + rows)

    def action_page(self, pages: int) -> None:
        self.select(self._row + pages * max(1, self.inner_height - 1))

    def action_go(self, to_last: bool) -> None:
        self.select(len(self._listed_items) - 1 if to_last else 0)

    def action_same_problem(self, direction: int) -> None:
        """Select the next or previous item on the same problem."""
        here = self.selected_item
        if here is None:
            return
        problem = self.item_problem(here)
        rows = (
            range(self._row + 1, len(self._listed_items))
            if direction > 0
            else range(self._row - 1, -1, -1)
        )
        found = next(
            (row for row in rows if self.item_problem(self._listed_items[row]) == problem), None
        )
        if found is None:
            which = "last" if direction > 0 else "first"
            where = f"on {problem}" if problem else "without a problem"
            self.notify(f"This is the {which} {self.NOUN} {where}.")
        else:
            self.select(found)

    def action_filter(self) -> None:
        """Switch to the next filter, and skip filters that no item matches."""
        here = self.selected_item
        if here is None:
            return
        at = FILTERS.index(self._filter)
        order = (*FILTERS[at + 1 :], *FILTERS[: at + 1])
        self.show_only(next(each for each in order if self._filter_items(each, here)))

    def on_click(self, event: events.Click) -> None:
        offset = self.inner_offset(event)
        if offset is None or self.first_row + offset.y >= len(self._listed_items):
            return
        self.select(self.first_row + offset.y)
        if event.chain > 1:
            self.action_open()

    # Drawing

    def heading(self) -> list[StyledText]:
        only = "" if self._filter == "all" else f": {self.filter_name(self._filter)}"
        return [self.title_span(f"{self.TITLE}{only}")]

    def caption(self) -> list[StyledText]:
        if not self._listed_items:
            return []
        return [
            self.title_span(f"{format_int(self._row + 1)}/{format_int(len(self._listed_items))}")
        ]

    def row_count(self) -> int:
        return max(1, len(self._listed_items))

    def line(self, row: int, width: int) -> Strip:
        palette = self.palette
        if not self._listed_items:
            return make_strip(
                [StyledText(f" {self.EMPTY_TEXT}", palette.faint)], width, palette.base
            )
        item = self._listed_items[row]
        if row != self._row:
            return make_strip(self.row_spans(item, " ", width), width, palette.base)
        plain = palette.cursor if self.has_focus else palette.selected
        text = "".join(piece.text for piece in self.row_spans(item, "›", width))
        return make_strip([StyledText(text, plain)], width, plain)
