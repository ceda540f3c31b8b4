"""Program text by kind of token.

Where a character's kind depends on nothing but the character, it is looked up.  On a plane a row
is lexed by itself.  In other languages tokens cross lines, so the text is lexed from its start,
but only as far as somebody looks and only for a moment at a time: what is not reached yet has the
colours it had before.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from esoplay.tui.lexing import CharacterKinds, LexedText, character_kinds, editing_of, lexer_of

PATIENCE = 0.008
"""Seconds of lexing at a time."""

SHORT_PAUSE, LONG_PAUSE = 0.01, 0.15
"""Seconds between two moments of lexing, and before the first in a text of many lines."""

MANY_LINES = 5_000
"""Lines from which on even beginning to lex a changed text is put off."""

LONG_ROW = 4_000
"""Characters from which on a row is not lexed at once."""

MOST_ROWS = 2_000
"""Rows whose pieces are remembered."""


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
        self._rows: dict[str, list[Piece]] = {}
        self._row_by_row = False
        self._grid = editing_of(language_id).grid
        self._old: LexedText | None = None
        self._lexed: LexedText | None = None
        self.change(lines)

    def change(self, lines: Sequence[str]) -> None:
        """The text is another one now; ``lines`` must not be changed afterwards."""
        self._lines = lines
        if self._lexed is not None and not self._waiting:
            self._old = self._lexed
        self._lexed, self._wanted, self._waiting = None, (0, 0), False
        if self._grid:
            self._row_by_row = max(map(len, lines), default=0) <= LONG_ROW

    def pieces(self, line: int, start: int, end: int) -> list[Piece]:
        """The pieces of a line that meet its characters ``start`` to ``end``, in order."""
        if self._lexer is None or not 0 <= line < len(self._lines):
            return []
        if self._kinds is not None:
            return list(_by_character(self._lines[line], start, end, self._kinds))
        if self._row_by_row:
            return [
                piece
                for piece in self._row(self._lines[line])
                if start < piece.end and piece.start < end
            ]
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

    @property
    def pause(self) -> float:
        """Seconds to leave to keys before going on; more where beginning takes long."""
        return LONG_PAUSE if self._lexed is None else SHORT_PAUSE

    def go_on(self) -> bool:
        """Lex a moment longer; whether all that was asked for is known now."""
        if self._waiting:
            lexed = self._begin()
            self._waiting = not lexed.lex_to(lexed.offset_of(*self._wanted), PATIENCE)
        return not self._waiting

    def _reach(self, line: int, end: int) -> LexedText | None:
        """The text, lexed beyond this place of a line; None while it is not so far."""
        lexed = self._lexed
        if lexed is None and self._old is not None and len(self._lines) > MANY_LINES:
            self._wanted = max(self._wanted, (line, end))
            self._waiting = True
            return None
        lexed = self._begin()
        wanted = lexed.offset_of(line, end)
        if wanted > lexed.reached:
            self._wanted = max(self._wanted, (line, end))
            if not self._waiting:  # once a frame, not for every row of it
                self._waiting = not lexed.lex_to(wanted, PATIENCE)
        return lexed if wanted <= lexed.reached else None

    def _begin(self) -> LexedText:
        if self._lexed is None:
            assert self._lexer is not None
            self._lexed = LexedText(self._lexer, self._lines)
        return self._lexed

    def _row(self, line: str) -> list[Piece]:
        """The pieces of a line that is lexed by itself."""
        pieces = self._rows.get(line)
        if pieces is None:
            if len(self._rows) >= MOST_ROWS:
                self._rows.clear()
            assert self._lexer is not None
            lexed = LexedText(self._lexer, [line])
            lexed.lex_to(lexed.size, math.inf)
            pieces = [Piece(*token) for token in lexed.tokens(0, lexed.size)]
            self._rows[line] = pieces
        return pieces


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
