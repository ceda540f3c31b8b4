"""Stop and resume all processes of a program, and detect processes that were resumed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

STOP_SECONDS = 0.5
"""Maximum seconds until all processes of a program have stopped."""

_ROUNDING = 1  # clock ticks by which rounding may increase a stopped process's time


class PausedProcesses:
    """Stops, observes and resumes the processes of one program.

    processes: function that returns their ids, without the launcher's.  The launcher must not be
    stopped, because it ends the program if this process is killed.
    """

    def __init__(self, processes: Callable[[], set[int]]):
        self._processes = processes
        self._stopped: dict[int, bytes] = {}  # start times of stopped processes, by id
        self._used: dict[int, int] = {}  # processor time of each process when the pause began

    def pause(self) -> bool:
        """Stop all processes; return whether all are stopped within ``STOP_SECONDS``."""
        deadline = time.monotonic() + STOP_SECONDS
        while time.monotonic() < deadline:
            found = self._processes()
            if not any(_is_running(pid) for pid in found):
                self._used = {pid: _processor_time(pid) for pid in found}
                return bool(found)
            if not self._stop(found):
                return False
            time.sleep(0.001)
        return False

    def recheck(self) -> bool:
        """Return whether all processes stayed stopped; stop resumed processes again."""
        found = self._processes()
        if any(_is_running(pid) for pid in found):
            self._stop(found)
            return False
        return all(
            pid in self._used and _processor_time(pid) <= self._used[pid] + _ROUNDING
            for pid in found
        )

    def _stop(self, pids: set[int]) -> bool:
        starts = {pid: _start_time(pid) for pid in pids if _is_running(pid)}
        for pid in starts.keys() & self._processes():  # the same process under this id
            try:
                _send_signal(pid, starts[pid], signal.SIGSTOP)
            except ProcessLookupError:
                continue
            except PermissionError:
                return False
            self._stopped[pid] = starts[pid]
        return True

    def resume(self) -> None:
        """Resume the processes that ``pause`` or ``recheck`` stopped."""
        for pid, start in self._stopped.items():
            with suppress(ProcessLookupError, PermissionError):
                _send_signal(pid, start, signal.SIGCONT)


def _send_signal(pid: int, start_time: bytes, signal_number: int) -> None:
    """Send a signal to a process if it is still the one that started at ``start_time``."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        raise
    except OSError:  # no free descriptor, or the system does not allow pidfds
        descriptor = None
    try:
        if not start_time or _start_time(pid) != start_time:
            raise ProcessLookupError
        if descriptor is None:
            os.kill(pid, signal_number)
        else:
            signal.pidfd_send_signal(descriptor, signal_number)
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _is_running(pid: int) -> bool:
    """Return whether a process has a thread that has neither exited nor stopped."""
    return any(
        _stat(f"{pid}/task/{thread}")[:1] not in ([], [b"T"], [b"t"], [b"Z"], [b"X"])
        for thread in _names_in(f"/proc/{pid}/task")
    )


def _start_time(pid: int) -> bytes:
    return b"".join(_stat(str(pid))[19:20])


def _processor_time(pid: int) -> int:
    """Return the processor time of all threads of a process, in clock ticks."""
    return sum(int(field) for field in _stat(str(pid))[11:13])


def _stat(process: str) -> list[bytes]:
    """Return the fields of ``/proc/…/stat`` from ``state`` on; empty if the process has exited."""
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
