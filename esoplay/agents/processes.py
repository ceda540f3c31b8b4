"""Start and stop the processes of a run: supervised agents and session servers."""

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
    """Command that a supervisor process runs, and ends if this process is killed.

    stdout, stderr: new files for the transcripts; at most ``max_bytes`` bytes of each are saved.
    secrets: values that transcripts must not contain, by name. grace_seconds: time between SIGTERM
    and SIGKILL. lock_fd: descriptor that stays open while a process of the command may be alive.
    sandbox: options of bubblewrap, which also switches to ``run_as``.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: Path,
        environment: Mapping[str, str],
        stdout: Path,
        stderr: Path,
        max_bytes: int,
        lock_fd: int,
        secrets: Mapping[str, str] | None = None,
        grace_seconds: int = 10,
        run_as: RunAsUser | None = None,
        sandbox: SandboxCommand | None = None,
    ):
        self.ended = threading.Event()
        self.failure: str | None = None
        """Reason why the command could not be started, or None."""
        self.final_report: Mapping[str, Any] = {}
        """Last report of the supervisor; remains empty if it and its guard are killed."""
        self._pids: list[int] = []
        request = {
            "command": list(command),
            "cwd": str(cwd),
            "environment": dict(environment),
            "stdout": str(stdout),
            "stderr": str(stderr),
            "max_bytes": max_bytes,
            "secrets": dict(secrets or {}),
            "grace": grace_seconds,
            "user": run_as,
            "sandbox": sandbox and asdict(sandbox),
        }
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", supervisor.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C at the terminal is for this process only
            pass_fds=[lock_fd],
            env={"LC_ALL": "C.UTF-8"},
        )
        with suppress(BrokenPipeError):
            self._input.write(json.dumps(request).encode() + b"\n")
            self._input.flush()
        first = self._read_report()
        self.failure = first.get("failed")
        self._pids = [pid for pid in (first.get("first"), first.get("started")) if pid]
        if not self._pids and self.failure is None:  # killed before it reported
            self.final_report = first
        self._thread = threading.Thread(
            target=self._await_end, name="esoplay-supervised", daemon=True
        )
        self._thread.start()

    def stop(self) -> Mapping[str, Any]:
        """Stop the command and all processes that it started; return the supervisor's report."""
        with suppress(BrokenPipeError):
            self._input.close()
        self._thread.join()
        return self.final_report

    @property
    def _input(self):
        assert self._process.stdin is not None, "the supervisor is started with a pipe"
        return self._process.stdin

    def _await_end(self) -> None:
        if self._pids:
            self.final_report = self._read_report()
            self.failure = self.failure or self.final_report.get("failed")
            if not self.final_report:  # supervisor and guard were killed
                for pid in self._pids:
                    with suppress(ProcessLookupError, PermissionError):
                        os.killpg(pid, signal.SIGKILL)
        self._process.wait()
        assert self._process.stdout is not None, "the supervisor is started with a pipe"
        self._process.stdout.close()
        self.ended.set()

    def _read_report(self) -> dict[str, Any]:
        """Return the next report of the supervisor; {} if it exited without sending one."""
        assert self._process.stdout is not None, "the supervisor is started with a pipe"
        line = self._process.stdout.readline()
        return json.loads(line) if line.endswith(b"\n") else {}


# The server of one agent's session, which runs as the operator and listens on a socket.

SOCKET = "session.sock"
START_SECONDS = 60.0
"""Maximum seconds for the start of a server; it takes less than a second on an idle machine."""
MAX_STARTS = 20
"""Maximum number of starts of a session's server, which is restarted when it is killed.

A server that is killed more often is assumed to be killed intentionally.
"""
_POLL_SECONDS = 0.02
_LOG_BYTES = 1 << 20


class SessionServer:
    """Process of ``esoplay serve --solver`` for one session, restarted if it is killed."""

    def __init__(
        self,
        session: str,
        store: Path,
        path: Path,
        logs: Path,
        lock_fd: int,
        user: str | None,
        *,
        isolated: bool,
    ):
        """Start the server of a session.

        isolated: whether clients run in another PID namespace, which the server then verifies.
        """
        self._command = [
            *(sys.executable, "-P", "-m", "esoplay", "serve", "--solver", "--session", session),
            *("--socket", str(path), "--store", str(store)),
            *(() if user is None else ("--allow-uid", user)),
            "--isolated-solver" if isolated else "--accept-visible-processes",
        ]
        self._path = path
        self._logs = logs
        self._lock_fd = lock_fd
        self.starts = 0
        self._start()

    def restart_if_ended(self) -> bool:
        """Restart the server if it has exited; return False if that failed or the limit is reached.

        The limit is ``MAX_STARTS``.
        """
        if not self._process.ended.is_set():
            return True
        if self.starts >= MAX_STARTS:
            return False
        try:
            self._start()
        except StoreError:
            return False
        return True

    def stop(self) -> None:
        """Stop the server; requests in progress have a few seconds to finish."""
        self._process.stop()

    def _start(self) -> None:
        self.starts += 1
        free = (self._logs / f"server{number or ''}.log" for number in count())
        log = next(path for path in free if not path.exists())
        self._process = SupervisedCommand(
            self._command,
            cwd=self._logs,
            environment=child_environment(),
            stdout=Path(os.devnull),
            stderr=log,
            max_bytes=_LOG_BYTES,
            lock_fd=self._lock_fd,
        )
        deadline = time.monotonic() + START_SECONDS
        while not self._is_listening():
            if self._process.ended.wait(_POLL_SECONDS) or time.monotonic() > deadline:
                self._process.stop()
                raise StoreError(f"the session's server did not start; see {log}")

    def _is_listening(self) -> bool:
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(str(self._path))
            except OSError:
                return False
        return True


def child_environment() -> dict[str, str]:
    """Return an environment in which child processes import this copy of esoplay."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
