"""Programs in answers: the contents of a fenced block are taken byte for byte.

The rules, which docs/evaluation.md explains to users:

- A block begins with a line of three or more backticks or tildes, after up to three spaces.  Words
  may follow, without a backtick if the fence consists of backticks.  It ends with the first line
  that has as many of the same sign, or more, and nothing else but whitespace.
  These are CommonMark's rules (0.31.2, 4.5), but for the indentation of a fence: content keeps it.
- The program is every byte after the line break of the first of these lines and before the last.
  So the line break before the closing fence belongs to it; no language here minds it.
- Of several blocks the last counts, but one whose first word names the language or says
  ``program`` is preferred.  A block that was never closed counts only where no closed one does,
  and then extends to the end of the answer.
- Without a block there is no program.  Nothing is guessed from prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from esoplay.evaluation.model import to_bytes

_OPENING = re.compile(r" {0,3}(?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)")
_TILDES = re.compile(r"^ {0,3}(~{3,})", re.MULTILINE)
_SHORTEST = 4


class Spoken(Protocol):
    """A language or a host lane."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def extensions(self) -> tuple[str, ...]: ...


class Block(NamedTuple):
    """A fenced block.  word: the first one after the opening fence, in lower case."""

    word: str
    content: str
    closed: bool


def program_in(answer: str, language: Spoken) -> bytes | None:
    """The program that an answer hands in, or None where it has none."""
    block = chosen_block(answer, names_of(language))
    return None if block is None else to_bytes(block.content)


def output_in(answer: str) -> bytes | None:
    """Return the output that an answer predicts, without the last line break of the block."""
    block = chosen_block(answer, ("output",))
    return None if block is None else to_bytes(block.content.removesuffix("\n"))


def chosen_block(answer: str, names: Sequence[str]) -> Block | None:
    """The block that counts, if there is one."""
    found = list(blocks(answer))
    if not found:
        return None
    # max() takes the first of equals, and the last block is to count
    return max(reversed(found), key=lambda block: (block.closed, block.word in names))


def names_of(language: Spoken) -> tuple[str, ...]:
    """The words after a fence that name the language."""
    endings = (ending.removeprefix(".") for ending in language.extensions)
    return ("program", language.id, language.id.partition("-")[0], language.name.lower(), *endings)


def blocks(text: str) -> Iterator[Block]:
    """All fenced blocks, in the order of their first lines."""
    for place in _places(text):
        yield Block(place.word, text[place.start : place.end], place.closed)


def fenced(content: str) -> str:
    """``content`` in a block whose fence is nowhere in it."""
    longest = max((len(found) for found in _TILDES.findall(content)), default=0)
    fence = "~" * max(_SHORTEST, longest + 1)
    end = "" if content.endswith("\n") else "\n"
    return f"{fence}\n{content}{end}{fence}"


def without_blocks(text: str, instead: str) -> str:
    """``text`` with a line ``instead`` in the place of each fenced block."""
    kept, at = list[str](), 0
    for place in _places(text):
        kept += [text[at : place.opening], instead, "\n"]
        at = place.after
    return "".join([*kept, text[at:]])


class _CodeBlock(NamedTuple):
    """Where a block is: its opening fence, its content, and what follows the closing fence."""

    word: str
    opening: int
    start: int
    end: int
    after: int
    closed: bool


def _places(text: str) -> Iterator[_CodeBlock]:
    fence, word, opening, start = "", "", 0, 0
    for at, line, after in _lines(text):
        if fence:
            bare = line.strip(" \t\r")
            if len(bare) >= len(fence) and not bare.strip(fence[0]) and _near(line):
                yield _CodeBlock(word, opening, start, at, after, True)
                fence = ""
        elif (found := _OPENING.fullmatch(line)) is not None:
            info = found["info"].strip()
            if found["fence"][0] == "~" or "`" not in info:
                fence, opening, start = found["fence"], at, after
                word = info.split(maxsplit=1)[0].lower() if info else ""
    if fence:
        yield _CodeBlock(word, opening, start, len(text), len(text), False)


def _near(line: str) -> bool:
    """Whether a line begins with three spaces at most."""
    return len(line) - len(line.lstrip(" ")) <= 3 and not line.startswith("\t")


def _lines(text: str) -> Iterator[tuple[int, str, int]]:
    """Where each line begins, the line without its line feed, and where the next one begins."""
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        after = len(text) if end < 0 else end + 1
        yield at, text[at : after if end < 0 else end], after
        at = after
