"""Worker processes shared by many sessions, or by many threads that verify."""

from __future__ import annotations

import threading
from collections.abc import Generator, Hashable
from contextlib import contextmanager

from esoplay.running.scheduler import Scheduler, SchedulerShare
from esoplay.running.worker import Worker


class Workers:
    """Worker processes for many threads, of which only a few run a program at a time.

    Each worker is lent to one thread, and its runs take turns with the runs of other sessions.
    At most ``count`` idle workers stay alive for the next callers.
    """

    def __init__(self, count: int | None = None):
        self.scheduler = Scheduler(count)
        self._idle: list[tuple[Hashable, Worker]] = []  # with the session that used it last
        self._lent: set[Worker] = set()
        self._lock = threading.Lock()

    @contextmanager
    def lend(self, session: Hashable = None) -> Generator[Worker]:
        """Lend a worker for the programs of ``session``, preferably the one it used before."""
        worker = self._take(session)
        worker.share = SchedulerShare(self.scheduler, session)
        try:
            yield worker
        finally:
            worker.share = None
            self._give_back(session, worker)

    def _take(self, session: Hashable) -> Worker:
        with self._lock:
            known = [at for at, (last, _) in enumerate(self._idle) if last == session]
            worker = self._idle.pop(known[-1] if known else -1)[1] if self._idle else Worker()
            self._lent.add(worker)
            return worker

    def _give_back(self, session: Hashable, worker: Worker) -> None:
        with self._lock:
            self._lent.discard(worker)
            self._idle.append((session, worker))
            surplus = self._idle.pop(0)[1] if len(self._idle) > self.scheduler.slots else None
        if surplus is not None:
            surplus.close()

    def close(self) -> None:
        """End all processes; no program may be running."""
        with self._lock:
            workers = [*self._lent, *(worker for _, worker in self._idle)]
            self._idle.clear()
            self._lent.clear()
        for worker in workers:
            worker.close()
