"""The fenced blocks of the pages of the site and of the README, and how each is held.

Blocks of some kinds are executed as they stand.  Any other has a comment above it: ``<!-- held
by TEST -->`` names the test that uses it, ``<!-- not run: REASON -->`` says why none can.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from shell import ROOT

PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]

_BLOCK = re.compile(
    r"(?:^<!-- (?P<note>[^\n]*) -->\n)?^```(?P<kind>[^\n]*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


class Block(NamedTuple):
    """kind: the text after the opening fence.  note: the comment above it, or nothing."""

    page: str
    line: int
    kind: str
    text: str
    note: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> list[Block]:
    """The blocks of a page, in order."""
    text = page.read_text("utf-8")
    return [
        Block(
            name_of(page),
            text.count("\n", 0, found.start()) + 1,
            found["kind"],
            found["text"],
            found["note"] or "",
        )
        for found in _BLOCK.finditer(text)
    ]


def prose(page: Path) -> str:
    """A page without its blocks."""
    return _BLOCK.sub("", page.read_text("utf-8"))
