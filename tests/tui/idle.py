"""Wait until the application is idle, however busy the machine is.

Textual's ``wait_for_idle`` considers a process idle after 20 ms without processor time. On a busy
machine, a process with work may also get no processor time.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from pathlib import Path

from textual._wait import wait_for_idle as wait_as_textual_does

TASKS = Path("/proc/self/task")
"""Folder with the threads of this process; exists only on Linux."""

TICK = 0.01
"""Seconds between two checks, during which other threads can run."""

QUIET_TURNS = 2
"""Consecutive checks that must find everything idle: 20 ms, as Textual waits."""

NEGLIGIBLE = 0.001
"""Maximum processor time of idle threads, such as watchers, in seconds per tick."""

ENDLESS = 0.5
"""Maximum processor time of other threads in seconds; afterwards they count as endless."""

RESTLESS = 100
"""Maximum checks that find the event loop at work; afterwards the loop counts as endless."""

PATIENCE = 60.0
"""Maximum seconds of a wait, even if threads still wait for a processor."""


def other_threads_time() -> float:
    """Return the processor time of all threads except the current one, in seconds."""
    return time.process_time() - time.thread_time()


def another_thread_runs() -> bool:
    """Return whether a thread other than this one runs or waits for a processor."""
    own = str(threading.get_native_id())
    for thread in os.listdir(TASKS):
        if thread != own:
            try:
                status = (TASKS / thread / "stat").read_text()
            except OSError:  # the thread has ended
                continue
            if status.rpartition(")")[2].split()[0] == "R":
                return True
    return False


async def wait_for_idle(min_sleep: float = 0.0, max_sleep: float = 1.0) -> None:
    """Return once the event loop has nothing to do and no other thread works.

    Also returns after ``ENDLESS`` seconds of processor time in other threads, after ``RESTLESS``
    checks with a busy event loop, or after ``PATIENCE`` seconds.
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
