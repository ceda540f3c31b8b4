"""The process of a ``Worker``: answers requests until its input ends.

Started as ``python -m esoplay.running.child CONTROL``.  Requests and messages are pickles, one
after the other, on what were stdin and stdout; stdout itself leads to stderr, so that nothing
else can get between them.  The descriptor ``CONTROL`` carries numbers of runs: the number of the
present run asks it to pause before its next step, and once it has paused, to continue.
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

NUMBER = 8
"""Bytes of the number of a run on the control pipe, the least significant byte first."""

_CHUNK = 256 << 10  # bytes of output in one message, so that the parent holds few at a time


class Control:
    """The pipe on which the parent asks a run to pause."""

    def __init__(self, descriptor: int):
        self._descriptor = descriptor
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLIN)

    def asks(self, run: int) -> bool:
        """Whether this run is to pause; requests to earlier runs came too late and are dropped."""
        asked = False
        while self._poll.poll(0):
            asked = self._read() == run
        return asked

    def wait(self, run: int) -> None:
        """Return when this run is to continue."""
        while self._read() != run:
            pass

    def _read(self) -> int:
        data = os.read(self._descriptor, NUMBER)  # written at once, so that it is never a part
        if not data:  # the parent is gone
            os._exit(1)
        return int.from_bytes(data, "little")


def main() -> None:
    """Serve until the parent closes the pipe or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    requests = sys.stdin.buffer
    control = Control(int(sys.argv[1]))
    messages = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def send(kind: str, value: Any) -> None:
        pickle.dump((kind, value), messages)
        messages.flush()

    def write(printed: bytes) -> None:
        for start in range(0, len(printed), _CHUNK):
            send("printed", printed[start : start + _CHUNK])

    known: Any = None  # what was parsed last: one program is often run on many inputs
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
                tick = _tick(control, number, send, seconds)
                outcome = run_program(program, dialect, **run, write=write, tick=tick, world=world)
                send("outcome", outcome)
        except BrokenPipeError:
            return
        except Exception as error:  # a defect of the engine: the parent reports it
            send("failed", repr(error))


def _tick(
    control: Control, run: int, send: Callable[[str, Any], None], seconds: float | None
) -> Callable[[int], bool]:
    """What a run calls between its slices: report the steps, pause, and stop when time is up.

    seconds: how long the run may be active, None where the parent alone limits that.
    """
    parent = os.getppid()
    deadline = None if seconds is None else time.monotonic() + seconds

    def tick(steps: int) -> bool:
        nonlocal deadline
        if os.getppid() != parent:
            os._exit(1)
        send("steps", steps)
        if control.asks(run):
            paused = time.monotonic()
            send("paused", steps)
            control.wait(run)
            if deadline is not None:
                deadline += time.monotonic() - paused
        return deadline is None or time.monotonic() < deadline

    return tick


if __name__ == "__main__":
    main()
