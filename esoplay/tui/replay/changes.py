"""The program of an attempt, and its changes since the previous attempt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest
from typing import ClassVar, Literal, NamedTuple

from textual import events
from textual.binding import BindingType
from textual.strip import Strip

from esolangs.wording import plural
from esoplay.benchmark.replay import DiffLine, DiffPair, DiffRow, OmittedLines, ProgramDiff
from esoplay.tui.debug.byte_glyphs import BYTE_PICTURES
from esoplay.tui.debug.canvas import PanelFrame, StyledText, make_strip
from esoplay.tui.debug.program_view import NO_SPAN, ProgramView
from esoplay.tui.highlight import SPACE_GLYPH, TAB_GLYPH
from esoplay.tui.keys import Action, bindings

# A difference of programs as rows, unified or side by side

Sign = Literal[" ", "-", "+"]


class ChangedPart(NamedTuple):
    """A part of a row. is_changed: whether it differs from the other version of the line."""

    text: str
    is_changed: bool = False


class VersionRow(NamedTuple):
    """A row of one version of the program.

    number: the line number; None in the following rows of a wrapped line.
    """

    sign: Sign
    number: int | None
    parts: tuple[ChangedPart, ...]


class NoteRow(NamedTuple):
    """A row with a remark about the difference."""

    text: str


ShownRow = NoteRow | tuple[VersionRow | None, ...]
"""A note, a row in one column, or an old and a new row side by side, of which one can be None."""


def unified_rows(rows: Iterable[DiffRow], width: int) -> list[ShownRow]:
    """Return rows in which removed lines are above the lines that replace them.

    width: the columns of the text.
    """
    shown: list[ShownRow] = []
    for kind, group in groupby(rows, key=_kind):
        if kind == "gap":
            shown += _note_rows(group)
            continue
        pairs = [row for row in group if isinstance(row, DiffPair)]
        if kind == "same":
            for pair in pairs:
                shown += [(cell,) for cell in _wrapped_rows(pair.new, " ", width)]
            continue
        for pair in pairs:
            shown += [(cell,) for cell in _wrapped_rows(pair.old, "-", width)]
        for pair in pairs:
            shown += [(cell,) for cell in _wrapped_rows(pair.new, "+", width)]
    return shown


def side_by_side_rows(rows: Iterable[DiffRow], width: int) -> list[ShownRow]:
    """Return rows with old lines next to new lines.

    width: the columns of the text on one side.
    """
    shown: list[ShownRow] = []
    for row in rows:
        if isinstance(row, OmittedLines):
            shown += _note_rows([row])
            continue
        left = _wrapped_rows(row.old, " " if row.same else "-", width)
        right = _wrapped_rows(row.new, " " if row.same else "+", width)
        shown += zip_longest(left, right)
    return shown


def _kind(row: DiffRow) -> str:
    if isinstance(row, OmittedLines):
        return "gap"
    return "same" if row.same else "changed"


def _note_rows(rows: Iterable[DiffRow]) -> Sequence[NoteRow]:
    return [
        NoteRow(f"⋯ {plural(row.lines, 'unchanged line')}")
        for row in rows
        if isinstance(row, OmittedLines)
    ]


def _wrapped_rows(side: DiffLine | None, sign: Sign, width: int) -> list[VersionRow]:
    """Return the rows of a line, wrapped after ``width`` bytes; no rows if ``side`` is None."""
    if side is None:
        return []
    starts = range(0, max(1, len(side.text)), max(1, width))
    return [
        VersionRow(
            sign,
            side.number if start == 0 else None,
            tuple(_parts(side, start, min(len(side.text), start + width))),
        )
        for start in starts
    ]


def _parts(side: DiffLine, start: int, end: int) -> Iterator[ChangedPart]:
    at = start
    for low, high in side.changed:
        low, high = max(low, start), min(high, end)
        if low >= high:
            continue
        if at < low:
            yield ChangedPart(_glyphs(side.text[at:low]))
        yield ChangedPart(_glyphs(side.text[low:high]), is_changed=True)
        at = high
    if at < end:
        yield ChangedPart(_glyphs(side.text[at:end]))


def _glyphs(data: bytes) -> str:
    """Return one glyph per byte; spaces are visible only if all of ``data`` is whitespace."""
    shown = data.decode("latin-1").translate(BYTE_PICTURES).replace(BYTE_PICTURES[9], TAB_GLYPH)
    return shown if data.strip() else shown.replace(" ", SPACE_GLYPH)


# A read-only program, with colours

SCROLL_BINDINGS: list[BindingType] = bindings(
    "reader",
    Action("replay.read-down", "scroll_rows(1)", "Down"),
    Action("replay.read-up", "scroll_rows(-1)", "Up"),
    Action("replay.read-on", "scroll_pages(1)", "Page down"),
    Action("replay.read-back", "scroll_pages(-1)", "Page up"),
    Action("replay.read-first", "scroll_to(False)", "Start"),
    Action("replay.read-last", "scroll_to(True)", "End"),
)
"""Keys that scroll the pane with the program and the pane with the changes."""


class ProgramReader(ProgramView):
    """A view, without a cursor, of the program of the selected attempt."""

    BINDINGS: ClassVar[list[BindingType]] = SCROLL_BINDINGS

    _label = "program"

    def show_program(self, source: bytes, language_id: str, name: str) -> None:
        """Show a program from its start."""
        self._label = name
        self.open(source, language_id)
        self._current = NO_SPAN
        self._length = len(source)
        self.repaint()

    _length = 0

    def heading(self) -> list[StyledText]:
        return [self.title_span(self._label)]

    def caption(self) -> list[StyledText]:
        return [self.title_span(plural(self._length, "byte"))]

    def on_click(self, event: events.Click) -> None:
        event.prevent_default()  # this view has no cursor

    def action_scroll_rows(self, rows: int) -> None:
        self._scroll_by(rows)

    def action_scroll_pages(self, pages: int) -> None:
        self._scroll_by(pages * max(1, self.inner_height - 1))

    def action_scroll_to(self, to_end: bool) -> None:
        self._scroll_by(self.row_count() if to_end else -self.row_count())


_NUMBER_COLUMNS = 5  # columns of the line number and the sign


class DiffView(PanelFrame):
    """A difference: removed lines with a minus, added lines with a plus, changed text in bold."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *SCROLL_BINDINGS,
        *bindings(
            "changes",
            Action("replay.sides", "sides", "Side by side", in_footer=True),
        ),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.side_by_side = False
        """Whether old and new lines are side by side."""
        self._diff: ProgramDiff | None = None
        self._label = ""
        self._empty_text = "nothing is selected"
        self._rows: list[ShownRow] = []
        self._layout_key: tuple[int, bool] | None = None

    def show(self, diff: ProgramDiff | None, name: str, empty_text: str) -> None:
        """Show a difference, or ``empty_text`` if ``diff`` is None, with ``name`` in the frame."""
        self._diff, self._label, self._empty_text = diff, name, empty_text
        self._layout_key = None
        self.first_row = 0
        self.repaint()

    def action_sides(self) -> None:
        """Switch between old and new lines side by side and all lines in one column."""
        self.side_by_side = not self.side_by_side
        self._layout_key = None
        self.first_row = 0
        self.repaint()

    def action_scroll_rows(self, rows: int) -> None:
        self._scroll_by(rows)

    def action_scroll_pages(self, pages: int) -> None:
        self._scroll_by(pages * max(1, self.inner_height - 1))

    def action_scroll_to(self, to_end: bool) -> None:
        self._scroll_by(self.row_count() if to_end else -self.row_count())

    # Drawing

    def heading(self) -> list[StyledText]:
        return [self.title_span(f"changes{self._label}")]

    def caption(self) -> list[StyledText]:
        if self._diff is None or self._diff.is_equal:
            return []
        return [
            StyledText(f"-{self._diff.removed}", self.palette.wrong),
            StyledText(f" +{self._diff.added}", self.palette.good),
        ]

    def row_count(self) -> int:
        return max(1, len(self._layout()))

    def line(self, row: int, width: int) -> Strip:
        palette, rows = self.palette, self._layout()
        if not rows:
            said = StyledText(f" {self._empty_text}", palette.faint)
            return make_strip([said], width, palette.base)
        shown = rows[row]
        if isinstance(shown, NoteRow):
            return make_strip([StyledText(f" {shown.text}", palette.faint)], width, palette.base)
        if len(shown) == 1:
            return make_strip(self._row_spans(shown[0]), width, palette.base)
        half = (width - 1) // 2
        return Strip.join(
            [
                make_strip(self._row_spans(shown[0]), half, palette.base),
                make_strip([StyledText("│", palette.frame)], 1, palette.frame),
                make_strip(self._row_spans(shown[1]), width - half - 1, palette.base),
            ]
        )

    def _row_spans(self, row: VersionRow | None) -> list[StyledText]:
        palette = self.palette
        if row is None:
            return []
        plain = {"-": palette.got, "+": palette.base, " ": palette.faint}[row.sign]
        loud = {"-": palette.wrong, "+": palette.good, " ": palette.faint}[row.sign]
        number = "" if row.number is None else str(row.number)
        return [
            StyledText(f"{number:>{_NUMBER_COLUMNS - 2}.{_NUMBER_COLUMNS - 2}}", palette.faint),
            StyledText(f"{row.sign} ", loud),
            *(StyledText(part.text, loud if part.is_changed else plain) for part in row.parts),
        ]

    def _layout(self) -> list[ShownRow]:
        """Return the rows for the current width."""
        wanted = self.inner_width, self.side_by_side
        if self._layout_key != wanted:
            self._layout_key = wanted
            rows = () if self._diff is None or self._diff.is_equal else self._diff.rows
            room = (self.inner_width - 1) // 2 if self.side_by_side else self.inner_width
            lay = side_by_side_rows if self.side_by_side else unified_rows
            self._rows = lay(rows, max(1, room - _NUMBER_COLUMNS))
        return self._rows
