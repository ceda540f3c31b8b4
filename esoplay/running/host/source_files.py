"""Split a submission that contains several files in one text, in Go's txtar format.

A line ``-- NAME --`` starts a file, and text before the first such line is ignored.  A source is an
archive only if it contains the lane's main file, such as ``main.py``, so a comment in this form
does not change the meaning of an ordinary program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

MAX_FILES = 64
MAX_NAME_LENGTH = 200
_MARKER = re.compile(rb"^-- (\S(?:.*\S)?) --\r?$", re.MULTILINE)
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")


class SourceFilesError(ValueError):
    """Invalid submission of several files; the message contains the reason."""


def split_source(source: bytes, main: str) -> tuple[str, dict[str, bytes]]:
    """Split a submission; return the path of the main file, and the contents of all files by path.

    main: name of the main file.  An ordinary source has only this file.  Raises SourceFilesError
    for an archive with too many files, or with an invalid or repeated name.
    """
    marks = list(_MARKER.finditer(source))
    names = [mark[1].decode("utf-8", "replace") for mark in marks]
    path = next((name for name in names if is_named(name, main)), None)
    if path is None:
        return main, {main: source}
    if len(names) > MAX_FILES:
        raise SourceFilesError(f"expected at most {MAX_FILES} files, found {len(names)}")
    ends = [*(mark.start() for mark in marks[1:]), len(source)]
    files: dict[str, bytes] = {}
    for name, mark, end in zip(names, marks, ends, strict=True):
        line = source.count(b"\n", 0, mark.start()) + 1
        if not is_path(name):
            raise SourceFilesError(
                f"line {line}: {name!r} is not a file name; expected letters, digits, '.', '_' "
                "and '-', with / between folders"
            )
        if name in files:
            raise SourceFilesError(f"line {line}: duplicate file {name}; expected each file once")
        if any(f"{name}/".startswith(f"{other}/") for other in files) or any(
            other.startswith(f"{name}/") for other in files
        ):
            raise SourceFilesError(f"line {line}: {name} is both a file and a folder")
        files[name] = source[mark.end() + 1 : end]
    return path, files


def join_files(files: Mapping[str, bytes]) -> bytes:
    """Join files to one submission; a missing line break is added at the end of each file."""
    return b"".join(
        f"-- {name} --\n".encode() + data + (b"" if data.endswith(b"\n") or not data else b"\n")
        for name, data in files.items()
    )


def missing_files(files: Iterable[str], stems: Iterable[str]) -> list[str]:
    """Return the ``stems`` for which no file exists; a stem is a file name without extension."""
    found = {name.rpartition("/")[2].partition(".")[0] for name in files}
    return [stem for stem in stems if stem not in found]


def is_named(path: str, name: str) -> bool:
    """Return whether the last component of ``path`` is ``name``."""
    return path.rpartition("/")[2] == name


def is_path(name: str) -> bool:
    """Return whether a file of a submission may have this relative path."""
    return len(name) <= MAX_NAME_LENGTH and all(_PART.fullmatch(part) for part in name.split("/"))
