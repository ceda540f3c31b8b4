"""Stopping all processes of a program for a while, and noticing when one of them runs."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

STOP_TIME = 0.5
"""Seconds within which all processes of a program must have stopped."""

_ROUNDING = 1  # ticks by which the processor time of a stopped process may seem to grow


class PausedProcesses:
    """Processes that are stopped for a while.

    processes: finds them.  The launcher is never among them: it ends the others when this
    process is killed, also while they are stopped.
    """

    def __init__(self, processes: Callable[[], set[int]]):
        self._processes = processes
        self._stopped: dict[int, bytes] = {}  # processes that ran: when each of them started
        self._used: dict[int, int] = {}  # processor time of each when it began

    def begin(self) -> bool:
        """Stop them, until none is left that runs; whether that worked."""
        deadline = time.monotonic() + STOP_TIME
        while time.monotonic() < deadline:
            found = self._processes()
            if not any(_runs(pid) for pid in found):
                self._used = {pid: _processor_time(pid) for pid in found}
                return bool(found)
            if not self._stop(found):
                return False
            time.sleep(0.001)
        return False

    def holds(self) -> bool:
        """Whether none of them ran since it began; what runs again is stopped again."""
        found = self._processes()
        if any(_runs(pid) for pid in found):
            self._stop(found)
            return False
        return all(
            pid in self._used and _processor_time(pid) <= self._used[pid] + _ROUNDING
            for pid in found
        )

    def _stop(self, found: set[int]) -> bool:
        starts = {pid: _start_of(pid) for pid in found if _runs(pid)}
        for pid in starts.keys() & self._processes():  # their numbers are not another's since
            try:
                _send(pid, starts[pid], signal.SIGSTOP)
            except ProcessLookupError:
                continue
            except PermissionError:
                return False
            self._stopped[pid] = starts[pid]
        return True

    def end(self) -> None:
        """Let those continue that were running."""
        for pid, start in self._stopped.items():
            with suppress(ProcessLookupError, PermissionError):
                _send(pid, start, signal.SIGCONT)


def _send(pid: int, start: bytes, number: int) -> None:
    """Send a signal to the process that started at ``start``, not to a later one of that number."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        raise
    except OSError:  # no descriptor is left, or the system does not allow them
        descriptor = None
    try:
        if not start or _start_of(pid) != start:
            raise ProcessLookupError
        if descriptor is None:
            os.kill(pid, number)
        else:
            signal.pidfd_send_signal(descriptor, number)
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _runs(pid: int) -> bool:
    """Whether a thread of a process is there, neither ended nor stopped."""
    return any(
        _stat(f"{pid}/task/{thread}")[:1] not in ([], [b"T"], [b"t"], [b"Z"], [b"X"])
        for thread in _names_in(f"/proc/{pid}/task")
    )


def _start_of(pid: int) -> bytes:
    return b"".join(_stat(str(pid))[19:20])


def _processor_time(pid: int) -> int:
    """In ticks of the system, of all its threads."""
    return sum(int(field) for field in _stat(str(pid))[11:13])


def _stat(which: str) -> list[bytes]:
    """The fields of a process or thread in ``/proc`` from its state on; empty if it is gone."""
    try:
        stat = Path(f"/proc/{which}/stat").read_bytes()
    except OSError:
        return []
    return stat[stat.rfind(b")") + 2 :].split()


def _names_in(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
