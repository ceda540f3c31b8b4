"""Share a few processors fairly between sessions, by pausing and resuming runs.

The number of active runs is limited by the number of slots.  A run that is asked to pause stops its
program, releases its slot and waits for another one; then it resumes the program.  The time in
which a run holds a slot is a *turn* of its session.  ``docs/adr/0018-runs-are-time-sliced.md``
explains the policy.
"""

from __future__ import annotations

import os
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Generator, Hashable
from contextlib import AbstractContextManager, contextmanager

MIN_TURN_SECONDS = 0.25
"""Minimum seconds for which a run holds a slot, unless its session holds several slots."""

MAX_PAUSE_DELAY_SECONDS = 0.5
"""Seconds within which a run must pause; after that, another run gets its slot anyway."""

_POLL_SECONDS = 0.05  # seconds between two checks of the clock and for cancellation
_MAX_REMEMBERED = 1_000  # maximum number of sessions whose last slot is remembered

CancelledCheck = Callable[[], bool]


class RunCancelled(Exception):
    """Raised if the caller cancels a run."""


class ScheduledRun:
    """One run of a program.  ``should_pause`` may be read from any thread."""

    __slots__ = ("_scheduler", "asked_at", "granted_at", "key", "number", "pauses")

    def __init__(self, scheduler: Scheduler, key: Hashable, number: int):
        self._scheduler = scheduler
        self.key = key
        self.number = number
        self.pauses = 0
        self.granted_at: float | None = None
        self.asked_at: float | None = None

    @property
    def should_pause(self) -> bool:
        """Whether this run should release its slot for another session."""
        return self.asked_at is not None

    def pause(self, cancelled: CancelledCheck | None = None) -> float:
        """Release the slot and wait for another one; call this after stopping the program.

        Returns the seconds of the pause, which do not count towards the program's time limit.
        Raises RunCancelled if ``cancelled`` returns true.
        """
        return self._scheduler.pause(self, cancelled)


class Scheduler:
    """Scheduler that lets runs of sessions be active, at most one for each slot.  Thread-safe.

    A free slot goes to the session that holds the fewest slots; among equals, to the session that
    got its last slot longest ago.  Runs of one session get slots in order.  While a session
    without a slot waits, other sessions release all slots but one immediately, and the last slot
    after it has been active for ``MIN_TURN_SECONDS`` seconds.
    """

    def __init__(self, slots: int | None = None, *, clock: Callable[[], float] = time.monotonic):
        self.slots = slots or os.cpu_count() or 1
        self._clock = clock
        self._changed = threading.Condition()
        self._active: list[ScheduledRun] = []
        self._waiting: list[ScheduledRun] = []
        self._served: OrderedDict[Hashable, int] = (
            OrderedDict()
        )  # number of the last grant, by session
        self._grants = 0
        self._run_count = 0

    @contextmanager
    def hold_slot(
        self, key: Hashable, cancelled: CancelledCheck | None = None
    ) -> Generator[ScheduledRun]:
        """Wait for a slot for session ``key``; hold it within the context.

        Raises RunCancelled if ``cancelled`` returns true.
        """
        with self._changed:
            self._run_count += 1
            run = ScheduledRun(self, key, self._run_count)
        try:
            self._wait(run, cancelled)
            yield run
        finally:
            with self._changed:
                self._remove(run)
                self._assign()

    def pause(self, run: ScheduledRun, cancelled: CancelledCheck | None) -> float:
        """See ``ScheduledRun.pause``."""
        start_time = self._clock()
        with self._changed:
            if run.asked_at is None:  # the waiting runs were cancelled
                return 0.0
            self._remove(run)
        run.pauses += 1
        self._wait(run, cancelled)
        return self._clock() - start_time

    def _wait(self, run: ScheduledRun, cancelled: CancelledCheck | None) -> None:
        with self._changed:
            run.granted_at = run.asked_at = None
            self._waiting.append(run)
            self._assign()
        while True:
            if cancelled is not None and cancelled():
                raise RunCancelled
            with self._changed:
                if self._changed.wait_for(lambda: run.granted_at is not None, _POLL_SECONDS):
                    return
                self._assign()

    def _remove(self, run: ScheduledRun) -> None:
        for runs in (self._active, self._waiting):
            if run in runs:
                runs.remove(run)

    def _assign(self) -> None:
        """Assign free slots, and ask active runs to pause for runs that still wait."""
        now = self._clock()
        late = [
            run
            for run in self._active
            if run.asked_at and now - run.asked_at > MAX_PAUSE_DELAY_SECONDS
        ]
        free = self.slots - (len(self._active) - len(late))
        while free > 0 and self._waiting:
            self._grant(self._next(self._count_slots()), now)
            free -= 1
        self._request_slots(now, late)

    def _grant(self, run: ScheduledRun, now: float) -> None:
        self._waiting.remove(run)
        self._active.append(run)
        run.granted_at = now
        self._grants += 1
        self._served[run.key] = self._grants
        self._served.move_to_end(run.key)
        if len(self._served) > _MAX_REMEMBERED:
            self._served.popitem(last=False)
        self._changed.notify_all()

    def _count_slots(self) -> Counter[Hashable]:
        """Count slots by session, without slots that are about to be released."""
        return Counter(run.key for run in self._active if run.asked_at is None)

    def _next(
        self, held_slots: Counter[Hashable], excluded: list[ScheduledRun] | None = None
    ) -> ScheduledRun:
        """Return the waiting run that gets the next slot."""
        waiting = [run for run in self._waiting if run not in (excluded or ())]
        return min(
            waiting,
            key=lambda run: (held_slots[run.key], self._served.get(run.key, 0), run.number),
        )

    def _request_slots(self, now: float, late: list[ScheduledRun]) -> None:
        """Ask active runs to release slots for the waiting runs that have priority.

        late: active runs that did not pause within ``MAX_PAUSE_DELAY_SECONDS``.  Their slots count
        as free.
        """
        if not self._waiting:  # the waiting runs were cancelled
            for run in self._active:
                run.asked_at = None
            return
        held = self._count_slots()
        coming = sum(run.asked_at is not None for run in self._active) - len(late)
        provided: list[ScheduledRun] = []
        while len(provided) < len(self._waiting):
            run = self._next(held, provided)
            provided.append(run)
            if coming > 0:  # a slot for this run is already on its way
                coming -= 1
                held[run.key] += 1
                continue
            victim = self._choose_run_to_pause(run.key, held, now)
            if victim is None:
                return
            victim.asked_at = now
            held[victim.key] -= 1
            held[run.key] += 1

    def _choose_run_to_pause(
        self, key: Hashable, held_slots: Counter[Hashable], now: float
    ) -> ScheduledRun | None:
        """Return the active run that should pause for session ``key``, or None."""
        found: list[tuple[int, float, ScheduledRun]] = []
        for run in self._active:
            granted = run.granted_at or 0.0
            surplus = held_slots[run.key] - held_slots[key]
            due = surplus > 1 or (surplus == 1 and now - granted >= MIN_TURN_SECONDS)
            if run.asked_at is None and run.key != key and due:
                found.append((-surplus, granted, run))
        return min(found, key=lambda each: each[:2])[2] if found else None


class SchedulerShare:
    """Access of one session to a scheduler."""

    def __init__(self, scheduler: Scheduler, key: Hashable):
        self._scheduler = scheduler
        self.key = key

    def hold_slot(
        self, cancelled: CancelledCheck | None = None
    ) -> AbstractContextManager[ScheduledRun]:
        """See ``Scheduler.hold_slot``."""
        return self._scheduler.hold_slot(self.key, cancelled)
