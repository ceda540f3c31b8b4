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
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Any, cast

from esolangs.limits import MEBIBYTE, Limits
from esolangs.registry import find_language
from esoplay.errors import WorkerDied
from esoplay.running.outcome import Outcome

GRADING_LIMITS = Limits(steps=10_000_000, output=MEBIBYTE, memory=256 * MEBIBYTE)
"""Limits of a graded run (docs/benchmark: the agent paper's watchdog, and ours beside it)."""

TIME_LIMIT = 60.0
"""Seconds of wall clock after which a graded run is killed: a backstop, not a measure."""

_POLL = 0.05  # seconds between two looks at whether the caller wants to cancel


class Cancelled(Exception):
    """The caller called the run off."""


class Worker:
    """One child process, started on first use.  Use as a context manager."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._messages: SimpleQueue[tuple[str, Any]] = SimpleQueue()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """The process's id while there is one."""
        return self._process.pid if self._process else None

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
        time_limit: float = TIME_LIMIT,
        cancelled: Callable[[], bool] | None = None,
    ) -> Outcome:
        """Like ``run_source``, but killed after ``time_limit`` seconds.

        Output and steps up to the kill are in the outcome.  Raises WorkerDied when the
        process vanished (never the program's doing) and Cancelled when ``cancelled`` said so.
        """
        chosen = find_language(language_id).configure(dialect, options)
        self._send(
            {
                "language_id": language_id,
                "source": source,
                "dialect": dialect,
                "options": dict(options or {}),
                "stdin": stdin,
                "limits": limits or GRADING_LIMITS,
                "seed": seed,
            }
        )
        printed: list[bytes] = []
        steps = 0
        deadline = time.monotonic() + time_limit
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                self.kill()
                text = f"the limit of {time_limit:g} s was reached"
                return Outcome(
                    language_id,
                    dialect,
                    chosen,
                    "time_limit",
                    b"".join(printed),
                    text,
                    steps,
                    limit=time_limit,
                )
            if cancelled is not None and cancelled():
                self.kill()
                raise Cancelled
            try:
                kind, value = self._messages.get(timeout=min(left, _POLL) if cancelled else left)
            except Empty:
                continue
            if kind == "printed":
                printed.append(value)
            elif kind == "steps":
                steps = value
            elif kind == "outcome":
                outcome = cast(Outcome, value)
                outcome.stdout = b"".join(printed)
                return outcome
            elif kind == "failed":
                raise WorkerDied(f"the engine failed: {value}")
            else:
                self.kill()
                raise WorkerDied("the process that ran the program vanished")

    def kill(self) -> None:
        """End the process at once; the next run starts another."""
        process = self._process
        if process is not None:
            process.kill()
            _let_go(process)
        self._process = None

    def close(self) -> None:
        """Let the process end."""
        process = self._process
        if process is not None:
            _let_go(process)
        self._process = None

    def _send(self, request: Mapping[str, Any]) -> None:
        process = self._process
        if process is None or process.poll() is not None:
            process = self._start()
        assert process.stdin is not None, "the child was started with pipes"
        try:
            pickle.dump(request, process.stdin)
            process.stdin.flush()
        except OSError as error:
            self.kill()
            raise WorkerDied("the process that runs programs vanished") from error

    def _start(self) -> subprocess.Popen[bytes]:
        self.close()
        path = os.pathsep.join(filter(None, sys.path))  # it must find the same esoplay
        process = subprocess.Popen(
            [sys.executable, "-m", "esoplay.running.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
        )
        self._process, self._messages = process, SimpleQueue()
        assert process.stdout is not None, "the child was started with pipes"
        Thread(target=_listen, args=(process.stdout, self._messages), daemon=True).start()
        return process


def _listen(pipe: IO[bytes], messages: SimpleQueue[tuple[str, Any]]) -> None:
    """Pass on what the child says; the last message is that it is gone."""
    try:
        while True:
            messages.put(pickle.load(pipe))
    except (EOFError, OSError, ValueError, pickle.UnpicklingError):
        messages.put(("gone", None))


def _let_go(process: subprocess.Popen[bytes]) -> None:
    """Close the child's input, which ends it; kill it where that is not enough."""
    assert process.stdin is not None, "the child was started with pipes"
    with suppress(OSError):  # it may be gone already, with part of a request unread
        process.stdin.close()
    try:
        process.wait(1)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
