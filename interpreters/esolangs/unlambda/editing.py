"""Editor support for Unlambda: the function and argument of a backtick."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from esolangs.editing import MAX_DISTANCE, Editing, Mark, Structure, fold_at_words
from esolangs.wording import plural

_CODE = re.compile(rb"(?>[^.?#\n]|[.?][^\n])*+")
"""Matches the code of a line before a comment; a token never continues on the next line."""

_CODE_OF_LINE = re.compile(r"(?>[^.?#]|[.?][\s\S]?)*+")

_TOKEN = re.compile(rb"(`+)|([.?][\s\S])|(#[^\n]*)|(\s+)|([^`.?#\s]+)")
_PIECE = re.compile(rb"#[^\n]*|[.?][\s\S]|[^\S\n]+|\n|[^\s#]")
_MAX_TEXT_BYTES = 16
_WHY_NO_TERM = f"incomplete or longer than {MAX_DISTANCE:,} bytes"


class UnlambdaEditing(Editing):
    """Editor support for Unlambda.

    A backtick has no closing bracket, so if the cursor is on one, its function and its argument are
    marked.
    """

    wraps = True
    brackets = ()

    def fold(self, line: str, start: int, limit: int) -> int:
        """Return the index at which to end a row: before an application, else between two tokens.

        A comment is broken between words.
        """
        comment = _comment_start(line)
        if comment < limit:
            return max(start, comment) if start < comment else fold_at_words(line, start, limit)
        end = line.rfind("`", start + 1, limit + 1)
        while end > start and line[end - 1] == "`":
            end -= 1
        if end - start >= (limit - start) // 2 and _is_token_start(line, start, end):
            return end
        return limit if _is_token_start(line, start, limit) else max(start + 1, limit - 1)

    def structure(self, source: bytes, offset: int) -> Structure | None:
        if source[offset : offset + 1] != b"`" or not _is_code(source, offset):
            return None
        function = _term(source, offset + 1)
        if function is None:
            return Structure((), f"` applies a function that is {_WHY_NO_TERM}")
        argument = _term(source, function[1])
        marks = (Mark(*function, "function"),)
        applied = f"` applies {_text(source, function)}"
        if argument is None:
            return Structure(marks, f"{applied} to an argument that is {_WHY_NO_TERM}")
        marks += (Mark(*argument, "argument"),)
        return Structure(marks, f"{applied} to {_text(source, argument)}", argument[0])

    def reflow(self, source: bytes, width: int) -> bytes:
        """Break lines of more than ``width`` bytes between tokens; comments stay on their lines."""
        parts: list[bytes] = []
        column = 0
        for piece in _PIECE.findall(source):
            if piece in (b"\n", b".\n", b"?\n"):
                column = 0
            else:
                if column and column + len(piece) > width and piece[:1] != b"#":
                    parts.append(b"\n")
                    column = 0
                column += len(piece)
            parts.append(piece)
        return b"".join(parts)

    def comments(self, source: bytes) -> Iterator[str]:
        for line in source.decode("utf-8", "replace").split("\n"):
            yield line[_comment_start(line) :].strip("# \t\r")

    def without_comments(self, source: bytes) -> bytes:
        """Remove comments, the whitespace before them, and lines that contain only a comment."""
        rows: list[list[bytes]] = [[]]
        for piece in _PIECE.findall(source):
            if piece[:1] == b"#":
                continue
            rows[-1].append(piece)
            if piece in (b"\n", b".\n", b"?\n"):
                rows.append([])
        return b"".join(
            b"".join(_strip_trailing(row)) for row in rows if any(map(bytes.strip, row))
        )

    def code_size(self, source: bytes) -> int:
        """Count bytes, without comments and whitespace; whitespace after ``.`` or ``?`` counts."""
        return sum(len(token) for token in _COUNTED.findall(source))


def _strip_trailing(row: list[bytes]) -> list[bytes]:
    """Return the pieces of a line without trailing whitespace, but with its line break."""
    end = row[-1:] if row[-1] == b"\n" else []
    code = row[: len(row) - len(end)]
    while code and code[-1].isspace():
        code = code[:-1]
    return code + end


_COUNTED = re.compile(rb"#[^\n]*(?:\n|\Z)|([.?].?|[^\s#])", re.DOTALL)
"""Matches a comment or a token; the group is the token, or empty for a comment."""

EDITING = UnlambdaEditing()


@lru_cache(maxsize=8)
def _comment_start(line: str) -> int:
    """Return the index of a line's comment, or the line's length."""
    found = _CODE_OF_LINE.match(line)
    return len(line) if found is None else found.end()


def _is_token_start(line: str, start: int, index: int) -> bool:
    """Return whether a token begins at ``index``, given that one begins at ``start``."""
    first = index
    while first > start and line[first - 1] in ".?":
        first -= 1
    return (index - first) % 2 == 0


def _is_code(source: bytes, offset: int) -> bool:
    """Return whether a token begins at ``offset``, outside comments."""
    begin = source.rfind(b"\n", 0, offset) + 1
    passed = _CODE.match(source, begin, offset)
    return passed is not None and passed.end() == offset


def _term(source: bytes, at: int) -> tuple[int, int] | None:
    """Return the start and end of the next term, or None if it is incomplete or too long."""
    wanted = 1
    start = -1
    for token in _TOKEN.finditer(source, at, at + MAX_DISTANCE):
        backticks, spoken, comment, blank, atoms = token.groups()
        if comment is not None or blank is not None:
            continue
        if start < 0:
            start = token.start()
        if backticks is not None:
            wanted += len(backticks)
        elif spoken is not None:
            wanted -= 1
            if not wanted:
                return start, token.end()
        elif len(atoms) >= wanted:
            return start, token.start() + wanted
        else:
            wanted -= len(atoms)
    return None


def _text(source: bytes, span: tuple[int, int]) -> str:
    start, end = span
    text = source[start : min(end, start + _MAX_TEXT_BYTES)].decode("utf-8", "replace")
    text = "".join(c if c.isprintable() else "␊" if c == "\n" else "·" for c in text)
    return text if end - start <= _MAX_TEXT_BYTES else f"{text}… ({plural(end - start, 'byte')})"
