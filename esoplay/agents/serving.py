"""The server of one session for its agent: a process of the operator's, on a socket."""

from __future__ import annotations

import os
import socket
import sys
import time
from itertools import count
from pathlib import Path

from esoplay.agents.kept import Kept
from esoplay.errors import StoreError

SOCKET = "session.sock"
START_SECONDS = 60.0
"""For a server to listen; it takes a fraction of a second on an idle machine."""
MOST_STARTS = 20
"""After that many ends of a server in one session somebody ends it on purpose."""
_LOOK = 0.02
_LOG_BYTES = 1 << 20


class SessionServer:
    """``esoplay serve --solver`` for a session; started again where it was killed."""

    def __init__(
        self,
        session: str,
        store: Path,
        path: Path,
        logs: Path,
        lock: int,
        user: str | None,
        *,
        isolated: bool,
    ):
        """isolated: every client runs in another PID namespace, and the server checks that."""
        self._command = [
            *(sys.executable, "-P", "-m", "esoplay", "serve", "--solver", "--session", session),
            *("--socket", str(path), "--store", str(store)),
            *(() if user is None else ("--allow-uid", user)),
            "--isolated-solver" if isolated else "--accept-visible-processes",
        ]
        self._path = path
        self._logs = logs
        self._lock = lock
        self.starts = 0
        self._start()

    def tend(self) -> bool:
        """Start it again where it has ended; False where it cannot be, or was often enough."""
        if not self._kept.ended.is_set():
            return True
        if self.starts >= MOST_STARTS:
            return False
        try:
            self._start()
        except StoreError:
            return False
        return True

    def end(self) -> None:
        """End it; what is at work has a few seconds."""
        self._kept.let_go()

    def _start(self) -> None:
        self.starts += 1
        free = (self._logs / f"server{number or ''}.log" for number in count())
        log = next(path for path in free if not path.exists())
        self._kept = Kept(
            self._command,
            cwd=self._logs,
            environment=own_environment(),
            stdout=Path(os.devnull),
            stderr=log,
            most=_LOG_BYTES,
            lock=self._lock,
        )
        deadline = time.monotonic() + START_SECONDS
        while not self._listens():
            if self._kept.ended.wait(_LOOK) or time.monotonic() > deadline:
                self._kept.let_go()
                raise StoreError(f"the session's server does not start; {log} may say why")

    def _listens(self) -> bool:
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(str(self._path))
            except OSError:
                return False
        return True


def own_environment() -> dict[str, str]:
    """For processes that are esoplay's own: they find the same esoplay."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
