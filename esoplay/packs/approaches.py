"""The approach of a program in words: the comment at its beginning."""

from __future__ import annotations

import re

from esolangs.registry import find_language

LONGEST = 240
"""Characters of an approach that is shown; what is longer is cut at a word."""

_WORDS = r"[^\W\d_][\w'’-]*[,;:.()]*"
_PROSE = re.compile(rf"(?:(?:{_WORDS}|[\d*+/=<>()-]+)[ ]+){{2,}}.*")
"""A part of a line with three words in a row, up to the end of the line."""
_REST = re.compile(rf"{_WORDS}(?: +{_WORDS})?")
"""A line of a word or two, which ends a paragraph."""
_LINE_COMMENT, _ENCLOSED = re.compile(r"\s*#+\s+(.*)"), re.compile(r"\s*;([^;]+);")
_TITLE = re.compile(r"[A-Z]\d\d\s")
"""How a line begins that only names the problem."""


def approach_of(source: bytes, language_id: str) -> str:
    """The first comment of a program, as one line; empty where it begins with none.

    The first paragraph of lines that hold prose, whatever marks comments in the language.  In a
    language whose programs are whitespace it is the first text, with no-break spaces for spaces.
    """
    text = source.decode("utf-8", "replace")
    if find_language(language_id).editing().letters:
        found = re.search(r"[^ \t\r\n]+", text)
        return _cut("" if found is None else found[0].replace("\u00a0", " "))
    lines: list[str] = []
    for line in text.split("\n"):
        prose = _prose_of(line)
        if prose and not _TITLE.match(line):
            lines.append(prose)
        elif lines:
            lines += [line] if _REST.fullmatch(line.strip()) else []
            break
    return _cut(" ".join(lines))


def _prose_of(line: str) -> str:
    """The prose in a line, without what marks it; empty where there is none."""
    found = _PROSE.search(line)
    if found is None:
        return ""
    marked = _LINE_COMMENT.fullmatch(line) or _ENCLOSED.match(line)
    return marked[1] if marked is not None else re.sub("^[v>] +", "", found[0])


def _cut(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= LONGEST else f"{words[:LONGEST].rsplit(' ', 1)[0]} …"
