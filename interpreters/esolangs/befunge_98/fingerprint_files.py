"""FILE and DIRF: files and folders, below the folder that a run may use and nowhere else.

Source: the RC/Funge-98 documentation. A handle is part of the program's state: the way to its file
and a position. Nothing stays open between two instructions.
"""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

from esolangs.befunge_98.folder import (
    MOST_BYTES,
    count_created,
    current,
    folder_at,
    is_missing,
    located,
    may_create,
    opened,
    path_to,
    spelled,
)
from esolangs.befunge_98.hands import BLOCK, Refused
from esolangs.reasons import MEMORY_FULL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from esolangs.befunge_98.folder import Parts
    from esolangs.befunge_98.hands import Hands

    Semantics = Callable[[Hands], None]

MOST_HANDLES = 64
_CHUNK = 4096  # bytes that are looked through for the end of a line at once


class Handle(NamedTuple):
    """An open file.  position: of the next byte.  x, y: the buffer of R and W."""

    parts: Parts
    reads: bool
    writes: bool
    appends: bool
    position: int
    x: int
    y: int


class _Mode(NamedTuple):
    reads: bool
    writes: bool
    creates: bool = False
    empties: bool = False
    appends: bool = False


_MODES = (
    _Mode(True, False),
    _Mode(False, True, creates=True, empties=True),
    _Mode(False, True, creates=True, appends=True),
    _Mode(True, True),
    _Mode(True, True, creates=True, empties=True),
    _Mode(True, True, creates=True, appends=True),
)


def _handles(hands: Hands) -> tuple[Handle | None, ...]:
    return hands.saved("FILE", shared=True) or ()


def _handle(hands: Hands, number: int) -> Handle | None:
    handles = _handles(hands)
    return handles[number - 1] if 1 <= number <= len(handles) else None


def _save(hands: Hands, number: int, handle: Handle | None) -> None:
    handles = list(_handles(hands))
    handles += [None] * (number - len(handles))
    handles[number - 1] = handle
    while handles and handles[len(handles) - 1] is None:
        handles.pop()
    hands.save("FILE", tuple(handles) or None, shared=True)


def _open(hands: Hands) -> None:
    """O: a file that is emptied is so only when nothing can be refused any more."""
    name, number, (x, y) = hands.string(), hands.pop(), hands.vector()
    parts = located(hands, name)
    handles = _handles(hands)
    free = handles.index(None) if None in handles else len(handles)
    if parts is None or not 0 <= number < len(_MODES) or free >= MOST_HANDLES:
        hands.reflect()
        return
    mode, path = _MODES[number], path_to(hands, parts)
    new = mode.creates and is_missing(path)
    if new and not may_create(hands):
        hands.reflect()
        return
    with opened(path, _flags(mode) | (os.O_CREAT if mode.creates else 0)) as file:
        if file is None:
            hands.reflect()
            return
        if new:
            count_created(hands)
        position = os.fstat(file).st_size if mode.appends else 0
        handle = Handle(parts, mode.reads, mode.writes, mode.appends, position, x, y)
        _save(hands, free + 1, handle)
        hands.push(free + 1)
        if mode.empties:
            os.ftruncate(file, 0)


def _flags(mode: _Mode | Handle) -> int:
    if mode.reads and mode.writes:
        return os.O_RDWR
    return os.O_WRONLY if mode.writes else os.O_RDONLY


def _close(hands: Hands) -> None:
    number = hands.pop()
    if _handle(hands, number) is None:
        hands.reflect()
    else:
        _save(hands, number, None)


def _delete(hands: Hands) -> None:
    path = path_to(hands, located(hands, hands.string()))
    try:
        if path is not None and stat.S_ISREG(os.lstat(path).st_mode):
            os.unlink(path)  # noqa: PTH108 (pathlib is slow to import)
            return
    except (OSError, ValueError):
        pass
    hands.reflect()


def _get_line(hands: Hands) -> None:
    """G: up to and with the newline; reflects at the end of the file."""
    number = hands.pop()
    hands.push(number)
    handle = _handle(hands, number)
    line = None if handle is None else _line(hands, handle)
    if handle is None or not line:
        hands.reflect()
        return
    _save(hands, number, handle._replace(position=handle.position + len(line)))
    hands.push_string(list(line))
    hands.push(len(line))


def _line(hands: Hands, handle: Handle) -> bytes | None:
    if not handle.reads:
        return None
    data = bytearray()
    with opened(path_to(hands, handle.parts), os.O_RDONLY) as file:
        if file is None:
            return None
        more = b""
        while b"\n" not in more:
            try:
                more = os.pread(file, _CHUNK, handle.position + len(data))
            except (OSError, OverflowError):
                return None
            if not more:
                break
            data += more
            if len(data) > BLOCK or not hands.core.room_for(len(data)):
                raise Refused(MEMORY_FULL)
    end = data.find(b"\n")
    return bytes(data if end < 0 else data[: end + 1])


def _put_string(hands: Hands) -> None:
    text, number = hands.string(), hands.pop()
    hands.push(number)
    _write(hands, number, bytes([char & 255 for char in text]))


def _write_cells(hands: Hands) -> None:
    count, number = hands.pop(), hands.pop()
    hands.push(number)
    handle = _handle(hands, number)
    if handle is None or count < 0:
        hands.reflect()
        return
    if count > BLOCK:
        raise Refused(MEMORY_FULL)
    hands.take(count)
    cells = [hands.get(handle.x + at, handle.y) for at in range(count)]
    _write(hands, number, bytes([value & 255 for value in cells]))


def _write(hands: Hands, number: int, data: bytes) -> None:
    """Reflects where the file would have more than ``MOST_BYTES``."""
    handle = _handle(hands, number)
    if handle is None or not handle.writes:
        hands.reflect()
        return
    with opened(path_to(hands, handle.parts), _flags(handle)) as file:
        if file is None:
            hands.reflect()
            return
        position = os.fstat(file).st_size if handle.appends else handle.position
        end = position + len(data)
        if end > MOST_BYTES:
            hands.reflect()
            return
        _save(hands, number, handle._replace(position=end))
        try:
            written = os.pwrite(file, data, position)
        except OSError:
            written = -1
        if written != len(data):
            _save(hands, number, handle)
            hands.reflect()


def _read_cells(hands: Hands) -> None:
    """R: as many bytes as there are; reflects if some are wanted and none are left."""
    count, number = hands.pop(), hands.pop()
    hands.push(number)
    handle = _handle(hands, number)
    if handle is None or not handle.reads or count < 0:
        hands.reflect()
        return
    with opened(path_to(hands, handle.parts), os.O_RDONLY) as file:
        try:
            most = min(count, BLOCK + 1)
            data = None if file is None else os.pread(file, most, handle.position)
        except (OSError, OverflowError):
            data = None
    if data is None or (count and not data):
        hands.reflect()
        return
    if len(data) > BLOCK:
        raise Refused(MEMORY_FULL)
    hands.write(len(data))
    hands.afford(hands.outside(handle.x, handle.y, len(data)), data)
    _save(hands, number, handle._replace(position=handle.position + len(data)))
    for at, value in enumerate(data):
        hands.put(handle.x + at, handle.y, value)


def _tell(hands: Hands) -> None:
    number = hands.pop()
    hands.push(number)
    handle = _handle(hands, number)
    if handle is None:
        hands.reflect()
    else:
        hands.push(handle.position)


def _seek(hands: Hands) -> None:
    """S: from the begin, from here, or from the end."""
    distance, start, number = hands.pop(), hands.pop(), hands.pop()
    hands.push(number)
    handle = _handle(hands, number)
    if handle is None or start not in (0, 1, 2):
        hands.reflect()
        return
    origin: int | None = 0
    if start == 1:
        origin = handle.position
    elif start == 2:
        with opened(path_to(hands, handle.parts), _flags(handle)) as file:
            origin = None if file is None else os.fstat(file).st_size
    if origin is None or not 0 <= origin + distance < 1 << 63:
        hands.reflect()
    else:
        _save(hands, number, handle._replace(position=origin + distance))


FILE: dict[str, Semantics] = {
    "C": _close,
    "D": _delete,
    "G": _get_line,
    "L": _tell,
    "O": _open,
    "P": _put_string,
    "R": _read_cells,
    "S": _seek,
    "W": _write_cells,
}


# DIRF


def _change_folder(hands: Hands) -> None:
    """C: ``..`` leads back, up to the folder that the run may use."""
    text = spelled(hands.string())
    parts: list[str] | None = None if text is None else list(current(hands))
    for part in text.split("/") if text else ():
        if part == os.pardir:
            if not parts:
                parts = None
                break
            parts.pop()
        elif part not in ("", os.curdir) and parts is not None:
            parts.append(part)
    if parts is None or not folder_at(hands, tuple(parts)):
        hands.reflect()
    else:
        hands.save("DIRF", tuple(parts) or None, shared=True)


def _make_folder(hands: Hands) -> None:
    path = path_to(hands, located(hands, hands.string()))
    try:
        if path is not None and may_create(hands):
            os.mkdir(path)  # noqa: PTH102
            count_created(hands)
            return
    except (OSError, ValueError):
        pass
    hands.reflect()


def _remove_folder(hands: Hands) -> None:
    path = path_to(hands, located(hands, hands.string()))
    try:
        if path is not None:
            os.rmdir(path)  # noqa: PTH106
            return
    except (OSError, ValueError):
        pass
    hands.reflect()


DIRF: dict[str, Semantics] = {"C": _change_folder, "M": _make_folder, "R": _remove_folder}
