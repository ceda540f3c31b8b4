"""Supervise one command, and end all processes that it started. Runs as its own program.

It reads one line of JSON from standard input (``command``, ``cwd``, ``environment``, ``stdout``,
``stderr``, ``max_bytes``, ``secrets``, ``grace``, ``user``, ``sandbox``), and writes one line when
the command runs or cannot be started, and one when all processes have ended. The caller keeps
standard input open. When standard input closes, which also happens when the caller is killed, the
command's process group gets SIGTERM, and SIGKILL ``grace`` seconds later. On Linux the supervisor
adopts orphans, so it finds and ends processes that left the group. An agent may kill the
supervisor, its parent. On Linux a guard process therefore waits for the supervisor, and adopts the
orphans if the supervisor was killed.

With ``sandbox`` the command runs under bubblewrap: a monitor outside the sandbox, and process 1
inside, which starts the command and reaps orphans. SIGTERM is sent to all processes except the
monitor, which would lose the exit status of the command. SIGKILL to process 1 ends everything in
its PID namespace. The option --die-with-parent is not used, because it would end the sandbox
together with the command, and leftover processes could not be counted.

Up to ``max_bytes`` bytes of each stream are saved, with the values of ``secrets`` replaced by their
names. Imports only the standard library, as it runs with ``-I -S``.
"""

from __future__ import annotations

import ctypes
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import IO, Any

_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER in <linux/prctl.h>
_MIN_SECRET_BYTES = 8  # bytes; shorter values occur in any text by chance
_CREATE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_POLL_SECONDS = 0.02  # seconds between two scans for new processes
_KILL_SECONDS = 10.0  # seconds of sending SIGKILL before giving up on processes of other users


class StreamTranscript:
    """Thread that saves the first ``max_bytes`` bytes of a stream to a file."""

    def __init__(self, stream: IO[bytes], path: str, max_bytes: int, secrets: Mapping[str, str]):
        self._stream = stream
        self._max_bytes = max_bytes
        named = ((os.fsencode(value), f"[{name}]".encode()) for name, value in secrets.items())
        self._secrets = [(value, name) for value, name in named if len(value) >= _MIN_SECRET_BYTES]
        self._held = b""
        descriptor = os.open(path, _CREATE_FLAGS if path != os.devnull else os.O_WRONLY, 0o600)
        self._file = open(descriptor, "wb", buffering=0)  # noqa: SIM115
        self.size = 0
        self.written = 0
        self.thread = threading.Thread(target=self._copy, daemon=True)
        self.thread.start()

    def _copy(self) -> None:
        with self._file, self._stream:
            while data := os.read(self._stream.fileno(), 1 << 16):
                self.size += len(data)
                self._write_redacted(data)
            self._write(self._held)

    def _write_redacted(self, data: bytes) -> None:
        """Write bytes with secrets replaced; hold back a suffix that may be part of a secret."""
        held = self._held + data
        for value, name in self._secrets:
            held = held.replace(value, name)
        max_bytes = max((len(value) for value, _ in self._secrets), default=1) - 1
        ready = len(held)
        for length in range(min(max_bytes, len(held)), 0, -1):
            if any(value.startswith(held[-length:]) for value, _ in self._secrets):
                ready -= length
                break
        self._write(held[:ready])
        self._held = held[ready:]

    def _write(self, data: bytes) -> None:
        fresh = data[: self._max_bytes - self.written]
        with suppress(OSError):  # a full disk ends the transcript, not the session
            self._file.write(fresh)
        self.written += len(fresh)


def main() -> int:
    request: dict[str, Any] = json.loads(sys.stdin.buffer.readline())
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # closing standard input stops this process
    if sys.platform == "linux":
        _inherit_orphans()
        if supervisor := os.fork():
            return _run_guard(supervisor, request["grace"])
        _inherit_orphans()
    return _supervise_command(request)


def _inherit_orphans() -> None:
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


def _run_guard(supervisor: int, grace_seconds: float) -> int:
    """Wait for the supervisor; if it was killed, end the processes of the command."""
    _, status = os.waitpid(supervisor, 0)
    if not os.WIFSIGNALED(status):
        return os.WEXITSTATUS(status)
    events: queue.SimpleQueue[tuple[str, int]] = queue.SimpleQueue()
    threading.Thread(target=_reap, args=(0, events), daemon=True).start()
    _, unended = _end_all(None, grace_seconds, events)
    _send_report({"keeper_killed": True, "unended": unended})
    return 1


class SandboxedProcess:
    """A command under bubblewrap.

    command: command line of bubblewrap. descriptors: file descriptors that it inherits.
    """

    def __init__(self, sandbox: Mapping[str, Any], command: list[str]):
        options = os.memfd_create("options")  # command lines are visible inside the sandbox
        os.write(options, "".join(f"{word}\0" for word in sandbox["options"]).encode())
        os.lseek(options, 0, os.SEEK_SET)
        self._status, status_writer = os.pipe()
        self.descriptors = (options, status_writer)
        self.command = [
            *(sandbox["program"], "--args", str(options), "--json-status-fd", str(status_writer)),
            *("--", *sandbox["before"], *command),
        ]
        self._status_data = b""

    def first_process(self) -> int | None:
        """Wait for bubblewrap and return the id of process 1 in its sandbox; None if it failed."""
        for file in self.descriptors:
            os.close(file)
        while b"\n" not in self._status_data:
            data = os.read(self._status, 1 << 12)
            if not data:
                return None
            self._status_data += data
        return json.loads(self._status_data.partition(b"\n")[0])["child-pid"]

    def has_started_command(self) -> bool:
        """Return whether the command was started; only valid after bubblewrap has exited."""
        os.set_blocking(self._status, False)
        with suppress(BlockingIOError):
            while data := os.read(self._status, 1 << 12):
                self._status_data += data
        return b'"exit-code"' in self._status_data


def _supervise_command(request: Mapping[str, Any]) -> int:
    uid, gid = request["user"] or (None, None)
    sandbox = (
        SandboxedProcess(request["sandbox"], request["command"]) if request["sandbox"] else None
    )
    if sandbox is not None:
        uid = gid = None  # bubblewrap needs the rights of this process
    try:
        process = subprocess.Popen(
            request["command"] if sandbox is None else sandbox.command,
            pass_fds=() if sandbox is None else sandbox.descriptors,
            cwd=request["cwd"],
            env=request["environment"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            user=uid,
            group=gid,
            extra_groups=None if uid is None else [],
            umask=0o077 if request["user"] is None else 0o022,
            preexec_fn=_restore_signals,  # no other thread runs yet
        )
    except (OSError, ValueError) as error:
        _send_report({"failed": getattr(error, "strerror", None) or str(error)})
        return 1
    first = None if sandbox is None else sandbox.first_process()
    _send_report({"started": process.pid, "first": first})
    assert process.stdout is not None
    assert process.stderr is not None
    transcripts = [
        StreamTranscript(stream, request[name], request["max_bytes"], request["secrets"])
        for name, stream in (("stdout", process.stdout), ("stderr", process.stderr))
    ]
    status, was_stopped, leftover_count, unended = _await_command(
        process.pid, first, request["grace"]
    )
    for transcript in transcripts:
        transcript.thread.join(5)  # processes that left the group may hold a pipe, except on Linux
    exit_code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else None
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
    failed = None
    if sandbox is not None:
        if not was_stopped and exit_code and not sandbox.has_started_command():
            failed = "bubblewrap could not create its sandbox"
        if exit_code is not None and 128 < exit_code < 128 + signal.NSIG:
            exit_code, number = None, exit_code - 128  # how bubblewrap reports a signal
    _send_report(
        {
            "failed": failed,
            "exit_code": exit_code,
            "signal": number,
            "stopped": was_stopped,
            "left_behind": leftover_count,
            "unended": unended,
            "stdout_bytes": transcripts[0].size,
            "stderr_bytes": transcripts[1].size,
        }
    )
    return 0


def _restore_signals() -> None:
    """Restore the default signal handlers for the command."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def _await_command(
    pid: int, initial_pid: int | None, grace_seconds: float
) -> tuple[int, bool, int, int]:
    """Wait until the command exits or must stop, and end its remaining processes.

    initial_pid: process 1 of the command's sandbox, None without a sandbox. Returns the wait
    status, whether the command was asked to stop, the number of processes that outlived it, and the
    number of processes that could not be ended.
    """
    events: queue.SimpleQueue[tuple[str, int]] = queue.SimpleQueue()
    threading.Thread(target=_reap, args=(pid, events), daemon=True).start()
    threading.Thread(target=_await_stop_request, args=(events,), daemon=True).start()
    word, value = events.get()
    was_stopped = word == "stop requested"
    leftover_count = 0 if was_stopped else len(_descendants() - {initial_pid})
    ended, unended = _end_all(pid, grace_seconds, events, () if initial_pid is None else (pid,))
    status = ended if was_stopped else value
    if sys.platform != "linux":  # members of the group may have another parent
        _signal_all(pid, signal.SIGKILL)
    return status or 0, was_stopped, leftover_count, unended


def _end_all(
    group: int | None,
    grace_seconds: float,
    events: queue.SimpleQueue[tuple[str, int]],
    excluded: Collection[int] = (),
) -> tuple[int | None, int]:
    """End the command's processes: SIGTERM for all but ``excluded``, then SIGKILL for all.

    Sends SIGKILL to all processes after ``grace_seconds``, until all have ended. Returns the wait
    status of the command, if it exited in the meantime, and the number of remaining processes,
    which belong to other users (as after sudo).
    """
    status: int | None = None
    start_time = time.monotonic()
    _signal_all(None if excluded else group, signal.SIGTERM, excluded)
    while True:
        try:
            word, value = events.get(timeout=_POLL_SECONDS)
            status = value if word == "exited" else status
            if word == "alone":
                return status, 0
        except queue.Empty:
            pass
        took = time.monotonic() - start_time
        if took >= grace_seconds:
            refused, reached = _signal_all(group, signal.SIGKILL)
            if took >= grace_seconds + _KILL_SECONDS and refused and not reached:
                return status, refused


def _reap(pid: int, events: queue.SimpleQueue[tuple[str, int]]) -> None:
    """Reap processes; report the exit of the command and of the last process."""
    while True:
        try:
            ended, status = os.waitpid(-1, 0)
        except ChildProcessError:
            events.put(("alone", 0))
            return
        if ended == pid:
            events.put(("exited", status))


def _await_stop_request(events: queue.SimpleQueue[tuple[str, int]]) -> None:
    while os.read(0, 1024):
        pass
    events.put(("stop requested", 0))


def _signal_all(
    group: int | None, signal_number: int, excluded: Collection[int] = ()
) -> tuple[int, int]:
    """Send the signal ``signal_number`` to a process group, and to all descendants of this process.

    excluded: ids of descendants that receive it only if they are in the group.

    Returns how many descendants cannot receive it, because they belong to other users, and how many
    received it.
    """
    if group is not None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal_number)
    refused = reached = 0
    for pid in _descendants() - set(excluded):
        try:
            os.kill(pid, signal_number)
            reached += 1
        except ProcessLookupError:
            pass
        except PermissionError:
            refused += 1
    return refused, reached


def _descendants() -> set[int]:
    """Return the running descendants of this process; empty without ``/proc``."""
    parents: dict[int, int] = {}
    with suppress(OSError):
        for name in os.listdir("/proc"):
            if name.isdigit():
                with suppress(OSError, ValueError), open(f"/proc/{name}/stat", "rb") as file:
                    state, parent = file.read().rpartition(b")")[2].split()[:2]
                    if state != b"Z":
                        parents[int(name)] = int(parent)
    below, found = {os.getpid()}, set[int]()
    while below:
        below = {pid for pid, parent in parents.items() if parent in below} - found
        found |= below
    return found


def _send_report(answer: Mapping[str, Any]) -> None:
    with suppress(OSError):  # the reader may have exited
        os.write(1, json.dumps(answer).encode() + b"\n")


if __name__ == "__main__":
    sys.exit(main())
