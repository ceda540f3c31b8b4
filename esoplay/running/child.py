"""The process behind a ``Worker``: answers requests until its input ends.

Started as ``python -m esoplay.running.child``.  Requests come and messages go as pickles, one
after the other, on what were stdin and stdout; stdout itself leads to stderr, so that nothing
else can get between them.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from functools import partial
from typing import Any

from esolangs.world import World
from esoplay.running.outcome import Outcome
from esoplay.running.run import parse_source, run_program


def main() -> None:
    """Serve until the parent closes the pipe or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    requests = sys.stdin.buffer
    messages = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    parent = os.getppid()

    def send(kind: str, value: Any) -> None:
        pickle.dump((kind, value), messages)
        messages.flush()

    def tick(steps: int) -> bool:
        if os.getppid() != parent:
            os._exit(1)
        send("steps", steps)
        return True

    known: Any = None  # what was parsed last: one program is often run on many inputs
    program: Any = None
    while True:
        try:
            wanted, run, started = pickle.load(requests)
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
                write = partial(send, "printed")
                dialect: str = wanted["dialect"]
                world = World(started)  # and never a folder
                outcome = run_program(program, dialect, **run, write=write, tick=tick, world=world)
                send("outcome", outcome)
        except BrokenPipeError:
            return
        except Exception as error:  # a defect of the engine: the parent tells it
            send("failed", repr(error))


if __name__ == "__main__":
    main()
