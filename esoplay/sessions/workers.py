"""Workers for many sessions, or many threads that verify, in one process."""

from __future__ import annotations

import os
import queue
from collections.abc import Generator
from contextlib import contextmanager

from esoplay.running.worker import Worker


class Workers:
    """A few workers for many threads; each is lent to one at a time and kept for the next."""

    def __init__(self, count: int | None = None):
        self._all = [Worker() for _ in range(count or os.cpu_count() or 1)]
        self._idle: queue.LifoQueue[Worker] = queue.LifoQueue()
        for worker in reversed(self._all):
            self._idle.put(worker)

    @contextmanager
    def lend(self) -> Generator[Worker]:
        """A worker, as soon as one is idle."""
        worker = self._idle.get()
        try:
            yield worker
        finally:
            self._idle.put(worker)

    def close(self) -> None:
        """End all processes; nothing may be running."""
        for worker in self._all:
            worker.close()
