"""Why the run ended, or what goes on in it."""

from __future__ import annotations

from collections.abc import Iterable

from esoplay.debugging.analysis import FURTHER, Diagnosis
from esoplay.tui.debug.canvas import Piece
from esoplay.tui.debug.pages.list_page import LIST_ACTIONS, ListPage, Row, broken
from esoplay.tui.debug.visible import grouped, plural


class WhyPage(ListPage):
    """The doctor's findings, each with what to try and where to look."""

    NAME = "why"
    WORDS = "why it ended"
    ACTIONS = (*LIST_ACTIONS, "diagnose", "printed")

    diagnosis: Diagnosis | None = None
    excerpt: tuple[str, ...] = ()

    def show(self, diagnosis: Diagnosis | None, excerpt: tuple[str, ...] = ()) -> None:
        """Show these findings, and lines of the program that they are about."""
        if diagnosis != self.diagnosis or excerpt != self.excerpt:
            self.diagnosis, self.excerpt = diagnosis, excerpt
            self.restart()

    def caption(self) -> list[Piece]:
        if self.diagnosis is None or not self.diagnosis.known:
            return []
        return [Piece(f"of {plural(self.diagnosis.known, 'step')}", self.palette.faint)]

    def nothing(self) -> str:
        return "d asks why the run ended, or whether it ever will"

    def rows(self, width: int) -> Iterable[Row]:
        palette, found = self.palette, self.diagnosis
        if found is None:
            return
        for finding in found.findings:
            first = finding.moments[0].step if finding.moments else None
            text = f"{finding.certainty}: {finding.text}"
            style = palette.base if finding.kind in ("ended", "ahead") else palette.strong
            yield from broken(text, width, style, 2, first)
            for line in self.excerpt:
                yield Row((Piece(line, palette.warning),))
            if finding.advice:
                yield from broken(f"  try: {finding.advice}", width, palette.base, 7, first)
            for moment in finding.moments:
                yield Row(
                    (
                        Piece(f"  @{grouped(moment.step)}", palette.key),
                        Piece(f"  {moment.what}", palette.faint),
                    ),
                    moment.step,
                )
        if found.searched is not None:
            yield from broken(FURTHER.format(steps=found.searched), width, palette.faint, 2)
        elif not found.findings:
            yield from broken("nothing remarkable is known so far", width, palette.faint)
