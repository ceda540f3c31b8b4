"""Extract programs from answers: the exact bytes of a fenced block.

The rules, which docs/evaluation.md explains to users:

- A block begins with a line of three or more backticks or tildes, after up to three spaces. Words
  may follow, without a backtick if the fence consists of backticks. It ends with the first line
  that contains at least as many of the same characters and nothing else but whitespace.
  These are CommonMark's rules (0.31.2, 4.5), except that content keeps the fence's indentation.
- The program is every byte between the line break of the opening line and the closing line. It
  includes the line break before the closing fence, which all languages here ignore.
- The last block counts, but a block whose first word is the language's name or ``program`` is
  preferred. An unclosed block extends to the end of the answer, and is used only if no block is
  closed.
- An answer without a block has no program. Nothing is guessed from prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from esoplay.evaluation.model import to_bytes

_OPENING = re.compile(r" {0,3}(?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)")
_TILDES = re.compile(r"^ {0,3}(~{3,})", re.MULTILINE)
_MIN_FENCE_PREFIX = 4


class NamedLanguage(Protocol):
    """An esoteric language, or a host lane (an ordinary language), with its file extensions."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def extensions(self) -> tuple[str, ...]: ...


class Block(NamedTuple):
    """Fenced block. info_word: first word after the opening fence, in lower case."""

    info_word: str
    content: str
    closed: bool


def program_in(answer: str, language: NamedLanguage) -> bytes | None:
    """Return the program in an answer, or None if there is no fenced block."""
    block = select_block(answer, fence_words(language))
    return None if block is None else to_bytes(block.content)


def output_in(answer: str) -> bytes | None:
    """Return the predicted output in an answer, without the last line break of the block."""
    block = select_block(answer, ("output",))
    return None if block is None else to_bytes(block.content.removesuffix("\n"))


def select_block(answer: str, names: Sequence[str]) -> Block | None:
    """Return the last block, preferably closed and with a word in ``names``; None without a block.

    names: info words of preferred blocks; a closed block without such a word is preferred to an
    unclosed one.
    """
    found = list(blocks(answer))
    if not found:
        return None
    # max() returns the first of equal items, but the last block should count
    return max(reversed(found), key=lambda block: (block.closed, block.info_word in names))


def fence_words(language: NamedLanguage) -> tuple[str, ...]:
    """Return the words that may follow a fence to name the language."""
    endings = (ending.removeprefix(".") for ending in language.extensions)
    return ("program", language.id, language.id.partition("-")[0], language.name.lower(), *endings)


def blocks(text: str) -> Iterator[Block]:
    """Yield all fenced blocks in order."""
    for place in _find_blocks(text):
        yield Block(place.info_word, text[place.start : place.end], place.closed)


def add_fence(content: str) -> str:
    """Return a block with ``content`` and a fence that does not occur in it."""
    longest = max((len(found) for found in _TILDES.findall(content)), default=0)
    fence = "~" * max(_MIN_FENCE_PREFIX, longest + 1)
    end = "" if content.endswith("\n") else "\n"
    return f"{fence}\n{content}{end}{fence}"


def replace_blocks(text: str, replacement: str) -> str:
    """Replace each fenced block in ``text`` with the line ``replacement``."""
    kept, at = list[str](), 0
    for place in _find_blocks(text):
        kept += [text[at : place.opening], replacement, "\n"]
        at = place.after
    return "".join([*kept, text[at:]])


class _CodeBlock(NamedTuple):
    """A block in a text, by offsets.

    opening: the start of the opening fence.  start, end: the content.  after: the end of the
    closing fence.  closed: whether there is a closing fence; if not, the block ends with the text.
    """

    info_word: str
    opening: int
    start: int
    end: int
    after: int
    closed: bool


def _find_blocks(text: str) -> Iterator[_CodeBlock]:
    fence, word, opening, start = "", "", 0, 0
    for at, line, after in _lines(text):
        if fence:
            bare = line.strip(" \t\r")
            if len(bare) >= len(fence) and not bare.strip(fence[0]) and _is_fence_indent(line):
                yield _CodeBlock(word, opening, start, at, after, True)
                fence = ""
        elif (found := _OPENING.fullmatch(line)) is not None:
            info = found["info"].strip()
            if found["fence"][0] == "~" or "`" not in info:
                fence, opening, start = found["fence"], at, after
                word = info.split(maxsplit=1)[0].lower() if info else ""
    if fence:
        yield _CodeBlock(word, opening, start, len(text), len(text), False)


def _is_fence_indent(line: str) -> bool:
    """Return whether a line is indented by at most three spaces."""
    return len(line) - len(line.lstrip(" ")) <= 3 and not line.startswith("\t")


def _lines(text: str) -> Iterator[tuple[int, str, int]]:
    """Yield for each line its offset, its text without line feed, and the next line's offset."""
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        after = len(text) if end < 0 else end + 1
        yield at, text[at : after if end < 0 else end], after
        at = after
