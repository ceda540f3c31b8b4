"""Run programs in a child process that can be killed when time is up.

A thread cannot be stopped from outside; a process can.  One worker serves many runs
and is started anew after it was killed.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from queue import Empty, Queue
from threading import Thread
from typing import TYPE_CHECKING, Any

from esolangs.limits import MEBIBYTE, Limits
from esolangs.registry import find_language
from esoplay.errors import WorkerDied
from esoplay.running.outcome import Outcome

if TYPE_CHECKING:
    from esoplay.running.host.runner import HostRunner

GRADING_LIMITS = Limits(steps=10_000_000, output=MEBIBYTE, memory=256 * MEBIBYTE)
"""Limits of a graded run (docs/benchmark: the agent paper's watchdog, and ours beside it)."""

TIME_LIMIT = 60.0
"""Seconds of wall clock after which a graded run is killed: a backstop, not a measure."""

START_LIMIT = 60.0
"""Seconds that the process may take to start."""

_POLL = 0.05  # seconds between two looks at whether the caller wants to cancel
_LONGEST_WAIT = 3600.0  # seconds; the system takes no larger ones than some years
_MOST_WAITING = 4  # messages: the output of a slice each, so that a slow reader slows the program

_Message = tuple[str, Any]


class Cancelled(Exception):
    """The caller called the run off."""


class Worker:
    """One child process, started on first use.  Use as a context manager."""

    def __init__(self) -> None:
        self._child: _Child | None = None
        self._lanes: HostRunner | None = None

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """The process's id while there is one."""
        return self._child.process.pid if self._child else None

    def run(
        self,
        language_id: str,
        source: bytes,
        *,
        dialect: str = "standard",
        options: Mapping[str, str | int] | None = None,
        stdin: bytes = b"",
        limits: Limits | None = None,
        seed: int = 0,
        started: int = 0,
        write: Callable[[bytes], object] | None = None,
        time_limit: float = TIME_LIMIT,
        cancelled: Callable[[], bool] | None = None,
    ) -> Outcome:
        """Like ``run_source``, but killed after ``time_limit`` seconds, and without files.

        ``started``: the time that the program is told, in seconds since 1970.

        The time that the process takes to start does not count.  Output and steps up to the kill
        are in the outcome; a slow ``write`` makes the program wait.  Raises WorkerDied when the
        process vanished (never the program's doing) and Cancelled when ``cancelled`` said so.
        """
        chosen = find_language(language_id).configure(dialect, options)
        collected: list[bytes] = []
        try:
            child = self._ready()
            child.send(
                (
                    {
                        "language_id": language_id,
                        "source": source,
                        "dialect": dialect,
                        "options": dict(options or {}),
                    },
                    {"stdin": stdin, "limits": limits or GRADING_LIMITS, "seed": seed},
                    started,
                )
            )
            outcome, steps = _follow(child, time_limit, write or collected.append, cancelled)
        except BaseException:
            self.kill()  # what it may still say belongs to nobody
            raise
        if outcome is None:
            self.close()
            text = f"the limit of {time_limit:g} s was reached"
            outcome = Outcome(
                language_id,
                dialect,
                chosen,
                "time_limit",
                stderr=text,
                steps=steps,
                limit=time_limit,
            )
        outcome.stdout = b"".join(collected)
        return outcome

    def for_lanes(self) -> HostRunner:
        """What runs programs of host lanes for whoever has this worker, kept as long."""
        from esoplay.running.host.runner import HostRunner  # late: engines need none of it

        if self._lanes is None:
            self._lanes = HostRunner()
        return self._lanes

    def kill(self) -> None:
        """End the process at once; the next run starts another."""
        if self._child is not None:
            self._child.process.kill()
        self.close()

    def close(self) -> None:
        """Let the process end."""
        lanes, self._lanes = self._lanes, None
        if lanes is not None:
            lanes.close()
        child, self._child = self._child, None
        if child is not None:
            child.end()

    def _ready(self) -> _Child:
        if self._child is None or self._child.process.poll() is not None:
            self.close()
            self._child = _Child()
        return self._child


class _Child:
    """The process, and the thread that listens to it."""

    def __init__(self) -> None:
        path = os.pathsep.join(filter(None, sys.path))  # it must find the same esoplay
        self.process = subprocess.Popen(
            # -P: the current folder may be a solver's, and holds no module of ours
            [sys.executable, "-P", "-m", "esoplay.running.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
        )
        self._messages: Queue[_Message] = Queue(_MOST_WAITING)
        self._listener = Thread(target=self._listen, daemon=True)
        self._listener.start()

    def send(self, request: object) -> None:
        """Hand in a request; raises WorkerDied."""
        assert self.process.stdin is not None, "it was started with pipes"
        try:
            pickle.dump(request, self.process.stdin)
            self.process.stdin.flush()
        except OSError as error:
            raise WorkerDied("the process that runs programs vanished") from error

    def message(self, timeout: float) -> _Message | None:
        """What it says next, None if that takes longer; ``gone`` is the last message."""
        try:
            return self._messages.get(timeout=timeout)
        except Empty:
            return None

    def end(self) -> None:
        """Close its input, which ends it; kill it where that is not enough."""
        assert self.process.stdin is not None, "it was started with pipes"
        assert self.process.stdout is not None, "it was started with pipes"
        with suppress(OSError):  # it may be gone already, with part of a request unread
            self.process.stdin.close()
        try:
            self.process.wait(1)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        while self._listener.is_alive():  # it may wait for room
            self.message(_POLL)
        self.process.stdout.close()

    def _listen(self) -> None:
        pipe = self.process.stdout
        assert pipe is not None, "it was started with pipes"
        try:
            while True:
                self._messages.put(pickle.load(pipe))
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            self._messages.put(("gone", None))


def _follow(
    child: _Child,
    time_limit: float,
    write: Callable[[bytes], object],
    cancelled: Callable[[], bool] | None,
) -> tuple[Outcome | None, int]:
    """The outcome and the steps so far; None for the outcome when the child had to be killed."""
    steps, started, killed = 0, False, False
    deadline = time.monotonic() + START_LIMIT
    while True:
        left = deadline - time.monotonic()
        if left <= 0 and not killed:
            child.process.kill()  # what it has said by now still counts
            killed = True
        if cancelled is not None and cancelled():
            raise Cancelled
        message = child.message(_POLL if cancelled or killed else min(left, _LONGEST_WAIT))
        if message is None:
            continue
        kind, value = message
        if kind == "started":
            started, deadline = True, time.monotonic() + time_limit
        elif kind == "printed":
            write(value)
        elif kind == "steps":
            steps = value
        elif kind == "outcome":
            if not killed:
                return value, steps
        elif kind == "failed":
            raise WorkerDied(f"the engine failed: {value}")
        elif killed and started:
            return None, steps
        else:
            raise WorkerDied("the process that ran the program vanished")
