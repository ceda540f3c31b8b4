"""A term: its text, with the next redex in brackets, and its parts, which can be selected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import ClassVar, Literal

from rich.cells import cell_len
from textual.message import Message
from textual.strip import Strip

from esolangs.source import Span
from esolangs.view import Term
from esoplay.errors import UsageError
from esoplay.tui.debug.byte_glyphs import CONTROL_PICTURES, PLACEHOLDER, format_int
from esoplay.tui.debug.canvas import StyledText, make_strip
from esoplay.tui.debug.debug_snapshot import DebugSnapshot
from esoplay.tui.debug.place_text import origin_text
from esoplay.tui.debug.state.panel_box import PanelBox, PanelHeight
from esoplay.tui.debug.viewport import Extent

# The text of a term with marks, and moves between its parts

Range = tuple[int, int]
MarkKind = Literal["", "redex", "selected"]

OPEN, CLOSE = "⟦", "⟧"
"""Brackets around the next redex."""
OPEN_PART, CLOSE_PART = "‹", "›"
"""Brackets around the selected part."""


class MarkedTerm:
    """A term with brackets around the redex and the selected part.

    redex, selected: their ranges in ``text``, including the brackets.
    """

    def __init__(self, text: str, redex: Range | None, selected: Range | None) -> None:
        marks: list[tuple[int, int, int, int, str]] = []
        for rank, (span, opening, closing) in enumerate(
            ((redex, OPEN, CLOSE), (selected, OPEN_PART, CLOSE_PART))
        ):
            if span is not None:
                start, end = span
                # At the same position, closing brackets are before opening ones, and outer brackets
                # open first.
                marks.append((start, 1, start - end, rank, opening))
                marks.append((end, 0, end - start, -rank, closing))
        # The index without marks, by character of the marked text.
        self._source_indices: list[int] = []
        kinds: list[MarkKind] = []
        texts: list[str] = []
        bracket_positions: dict[str, int] = {}
        done = 0
        for position, _, _, _, mark in [*sorted(marks), (len(text), 2, 0, 0, "")]:
            texts += text[done:position]
            kinds.extend(_kind(at, redex, selected) for at in range(done, position))
            self._source_indices += range(done, position)
            done = position
            if mark:
                bracket_positions[mark] = len(texts)
                texts.append(mark)
                kinds.append("selected" if mark in (OPEN_PART, CLOSE_PART) else "redex")
                self._source_indices.append(position if mark in (OPEN, OPEN_PART) else position - 1)
        self.text = "".join(texts)
        self._kinds = kinds
        self.redex = (
            (bracket_positions[OPEN], bracket_positions[CLOSE] + 1) if redex is not None else None
        )
        self.selected = (
            (bracket_positions[OPEN_PART], bracket_positions[CLOSE_PART] + 1)
            if selected is not None
            else None
        )

    def source_index(self, position: int) -> int | None:
        """Return the index in the original text of the character shown at ``position``, or None."""
        return self._source_indices[position] if 0 <= position < len(self._source_indices) else None

    def marked_runs(self, low: int, high: int) -> Iterator[tuple[str, MarkKind]]:
        """Yield the text from ``low`` to ``high``, split where the kind of mark changes."""
        at = low
        for kind, run in groupby(self._kinds[low:high]):
            length = len(list(run))
            yield self.text[at : at + length], kind
            at += length


def _kind(position: int, redex: Range | None, selected: Range | None) -> MarkKind:
    if redex is not None and redex[0] <= position < redex[1]:
        return "redex"
    if selected is not None and selected[0] <= position < selected[1]:
        return "selected"
    return ""


def part_at(parts: Sequence[Range], position: int) -> int | None:
    """Return the index of the innermost part that contains ``position``; None if none does."""
    containing = [part for part, (start, end) in enumerate(parts) if start <= position < end]
    return containing[-1] if containing else None


def neighbour(parts: Sequence[Range], part: int, *, rows: int = 0, columns: int = 0) -> int:
    """Return the part of a term to move to from ``part``, or ``part`` if there is none.

    rows: 1 for the next part that is not inside ``part``; -1 for the previous part at its level, or
    its parent. columns: 1 for the first part inside ``part``; -1 for its parent.
    """
    end = parts[part][1]
    parent = _parent(parts, part)
    if columns > 0:
        inside = part + 1 < len(parts) and parts[part + 1][0] < end
        return part + 1 if inside else part
    if columns < 0:
        return parent
    if rows > 0:
        return next((at for at in range(part + 1, len(parts)) if parts[at][0] >= end), part)
    previous_siblings = (at for at in range(part - 1, parent, -1) if _parent(parts, at) == parent)
    return next(previous_siblings, parent)


def tree_rows(parts: Sequence[Range], focus: int) -> list[int]:
    """Return the ancestors of ``focus``, outermost first, then ``focus`` and its children."""
    if focus >= len(parts):
        return []
    low, high = parts[focus]
    rows = [part for part in range(focus + 1) if parts[part][0] <= low and high <= parts[part][1]]
    child = focus + 1
    while child < len(parts) and parts[child][0] < high:
        rows.append(child)
        end = parts[child][1]
        child = next((at for at in range(child, len(parts)) if parts[at][0] >= end), len(parts))
    return rows


def elide_part(text: str, outer: Range, inner: Range, width: int) -> str:
    """Return the range ``outer`` of a text with its subrange ``inner`` replaced by ``_``.

    The result is cut to ``width`` characters.
    """
    left, right = text[outer[0] : inner[0]], text[inner[1] : outer[1]]
    width -= 1
    left = truncate(left, max(width - len(right), width // 2))
    right = truncate(right, width - len(left))
    return f"{left}_{right}"


def truncate(text: str, width: int) -> str:
    """Return the text, shortened to ``width`` characters with an ellipsis at the end."""
    return text if len(text) <= width else text[: max(0, width - 1)] + "…"


def _parent(parts: Sequence[Range], part: int) -> int:
    """Return the parent of ``part``, or ``part`` if it has none."""
    end = parts[part][1]
    return next((at for at in range(part - 1, -1, -1) if parts[at][1] >= end), part)


class TermPanel(PanelBox):
    """Shows a term with its redex visible; a part can be selected.

    The term is shown as text, or as a tree with the selected part (or else the redex), its
    ancestors and its children.
    """

    CYCLES_OWN_BASE = True
    PANEL_TYPE = Term
    HEIGHT: ClassVar[PanelHeight] = PanelHeight(minimum=4, weight=4)

    class PartSelected(Message):
        """The user selected a part of the term for queries."""

        def __init__(self, part: int) -> None:
            super().__init__()
            self.part = part

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._term: Term | None = None
        self._marked = MarkedTerm("", None, None)
        self._shows_tree = False
        self._rows: list[int] = []

    def show(self, snapshot: DebugSnapshot, panel: Term) -> None:
        self.snapshot, self._term = snapshot, panel
        marked = MarkedTerm(
            to_single_columns(panel.text), panel.redex, self._part_range(snapshot.selected_part)
        )
        self._rows = tree_rows(panel.parts, self._focused_part)
        focus_range = marked.selected or marked.redex
        if self._shows_tree:
            self._keep_row_in_view()
        elif focus_range is not None and focus_range != (
            self._marked.selected or self._marked.redex
        ):
            self._keep_in_view(*focus_range)
        self._marked = marked
        self.repaint()

    def toggle_tree(self) -> None:
        """Switch between the tree and the text."""
        self._shows_tree = not self._shows_tree
        self.first_row = 0
        if self._shows_tree:
            self._keep_row_in_view()
        elif self._marked.redex is not None:
            self._keep_in_view(*self._marked.redex)
        self.repaint()

    @property
    def extent(self) -> Extent:
        """The size of view to request from the debugger, so that the term in it fills the panel.

        A view that is n columns wide shows at most 2n characters of a term.
        """
        height = max(1, self.inner_height)
        return Extent(max(1, self._characters_per_row * height // 2), height)

    def cycle_base(self) -> None:
        """Switch between tree and text: a term has no numbers whose base could change."""
        self.toggle_tree()

    def selected_code(self, snapshot: DebugSnapshot) -> Span | None:
        """Return the span of the selected part in the source; None if no part is selected.

        Raises UsageError if a step made the part, or if its origin is not known yet.
        """
        if snapshot.selected_part is None:
            return None
        origin = snapshot.part_origin
        if origin is None:
            raise UsageError("the origin of this part is not known yet: p finds it")
        if origin.links or origin.span is None:
            raise UsageError(
                f"a breakpoint needs a part of the source; this part was {origin_text(origin)}"
            )
        return origin.span

    # Selecting

    def move(self, *, rows: int = 0, columns: int = 0) -> None:
        """Select the next or previous part, or the first child or the parent of the current part.

        rows: the number of parts to move forward, or backward if negative. columns: the number of
        levels to move down to children, or up if negative. If no part is selected yet, the focused
        part is selected.
        """
        term, snapshot = self._term, self.snapshot
        if term is None or snapshot is None or not term.parts:
            super().move(rows=rows, columns=columns)
            return
        part = self._focused_part
        if snapshot.selected_part is not None:
            for _ in range(abs(rows or columns)):
                part = neighbour(term.parts, part, rows=rows, columns=columns)
        self.post_message(self.PartSelected(part))

    def handle_click(self, column: int, row: int) -> None:
        if self._term is None:
            return
        if self._shows_tree:
            part = self._rows[row] if row < len(self._rows) else None
        else:
            at = self._marked.source_index(row * self._characters_per_row + column - 1)
            part = None if at is None else part_at(self._term.parts, at)
        if part is not None:
            self.post_message(self.PartSelected(part))

    @property
    def _focused_part(self) -> int:
        """The selected part, or else the redex."""
        term, snapshot = self._term, self.snapshot
        if snapshot is not None and snapshot.selected_part is not None:
            return snapshot.selected_part
        redex = None if term is None else term.redex
        return term.parts.index(redex) if term is not None and redex in term.parts else 0

    def _part_range(self, part: int | None) -> tuple[int, int] | None:
        parts = () if self._term is None else self._term.parts
        return parts[part] if part is not None and part < len(parts) else None

    # Drawing

    def heading(self) -> list[StyledText]:
        name = "term" if self._term is None else self._term.name
        return [self.title_span(f"{name}  tree" if self._shows_tree else name)]

    def caption(self) -> list[StyledText]:
        snapshot, term = self.snapshot, self._term
        if snapshot is None or snapshot.selected_part is None or term is None:
            return []
        return [self.title_span(f"part {snapshot.selected_part} of {len(term.parts)}")]

    def footer(self) -> list[StyledText]:
        snapshot = self.snapshot
        if snapshot is None or snapshot.selected_part is None:
            return []
        origin = snapshot.part_origin
        if origin is None:
            return [self.title_span("p shows what made this part")]
        if not origin.links:
            return [self.title_span(f"in the program at {origin.line}:{origin.column}")]
        step, name = origin.links[0].step, origin.links[0].instruction
        return [self.title_span(f"made @{format_int(step)} by {to_single_columns(name)}")]

    def row_count(self) -> int:
        if self._shows_tree:
            return max(1, len(self._rows))
        return max(1, -(-len(self._marked.text) // self._characters_per_row))

    def line(self, row: int, width: int) -> Strip:
        palette, marked = self.palette, self._marked
        if not marked.text:
            return make_strip([StyledText(" nothing is left", palette.faint)], width, palette.base)
        if self._shows_tree and row < len(self._rows):
            return self._tree_row(row, width)
        styles = {"": palette.base, "redex": palette.next, "selected": palette.selected}
        low = row * self._characters_per_row
        pieces = [StyledText(" ", palette.base)]
        pieces += [
            StyledText(text, styles[kind])
            for text, kind in marked.marked_runs(low, low + self._characters_per_row)
        ]
        return make_strip(pieces, width, palette.base)

    def _tree_row(self, row: int, width: int) -> Strip:
        """Return a row of the tree, which shows one part of the term.

        The row of an ancestor of the focused part shows ``_`` instead of the part that has the next
        row. Rows of the focused part and its children have no ``_``.
        """
        palette, snapshot, term = self.palette, self.snapshot, self._term
        assert term is not None
        part, focus, parts = self._rows[row], self._focused_part, term.parts
        depth = min(row, self._rows.index(focus) + 1)
        room = max(1, width - depth - 4)
        if part < focus:
            text = elide_part(term.text, parts[part], parts[self._rows[row + 1]], room)
        else:
            text = truncate(term.text[slice(*parts[part])], room)
        text, style = to_single_columns(text), palette.base
        if parts[part] == term.redex:
            text, style = f"{OPEN}{text}{CLOSE}", palette.next
        selected = snapshot is not None and snapshot.selected_part == part
        mark = (
            StyledText(CLOSE_PART, palette.selected) if selected else StyledText(" ", palette.base)
        )
        pieces = [StyledText(" " * depth, palette.base), mark, StyledText(text, style)]
        return make_strip(pieces, width, palette.base)

    def _keep_row_in_view(self) -> None:
        focus = self._focused_part
        if focus in self._rows:
            self.scroll_into_view(self._rows.index(focus))

    @property
    def _characters_per_row(self) -> int:
        """Number of characters per row, without the margins."""
        return max(1, self.inner_width - 2)

    def _keep_in_view(self, start: int, end: int) -> None:
        """Scroll to a range with a row above and below it, or to its start if it does not fit."""
        if not self.size:
            return
        row_length, height = self._characters_per_row, self.inner_height
        above, below = max(0, start // row_length - 1), (end - 1) // row_length + 1
        if below >= self.first_row + height:
            self.first_row = below + 1 - height
        self.first_row = max(0, min(self.first_row, above if height > 2 else start // row_length))


def to_single_columns(text: str) -> str:
    """Replace each character that is not one column wide by a character of one column."""
    text = text.translate(CONTROL_PICTURES)
    if text.isascii():
        return text
    return "".join(each if cell_len(each) == 1 else PLACEHOLDER for each in text)
