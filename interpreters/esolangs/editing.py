"""What a language offers an editor: structure, paths, completions, letters for whitespace.

A language that has more to say than :class:`Editing` answers
:meth:`esolangs.language.Language.editing` with a class of its own.  Sources are often unfinished
here, so nothing raises, and nothing takes longer than a key may: what lies too far is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

FAR = 200_000
"""Bytes that are looked at for the other end of something."""


def fold_at_words(line: str, start: int, limit: int) -> int:
    """Where a row ends that is to end after a blank, so that no row begins with one."""
    end = 1 + max(line.rfind(blank, start, limit) for blank in _BLANKS)
    return end if end and line[start:end].strip(_BLANKS) else limit


_BLANKS = " \t"


class Mark(NamedTuple):
    """Source bytes ``start`` to ``end`` play a role: here, function, argument or path."""

    start: int
    end: int
    role: str


class Structure(NamedTuple):
    """What the cursor stands in.

    words: said about it in a few words.  goal: source offset that it leads to, if any.
    """

    marks: tuple[Mark, ...] = ()
    words: str = ""
    goal: int | None = None


class Completion(NamedTuple):
    """text: in place of what was typed of it.  words: what it means."""

    text: str
    words: str


class Completions(NamedTuple):
    """start: source offset from which on the text is replaced.  items: the best first."""

    start: int
    items: tuple[Completion, ...]


class Visible(NamedTuple):
    """Text that shows whitespace as letters.  certain: no other reading is plausible."""

    source: bytes
    certain: bool


class Editing:
    """The language of which an editor knows nothing in particular.

    grid: where a character stands matters more than what it follows.
    wraps: long lines may be shown in several rows.  brackets: pairs that belong together.
    letters: what is typed for each whitespace character that is an instruction; empty if none.
    comment_blank: stands for whitespace in a comment, where whitespace is code.
    """

    grid: bool = False
    wraps: bool = False
    brackets: Sequence[str] = ("[]", "()", "{}")
    letters: ClassVar[Mapping[str, str]] = {}
    comment_blank: str = " "

    def fold(self, line: str, start: int, limit: int) -> int:
        """Where a row ends that shows ``line`` from ``start`` on, at ``limit`` at most.

        No token is cut, unless it is longer than the row.  Asked for one row after the other, so
        a token begins at ``start``; ``start < limit < len(line)``.  This one breaks at words.
        """
        return fold_at_words(line, start, limit)

    def structure(self, source: bytes, offset: int) -> Structure | None:
        """What stands at a source offset, or is being typed before it."""
        return None

    def path(self, source: bytes, offset: int, delta: tuple[int, int]) -> Structure | None:
        """The cells that would be executed from the one at ``offset`` on, going by ``delta``."""
        return None

    def instruction_name(self, value: int) -> str:
        """What the instruction in a cell of this value does, in a few words; empty if unknown."""
        return ""

    def completions(self, source: bytes, offset: int) -> Completions | None:
        """What the word that ends at ``offset``, or a new one, may become."""
        return None

    def from_visible(self, text: bytes) -> Visible | None:
        """The source that ``text`` shows by letters; None when it shows none."""
        return None

    def misread(self, source: bytes) -> str:
        """Why a source is probably not what its author meant, in a sentence; empty if it is."""
        return ""

    def in_notation(self, source: bytes, notation: str) -> bytes:
        """A source in another notation that its dialects read; unchanged where there is one."""
        return source

    def reflow(self, source: bytes, width: int) -> bytes | None:
        """The source with line breaks added where they mean nothing; None if it cannot be."""
        return None

    def code_size(self, source: bytes) -> int:
        """Bytes of a source that are code; comments, and layout that means nothing, are free.

        Whatever a run may execute or read counts.  :data:`CODE_MEASURE` changes with the rules.
        A measure for comparing programs, which takes time in proportion to the source.
        """
        return len(source)
