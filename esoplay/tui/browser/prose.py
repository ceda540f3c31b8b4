"""Markdown as one piece of styled text: light enough for the first frame.

Textual's own widget builds a widget for every paragraph and guesses the language of every
listing; statements need neither.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from textual.content import Content

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_STYLES = {"strong_open": "bold", "em_open": "italic"}
CODE = "$code-io"
"""The style of code amid prose."""


def read_markdown(text: str) -> Content:
    """The text with its emphasis and listings; what is not known is shown as it is."""
    return Content("\n\n").join(_blocks(_parser().parse(text)))


def _blocks(tokens: Sequence[Token]) -> Iterator[Content]:
    """One piece for every block; the items of a list make one block together."""
    items: list[Content] = []
    bullet, number = "", 0
    lists = 0
    heading = False
    for token in tokens:
        heading = (heading and token.type != "heading_close") or token.type == "heading_open"
        if token.type == "ordered_list_open":
            number = int(token.attrGet("start") or 1)
        if token.type.endswith("_list_open"):
            lists += 1
        elif token.type.endswith("_list_close"):
            lists -= 1
            if lists == 0:
                yield Content("\n").join(items)
                items = []
        elif token.type == "list_item_open":
            indent = "  " * (lists - 1)
            bullet = f"{indent}{number}. " if token.info else f"{indent}• "
            number += 1
        elif token.type == "inline":
            inline = _inline(token.children or [])
            if lists:
                items.append(Content(bullet) + inline)
                bullet = " " * len(bullet)
            else:
                yield inline.stylize("bold") if heading else inline
        elif token.type in ("fence", "code_block"):
            yield Content("\n").join(
                Content.assemble(("▏ ", "$quiet"), (line, CODE))
                for line in token.content.rstrip("\n").split("\n")
            )


def _inline(tokens: Sequence[Token]) -> Content:
    parts: list[str | tuple[str, str]] = []
    styles: list[str] = []
    for token in tokens:
        if token.type in _STYLES:
            styles.append(_STYLES[token.type])
        elif token.type in ("strong_close", "em_close"):
            styles.pop()
        elif token.type in ("softbreak", "hardbreak"):
            parts.append(" " if token.type == "softbreak" else "\n")
        elif token.type == "code_inline":
            parts.append((token.content, CODE))
        else:
            parts.append((token.content, " ".join(styles)))
    return Content.assemble(*parts)


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark")
