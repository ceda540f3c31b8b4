"""Render Markdown as plain text, for simple terminals and screen readers.

Markup for appearance is removed. Code within text is quoted, because instructions are often a full
stop or a comma.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it.token import Token

MAX_COLUMNS = 96
INDENT = "    "
"""Indentation of code blocks."""
MIN_LAST_WIDTH = 24
"""Minimum width of the last table column; if less space is left, its text starts on a new line."""


def columns() -> int:
    """Return the maximum width of text on this terminal."""
    return min(MAX_COLUMNS, max(20, get_terminal_size((MAX_COLUMNS, 24)).columns - 1))


def plain_lines(
    markdown: str, width: int | None = None, *, rows_as_sentences: bool = False
) -> list[str]:
    """Return the text in lines of at most ``width`` columns, except code blocks and long words.

    Paragraphs, lists, code blocks and tables are separated by blank lines.
    rows_as_sentences: print each table row as a sentence, which makes sense without the columns.
    """
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    return _blocks(parser.parse(markdown), width or columns(), rows_as_sentences)


def text_mode_lines(markdown: str) -> list[str]:
    """Convert Markdown to the lines that the text mode and the text debugger print."""
    return plain_lines(markdown, rows_as_sentences=True)


def plain_phrase(markdown: str) -> str:
    """Convert Markdown of at most one paragraph to one line of plain text."""
    return " ".join(line.strip() for line in plain_lines(markdown, 1_000_000))


def _blocks(tokens: Sequence[Token], width: int, rows_as_sentences: bool) -> list[str]:
    lines: list[str] = []
    marks: list[str] = []
    numbers: list[int | None] = []
    following = iter(tokens)
    for token in following:
        if lines and token.level == 0 and token.nesting >= 0:
            lines.append("")
        match token.type:
            case "bullet_list_open":
                numbers.append(None)
            case "ordered_list_open":
                numbers.append(int(token.attrGet("start") or 1))
            case "bullet_list_close" | "ordered_list_close":
                numbers.pop()
            case "list_item_open":
                number = numbers[-1]
                marks.append("- " if number is None else f"{number}. ")
                numbers[-1] = None if number is None else number + 1
            case "list_item_close":
                marks.pop()
            case "inline":
                lines += _wrap(_inline(token), width, marks)
                marks = [" " * len(mark) for mark in marks]
            case "fence" | "code_block":
                before = INDENT + "".join(" " * len(mark) for mark in marks)
                lines += [before + line for line in token.content.rstrip("\n").split("\n")]
            case "table_open":
                if rows_as_sentences:
                    lines += _sentences(_rows(following, unquoted=False), width)
                else:
                    lines += _table(_rows(following), width)
            case _:
                pass
    return lines


def _wrap(text: str, width: int, marks: Sequence[str]) -> list[str]:
    first = "".join(marks)
    return wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _inline(token: Token, *, unquoted: bool | None = None) -> str:
    """Return the text of a paragraph; quote code unless the paragraph contains nothing else.

    unquoted: whether code is unquoted (True) or quoted (False); None: decide by the contents.
    """
    parts = token.children or []
    alone = all(part.type == "code_inline" or not part.content.strip() for part in parts)
    if unquoted is not None:
        alone = unquoted
    text = ""
    for part in parts:
        if part.type in ("softbreak", "hardbreak"):
            text += " "
        elif part.type == "code_inline" and not alone:
            mark = '"' if "'" in part.content else "'"
            text += f"{mark}{part.content}{mark}"
        else:
            text += part.content
    return text


def _rows(tokens: Iterator[Token], *, unquoted: bool = True) -> list[list[str]]:
    """Read a table to its end and return the text of its cells, as a list for each row.

    unquoted: whether to omit the quotes around code in all columns but the last; otherwise all code
    is quoted.
    """
    rows: list[list[Token]] = []
    for token in tokens:
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(token)
    if not unquoted:
        return [[_inline(cell, unquoted=False) for cell in row] for row in rows]
    return [
        [*(_inline(cell, unquoted=True) for cell in row[:-1]), _inline(row[-1])] for row in rows
    ]


def _sentences(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Format each row as "cells: last cell", such as "j, ↓: next line", wrapped to ``width``."""
    lines: list[str] = []
    for row in rows:
        lines += wrap(
            f"{', '.join(filter(None, row[:-1]))}: {row[-1]}", width, break_long_words=False
        )
    return lines


def _table(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Format rows as aligned columns; only the last column is wrapped."""
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    at = sum(each + 2 for each in widths[:-1])
    lines: list[str] = []
    for row in rows:
        head = "".join(f"{cell:<{each}}  " for cell, each in zip(row[:-1], widths, strict=False))
        if width - at >= MIN_LAST_WIDTH:
            last = wrap(row[-1], width - at) or [""]
            lines.append((head + last[0]).rstrip())
            lines += [" " * at + line for line in last[1:]]
        else:
            lines += wrap(head.rstrip(), width)
            lines += wrap(row[-1], width, initial_indent=INDENT, subsequent_indent=INDENT)
    return lines
