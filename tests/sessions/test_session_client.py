"""The thin client: one file, no esoplay, and the same answers as ``esoplay session``."""

from __future__ import annotations

import ast
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from esoplay import thin_client
from esoplay.benchmark.sessions import Sessions
from esoplay.cli.main import main
from esoplay.grading.packs import load_pack
from esoplay.rpc import unix_socket
from esoplay.rpc.connection import Connection
from esoplay.sessions.workspace import CLIENT, client_files, client_source

PATIENCE = 300.0
LISTENING = b"esoplay: listening on "


class Play:
    """A session, a server with its socket, and a workspace that holds the client."""

    def __init__(self, sessions: Sessions, session: str, folder: Path, path: Path):
        self.sessions = sessions
        self.session = session
        self.folder = folder
        self.path = path

    def client(self, *arguments: str, code: int = 0, stdin: bytes = b"") -> tuple[bytes, bytes]:
        """Run the copied file where nothing of esoplay can be imported."""
        done = subprocess.run(
            [sys.executable, "-I", "-S", CLIENT, *arguments],
            cwd=self.folder,
            env={"PATH": os.defpath},
            input=stdin,
            capture_output=True,
            timeout=PATIENCE,
        )
        assert done.returncode == code, done
        return done.stdout, done.stderr

    def json(self, *arguments: str, code: int = 0) -> dict[str, Any]:
        return json.loads(self.client(*arguments, "--json", code=code)[0])

    def write(self, name: str, program: bytes) -> str:
        (self.folder / name).write_bytes(program)
        return name


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Play]]:
    """Begin a session and serve it to a solver, on a thread of this process."""
    monkeypatch.setenv("ESOPLAY_HOME", str(tmp_path / "home"))
    told, tell = socket.socketpair()
    ready = threading.Event()
    threads: list[threading.Thread] = []
    opened: list[Sessions] = []

    class Told:
        def __enter__(self) -> socket.socket:
            ready.set()
            return told

        def __exit__(self, *_: object) -> None: ...

    monkeypatch.setattr(unix_socket, "_stop_socket", Told)

    def start(protocol: str = "primary", role: str = "solver", **rules: Any) -> Play:
        sessions = Sessions.open()
        opened.append(sessions)
        session = sessions.init("brainfuck", protocol, changes=rules).session
        folder, path = tmp_path / "bench", tmp_path / "bench.sock"
        folder.mkdir()
        (folder / thin_client.MARKER).write_text(session)
        for name, text in client_files(path).items():
            (folder / name).write_text(text)
        solver = session if role == "solver" else None
        thread = threading.Thread(
            target=unix_socket.serve_socket,
            args=(path, lambda: Connection(solver, sessions=sessions)),
        )
        thread.start()
        threads.append(thread)
        assert ready.wait(PATIENCE)
        return Play(sessions, session, folder, path)

    yield start
    tell.send(b".")
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()
    for sessions in opened:
        sessions.close()
    told.close()
    tell.close()


def test_the_file_is_the_module_and_needs_the_standard_library_alone() -> None:
    source = client_source()
    assert source == Path(thin_client.__file__).read_bytes()
    tree = ast.parse(source, feature_version=(3, 8))
    names = {
        alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    } | {
        str(node.module).partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
    }
    assert names <= sys.stdlib_module_names | {"__future__"}


@pytest.mark.slow
def test_a_session_is_played_with_nothing_but_the_file(play: Callable[..., Play]) -> None:
    bench = play()
    solution = load_pack().problem("E01").reference("brainfuck")
    assert solution is not None
    right, wrong = bench.write("right.bf", solution), bench.write("wrong.bf", b"+.")
    assert bench.client("fetch")[0].startswith(b"E01 Print Hello World easy\n")
    assert bench.client("run", right) == (b"Hello World!", b"")
    echo = bench.write("echo.bf", b",[.,]")
    assert bench.client("run", echo, "--input-file", "-", stdin=b"\xff\0")[0] == b"\xff"
    assert bench.json("run", bench.write("left.bf", b".<"), code=1)["status"] == "fault"
    assert bench.client("run", bench.write("on.bf", b"+[]"), code=3)[0] == b""
    assert b"submissions left: 2" in bench.client("submit", "e01", wrong, code=1)[0]
    assert bench.client("submit", "E01", right)[0].endswith(b"6 of 6 tests passed: solved\n")
    assert b"E01 is solved" in bench.client("submit", "E01", right, code=1)[1]
    assert bench.json("fetch")["problem"] == "E02"
    assert b"cannot be skipped" in bench.client("skip", code=1)[1]
    assert b"1 solved" in bench.client("status")[0]
    assert bench.client("card")[0].startswith(b"# Brainfuck")
    assert b"no problem 'Z9'" in bench.client("submit", "Z9", right, code=2)[1]
    assert b"for the operator" in bench.client("export", code=1)[1]
    assert bench.sessions.status(bench.session).state.submission_count == 2


MOVES = [
    ["fetch"],
    ["run", "echo.bf", "--input", "abc"],
    ["run", "left.bf"],
    ["submit", "E01", "echo.bf"],
    ["status"],
    ["status", "-v"],
    ["submit", "E01", "none.bf"],
    ["submit", "E99", "echo.bf"],
    ["skip"],
    ["fetch"],
    ["fetch", "E01"],
]


@pytest.mark.parametrize("protocol", ["primary", "practice", "relaxed"])
def test_the_client_prints_what_esoplay_session_prints(
    protocol: str,
    play: Callable[..., Play],
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    """Two sessions alike, one by the command and one by the client, move by move."""
    bench = play(protocol)
    other = bench.sessions.init("brainfuck", protocol).session
    monkeypatch.chdir(bench.folder)
    bench.write("echo.bf", b",[.,]")
    bench.write("left.bf", b"+.<")
    for move in MOVES:
        for flag in ([], ["--json"]) if move[0] == "status" else ([],):
            capfdbinary.readouterr()
            code = main(["session", *move, *flag, "--session", other])
            out, err = capfdbinary.readouterr()
            assert thin_client.perform(thin_client.parser().parse_args([*move, *flag])) == code
            told = capfdbinary.readouterr()
            if flag:
                ours, theirs = json.loads(out), json.loads(told[0])
                assert ours.keys() == theirs.keys()
                assert ours["problems"] == theirs["problems"]
            else:
                assert told[0].replace(bench.session.encode(), other.encode()) == out
                # The server reports that it listens while either of them runs.
                listening = LISTENING + os.fsencode(bench.path) + b"\n"
                assert told[1].replace(listening, b"") == err.replace(listening, b"")


def test_session_connect_is_the_same_client(
    play: Callable[..., Play], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bench = play()
    monkeypatch.chdir(bench.folder)
    assert main(["session", "fetch", "--connect", str(bench.path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["problem"] == "E01"
    assert main(["session", "--connect", str(bench.path), "status"]) == 0
    assert f"session {bench.session}" in capsys.readouterr().out
    assert main(["session", "--connect", str(bench.path), "reveal"]) == 2
    assert main(["session", "--connect", str(bench.path), "init", "--language", "brainfuck"]) == 2
    assert main(["session", "status", "--connect", str(bench.path) + "x"]) == 2
    assert "cannot reach" in capsys.readouterr().err


def test_session_client_writes_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["session", "client", "-o", "play.py"]) == 0
    assert Path("play.py").read_bytes() == client_source()
    assert os.access("play.py", os.X_OK)
    assert main(["session", "client", "-o", "play.py"]) == 2
    capfdbinary.readouterr()
    assert main(["session", "client"]) == 0
    assert capfdbinary.readouterr().out == client_source()


class Loser:
    """Stands between client and server, and loses the next answers."""

    def __init__(self, path: Path, server: Path):
        self.losing = 0
        self._server = server
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(os.fspath(path))
        self._listener.listen()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def _work(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            with client, socket.socket(socket.AF_UNIX) as server:
                server.connect(os.fspath(self._server))
                server.sendall(client.makefile("rb").readline())
                answer = server.makefile("rb").readline()
                if self.losing:
                    self.losing -= 1
                    client.sendall(answer[: len(answer) // 2])
                else:
                    client.sendall(answer)

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(PATIENCE)


@pytest.fixture
def lossy(play: Callable[..., Play], tmp_path: Path) -> Iterator[tuple[Play, Loser]]:
    bench = play("controlled")
    between = tmp_path / "lossy.sock"
    loser = Loser(between, bench.path)
    (bench.folder / thin_client.SOCKET).write_text(str(between))
    bench.client("fetch")
    bench.write("echo.bf", b",[.,]")
    yield bench, loser
    loser.close()


@pytest.mark.parametrize("move", [["run", "echo.bf", "--input", "x"], ["submit", "E01", "echo.bf"]])
def test_a_command_that_is_repeated_after_a_lost_answer_counts_once(
    lossy: tuple[Play, Loser], move: list[str]
) -> None:
    bench, loser = lossy
    loser.losing = 2
    for _ in range(2):
        assert b"repeat the same command" in bench.client(*move, code=4)[1]
    code = 0 if move[0] == "run" else 1
    bench.client(*move, code=code)
    progress = bench.sessions.status(bench.session).state.progress["E01"]
    assert (progress.runs, progress.submissions) == ((1, 0) if move[0] == "run" else (0, 1))
    if move[0] == "run":
        bench.client(*move)
        again = bench.sessions.status(bench.session).state.progress["E01"]
        assert again.runs == 2, "an answered run that is made again is another one"


def test_a_remembered_request_is_not_taken_for_another(lossy: tuple[Play, Loser]) -> None:
    bench, loser = lossy
    loser.losing = 1
    bench.client("run", "echo.bf", "--input", "x", code=4)
    assert bench.client("run", "echo.bf", "--input", "y")[0] == b"y"
    assert bench.client("run", "echo.bf", "--input", "x")[0] == b"x"
    assert bench.sessions.status(bench.session).state.progress["E01"].runs == 2


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff", b'{"session": 1, "heads": 2}', b"[[[["])
def test_a_damaged_state_file_is_replaced(play: Callable[..., Play], content: bytes) -> None:
    bench = play()
    (bench.folder / thin_client.MEMORY).write_bytes(content)
    assert bench.json("fetch")["problem"] == "E01"
    known = json.loads((bench.folder / thin_client.MEMORY).read_text())
    assert known["heads"] == [bench.sessions.status(bench.session).head]


def test_a_log_that_lost_events_is_reported(play: Callable[..., Play]) -> None:
    bench = play()
    head = bench.json("fetch")["head"]
    memory = bench.folder / thin_client.MEMORY
    known = json.loads(memory.read_text())
    memory.write_text(json.dumps({**known, "heads": [head, "f" * 64]}))
    told = bench.client("status")[1]
    assert b"the log lost events" in told
    assert b"f" * 64 in told


def test_an_export_without_a_known_head_is_reported(play: Callable[..., Play]) -> None:
    bench = play(role="operator")
    bench.client("fetch")
    assert b"events written" in bench.client("export", "-o", "log.json")[1]
    assert main(["session", "verify", str(bench.folder / "log.json")]) == 0
    memory = bench.folder / thin_client.MEMORY
    known = json.loads(memory.read_text())
    memory.write_text(json.dumps({**known, "heads": ["f" * 64]}))
    assert (
        b"no event has the head (digest) fff" in bench.client("export", "-o", "log.json", code=1)[1]
    )


def test_a_refused_user_sees_the_reason(
    play: Callable[..., Play], monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = play()
    monkeypatch.setattr(unix_socket, "peer_uid", lambda _: 4243)
    for _ in range(5):
        assert b"user 4243 may not connect to this socket" in bench.client("status", code=1)[1]


def test_invalid_arguments_are_usage_errors(play: Callable[..., Play]) -> None:
    bench = play()
    assert b"cannot read none.bf" in bench.client("run", "none.bf", code=2)[1]
    assert b"cannot both be stdin" in bench.client("run", "-", "--input-file", "-", code=2)[1]
    bench.write("big.bf", b"+" * (7 << 20))
    assert b"longer than" in bench.client("submit", "E01", "big.bf", code=2)[1]
    (bench.folder / thin_client.SOCKET).unlink()
    assert b"no server socket" in bench.client("status", code=2)[1]


def test_init_puts_the_client_into_the_workspace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Under the strictest rules the client and what it remembers are not held against a solver."""
    monkeypatch.setenv("ESOPLAY_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    begin = ["init", "--language", "brainfuck", "--protocol", "direct", "--workspace", "bench"]
    assert main(["session", *begin, "--socket", "bench.sock"]) == 0
    session, _, told = capsys.readouterr().out.partition("\n")
    folder = tmp_path / "bench"
    assert (folder / CLIENT).read_bytes() == client_source()
    assert (folder / thin_client.SOCKET).read_text() == f"{tmp_path}/bench.sock\n"
    assert "`python3 session.py fetch`" in (folder / "AGENTS.md").read_text()
    assert "session.py export" not in (folder / "AGENTS.md").read_text()
    (folder / thin_client.MEMORY).write_text("{}")
    with Sessions.open() as sessions:
        sessions.fetch(session)
        assert sessions.submit(session, "E01", b"+").violation is None
        (folder / CLIENT).write_text("# another")
        violation = sessions.submit(session, "E01", b"+").violation
    assert violation is not None
    assert CLIENT in violation
    assert told == ""
