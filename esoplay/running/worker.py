"""Run programs in a child process that can be killed when time is up.

A thread cannot be stopped from outside; a process can.  One worker serves many runs
and is started anew after it was killed.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from typing import Any, cast

from esolangs.limits import MEBIBYTE, Limits
from esolangs.registry import find_language
from esoplay.errors import WorkerDied
from esoplay.running.outcome import Outcome
from esoplay.running.run import run_source

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
        self._process: Any = None
        self._pipe: Connection | None = None

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

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
        pipe = self._start()
        request = {
            "language_id": language_id,
            "source": source,
            "dialect": dialect,
            "options": dict(options or {}),
            "stdin": stdin,
            "limits": limits or GRADING_LIMITS,
            "seed": seed,
        }
        printed: list[bytes] = []
        steps = 0
        deadline = time.monotonic() + time_limit
        try:
            pipe.send(request)
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
                if not pipe.poll(min(left, _POLL) if cancelled else left):
                    continue
                kind, value = pipe.recv()
                if kind == "printed":
                    printed.append(value)
                elif kind == "steps":
                    steps = value
                elif kind == "outcome":
                    outcome = cast(Outcome, value)
                    outcome.stdout = b"".join(printed)
                    return outcome
                else:
                    raise WorkerDied(f"the engine failed: {value}")
        except (EOFError, OSError) as error:
            self.kill()
            raise WorkerDied("the process that ran the program vanished") from error

    def kill(self) -> None:
        """End the process at once; the next run starts another."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        self._drop()

    def close(self) -> None:
        """Let the process end."""
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None:
            self._process.join(1)
            if self._process.is_alive():
                self._process.kill()
                self._process.join()
        self._process = self._pipe = None

    def _drop(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None

    def _start(self) -> Connection:
        if self._pipe is not None and self._process.is_alive():
            return self._pipe
        self._drop()
        context = multiprocessing.get_context("spawn")  # forking a threaded process is unsafe
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        return self._pipe


def _serve(pipe: Connection) -> None:
    """The child: answer requests until the parent closes the pipe or is gone."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    parent = os.getppid()

    def tick(steps: int) -> bool:
        if os.getppid() != parent:
            os._exit(1)
        pipe.send(("steps", steps))
        return True

    while True:
        try:
            request = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            outcome = run_source(
                **request, write=lambda data: pipe.send(("printed", data)), tick=tick
            )
            pipe.send(("outcome", outcome))
        except BrokenPipeError:
            return
        except Exception as error:
            pipe.send(("failed", repr(error)))
