"""Lane folders are private, removed after each run, and removed after a SIGKILL at the next start.

Row 3 of the attacks: another solver's submission was read from a lane folder.
"""

from __future__ import annotations

import os
import pwd
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from shell import heed_interrupts

from esoplay.benchmark.sessions import Sessions
from esoplay.running.host.processes import find_descendants

WAITING = "import time\nprint('the submission of another solver')\ntime.sleep(600)\n"


def lane_folders(temp: Path) -> list[Path]:
    return sorted(temp.glob("esoplay-lane-*"))


def environment(temp: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "TMPDIR": str(temp), "ESOPLAY_HOME": str(temp / "home"), **more}


@pytest.fixture
def temp(shared_folder: Path) -> Path:
    return shared_folder


@contextmanager
def grading(temp: Path, **more: str) -> Generator[subprocess.Popen[bytes]]:
    """``esoplay grade`` while the first test of a program runs that never ends."""
    program = temp / "waiting.py"
    program.write_text(WAITING)
    program.chmod(0o600)
    before = set(lane_folders(temp))
    grader = subprocess.Popen(
        [sys.executable, "-m", "esoplay", "grade", str(program), "--problem", "E08"],
        env=environment(temp, **more),
        stdout=subprocess.DEVNULL,
        preexec_fn=heed_interrupts,
    )
    try:
        deadline = time.monotonic() + 60
        while not any(
            (one / "program/main.py").exists() for one in set(lane_folders(temp)) - before
        ):
            assert grader.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
        yield grader
    finally:
        grader.send_signal(signal.SIGINT)
        grader.wait()


@pytest.mark.needs("linux", "root")
@pytest.mark.parametrize("namespaces", [True, False])
def test_other_users_cannot_read_a_submission_while_it_runs(
    temp: Path, unused_uid: int, namespaces: bool
) -> None:
    more = {} if namespaces else {"ESOPLAY_NO_NAMESPACES": "1"}
    with grading(temp, **more):
        (folder,) = lane_folders(temp)
        for user in (unused_uid, 65534):
            for what in (f"cat {folder}/program/*", f"ls {folder}", f"ls {folder}/scratch"):
                seen = subprocess.run(
                    ["/bin/sh", "-c", what],
                    user=user,
                    group=user,
                    extra_groups=[],
                    capture_output=True,
                    check=False,
                )
                assert (seen.stdout, seen.returncode != 0) == (b"", True), what
    assert not lane_folders(temp)


@pytest.mark.needs("linux", "root")
@pytest.mark.parametrize("namespaces", [True, False])
def test_no_account_can_look_into_a_program(temp: Path, namespaces: bool) -> None:
    """Not even ``nobody``, as which root once ran programs and now may run a solver."""
    with grading(temp, **({} if namespaces else {"ESOPLAY_NO_NAMESPACES": "1"})) as grader:
        program = program_below(grader.pid)
        if program is None:
            return  # its tool is only reachable for root here
        seen = subprocess.run(
            ["/bin/sh", "-c", f"ls -l /proc/{program}/fd/; cat /proc/{program}/environ"],
            user=65534,
            group=65534,
            extra_groups=[],
            capture_output=True,
            check=False,
        )
        assert (seen.stdout, seen.returncode != 0) == (b"", True)
        (user,) = {line.split()[1] for line in status_of(program) if line.startswith("Uid:")}
        with pytest.raises(KeyError):
            pwd.getpwuid(int(user))


def program_below(grader: int) -> int | None:
    """The process that runs the program, None if it stays root's."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for pid in find_descendants(grader):
            with suppress(OSError):
                words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
                if words[-2:-1] and words[-2].endswith(b"/main.py") and b"-B" in words:
                    return None if Path(f"/proc/{pid}").stat().st_uid == 0 else pid
        time.sleep(0.01)
    raise AssertionError("the program did not start")


def status_of(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return []


@pytest.mark.parametrize("namespaces", [True, False])
def test_a_lane_folder_has_mode_0700(temp: Path, namespaces: bool) -> None:
    with grading(temp, **({} if namespaces else {"ESOPLAY_NO_NAMESPACES": "1"})):
        (folder,) = lane_folders(temp)
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        for path in folder.rglob("*"):
            if path.name not in ("new", "lock"):
                assert not path.stat().st_mode & 0o007, path


def test_nothing_is_left_after_a_run_of_a_session_that_stays_open(
    temp: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(temp))
    monkeypatch.setenv("ESOPLAY_HOME", str(temp / "home"))
    with Sessions.open(temp / "runs.sqlite") as sessions:
        session = sessions.init("python").session
        sessions.fetch(session)
        assert sessions.run(session, b"print('secret')").outcome.stdout == b"secret\n"
        assert not lane_folders(temp)
        sessions.submit(session, "E01", b"print('Hello, World!', end='')")
        assert not lane_folders(temp)


def test_the_next_start_removes_what_a_killed_process_left(temp: Path) -> None:
    with grading(temp) as one, grading(temp):
        assert len(lane_folders(temp)) == 2
        one.kill()
        one.wait()
        start(temp)
        assert len(lane_folders(temp)) == 1, "the folder that is in use stays"
    assert not lane_folders(temp)


def test_the_next_start_removes_deep_and_locked_folders(temp: Path) -> None:
    with grading(temp) as grader:
        (left,) = lane_folders(temp)
        grader.kill()
        grader.wait()
    deep = os.open(left, os.O_RDONLY)
    for _ in range(1100):  # too deep for a path, and locked at the end
        os.mkdir("d", dir_fd=deep)
        inner = os.open("d", os.O_RDONLY, dir_fd=deep)
        os.close(deep)
        deep = inner
    os.mkdir("locked", 0, dir_fd=deep)
    os.close(deep)
    start(temp)
    assert not lane_folders(temp)


@pytest.mark.needs("root")
def test_folders_of_others_and_links_are_left_alone(temp: Path, unused_uid: int) -> None:
    (temp / "victim").mkdir()
    (temp / "victim/file").write_text("stays")
    (temp / "esoplay-lane-link").symlink_to(temp / "victim")
    theirs = temp / "esoplay-lane-theirs"
    theirs.mkdir()
    (theirs / "file").write_text("stays")
    os.chown(theirs, unused_uid, unused_uid)
    own = temp / "esoplay-lane-own"
    own.mkdir()
    (own / "link").symlink_to(temp / "victim")
    start(temp)
    assert (temp / "victim/file").exists()
    assert (theirs / "file").exists()
    assert lane_folders(temp) == [temp / "esoplay-lane-link", theirs]


def start(temp: Path) -> None:
    """A start of esoplay that has nothing to do with lanes."""
    command = [sys.executable, "-m", "esoplay", "--version"]
    subprocess.run(command, env=environment(temp), check=True, stdout=subprocess.DEVNULL)


@pytest.mark.parametrize("name", ["esoplay-edit-1a2b3c4d", "esoplay-pack-1a2b3c4d"])
def test_texts_in_an_editor_and_folders_of_earlier_versions_stay(temp: Path, name: str) -> None:
    (temp / name).mkdir()
    (temp / name / "program.bf").write_text("+.", "utf-8")
    start(temp)
    assert (temp / name / "program.bf").read_text("utf-8") == "+."
