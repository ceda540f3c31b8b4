"""Syntax highlighting, and glyphs for whitespace instructions.

If the kind of a character depends only on the character, it is looked up. On a plane, each row is
lexed separately. In other languages tokens can cross lines, so the text is lexed from its start to
the visible part, in short time slices; text that is not lexed yet keeps its old colours.
"""

from __future__ import annotations

import math
import time
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

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
from esoplay.tui.editor.document import lexer_text

if TYPE_CHECKING:
    from pygments.lexer import Lexer


# Lexers by language, the kinds that themes colour, and lexed texts

KINDS = ("comment", "loop", "move", "arithmetic", "io")
"""Kinds of tokens; the colour of each is a theme variable such as ``$code-comment``."""

MAX_CHARACTERS = 1 << 20
"""Maximum number of characters to lex; text after these is not coloured."""

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
"""Characters coloured as brackets even if unpaired, which Pygments may reject."""
_NO_KIND = len(KINDS)
_KIND_NUMBERS: dict[str | None, int] = {kind: number for number, kind in enumerate(KINDS)}
_BATCH = 64
"""Number of tokens between two checks of the time."""


@lru_cache(maxsize=512)
def token_kind(token: tuple[str, ...]) -> str | None:
    """Return the kind of a token type, or of its nearest ancestor that has a kind.

    A token type is a tuple of names; its ancestors are the shorter prefixes.
    """
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
        self.lexed_end = 0
        text = lexer_text("\n".join(lines)[:MAX_CHARACTERS])
        self.size = len(text)
        self._tokens = lexer.get_tokens_unprocessed(text)
        self._starts = array("l")
        self._kinds = bytearray()

    def find_offset(self, line: int, column: int) -> int:
        """Return the offset of a location, limited to the part of the text that can be lexed."""
        return min(self.line_starts[line] + column, self.size)

    def lex_to(self, offset: int, seconds: float) -> bool:
        """Lex up to ``offset`` for at most ``seconds``; return whether ``offset`` was reached."""
        deadline = time.perf_counter() + seconds
        offset = min(offset, self.size)
        while self.lexed_end < offset:
            for _ in range(_BATCH):
                token = next(self._tokens, None)
                if token is None:
                    self.lexed_end = self.size
                    return True
                start, kind, value = token
                self._starts.append(start)
                self._kinds.append(_KIND_NUMBERS.get(token_kind(kind), _NO_KIND))
                self.lexed_end = start + len(value)
            if time.perf_counter() > deadline:
                break
        return self.lexed_end >= offset

    def tokens(self, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        """Yield start, end and kind of the tokens in a range, limited to the range."""
        at = max(0, bisect_right(self._starts, start) - 1)
        while at < len(self._starts) and self._starts[at] < end:
            following = self._starts[at + 1] if at + 1 < len(self._starts) else self.lexed_end
            first, last = max(start, self._starts[at]), min(end, following)
            if first < last and self._kinds[at] != _NO_KIND:
                yield first, last, KINDS[self._kinds[at]]
            at += 1

    def matching_line(self, lines: Sequence[str], line: int) -> int | None:
        """Find the line ``lines[line]`` in this text; return its index, or None if it is not found.

        ``lines`` is another version of the text. Two versions differ in one range, so a line
        outside it has the same distance from the start or from the end.
        """
        from_end = line + len(self.lines) - len(lines)
        for number in (line, from_end):
            if 0 <= number < len(self.lines) and self.lines[number] == lines[line]:
                return number
        return None


class CharacterKinds(dict[str, str | None]):
    """The kind of each character, in languages in which it does not depend on the context."""

    def __init__(self, lexer: Lexer) -> None:
        super().__init__(dict.fromkeys(_BRACKETS, "loop"))
        self._lexer = lexer

    def __missing__(self, character: str) -> str | None:
        tokens = list(self._lexer.get_tokens_unprocessed(character))
        self[character] = token_kind(tokens[0][1]) if tokens else None
        return self[character]


@lru_cache(maxsize=8)
def character_kinds(language_id: str) -> CharacterKinds | None:
    """Return the kinds of single characters; None if tokens depend on the context.

    This is tested with the language's sample: each of its characters must have the same kind as
    when it is lexed alone; brackets must have the kind ``loop``.  Also return None if the
    language is unknown or has no lexer.
    """
    lexer = find_lexer(language_id)
    if lexer is None or language_id not in language_ids():
        return None
    kinds = CharacterKinds(lexer)
    sample = find_language(language_id).sample().decode("latin-1")
    for _, token, value in lexer.get_tokens_unprocessed(sample):
        kind = token_kind(token)
        if any(kinds[character] != kind for character in value):
            return None
    return kinds


@lru_cache(maxsize=8)
def find_lexer(language_id: str) -> Lexer | None:
    """Return the lexer in the language's folder, or else Pygments' lexer, or None."""
    if not language_id:
        return None  # no program is open yet; importing the list of lexers takes 3 ms
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
def find_editing(language_id: str) -> Editing:
    """Return the language's data for editors; defaults for an unknown language."""
    try:
        return find_language(language_id).editing()
    except UnknownLanguage:
        return Editing()


LEXING_SECONDS = 0.008
"""Seconds of lexing per time slice."""

SHORT_PAUSE, LONG_PAUSE = 0.01, 0.15
"""Seconds between two time slices, and before the first slice in a long text."""

MANY_LINES = 5_000
"""Maximum number of lines of a text whose changes are lexed without a delay."""

LONG_ROW = 4_000
"""Maximum length of a row in two-dimensional programs that are lexed row by row when drawn.

In a program with a longer row, all text before the shown rows is lexed, too.
"""

MAX_CACHED_ROWS = 2_000
"""Maximum number of rows whose highlighting is cached."""


class HighlightSpan(NamedTuple):
    """The kind, such as ``comment``, of the characters ``start`` to ``end - 1`` of a line."""

    start: int
    end: int
    kind: str


class Highlighter:
    """The kinds of tokens in the lines of one text in one language.

    The line break counts as the last character of a line, because it is part of an instruction in
    Whitespace.
    """

    def __init__(self, language_id: str, lines: Sequence[str] = ()) -> None:
        self._lexer = find_lexer(language_id)
        self._kinds = character_kinds(language_id)
        self._rows: dict[str, list[HighlightSpan]] = {}
        self._row_by_row = False
        self._is_grid = find_editing(language_id).grid
        self._previous_text: LexedText | None = None
        self._lexed_text: LexedText | None = None
        self.change(lines)

    def change(self, lines: Sequence[str]) -> None:
        """Replace the text. The caller must not change ``lines`` afterwards."""
        self._lines = lines
        if self._lexed_text is not None and not self._waiting:
            self._previous_text = self._lexed_text
        self._lexed_text, self._wanted, self._waiting = None, (0, 0), False
        if self._is_grid:
            self._row_by_row = max(map(len, lines), default=0) <= LONG_ROW

    def highlighted_spans(self, line: int, start: int, end: int) -> list[HighlightSpan]:
        """Return the highlighted spans in characters ``start`` to ``end`` of a line, in order."""
        if self._lexer is None or not 0 <= line < len(self._lines):
            return []
        if self._kinds is not None:
            return list(_character_spans(self._lines[line], start, end, self._kinds))
        if self._row_by_row:
            return [
                piece
                for piece in self._row(self._lines[line])
                if start < piece.end and piece.start < end
            ]
        lexed = self._lex_line(line, end)
        number = line
        if lexed is None and self._previous_text is not None:
            lexed = self._previous_text
            number = lexed.matching_line(self._lines, line)
        if lexed is None or number is None:
            return []
        first = lexed.line_starts[number]
        end = min(end, len(self._lines[line]) + 1)
        return [
            HighlightSpan(low - first, high - first, kind)
            for low, high, kind in lexed.tokens(first + start, first + end)
        ]

    @property
    def has_pending_spans(self) -> bool:
        """Whether requested spans are not lexed yet.

        The caller must call :meth:`continue_lexing` and then request the spans again.
        """
        return self._waiting

    @property
    def pause_seconds(self) -> float:
        """Seconds to wait before the next time slice; longer before the first slice of a text."""
        return LONG_PAUSE if self._lexed_text is None else SHORT_PAUSE

    def continue_lexing(self) -> bool:
        """Lex for another time slice; return whether the requested part is complete."""
        if self._waiting:
            lexed = self._get_lexed_text()
            self._waiting = not lexed.lex_to(lexed.find_offset(*self._wanted), LEXING_SECONDS)
        return not self._waiting

    def _lex_line(self, line: int, end: int) -> LexedText | None:
        """Return the text, lexed at least up to a location; None if that takes too long.

        The location is column ``end`` of ``line``.  After None, ``continue_lexing`` lexes the rest.
        """
        lexed = self._lexed_text
        if lexed is None and self._previous_text is not None and len(self._lines) > MANY_LINES:
            self._wanted = max(self._wanted, (line, end))
            self._waiting = True
            return None
        lexed = self._get_lexed_text()
        wanted = lexed.find_offset(line, end)
        if wanted > lexed.lexed_end:
            self._wanted = max(self._wanted, (line, end))
            if not self._waiting:  # once per frame, not for each row
                self._waiting = not lexed.lex_to(wanted, LEXING_SECONDS)
        return lexed if wanted <= lexed.lexed_end else None

    def _get_lexed_text(self) -> LexedText:
        if self._lexed_text is None:
            assert self._lexer is not None
            self._lexed_text = LexedText(self._lexer, self._lines)
        return self._lexed_text

    def _row(self, line: str) -> list[HighlightSpan]:
        """Return the spans of a line that is lexed separately."""
        highlighted_spans = self._rows.get(line)
        if highlighted_spans is None:
            if len(self._rows) >= MAX_CACHED_ROWS:
                self._rows.clear()
            assert self._lexer is not None
            lexed = LexedText(self._lexer, [line])
            lexed.lex_to(lexed.size, math.inf)
            highlighted_spans = [HighlightSpan(*token) for token in lexed.tokens(0, lexed.size)]
            self._rows[line] = highlighted_spans
        return highlighted_spans


def _character_spans(
    text: str, start: int, end: int, kinds: CharacterKinds
) -> Iterator[HighlightSpan]:
    """Yield spans of adjacent characters of one kind."""
    end = min(end, len(text))
    first, kind = start, None
    for at in range(start, end):
        here = kinds[text[at]]
        if here != kind:
            if kind is not None:
                yield HighlightSpan(first, at, kind)
            first, kind = at, here
    if kind is not None:
        yield HighlightSpan(first, end, kind)


# Languages with whitespace instructions, and the glyphs for them

SPACE_GLYPH, TAB_GLYPH, NEWLINE_GLYPH = "·", "→", "¶"
"""Glyphs of whitespace instructions, which can be distinguished without colour."""

_BLANKS = b" \t\n"


@lru_cache(maxsize=8)
def is_whitespace_code(language_id: str) -> bool:
    """Return whether all instructions in the language's sample are invisible."""
    if language_id not in language_ids():
        return False
    language = find_language(language_id)
    program = language.parse(language.sample())
    spans = program.spans()
    return bool(spans) and not any(program.source[start:end].strip(_BLANKS) for start, end in spans)
