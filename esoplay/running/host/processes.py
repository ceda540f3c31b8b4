"""Information about processes from ``/proc``."""

# ruff: noqa: PTH112, PTH116

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def children_of(pid: int) -> list[int]:
    """Return the children of a process: started by any of its threads, or adopted."""
    return list(_children_of(pid))


def _children_of(pid: int) -> Iterator[int]:
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return
    for thread in threads:
        try:
            with open(f"/proc/{pid}/task/{thread}/children") as file:
                yield from (int(word) for word in file.read().split())
        except OSError:
            continue


def tasks_of(user: int) -> int:
    """Return the visible processes and threads that count towards a user's limit."""
    found = 0
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == user:
                found += len(os.listdir(f"/proc/{name}/task"))
        except OSError:
            continue
    return found


def resident(pid: int) -> int:
    """Return the resident memory of all visible processes below ``pid``, in bytes."""
    total = 0
    for child in processes_below(pid):
        try:
            with open(f"/proc/{child}/statm") as file:
                total += int(file.read().split()[1]) * _PAGE
        except (OSError, IndexError):
            continue
    return total


def processes_below(pid: int) -> set[int]:
    """Yield the visible children of a process, their children, and so on."""
    found, waiting = set[int](), children_of(pid)
    while waiting:
        child = waiting.pop()
        if child not in found:
            found.add(child)
            waiting += children_of(child)
    return found
