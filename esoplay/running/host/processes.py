"""Read information about processes from ``/proc``."""

# ruff: noqa: PTH112, PTH116

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def find_children(pid: int) -> list[int]:
    """Return the child processes of all threads of a process, including adopted ones."""
    return list(_read_children(pid))


def _read_children(pid: int) -> Iterator[int]:
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


def count_tasks(user: int) -> int:
    """Return the number of visible threads that count towards a user's process limit."""
    found = 0
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == user:
                found += len(os.listdir(f"/proc/{name}/task"))
        except OSError:
            continue
    return found


def resident_memory(pid: int) -> int:
    """Return the resident memory of all visible descendants of ``pid``, in bytes."""
    total = 0
    for child in find_descendants(pid):
        try:
            with open(f"/proc/{child}/statm") as file:
                total += int(file.read().split()[1]) * _PAGE
        except (OSError, IndexError):
            continue
    return total


def find_descendants(pid: int) -> set[int]:
    """Return the ids of all visible descendants of a process."""
    found, waiting = set[int](), find_children(pid)
    while waiting:
        child = waiting.pop()
        if child not in found:
            found.add(child)
            waiting += find_children(child)
    return found
