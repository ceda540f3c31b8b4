"""``esoplay serve`` as a process: the pipe, long work, the end of input, a hostile client."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rpc_client import Client, exchange
from shell import heed_interrupts

from esoplay.grading.hidden import hidden_tests
from esoplay.grading.packs import load_pack
from esoplay.grading.seeds import write_seed_file
from esoplay.rpc.methods import METHODS

ROOT = Path(__file__).resolve().parents[2]
SEED = bytes(range(32))
RUNAWAY = {"language": "brainfuck", "program": "+[]"}


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return os.environ | {
        "ESOPLAY_HOME": str(tmp_path / "home"),
        "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'interpreters'}",
    }


def serve(
    environment: dict[str, str], *arguments: str, data: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "esoplay", "serve", *arguments],
        input=data,
        capture_output=True,
        env=environment,
        timeout=300,
    )


def cancel_at_work(client: Client, id: int) -> Any:
    """Wait until a request reports progress, cancel it, and return its answer."""
    while client.message().get("params", {}).get("id") != id:
        pass
    cancel = client.send("cancel", id=id)
    found = {answer["id"]: answer for answer in (client.answer(), client.answer())}
    assert found[cancel]["result"] == {"cancelled": True}
    return found[id]


def test_a_runaway_run_is_cancelled(spawn: Callable[..., Client]) -> None:
    client = spawn()
    answer = cancel_at_work(client, client.send("run", **RUNAWAY))
    assert answer["error"]["data"] == {"kind": "cancelled"}
    assert client.call("run", language="brainfuck", program="+", stdin="")["status"] == "ok"


@pytest.mark.parametrize(
    ("method", "params"),
    [
        pytest.param("debug.continue", {"budget": 10**18}, marks=pytest.mark.slow),
        ("debug.continue", {"until": [{"condition": "ptr > 0"}], "budget": 10**18}),
        pytest.param("debug.seek", {"step": 10**18, "budget": 10**18}, marks=pytest.mark.slow),
        ("debug.step", {"count": 10**18, "budget": 10**18}),
        pytest.param(
            "debug.step", {"granularity": "finish", "budget": 10**18}, marks=pytest.mark.slow
        ),
    ],
)
def test_a_runaway_debugger_is_cancelled_and_stays_where_it_was(
    method: str, params: dict[str, Any], spawn: Callable[..., Client]
) -> None:
    client = spawn()
    debug = client.call("debug.open", **RUNAWAY)["debug"]
    client.call("debug.step", debug=debug, count=2)
    answer = cancel_at_work(client, client.send(method, debug=debug, **params))
    assert [reason["kind"] for reason in answer["result"]["stopped"]] == ["cancelled"]
    assert answer["result"]["step"] == 2
    assert client.call("debug.view", debug=debug, fields=["step"]) == {"step": 2}


@pytest.mark.slow
def test_progress_counts_up_and_stops_with_the_answer(spawn: Callable[..., Client]) -> None:
    client = spawn()
    told: list[dict[str, Any]] = []
    id = 0
    for seconds in (1.5, 15, 60):  # on a busy machine a run may not get far enough for a note
        id = client.send("run", **RUNAWAY, limits={"time": seconds})
        assert client.answer(id)["result"]["status"] == "time_limit"
        told = [note["params"] for note in client.notifications]
        if told:
            break
    assert told
    assert {note["id"] for note in told} == {id}
    assert [note["done"] for note in told] == sorted(note["done"] for note in told)
    client.notifications.clear()
    client.call("initialize")
    assert client.notifications == []


def test_requests_through_a_pipe_are_all_answered_in_order(environment: dict[str, str]) -> None:
    requests = [
        {"jsonrpc": "2.0", "id": 1, "method": "debug.open", "params": RUNAWAY},
        {"jsonrpc": "2.0", "id": 2, "method": "debug.step", "params": {"debug": "d1", "count": 7}},
        {"jsonrpc": "2.0", "id": 3, "method": "session.init", "params": {"language": "brainfuck"}},
        {"jsonrpc": "2.0", "id": 4, "method": "debug.close", "params": {"debug": "d1"}},
    ]
    done = serve(environment, data="\n".join(map(json.dumps, requests)).encode())
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [1, 2, 3, 4]
    assert answers[1]["result"]["step"] == 7
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.slow
def test_answered_moves_are_stored_when_the_server_is_killed(
    environment: dict[str, str], spawn: Callable[..., Client]
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "esoplay", "serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    stdin = process.stdin

    def write(data: bytes) -> None:
        stdin.write(data)
        stdin.flush()

    first = Client(process.stdout.readline, write)
    session = first.call("session.init", language="brainfuck")["session"]
    first.call("session.fetch", session=session)
    answer = first.call("session.submit", session=session, problem="E01", program=".")
    process.kill()
    process.wait()
    stdin.close()
    process.stdout.close()
    second = spawn()
    status = second.call("session.status", session=session)
    assert status["head"] == answer["head"]
    assert status["problems"][0]["submissions"] == 1


def test_ctrl_c_ends_a_busy_server(environment: dict[str, str]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "esoplay", "serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
        preexec_fn=heed_interrupts,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    request = {"jsonrpc": "2.0", "id": 1, "method": "run", "params": RUNAWAY}
    process.stdin.write(json.dumps(request).encode() + b"\n")
    process.stdin.flush()
    assert b"progress" in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    *_, last = process.stdout.read().splitlines()
    assert json.loads(last)["error"]["data"] == {"kind": "cancelled"}
    assert process.wait(300) == 130
    process.stdin.close()
    process.stdout.close()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--solver"], "--session"),
        (["--session", "0123456789ab"], "--solver"),
        (["--solver", "--session", "0123456789ab"], "there is no session store"),
        (["--solver", "--session", "../x"], "not a session id"),
        (["--allow-debug"], "--allow-debug"),
    ],
)
def test_a_wrong_command_line_is_a_usage_error(
    arguments: list[str], said: str, environment: dict[str, str]
) -> None:
    done = serve(environment, *arguments)
    assert done.returncode == 2
    assert done.stdout == b""
    assert said in done.stderr.decode()
    assert not list(Path(environment["ESOPLAY_HOME"]).glob("*.sqlite"))


def test_the_scripted_client_plays_a_session_and_learns_no_hidden_test(
    environment: dict[str, str], tmp_path: Path
) -> None:
    seed_file = tmp_path / "seed"
    write_seed_file(seed_file, SEED)
    log = tmp_path / "received.jsonl"
    server = [sys.executable, "-m", "esoplay", "serve", "--seed-file", str(seed_file)]
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "headless-client.py", "--log", log, "--", *server],
        capture_output=True,
        env=environment,
        timeout=300,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    said = done.stdout
    assert "0 of 6 passed, 0 submissions left, problem failed" in said
    assert "session.submit: rejected_command" in said
    assert "session.fetch: rejected_command" in said
    assert "submitted ',[.,]': 6 of 6 passed" in said
    assert "solved 1, failed 1" in said
    assert "exported" in said

    received = log.read_bytes()
    texts = list(_strings([json.loads(line) for line in received.splitlines()]))
    secrets = [SEED.hex().encode(), SEED]
    for problem in load_pack():
        for test in hidden_tests(problem, SEED):
            # Shorter ones could stand anywhere by chance.
            secrets += [data for data in (test.input, test.expected) if len(data) > 7]
    assert len(secrets) > 50
    for secret in secrets:
        if secret == b"Hello World!":  # which the statement of E01 asks for
            continue
        assert secret not in received
        assert not any(secret in text.encode() for text in texts), secret


def _strings(value: Any) -> list[str]:
    """Every string in a JSON value, including names of members."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for pair in value.items() for part in pair for text in _strings(part)]
    if isinstance(value, list):
        return [text for part in value for text in _strings(part)]
    return []


values = st.recursive(
    st.sampled_from(["brainfuck", "d1", "E01", "+[]", "primary", "../..", "\x00", "", "💥"])
    | st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["steps", "cells", "offset", "output", "x"]), inner)
    ),
    max_leaves=4,
)


CALLED = sorted(METHODS.keys() - {"lane.list"})  # which starts a tool of each language
"""The methods that are called at random."""


@st.composite
def almost_calls(draw: st.DrawFn) -> bytes:
    """A call of a real method with parameters of its names and any values."""
    method = METHODS[draw(st.sampled_from(CALLED))]
    names = [parameter.name for parameter in method.parameters] + ["unknown"]
    params = draw(st.dictionaries(st.sampled_from(names), values, max_size=len(names)))
    if method.name == "run":  # an endless run is well formed, and would be
        params["limits"] = {"steps": 1000}
    message = {"jsonrpc": "2.0", "id": draw(st.integers(0, 9)), "method": method.name}
    return json.dumps(message | {"params": params}).encode()


@pytest.mark.slow
@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(almost_calls() | st.binary(max_size=40), min_size=1, max_size=5))
def test_every_call_gets_a_valid_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: list[bytes]
) -> None:
    monkeypatch.setenv("ESOPLAY_HOME", str(tmp_path))
    last = b'{"jsonrpc": "2.0", "id": "last", "method": "initialize"}'
    opened = b'{"jsonrpc": "2.0", "method": "debug.open", "params": {"language": "brainfuck", '
    opened += b'"program": "++[>+<-]", "limits": {"steps": 1000}}}'
    answers = exchange(b"\n".join([opened, *lines, last]), METHODS)
    assert answers[-1]["id"] == "last"
    assert "result" in answers[-1]
    for answer in answers:
        if "method" not in answer:
            assert ("result" in answer) != ("error" in answer)
            assert answer.get("error", {}).get("code") != -32603, answer


def test_random_bytes_do_not_end_the_process(environment: dict[str, str]) -> None:
    chaos = random.Random(7)
    alive = b'{"jsonrpc": "2.0", "id": "alive", "method": "initialize"}\n'
    data = b"".join(chaos.randbytes(chaos.randrange(400)) + b"\n" for _ in range(300)) + alive
    done = serve(environment, data=data)
    *rubbish, last = [json.loads(line) for line in done.stdout.splitlines()]
    assert {answer["error"]["code"] for answer in rubbish} <= {-32700, -32600}
    assert last["id"] == "alive"
    assert done.returncode == 0
