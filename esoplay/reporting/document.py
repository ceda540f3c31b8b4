"""What a report says, in sections of paragraphs, tables and pictures, whatever form it takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from esoplay.reporting.canvas import Canvas


class Text(NamedTuple):
    """A paragraph of plain words."""

    text: str


class Column(NamedTuple):
    """numeric: stands at the right."""

    name: str
    numeric: bool = True


class Table(NamedTuple):
    """Rows of words.  bars: a share for each row, where lines of text may show one.

    folded: long, and only wanted by those who look for it.
    """

    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]
    bars: Sequence[float] | None = None
    folded: bool = False


class Picture(NamedTuple):
    """A drawing; ``canvas.name`` is what its file is called."""

    canvas: Canvas


Block = Text | Table | Picture


class Section(NamedTuple):
    title: str
    blocks: Sequence[Block]


class Document(NamedTuple):
    title: str
    sections: Sequence[Section]

    @property
    def pictures(self) -> Iterator[Canvas]:
        for section in self.sections:
            for block in section.blocks:
                if isinstance(block, Picture):
                    yield block.canvas


def words(name: str) -> Column:
    """A column of words, which stand at the left."""
    return Column(name, numeric=False)
