"""The debuggers that one client has open: few, and each of bounded size."""

from __future__ import annotations

import threading
from itertools import count
from typing import TYPE_CHECKING

from esolangs.limits import MEBIBYTE, Limits
from esoplay.errors import UnknownDebugger
from esoplay.rpc.errors import domain_error

if TYPE_CHECKING:
    from esoplay.service.debugging import Debugger

MAX_DEBUGGERS = 8
"""Open at a time; each may hold a machine and 64 MB of history."""

DEBUG_LIMITS = Limits(output=2 * MEBIBYTE, memory=64 * MEBIBYTE)
"""Of a debugged run, at most; steps are free, as an endless loop can be cancelled."""


MAX_INPUT = 16 * MEBIBYTE
"""Bytes of input that a recording may have, however many times it is fed."""


class Room:
    """How many debuggers all clients of a server may have open together.  Safe from any thread."""

    def __init__(self, size: int = MAX_DEBUGGERS):
        self.size = size
        self._taken = threading.Semaphore(size)

    def take(self) -> bool:
        """A place, if there is one."""
        return self._taken.acquire(blocking=False)

    def give_back(self) -> None:
        self._taken.release()


class Debuggers:
    """Open debuggers by name (``d1``, ``d2``, …); names are never used twice.

    room: shared with other clients; None for a client who is alone.
    """

    def __init__(self, room: Room | None = None) -> None:
        self._room = room or Room()
        self._open: dict[str, Debugger] = {}
        self._names = (f"d{number}" for number in count(1))

    def check_room(self) -> None:
        """Raise when no further debugger may be opened."""
        if len(self._open) >= MAX_DEBUGGERS:
            raise domain_error("limit", f"{MAX_DEBUGGERS} debuggers are open; close one first")

    def add(self, debugger: Debugger) -> str:
        """Keep a debugger and name it."""
        self.check_room()
        if not self._room.take():
            raise domain_error(
                "limit", f"{self._room.size} debuggers are open, those of other clients included"
            )
        name = next(self._names)
        self._open[name] = debugger
        return name

    def get(self, name: str) -> Debugger:
        """The debugger of this name; raises UnknownDebugger."""
        try:
            return self._open[name]
        except KeyError:
            known = ", ".join(self._open) or "none"
            raise UnknownDebugger(f"no debugger {name!r} is open; open: {known}") from None

    def remove(self, name: str) -> None:
        """Forget a debugger and its history; raises UnknownDebugger."""
        self.get(name)
        del self._open[name]
        self._room.give_back()

    def close(self) -> None:
        """Forget all of them."""
        for name in list(self._open):
            self.remove(name)
