"""What a program may learn of the world outside: nothing that is not given here.

A replay gets the same world, so that it sees the same.
"""

from __future__ import annotations


class World:
    """started: when the run began, in seconds since 1970 (UTC).

    folder: where files may be read and written, and nowhere else; None for no files at all.
    """

    __slots__ = ("folder", "started")

    def __init__(self, started: int = 0, folder: str | None = None):
        self.started = started
        self.folder = folder
