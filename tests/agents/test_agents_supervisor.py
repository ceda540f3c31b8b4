"""Supervised commands: what is saved of their output, and that no process of them remains."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from agents_helpers import is_there
from shell import PATHS

from esoplay.agents.processes import SupervisedCommand

STAYING = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.write(1, b"%d\\n" % os.getpid())
time.sleep(900)
"""
LEAVING = f"""
import subprocess, sys
subprocess.Popen([sys.executable, "-S", "-c", {STAYING!r}], start_new_session=True)
{STAYING}"""
"""Starts a process in another group, and ignores SIGTERM like that."""
HOLDER = """
import json, sys
from pathlib import Path
from esoplay.agents.processes import SupervisedCommand
folder, code = Path(sys.argv[1]), sys.argv[2]
kept = SupervisedCommand(
            [sys.executable, "-S", "-c", code], cwd=folder, environment={}, max_bytes=1000,
            grace_seconds=1, stdout=folder / "out", stderr=folder / "err", lock_fd=int(sys.argv[3]))
kept.ended.wait()
print(json.dumps(kept.stop()))
"""
SECRET = "a-secret-that-nobody-may-see"


@pytest.fixture
def lock(tmp_path: Path) -> Iterator[int]:
    descriptor = os.open(tmp_path / "lock", os.O_RDWR | os.O_CREAT)
    yield descriptor
    os.close(descriptor)


def supervise(folder: Path, lock: int, code: str, most: int = 1 << 20) -> SupervisedCommand:
    return SupervisedCommand(
        [sys.executable, "-S", "-c", code],
        cwd=folder,
        environment={"KEY": SECRET},
        stdout=folder / "out",
        stderr=folder / "err",
        max_bytes=most,
        lock_fd=lock,
        secrets={"KEY": SECRET},
        grace_seconds=1,
    )


def wait_for_output(output: Path, lines: int) -> list[int]:
    """The numbers that were printed, once there are so many lines."""
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        if output.exists() and output.read_bytes().count(b"\n") >= lines:
            return [int(line) for line in output.read_text("ascii").split()]
        time.sleep(0.02)
    raise AssertionError("nothing was said")


def test_transcripts_are_bounded_and_show_no_secret(tmp_path: Path, lock: int) -> None:
    # Written in two halves, so that it crosses the border of what is read at once.
    code = (
        "import os, sys, time\nkey = os.environ['KEY']\n"
        "os.write(1, key[:9].encode()); time.sleep(0.2); os.write(1, key[9:].encode() + b'.')\n"
        "os.write(2, b'x' * 5000); sys.exit(7)"
    )
    command = supervise(tmp_path, lock, code, most=100)
    assert command.ended.wait(300)
    end = command.stop()
    assert (tmp_path / "out").read_bytes() == b"[KEY]."
    assert (tmp_path / "err").read_bytes() == b"x" * 100
    assert (end["exit_code"], end["stopped"], end["stderr_bytes"]) == (7, False, 5000)


def test_a_full_disk_ends_a_transcript_and_nothing_else(tmp_path: Path, lock: int) -> None:
    def as_if_full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    code = "import os, sys\nfor _ in range(9): os.write(1, b'x' * 99)\nsys.exit(7)"
    holder = subprocess.run(
        [sys.executable, "-c", HOLDER, str(tmp_path), code, str(lock)],
        env={**os.environ, "PYTHONPATH": PATHS, "PYTHONDONTWRITEBYTECODE": "1"},
        pass_fds=[lock],
        preexec_fn=as_if_full,
        capture_output=True,
        check=True,
    )
    assert holder.stderr == b""
    assert json.loads(holder.stdout)["exit_code"] == 7
    assert (tmp_path / "out").read_bytes() == b"x" * 100


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="orphans are inherited on Linux alone")
def test_processes_that_ignore_sigterm_or_leave_the_group_are_killed(
    tmp_path: Path, lock: int
) -> None:
    command = supervise(tmp_path, lock, LEAVING)
    pids = wait_for_output(tmp_path / "out", 2)
    end = command.stop()
    assert end["stopped"]
    assert end["signal"] == signal.SIGKILL
    assert not any(map(is_there, pids))


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are inherited on Linux alone")
def test_all_processes_end_when_their_owner_is_killed(tmp_path: Path, lock: int) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path), LEAVING, str(lock)],
        env={**os.environ, "PYTHONPATH": PATHS},
        pass_fds=[lock],
    )
    pids = wait_for_output(tmp_path / "out", 2)
    holder.kill()
    holder.wait()
    deadline = time.monotonic() + 300
    while any(map(is_there, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(map(is_there, pids))


def test_a_command_that_cannot_start_shows_the_reason(tmp_path: Path, lock: int) -> None:
    command = SupervisedCommand(
        ["/nowhere/at/all"],
        cwd=tmp_path,
        environment={},
        stdout=tmp_path / "out",
        stderr=tmp_path / "err",
        max_bytes=1,
        lock_fd=lock,
    )
    assert command.failure == "No such file or directory"
    assert command.stop() == {}
