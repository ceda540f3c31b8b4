"""A Pygments lexer for plays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from pygments.lexer import Lexer
from pygments.token import (
    Comment,
    Error,
    Generic,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    Text,
    Whitespace,
)

from esolangs.shakespeare import words as w

_COLOURS: dict[int, Any] = {
    w.DOT: Punctuation,
    w.BANG: Punctuation,
    w.QUERY: Punctuation,
    w.COMMA: Punctuation,
    w.COLON: Punctuation,
    w.OPEN_BRACKET: Punctuation,
    w.CLOSE_BRACKET: Punctuation,
    w.OTHER: Error,
    w.WORD: Error,
    w.NAME: Name.Class,
    w.ARTICLE: Text,
    w.FIRST_PERSON: Name.Variable,
    w.SECOND_PERSON: Name.Variable,
    w.SECOND_REFLEXIVE: Name.Variable,
    w.POSSESSIVE: Text,
    w.SECOND_POSSESSIVE: Text,
    w.NOTHING: Number.Integer,
    w.POSITIVE_ADJECTIVE: Name.Builtin.Positive,
    w.NEUTRAL_ADJECTIVE: Name.Builtin.Neutral,
    w.NEGATIVE_ADJECTIVE: Name.Builtin.Negative,
    w.POSITIVE_NOUN: Number.Integer.Positive,
    w.NEGATIVE_NOUN: Number.Integer.Negative,
    w.BETTER: Operator.Word,
    w.WORSE: Operator.Word,
    w.MORE: Operator.Word,
    w.LESS: Operator.Word,
    w.THAN: Operator.Word,
    w.AS: Operator.Word,
    w.NOT: Operator.Word,
    w.AND: Operator.Word,
    w.BINARY: Operator.Word,
    w.UNARY: Operator.Word,
    w.IF: Keyword.Reserved,
    w.LET_US: Keyword.Reserved,
    w.PROCEED_TO: Keyword.Reserved,
    w.ACT: Keyword.Namespace,
    w.SCENE: Keyword.Namespace,
    w.OPEN: Name.Function,
    w.SPEAK: Name.Function,
    w.LISTEN_TO: Name.Function,
    w.HEART: Name.Function,
    w.MIND: Name.Function,
}
_ENDS = frozenset({w.DOT, w.BANG, w.QUERY})
_MARKS = {
    b".": w.DOT,
    b"!": w.BANG,
    b"?": w.QUERY,
    b",": w.COMMA,
    b":": w.COLON,
    b"[": w.OPEN_BRACKET,
    b"]": w.CLOSE_BRACKET,
}

_Piece = tuple[int, int, int]
"""The start, end and kind of a word, phrase or punctuation mark."""

_PIECE = re.compile(r"[A-Za-z0-9_'\-\x80-\U0010ffff]+|[^ \t\n\r\v\f]")


class ShakespeareLexer(Lexer):
    """The lexer of Shakespeare: titles, descriptions, names, directions and parts of speech.

    Any text is accepted, even if it is not a play, and tokens join to the original text.  The text
    is read only as far as tokens are requested.
    """

    name = "Shakespeare"
    url = "http://shakespearelang.sourceforge.net/"
    aliases: ClassVar[Sequence[str]] = ["shakespeare", "spl"]
    filenames: ClassVar[Sequence[str]] = ["*.spl"]

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, Any, str]]:
        """Yield offset, token type and text of every piece."""
        at = 0
        for start, end, colour in _highlight(_Pieces(text)):
            if at < start:
                yield at, Whitespace, text[at:start]
            yield start, colour, text[start:end]
            at = end
        if at < len(text):
            yield at, Whitespace, text[at:]


class _Pieces:
    """The words, phrases and punctuation marks of a play, parsed on demand."""

    def __init__(self, text: str) -> None:
        self._words = _PIECE.finditer(text)
        self._ahead: list[tuple[int, int, bytes]] = []  # words after the last piece
        self._found: list[_Piece] = []

    def __getitem__(self, at: int) -> _Piece:
        """Return piece number ``at``, or a piece of kind END after the last piece."""
        while len(self._found) <= at:
            self._found.append(self._next())
        return self._found[at]

    def _next(self) -> _Piece:
        if not self._has_word(0):
            return 0, 0, w.END
        start, end, word = self._ahead[0]
        used, kind = 1, w.WORD if _is_word(word) else _MARKS.get(word, w.OTHER)
        for rest, found, _ in w.TABLE.get(word, ()):
            if all(
                self._has_word(n) and self._ahead[n][2] == more for n, more in enumerate(rest, 1)
            ):
                used, kind = 1 + len(rest), found
                break
        end = self._ahead[used - 1][1]
        del self._ahead[:used]
        return start, end, kind

    def _has_word(self, ahead: int) -> bool:
        """Return whether a word comes ``ahead`` places after the current one."""
        while len(self._ahead) <= ahead:
            found = next(self._words, None)
            if found is None:
                return False
            word = found[0].encode("utf-8", "replace").lower()
            self._ahead.append((*found.span(), word))
        return True


def _is_word(word: bytes) -> bool:
    return word[:1].isalnum() or word[0] in b"_'-" or word[0] > 127


def _highlight(pieces: _Pieces) -> Iterator[tuple[int, int, Any]]:
    """Yield start, end and token type of every piece; free text, such as a title, is one piece."""
    at = 0
    if (
        pieces[0][2] != w.END
        and not _begins_description(pieces, 0)
        and not _begins_heading(pieces, 0)
    ):
        at = _end_of_free_text(pieces, 0)
        yield pieces[0][0], pieces[at - 1][1], Generic.Heading
    inside = False
    while True:
        start, end, kind = pieces[at]
        if kind == w.END:
            return
        if _begins_heading(pieces, at):
            yield start, end, Keyword.Namespace
            yield *pieces[at + 1][:2], Number.Roman
            yield *pieces[at + 2][:2], Punctuation
            begin, at = at + 3, _end_of_free_text(pieces, at + 3)
            if at > begin:
                yield pieces[begin][0], pieces[at - 1][1], Generic.Subheading
            continue
        if not inside and _begins_description(pieces, at):
            yield start, end, Name.Class
            begin, at = at + 1, _end_of_free_text(pieces, at + 1)
            yield pieces[begin][0], pieces[at - 1][1], Comment
            continue
        inside = kind == w.OPEN_BRACKET or (inside and kind != w.CLOSE_BRACKET)
        following = pieces[at + 1][2]
        if kind == w.NAME and following == w.COLON:
            yield start, end, Name.Label
        elif kind in (w.ACT, w.SCENE) and following in (w.WORD, w.FIRST_PERSON):
            yield start, end, Keyword.Namespace
            at += 1
            yield *pieces[at][:2], Number.Roman
        elif kind == w.RECALL and following not in _ENDS and following != w.END:
            yield start, end, Keyword
            begin, at = at + 1, _end_of_free_text(pieces, at + 1)
            yield pieces[begin][0], pieces[at - 1][1], Comment
            continue
        else:
            yield start, end, _COLOURS.get(kind, Keyword)
        at += 1


def _end_of_free_text(pieces: _Pieces, at: int) -> int:
    """Return the number of the piece after the free text that begins at piece ``at``."""
    while pieces[at][2] != w.END:
        at += 1
        if pieces[at - 1][2] in _ENDS:
            break
    return at


def _begins_heading(pieces: _Pieces, at: int) -> bool:
    """Return whether an act or a scene begins at piece number ``at``."""
    return pieces[at][2] in (w.ACT, w.SCENE) and pieces[at + 2][2] == w.COLON


def _begins_description(pieces: _Pieces, at: int) -> bool:
    """Return whether the description of a character begins at piece number ``at``."""
    return pieces[at][2] == w.NAME and pieces[at + 1][2] == w.COMMA
