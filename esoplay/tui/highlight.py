"""Program text by kind of token, from the language's Pygments lexer.

Lexing is done in short chunks, only for what is on the screen, so that it costs the same in
a program of 100 bytes and of 1 MB.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from pygments.token import Comment, Error, Keyword, Name, Number, Operator, String, Text, Token

if TYPE_CHECKING:
    from pygments.lexer import Lexer

CHUNK = 512
"""Characters lexed at once."""

KINDS = ("comment", "loop", "move", "arithmetic", "io")
"""Kinds of tokens that themes give a colour: the variables ``$code-comment`` and so on."""

_KIND_OF: dict[tuple[str, ...], str | None] = {
    Comment: "comment",
    Text: "comment",
    Keyword: "loop",
    Name.Variable: "move",
    Name: "move",
    Name.Builtin: "arithmetic",
    Operator: "arithmetic",
    Name.Tag: "io",
    Name.Function: "io",
    String: "io",
    Number: "arithmetic",
    Error: None,
    Token: None,
}


class Piece(NamedTuple):
    """Characters ``start`` to ``end`` of a line are of ``kind``."""

    start: int
    end: int
    kind: str


class Highlighter:
    """Finds the kinds of tokens in lines of one language."""

    def __init__(self, language_id: str) -> None:
        self._lexer = _lexer_of(language_id)
        self._lex = lru_cache(maxsize=512)(self._lex_chunk)

    def pieces(self, line: str, start: int, end: int) -> list[Piece]:
        """The pieces of ``line`` that meet characters ``start`` to ``end``, in order."""
        found: list[Piece] = []
        for chunk in range(start - start % CHUNK, min(end, len(line)), CHUNK):
            for piece in self._lex(line[chunk : chunk + CHUNK]):
                first = max(start, chunk + piece.start)
                last = min(end, chunk + piece.end)
                if first < last:
                    found.append(Piece(first, last, piece.kind))
        return found

    def _lex_chunk(self, text: str) -> tuple[Piece, ...]:
        if self._lexer is None:
            return ()
        return tuple(
            Piece(index, index + len(value), kind)
            for index, token, value in self._lexer.get_tokens_unprocessed(text)
            if (kind := "loop" if value in "[]" else _kind_of(token)) is not None
        )


def _kind_of(token: tuple[str, ...]) -> str | None:
    """The kind of the nearest ancestor that has one; a token type is a tuple of names."""
    return next(
        _KIND_OF[token[:length]]
        for length in range(len(token), -1, -1)
        if token[:length] in _KIND_OF
    )


@lru_cache(maxsize=8)
def _lexer_of(language_id: str) -> Lexer | None:
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
