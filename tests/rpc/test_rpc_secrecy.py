"""A solver reaches nothing but its own moves, and learns nothing of the hidden tests."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rpc_client import Client

from esoplay.benchmark.sessions import Sessions
from esoplay.grading.hidden import hidden_tests
from esoplay.grading.packs import load_pack
from esoplay.rpc.connection import Connection
from esoplay.rpc.methods import METHODS
from esoplay.rpc.table import Method

SEED = bytes(range(32))
PACK = load_pack()
OPERATORS = sorted(name for name, method in METHODS.items() if not method.solver_may_call)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ESOPLAY_HOME", str(tmp_path / "home"))
    return tmp_path / "store.sqlite"


@pytest.fixture
def session(store: Path) -> str:
    with Sessions.open(store) as sessions:
        return sessions.init("brainfuck", seed=SEED).session


@pytest.fixture
def solver(connect: Callable[..., Client], store: Path, session: str) -> Client:
    return connect(METHODS, Connection(session, store=store))


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from (name, *strings(each))
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)


@pytest.mark.parametrize("method", OPERATORS)
def test_a_method_of_the_operator_is_refused_with_any_parameters(
    method: str, solver: Client, session: str
) -> None:
    """Also with parameters that would be right: the role is looked at first."""
    known: dict[str, Any] = {"session": session, "problem": "E01", "language": "brainfuck"}
    names = {parameter.name for parameter in METHODS[method].parameters}
    for params in ({}, {name: known[name] for name in names & known.keys()}, {"x": 1}):
        error = solver.refuse(method, **params)
        assert error["data"]["kind"] == "rejected_command"
        assert "for the operator" in error["message"]


def test_a_solver_may_call_only_the_listed_methods() -> None:
    """A new method is the operator's until somebody thinks about it and changes this test."""
    allowed = {name for name, method in METHODS.items() if method.solver_may_call}
    assert {name for name in allowed if not name.startswith("debug.")} == {
        "cancel",
        "initialize",
        "language.card",
        "session.fetch",
        "session.run",
        "session.skip",
        "session.status",
        "session.submit",
    }


def test_a_method_is_the_operators_unless_it_says_otherwise() -> None:
    assert Method("new", lambda call: None).solver_may_call is False


def test_no_answer_contains_a_seed_or_hidden_test(solver: Client, session: str) -> None:
    """Programs that echo, fail and fault are handed in; every byte that came back is searched."""
    chaos = random.Random(3)
    programs = [b",[.,]", b"+.", b"[", b".<", b"+[]", b",>,>,<.>.<<."]
    problems: list[str] = []
    for _ in range(6):
        problem = solver.call("session.fetch")["problem"]
        problems.append(problem)
        solver.call("session.run", program=",[.,]", stdin="mine")
        for _ in range(3):
            program = chaos.choice(programs).decode()
            answer = solver.call("session.submit", problem=problem, program=program)
            assert answer.keys() == {
                "passed",
                "total",
                "solved",
                "submissions_left",
                "status",
                "head",
                "dialect",
            }
            if answer["solved"]:
                break
        solver.refuse("session.submit", problem=problem, program="x" * 10, path="/etc/passwd")
    received = bytes(solver.received)
    told = "\n".join(text for line in received.splitlines() for text in strings(json.loads(line)))
    secrets = {SEED.hex()}
    for problem in problems:
        for test in hidden_tests(PACK.problem(problem), SEED):
            secrets |= {data.decode() for data in (test.input, test.expected) if len(data) > 7}
    secrets = {each for each in secrets if not any(each in one.statement for one in PACK)}
    assert len(secrets) > 5
    for secret in secrets:
        assert secret not in told, secret


def test_a_submission_that_probes_by_looping_learns_a_count_for_each_of_three(
    solver: Client,
) -> None:
    """A program that loops on chosen inputs earns a count, and nothing about single tests.

    It cannot see when a test ends, and cannot withdraw a submission that is being graded.
    """
    solver.call("session.fetch")
    for left in (2, 1, 0):
        params = {"problem": "E01", "program": "+[]"}
        id = solver.send("session.submit", **params)
        solver.send("cancel", id=id)
        answers = {answer["id"]: answer for answer in (solver.answer(), solver.answer())}
        answer = answers[id]
        if "error" in answer:  # called off before it began: it was never a submission
            assert answer["error"]["data"] == {"kind": "cancelled"}
            answer = {"result": solver.call("session.submit", **params)}
        assert answer["result"]["submissions_left"] == left
    assert solver.notifications == [], "progress would tell of single tests"


@pytest.mark.parametrize(
    "problem", ["../E01", "E01/../E02", "/etc/passwd", "E01\0", "", "e01 ", "*", "E01;ls", "%2e%2e"]
)
def test_a_problem_is_not_a_path(problem: str, solver: Client) -> None:
    solver.call("session.fetch")
    assert solver.refuse("session.submit", problem=problem, program="+")["data"]["kind"] in (
        "unknown_problem",
        "rejected_command",
    )


def test_a_request_id_has_a_bound(solver: Client) -> None:
    solver.call("session.fetch")
    error = solver.refuse("session.submit", problem="E01", program="+", request_id="r" * 201)
    assert (error["code"], "200 characters" in error["message"]) == (-32602, True)


def test_a_huge_program_is_refused_before_it_is_stored(solver: Client) -> None:
    solver.send_line(b'{"jsonrpc":"2.0","id":1,"method":"session.submit","params":{"program":"')
    assert solver.message()["error"]["code"] == -32700
    solver.send_line(b"x" * (9 << 20))
    assert "longer than" in solver.message()["error"]["message"]
    assert solver.call("session.status")["current"] is None


def test_answers_name_no_file_of_the_operator(solver: Client, store: Path) -> None:
    for params in ({"problem": "E01", "program": "+"}, {"problem": "x"}, {"path": "/etc/passwd"}):
        solver.refuse("session.submit", **params)
    assert os.fsencode(store.parent) not in solver.received
