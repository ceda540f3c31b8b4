"""The instructions of FILE and DIRF on files in memory, without access to a disk."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from oracles.befunge_98.space import Point

if TYPE_CHECKING:
    from oracles.befunge_98.ip import IP
    from oracles.befunge_98.oracle import Oracle

MAX_FILE_BYTES = 4 << 20
MAX_NAME_BYTES = 1024
MAX_OPEN = 64
MAX_CREATED = 1000
PathParts = tuple[str, ...]


@dataclass
class Disk:
    """Files and folders by their path from the allowed folder."""

    files: dict[PathParts, bytes] = field(default_factory=dict)
    folders: set[PathParts] = field(default_factory=lambda: {()})


@dataclass(frozen=True)
class Handle:
    path_parts: PathParts
    mode: int
    position: int
    buffer: Point


READING, WRITING, APPENDING = {0, 3, 4, 5}, {1, 2, 3, 4, 5}, {2, 5}


def pop_name(ip: IP) -> str:
    """Pop a name; return '' if it is too long or contains an invalid character."""
    chars = ip.string()
    possible = len(chars) <= MAX_NAME_BYTES and all(0 < char < 256 for char in chars)
    return "".join(map(chr, chars)) if possible else ""


def pop_path(o: Oracle, ip: IP) -> PathParts | None:
    """Pop a name; return its path, or None if it is refused or one of its folders is missing."""
    name = pop_name(ip)
    if not name or name[0] == "/" or set(name) & set("\\:") or ".." in name.split("/"):
        return None
    *folders, last = (*o.states.get("DIRF", ()), *name.split("/"))
    path_parts = tuple(part for part in folders if part not in ("", "."))
    assert o.disk is not None
    ways = [path_parts[:n] for n in range(len(path_parts) + 1)]
    if last in ("", ".") or not all(each in o.disk.folders for each in ways):
        return None
    return *path_parts, last


def find_handle(o: Oracle, number: int) -> Handle | None:
    handle = o.states.get("FILE", {}).get(number)
    return handle if o.disk is not None else None


def save_handle(o: Oracle, number: int, handle: Handle | None) -> None:
    handles = dict(o.states.get("FILE", {}))
    handles.pop(number, None)
    if handle is not None:
        handles[number] = handle
    o.states["FILE"] = handles


def count_created(o: Oracle) -> bool:
    """Count a created file or folder; return False if the limit was reached before."""
    count = o.states.get("created", 0)
    o.states["created"] = min(MAX_CREATED, count + 1)
    return count < MAX_CREATED


def file_open(o: Oracle, ip: IP) -> None:
    path_parts, mode, buffer = pop_path(o, ip), ip.pop(), ip.vector()
    handles = o.states.get("FILE", {})
    number = min(n for n in range(1, MAX_OPEN + 2) if n not in handles)
    assert o.disk is not None
    there = o.disk.files.get(path_parts) if path_parts else None
    missing = there is None and mode in (0, 3)
    if (
        path_parts is None
        or path_parts in o.disk.folders
        or missing
        or not 0 <= mode <= 5
        or number > MAX_OPEN
    ):
        ip.reflect()
        return
    if there is None and not count_created(o):
        ip.reflect()
        return
    content = b"" if mode in (1, 4) or there is None else there
    o.disk.files[path_parts] = content
    save_handle(
        o, number, Handle(path_parts, mode, len(content) if mode in APPENDING else 0, buffer)
    )
    ip.push(number)


def file_close(o: Oracle, ip: IP) -> None:
    number = ip.pop()
    if find_handle(o, number) is None:
        ip.reflect()
    save_handle(o, number, None)


def file_delete(o: Oracle, ip: IP) -> None:
    path_parts = pop_path(o, ip)
    assert o.disk is not None
    if path_parts in o.disk.files:
        del o.disk.files[path_parts]
    else:
        ip.reflect()


def content_of(o: Oracle, handle: Handle | None, modes: set[int]) -> bytes | None:
    """Return the content of a handle's file; None if it is missing or has none of the modes."""
    assert o.disk is not None
    return o.disk.files.get(handle.path_parts) if handle and handle.mode in modes else None


def file_line(o: Oracle, ip: IP) -> None:
    number = ip.pop()
    ip.push(number)
    handle = find_handle(o, number)
    content = content_of(o, handle, READING)
    if handle is None or not content or handle.position >= len(content):
        ip.reflect()
        return
    line = content[handle.position :].partition(b"\n")
    text = line[0] + line[1]
    ip.push_string(list(text))
    ip.push(len(text))
    save_handle(o, number, replace(handle, position=handle.position + len(text)))


def write(o: Oracle, ip: IP, number: int, data: bytes) -> None:
    handle = find_handle(o, number)
    content = content_of(o, handle, WRITING)
    if handle is None or content is None:
        ip.reflect()
        return
    at = len(content) if handle.mode in APPENDING else handle.position
    if at + len(data) > MAX_FILE_BYTES:
        ip.reflect()
        return
    assert o.disk is not None
    if data:
        before = content[:at] + bytes(max(0, at - len(content)))
        o.disk.files[handle.path_parts] = before + data + content[at + len(data) :]
    save_handle(o, number, replace(handle, position=at + len(data)))


def file_put(o: Oracle, ip: IP) -> None:
    data = bytes(char % 256 for char in ip.string())
    number = ip.pop()
    ip.push(number)
    write(o, ip, number, data)


def file_write(o: Oracle, ip: IP) -> None:
    count, number = ip.pop(), ip.pop()
    ip.push(number)
    handle = find_handle(o, number)
    if handle is None or count < 0:
        ip.reflect()
        return
    o.afford(count)
    o.move(ip, 64 * count)
    x, y = handle.buffer
    cells = [o.space.get(o.wrap_point((x + at, y))) for at in range(count)]
    write(o, ip, number, bytes(value % 256 for value in cells))


def file_read(o: Oracle, ip: IP) -> None:
    count, number = ip.pop(), ip.pop()
    ip.push(number)
    handle = find_handle(o, number)
    content = content_of(o, handle, READING)
    if handle is None or content is None or count < 0:
        ip.reflect()
        return
    data = content[handle.position : handle.position + count]
    if count and not data:
        ip.reflect()
        return
    o.move(ip, 256 * len(data))
    for at, value in enumerate(data):
        o.write((handle.buffer[0] + at, handle.buffer[1]), value)
    save_handle(o, number, replace(handle, position=handle.position + len(data)))


def file_tell(o: Oracle, ip: IP) -> None:
    number = ip.pop()
    ip.push(number)
    handle = find_handle(o, number)
    if handle is None:
        ip.reflect()
    else:
        ip.push(handle.position)


def file_seek(o: Oracle, ip: IP) -> None:
    n, start, number = ip.pop(), ip.pop(), ip.pop()
    ip.push(number)
    handle = find_handle(o, number)
    if handle is None or not 0 <= start <= 2:
        ip.reflect()
        return
    content = content_of(o, handle, READING | WRITING)
    if start == 2 and content is None:
        ip.reflect()
        return
    position = n + (0, handle.position, len(content or b""))[start]
    if 0 <= position < 1 << 63:
        save_handle(o, number, replace(handle, position=position))
    else:
        ip.reflect()


FILE = {
    "C": file_close, "D": file_delete, "G": file_line, "L": file_tell, "O": file_open,
    "P": file_put, "R": file_read, "S": file_seek, "W": file_write,
}  # fmt: skip


def folder_change(o: Oracle, ip: IP) -> None:
    name = pop_name(ip)
    assert o.disk is not None
    path_parts: PathParts = o.states.get("DIRF", ())
    bad = not name or name[0] == "/" or bool(set(name) & set("\\:"))
    for part in name.split("/"):
        if part == "..":
            bad = bad or not path_parts
            path_parts = path_parts[:-1]
        elif part not in ("", "."):
            path_parts = (*path_parts, part)
    if bad or path_parts not in o.disk.folders:
        ip.reflect()
    else:
        o.states["DIRF"] = path_parts


def folder_make(o: Oracle, ip: IP) -> None:
    path_parts = pop_path(o, ip)
    assert o.disk is not None
    if (
        path_parts is None
        or path_parts in o.disk.folders
        or path_parts in o.disk.files
        or not count_created(o)
    ):
        ip.reflect()
    else:
        o.disk.folders.add(path_parts)


def folder_remove(o: Oracle, ip: IP) -> None:
    path_parts = pop_path(o, ip)
    assert o.disk is not None
    inside = [each for each in (*o.disk.folders, *o.disk.files) if each[:-1] == path_parts]
    if path_parts not in o.disk.folders or any(each for each in inside if each):
        ip.reflect()
    else:
        o.disk.folders.remove(path_parts)


DIRF = {"C": folder_change, "M": folder_make, "R": folder_remove}
