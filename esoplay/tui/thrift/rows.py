"""Runs of text in one style, and rows of cells as a terminal keeps them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from rich.cells import cell_len

from esoplay.tui.thrift.pens import PLAIN, Pen, for_blanks, seen_on_blanks

_NARROW = re.compile("[ -~\u00a1-\u00ac\u00ae-\u02ff\u2190-\u21ff\u2500-\u25fc\u2800-\u28ff]+")
"""Text whose letters take one cell each, told without a table: most that is ever shown."""


class Run(NamedTuple):
    """Text in one style.  width: columns.  narrow: every letter takes one of them."""

    y: int
    x: int
    text: str
    pen: Pen
    width: int
    narrow: bool


class HalvedError(Exception):
    """Terminals differ in what they show in place of half a wide character."""


class Row:
    """Cells of a row: text and pen of each, and None as text of one that is not known.

    What is wider than a cell is in its first one, with nothing in the cells behind it.
    """

    __slots__ = ("pens", "texts")

    def __init__(self, texts: list[str | None], pens: list[Pen]) -> None:
        self.texts = texts
        self.pens = pens

    def copy(self) -> Row:
        return Row(self.texts.copy(), self.pens.copy())

    def put(self, run: Run) -> None:
        """Write a run.

        Raises HalvedError when half of something wide would be left.
        """
        _, x, text, pen, width, narrow = run
        end = x + width
        texts, pens = self.texts, self.pens
        if len(texts) < end:
            missing = end - len(texts)
            texts += [None] * missing
            pens += [PLAIN] * missing
        if texts[x] == "" or (end < len(texts) and texts[end] == ""):
            raise HalvedError
        if narrow:
            blank = seen_on_blanks(pen)
            texts[x:end] = text
            pens[x:end] = [blank if letter == " " else pen for letter in text]
        else:
            texts[x:end] = [text] + [""] * (width - 1)
            pens[x:end] = [pen] * width

    def pen_from(self, before: Pen, x: int) -> Pen:
        """The pen for the cell at ``x``; for a blank the nearest one to ``before``."""
        pen = self.pens[x]
        return for_blanks(before, pen) if self.texts[x] == " " else pen

    def alike(self, x: int, end: int, pen: Pen) -> int:
        """The column up to which cells from ``x`` on are narrow and look as ``pen`` draws them."""
        texts, pens = self.texts, self.pens
        blank = seen_on_blanks(pen)
        while x < end:
            text = texts[x]
            if text is None or len(text) != 1 or pens[x] != (blank if text == " " else pen):
                break
            if x + 1 < len(texts) and texts[x + 1] == "":
                break
            x += 1
        return x

    def text(self, x: int, end: int) -> str:
        """The text of cells that are known."""
        return "".join([text or "" for text in self.texts[x:end]])


@lru_cache(4096)
def measure(text: str) -> tuple[int, bool]:
    """Width in columns, and whether every letter takes one, whatever is beside it."""
    if _NARROW.fullmatch(text):
        return len(text), True
    width = cell_len(text)
    return width, width == len(text) and all(cell_len(letter) == 1 for letter in text)
