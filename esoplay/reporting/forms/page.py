"""A report as one page of HTML: everything in it, no script, readable in light, dark and print."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files

from esoplay.reporting.document import Block, Column, Document, Picture, Section, Table
from esoplay.reporting.pictures.canvas import style
from esoplay.version import VERSION

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def as_page(document: Document) -> str:
    """The whole page; it loads nothing and runs nothing, and its policy forbids both."""
    sheet = files("esoplay.reporting.forms").joinpath("page.css").read_text("utf-8")
    title = escape(document.title)
    contents = "".join(
        f'<li><a href="#{_id(section)}">{escape(section.title)}</a></li>'
        for section in document.sections
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
            f"<title>{title}</title>",
            f"<style>\n{sheet}{style()}</style>",
            "</head>",
            "<body>",
            f"<header><h1>{title}</h1></header>",
            f'<nav aria-label="Sections"><ul>{contents}</ul></nav>',
            "<main>",
            *(line for section in document.sections for line in _section_html(section)),
            "</main>",
            f"<footer>Made by esoplay {VERSION}.</footer>",
            "</body>",
            "</html>",
            "",
        ]
    )


def _id(section: Section) -> str:
    return "-".join(section.title.lower().split())


def _section_html(section: Section) -> Iterator[str]:
    name = _id(section)
    yield f'<section aria-labelledby="{name}">'
    yield f'<h2 id="{name}">{escape(section.title)}</h2>'
    for block in section.blocks:
        yield from _block_html(block)
    yield "</section>"


def _block_html(block: Block) -> Iterator[str]:
    # What is wide scrolls by itself, for which it must be within reach of the keyboard.
    if isinstance(block, Picture):
        yield f'<figure tabindex="0" aria-label="{escape(block.canvas.title)}">'
        yield block.canvas.element()
        yield f"<figcaption>{escape(block.canvas.title)}</figcaption>"
        yield "</figure>"
    elif isinstance(block, Table):
        yield from _table(block)
    else:
        yield f"<p>{escape(block.text)}</p>"


def _table(table: Table) -> Iterator[str]:
    caption = escape(table.caption)
    if table.folded:
        yield f"<details><summary>{caption}</summary>"
    yield f'<div class="wide" role="region" aria-label="{caption}" tabindex="0">'
    yield f"<table><caption>{caption}</caption>"
    heads = "".join(
        f'<th scope="col"{_kind(each)}>{escape(each.name)}</th>' for each in table.columns
    )
    yield f"<thead><tr>{heads}</tr></thead>"
    yield "<tbody>"
    for row in table.rows:
        yield f"<tr>{''.join(_cells(table, row))}</tr>"
    yield "</tbody></table></div>"
    if table.folded:
        yield "</details>"


def _cells(table: Table, row: Sequence[str]) -> Iterator[str]:
    for at, (column, cell) in enumerate(zip(table.columns, row, strict=True)):
        tag, scope = ("th", ' scope="row"') if at == 0 else ("td", "")
        yield f"<{tag}{scope}{_kind(column)}>{escape(cell)}</{tag}>"


def _kind(column: Column) -> str:
    return ' class="number"' if column.numeric else ""
