"""Lessons over JSON-RPC: for whoever teaches, never for a solver."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from rpc_client import Client

from esoplay.learning.lessons import get_course
from esoplay.rpc.connection import Connection
from esoplay.rpc.methods import METHODS

COURSE = get_course("brainfuck")
STATE = next(lesson for lesson in COURSE if lesson.task.kind == "state")
WRITTEN = next(lesson for lesson in COURSE if lesson.task.kind == "program")


@pytest.fixture
def teacher(connect: Callable[..., Client]) -> Client:
    return connect(METHODS)


def test_a_course_is_listed_and_shown_without_its_solutions(teacher: Client) -> None:
    rows = teacher.call("lesson.list", language="brainfuck")["lessons"]
    assert [row["title"] for row in rows] == [lesson.title for lesson in COURSE]
    for row in rows:
        shown = teacher.call("lesson.get", language="brainfuck", lesson=row["number"])
        assert shown.items() >= row.items()
        assert "solution" not in shown
        assert shown["text"]


def test_a_program_is_checked(teacher: Client) -> None:
    about = {"language": "brainfuck", "lesson": WRITTEN.number}
    before = teacher.call("lesson.check", **about, program=WRITTEN.program.decode())
    assert not before["done"]
    assert before["tests"][0]["verdict"] == "wrong_answer"
    assert WRITTEN.solution.program is not None
    after = teacher.call("lesson.check", **about, program=WRITTEN.solution.program.decode())
    assert after["done"]
    assert after["learnt"] == WRITTEN.task.done_text


def test_a_state_is_checked_by_step_and_in_an_open_debugger(teacher: Client) -> None:
    about = {"language": "brainfuck", "lesson": STATE.number}
    step = STATE.solution.step
    assert not teacher.call("lesson.check", **about, step=0)["done"]
    assert teacher.call("lesson.check", **about, step=step)["done"]
    program = {"language": "brainfuck", "program": STATE.program.decode()}
    debug = teacher.call("debug.open", **program)["debug"]
    assert not teacher.call("lesson.check", **about, debug=debug)["done"]
    teacher.call("debug.seek", debug=debug, step=step)
    assert teacher.call("lesson.check", **about, debug=debug)["done"]


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"lesson": 99}, -32000),
        ({"lesson": STATE.number}, -32602),
        ({"lesson": STATE.number, "step": 1, "answer": "x"}, -32602),
        ({"lesson": STATE.number, "answer": "x"}, -32000),
        ({"lesson": STATE.number, "debug": "d9"}, -32000),
    ],
)
def test_invalid_checks_are_refused(teacher: Client, params: dict[str, object], code: int) -> None:
    error = teacher.refuse("lesson.check", language="brainfuck", **params)
    assert error["code"] == code


def test_a_solver_is_refused_lessons(
    connect: Callable[..., Client], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ESOPLAY_HOME", str(tmp_path / "home"))
    store = tmp_path / "store.sqlite"
    operator = connect(METHODS, Connection(store=store))
    for protocol in ("primary", "practice"):
        started = operator.call("session.init", language="brainfuck", protocol=protocol)
        solver = connect(METHODS, Connection(started["session"], store=store))
        for method in ("lesson.list", "lesson.get", "lesson.check"):
            error = solver.refuse(method, language="brainfuck", lesson=1)
            assert error["data"]["kind"] == "rejected_command"
