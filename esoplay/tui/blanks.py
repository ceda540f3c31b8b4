"""Languages whose instructions are made of blanks, and what such blanks look like."""

from __future__ import annotations

from functools import lru_cache

from esolangs.registry import find_language, language_ids

SPACE, TAB, NEWLINE = "·", "→", "¶"
"""Glyphs for blanks that are instructions: three shapes, apart without colour."""

_BLANKS = b" \t\n"


@lru_cache(maxsize=8)
def blanks_are_code(language_id: str) -> bool:
    """Whether the language's sample consists of instructions that nobody could see."""
    if language_id not in language_ids():
        return False
    language = find_language(language_id)
    program = language.parse(language.sample())
    spans = program.spans()
    return bool(spans) and not any(program.source[start:end].strip(_BLANKS) for start, end in spans)
