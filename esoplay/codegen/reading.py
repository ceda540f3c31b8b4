"""The files of a source, its program and its map."""

from __future__ import annotations

import os

from esoplay.errors import UsageError


def source_text(data: bytes, name: str) -> str:
    """The text that the bytes of a file spell, without the mark that some editors put in front.

    CPython takes that mark for nothing, too.  ``name`` is what the UsageError calls the file.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(
            f"{name}: line {line}: a source is text in UTF-8, which byte {error.start} is not"
        ) from None


def keep_apart(source: str, program: str | None, source_map: str | None) -> None:
    """Raise UsageError where one would be written over another; None goes to no file, ``-`` too."""
    taken = {} if source == "-" else {os.path.realpath(source): "the source"}
    for path, what in ((program, "the program"), (source_map, "the map")):
        if path is not None:
            other = taken.setdefault(os.path.realpath(path), what)
            if other != what:
                raise UsageError(f"{path} is {other}: {what} needs a file of its own")
