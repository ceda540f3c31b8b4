"""``esoplay serve --socket``: many clients, other users, stale files, an end in good order."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rpc_client import Client
from shell import heed_interrupts

from esoplay.benchmark.sessions import Sessions
from esoplay.errors import UsageError
from esoplay.rpc import peers, unix_socket
from esoplay.rpc.connection import Connection, DebuggerQuota
from esoplay.rpc.unix_socket import bind_socket

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 300.0


class Caller(Client):
    """A client on a Unix socket."""

    def __init__(self, path: Path):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(PATIENCE)
        self.sock.connect(os.fspath(path))
        super().__init__(self.sock.makefile("rb").readline, self.sock.sendall)

    def has_ended(self) -> bool:
        return self._read_line() == b""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ESOPLAY_HOME", str(tmp_path / "home"))
    return tmp_path / "bench.sock"


@pytest.fixture
def serve(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Sessions]]:
    """Serve on a thread of this process; gives the sessions that all clients share."""
    opened: list[Sessions] = []
    ends: list[threading.Thread] = []
    told, tell = socket.socketpair()
    ready = threading.Event()
    room = DebuggerQuota(3)

    class Told:
        """Replaces the socket that SIGTERM writes to: tests do not send signals to themselves."""

        def __enter__(self) -> socket.socket:
            ready.set()
            return told

        def __exit__(self, *_: object) -> None: ...

    monkeypatch.setattr(unix_socket, "_stop_socket", Told)

    def start(solver: bool = False, **named: Any) -> Sessions:
        sessions = Sessions.open()
        opened.append(sessions)
        session = sessions.init("brainfuck").session if solver else None

        def connect() -> Connection:
            return Connection(session, sessions=sessions, quota=room)

        thread = threading.Thread(
            target=unix_socket.serve_socket, args=(path, connect), kwargs=named
        )
        thread.start()
        ends.append(thread)
        assert ready.wait(PATIENCE)
        return sessions

    yield start
    tell.send(b".")
    for thread in ends:
        thread.join(PATIENCE)
        assert not thread.is_alive()
    for sessions in opened:
        sessions.close()
    told.close()
    tell.close()


def test_clients_have_connections_of_their_own_and_share_the_sessions(
    serve: Callable[..., Sessions], path: Path
) -> None:
    serve()
    one, two = Caller(path), Caller(path)
    session = one.call("session.init", language="brainfuck")["session"]
    assert two.call("session.fetch", session=session)["problem"] == "E01"
    one.call("debug.open", language="brainfuck", program="+")
    assert two.refuse("debug.view", debug="d1")["data"]["kind"] == "unknown_debugger"
    one.sock.close()
    assert two.call("session.status", session=session)["current"] == "E01"


def test_debuggers_of_all_clients_together_are_bounded(
    serve: Callable[..., Sessions], path: Path
) -> None:
    serve()
    one, two = Caller(path), Caller(path)
    for _ in range(3):
        one.call("debug.open", language="brainfuck", program="+")
    refused = two.refuse("debug.open", language="brainfuck", program="+")
    assert refused["data"]["kind"] == "limit"
    one.call("debug.close", debug="d2")
    assert two.call("debug.open", language="brainfuck", program="+")["debug"] == "d1"
    assert one.refuse("debug.open", language="brainfuck", program="+")["data"]["kind"] == "limit"


def test_two_clients_at_once_neither_lose_nor_double_a_submission(
    serve: Callable[..., Sessions], path: Path
) -> None:
    sessions = serve()
    first = Caller(path)
    session = first.call("session.init", language="brainfuck", protocol="practice")["session"]
    first.call("session.fetch", session=session)
    callers = [Caller(path) for _ in range(4)]
    for number, caller in enumerate(callers):
        for attempt in range(3):
            params = {"session": session, "problem": "E01", "program": "+."}
            caller.send("session.submit", **params, request_id=f"{number}-{attempt}")
    answers = [caller.answer()["result"] for caller in callers for _ in range(3)]
    assert len({answer["head"] for answer in answers}) == 12
    state = sessions.status(session).state
    assert (state.progress["E01"].submissions, state.submission_count) == (12, 12)


def test_many_clients_at_once_cannot_exceed_the_number_of_runs(
    serve: Callable[..., Sessions], path: Path
) -> None:
    sessions = serve()
    first = Caller(path)
    session = first.call("session.init", language="brainfuck", protocol="controlled")["session"]
    first.call("session.fetch", session=session)
    callers = [Caller(path) for _ in range(5)]
    for caller in callers:
        caller.send("session.run", session=session, program="+[>+]")
    answers = [caller.answer() for caller in callers]
    refused = [answer["error"]["data"]["kind"] for answer in answers if "error" in answer]
    assert refused == ["rejected_command"] * 2
    assert sessions.status(session).state.progress["E01"].runs == 3
    assert sorted(answer["result"]["runs_left"] for answer in answers if "result" in answer) == [
        0,
        1,
        2,
    ]


def test_the_file_is_for_its_owner_and_removed_at_the_end(path: Path) -> None:
    with bind_socket(path, 0o600):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        with pytest.raises(UsageError, match="already"), bind_socket(path, 0o600):
            pass
        assert path.exists()
    assert not path.exists()
    with bind_socket(path, 0o660):
        assert stat.S_IMODE(path.stat().st_mode) == 0o660


def test_a_stale_file_is_replaced_and_another_file_is_not(path: Path) -> None:
    left = socket.socket(socket.AF_UNIX)
    left.bind(os.fspath(path))
    left.close()
    with bind_socket(path, 0o600), socket.socket(socket.AF_UNIX) as client:
        client.connect(os.fspath(path))
    path.write_text("a file")
    with pytest.raises(UsageError, match="is not a socket"), bind_socket(path, 0o600):
        pass
    assert path.read_text() == "a file"
    long = path.with_name("x" * 200)
    with pytest.raises(UsageError, match="cannot listen"), bind_socket(long, 0o600):
        pass
    with pytest.raises(UsageError, match="cannot listen"), bind_socket(path / "no" / "x", 0o600):
        pass


def test_another_user_is_refused(
    serve: Callable[..., Sessions], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(True, mode=0o666, uids=[4242])
    monkeypatch.setattr(unix_socket, "peer_uid", lambda _: 4243)
    stranger = Caller(path)
    error = stranger.message()["error"]
    assert (error["data"]["kind"], "4243" in error["message"]) == ("rejected_command", True)
    assert stranger.has_ended()
    monkeypatch.setattr(unix_socket, "peer_uid", lambda _: 4242)
    assert Caller(path).call("session.fetch")["problem"] == "E01"


@pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="this system does not tell")
def test_the_kernel_reports_the_connecting_user() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    with ours, theirs:
        assert peers.peer_uid(ours) == os.getuid()
    assert peers.find_uid("0") == 0
    assert peers.find_uid("root") == 0
    with pytest.raises(UsageError):
        peers.find_uid("nobody of that name")


def test_a_client_beyond_the_limit_replaces_the_longest_idle_one(
    serve: Callable[..., Sessions], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unix_socket, "MAX_CLIENTS", 3)
    serve()
    silent, half, lively = Caller(path), Caller(path), Caller(path)
    silent.call("initialize")
    half.sock.sendall(b'{"jsonrpc": "2.0", "id": 1, "method": "initialize"}\n{"jsonrpc":')
    half.answer(1)
    lively.call("initialize")
    fourth = Caller(path)
    fourth.call("initialize")
    assert silent.has_ended()
    fifth = Caller(path)
    fifth.call("initialize")
    assert half.has_ended()
    for caller in (lively, fourth, fifth):
        caller.call("initialize")


def test_busy_clients_are_not_replaced_by_a_new_one(
    serve: Callable[..., Sessions], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unix_socket, "MAX_CLIENTS", 1)
    serve()
    busy = Caller(path)
    id = busy.send("run", language="brainfuck", program="+[]")
    assert busy.message()["params"]["id"] == id
    late = Caller(path)
    assert late.message()["error"]["data"]["kind"] == "limit"
    assert late.has_ended()
    busy.send("cancel", id=id)
    assert {busy.answer()["id"], busy.answer()["id"]} == {id, id + 1}


def test_a_client_that_reads_nothing_is_disconnected(
    serve: Callable[..., Sessions], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unix_socket, "SEND_SECONDS", 0.2)
    serve()
    deaf = Caller(path)
    request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "language.list"}).encode() + b"\n"
    with pytest.raises((BrokenPipeError, ConnectionResetError)):
        deaf.sock.sendall(request * 1_000_000)
    assert Caller(path).call("initialize")["name"] == "esoplay"


def test_a_submission_counts_if_its_client_disconnects(
    serve: Callable[..., Sessions], path: Path
) -> None:
    sessions = serve()
    first = Caller(path)
    session = first.call("session.init", language="brainfuck")["session"]
    first.call("session.fetch", session=session)
    killed = Caller(path)
    killed.send("session.submit", session=session, problem="E01", program="+[]", request_id="r")
    killed.sock.close()
    params = {"session": session, "problem": "E01", "program": "+[]", "request_id": "r"}
    again = first.call("session.submit", **params)
    assert again["submissions_left"] == 2
    assert sessions.status(session).state.submission_count == 1


def spawn(path: Path, *arguments: str) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, "-m", "esoplay", "serve", "--socket", str(path), *arguments],
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        preexec_fn=heed_interrupts,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'interpreters'}"},
    )
    assert process.stderr is not None
    assert b"listening" in process.stderr.readline()
    return process


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_ends_the_server_and_removes_its_socket(
    path: Path, number: int, code: int
) -> None:
    process = spawn(path)
    caller = Caller(path)
    caller.call("session.init", language="brainfuck")
    process.send_signal(number)
    assert caller.has_ended()
    assert process.wait(PATIENCE) == code
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    assert not path.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--socket-mode", "0660"], "--socket"),
        (["--socket", "s", "--socket-mode", "rw"], "octal"),
        (["--socket", "s", "--allow-uid", "1"], "--solver"),
        (
            ["--socket", "s", "--solver", "--session", "0123456789ab", "--allow-uid", "no such"],
            "unknown user",
        ),
    ],
)
def test_invalid_options_for_a_socket_are_usage_errors(
    arguments: list[str], said: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from esoplay.cli.main import main

    assert main(["serve", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_a_client_that_stalls_in_a_large_line_is_disconnected_where_another_waits(
    serve: Callable[..., Sessions], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unix_socket, "SEND_SECONDS", 0.2)
    serve()
    stalled, honest = Caller(path), Caller(path)
    stalled.call("initialize")
    stalled.sock.sendall(b"x" * 500_000)  # it is not read without the right to a large line
    assert honest.call("language.card", language="brainfuck")["language"] == "brainfuck"
    program = "+." + 500_000 * " "
    assert honest.call("run", language="brainfuck", program=program)["stdout"] == "\1"
    assert stalled.has_ended()


@pytest.mark.slow
def test_endless_runs_of_other_connections_delay_no_client(
    serve: Callable[..., Sessions], path: Path
) -> None:
    sessions = serve()
    sessions._workers.scheduler.slots = 1  # pyright: ignore[reportPrivateUsage]
    endless, other = [Caller(path) for _ in range(2)], Caller(path)
    ids = [caller.send("run", language="brainfuck", program="+[]") for caller in endless]
    for caller, id in zip(endless, ids, strict=True):
        assert caller.message()["params"]["id"] == id  # its progress: it is at work
    assert other.call("run", language="brainfuck", program="+.")["stdout"] == "\1"
    assert other.call("grade", language="brainfuck", program="+.", problem="E01")["total"] == 6
    session = other.call("session.init", language="brainfuck", protocol="practice")["session"]
    other.call("session.fetch", session=session)
    assert other.call("session.run", session=session, program="+.")["stdout"] == "\1"
    for caller, id in zip(endless, ids, strict=True):
        caller.send("cancel", id=id)
        assert {caller.answer()["id"], caller.answer()["id"]} == {id, id + 1}
