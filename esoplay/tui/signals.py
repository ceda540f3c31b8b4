"""Signals that end the application: a polite kill, a window that was closed.

They are caught by handlers of Python and not by those of the event loop.  The loop gives a
signal its default back as soon as it ends, so that one which comes while the application is
leaving would kill it then, with its terminal half restored.
"""

from __future__ import annotations

import signal
from asyncio import AbstractEventLoop
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

_POLITE = (signal.SIGTERM, signal.SIGHUP)


def end_on_signals(loop: AbstractEventLoop, end: Callable[[int], object]) -> None:
    """Have ``loop`` call ``end`` with an exit code when the first polite kill arrives."""

    def handle(number: int, _: FrameType | None) -> None:
        leave_in_peace()
        with suppress(RuntimeError):  # the loop has ended already, and so does the application
            loop.call_soon_threadsafe(end, 128 + number)

    for number in _POLITE:
        signal.signal(number, handle)


def leave_in_peace() -> None:
    """Pass over polite kills from now on: the application is ending anyway."""
    for number in _POLITE:
        signal.signal(number, signal.SIG_IGN)
