"""Processes by what ``/proc`` tells of them."""

# ruff: noqa: PTH112, PTH116

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def children_of(pid: int) -> list[int]:
    """Those that a process has begun, in whichever of its threads, and those that came to it."""
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
    """Processes and threads that count towards a user's limit, as far as they are to be seen."""
    found = 0
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == user:
                found += len(os.listdir(f"/proc/{name}/task"))
        except OSError:
            continue
    return found
