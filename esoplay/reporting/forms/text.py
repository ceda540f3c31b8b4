"""A report as lines of text for a terminal.  Pictures are left to the other forms."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence

from esoplay.reporting.document import Document, Section, Table, Text
from esoplay.reporting.widths import columns_of

_GAP = "  "
_BAR = 20  # letters of a full bar
_LEAST = 24  # letters that words at the right are given
_EIGHTHS = " ▏▎▍▌▋▊▉█"

Style = Callable[[str], str]


def as_text(
    document: Document,
    width: int = 100,
    *,
    bold: Style = str,
    folded: bool = False,
    bars: bool = True,
) -> str:
    """The whole report in lines of at most ``width`` letters, as far as its cells allow.

    bold: makes a heading of a line.  folded: with the tables that other forms fold.  bars:
    whether the terminal has the letters for them.
    """
    parts = [bold(document.title)]
    parts += [_section_text(section, width, bold, folded, bars) for section in document.sections]
    return "\n\n".join(part for part in parts if part) + "\n"


def _section_text(section: Section, width: int, bold: Style, folded: bool, bars: bool) -> str:
    """Nothing, where words are about pictures and folded tables alone, and are all that is left."""
    parts: list[str] = []
    shown = [
        isinstance(block, Table) and (folded or not block.folded)
        for block in section.blocks
        if not isinstance(block, Text)
    ]
    if shown and not any(shown):
        return ""
    for block in section.blocks:
        if isinstance(block, Text):
            parts.append("\n".join(_wrap(block.text, width)))
        elif isinstance(block, Table) and (folded or not block.folded):
            parts += ["\n".join(lines) for lines in _tables(block, width, bars)]
    return "\n\n".join([bold(section.title), *parts]) if parts else ""


def _tables(table: Table, width: int, bars: bool) -> Iterator[list[str]]:
    """The table; where it is too wide in several, each with the first words of its rows."""
    cells = _rows_that_fit(table, width)
    widths = [max(map(columns_of, column)) for column in zip(*cells, strict=True)]
    fixed = next(
        (at for at, column in enumerate(table.columns) if column.numeric), len(table.columns)
    )
    lines = list(_column_groups(widths, fixed, width))
    for number, part in enumerate(lines):
        rows = [
            _GAP.join(_placed(row[at], widths[at], table.columns[at].numeric) for at in part)
            for row in cells
        ]
        shares = table.bars
        if (
            bars
            and shares is not None
            and len(lines) == 1
            and columns_of(rows[0]) + _BAR + 2 <= width
        ):
            rows[1:] = [
                row + _GAP + _bar(share) for row, share in zip(rows[1:], shares, strict=True)
            ]
        caption = table.caption if number == 0 else f"{table.caption}, continued"
        rule = "-" * max(columns_of(caption), min(width, columns_of(rows[0])))
        yield [caption, rule, *(row.rstrip() for row in rows)]


def _rows_that_fit(table: Table, width: int) -> list[list[str]]:
    """The heads and all rows; words at the right go on in further rows where they are too long."""
    cells = [[column.name for column in table.columns], *map(list, table.rows)]
    if table.columns[-1].numeric:
        return cells
    before = sum(
        max(map(columns_of, column)) + len(_GAP) for column in list(zip(*cells, strict=True))[:-1]
    )
    room = max(_LEAST, width - before)
    rows: list[list[str]] = []
    for row in cells:
        first, *others = _wrap(row[-1], room) or [""]
        rows.append([*row[:-1], first])
        rows += [[*[""] * (len(row) - 1), other] for other in others]
    return rows


def _wrap(text: str, width: int) -> list[str]:
    """Lines of whole words; paths and names are not parted."""
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)


def _column_groups(widths: Sequence[int], fixed: int, most: int) -> Iterator[list[int]]:
    """Which columns stand together; the first ``fixed`` are in every part."""
    first = list(range(fixed))
    part = first.copy()
    for at in range(fixed, len(widths)):
        together = sum(widths[each] for each in (*part, at)) + len(_GAP) * len(part)
        if together > most and len(part) > len(first):
            yield part
            part = first.copy()
        part.append(at)
    yield part


def _placed(cell: str, width: int, numeric: bool) -> str:
    blanks = " " * (width - columns_of(cell))
    return blanks + cell if numeric else cell + blanks


def _bar(share: float) -> str:
    eighths = round(share * _BAR * 8)
    return _EIGHTHS[8] * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
