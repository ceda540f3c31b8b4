"""FILE and DIRF: files and folders inside the one folder that a run may use.

Source: the RC/Funge-98 documentation. A handle is part of the program's state: the path of its file
and a position. Nothing stays open between two instructions.
"""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

from esolangs.befunge_98.folder import (
    MAX_BYTES,
    count_created,
    current_folder,
    decode_name,
    is_folder,
    is_free_path,
    may_create,
    open_file,
    path_to,
    resolve_name,
)
from esolangs.befunge_98.transaction import MAX_BLOCK_CELLS, StepRefused
from esolangs.reasons import MEMORY_FULL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from esolangs.befunge_98.folder import Parts
    from esolangs.befunge_98.transaction import Transaction

    Semantics = Callable[[Transaction], None]

MAX_HANDLES = 64
_CHUNK = 4096  # bytes searched for the end of a line at a time


class OpenFile(NamedTuple):
    """An open file.

    position: offset of the next byte.  x, y: the first of the cells in a row that the instruction R
    fills with bytes of the file, and that W writes to the file.
    """

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


def _handles(transaction: Transaction) -> tuple[OpenFile | None, ...]:
    return transaction.load("FILE", shared=True) or ()


def _handle(transaction: Transaction, number: int) -> OpenFile | None:
    handles = _handles(transaction)
    return handles[number - 1] if 1 <= number <= len(handles) else None


def _save(transaction: Transaction, number: int, handle: OpenFile | None) -> None:
    handles = list(_handles(transaction))
    handles += [None] * (number - len(handles))
    handles[number - 1] = handle
    while handles and handles[len(handles) - 1] is None:
        handles.pop()
    transaction.save("FILE", tuple(handles) or None, shared=True)


def _open(transaction: Transaction) -> None:
    """Open a file (O); empty it only after all checks have passed."""
    name, number, (x, y) = transaction.pop_string(), transaction.pop(), transaction.pop_vector()
    parts = resolve_name(transaction, name)
    handles = _handles(transaction)
    free = handles.index(None) if None in handles else len(handles)
    if parts is None or not 0 <= number < len(_MODES) or free >= MAX_HANDLES:
        transaction.reflect()
        return
    mode, path = _MODES[number], path_to(transaction, parts)
    new = mode.creates and is_free_path(path)
    if new and not may_create(transaction):
        transaction.reflect()
        return
    with open_file(path, _flags(mode) | (os.O_CREAT if mode.creates else 0)) as file:
        if file is None:
            transaction.reflect()
            return
        if new:
            count_created(transaction)
        position = os.fstat(file).st_size if mode.appends else 0
        handle = OpenFile(parts, mode.reads, mode.writes, mode.appends, position, x, y)
        _save(transaction, free + 1, handle)
        transaction.push(free + 1)
        if mode.empties:
            os.ftruncate(file, 0)


def _flags(mode: _Mode | OpenFile) -> int:
    if mode.reads and mode.writes:
        return os.O_RDWR
    return os.O_WRONLY if mode.writes else os.O_RDONLY


def _close(transaction: Transaction) -> None:
    number = transaction.pop()
    if _handle(transaction, number) is None:
        transaction.reflect()
    else:
        _save(transaction, number, None)


def _delete(transaction: Transaction) -> None:
    path = path_to(transaction, resolve_name(transaction, transaction.pop_string()))
    try:
        if path is not None and stat.S_ISREG(os.lstat(path).st_mode):
            os.unlink(path)  # noqa: PTH108 (pathlib is slow to import)
            return
    except (OSError, ValueError):
        pass
    transaction.reflect()


def _get_line(transaction: Transaction) -> None:
    """Read a line with its newline (G); reflect at the end of the file."""
    number = transaction.pop()
    transaction.push(number)
    handle = _handle(transaction, number)
    line = None if handle is None else _line(transaction, handle)
    if handle is None or not line:
        transaction.reflect()
        return
    _save(transaction, number, handle._replace(position=handle.position + len(line)))
    transaction.push_string(list(line))
    transaction.push(len(line))


def _line(transaction: Transaction, handle: OpenFile) -> bytes | None:
    if not handle.reads:
        return None
    data = bytearray()
    with open_file(path_to(transaction, handle.parts), os.O_RDONLY) as file:
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
            if len(data) > MAX_BLOCK_CELLS or not transaction.core.reserve_room(len(data)):
                raise StepRefused(MEMORY_FULL)
    end = data.find(b"\n")
    return bytes(data if end < 0 else data[: end + 1])


def _put_string(transaction: Transaction) -> None:
    text, number = transaction.pop_string(), transaction.pop()
    transaction.push(number)
    _write(transaction, number, bytes([char & 255 for char in text]))


def _write_cells(transaction: Transaction) -> None:
    count, number = transaction.pop(), transaction.pop()
    transaction.push(number)
    handle = _handle(transaction, number)
    if handle is None or count < 0:
        transaction.reflect()
        return
    if count > MAX_BLOCK_CELLS:
        raise StepRefused(MEMORY_FULL)
    transaction.charge_values(count)
    cells = [transaction.get(handle.x + at, handle.y) for at in range(count)]
    _write(transaction, number, bytes([value & 255 for value in cells]))


def _write(transaction: Transaction, number: int, data: bytes) -> None:
    """Write to a file; reflect if it would become larger than ``MAX_BYTES``."""
    handle = _handle(transaction, number)
    if handle is None or not handle.writes:
        transaction.reflect()
        return
    with open_file(path_to(transaction, handle.parts), _flags(handle)) as file:
        if file is None:
            transaction.reflect()
            return
        position = os.fstat(file).st_size if handle.appends else handle.position
        end = position + len(data)
        if end > MAX_BYTES:
            transaction.reflect()
            return
        _save(transaction, number, handle._replace(position=end))
        try:
            written = os.pwrite(file, data, position)
        except OSError:
            written = -1
        if written != len(data):
            _save(transaction, number, handle)
            transaction.reflect()


def _read_cells(transaction: Transaction) -> None:
    """Read up to the requested number of bytes into cells (R); reflect if no bytes are left."""
    count, number = transaction.pop(), transaction.pop()
    transaction.push(number)
    handle = _handle(transaction, number)
    if handle is None or not handle.reads or count < 0:
        transaction.reflect()
        return
    with open_file(path_to(transaction, handle.parts), os.O_RDONLY) as file:
        try:
            most = min(count, MAX_BLOCK_CELLS + 1)
            data = None if file is None else os.pread(file, most, handle.position)
        except (OSError, OverflowError):
            data = None
    if data is None or (count and not data):
        transaction.reflect()
        return
    if len(data) > MAX_BLOCK_CELLS:
        raise StepRefused(MEMORY_FULL)
    transaction.charge_writes(len(data))
    transaction.reserve_memory(transaction.count_outside(handle.x, handle.y, len(data)), data)
    _save(transaction, number, handle._replace(position=handle.position + len(data)))
    for at, value in enumerate(data):
        transaction.put(handle.x + at, handle.y, value)


def _tell(transaction: Transaction) -> None:
    number = transaction.pop()
    transaction.push(number)
    handle = _handle(transaction, number)
    if handle is None:
        transaction.reflect()
    else:
        transaction.push(handle.position)


def _seek(transaction: Transaction) -> None:
    """Set the position in a file (S), relative to the start, the old position, or the end."""
    distance, start, number = transaction.pop(), transaction.pop(), transaction.pop()
    transaction.push(number)
    handle = _handle(transaction, number)
    if handle is None or start not in (0, 1, 2):
        transaction.reflect()
        return
    origin: int | None = 0
    if start == 1:
        origin = handle.position
    elif start == 2:
        with open_file(path_to(transaction, handle.parts), _flags(handle)) as file:
            origin = None if file is None else os.fstat(file).st_size
    if origin is None or not 0 <= origin + distance < 1 << 63:
        transaction.reflect()
    else:
        _save(transaction, number, handle._replace(position=origin + distance))


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


def _change_folder(transaction: Transaction) -> None:
    """Change the current folder (C); ``..`` goes up, at most to the folder that the run may use."""
    text = decode_name(transaction.pop_string())
    parts: list[str] | None = None if text is None else list(current_folder(transaction))
    for part in text.split("/") if text else ():
        if part == os.pardir:
            if not parts:
                parts = None
                break
            parts.pop()
        elif part not in ("", os.curdir) and parts is not None:
            parts.append(part)
    if parts is None or not is_folder(transaction, tuple(parts)):
        transaction.reflect()
    else:
        transaction.save("DIRF", tuple(parts) or None, shared=True)


def _make_folder(transaction: Transaction) -> None:
    path = path_to(transaction, resolve_name(transaction, transaction.pop_string()))
    try:
        if path is not None and may_create(transaction):
            os.mkdir(path)  # noqa: PTH102
            count_created(transaction)
            return
    except (OSError, ValueError):
        pass
    transaction.reflect()


def _remove_folder(transaction: Transaction) -> None:
    path = path_to(transaction, resolve_name(transaction, transaction.pop_string()))
    try:
        if path is not None:
            os.rmdir(path)  # noqa: PTH106
            return
    except (OSError, ValueError):
        pass
    transaction.reflect()


DIRF: dict[str, Semantics] = {"C": _change_folder, "M": _make_folder, "R": _remove_folder}
