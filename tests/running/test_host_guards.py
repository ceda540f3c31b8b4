"""Programs of host lanes that try what they must not; docs/threat-model.md names these tests."""

from __future__ import annotations

import os
import random
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from host_programs import needs, python

import esoplay
from esolangs.limits import MEBIBYTE, Limits
from esoplay.errors import WorkerDied
from esoplay.running.host.lanes import find_lane
from esoplay.running.host.private_folder import PrivateFolder
from esoplay.running.host.processes import find_descendants
from esoplay.running.host.runner import HostProgram, HostRunner
from esoplay.temporary_folders import NOBODY, PROGRAM_USERS

filtered = pytest.mark.skipif(
    sys.platform != "linux" or os.uname().machine not in ("x86_64", "aarch64", "riscv64"),
    reason="system calls are refused on Linux, where their numbers are known",
)


@pytest.fixture(scope="module")
def runner() -> Iterator[HostRunner]:
    with HostRunner() as runner:
        yield runner


@pytest.fixture(params=["namespaces", "none"])
def each_runner(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[HostRunner]:
    """A runner with namespaces if there are any, and one without."""
    if request.param == "none":
        monkeypatch.setenv("ESOPLAY_NO_NAMESPACES", "1")
    with HostRunner() as runner:
        yield runner


def test_a_program_gets_no_environment_and_an_empty_folder(runner: HostRunner) -> None:
    source = "import os; print(sorted(os.environ.items()), os.listdir('.'))"
    os.environ["ESOPLAY_TEST_SECRET"] = "seed"
    try:
        outcome = python(runner, source)
    finally:
        del os.environ["ESOPLAY_TEST_SECRET"]
    assert b"seed" not in outcome.stdout
    assert b"HOME" not in outcome.stdout
    assert outcome.stdout.endswith(b" []\n")


def test_files_of_a_program_are_removed_before_the_next_run(each_runner: HostRunner) -> None:
    source = """
import os
print(os.listdir("."), end="")
os.makedirs("kept/deep")
open("kept/deep/file", "w").write("here")
os.symlink("/", "root")
"""
    assert [python(each_runner, source).stdout for _ in range(2)] == [b"[]", b"[]"]


@pytest.mark.parametrize("depth", [1, 1100])
def test_deep_and_locked_folders_are_removed(depth: int) -> None:
    with _as_nobody():  # root may enter all that is locked
        box = PrivateFolder()
        held = os.open(box.scratch, os.O_RDONLY)
        for _ in range(depth):
            os.mkdir("d", dir_fd=held)
            inner = os.open("d", os.O_RDONLY, dir_fd=held)
            os.close(held)
            held = inner
        os.mkdir("told", 0, dir_fd=held)
        os.close(held)
        (box.scratch / "told").mkdir(0)
        box.empty_scratch()
        assert os.listdir(box.scratch) == []
        (box.scratch / "told").mkdir(0)
        box.close()
        assert not box.path.exists()


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PrivateFolder]:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    box = PrivateFolder()
    yield box
    box.close()


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "file").write_text("stays")
    (victim / "file").chmod(0o644)
    victim.chmod(0o755)
    return victim


def _is_untouched(victim: Path) -> bool:
    seen = [path.stat() for path in (victim, victim / "file")]
    modes = [stat.S_IMODE(status.st_mode) for status in seen]
    return modes == [0o755, 0o644] and {status.st_uid for status in seen} == {os.geteuid()}


@pytest.mark.parametrize("name", ["scratch", "program", "prepared", "root"])
def test_a_link_in_the_place_of_a_folder_is_not_followed(
    box: PrivateFolder, victim: Path, name: str
) -> None:
    (box.path / name).rename(box.path / "away")
    (box.path / name).symlink_to(victim)
    with pytest.raises(WorkerDied, match="replaced"):
        box.empty_scratch()
    box.close()
    assert _is_untouched(victim)
    assert not box.path.exists()


def test_another_folder_in_the_place_of_its_own_is_not_removed(
    box: PrivateFolder, victim: Path
) -> None:
    away = box.path.rename(box.path.with_name("away"))
    victim.rename(box.path)
    with pytest.raises(WorkerDied, match="replaced"):
        box.empty_scratch()
    box.close()
    assert _is_untouched(box.path)
    assert os.listdir(away) == []


def test_a_file_is_not_written_through_a_link(box: PrivateFolder, victim: Path) -> None:
    (box.program / "main.py").symlink_to(victim / "file")
    with pytest.raises(WorkerDied):
        box.put("main.py", b"changed")
    with pytest.raises(OSError, match="symbolic links"):
        box.assign_to_program(box.program / "main.py")
    assert _is_untouched(victim)
    assert (victim / "file").read_text() == "stays"


def test_a_program_that_replaces_its_folder_gets_a_new_one(
    runner: HostRunner, victim: Path
) -> None:
    def program() -> HostProgram:
        held = runner._program  # pyright: ignore[reportPrivateUsage]
        assert held is not None
        return held

    assert python(runner, "print(1)").stdout == b"1\n"
    first = program()
    first.folder.with_name("scratch").rename(first.folder.with_name("away"))
    first.folder.with_name("scratch").symlink_to(victim)
    assert python(runner, "print(1)").stdout == b"1\n"
    assert program() is not first
    assert not first.folder.exists()
    assert _is_untouched(victim)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's programs have users of their own")
def test_two_programs_run_as_different_users(
    box: PrivateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    if box.user in (None, NOBODY):
        pytest.skip("this system maps no such users")
    assert box.user is not None
    free = box.user + 1 if box.user + 1 in PROGRAM_USERS else box.user - 1
    drawn = iter([box.user, box.user, free])

    def choice(_: Sequence[int]) -> int:
        return next(drawn)

    monkeypatch.setattr(random, "choice", choice)
    other = PrivateFolder()
    other.close()
    assert other.user == free


@contextmanager
def _as_nobody() -> Generator[None]:
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)


def test_a_program_cannot_see_the_files_of_others(runner: HostRunner) -> None:
    needs(runner, "files")
    home = str(Path.home())
    source = f"""
import os
for path in ("/etc/passwd", {home!r} + "/.profile", {__file__!r}, "/var", {esoplay.__file__!r}):
    assert not os.path.exists(path), path
for path in ("/usr/x", "/x", "/dev/x", "/proc/sys/kernel/hostname"):
    try:
        open(path, "w")
    except OSError:
        continue
    raise AssertionError(path)
print("kept", end="")
"""
    assert python(runner, source).stdout == b"kept"


def test_a_program_has_no_network(runner: HostRunner) -> None:
    needs(runner, "network")
    source = """
import socket
pair = socket.socketpair()  # what runtimes use to speak with their own processes
for family, kind in ((socket.AF_INET, 1), (socket.AF_INET6, 2), (socket.AF_UNIX, 1)):
    try:
        socket.socket(family, kind).connect(("127.0.0.1", 9))
    except OSError:
        continue
    raise AssertionError(family)
print("kept", end="")
"""
    outcome = python(runner, source)
    assert outcome.stdout == b"kept", outcome.stderr


def test_a_program_sees_and_signals_only_its_own_processes(runner: HostRunner) -> None:
    needs(runner, "processes", "user")
    source = """
import os
for number in range(1, 65):
    try:
        os.kill(os.getppid(), number)
    except OSError:
        continue
assert len([name for name in os.listdir("/proc") if name.isdigit()]) in (0, 2)
assert os.getuid() != 0
print("kept", end="")
"""
    outcome = python(runner, source)
    assert outcome.stdout == b"kept", outcome.stderr


def test_a_program_cannot_forge_its_monitor_s_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ESOPLAY_NO_NAMESPACES", "1")  # where it sees the processes of its user
    speak = """
import os
watcher = f"/proc/{os.getppid()}/fd"
try:
    for number in os.listdir(watcher):
        if int(number) > 2:
            with open(f"{watcher}/{number}", "w") as status:
                status.write("exit nonsense\\n")
            print("spoke")
except OSError:
    pass
"""
    with HostRunner() as runner:
        outcome = python(runner, speak)
        needs(runner, "user")  # nothing keeps root from it
    assert (outcome.status, outcome.stdout) == ("ok", b"")


def test_a_fork_bomb_is_bounded_and_leaves_no_process(runner: HostRunner) -> None:
    needs(runner, "processes", "user")
    source = """
import os, time
made = 0
while True:
    try:
        if os.fork() == 0:
            os.setsid()
            time.sleep(3600)
        made += 1
    except BlockingIOError:
        break
print(made, end="")
"""
    limits = Limits(memory=2048 * MEBIBYTE)
    before = find_descendants(os.getpid())
    outcome = runner.run("python", source.encode(), limits=limits)
    assert outcome.status == "ok", outcome.stderr
    # The program counts, and so do its watchers where they share its namespace.
    assert 0 < find_lane("python").processes - int(outcome.stdout) <= 3
    assert find_descendants(os.getpid()) <= before  # no process of ours lives on


@pytest.mark.slow
def test_processes_in_sessions_of_their_own_are_ended_without_namespaces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ESOPLAY_NO_NAMESPACES", "1")
    source = """
import os, time
for _ in range(10):
    if os.fork() == 0:
        os.setsid()
        os.fork()  # comes to whoever watches only when the one above it has ended
        os.write(1, b"%d\\n" % os.getpid())
        time.sleep(3600)
time.sleep(3600)
"""
    limits = Limits(output=1000, memory=2048 * MEBIBYTE)
    began: list[int] = []
    for seconds in (1.5, 15, 60):  # a busy machine may have started none of them
        with HostRunner() as runner:
            outcome = runner.run("python", source.encode(), limits=limits, time_limit=seconds)
        assert outcome.status == "time_limit"
        began += [int(pid) for pid in outcome.stdout.split()]
        if began:
            break
    assert began
    for pid in began:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_files_and_network_are_blocked_without_namespaces(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ESOPLAY_NO_NAMESPACES", "1")
    (tmp_path / "seed").write_text("secret")
    tmp_path.chmod(0o777)
    source = f"""
import os, socket
def shut(what):
    try:
        what()
    except OSError:
        return
    raise AssertionError("it could")
shut(lambda: open({str(tmp_path / "seed")!r}))
shut(lambda: open({str(tmp_path / "new")!r}, "w"))
shut(lambda: os.listdir({str(tmp_path)!r}))
shut(lambda: os.unlink({str(tmp_path / "seed")!r}))
shut(lambda: open(f"/proc/{{os.getppid()}}/mem"))
shut(lambda: socket.socket(socket.AF_INET))
open("own", "w").write("here")
shut(lambda: os.chmod("own", 0o777))
print(open("own").read(), end="")
"""
    with HostRunner() as runner:
        needs(runner, "files")
        assert {"files", "network"} <= set(runner.guards)
        outcome = python(runner, source)
    assert outcome.stdout == b"here", outcome.stderr


def test_an_agent_sees_nothing_of_esoplay_installed_among_its_tools(
    each_runner: HostRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Path(esoplay.__file__).resolve().parents[1]
    shipped = Path(find_lane.__code__.co_filename).with_name("lanes") / "python.toml"
    text = shipped.read_text().replace('"python"', '"python-more"', 1)
    text = text.replace("[toolchain]", f"[toolchain]\nshow = [{str(whole)!r}]")
    (tmp_path / "python-more.toml").write_text(text)
    state = whole / "docs"  # for this test
    monkeypatch.setenv("ESOPLAY_LANES", str(tmp_path))
    monkeypatch.setenv("ESOPLAY_HOME", str(state))
    source = f"""
import os
for folder in ("interpreters", "esoplay", "problems", "docs"):
    try:
        print(len(os.listdir(os.path.join({str(whole)!r}, folder))) > 0)
    except PermissionError:
        print(False)
"""
    outcome = each_runner.run("python-more", source.encode())
    needs(each_runner, "files")
    assert outcome.stdout == b"True\nFalse\nFalse\nFalse\n", outcome.stderr


@filtered
def test_uncounted_memory_and_further_namespaces_are_refused(
    each_runner: HostRunner,
) -> None:
    source = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
NEWUSER, PRIVATE = 0x10000000, 0
for name, call in {
    "shmget": lambda: libc.shmget(PRIVATE, 1 << 20, 0o1600),
    "unshare": lambda: libc.unshare(NEWUSER),
    "ptrace": lambda: libc.ptrace(0, 0, 0, 0),
}.items():
    assert call() == -1, name
    assert ctypes.get_errno() == 1, name
try:
    os.memfd_create("kept")
except PermissionError:
    print("refused", end="")
"""
    outcome = python(each_runner, source)
    assert outcome.stdout == b"refused", outcome.stderr


def test_memory_of_all_processes_of_a_program_counts(runner: HostRunner) -> None:
    if not Path("/proc").is_dir():
        pytest.skip("this system does not tell of processes")
    source = """
import os, threading, time
def begin():
    for _ in range(3):
        if os.fork() == 0:
            kept = bytearray(50 << 20)
            time.sleep(3600)
    time.sleep(3600)
threading.Thread(target=begin).start()
"""
    assert python(runner, source, time_limit=30).status == "memory_limit"


def test_a_grader_that_is_killed_leaves_no_program(each_runner: HostRunner) -> None:
    if not Path("/proc").is_dir():
        pytest.skip("this system does not tell of processes")
    program = """
import os, time
if os.fork() == 0:
    os.setsid()
time.sleep(3600)
"""
    grader = f"""
from esoplay.running.host.runner import HostRunner
HostRunner().run("python", {program.encode()!r})
"""
    python(each_runner, "")
    # What watches, in a namespace also its first process, and the two of the program.
    whole = 3 + ("processes" in each_runner.guards)
    child = subprocess.Popen([sys.executable, "-c", grader])
    deadline = time.monotonic() + 300
    while len(begun := find_descendants(child.pid)) < whole and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(begun) == whole
    child.kill()
    child.wait()
    while any(map(is_there, begun)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(is_there, begun))


def is_there(pid: int) -> bool:
    """Return whether a process runs; zombies and processes that are being released do not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in (b"Z", b"X")
