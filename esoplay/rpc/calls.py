"""Requests on their way: cancelling them and telling their progress."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from esoplay.rpc.errors import cancelled
from esoplay.rpc.protocol import Id, Request

if TYPE_CHECKING:
    from esoplay.rpc.connection import Connection

PROGRESS_SECONDS = 0.2
"""Between two ``progress`` notifications of one request, and before its first."""

_LARGEST_TOTAL = 2**53 - 1  # RFC 8259, 6: beyond it, readers differ about what a number is

Notify = Callable[[str, dict[str, Any]], None]


class Call:
    """One request and what has become of it.

    ``cancel`` may come from any thread; everything else belongs to the thread that works.
    """

    def __init__(self, request: Request, connection: Connection, notify: Notify):
        self.request = request
        self.connection = connection
        self._notify = notify
        self._cancelled = threading.Event()
        self._next_progress = 0.0

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """Ask the work to end; it does so at its next tick, or never begins."""
        self._cancelled.set()

    def begin(self) -> None:
        """Start the clock of progress; raises when the request was cancelled while it waited."""
        self._next_progress = time.monotonic() + PROGRESS_SECONDS
        self.check()

    def check(self) -> None:
        """Raise the error that answers a cancelled request."""
        if self.is_cancelled:
            raise cancelled()

    def tick(self, done: int, total: int | None = None) -> bool:
        """Tell progress now and then; False when the work is to end."""
        self.progress(done, total)
        return not self.is_cancelled

    def progress(self, done: int, total: int | None = None) -> None:
        """Tell progress, unless it was told a moment ago."""
        now = time.monotonic()
        if now >= self._next_progress and not self.request.is_notification:
            self._next_progress = now + PROGRESS_SECONDS
            if total is not None and total > _LARGEST_TOTAL:
                total = None  # how far an endless run may go is no news
            self._notify("progress", {"id": self.request.id, "done": done, "total": total})


class CallsInFlight:
    """Calls waiting or at work, by id: what ``cancel`` looks in.  Safe from any thread."""

    def __init__(self) -> None:
        self._calls: dict[int, Call] = {}
        self._lock = threading.Lock()

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._calls)

    def add(self, call: Call) -> None:
        with self._lock:
            self._calls[id(call)] = call

    def remove(self, call: Call) -> None:
        with self._lock:
            del self._calls[id(call)]

    def discard(self, call: Call) -> None:
        """Remove a call that may have been removed before."""
        with self._lock:
            self._calls.pop(id(call), None)

    def cancel(self, request_id: Id) -> bool:
        """Cancel the calls with this id; False when there is none (any more)."""
        with self._lock:
            found = [
                call
                for call in self._calls.values()
                if not call.request.is_notification and call.request.id == request_id
            ]
        for call in found:
            call.cancel()
        return bool(found)

    def cancel_all(self) -> None:
        with self._lock:
            found = list(self._calls.values())
        for call in found:
            call.cancel()
