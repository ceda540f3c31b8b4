"""Program text by kind of token.

Where a character's kind depends on nothing but the character, it is looked up.  In other
languages tokens cross lines, so the text is lexed from its start, but only as far as somebody
looks and only for a moment at a time: what is not reached yet has the colours it had before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from esoplay.tui.lexing import CharacterKinds, LexedText, character_kinds, lexer_of

PATIENCE = 0.008
"""Seconds of lexing at a time."""


class Piece(NamedTuple):
    """Characters ``start`` to ``end`` of a line are of ``kind``."""

    start: int
    end: int
    kind: str


class Highlighter:
    """Finds the kinds of tokens in the lines of one text in one language.

    A line's break counts as its last character: in Whitespace it is part of an instruction.
    """

    def __init__(self, language_id: str, lines: Sequence[str] = ()) -> None:
        self._lexer = lexer_of(language_id)
        self._kinds = character_kinds(language_id)
        self._lines = lines
        self._lexed: LexedText | None = None
        self._old: LexedText | None = None
        self._wanted = 0
        self._waiting = False

    def change(self, lines: Sequence[str]) -> None:
        """The text is another one now; ``lines`` must not be changed afterwards."""
        self._lines = lines
        if self._lexed is not None and not self._waiting:
            self._old = self._lexed
        self._lexed, self._wanted, self._waiting = None, 0, False

    def pieces(self, line: int, start: int, end: int) -> list[Piece]:
        """The pieces of a line that meet its characters ``start`` to ``end``, in order."""
        if self._lexer is None or not 0 <= line < len(self._lines):
            return []
        if self._kinds is not None:
            return list(_by_character(self._lines[line], start, end, self._kinds))
        lexed = self._reach(line, end)
        number = line
        if lexed is None and self._old is not None:
            lexed = self._old
            number = lexed.line_like(self._lines, line)
        if lexed is None or number is None:
            return []
        first = lexed.line_starts[number]
        end = min(end, len(self._lines[line]) + 1)
        return [
            Piece(low - first, high - first, kind)
            for low, high, kind in lexed.tokens(first + start, first + end)
        ]

    @property
    def pending(self) -> bool:
        """Something that was asked for is not known yet: :meth:`go_on`, then ask again."""
        return self._waiting

    def go_on(self) -> bool:
        """Lex a moment longer; whether all that was asked for is known now."""
        if self._waiting and self._lexed is not None:
            self._waiting = not self._lexed.lex_to(self._wanted, PATIENCE)
        return not self._waiting

    def _reach(self, line: int, end: int) -> LexedText | None:
        """The text, lexed beyond this place of a line; None while it is not so far."""
        if self._lexed is None:
            assert self._lexer is not None
            self._lexed = LexedText(self._lexer, self._lines)
        lexed = self._lexed
        wanted = min(lexed.line_starts[line] + end, lexed.size)
        if wanted > lexed.reached:
            self._wanted = max(self._wanted, wanted)
            if not self._waiting:  # once a frame, not for every row of it
                self._waiting = not lexed.lex_to(wanted, PATIENCE)
        return lexed if wanted <= lexed.reached else None


def _by_character(text: str, start: int, end: int, kinds: CharacterKinds) -> Iterator[Piece]:
    """Neighbours of one kind are one piece."""
    end = min(end, len(text))
    first, kind = start, None
    for at in range(start, end):
        here = kinds[text[at]]
        if here != kind:
            if kind is not None:
                yield Piece(first, at, kind)
            first, kind = at, here
    if kind is not None:
        yield Piece(first, end, kind)
