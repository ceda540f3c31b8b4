"""Main loop of a ``Worker`` process, which runs programs until its input ends.

Started as ``python -m esoplay.running.child CONTROL``.  Requests and messages are consecutive
pickles on the original stdin and stdout; stdout itself is redirected to stderr, so that no other
output can mix with them.  To pause a run before its next step, and to resume it, the parent writes
the number of the run to the descriptor ``CONTROL``.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

from esolangs.limits import World
from esoplay.running.run import Outcome, parse_source, run_program

RUN_NUMBER_BYTES = 8
"""Size in bytes of a run number on the control pipe; the number is little-endian."""

_CHUNK = 256 << 10  # maximum bytes of output in one message, to limit the memory of the parent


class PauseRequests:
    """Pipe on which the parent requests that a run pauses or resumes."""

    def __init__(self, descriptor: int):
        self._descriptor = descriptor
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLIN)

    def is_pause_requested(self, run: int) -> bool:
        """Return whether this run should pause; requests for earlier runs are discarded."""
        asked = False
        while self._poll.poll(0):
            asked = self._read() == run
        return asked

    def wait(self, run: int) -> None:
        """Wait for the request to resume this run."""
        while self._read() != run:
            pass

    def _read(self) -> int:
        data = os.read(self._descriptor, RUN_NUMBER_BYTES)  # a write of this size is atomic
        if not data:  # the parent has exited
            os._exit(1)
        return int.from_bytes(data, "little")


def main() -> None:
    """Run programs until the parent closes the pipe or exits."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the parent handles Ctrl-C
    requests = sys.stdin.buffer
    pause_requests = PauseRequests(int(sys.argv[1]))
    messages = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def send(kind: str, value: Any) -> None:
        pickle.dump((kind, value), messages)
        messages.flush()

    def write(printed: bytes) -> None:
        for start in range(0, len(printed), _CHUNK):
            send("printed", printed[start : start + _CHUNK])

    known: Any = None  # cache of the last program, which is often run again with other input
    program: Any = None
    while True:
        try:
            number, wanted, run, told, seconds = pickle.load(requests)
        except EOFError:
            return
        try:
            send("started", None)
            if wanted != known:
                known = program = None  # both programs may be large
                known, program = wanted, parse_source(**wanted)
            if isinstance(program, Outcome):
                send("outcome", program)
            else:
                dialect: str = wanted["dialect"]
                world = World(*told)
                tick = _make_tick(pause_requests, number, send, seconds)
                outcome = run_program(program, dialect, **run, write=write, tick=tick, world=world)
                send("outcome", outcome)
        except BrokenPipeError:
            return
        except Exception as error:  # a defect of the engine: the parent reports it
            send("failed", repr(error))


def _make_tick(
    pause_requests: PauseRequests, run: int, send: Callable[[str, Any], None], seconds: float | None
) -> Callable[[int], bool]:
    """Return a function that reports steps, pauses a run on request, and stops it at its deadline.

    seconds: maximum time without pauses, None if only the parent limits it.
    """
    parent = os.getppid()
    deadline = None if seconds is None else time.monotonic() + seconds

    def tick(steps: int) -> bool:
        nonlocal deadline
        if os.getppid() != parent:
            os._exit(1)
        send("steps", steps)
        if pause_requests.is_pause_requested(run):
            paused = time.monotonic()
            send("paused", steps)
            pause_requests.wait(run)
            if deadline is not None:
                deadline += time.monotonic() - paused
        return deadline is None or time.monotonic() < deadline

    return tick


if __name__ == "__main__":
    main()
