"""Hidden inputs out of ``/proc``: a third user of the machine watches while a submission runs.

Row 1 of the attacks: a program in a host lane starts a child with its input in the command line.
Row 2: a program uses processor time by its input, and ``schedstat`` of the worker shows it.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from esoplay.benchmark.sessions import Sessions
from esoplay.grading.grader import revealed_tests
from esoplay.packs.catalogue import get_pack

SEED = bytes(range(32))
PROBLEM = "E08"
PATIENCE = 60.0

SHOW_INPUT = b"""\
import subprocess, sys
text = sys.stdin.buffer.read()
subprocess.run([sys.executable, "-c", "import time; time.sleep(0.15)", f"HIDDEN-{text.hex()}-"])
"""
"""For row 1; a child of a program in a host lane lives long enough to be seen."""

BURN_BY_INPUT = b",[>++++[>++++[>++++[>++++[>++++[>++++[-]<-]<-]<-]<-]<-]<[-],]"
"""For row 2: a fixed amount of work for each byte that is read."""

WATCH_COMMANDS = """\
while :; do
  cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep -a -o '^HIDDEN-[0-9a-f]*-$'
done
"""
WATCH_TIMES = """\
while :; do
  for file in $(grep -a -l 'esoplay[.]running[.]child' /proc/[0-9]*/cmdline 2>/dev/null); do
    sed 's/^/schedstat /' "${file%cmdline}schedstat" 2>/dev/null
  done
done
"""

HIDE = 'mount -t proc -o hidepid=invisible proc /proc && exec "$@"'
HIDDEN_PROC = ["unshare", "-m", "sh", "-c", HIDE, "sh"]
"""Prefix of a command that gives it a mount namespace whose ``/proc`` hides processes."""

BUBBLE = [
    *("bwrap", "--unshare-pid", "--die-with-parent", "--ro-bind", "/", "/", "--proc", "/proc"),
    *("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"),
]
"""Prefix of a command that gives it a PID namespace, and a ``/proc`` of that."""

pytestmark = [pytest.mark.needs("linux", "root")]


class Server:
    """``esoplay serve`` for a solver; ``refusal`` is what it printed if it did not start."""

    def __init__(self, folder: Path, language: str, options: list[str], prefix: list[str]):
        self.path = folder / "bench.sock"
        store = folder / "store.sqlite"
        with Sessions.open(store) as sessions:
            self.session = sessions.init(language, changes={"order": "free"}, seed=SEED).session
            sessions.fetch(self.session, PROBLEM)
        command = [
            *(*prefix, sys.executable, "-m", "esoplay", "serve", "--solver"),
            *("--session", self.session, "--store", str(store)),
            *("--socket", str(self.path), *options),
        ]
        paths = os.pathsep.join(filter(None, sys.path))
        self.process = subprocess.Popen(
            command, stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": paths}
        )
        assert self.process.stderr is not None
        self.refusal = ""
        while "listening" not in (line := self.process.stderr.readline().decode()):
            if not line:
                self.process.wait(PATIENCE)
                break
            self.refusal += line

    @property
    def started(self) -> bool:
        return self.process.poll() is None

    def submit(self, program: bytes) -> Any:
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(os.fspath(self.path))
            return ask(client, "session.submit", problem=PROBLEM, program=program.decode())

    def close(self) -> None:
        if self.started:
            self.process.terminate()
            self.process.wait(PATIENCE)
        assert self.process.stderr is not None
        self.process.stderr.close()


def ask(client: socket.socket, method: str, **params: Any) -> Any:
    """The answer to one request, whatever it is."""
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    client.settimeout(PATIENCE)
    with suppress(BrokenPipeError):  # refused already; the reason can be read
        client.sendall(json.dumps(request).encode() + b"\n")
    with client.makefile("rb") as lines:
        return next(message for line in lines if "method" not in (message := json.loads(line)))


def as_user(uid: int) -> list[str]:
    """Prefix of a command that gives it the rights of a user without an account."""
    return ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups"]


@contextmanager
def watching(script: str, uid: int, prefix: list[str]) -> Iterator[set[str]]:
    """Let a user watch; what was seen is there once the watching has ended."""
    watcher = subprocess.Popen(
        [*prefix, *as_user(uid), "sh", "-c", f"echo ready\n{script}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd="/",
        start_new_session=True,
    )
    seen: set[str] = set()
    assert watcher.stdout is not None
    assert watcher.stdout.readline() == b"ready\n", "the watcher did not start"

    def read() -> None:
        assert watcher.stdout is not None
        seen.update(line.decode().strip() for line in watcher.stdout)

    reader = threading.Thread(target=read)
    reader.start()
    try:
        yield seen
    finally:
        os.killpg(watcher.pid, signal.SIGKILL)
        watcher.wait(PATIENCE)
        reader.join(PATIENCE)
        watcher.stdout.close()


def seen_inputs(seen: set[str]) -> list[bytes]:
    """The hidden inputs among what a watcher of row 1 saw."""
    shown = {bytes.fromhex(line.split("-")[1]) for line in seen if line.startswith("HIDDEN-")}
    inputs = [given for given, _ in revealed_tests(get_pack().problem(PROBLEM), SEED)]
    return [given for given in inputs if given in shown]


@contextmanager
def server(
    folder: Path, language: str, *options: str, prefix: list[str] | None = None
) -> Iterator[Server]:
    running = Server(folder, language, list(options), prefix or [])
    try:
        yield running
    finally:
        running.close()


def test_no_hidden_input_is_visible_in_a_command_line(tmp_path: Path, unused_uid: int) -> None:
    with server(tmp_path, "python", "--allow-uid", str(unused_uid)) as attacked:
        if attacked.started:
            with watching(WATCH_COMMANDS, unused_uid + 1, []) as seen:
                attacked.submit(SHOW_INPUT)
            assert seen_inputs(seen) == []
        assert attacked.process.returncode == 2
        assert f"user {unused_uid} can see this server's processes: /proc/PID/cmdline" in (
            attacked.refusal
        )
        assert "\ntry: mount -o remount,hidepid=invisible /proc; " in attacked.refusal


def test_no_processor_time_of_a_worker_is_visible(tmp_path: Path, unused_uid: int) -> None:
    with server(tmp_path, "brainfuck", "--allow-uid", str(unused_uid)) as attacked:
        if attacked.started:
            with watching(WATCH_TIMES, unused_uid + 1, []) as seen:
                attacked.submit(BURN_BY_INPUT)
            assert not any(line.startswith("schedstat ") for line in seen)
        assert attacked.process.returncode == 2
        assert "/proc/PID/schedstat" in attacked.refusal


@pytest.mark.needs("mounts")
@pytest.mark.parametrize(
    ("language", "program", "script"),
    [
        pytest.param("python", SHOW_INPUT, WATCH_COMMANDS, marks=pytest.mark.slow, id="argv"),
        pytest.param("brainfuck", BURN_BY_INPUT, WATCH_TIMES, id="schedstat"),
    ],
)
def test_a_hidden_proc_shows_nothing(
    language: str, program: bytes, script: str, tmp_path: Path, unused_uid: int
) -> None:
    options = ("--allow-uid", str(unused_uid))
    with server(tmp_path, language, *options, prefix=HIDDEN_PROC) as attacked:
        assert attacked.started, attacked.refusal
        with watching(script, unused_uid, HIDDEN_PROC) as seen:
            assert attacked.submit(program)["result"]["total"] == 6
        assert seen == set()


@pytest.mark.needs("mounts")
def test_the_number_of_processes_counts_as_visible(tmp_path: Path, unused_uid: int) -> None:
    prefix = [one.replace("hidepid=invisible", "hidepid=noaccess") for one in HIDDEN_PROC]
    with server(tmp_path, "python", "--allow-uid", str(unused_uid), prefix=prefix) as attacked:
        assert attacked.process.returncode == 2
        assert "can see this server's processes: /proc/PID;" in attacked.refusal


@pytest.mark.needs("mounts")
def test_user_65534_can_see_programs_of_host_lanes(tmp_path: Path) -> None:
    for language, code in (("python", 2), ("brainfuck", None)):
        folder = tmp_path / language
        folder.mkdir()
        with server(folder, language, "--allow-uid", "65534", prefix=HIDDEN_PROC) as attacked:
            assert attacked.process.returncode == code
            assert ("host lanes may run as user 65534" in attacked.refusal) == (code == 2)


@pytest.mark.needs("bubblewrap")
@pytest.mark.parametrize(
    ("language", "program", "script"),
    [
        pytest.param("python", SHOW_INPUT, WATCH_COMMANDS, marks=pytest.mark.slow, id="argv"),
        pytest.param("brainfuck", BURN_BY_INPUT, WATCH_TIMES, id="schedstat"),
    ],
)
def test_an_isolated_solver_sees_nothing(
    language: str, program: bytes, script: str, shared_folder: Path, unused_uid: int
) -> None:
    options = ("--allow-uid", str(unused_uid), "--isolated-solver")
    with server(shared_folder, language, *options) as attacked:
        assert attacked.started, attacked.refusal
        refused = attacked.submit(program)["error"]
        assert refused["data"]["kind"] == "rejected_command"
        assert "server's own PID namespace" in refused["message"]
        with watching(script, unused_uid, BUBBLE) as seen:
            assert submit_from(BUBBLE, attacked, program, unused_uid)["result"]["total"] == 6
        assert seen == set()


@pytest.mark.needs("mounts")
def test_a_client_with_another_proc_than_the_one_that_was_checked_is_refused(
    shared_folder: Path, unused_uid: int
) -> None:
    """The server's mount namespace hides its processes, that of the solver's shell does not."""
    options = ("--allow-uid", str(unused_uid))
    with server(shared_folder, "brainfuck", *options, prefix=HIDDEN_PROC) as attacked:
        assert attacked.started, attacked.refusal
        outside = submit_from([], attacked, b"+", unused_uid)["error"]
        assert "not in the server's mount namespace" in outside["message"]


def submit_from(prefix: list[str], attacked: Server, program: bytes, uid: int) -> Any:
    """The answer to a submission of a user, whose client is started with ``prefix``."""
    python = shutil.which("python3", path="/usr/bin:/bin") or sys.executable
    client = (
        "import socket, sys\n"
        "s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])\n"
        "try: s.sendall(sys.argv[2].encode() + b'\\n')\n"
        "except BrokenPipeError: pass\n"  # refused already
        "print(s.makefile().readline())\n"
    )
    params = {"problem": PROBLEM, "program": program.decode()}
    request = {"jsonrpc": "2.0", "id": 1, "method": "session.submit", "params": params}
    done = subprocess.run(
        [
            *(*prefix, *as_user(uid)),
            *(python, "-I", "-c", client, str(attacked.path), json.dumps(request)),
        ],
        capture_output=True,
        cwd="/",
        timeout=PATIENCE,
        check=True,
    )
    return json.loads(done.stdout)


def test_an_override_by_the_operator_is_in_the_log(tmp_path: Path, unused_uid: int) -> None:
    options = ("--allow-uid", str(unused_uid), "--accept-visible-processes")
    with server(tmp_path, "python", *options) as accepted:
        assert accepted.started, accepted.refusal
        assert f"recorded in the session: user {unused_uid} can see" in accepted.refusal
        with Sessions.open(tmp_path / "store.sqlite") as sessions:
            export = sessions.export(accepted.session).as_json()
    (event,) = [one for one in export["events"] if one["kind"] == "visible_processes_accepted"]
    assert event["body"]["reason"].startswith(f"user {unused_uid} can see")
    assert export["format_version"] == 3
