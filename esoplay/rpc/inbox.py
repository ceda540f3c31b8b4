"""Requests waiting for their turn."""

from __future__ import annotations

import threading
from collections import deque
from typing import NamedTuple

from esoplay.rpc.calls import Call
from esoplay.rpc.protocol import Invalid


class Work(NamedTuple):
    """One line's worth of requests, and the answers that some of them have already."""

    items: tuple[Call | Invalid, ...]
    answers: list[bytes]
    is_batch: bool
    size: int


class Inbox:
    """Work in the order it came; bounded, so that a flood waits in the client's pipe."""

    def __init__(self, capacity: int):
        self._capacity = capacity
        self._work: deque[Work] = deque()
        self._size = 0
        self._closed = False
        self._changed = threading.Condition()

    def put(self, work: Work) -> None:
        """Append; waits while there is more than ``capacity`` bytes already."""
        with self._changed:
            self._changed.wait_for(lambda: self._size == 0 or self._size < self._capacity)
            self._work.append(work)
            self._size += work.size
            self._changed.notify_all()

    def take(self) -> Work | None:
        """The next work; None when there will be no more."""
        with self._changed:
            self._changed.wait_for(lambda: self._work or self._closed)
            if not self._work:
                return None
            work = self._work.popleft()
            self._size -= work.size
            self._changed.notify_all()
            return work

    def close(self) -> None:
        """Say that no more will come; what is there is still handed out."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
