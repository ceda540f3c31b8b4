"""What changed since the attempt before on the same problem."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.strip import Strip

from esoplay.service.program_diff import ProgramDiff
from esoplay.tui.debug.box import Box
from esoplay.tui.debug.canvas import Piece, strip_of
from esoplay.tui.keys import Action, bindings
from esoplay.tui.replay.diff_rows import Cell, ShownRow, Words, side_by_side, unified
from esoplay.tui.replay.reader import SCROLLING

_NUMBER = 5  # columns of a line's number and its sign


class DiffView(Box):
    """Removed lines have a minus and added ones a plus; what changed within them is bold."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *SCROLLING,
        *bindings(
            "changes",
            Action("replay.sides", "sides", "Side by side", shown=True),
        ),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.sides = False
        """Old and new stand side by side."""
        self._diff: ProgramDiff | None = None
        self._label = ""
        self._nothing = "nothing is selected"
        self._rows: list[ShownRow] = []
        self._laid_out: tuple[int, bool] | None = None

    def show(self, diff: ProgramDiff | None, name: str, nothing: str) -> None:
        """Show a difference, named in the frame; without one say ``nothing``."""
        self._diff, self._label, self._nothing = diff, name, nothing
        self._laid_out = None
        self.top = 0
        self.repaint()

    def action_sides(self) -> None:
        """Side by side, or one under the other."""
        self.sides = not self.sides
        self._laid_out = None
        self.top = 0
        self.repaint()

    def action_scroll_rows(self, rows: int) -> None:
        self._scroll_by(rows)

    def action_scroll_pages(self, pages: int) -> None:
        self._scroll_by(pages * max(1, self.inner_height - 1))

    def action_scroll_to(self, end: bool) -> None:
        self._scroll_by(self.row_count() if end else -self.row_count())

    # Drawing

    def heading(self) -> list[Piece]:
        return [self.title_piece(f"changes{self._label}")]

    def caption(self) -> list[Piece]:
        if self._diff is None or self._diff.same:
            return []
        return [
            Piece(f"-{self._diff.removed}", self.palette.wrong),
            Piece(f" +{self._diff.added}", self.palette.good),
        ]

    def row_count(self) -> int:
        return max(1, len(self._layout()))

    def line(self, row: int, width: int) -> Strip:
        palette, rows = self.palette, self._layout()
        if not rows:
            said = Piece(f" {self._nothing}", palette.faint)
            return strip_of([said], width, palette.base)
        shown = rows[row]
        if isinstance(shown, Words):
            return strip_of([Piece(f" {shown.text}", palette.faint)], width, palette.base)
        if len(shown) == 1:
            return strip_of(self._pieces(shown[0]), width, palette.base)
        half = (width - 1) // 2
        return Strip.join(
            [
                strip_of(self._pieces(shown[0]), half, palette.base),
                strip_of([Piece("│", palette.frame)], 1, palette.frame),
                strip_of(self._pieces(shown[1]), width - half - 1, palette.base),
            ]
        )

    def _pieces(self, cell: Cell | None) -> list[Piece]:
        palette = self.palette
        if cell is None:
            return []
        plain = {"-": palette.got, "+": palette.base, " ": palette.faint}[cell.sign]
        loud = {"-": palette.wrong, "+": palette.good, " ": palette.faint}[cell.sign]
        number = "" if cell.number is None else str(cell.number)
        return [
            Piece(f"{number:>{_NUMBER - 2}.{_NUMBER - 2}}", palette.faint),
            Piece(f"{cell.sign} ", loud),
            *(Piece(part.text, loud if part.changed else plain) for part in cell.parts),
        ]

    def _layout(self) -> list[ShownRow]:
        """The rows for the present width."""
        wanted = self.inner_width, self.sides
        if self._laid_out != wanted:
            self._laid_out = wanted
            rows = () if self._diff is None or self._diff.same else self._diff.rows
            room = (self.inner_width - 1) // 2 if self.sides else self.inner_width
            lay = side_by_side if self.sides else unified
            self._rows = lay(rows, max(1, room - _NUMBER))
        return self._rows
