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
from typing import Any

from esoplay.running.run import run_source


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

    while True:
        try:
            request = pickle.load(requests)
        except EOFError:
            return
        try:
            outcome = run_source(**request, write=lambda data: send("printed", data), tick=tick)
            send("outcome", outcome)
        except BrokenPipeError:
            return
        except Exception as error:  # a defect of the engine: the parent tells it
            send("failed", repr(error))


if __name__ == "__main__":
    main()
