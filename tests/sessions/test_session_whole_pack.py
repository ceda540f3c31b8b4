"""All problems of a ``primary`` session in Befunge-98, by script, and the proof of it."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from esoplay.benchmark.verification import verify_export
from esoplay.cli.main import main
from esoplay.grading.packs import load_pack
from esoplay.grading.seeds import write_seed_file
from esoplay.thin_client import Client, encode_base64

ROOT = Path(__file__).resolve().parents[2]
SEED = bytes(range(32))
SOLVING = {"E01": '"!dlroW olleH">:#,_@', "E02": "~:1+!#@_,"}
WRONG = "@"

Call = Callable[..., Any]


def play(call: Call) -> str:
    """Play whatever is fetched until nothing is left; gives the last head."""
    count = len(load_pack().problems)
    for number in range(count):
        shown = call("session.fetch")
        problem = shown["problem"]
        ran = call("session.run", program_base64=encode_base64(WRONG.encode()))
        assert (ran["status"], ran["problem"]) == ("ok", problem)
        program = SOLVING.get(problem, WRONG)
        for attempt in range(3):
            verdict = call(
                "session.submit",
                problem=problem,
                program_base64=encode_base64(program.encode()),
                request_id=f"{problem}-{attempt}",
            )
            assert verdict["solved"] == (problem in SOLVING)
            if verdict["status"] in ("solved", "failed"):
                break
        assert verdict["submissions_left"] == (2 if problem in SOLVING else 0), number
    status = call("session.status")
    assert status["closed"]
    counts = status["counts"]
    assert (counts["solved"], counts["failed"]) == (len(SOLVING), count - len(SOLVING))
    return status["head"]


def check(text: bytes, head: str) -> None:
    """The export verifies, with everything done again; with one flipped bit it does not."""
    result = verify_export(text, head=head, seed=SEED, jobs=2)
    assert result.findings == ()
    assert result.repeated
    chaos = random.Random(1)
    for _ in range(3):
        damaged = bytearray(text)
        damaged[chaos.randrange(len(text))] ^= 1 << chaos.randrange(8)
        assert not verify_export(bytes(damaged), seed=SEED).verified


@pytest.fixture
def seed_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ESOPLAY_HOME", str(tmp_path / "home"))
    write_seed_file(tmp_path / "seed", SEED)
    return tmp_path / "seed"


def spawn(*arguments: str, **streams: Any) -> subprocess.Popen[bytes]:
    paths = f"{ROOT}{os.pathsep}{ROOT / 'interpreters'}"
    return subprocess.Popen(
        [sys.executable, "-m", "esoplay", "serve", *arguments],
        env={**os.environ, "PYTHONPATH": paths},
        **streams,
    )


@pytest.mark.slow
def test_a_client_with_a_pipe_plays_everything(seed_file: Path) -> None:
    server = spawn("--seed-file", str(seed_file), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    stdin, stdout = server.stdin, server.stdout
    assert stdin is not None
    assert stdout is not None
    session: dict[str, str] = {}

    def call(method: str, **params: Any) -> Any:
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**session, **params}}
        stdin.write(json.dumps(request).encode() + b"\n")
        stdin.flush()
        return json.loads(stdout.readline())["result"]

    session["session"] = call("session.init", language="befunge-98")["session"]
    head = play(call)
    export = call("session.export")
    stdin.close()
    assert server.wait(300) == 0
    stdout.close()
    check(json.dumps(export).encode(), head)


@pytest.mark.slow
def test_a_client_with_a_socket_plays_everything(
    seed_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As an agent does it that has nothing but the workspace that init made for it."""
    path, bench = str(tmp_path / "bench.sock"), tmp_path / "bench"
    begin = ["init", "--language", "befunge-98", "--seed-file", str(seed_file)]
    assert main(["session", *begin, "--workspace", str(bench), "--socket", path]) == 0
    session = capsys.readouterr().out.strip()
    server = spawn("--socket", path, "--solver", "--session", session, stderr=subprocess.PIPE)
    assert server.stderr is not None
    assert b"listening" in server.stderr.readline()
    head = play(lambda method, **params: Client(path, session, bench).call(method, **params))
    server.terminate()
    assert server.wait(300) == 0
    server.stderr.close()
    assert main(["session", "export", "--session", session, "-o", str(tmp_path / "log")]) == 0
    check((tmp_path / "log").read_bytes(), head)
