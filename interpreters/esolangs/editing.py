"""Language support for source editors: structure, execution paths, completions and notations.

A language with more support than :class:`Editing` returns a subclass from
:meth:`esolangs.language.Language.editing`.  Sources in editors are often unfinished, so no method
except ``from_notation`` raises errors.  Methods run after every key press, so they ignore distant
parts of the source.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

MAX_DISTANCE = 200_000
"""Number of bytes around the cursor in which the other end of a construct is searched."""


def fold_at_words(line: str, start: int, limit: int) -> int:
    """Return the index at which to break ``line``: after whitespace, so no row begins with it."""
    end = 1 + max(line.rfind(blank, start, limit) for blank in _BLANKS)
    return end if end and line[start:end].strip(_BLANKS) else limit


_BLANKS = " \t"


class Mark(NamedTuple):
    """Source bytes to highlight; ``role``: why ("here", "function", "argument" or "path")."""

    start: int
    end: int
    role: str


class Structure(NamedTuple):
    """The construct at the cursor.

    words: a short description.  goal: the source offset of its jump target, or None.
    """

    marks: tuple[Mark, ...] = ()
    words: str = ""
    goal: int | None = None


class Completion(NamedTuple):
    """A completion.  text: replaces the typed text.  words: the meaning of ``text``."""

    text: str
    words: str


class Completions(NamedTuple):
    """Completions, best first, for the text from source offset ``start`` to the cursor."""

    start: int
    items: tuple[Completion, ...]


class VisibleSource(NamedTuple):
    """The source that a text spells with visible letters, such as S for a space.

    is_certain: False if it is plausible that the text is a source as it is, with its letters as
    comments.
    """

    source: bytes
    is_certain: bool


class Editing:
    """Base class for the editor support of a language, with defaults that suit any language.

    grid: whether the program is a plane, where the position of a character matters. wraps: whether
    long lines may be shown in several rows. brackets: matching pairs. letters: the letter to type
    for each whitespace character that is an instruction; empty if none.
    comment_blank: replaces a space in a comment if whitespace is code.
    strips_exactly: removing comments never changes what a program does.
    """

    grid: bool = False
    wraps: bool = False
    brackets: Sequence[str] = ("[]", "()", "{}")
    letters: ClassVar[Mapping[str, str]] = {}
    comment_blank: str = " "
    strips_exactly: bool = True

    def fold(self, line: str, start: int, limit: int) -> int:
        """Return the offset in ``line`` where the row that begins at ``start`` has to end.

        limit: the offset that the row must not exceed.

        A token is split only if it is longer than the row.  The caller folds one row after another,
        so a token begins at ``start``; ``start < limit < len(line)``.  This method breaks at words.
        """
        return fold_at_words(line, start, limit)

    def structure(self, source: bytes, offset: int) -> Structure | None:
        """Return the construct at ``offset``, or the unfinished construct before ``offset``."""
        return None

    def path(self, source: bytes, offset: int, delta: tuple[int, int]) -> Structure | None:
        """Return the cells that a program on a plane executes from ``offset`` on in a direction."""
        return None

    def instruction_name(self, value: int) -> str:
        """Return a short description of the instruction with this cell value, or ''."""
        return ""

    def completions(self, source: bytes, offset: int) -> Completions | None:
        """Return the possible completions of the word that ends at ``offset``, or of a new word."""
        return None

    def from_visible(self, text: bytes) -> VisibleSource | None:
        """Return the source that ``text`` spells with visible letters, or None if it spells none.

        Only in languages whose instructions are whitespace; in others, the result is None.
        """
        return None

    def misreading_hint(self, source: bytes) -> str:
        """Explain why a source probably does not do what its author intended, or return ''."""
        return ""

    def in_notation(self, source: bytes, notation: str) -> bytes:
        """Convert a source to a notation; return it unchanged if the language has only one."""
        return source

    def from_notation(self, text: bytes, notation: str) -> bytes:
        """Convert a text in a notation to the source; the inverse of :meth:`in_notation`.

        Raises ParseError if the text is invalid in this notation.
        """
        return text

    def reflow(self, source: bytes, width: int) -> bytes | None:
        """Return the source in lines of at most ``width`` characters, or None if unsupported."""
        return None

    def comments(self, source: bytes) -> Iterator[str]:
        """Yield the comment of each line without its markers; '' for a line without a comment."""
        yield from ()

    def without_comments(self, source: bytes) -> bytes:
        """Return the source without comments and titles, which have no effect.

        The result does the same as ``source``; if ``strips_exactly`` is false, callers have to
        compare runs to be sure.
        """
        return source

    def code_size(self, source: bytes) -> int:
        """Return the size of the code in bytes, without comments and layout that has no effect.

        All bytes that a run may execute or read count.  If this definition changes, the version in
        ``esoplay.progress.code_sizes`` must change too.  The time is proportional to the length of
        the source.
        """
        return len(source)
