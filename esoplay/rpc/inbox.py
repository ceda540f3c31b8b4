"""Requests that wait for their turn, bounded for each connection and for each user."""

from __future__ import annotations

import sys
import threading
from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import NamedTuple, cast

from esoplay.rpc.connection import Call
from esoplay.rpc.protocol import Invalid

USER_BYTES = 16 << 20
"""Of requests that wait in all connections of one user; further ones wait in their sockets."""

FREE_BYTES = 64 << 10
"""Of requests that a connection may have waiting whatever the others of its user have."""

_POLL = 0.5  # seconds between two looks at whether the connection is still there


class Work(NamedTuple):
    """One line's worth of requests, and the encoded answers that some of them have already."""

    items: tuple[Call | Invalid, ...]
    answers: list[bytes]
    is_batch: bool
    size: int


class Allowance:
    """What the connections of one user may hold together.  Safe from any thread."""

    def __init__(self, capacity: int = USER_BYTES):
        self._capacity = capacity
        self._held = 0
        self._large_lines = 0  # how many connections have one, or wait for their turn
        self._large = threading.Lock()
        self._large_thread: int | None = None  # the one that reads the large line
        self._large_number = 0  # of the large line that is read, or was read last
        self._changed = threading.Condition()

    def take(self, size: int, gone: Callable[[], bool]) -> None:
        """Count ``size`` bytes; waits for room, but not for a connection that is gone.

        What is larger than the whole waits until nothing else is held.
        """
        with self._changed:
            while self._held and self._held + size > self._capacity and not gone():
                self._changed.wait(_POLL)
            self._held += size

    def give(self, size: int) -> None:
        """Give back what was taken."""
        with self._changed:
            self._held -= size
            self._changed.notify_all()

    @contextmanager
    def large_line(self, gone: Callable[[], bool]) -> Generator[None]:
        """The right to send a large line, which one connection has at a time."""
        with self._changed:
            self._large_lines += 1
        taken = False
        try:
            while not taken and not gone():
                taken = self._large.acquire(timeout=_POLL)
            if taken:
                self._large_number += 1
                self._large_thread = threading.get_ident()
            yield
        finally:
            if taken:
                self._large_thread = None
                self._large.release()
            with self._changed:
                self._large_lines -= 1

    def large_line_number(self) -> int | None:
        """Which large line this thread reads, None if it is not this one that reads one."""
        return self._large_number if self._large_thread == threading.get_ident() else None

    @property
    def is_contended(self) -> bool:
        """Whether a connection waits for the large line of another one."""
        return self._large_lines > 1


class Inbox:
    """Work in the order it came; bounded, so that a flood waits in the client's pipe.

    allowance: shared with other connections of the same user.  gone: whether nobody waits for
    answers any more.
    """

    def __init__(self, capacity: int, allowance: Allowance, gone: Callable[[], bool]):
        self._capacity = capacity
        self._allowance = allowance
        self._gone = gone
        self._work: deque[Work] = deque()
        self._size = 0  # of what waits or is executed
        self._shared = 0  # how much of that counts for the user
        self._closed = False
        self._changed = threading.Condition()

    def put(self, work: Work) -> None:
        """Append; waits while there is more than ``capacity`` bytes already."""
        with self._changed:
            self._changed.wait_for(lambda: self._size == 0 or self._size < self._capacity)
            self._size += work.size
            more = self._change_of_shared()
        if more > 0:
            self._allowance.take(more, self._gone)
        with self._changed:
            self._work.append(work)
            self._changed.notify_all()

    def take(self) -> Work | None:
        """The next work; None when there will be no more."""
        with self._changed:
            self._changed.wait_for(lambda: self._work or self._closed)
            return self._work.popleft() if self._work else None

    def done(self, work: Work) -> None:
        """Make room: ``work`` has been executed and answered."""
        with self._changed:
            self._size -= work.size
            less = -self._change_of_shared()
            self._changed.notify_all()
        if less > 0:
            self._allowance.give(less)

    def close(self) -> None:
        """Say that no more will come; what is there is still handed out."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _change_of_shared(self) -> int:
        before, self._shared = self._shared, max(0, self._size - FREE_BYTES)
        return self._shared - before


def memory_of(value: object) -> int:
    """Bytes that a JSON value takes in memory."""
    total, waiting = 0, [value]
    while waiting:
        each = waiting.pop()
        total += sys.getsizeof(each)
        if isinstance(each, dict):
            waiting += cast("dict[object, object]", each).keys()
            waiting += cast("dict[object, object]", each).values()
        elif isinstance(each, list):
            waiting += cast("list[object]", each)
    return total
