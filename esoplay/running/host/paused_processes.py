"""Stopping all processes of a program for a while, and detecting processes that run again."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

STOP_TIME = 0.5
"""The maximum time in seconds until all processes of a program must have stopped."""

_ROUNDING = 1  # ticks by which rounding may increase the processor time of a stopped process


class PausedProcesses:
    """Processes that are stopped for a while.

    processes: returns their ids.  The launcher is never among them: it must end the others if this
    process is killed, even while they are stopped.
    """

    def __init__(self, processes: Callable[[], set[int]]):
        self._processes = processes
        self._stopped: dict[int, bytes] = {}  # processes that ran: when each of them started
        self._used: dict[int, int] = {}  # processor time of each when it began

    def begin(self) -> bool:
        """Stop the processes until none is running; return whether that worked."""
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

    def still_paused(self) -> bool:
        """Return whether all stayed stopped; stop any that run again."""
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
        for pid in starts.keys() & self._processes():  # the same process under this id
            try:
                _send(pid, starts[pid], signal.SIGSTOP)
            except ProcessLookupError:
                continue
            except PermissionError:
                return False
            self._stopped[pid] = starts[pid]
        return True

    def end(self) -> None:
        """Resume the processes that were running before."""
        for pid, start in self._stopped.items():
            with suppress(ProcessLookupError, PermissionError):
                _send(pid, start, signal.SIGCONT)


def _send(pid: int, start: bytes, number: int) -> None:
    """Send a signal to the process that started at ``start``, not to a later one with the
    same id.
    """
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
    """Return whether a process has a thread that is neither ended nor stopped."""
    return any(
        _stat(f"{pid}/task/{thread}")[:1] not in ([], [b"T"], [b"t"], [b"Z"], [b"X"])
        for thread in _names_in(f"/proc/{pid}/task")
    )


def _start_of(pid: int) -> bytes:
    return b"".join(_stat(str(pid))[19:20])


def _processor_time(pid: int) -> int:
    """Return the processor time of all threads, in clock ticks."""
    return sum(int(field) for field in _stat(str(pid))[11:13])


def _stat(process: str) -> list[bytes]:
    """Return the fields of ``/proc/…/stat`` from the state on; empty if the process is gone."""
    try:
        stat = Path(f"/proc/{process}/stat").read_bytes()
    except OSError:
        return []
    return stat[stat.rfind(b")") + 2 :].split()


def _names_in(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
