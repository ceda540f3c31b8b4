"""Find the line and column of a TOML key, which ``tomllib`` does not report."""

from __future__ import annotations

import re
from pathlib import Path

_HEADER = re.compile(r"\s*(\[\[|\[)([^\[\]]+)\]")
_KEY = re.compile(
    r"""(\s*)((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*="""
)
_PART = re.compile(r"""[A-Za-z0-9_-]+|"[^"]*"|'[^']*'""")
_STRING = re.compile(r""""(?:[^"\\]|\\.)*"|\'[^\']*\'|#.*""")
_STEP = re.compile(r"""([^.\[\]"]+|"[^"]*")|\[(\d+)\]""")

Position = tuple[int, int]
"""Line and column, from 1."""
_Path = tuple[str | int, ...]


def find_position(text: str, path: str) -> Position | None:
    """Return the position of the key at a path such as ``models[1].limits.react``.

    For a missing key, or one inside a value, return the position of the table or value that should
    contain it. Return None if not even the first part of the path is found.
    """
    known = _positions(text)
    wanted = _split_path(path)
    while wanted:
        if wanted in known:
            return known[wanted]
        wanted = wanted[:-1]
    return None


_SYNTAX = re.compile(r"\(at line (\d+), column (\d+)\)")


def locate(file: Path, text: str, key_path: str, message: str) -> str:
    """Return ``file:line:column`` of an error in ``text``, or only the file's name.

    key_path: the invalid key, empty for the whole file. message: the error message; a parser's
    message contains the position.
    """
    syntax = None if key_path else _SYNTAX.search(message)
    found = find_position(text, key_path) if syntax is None else (int(syntax[1]), int(syntax[2]))
    return str(file) if found is None else f"{file}:{found[0]}:{found[1]}"


def _split_path(path: str) -> _Path:
    """Split a path such as ``models[1].limits.react`` into its keys and indices."""
    return tuple(
        int(found[2]) if found[2] is not None else found[1].strip('"')
        for found in _STEP.finditer(path)
    )


def _positions(text: str) -> dict[_Path, Position]:
    """Return the position of every table and key, by path."""
    known: dict[_Path, Position] = {}
    lengths: dict[_Path, int] = {}
    table: _Path = ()
    depth = 0
    quotes = ""
    for number, line in enumerate(text.splitlines(), 1):
        if quotes:  # in a string of several lines
            quotes = "" if quotes in line else quotes
            continue
        header, key = _HEADER.match(line), _KEY.match(line)
        if depth == 0 and header is not None:
            table = _table(header[2], header[1] == "[[", lengths)
            for length in range(1, len(table) + 1):
                known.setdefault(table[:length], (number, header.start(1) + 1))
        elif depth == 0 and key is not None:
            path = (*table, *_parts(key[2]))
            known.setdefault(path, (number, len(key[1]) + 1))
        for mark in ('"""', "'''"):
            if line.count(mark) == 1:
                quotes = mark
        if header is None or depth:
            bare = _STRING.sub("", line)
            depth += sum(bare.count(left) for left in "[{") - sum(map(bare.count, "]}"))
    return known


def _table(name: str, is_list: bool, lengths: dict[_Path, int]) -> _Path:
    """Return the path of the table that a header such as ``[a.b]`` begins.

    name: the name in the header.  is_list: whether it is in ``[[ ]]``, which adds an element to a
    list of tables.  lengths: the length of each list of tables so far; this function updates it.
    """
    path: _Path = ()
    parts = _parts(name)
    for at, part in enumerate(parts):
        path = (*path, part)
        if is_list and at == len(parts) - 1:
            lengths[path] = lengths.get(path, 0) + 1
        if path in lengths:
            path = (*path, lengths[path] - 1)
    return path


def _parts(dotted_key: str) -> list[str]:
    return [found.strip("\"'") for found in _PART.findall(dotted_key)]
