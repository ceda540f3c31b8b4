"""Two runs side by side, where they part."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from itertools import zip_longest

from rich.cells import set_cell_size
from rich.style import Style

from esoplay.debugging.analysis import Comparison, Difference, Side, summary
from esoplay.tui.debug.canvas import Piece
from esoplay.tui.debug.pages.list_page import LIST_ACTIONS, ListPage, Row, broken
from esoplay.tui.debug.visible import PICTURED_TEXT, grouped

_BETWEEN = " │ "


class ComparePage(ListPage):
    """For each difference what either run did, where it is after that and what comes next."""

    NAME = "compare"
    WORDS = "the comparison"
    ACTIONS = (*LIST_ACTIONS, "compare", "printed")

    comparison: Comparison | None = None
    _what = ""

    def show(self, comparison: Comparison | None, what: str) -> None:
        """Show where the runs part; ``what`` says in what the other one is other."""
        if (comparison, what) != (self.comparison, self._what):
            self.comparison, self._what = comparison, what
            self.restart()

    def caption(self) -> list[Piece]:
        what = self._what.translate(PICTURED_TEXT)
        return [Piece(what, self.palette.faint)] if what else []

    def nothing(self) -> str:
        return "D compares with another run: :compare input …, file …, dialect …, option …"

    def rows(self, width: int) -> Iterable[Row]:
        palette, found = self.palette, self.comparison
        if found is None:
            return
        yield from broken(summary(found), width, palette.strong)
        half = (width - len(_BETWEEN)) // 2
        for each in found.differences:
            step = each.this.step
            yield self._beside(f"this run @{grouped(step)}", _other_title(each), half, step, True)
            pairs = zip_longest(_lines(each.this, half), _lines(each.other, half), fillvalue="")
            for left, right in pairs:
                yield self._beside(left, right, half, step)
        if found.differences:
            yield from broken(
                "Enter goes to a step; :compare other debugs the other run", width, palette.faint
            )

    def _beside(self, left: str, right: str, half: int, step: int, title: bool = False) -> Row:
        style: Style = self.palette.key if title else self.palette.base
        pieces = (
            Piece(set_cell_size(left, half), style),
            Piece(_BETWEEN, self.palette.faint),
            Piece(right, style),
        )
        return Row(pieces, step)


def _other_title(difference: Difference) -> str:
    return f"the other @{grouped(difference.other.step)}"


def _lines(side: Side, width: int) -> list[str]:
    """What a run did, and what it does next."""
    following = f"{side.place}: {side.instruction}" if side.instruction else side.place
    sentences = [side.what, f"then {following}", side.explanation]
    return [
        line
        for sentence in sentences
        for line in textwrap.wrap(sentence.translate(PICTURED_TEXT), max(10, width))[:3]
    ]
