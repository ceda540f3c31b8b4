"""A report as Markdown with tables, whose pictures are files beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from esoplay.reporting.document import Block, Document, Picture, Table, Text

_MEANT = re.compile(r"([\\`*_\[\]<>|#&~])")


def as_markdown(document: Document, pictures: str | None = None) -> str:
    """The whole report.  pictures: the folder of their files, None to leave them out."""
    return "\n\n".join([f"# {_plain(document.title)}", *_lines_of(document, pictures)]) + "\n"


def _lines_of(document: Document, pictures: str | None) -> Iterator[str]:
    for section in document.sections:
        yield f"## {_plain(section.title)}"
        for block in section.blocks:
            yield from _block_markdown(block, pictures)


def _block_markdown(block: Block, pictures: str | None) -> Iterator[str]:
    if isinstance(block, Text):
        yield _plain(block.text)
    elif isinstance(block, Table):
        yield f"**{_plain(block.caption)}**"
        yield "\n".join(_rows(block))
    elif pictures is not None:
        yield _picture(block, pictures)


def _picture(block: Picture, pictures: str) -> str:
    canvas = block.canvas
    words = _plain(f"{canvas.title}. {canvas.description}")
    return f"![{words}]({pictures}/{canvas.name}.svg)"


def _rows(table: Table) -> Iterator[str]:
    yield _row([column.name for column in table.columns])
    yield "|" + "|".join("-:" if column.numeric else "-" for column in table.columns) + "|"
    for row in table.rows:
        yield _row(row)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(map(_plain, cells)) + " |"


def _plain(text: str) -> str:
    """Words that mean themselves."""
    return _MEANT.sub(r"\\\1", text)
