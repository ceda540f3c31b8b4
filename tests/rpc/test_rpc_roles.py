"""What a solver may do, and what it may not learn."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rpc_client import Client

from esoplay.rpc.connection import Connection
from esoplay.rpc.methods import METHODS

FOR_SOLVERS = {
    "initialize",
    "language.card",
    "session.fetch",
    "session.run",
    "session.submit",
    "session.status",
    "session.skip",
    "cancel",  # of its own requests: about the connection, not about the session
} | {name for name in METHODS if name.startswith("debug.")}

Solve = Callable[..., tuple[Client, str]]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ESOPLAY_HOME", str(tmp_path / "home"))
    return tmp_path / "store.sqlite"


@pytest.fixture
def operator(connect: Callable[..., Client], store: Path) -> Client:
    return connect(METHODS, Connection(store=store))


@pytest.fixture
def solve(connect: Callable[..., Client], store: Path, operator: Client) -> Solve:
    """Begin a session and hand it to a solver."""

    def start(protocol: str = "primary", **options: Any) -> tuple[Client, str]:
        session = operator.call("session.init", language="brainfuck", protocol=protocol)["session"]
        return connect(METHODS, Connection(session, store=store, **options)), session

    return start


def kind(client: Client, method: str, **params: Any) -> str:
    error = client.refuse(method, **params)
    assert error["code"] == -32000, error
    return error["data"]["kind"]


def test_a_solver_sees_the_methods_it_may_call(solve: Solve) -> None:
    client, session = solve()
    capabilities = client.call("initialize")["capabilities"]
    assert set(capabilities["methods"]) == FOR_SOLVERS
    assert (capabilities["role"], capabilities["session"]) == ("solver", session)


def test_a_solver_is_refused_every_method_of_the_operator(solve: Solve) -> None:
    client, session = solve()
    for method in METHODS.keys() - FOR_SOLVERS:
        assert kind(client, method, session=session) == "rejected_command", method


def test_a_solver_plays_its_own_session_without_naming_it(solve: Solve) -> None:
    client, session = solve()
    assert client.call("session.fetch")["problem"] == "E01"
    assert client.call("session.fetch", session=session)["problem"] == "E01"
    assert client.call("session.run", program=",.", stdin="x")["stdout"] == "x"
    assert client.call("session.submit", problem="E01", program=".")["passed"] == 0
    assert client.call("session.status")["session"] == session
    assert kind(client, "session.skip") == "rejected_command"
    assert client.call("language.card", language="brainfuck", protocol="primary")["card"]


def test_a_solver_may_not_touch_another_session(solve: Solve) -> None:
    client, _ = solve()
    _, other = solve()
    for method, params in {
        "session.fetch": {},
        "session.run": {"program": "+"},
        "session.submit": {"problem": "E01", "program": "+"},
        "session.status": {},
        "session.skip": {},
    }.items():
        for session in (other, "0123456789ab"):
            assert kind(client, method, session=session, **params) == "rejected_command"


def test_only_the_operator_may_use_a_path(solve: Solve, tmp_path: Path) -> None:
    secret = tmp_path / "secret.bf"
    secret.write_text("a secret")
    client, _ = solve("practice")
    client.call("session.fetch")
    for method, params in {
        "session.run": {},
        "session.submit": {"problem": "E01"},
        "debug.open": {"language": "brainfuck"},
    }.items():
        assert kind(client, method, path=str(secret), **params) == "rejected_command"
    assert b"a secret" not in client.received


def test_debugging_is_off_in_a_benchmark_session(solve: Solve) -> None:
    client, _ = solve("primary")
    assert kind(client, "debug.open", language="brainfuck", program="+") == "rejected_command"


def test_the_operator_may_turn_debugging_on(solve: Solve, operator: Client) -> None:
    client, session = solve("primary", solver_may_debug=True)
    client.call("session.fetch")
    debug = client.call("debug.open", language="brainfuck", program=",+.", stdin="a")["debug"]
    client.call("debug.fork", debug=debug)
    client.call("debug.set", debug=debug, stdin="b")
    client.call("debug.step", debug=debug, count=2)
    client.call("debug.compare", debug=debug, stdin="c")
    other = {"debug": debug, "dialect": "standard"}
    assert kind(client, "debug.compare", **other) == "rejected_command"
    status = operator.call("session.status", session=session)
    runs = status["problems"][0]["runs"]
    assert runs == 5, "opened, forked, other input, compared twice: each is a local run"


def test_a_solver_debugs_under_the_rules_of_its_session(solve: Solve) -> None:
    client, _ = solve("primary", solver_may_debug=True)
    own = {"language": "brainfuck", "program": "+[]"}
    assert kind(client, "debug.open", **own, dialect="standard") == "rejected_command"
    assert kind(client, "debug.open", **own, options={"eof": 1}) == "rejected_command"
    assert kind(client, "debug.open", language="x", program="+") == "rejected_command"
    debug = client.call("debug.open", **own, limits={"steps": 10**18})["debug"]
    stop = client.call("debug.continue", debug=debug)
    assert (stop["step"], stop["stopped"][0]["kind"]) == (10_000_000, "limit")


def test_debugging_is_on_in_practice(solve: Solve) -> None:
    client, _ = solve("practice")
    assert client.call("debug.open", language="brainfuck", program="+")["debug"] == "d1"


def test_debuggers_belong_to_a_connection(solve: Solve, operator: Client) -> None:
    operator.call("debug.open", language="brainfuck", program="+")
    client, _ = solve("practice")
    assert kind(client, "debug.view", debug="d1") == "unknown_debugger"


def test_a_store_that_cannot_be_used_does_not_show_where_it_is(
    connect: Callable[..., Client], solve: Solve, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    client, _ = solve()
    client.call("session.fetch")
    for seed in (store.parent / "home").rglob("*.seed"):
        seed.unlink()
    error = client.refuse("session.submit", problem="E01", program="+")
    assert error["data"] == {"kind": "store_error"}
    assert str(store.parent) not in json.dumps(error)
    assert str(store.parent) in capsys.readouterr().err
