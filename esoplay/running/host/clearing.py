"""Emptying a folder that a hostile program has written to."""

from __future__ import annotations

import os
from pathlib import Path
from secrets import token_hex

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def clear(folder: Path) -> None:
    """Remove all that is in there, however deep and though it is locked; raises OSError.

    What goes down by calls breaks off where folders lie thousands in each other, and paths end
    there, too.  So inner folders are brought up first.  No link is followed.
    """
    top = os.open(folder, _FOLDER)
    try:
        while inner := _without_files(top):
            for name in inner:
                _take_apart(top, name)
    finally:
        os.close(top)


def _without_files(folder: int) -> list[str]:
    """Remove what are no folders; the names of those that are."""
    inner: list[str] = []
    with os.scandir(folder) as entries:
        for entry in list(entries):
            if entry.is_dir(follow_symlinks=False):
                inner.append(entry.name)
            else:
                os.unlink(entry.name, dir_fd=folder)
    return inner


def _take_apart(top: int, name: str) -> None:
    """Remove a folder of ``top``; those inside of it are folders of ``top`` afterwards."""
    _unlock(top, name)
    folder = os.open(name, _FOLDER, dir_fd=top)
    try:
        for inner in _without_files(folder):
            _unlock(folder, inner)  # else it could not be moved
            os.rename(inner, token_hex(16), src_dir_fd=folder, dst_dir_fd=top)
    finally:
        os.close(folder)
    os.rmdir(name, dir_fd=top)


def _unlock(folder: int, name: str) -> None:
    """Root needs no key, and would follow a link that came in between."""
    if os.geteuid() != 0:
        os.chmod(name, 0o700, dir_fd=folder)
