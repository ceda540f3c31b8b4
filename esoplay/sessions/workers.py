"""Worker processes shared by many sessions, or by many threads that verify."""

from __future__ import annotations

import threading
from collections.abc import Generator, Hashable
from contextlib import contextmanager

from esoplay.running.scheduler import Scheduler, SchedulerShare
from esoplay.running.worker import ProcessPool, Worker


class Workers:
    """Workers for many threads, of which only a few run a program at a time.

    The runs of a worker take turns with the runs of other sessions.  Processes belong to the turns:
    a worker that waits for its turn has none.  At most twice as many processes stay idle as
    programs can run at a time, so that a session often finds the process that knows its program.
    """

    def __init__(self, count: int | None = None):
        self.scheduler = Scheduler(count)
        self._pool = ProcessPool(2 * self.scheduler.slots)
        self._lent: set[Worker] = set()
        self._lock = threading.Lock()

    def worker(self, session: Hashable = None) -> Worker:
        """Return a worker for the programs of ``session``; the caller closes it."""
        return Worker(SchedulerShare(self.scheduler, session), self._pool)

    @contextmanager
    def lend(self, session: Hashable = None) -> Generator[Worker]:
        """Lend a worker for the programs of ``session``."""
        with self.worker(session) as worker:
            with self._lock:
                self._lent.add(worker)
            try:
                yield worker
            finally:
                with self._lock:
                    self._lent.discard(worker)

    def close(self) -> None:
        """End all processes; no program may be running."""
        with self._lock:
            lent = [*self._lent]
            self._lent.clear()
        for worker in lent:
            worker.close()
        self._pool.close()
