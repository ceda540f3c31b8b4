"""How much of a program's output the answers of the server and its tools show."""

from __future__ import annotations

import json
from typing import Any

import pytest
from rpc_client import Ask

from esoplay.grading import report
from esoplay.rpc.connection import Connection
from esoplay.rpc.mcp.server import Toolbox

MEBIBYTE = 1 << 20
LOUD = "+" * 65 + "[" + "." * 1000 + "]"
LIMITS = {"steps": 2_500_000}


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ({}, MEBIBYTE),
        ({"shown_output": 3}, 3),
        ({"shown_output": 0}, 0),
        ({"shown_output": 2 * MEBIBYTE}, 2 * MEBIBYTE),
    ],
)
def test_an_answer_shows_as_much_as_is_asked_for(
    asked: dict[str, int], shown: int, ask: Ask
) -> None:
    run = {"language": "brainfuck", "program": LOUD, "limits": LIMITS}
    told = ask.client.call("run", **run, **asked)
    assert (told["status"], told["steps"]) == ("step_limit", LIMITS["steps"])
    assert told["stdout"] == "A" * shown
    assert told["output_truncated"] is True
    assert 2_400_000 < told["output_bytes"] <= LIMITS["steps"]


def test_a_limit_of_output_that_is_asked_for_is_shown_and_stops(ask: Ask) -> None:
    limits = {"output": 2_000_000}
    told = ask.client.call("run", language="brainfuck", program=LOUD, limits=limits)
    assert (told["status"], len(told["stdout"])) == ("output_limit", 2_000_000)
    assert "output_truncated" not in told


def test_no_character_of_an_answer_is_cut(ask: Ask) -> None:
    program = "-" * 30 + "." + "-" * 96 + "."  # é in UTF-8 is c3 a9, here e2 82: not UTF-8
    both = ask.client.call("run", language="brainfuck", program=program)
    assert both["stdout_base64"] == "4oI="
    euro = "-" * 30 + "." + "-" * 96 + "." + "+" * 42 + "."  # e2 82 ac
    for shown, text in ((3, "€"), (2, ""), (1, ""), (0, "")):
        told = ask.client.call("run", language="brainfuck", program=euro, shown_output=shown)
        assert told["stdout"] == text
        assert "stdout_base64" not in told
        assert told.get("output_bytes") == (None if text else 3)


def test_a_verdict_shows_as_much_as_is_asked_for(ask: Ask) -> None:
    grade = {"problem": "E01", "language": "brainfuck", "program": LOUD}
    for asked, shown in (({}, 64 << 10), ({"shown_output": 5}, 5)):
        for test in ask.client.call("grade", **grade, **asked)["tests"]:
            assert test["got"] == "A" * shown
            assert (test["output_truncated"], test["output_bytes"]) == (True, MEBIBYTE)


def test_a_view_says_that_there_was_more_output(ask: Ask) -> None:
    opened = ask.client.call("debug.open", language="brainfuck", program=LOUD)
    debug = opened["debug"]
    ask.client.call("debug.continue", debug=debug, budget=65_000)
    view = ask.client.call("debug.view", debug=debug, fields=["output", "output_length"])
    assert "output_truncated" not in view
    ask.client.call("debug.continue", debug=debug, budget=5_000)
    view = ask.client.call("debug.view", debug=debug, fields=["output", "output_length"])
    assert view["output"] == "A" * (64 << 10)
    assert view["output_truncated"] is True
    assert view["output_bytes"] == view["output_length"] > 64 << 10


def called(tools: Toolbox, name: str, **arguments: Any) -> dict[str, Any]:
    call = tools.call(name, arguments, lambda _done, _total: None)
    answer = tools.answer(name, call)
    assert not answer.failed, answer
    return json.loads(json.dumps(answer.content))


def test_a_tool_shows_little_unless_more_is_asked_for() -> None:
    tools = Toolbox(Connection())
    run = {"language": "brainfuck", "program": LOUD, "limits": LIMITS}
    told = called(tools, "run", **run)
    assert (len(told["stdout"]), told["output_truncated"]) == (16 << 10, True)
    assert len(called(tools, "run", **run, shown_output=100_000)["stdout"]) == 100_000
    tests = called(tools, "grade", problem="E01", language="brainfuck", program=LOUD)["tests"]
    assert {len(test["got"]) for test in tests} == {16 << 10}


@pytest.mark.parametrize("data", [b"abc", "€€".encode(), b"\xff\xfe\xfd\xfc", b""])
@pytest.mark.parametrize("shown", [0, 1, 3, 4, 100])
def test_a_stored_test_is_cut_like_a_new_one(data: bytes, shown: int) -> None:
    result = report.TestResult(
        1, "edge", "wrong_answer", 5, 6, report.TestDetail(b"in", b"out", data, "why")
    )
    whole = result.as_json()
    assert report.truncate_test_output(whole, shown) == result.as_json(shown)
    assert report.truncate_test_output({"index": 1, "verdict": "pass"}, shown) == {
        "index": 1,
        "verdict": "pass",
    }
