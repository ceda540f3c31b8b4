"""Wait until the application is idle, however busy the machine is.

Textual's own ``wait_for_idle`` takes a process for idle that used no processor time for 20 ms.
On a busy machine that is also true of a process that has work but is not scheduled.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from pathlib import Path

from textual._wait import wait_for_idle as wait_as_textual_does

TASKS = Path("/proc/self/task")
"""The threads of this process on Linux."""

TICK = 0.01
"""Seconds that other threads get between two checks."""

QUIET_TURNS = 2
"""Consecutive checks that must find everything idle: 20 ms, as Textual waits."""

NEGLIGIBLE = 0.001
"""Seconds of processor time in a tick that threads may use which only wait, such as watchers."""

ENDLESS = 0.5
"""Seconds of processor time after which other threads count as running without end."""

RESTLESS = 100
"""Checks after which an event loop that always has something to do counts as endless."""

PATIENCE = 60.0
"""Seconds that a thread may wait for a processor."""


def other_threads_time() -> float:
    """Processor time that all threads but this one have used, in seconds."""
    return time.process_time() - time.thread_time()


def another_thread_runs() -> bool:
    """Whether a thread other than this one runs or waits for a processor."""
    own = str(threading.get_native_id())
    for thread in os.listdir(TASKS):
        if thread != own:
            try:
                status = (TASKS / thread / "stat").read_text()
            except OSError:  # it has ended
                continue
            if status.rpartition(")")[2].split()[0] == "R":
                return True
    return False


async def wait_for_idle(min_sleep: float = 0.0, max_sleep: float = 1.0) -> None:
    """Return once the event loop has nothing to do and no other thread works.

    Also returns when other threads have worked for ``ENDLESS``, and when the event loop was found
    at work ``RESTLESS`` times.
    """
    if not TASKS.is_dir():
        await wait_as_textual_does(min_sleep, max_sleep)
        return
    ready = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]
    deadline = time.monotonic() + PATIENCE
    start = used = other_threads_time()
    calm = busy = 0
    while calm < QUIET_TURNS and busy < RESTLESS and used - start < ENDLESS:
        before = used
        await asyncio.sleep(TICK)
        used = other_threads_time()
        busy += bool(ready)
        works = ready or used - before > NEGLIGIBLE or another_thread_runs()
        calm = 0 if works else calm + 1
        if time.monotonic() > deadline:
            break
