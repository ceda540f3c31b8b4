"""``i`` and ``o``: files of the folder that the world gives, and no others.

Names are taken from the folder on; absolute ones, ``..`` and symbolic links out of the
folder are refused, and whatever is no regular file.  Refused means that the IP reflects.
"""

from __future__ import annotations

import os
import stat

from esolangs.befunge_98.hands import Hands, Refused
from esolangs.befunge_98.opcodes import BLANK, FAR
from esolangs.reasons import MEMORY_FULL

MOST_BYTES = 1 << 22
"""A larger file counts as too much memory: it would take seconds without an interruption."""


def load_file(hands: Hands) -> None:
    """``i``: blanks of a file leave what is there; pushes its size and its corner."""
    name, flags, (x, y) = hands.string(), hands.pop(), hands.vector()
    data = _read(hands, name)
    if data is None:
        hands.reflect()
        return
    rows = [data] if flags & 1 else [row.replace(b"\f", b"") for row in data.splitlines()]
    core, ip = hands.core, hands.ip
    left, top = x + ip.ox, y + ip.oy
    right, bottom = core.left + core.width, core.top + core.height
    cells = [
        (left + column, top + line, value)
        for line, row in enumerate(rows)
        for column, value in enumerate(row)
        if value != BLANK
    ]
    far = [
        1
        for at_x, at_y, _ in cells
        if not (core.left <= at_x < right and core.top <= at_y < bottom)
    ]
    if core.used + FAR * len(far) > core.most_memory:
        raise Refused(MEMORY_FULL)
    width = max([len(row) for row in rows], default=0)
    hands.push_vector(width, len(rows))
    hands.push_vector(x, y)
    for at_x, at_y, value in cells:
        hands.put(at_x, at_y, value)


def store_file(hands: Hands) -> None:
    """``o``: a block of cells, every row ended by a newline.

    As a linear text file it has no blanks before a newline and no newlines at its end.
    """
    name, flags, (x, y), (width, height) = (
        hands.string(), hands.pop(), hands.vector(), hands.vector()
    )  # fmt: skip
    path = _path(hands, name)
    if path is None or width < 1 or height < 1:
        hands.reflect()
        return
    if width * height > min(MOST_BYTES, hands.core.most_memory):
        raise Refused(MEMORY_FULL)
    left, top = x + hands.ip.ox, y + hands.ip.oy
    rows = [
        bytes([hands.get(left + column, top + line) & 255 for column in range(width)])
        for line in range(height)
    ]
    if flags & 1:
        text = b"".join([row + b"\n" for row in rows])
        data = b"\n".join([line.rstrip(b" ") for line in text.split(b"\n")]).rstrip(b"\n")
    else:
        data = b"".join([row + b"\n" for row in rows])
    if not _write(path, data):
        hands.reflect()


def _path(hands: Hands, name: list[int]) -> str | None:
    """The file of that name in the folder; None when it may not be used."""
    folder = None if hands.world is None else hands.world.folder
    if folder is None or not name or not all(0 < char < 256 for char in name):
        return None
    relative = os.fsdecode(bytes(name))
    parts = relative.split("/")
    if relative.startswith("/") or os.pardir in parts or "\\" in relative or ":" in relative:
        return None
    root = os.path.realpath(folder)
    path = os.path.join(root, relative)
    inside = os.path.realpath(os.path.dirname(path))
    if inside != root and not inside.startswith(os.path.join(root, "")):
        return None
    return os.path.join(inside, parts[-1])


# A symbolic link is not followed, a pipe is not waited for.
_CAREFULLY = (
    getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
)


def _read(hands: Hands, name: list[int]) -> bytes | None:
    path = _path(hands, name)
    if path is None:
        return None
    try:
        file = os.open(path, os.O_RDONLY | _CAREFULLY)
    except (OSError, ValueError):
        return None
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            return None
        with open(file, "rb", closefd=False) as opened:
            most = min(MOST_BYTES, hands.core.most_memory)
            data = opened.read(most + 1)
    except OSError:
        return None
    finally:
        os.close(file)
    if len(data) > most:
        raise Refused(MEMORY_FULL)
    return data


def _write(path: str, data: bytes) -> bool:
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | _CAREFULLY, 0o666)
    except (OSError, ValueError):
        return False
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            return False
        with open(file, "wb", closefd=False) as opened:
            opened.truncate(0)
            opened.write(data)
    except OSError:
        return False
    finally:
        os.close(file)
    return True
