"""Processes beside a run: an agent under its supervisor, and the server of its session."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from itertools import count
from pathlib import Path
from typing import Any

from esoplay.agents import supervisor
from esoplay.agents.isolation import RunAsUser, SandboxCommand
from esoplay.errors import StoreError


class SupervisedCommand:
    """A command that runs until it ends or is let go of; also when this process is killed.

    stdout, stderr: files for its transcripts, which must not exist; ``most`` bytes of each are
    saved.  secrets: values that must not stand there.  grace: seconds between SIGTERM and SIGKILL.
    lock: a descriptor that stays open as long as anything of the command may live.
    sandbox: how to start it under bubblewrap, which also makes it ``person``.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: Path,
        environment: Mapping[str, str],
        stdout: Path,
        stderr: Path,
        most: int,
        lock: int,
        secrets: Mapping[str, str] | None = None,
        grace: int = 10,
        person: RunAsUser | None = None,
        sandbox: SandboxCommand | None = None,
    ):
        self.ended = threading.Event()
        self.failure: str | None = None
        """Why it could not be started."""
        self.end: Mapping[str, Any] = {}
        """What the keeper said last; empty while it runs, and where its guard was killed, too."""
        self._pids: list[int] = []
        order = {
            "command": list(command),
            "cwd": str(cwd),
            "environment": dict(environment),
            "stdout": str(stdout),
            "stderr": str(stderr),
            "most": most,
            "secrets": dict(secrets or {}),
            "grace": grace,
            "user": person,
            "sandbox": sandbox and asdict(sandbox),
        }
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", supervisor.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C at the terminal is for this process alone
            pass_fds=[lock],
            env={"LC_ALL": "C.UTF-8"},
        )
        with suppress(BrokenPipeError):
            self._input.write(json.dumps(order).encode() + b"\n")
            self._input.flush()
        first = self._hear()
        self.failure = first.get("failed")
        self._pids = [pid for pid in (first.get("first"), first.get("started")) if pid]
        if not self._pids and self.failure is None:  # killed before it could say more
            self.end = first
        self._thread = threading.Thread(target=self._await_end, name="esoplay-kept", daemon=True)
        self._thread.start()

    def let_go(self) -> Mapping[str, Any]:
        """End it and all that it started, wait until that is done, and return how it ended."""
        with suppress(BrokenPipeError):
            self._input.close()
        self._thread.join()
        return self.end

    @property
    def _input(self):
        assert self._process.stdin is not None, "it was started with a pipe"
        return self._process.stdin

    def _await_end(self) -> None:
        if self._pids:
            self.end = self._hear()
            self.failure = self.failure or self.end.get("failed")
            for pid in self._pids if not self.end else ():  # somebody killed keeper and guard
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(pid, signal.SIGKILL)
        self._process.wait()
        assert self._process.stdout is not None, "it was started with a pipe"
        self._process.stdout.close()
        self.ended.set()

    def _hear(self) -> dict[str, Any]:
        """The keeper's next answer; empty when there is none."""
        assert self._process.stdout is not None, "it was started with a pipe"
        line = self._process.stdout.readline()
        return json.loads(line) if line.endswith(b"\n") else {}


# The server of one session for its agent: a process of the operator's, on a socket.

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
        self._kept = SupervisedCommand(
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
