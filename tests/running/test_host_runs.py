"""Programs of host lanes: every verdict, and programs that try what they must not."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from esolangs.errors import OptionError
from esolangs.limits import MEBIBYTE, Limits
from esoplay.running.host.lanes import find_lane
from esoplay.running.host.process import processes_below
from esoplay.running.host.runner import HostRunner
from esoplay.running.host.toolchain import find_toolchain
from esoplay.running.outcome import Outcome
from esoplay.running.worker import Cancelled


@pytest.fixture(scope="module")
def runner() -> Iterator[HostRunner]:
    with HostRunner() as runner:
        yield runner


def python(runner: HostRunner, source: str, stdin: bytes = b"", **more: float) -> Outcome:
    limits = Limits(output=1000, memory=64 * MEBIBYTE)
    return runner.run(
        *("python", source.encode()),
        stdin=stdin,
        limits=limits,
        time_limit=more.get("time_limit", 60),
    )


def needs(runner: HostRunner, *guards: str) -> None:
    """Not every system lets a program be kept from everything; docs/threat-model.md says so."""
    if not runner.held:
        python(runner, "")
    lacking = set(guards) - set(runner.held)
    if lacking:
        pytest.skip(f"this system does not keep programs from: {', '.join(sorted(lacking))}")


@pytest.mark.parametrize(
    ("source", "status", "words"),
    [
        ("print(open(0).read()[::-1], end='')", "ok", ""),
        ("print('x' * 1000, end='')", "ok", ""),
        ("print('x' * 1001, end='')", "output_limit", "1000 bytes of output"),
        ("while True: print('noise')", "output_limit", "1000 bytes of output"),
        ("import sys\nwhile True: sys.stderr.write('noise' * 100)", "output_limit", "output"),
        ("x = bytearray(10**9)", "memory_limit", "bytes of memory"),
        ("import sys; print('right', end=''); sys.exit(3)", "fault", "exit status 3"),
        ("import sys; sys.stderr.write('careful')", "fault", "it wrote to stderr: careful"),
        ("print(1 / 0)", "fault", "ZeroDivisionError"),
        ("import os; os.abort()", "fault", "SIGABRT"),
        ("print(", "parse_error", "never closed"),
        ("x = '\0'", "parse_error", "null bytes"),
    ],
)
def test_how_a_run_ends(runner: HostRunner, source: str, status: str, words: str) -> None:
    outcome = python(runner, source, b"desserts")
    assert outcome.status == status, outcome.stderr
    assert words in outcome.stderr
    if status == "ok":
        assert outcome.stderr == ""
        assert outcome.stdout in (b"stressed", b"x" * 1000)
    if status == "output_limit" and "stderr" not in source:
        assert len(outcome.stdout) == 1000


def test_what_never_ends_is_ended(runner: HostRunner) -> None:
    outcome = python(runner, "print('on', flush=True)\nwhile True: pass", time_limit=0.5)
    assert (outcome.status, outcome.limit) == ("time_limit", 0.5)
    assert outcome.stdout in (b"on\n", b"")  # a slow machine may have begun nothing


def test_a_run_is_called_off(runner: HostRunner) -> None:
    with pytest.raises(Cancelled):
        runner.run("python", b"while True: pass", cancelled=lambda: True)


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


def test_what_it_wrote_is_gone_with_the_next_run(runner: HostRunner) -> None:
    needs(runner, "files")
    source = "import os; print(os.listdir('.'), end=''); open('kept', 'w').write('here')"
    assert [python(runner, source).stdout for _ in range(2)] == [b"[]", b"[]"]


def test_a_file_does_not_grow_beyond_its_limit(runner: HostRunner) -> None:
    source = "file = open('big', 'wb')\nwhile True: file.write(bytes(1 << 20))"
    assert "File too large" in python(runner, source).stderr


def test_it_does_not_see_the_files_of_others(runner: HostRunner) -> None:
    needs(runner, "files")
    home = str(Path.home())
    source = f"""
import os
for path in ("/etc/passwd", {home!r} + "/.profile", {__file__!r}, "/var", "/work"):
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


def test_it_reaches_no_network(runner: HostRunner) -> None:
    needs(runner, "network")
    source = """
import socket
server = socket.create_server(("127.0.0.1", 0))
socket.create_connection(server.getsockname(), 5)
"""
    assert "OSError" in python(runner, source).stderr  # not even its own loopback is up


def test_it_sees_and_ends_no_process_but_its_own(runner: HostRunner) -> None:
    needs(runner, "processes", "user")
    source = """
import os
for pid in (1, os.getppid()):
    try:
        os.kill(pid, 9)
    except PermissionError:
        continue
    raise AssertionError(pid)
assert len([name for name in os.listdir("/proc") if name.isdigit()]) in (0, 2)
assert os.getuid() != 0
print("kept", end="")
"""
    outcome = python(runner, source)
    assert outcome.stdout == b"kept", outcome.stderr


def test_it_cannot_speak_for_what_watches_it(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_bomb_of_processes_is_bounded_and_leaves_nothing(runner: HostRunner) -> None:
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
    before = processes_below(os.getpid())
    outcome = runner.run("python", source.encode(), limits=limits)
    assert outcome.status == "ok", outcome.stderr
    # The program counts, and those that watch it where they are in its namespace.
    assert 0 < find_lane("python").processes - int(outcome.stdout) <= 3
    assert processes_below(os.getpid()) <= before  # no process of ours lives on


def test_what_took_sessions_of_its_own_is_ended_without_namespaces(
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
    with HostRunner() as runner:
        outcome = runner.run("python", source.encode(), limits=limits, time_limit=1.5)
    assert outcome.status == "time_limit"
    began = [int(pid) for pid in outcome.stdout.split()]
    assert began
    for pid in began:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_lane_has_no_options_and_no_other_dialects(runner: HostRunner) -> None:
    with pytest.raises(OptionError, match="no option 'eof'"):
        runner.run("python", b"", options={"eof": 0})
    with pytest.raises(OptionError, match="no dialect 'classic'"):
        runner.run("python", b"", dialect="classic")


RUST_REVERSE = """
fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    print!("{}", text.chars().rev().collect::<String>());
}
"""
PROGRAMS = {
    "javascript": (
        'process.stdout.write([...require("fs").readFileSync(0, "utf8")].reverse().join(""))',
        "process.stdout.write(",
        "const kept = []; for (;;) kept.push(Buffer.alloc(1 << 20, 1));",
    ),
    "rust": (
        RUST_REVERSE,
        'fn main() { let x: i32 = ""; }',
        "fn main() { let mut kept: Vec<u64> = vec![1]; loop { kept.extend(kept.clone()); } }",
    ),
}


@pytest.mark.parametrize("id", PROGRAMS)
def test_other_lanes(runner: HostRunner, id: str) -> None:
    if find_toolchain(find_lane(id)) is None:
        pytest.skip("not installed")
    right, wrong, greedy = (program.encode() for program in PROGRAMS[id])
    outcome = runner.run(id, right, stdin=b"desserts")
    assert (outcome.status, outcome.stdout) == ("ok", b"stressed"), outcome.stderr
    assert runner.run(id, right, stdin=b"pan").stdout == b"nap"
    assert runner.run(id, wrong).status == "parse_error"
    small = Limits(memory=64 * MEBIBYTE)
    assert runner.run(id, greedy, limits=small).status == "memory_limit"
