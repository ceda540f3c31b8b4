"""Run one command under the launcher, with limits on time, memory and output."""

from __future__ import annotations

import marshal
import math
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from esoplay import paths
from esoplay.errors import LaneError, WorkerDied
from esoplay.running.host.paused_processes import STOP_SECONDS, PausedProcesses
from esoplay.running.host.private_folder import PrivateFolder
from esoplay.running.host.processes import find_children, find_descendants, resident_memory
from esoplay.running.host.toolchain import outermost_paths
from esoplay.running.run import START_LIMIT
from esoplay.running.scheduler import RunCancelled, ScheduledRun, SchedulerShare


class FixtureServer(NamedTuple):
    """Server in the network namespace of a command; it prints a line when it is ready."""

    argv: Sequence[str]
    readable_paths: Sequence[str]


@dataclass(frozen=True, slots=True)
class HostCommand:
    """Command and the private folder that it runs in.

    argv: path of the executable, and its arguments.  hidden_folders: folders inside of
    ``readable_paths`` that are hidden.  writable: writable paths.  limits: resource limits; a key
    is the name of a constant of ``resource`` without ``RLIMIT_``.  resident_memory: maximum bytes
    of resident memory of all processes together, None if the address space is limited.  server:
    server that the command can connect to, None for a command without a network.
    """

    argv: Sequence[str]
    environment: Mapping[str, str]
    folder: PrivateFolder
    readable_paths: Sequence[str]
    hidden_folders: Sequence[str]
    limits: Mapping[str, int]
    resident_memory: int | None
    scratch_bytes: int
    writable: Sequence[str] = ()
    server: FixtureServer | None = None

    def spec(self) -> str:
        """Return the launcher's argument ``SPEC``: this command, marshalled and in hexadecimal."""
        show = [*self.readable_paths, *(self.server.readable_paths if self.server else ())]
        spec = {
            "command": list(self.argv),
            "environment": dict(self.environment),
            "server": list(self.server.argv) if self.server else None,
            "show": list(outermost_paths(show)) if self.server else show,
            "write": list(self.writable),
            "hide": list(self.hidden_folders),
            "root": str(self.folder.root),
            "scratch": str(self.folder.scratch),
            "scratch_bytes": self.scratch_bytes,
            "user": self.folder.user,
            "limits": dict(self.limits),
            "isolate": not os.environ.get("ESOPLAY_NO_NAMESPACES"),
        }
        return marshal.dumps(spec).hex()


_LAUNCH = """\
import sys
sys.path.append({!r})
from esoplay.running.host.launcher import main
main()"""
MAX_STDERR_BYTES = 64 << 10
"""Maximum number of bytes of stderr; a command that writes more is ended."""

_PACKAGES = str(Path(paths.__file__).resolve().parent.parent)
_POLL_SECONDS = 0.05  # seconds between two checks of memory and for cancellation
_STOP_SECONDS = 5.0  # seconds for the launcher to end all processes
_CHUNK = 64 << 10
_MAX_STATUS_BYTES = 64 << 10  # maximum bytes of the launcher's report

EndReason = Literal["exit", "signal", "time", "output", "memory"]


@dataclass(slots=True)
class CommandResult:
    """Result of a command.

    end_reason: ``exit`` or ``signal``, with the number in ``code``, or the name of the limit that
    ended the command.  guards: names of the active guards.
    """

    stdout: bytes
    stderr: bytes
    end_reason: EndReason
    code: int
    guards: tuple[str, ...]


def run_command(
    command: HostCommand,
    stdin: bytes,
    *,
    max_output: int,
    time_limit: float,
    cancelled: Callable[[], bool] | None = None,
    share: SchedulerShare | None = None,
) -> CommandResult:
    """Run a command until it exits or reaches a limit, and end all its processes.

    max_output: maximum bytes of stdout.  time_limit: seconds of wall time since the program
    started, without pauses.  share: access to the scheduler that must grant a slot; during turns of
    other sessions, all processes of the command are stopped.  Raises RunCancelled if ``cancelled``
    returns true, and WorkerDied if the command cannot be started.
    """
    with nullcontext() if share is None else share.hold_slot(cancelled) as scheduled_run:
        return _run(command, stdin, max_output, time_limit, cancelled, scheduled_run)


def _run(
    command: HostCommand,
    stdin: bytes,
    max_output: int,
    time_limit: float,
    cancelled: Callable[[], bool] | None,
    scheduled_run: ScheduledRun | None,
) -> CommandResult:
    status, theirs = os.pipe()
    try:
        launcher = subprocess.Popen(
            [
                *(sys.executable, "-I", "-S", "-c", _LAUNCH.format(_PACKAGES)),
                *(command.spec(), str(theirs), str(os.getpid())),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(theirs,),
            start_new_session=True,
            env={},
            umask=0o022,  # the program's user must be able to read the files that it creates
        )
    except OSError as error:
        os.close(status)
        raise WorkerDied(f"cannot start the process that runs programs: {error}") from error
    finally:
        os.close(theirs)
    watch = _CommandMonitor(
        launcher, status, command, stdin, max_output, time_limit, cancelled, scheduled_run
    )
    try:
        return watch.follow()
    finally:
        watch.close()


@dataclass(slots=True)
class _CommandMonitor:
    launcher: subprocess.Popen[bytes]
    status: int
    command: HostCommand
    stdin: bytes
    max_output: int
    time_limit: float
    cancelled: Callable[[], bool] | None
    scheduled_run: ScheduledRun | None
    stdout: bytearray = field(default_factory=bytearray)
    stderr: bytearray = field(default_factory=bytearray)
    report: bytearray = field(default_factory=bytearray)
    written_bytes: int = 0
    end_reason: EndReason | None = None
    is_unpausable: bool = False  # its processes cannot be stopped

    def follow(self) -> CommandResult:
        deadline, started = time.monotonic() + START_LIMIT, False
        with selectors.DefaultSelector() as selector:
            self._register(selector)
            while selector.get_map():
                for key, _ in selector.select(_POLL_SECONDS):
                    if not key.data():
                        selector.unregister(key.fileobj)
                if not started and b"\n" in self.report:
                    started, deadline = True, time.monotonic() + self.time_limit
                if self.cancelled is not None and self.cancelled():
                    raise RunCancelled
                if started:
                    deadline += self._pause_for_others(deadline)
                self.end_reason = self.end_reason or self._reached_limit(deadline)
                if self.end_reason is not None:
                    self._end()
                    if not started:
                        raise WorkerDied("the program's process took too long to start")
                    break  # an escaped process may hold the pipes open forever
        return self._read_result()

    def _register(self, selector: selectors.BaseSelector) -> None:
        stdin, stdout, stderr = self.launcher.stdin, self.launcher.stdout, self.launcher.stderr
        assert stdin is not None, "the launcher has pipes"
        assert stdout is not None, "the launcher has pipes"
        assert stderr is not None, "the launcher has pipes"
        for file, keep in ((stdout, self._save_stdout), (stderr, self._save_stderr)):
            os.set_blocking(file.fileno(), False)
            selector.register(file, selectors.EVENT_READ, _PipeReader(file.fileno(), keep))
        selector.register(
            self.status, selectors.EVENT_READ, _PipeReader(self.status, self._save_status)
        )
        os.set_blocking(stdin.fileno(), False)
        selector.register(stdin, selectors.EVENT_WRITE, self._feed)

    def _feed(self) -> bool:
        assert self.launcher.stdin is not None, "the launcher has pipes"
        try:
            rest = memoryview(self.stdin)[self.written_bytes : self.written_bytes + _CHUNK]
            self.written_bytes += os.write(self.launcher.stdin.fileno(), rest) if rest else 0
        except BlockingIOError:
            return True
        except BrokenPipeError:  # the program has closed stdin
            self.written_bytes = len(self.stdin)
        if self.written_bytes < len(self.stdin):
            return True
        with suppress(BrokenPipeError):
            self.launcher.stdin.close()
        return False

    def _save_stdout(self, data: bytes) -> None:
        self.stdout += data[: self.max_output + 1 - len(self.stdout)]

    def _save_stderr(self, data: bytes) -> None:
        self.stderr += data[: MAX_STDERR_BYTES + 1 - len(self.stderr)]

    def _save_status(self, data: bytes) -> None:
        self.report += data[: _MAX_STATUS_BYTES - len(self.report)]

    def _reached_limit(self, deadline: float) -> EndReason | None:
        if len(self.stdout) > self.max_output or len(self.stderr) > MAX_STDERR_BYTES:
            return "output"
        if time.monotonic() > deadline:
            return "time"
        most = self.command.resident_memory
        return "memory" if most is not None and resident_memory(self.launcher.pid) > most else None

    def _pause_for_others(self, deadline: float) -> float:
        """Pause the program if the scheduler wants its slot; return the seconds of the pause.

        A program whose processes cannot be stopped gets no extra time, and is not paused again.
        """
        if self.scheduled_run is None or not self.scheduled_run.should_pause or self.is_unpausable:
            return 0.0
        start_time = time.monotonic()
        paused = PausedProcesses(self._processes)

        def is_over() -> bool:
            self.is_unpausable = self.is_unpausable or not paused.recheck()
            self.end_reason = self._reached_limit(deadline if self.is_unpausable else math.inf)
            return self.end_reason is not None or (self.cancelled is not None and self.cancelled())

        try:
            if not paused.pause():  # starting or exiting, or cannot be stopped
                self.is_unpausable = time.monotonic() - start_time > STOP_SECONDS
                return 0.0
            self.scheduled_run.pause(is_over)
            self.is_unpausable = self.is_unpausable or not paused.recheck()
        except RunCancelled:
            if self.end_reason is None:
                raise
        finally:
            paused.resume()
        return 0.0 if self.is_unpausable else time.monotonic() - start_time

    def _processes(self) -> set[int]:
        """Return the ids of the program's processes, without the launcher's supervisor."""
        found = find_descendants(self.launcher.pid)
        held = bytes(self.report).partition(b"\n")[0].split()
        if b"processes" in held:  # process 1 of the namespace belongs to the launcher
            found -= set(find_children(self.launcher.pid))
        return found

    def _end(self) -> None:
        """Ask the launcher to end all processes; if it does not, kill its process group."""
        os.kill(self.launcher.pid, signal.SIGTERM)
        _wait_without_reaping(self.launcher, _STOP_SECONDS)
        self._end_group()

    def _end_group(self) -> None:
        """Kill the launcher's process group; call this before reaping, which frees its id."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.launcher.pid, signal.SIGKILL)

    def _read_result(self) -> CommandResult:
        self._end_group()  # the launcher reported a result
        self.launcher.wait()
        lines = self.report.decode("utf-8", "replace").splitlines()
        report = {word: value for word, _, value in (line.partition(" ") for line in lines)}
        if "failed" in report:
            raise WorkerDied(f"cannot start the program's process: {report['failed']}")
        if "server" in report:
            raise WorkerDied(
                f"the server of this problem's tests did not start: {report['server']}"
            )
        if "unavailable" in report:
            raise LaneError(
                "this problem needs a network of its own, with a server in it, but this system "
                f"does not allow {report['unavailable']}; "
                "`esoplay lanes` shows how programs are isolated here"
            )
        if "held" not in report:
            raise WorkerDied("the process that runs programs ended unexpectedly")
        held = report["held"].split()
        why, code = self.end_reason, 0
        if why is None and "exit" in report:
            why, code = "exit", _parse_number(report["exit"])
        elif why is None:
            # Without a PID namespace, a program can kill its supervisor.
            if "signal" not in report and "processes" in held:
                raise WorkerDied("the process that ran the program ended unexpectedly")
            why, code = "signal", _parse_number(report.get("signal", "9"))
        return CommandResult(
            bytes(self.stdout[: self.max_output]), bytes(self.stderr), why, code, tuple(held)
        )

    def close(self) -> None:
        """End the remaining processes and close all files."""
        if self.launcher.returncode is None:
            self._end()
            self.launcher.wait()
        for file in (self.launcher.stdin, self.launcher.stdout, self.launcher.stderr):
            assert file is not None, "the launcher has pipes"
            with suppress(OSError):
                file.close()
        os.close(self.status)


@dataclass(frozen=True, slots=True)
class _PipeReader:
    fd: int
    store: Callable[[bytes], None]

    def __call__(self) -> bool:
        """Read available data and pass it to ``store``; return False at the end."""
        try:
            data = os.read(self.fd, _CHUNK)
        except BlockingIOError:
            return True
        self.store(data)
        return bool(data)


def _wait_without_reaping(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Wait up to ``seconds`` until a process has exited, without reaping it."""
    if not hasattr(os, "waitid"):  # as on macOS
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        return
    deadline = time.monotonic() + seconds
    how = os.WEXITED | os.WNOHANG | os.WNOWAIT
    while os.waitid(os.P_PID, process.pid, how) is None and time.monotonic() < deadline:
        time.sleep(0.005)


def _parse_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise WorkerDied(f"unexpected reply from the process that ran the program: {text[:40]!r}")
    return int(text)
