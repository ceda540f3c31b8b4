"""A program as a list of instructions, for languages with an invisible source.

Rows are composed on demand, so that the first page appears as fast for a long program as for a
short one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.source import Span


class ListingRow(NamedTuple):
    """One instruction, or the first error of the source.

    span: source bytes of the instruction. mnemonic: its name; empty for an error.  operand: a
    number in decimal, or the name of a label.  character: the number as a printable character in
    quotes, or empty.  raw: the label's spelling in the source, if different from its name.
    marks_label: whether the instruction marks the label.  target: the row of its jump target; None
    for other instructions and for a missing label.  comment: the comment around the instruction.
    error: message about the error in this row, or empty.
    """

    span: Span
    mnemonic: str
    operand: str = ""
    character: str = ""
    raw: str = ""
    marks_label: bool = False
    target: int | None = None
    comment: str = ""
    error: str = ""

    @property
    def words(self) -> str:
        """Return the instruction in one line, such as ``push 65 'A'`` or ``jump L2 (STS)``."""
        raw = f"({self.raw})" if self.raw else ""
        return " ".join(filter(None, (self.mnemonic, self.operand, self.character, raw)))


class Listing(ABC):
    """The instructions of one source in order; rows count from 0."""

    @abstractmethod
    def __len__(self) -> int:
        """Return the number of rows, including an error at the end."""

    @abstractmethod
    def row(self, index: int) -> ListingRow:
        """Return row ``index``, which must exist."""

    @abstractmethod
    def start(self, index: int) -> int:
        """Return the source offset at which a row begins."""

    def row_at(self, offset: int) -> int:
        """Return the row that contains a source offset, else the next or last row; 0 without rows.

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
    def end(self, index: int) -> int:
        """Return the source offset after a row's last byte."""

    def partner(self, index: int) -> int | None:
        """Return the target row of a jump; for a label, the first row that jumps to the label."""
        return self.row(index).target

    def find(self, text: str, after: int, *, backwards: bool = False) -> int | None:
        """Return the next row that contains ``text``, wrapping around at the end.

        The row ``after`` itself is searched last.
        """
        size, folded = len(self), text.casefold()
        by = -1 if backwards else 1
        for distance in range(1, size + 1):
            at = (after + by * distance) % size
            row = self.row(at)
            name = f"{row.operand}:" if row.marks_label else ""
            if folded in f"{row.words}  {name}  {row.comment} {row.error}".casefold():
                return at
        return None
