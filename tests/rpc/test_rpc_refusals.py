"""What the server refuses, and how it says so."""

from __future__ import annotations

from typing import Any

import pytest
from debug_shapes import Moved, Opened
from rpc_client import Ask

from esoplay.debugging.debugger import Debugger
from esoplay.rpc.methods import programs, travel

HELLO = (
    "++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]"
    ">>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+."
)


@pytest.mark.parametrize(
    ("method", "params", "kind"),
    [
        ("run", {"language": "klingon", "program": ""}, "usage"),
        ("run", {"language": "brainfuck", "program": "", "dialect": "x"}, "usage"),
        ("run", {"language": "brainfuck", "program": "", "options": {"x": 1}}, "usage"),
        ("run", {"language": "brainfuck", "path": "/no/such/file"}, "usage"),
        ("language.card", {"language": "klingon"}, "usage"),
        ("language.card", {"language": "brainfuck", "protocol": "x"}, "usage"),
        ("problem.get", {"problem": "Z99"}, "unknown_problem"),
        ("grade", {"problem": "Z9", "language": "brainfuck", "program": ""}, "unknown_problem"),
        ("session.init", {"language": "brainfuck", "protocol": "x"}, "usage"),
        ("session.fetch", {"session": "0123456789ab"}, "unknown_session"),
        ("session.status", {"session": "../../etc/passwd"}, "unknown_session"),
        ("debug.open", {"language": "brainfuck", "program": "["}, "parse_error"),
        (
            "session.init",
            {"language": "brainfuck", "protocol": "practice", "seed": "mine"},
            "usage",
        ),
        ("debug.step", {"debug": "d99"}, "unknown_debugger"),
    ],
)
def test_domain_errors_say_their_kind(
    method: str, params: dict[str, Any], kind: str, ask: Ask
) -> None:
    error = ask.client.refuse(method, **params)
    assert error["code"] == -32000
    assert error["data"]["kind"] == kind


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("run", {"language": "brainfuck"}),
        ("run", {"language": "brainfuck", "program": "", "path": "x"}),
        ("run", {"language": "brainfuck", "program_base64": "no base64!"}),
        ("run", {"language": "brainfuck", "program": "", "limits": {"steps": -1}}),
        ("run", {"language": "brainfuck", "program": "", "limits": {"time": 0}}),
        ("run", {"language": "brainfuck", "program": "", "limits": {"clock": 1}}),
        ("run", {"language": "brainfuck", "program": "", "stdin": "", "stdin_base64": ""}),
        ("session.fetch", {}),
        ("debug.breakpoints", {"debug": "d1", "set": [{"log": "x"}]}),
        ("debug.breakpoints", {"debug": "d1", "set": [{"output": ""}]}),
        ("debug.breakpoints", {"debug": "d1", "set": [{"position": 3}]}),
        ("debug.breakpoints", {"debug": "d1", "set": [{"position": [3, True]}]}),
        ("debug.breakpoints", {"debug": "d1", "set": [{"place": 3}]}),
        ("debug.breakpoints", {"debug": "d1", "set": [{"cell": [1, 2, 3]}]}),
        ("debug.breakpoints", {"debug": "d1", "set": [{"cell": "1,2"}]}),
        ("debug.writes", {"debug": "d1", "cell": [1.5, 2]}),
        ("debug.step", {"debug": "d1", "granularity": "word"}),
        ("debug.step", {"debug": "d1", "count": 0}),
        ("debug.set", {"debug": "d1", "cell": 1}),
        ("debug.set", {"debug": "d1", "stdin": "x", "feed": "y"}),
        ("debug.set", {"debug": "d1", "stdin": "x", "close_input": True}),
        ("debug.set", {"debug": "d1"}),
    ],
)
def test_wrong_parameters_are_invalid(method: str, params: dict[str, Any], ask: Ask) -> None:
    ask(Opened, "debug.open", language="brainfuck", program="+")
    assert ask.client.refuse(method, **params)["code"] == -32602


def test_a_parse_error_says_where(ask: Ask) -> None:
    error = ask.client.refuse("debug.open", language="brainfuck", program="+\n+]")
    assert error["data"] == {"kind": "parse_error", "line": 2, "column": 2, "offset": 3}


@pytest.mark.parametrize(
    "condition",
    [
        {"offset": 3},  # the end
        {"position": [0, 0]},  # a tape language has no plane
        {"place": "Act I"},
        {"instruction": "x"},
        {"instruction": "+", "offset": 0, "place": "nowhere"},
        {"cell": [1, 2]},
        {"condition": "cell[(1, 2)] == 3"},  # no cell of a tape
        {"condition": "step > 3 and cell[1, 2]"},
        {"offset": 0, "log": "{cell[1, 2]}"},
        {"offset": 0, "log": "x" * 100_000},
    ],
)
def test_a_stop_that_can_never_be_is_refused(condition: dict[str, Any], ask: Ask) -> None:
    debug = ask(Opened, "debug.open", language="brainfuck", program="+x+").debug
    for method, params in (
        ("continue", {"until": [condition]}),
        ("breakpoints", {"set": [condition]}),
    ):
        error = ask.client.refuse(f"debug.{method}", debug=debug, **params)
        assert error["data"]["kind"] == "usage"


@pytest.mark.parametrize(
    "condition",
    [
        {"cell": 9_000_000_000_000_000_000},
        {"cell": 10**300},
        {"condition": "cell[99999999999999999999999]"},
        {"condition": "cell[ptr, step] == 1"},
        {"condition": "cell[step * 99999999999999999999999]"},
        {"output": 9_223_372_036_854_775_807},
    ],
)
def test_a_far_place_does_not_hide_a_near_one(condition: dict[str, Any], ask: Ask) -> None:
    debug = ask(Opened, "debug.open", language="brainfuck", program="+>+.").debug
    until = [condition, {"cell": 1}]
    moved = ask(Moved, "debug.continue", debug=debug, until=until)
    assert (moved.step, moved.stopped[0].until) == (3, 1)
    assert ask(Moved, "debug.continue", debug=debug, until=[condition]).stopped[0].kind == "end"


def test_a_budget_applies_in_both_directions(ask: Ask) -> None:
    debug = ask(Opened, "debug.open", language="brainfuck", program="+" * 100).debug
    assert ask(Moved, "debug.continue", debug=debug, budget=60).step == 60
    back = ask(Moved, "debug.continue", debug=debug, budget=20, reverse=True)
    assert (back.step, back.stopped[0].kind) == (40, "budget")


@pytest.mark.parametrize(
    ("method", "params", "step"),
    [
        ("debug.continue", {}, 1_000),
        ("debug.continue", {"until": [{"cell": 3}]}, 1_000),
        ("debug.continue", {"until": [{"condition": "cell[0] == 9"}]}, 1_000),
        ("debug.step", {"granularity": "finish"}, 1_000),
        ("debug.step", {"granularity": "line"}, 1_000),
        ("debug.step", {"count": 700, "budget": 300}, 300),
        ("debug.seek", {"step": 700, "budget": 300}, 300),
    ],
)
def test_an_endless_move_ends_and_continues_when_it_is_called_again(
    method: str, params: dict[str, Any], step: int, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(travel, "DEFAULT_STEPS", 1_000)
    debug = ask(Opened, "debug.open", language="brainfuck", program="+[>+<]").debug
    ask(Moved, "debug.step", debug=debug, count=2)
    for time in (1, 2):
        moved = ask(Moved, method, debug=debug, **params)
        (reason,) = moved.stopped
        assert (moved.step, reason.kind) == (2 + time * step, "budget")
        if "budget" not in params:
            assert reason.text.startswith(f"the default budget is used up at step {moved.step}: ")
            assert reason.text.endswith("; call again to continue")


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("debug.continue", {}),
        ("debug.continue", {"until": [{"condition": "cell[0] == 9"}]}),
        ("debug.step", {"granularity": "finish"}),
        ("debug.step", {"count": 10**18}),
        ("debug.seek", {"step": 10**18}),
    ],
)
def test_an_endless_move_ends_after_some_seconds(
    method: str, params: dict[str, Any], ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(travel, "DEFAULT_STEPS", 10**18)
    monkeypatch.setattr(travel, "DEFAULT_SECONDS", 0.01)
    debug = ask(Opened, "debug.open", language="brainfuck", program="+[>+<]").debug
    ask(Moved, "debug.step", debug=debug, count=2)
    steps = [ask(Moved, method, debug=debug, **params).step for _ in range(3)]
    assert 2 < steps[0] < steps[1] < steps[2] < 10**18
    back = ask(Moved, "debug.continue", debug=debug, reverse=True)
    assert back.step < steps[2]


def test_a_step_of_a_lesson_that_is_not_reached_is_refused(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "DEFAULT_SECONDS", 0.0)
    debugger = Debugger.open("brainfuck", b"+[]")
    monkeypatch.setattr(programs, "open_debugger", lambda _lesson: debugger)
    error = ask.client.refuse("lesson.check", language="brainfuck", lesson=1, step=10**15)
    assert error["data"]["kind"] == "limit"
    assert f"step {10**15} was not reached" in error["message"]


def test_input_has_a_bound_however_it_is_fed(ask: Ask) -> None:
    debug = ask(Opened, "debug.open", language="brainfuck", program=",", closed=False).debug
    for _ in range(4):
        ask.client.call("debug.set", debug=debug, feed="x" * (1 << 22))
    error = ask.client.refuse("debug.set", debug=debug, feed="x")
    assert error["data"]["kind"] == "limit"


def test_a_condition_error_says_where(ask: Ask) -> None:
    ask(Opened, "debug.open", language="brainfuck", program="+")
    error = ask.client.refuse("debug.breakpoints", debug="d1", set=[{"condition": "ptr + tape"}])
    assert error["data"] == {"kind": "condition_error", "column": 7}
    assert error["message"].startswith("set[0].condition: ")
    until = [{"step": 3}, {"condition": "ptr + tape"}]
    error = ask.client.refuse("debug.continue", debug="d1", until=until)
    assert error["data"] == {"kind": "condition_error", "column": 7}
    assert error["message"].startswith("until[1].condition: ")
