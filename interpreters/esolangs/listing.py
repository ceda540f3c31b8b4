"""A program as a list of instructions, for languages whose source is invisible.

A listing is made for the screen: rows are composed when they are asked for, so that the first
page of a program of 100,000 instructions costs no more than that of a short one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.source import Span


class ListingRow(NamedTuple):
    """One instruction, or what is wrong where the source stops being a program.

    span: its bytes in the source.  mnemonic: its name; empty for an error.  operand: a number in
    decimal, or the name of a label.  character: the number as a character, in quotes, where it is
    one that can be shown.  raw: a label as the source spells it, where its name is not that.
    marks: the row marks the label.  target: the row that it jumps to; None for other instructions
    and for a label that is missing.  comment: text of the source around it that is not code.
    error: what is wrong here.
    """

    span: Span
    mnemonic: str
    operand: str = ""
    character: str = ""
    raw: str = ""
    marks: bool = False
    target: int | None = None
    comment: str = ""
    error: str = ""

    @property
    def words(self) -> str:
        """The instruction in one line, such as ``push 65 'A'`` and ``jump L2 (STS)``."""
        raw = f"({self.raw})" if self.raw else ""
        return " ".join(filter(None, (self.mnemonic, self.operand, self.character, raw)))


class Listing(ABC):
    """The instructions of one source in their order, counted from 0."""

    @abstractmethod
    def __len__(self) -> int:
        """How many rows there are, an error at the end included."""

    @abstractmethod
    def row(self, at: int) -> ListingRow:
        """The row of this number, which must exist."""

    @abstractmethod
    def start(self, at: int) -> int:
        """The source offset at which a row begins."""

    def row_at(self, offset: int) -> int:
        """The row whose bytes contain a source offset, else the next or last one; 0 without rows.

        A comment belongs to the instruction after it.
        """
        low, high = 0, len(self) - 1
        while low < high:
            middle = (low + high) // 2
            if self.end(middle) > offset:
                high = middle
            else:
                low = middle + 1
        return max(0, low)

    @abstractmethod
    def end(self, at: int) -> int:
        """The source offset after a row's last byte."""

    def partner(self, at: int) -> int | None:
        """The row that a jump leads to; of a label the first one that jumps to it."""
        return self.row(at).target

    def find(self, wanted: str, after: int, *, backwards: bool = False) -> int | None:
        """The next row after ``after`` that contains ``wanted``, going round at the end.

        The row ``after`` itself comes last.
        """
        size, folded = len(self), wanted.casefold()
        by = -1 if backwards else 1
        for distance in range(1, size + 1):
            at = (after + by * distance) % size
            row = self.row(at)
            name = f"{row.operand}:" if row.marks else ""
            if folded in f"{row.words}  {name}  {row.comment} {row.error}".casefold():
                return at
        return None
