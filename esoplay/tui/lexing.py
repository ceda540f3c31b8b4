"""Lexers by language, the kinds that themes colour, and texts lexed as far as anybody looks."""

from __future__ import annotations

import time
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from itertools import accumulate
from typing import TYPE_CHECKING

from pygments.token import (
    Comment,
    Error,
    Generic,
    Keyword,
    Literal,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
    Token,
)

from esolangs.editing import Editing
from esolangs.errors import UnknownLanguage
from esolangs.registry import find_language, language_ids
from esoplay.tui.editor.codec import characters

if TYPE_CHECKING:
    from pygments.lexer import Lexer

KINDS = ("comment", "loop", "move", "arithmetic", "io")
"""Kinds of tokens that themes give a colour: the variables ``$code-comment`` and so on."""

LONGEST = 1 << 20
"""Characters of a text that are lexed; what stands behind them has no colours."""

_KIND_OF: dict[tuple[str, ...], str | None] = {
    Comment: "comment",
    Text: "comment",
    Generic: "comment",
    Keyword: "loop",
    Name.Label: "loop",
    Name.Variable: "move",
    Name: "move",
    Punctuation: "move",
    Name.Builtin: "arithmetic",
    Operator: "arithmetic",
    Literal: "arithmetic",
    Number: "arithmetic",
    Name.Tag: "io",
    Name.Function: "io",
    String: "io",
    Error: None,
    Token: None,
}
_BRACKETS = "[]"
"""A lexer may call them brackets in pairs only; single they are no error but still one."""
_NO_KIND = len(KINDS)
_NUMBERS: dict[str | None, int] = {kind: number for number, kind in enumerate(KINDS)}
_BATCH = 64
"""Tokens between two looks at the clock."""


@lru_cache(maxsize=512)
def kind_of(token: tuple[str, ...]) -> str | None:
    """The kind of the nearest ancestor that has one; a token type is a tuple of names."""
    return next(
        _KIND_OF[token[:length]]
        for length in range(len(token), -1, -1)
        if token[:length] in _KIND_OF
    )


class LexedText:
    """The tokens of a text, as far as it has been lexed."""

    def __init__(self, lexer: Lexer, lines: Sequence[str]) -> None:
        self.lines = lines
        sizes = map((1).__add__, map(len, lines))  # a program may have 300,000 lines
        self.line_starts = list(accumulate(sizes, initial=0))
        self.reached = 0
        text = characters("\n".join(lines)[:LONGEST])
        self.size = len(text)
        self._tokens = lexer.get_tokens_unprocessed(text)
        self._starts = array("l")
        self._kinds = bytearray()

    def offset_of(self, line: int, column: int) -> int:
        """Where a place of a line is in the text, as far as that is lexed at all."""
        return min(self.line_starts[line] + column, self.size)

    def lex_to(self, wanted: int, seconds: float) -> bool:
        """Go on as far as ``wanted``, or as long as there is time; whether it was reached."""
        deadline = time.perf_counter() + seconds
        wanted = min(wanted, self.size)
        while self.reached < wanted:
            for _ in range(_BATCH):
                token = next(self._tokens, None)
                if token is None:
                    self.reached = self.size
                    return True
                start, kind, value = token
                self._starts.append(start)
                self._kinds.append(_NUMBERS.get(kind_of(kind), _NO_KIND))
                self.reached = start + len(value)
            if time.perf_counter() > deadline:
                break
        return self.reached >= wanted

    def tokens(self, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        """Start, end and kind of the tokens that meet a range of characters, cut there."""
        at = max(0, bisect_right(self._starts, start) - 1)
        while at < len(self._starts) and self._starts[at] < end:
            following = self._starts[at + 1] if at + 1 < len(self._starts) else self.reached
            first, last = max(start, self._starts[at]), min(end, following)
            if first < last and self._kinds[at] != _NO_KIND:
                yield first, last, KINDS[self._kinds[at]]
            at += 1

    def line_like(self, lines: Sequence[str], line: int) -> int | None:
        """The number here of a line of another version of the text; None if there is none.

        Versions differ in one stretch, so the line has kept its distance from one of the ends.
        """
        from_end = line + len(self.lines) - len(lines)
        for number in (line, from_end):
            if 0 <= number < len(self.lines) and self.lines[number] == lines[line]:
                return number
        return None


class CharacterKinds(dict[str, str | None]):
    """The kind of each character in a language where that depends on nothing else."""

    def __init__(self, lexer: Lexer) -> None:
        super().__init__(dict.fromkeys(_BRACKETS, "loop"))
        self._lexer = lexer

    def __missing__(self, character: str) -> str | None:
        tokens = list(self._lexer.get_tokens_unprocessed(character))
        self[character] = kind_of(tokens[0][1]) if tokens else None
        return self[character]


@lru_cache(maxsize=8)
def character_kinds(language_id: str) -> CharacterKinds | None:
    """Kinds of single characters; None where tokens depend on what stands around them.

    The language's sample tells: its characters must have the kinds they have alone.
    """
    lexer = lexer_of(language_id)
    if lexer is None or language_id not in language_ids():
        return None
    kinds = CharacterKinds(lexer)
    sample = find_language(language_id).sample().decode("latin-1")
    for _, token, value in lexer.get_tokens_unprocessed(sample):
        kind = kind_of(token)
        if any(kinds[character] != kind for character in value):
            return None
    return kinds


@lru_cache(maxsize=8)
def lexer_of(language_id: str) -> Lexer | None:
    """The lexer in the language's folder, else Pygments' own of that name, else none."""
    try:
        module = import_module(f"esolangs.{language_id.replace('-', '_')}.lexer")
    except ModuleNotFoundError:
        from pygments.lexers import find_lexer_class_by_name
        from pygments.util import ClassNotFound

        try:
            return find_lexer_class_by_name(language_id)()
        except ClassNotFound:
            return None
    return next(
        value()
        for name, value in vars(module).items()
        if name.endswith("Lexer") and getattr(value, "__module__", "") == module.__name__
    )


@lru_cache(maxsize=16)
def editing_of(language_id: str) -> Editing:
    """What the language knows for editors; nothing in particular where there is no such one."""
    try:
        return find_language(language_id).editing()
    except UnknownLanguage:
        return Editing()
