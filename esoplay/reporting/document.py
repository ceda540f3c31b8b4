"""Documents of sections, written as terminal text, Markdown, or an HTML page.

A section has paragraphs, tables and pictures.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from html import escape
from importlib.resources import files
from typing import NamedTuple

from esoplay.reporting.canvas import SvgCanvas, count_columns, style
from esoplay.version import VERSION


class Paragraph(NamedTuple):
    """A paragraph of plain text."""

    text: str


class TableColumn(NamedTuple):
    """A column of a table.  numeric: whether it is aligned right."""

    name: str
    numeric: bool = True


class ReportTable(NamedTuple):
    """A table. bars: a share for each row, which a report as text may show as a bar.

    is_folded: collapsed by default, because it is long and few readers need it.  reproduces: the
    table or figure of a publication that shows the same quantities; see ``publications``.
    """

    caption: str
    columns: Sequence[TableColumn]
    rows: Sequence[Sequence[str]]
    bars: Sequence[float] | None = None
    is_folded: bool = False
    reproduces: str = ""


class Picture(NamedTuple):
    """A picture; ``canvas.name`` is its file name.  reproduces: see :class:`ReportTable`."""

    canvas: SvgCanvas
    reproduces: str = ""


Block = Paragraph | ReportTable | Picture


class Section(NamedTuple):
    title: str
    blocks: Sequence[Block]


class Document(NamedTuple):
    title: str
    sections: Sequence[Section]

    @property
    def pictures(self) -> Iterator[SvgCanvas]:
        for section in self.sections:
            for block in section.blocks:
                if isinstance(block, Picture):
                    yield block.canvas


def text_column(name: str) -> TableColumn:
    """Return a column of words, which is aligned left."""
    return TableColumn(name, numeric=False)


def source_note(block: ReportTable | Picture) -> str:
    """Return a sentence that names the publication that a block reproduces; '' if none."""
    return f"Reproduces: {block.reproduces}." if block.reproduces else ""


# A report as terminal text, without pictures.

_GAP = "  "
_BAR_WIDTH = 20  # letters of a full bar
_MIN_WORDS_WIDTH = 24  # minimum width of the words at the right
_BAR_BLOCKS = " ▏▎▍▌▋▊▉█"

Style = Callable[[str], str]


def as_text(
    document: Document,
    width: int = 100,
    *,
    bold: Style = str,
    show_folded: bool = False,
    show_bars: bool = True,
) -> str:
    """Return the whole report in lines of at most ``width`` characters, if its cells allow it.

    bold: formats a heading. show_folded: whether to include folded tables. show_bars: whether the
    terminal can show bars.
    """
    parts = [bold(document.title)]
    parts += [
        _section_text(section, width, bold, show_folded, show_bars) for section in document.sections
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _section_text(
    section: Section, width: int, bold: Style, show_folded: bool, show_bars: bool
) -> str:
    """Return the text of a section; empty if it only refers to omitted pictures and tables."""
    parts: list[str] = []
    shown = [
        isinstance(block, ReportTable) and (show_folded or not block.is_folded)
        for block in section.blocks
        if not isinstance(block, Paragraph)
    ]
    if shown and not any(shown):
        return ""
    for block in section.blocks:
        if isinstance(block, Paragraph):
            parts.append("\n".join(_wrap(block.text, width)))
        elif isinstance(block, ReportTable) and (show_folded or not block.is_folded):
            parts += ["\n".join(lines) for lines in _split_table(block, width, show_bars)]
            parts[-1] = "\n".join([parts[-1], *_wrap(source_note(block), width)])
    return "\n\n".join([bold(section.title), *parts]) if parts else ""


def _split_table(table: ReportTable, width: int, show_bars: bool) -> Iterator[list[str]]:
    """Yield the lines of a table, as one list or, if the table is too wide, a list per part.

    Each part begins with the columns before the first numeric column.
    """
    cells = _wrap_rows(table, width)
    widths = [max(map(count_columns, column)) for column in zip(*cells, strict=True)]
    fixed = next(
        (at for at, column in enumerate(table.columns) if column.numeric), len(table.columns)
    )
    lines = list(_column_groups(widths, fixed, width))
    for number, part in enumerate(lines):
        rows = [
            _GAP.join(_align(row[at], widths[at], table.columns[at].numeric) for at in part)
            for row in cells
        ]
        shares = table.bars
        if (
            show_bars
            and shares is not None
            and len(lines) == 1
            and count_columns(rows[0]) + _BAR_WIDTH + 2 <= width
        ):
            rows[1:] = [
                row + _GAP + _bar(share) for row, share in zip(rows[1:], shares, strict=True)
            ]
        caption = table.caption if number == 0 else f"{table.caption}, continued"
        rule = "-" * max(count_columns(caption), min(width, count_columns(rows[0])))
        yield [caption, rule, *(row.rstrip() for row in rows)]


def _wrap_rows(table: ReportTable, width: int) -> list[list[str]]:
    """Return the headings and all rows; long text in the last column continues in further rows."""
    cells = [[column.name for column in table.columns], *map(list, table.rows)]
    if table.columns[-1].numeric:
        return cells
    before = sum(
        max(map(count_columns, column)) + len(_GAP)
        for column in list(zip(*cells, strict=True))[:-1]
    )
    room = max(_MIN_WORDS_WIDTH, width - before)
    rows: list[list[str]] = []
    for row in cells:
        first, *others = _wrap(row[-1], room) or [""]
        rows.append([*row[:-1], first])
        rows += [[*[""] * (len(row) - 1), other] for other in others]
    return rows


def _wrap(text: str, width: int) -> list[str]:
    """Wrap a text at spaces; paths and names are not split."""
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)


def _column_groups(widths: Sequence[int], fixed: int, max_width: int) -> Iterator[list[int]]:
    """Yield the columns of each part of a table that is too wide to be shown in one part.

    The first ``fixed`` columns are in every part.
    """
    first = list(range(fixed))
    part = first.copy()
    for at in range(fixed, len(widths)):
        together = sum(widths[each] for each in (*part, at)) + len(_GAP) * len(part)
        if together > max_width and len(part) > len(first):
            yield part
            part = first.copy()
        part.append(at)
    yield part


def _align(cell: str, width: int, numeric: bool) -> str:
    blanks = " " * (width - count_columns(cell))
    return blanks + cell if numeric else cell + blanks


def _bar(share: float) -> str:
    eighths = round(share * _BAR_WIDTH * 8)
    return _BAR_BLOCKS[8] * (eighths // 8) + _BAR_BLOCKS[eighths % 8].strip()


# A report as Markdown with tables; its pictures are separate files.

_MARKUP = re.compile(r"([\\`*_\[\]<>|#&~])")


def as_markdown(document: Document, pictures_folder: str | None = None) -> str:
    """Return the whole report. pictures_folder: None omits pictures."""
    return (
        "\n\n".join(
            [f"# {_escape_markdown(document.title)}", *_markdown_lines(document, pictures_folder)]
        )
        + "\n"
    )


def _markdown_lines(document: Document, pictures_folder: str | None) -> Iterator[str]:
    for section in document.sections:
        yield f"## {_escape_markdown(section.title)}"
        for block in section.blocks:
            yield from _block_markdown(block, pictures_folder)


def _block_markdown(block: Block, pictures_folder: str | None) -> Iterator[str]:
    if isinstance(block, Paragraph):
        yield _escape_markdown(block.text)
    elif isinstance(block, ReportTable):
        yield " ".join(
            filter(
                None,
                [f"**{_escape_markdown(block.caption)}**", _escape_markdown(source_note(block))],
            )
        )
        yield "\n".join(_markdown_rows(block))
    elif pictures_folder is not None:
        yield _picture_markdown(block, pictures_folder)


def _picture_markdown(block: Picture, pictures_folder: str) -> str:
    canvas = block.canvas
    words = _escape_markdown(f"{canvas.title}. {canvas.description}")
    picture = f"![{words}]({pictures_folder}/{canvas.name}.svg)"
    return "\n".join(filter(None, [picture, _escape_markdown(source_note(block))]))


def _markdown_rows(table: ReportTable) -> Iterator[str]:
    yield _markdown_row([column.name for column in table.columns])
    yield "|" + "|".join("-:" if column.numeric else "-" for column in table.columns) + "|"
    for row in table.rows:
        yield _markdown_row(row)


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(map(_escape_markdown, cells)) + " |"


def _escape_markdown(text: str) -> str:
    """Escape a text for Markdown."""
    return _MARKUP.sub(r"\\\1", text)


# A report as one HTML page without scripts, readable in light, dark and print.

_CODE = re.compile("`([^`]+)`")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def as_page(document: Document, links: Sequence[tuple[str, str]] = ()) -> str:
    """Return the whole page; its content security policy forbids loading and running anything.

    links: pairs of a text and the name of a file, listed before the links to the sections.
    """
    return make_page(
        document.title,
        [*links, *((section.title, _section_id(section)) for section in document.sections)],
        [line for section in document.sections for line in _section_html(section)],
        style(),
    )


def make_page(
    title: str, links: Sequence[tuple[str, str]], main: Sequence[str], css: str = ""
) -> str:
    """Return an HTML page whose content security policy forbids loading or running anything.

    links: pairs of a text and its target, the id of a section or the name of a file.  main: lines
    of HTML.  css: additional rules.
    """
    common = files("esoplay.reporting").joinpath("page.css").read_text("utf-8")
    contents = "".join(
        f'<li><a href="{escape(_address(to))}">{escape(name)}</a></li>' for name, to in links
    )
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            f'<meta name="generator" content="esoplay {VERSION}">',
            f"<title>{escape(title)}</title>",
            f"<style>\n{common}{css}</style>",
            "</head>",
            "<body>",
            f"<header><h1>{escape(title)}</h1></header>",
            f'<nav aria-label="Sections"><ul>{contents}</ul></nav>',
            "<main>",
            *main,
            "</main>",
            f"<footer>Made by esoplay {VERSION}.</footer>",
            "</body>",
            "</html>",
            "",
        ]
    )


def _address(target: str) -> str:
    return target if "." in target or "#" in target else f"#{target}"


def _section_id(section: Section) -> str:
    return "-".join(section.title.lower().split())


def _section_html(section: Section) -> Iterator[str]:
    name = _section_id(section)
    yield f'<section aria-labelledby="{name}">'
    yield f'<h2 id="{name}">{escape(section.title)}</h2>'
    for block in section.blocks:
        yield from _block_html(block)
    yield "</section>"


def _block_html(block: Block) -> Iterator[str]:
    # Wide elements scroll separately, and must be focusable for that.
    if isinstance(block, Picture):
        yield f'<figure tabindex="0" aria-label="{escape(block.canvas.title)}">'
        yield block.canvas.element()
        yield f"<figcaption>{escape(block.canvas.title)}{_source_html(block)}</figcaption>"
        yield "</figure>"
    elif isinstance(block, ReportTable):
        yield from _table_html(block)
    else:
        text = _CODE.sub(r"<code>\1</code>", escape(block.text))
        yield f"<p>{text}</p>"


def _table_html(table: ReportTable) -> Iterator[str]:
    caption = escape(table.caption)
    if table.is_folded:
        yield f"<details><summary>{caption}</summary>"
    yield f'<div class="wide" role="region" aria-label="{caption}" tabindex="0">'
    yield f"<table><caption>{caption}{_source_html(table)}</caption>"
    heads = "".join(
        f'<th scope="col"{_class_attribute(each)}>{escape(each.name)}</th>'
        for each in table.columns
    )
    yield f"<thead><tr>{heads}</tr></thead>"
    yield "<tbody>"
    for row in table.rows:
        yield f"<tr>{''.join(_cells_html(table, row))}</tr>"
    yield "</tbody></table></div>"
    if table.is_folded:
        yield "</details>"


def _source_html(block: ReportTable | Picture) -> str:
    note = source_note(block)
    return f" <small>{escape(note)}</small>" if note else ""


def _cells_html(table: ReportTable, row: Sequence[str]) -> Iterator[str]:
    for at, (column, cell) in enumerate(zip(table.columns, row, strict=True)):
        tag, scope = ("th", ' scope="row"') if at == 0 else ("td", "")
        yield f"<{tag}{scope}{_class_attribute(column)}>{_cell_html(cell, column)}</{tag}>"


def _cell_html(text: str, column: TableColumn) -> str:
    """Return the HTML of a cell; in a column of numbers, a part in brackets becomes a ``span``."""
    number, bracket, rest = text.partition(" (")
    if not column.numeric or not bracket:
        return escape(text)
    return f"{escape(number)} <span>({escape(rest)}</span>"


def _class_attribute(column: TableColumn) -> str:
    return ' class="number"' if column.numeric else ""
