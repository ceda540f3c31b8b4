"""A pool of worker processes shared by many sessions or verification threads."""

from __future__ import annotations

import threading
from collections.abc import Generator, Hashable
from contextlib import contextmanager

from esoplay.running.scheduler import Scheduler, SchedulerShare
from esoplay.running.worker import ProcessPool, Worker


class Workers:
    """Workers for many threads, with a limited number of programs running at a time.

    Sessions take turns in running programs, and a waiting worker does not occupy a process. The
    pool retains up to twice as many idle processes as programs can run at a time, so a session
    often gets a process that has its program cached.
    """

    def __init__(self, count: int | None = None):
        self.scheduler = Scheduler(count)
        self._pool = ProcessPool(2 * self.scheduler.slots)
        self._lent: set[Worker] = set()
        self._lock = threading.Lock()

    def worker(self, session: Hashable = None) -> Worker:
        """Return a worker for the programs of ``session``; the caller must close it."""
        return Worker(SchedulerShare(self.scheduler, session), self._pool)

    @contextmanager
    def borrow(self, session: Hashable = None) -> Generator[Worker]:
        """Yield a worker for the programs of ``session``, and close it afterwards."""
        with self.worker(session) as worker:
            with self._lock:
                self._lent.add(worker)
            try:
                yield worker
            finally:
                with self._lock:
                    self._lent.discard(worker)

    def close(self) -> None:
        """Stop all processes. No program may be running."""
        with self._lock:
            lent = [*self._lent]
            self._lent.clear()
        for worker in lent:
            worker.close()
        self._pool.close()
