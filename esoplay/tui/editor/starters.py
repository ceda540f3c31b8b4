"""Where the code of a starter begins, after its comments."""

from __future__ import annotations

from esolangs.errors import ParseError
from esolangs.registry import find_language


def code_offset(language_id: str, source: bytes, dialect: str = "standard") -> int:
    """The offset of the first instruction that a run does not skip; 0 without one.

    A loop at the very start of a Brainfuck program never runs, so it holds a comment.
    """
    language = find_language(language_id)
    try:
        program = language.parse(source, language.configure(dialect))
    except ParseError:
        return 0
    spans = program.spans()
    if not spans:
        return 0
    first = spans[0][0]
    if source[first : first + 1] == b"[":
        machine = program.start(b"")
        machine.step()
        after = machine.location
        if isinstance(after, int) and after > spans[0][1]:
            return min(after, len(source))
    return first
