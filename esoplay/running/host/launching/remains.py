"""Ending what a program leaves behind."""

# ruff: noqa: SIM105

from __future__ import annotations

import os
import signal
import time

from esoplay.running.host.launching.processes import children_of


def end_remains() -> None:
    """Kill what the program left; in a namespace of its own, all ends with this process."""
    if os.getpid() == 1:
        return
    while children := children_of(os.getpid()):
        for pid in children:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        # Never waits for one that lives: what comes to this process meanwhile was not killed.
        while _reap():
            pass
        time.sleep(0.001)


def _reap() -> bool:
    """Take note of one that has ended; false where there is none now."""
    try:
        return os.waitpid(-1, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return False
