"""Every method against the shapes that docs/json-rpc.md promises."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from debug_shapes import Breakpoints, Changed, Closed, Moved, Opened, Printed, Tape, View, Writes
from rpc_client import Ask
from rpc_shapes import (
    Card,
    HiddenGrade,
    Initialized,
    Languages,
    Outcome,
    Problem,
    Problems,
    ShownGrade,
)
from session_shapes import (
    ExplainedSubmission,
    SessionRun,
    SessionStatus,
    Skipped,
    Started,
    Statement,
    Submitted,
)

from esoplay.packs.catalogue import get_pack
from esoplay.packs.hints import all_hints
from esoplay.rpc.methods import METHODS

HELLO = (
    "++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]"
    ">>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+."
)


def test_initialize_lists_languages_protocols_and_capabilities(ask: Ask) -> None:
    about = ask(Initialized, "initialize", client={"name": "test"}, protocol_version=1)
    assert about.name == "esoplay"
    assert about.capabilities.role == "operator"
    assert about.capabilities.methods == sorted(METHODS)
    assert {"primary", "practice"} <= set(about.protocols)


def test_languages_are_listed_with_their_cards(ask: Ask) -> None:
    found = {language.id: language for language in ask(Languages, "language.list").languages}
    assert ".bf" in found["brainfuck"].extensions
    assert {"standard", "benchmark"} <= found["brainfuck"].dialects.keys()
    assert ask(Card, "language.card", language="brainfuck").dialect == "standard"
    card = ask(Card, "language.card", language="brainfuck", protocol="primary")
    assert card.dialect == "benchmark"
    assert "[" in card.card


def test_problems_are_shown_as_in_practice(ask: Ask) -> None:
    rows = ask(Problems, "problem.list").problems
    shown = [ask(Problem, "problem.get", problem=row.id) for row in rows]
    assert [problem.title for problem in shown] == [row.title for row in rows]
    assert all(problem.examples and problem.statement for problem in shown)


def test_a_problem_has_the_hints_on_a_language_that_is_named(ask: Ask) -> None:
    plain = ask(Problem, "problem.get", problem="E04")
    named = ask(Problem, "problem.get", problem="E04", language="brainfuck")
    assert named.hints == list(all_hints(get_pack().problem("E04"), "brainfuck"))
    assert named.hints[: len(plain.hints)] == plain.hints
    assert len(named.hints) > len(plain.hints)
    refused = ask.client.refuse("problem.get", problem="E04", language="klingon")
    assert refused["data"]["kind"] == "usage"


def test_run_gives_the_outcome(ask_each: Ask, tmp_path: Path) -> None:
    ask = ask_each
    outcome = ask(Outcome, "run", language="brainfuck", program=HELLO)
    assert (outcome.status, outcome.stdout) == ("ok", "Hello World!")
    file = tmp_path / "hello.bf"
    file.write_text(HELLO)
    assert ask(Outcome, "run", language="brainfuck", path=str(file)) == outcome
    encoded = base64.b64encode(HELLO.encode()).decode()
    assert ask(Outcome, "run", language="brainfuck", program_base64=encoded) == outcome


def test_run_is_exact_at_its_limits_and_keeps_the_output(ask: Ask) -> None:
    limited = ask(
        Outcome, "run", language="brainfuck", program="+.[]", limits={"steps": 10_000_000}
    )
    assert (limited.status, limited.steps, limited.stdout) == ("step_limit", 10_000_000, "\x01")
    assert limited.exit_code == 3
    squares = f"push {3**200}\nlabel a\ndup\ndup\nmul\ndiscard\njump a"
    assembly = {"language": "whitespace", "options": {"notation": "assembly"}, "program": squares}
    worked = ask(Outcome, "run", **assembly, limits={"work": 990, "steps": 10_000})
    assert (worked.status, worked.limit.value, worked.work) == ("work_limit", 990, 980)
    late = ask(Outcome, "run", language="brainfuck", program="+[]", limits={"time": 0.05})
    assert late.status == "time_limit"
    assert late.limit.value == 0.05
    broken = ask(Outcome, "run", language="brainfuck", program="+\n]")
    assert (broken.status, broken.fault.line, broken.fault.column) == ("parse_error", 2, 1)
    faulted = ask(Outcome, "run", language="brainfuck", program="<")
    assert (faulted.status, faulted.fault.offset, faulted.exit_code) == ("fault", 0, 1)


def test_run_passes_bytes_and_options(ask: Ask) -> None:
    outcome = ask(
        Outcome,
        "run",
        language="brainfuck",
        program=",.,.",
        stdin_base64=base64.b64encode(b"\xff").decode(),
        options={"eof": -1},
    )
    assert base64.b64decode(outcome.stdout_base64) == b"\xff\xff"
    assert outcome.options["eof"] == -1


def test_grade_shows_single_tests_under_the_public_seed_only(ask: Ask) -> None:
    shown = ask(ShownGrade, "grade", problem="E02", language="brainfuck", program=",[.,]")
    assert shown.solved
    assert shown.passed == shown.total == len(shown.tests)
    hidden = ask(
        HiddenGrade, "grade", problem="E02", language="brainfuck", program=",[.,]", seed="mine"
    )
    assert hidden.solved
    assert hidden.seed_commitment != shown.seed_commitment


def test_a_session_under_primary_is_played(ask_each: Ask) -> None:
    ask = ask_each
    started = ask(Started, "session.init", language="brainfuck", protocol="primary")
    mine = {"session": started.session}
    first = ask(Statement, "session.fetch", **mine)
    again = ask(Statement, "session.fetch", **mine, problem=first.problem.lower())
    assert (again.problem, again.statement) == (first.problem, first.statement)
    assert (first.problem, first.submissions_left, first.runs_left) == ("E01", 3, None)
    assert first.examples is None
    run = ask(SessionRun, "session.run", **mine, program=HELLO)
    assert (run.stdout, run.dialect, run.problem) == ("Hello World!", "benchmark", "E01")
    wrong = ask(Submitted, "session.submit", **mine, problem="E01", program=".", request_id="a")
    assert (wrong.passed, wrong.submissions_left, wrong.status) == (0, 2, "active")
    again = ask(Submitted, "session.submit", **mine, problem="E01", program=".", request_id="a")
    assert again == wrong
    assert ask.client.refuse("session.skip", **mine)["data"]["kind"] == "rejected_command"
    solved = ask(Submitted, "session.submit", **mine, problem="E01", program=HELLO)
    assert (solved.solved, solved.status) == (True, "solved")
    status = ask(SessionStatus, "session.status", **mine)
    assert status.counts["solved"] == 1
    export = ask.client.call("session.export", **mine)
    assert export["session"] == started.session
    assert len(export["seed_commitment"].split(":")) == 3


def test_a_session_under_practice_is_played(ask_each: Ask) -> None:
    ask = ask_each
    started = ask(Started, "session.init", language="brainfuck", protocol="practice")
    mine = {"session": started.session}
    shown = ask(Statement, "session.fetch", **mine, problem="E08")
    assert shown.examples
    told = ask(ExplainedSubmission, "session.submit", **mine, problem="E08", program=",[.,]")
    assert not told.solved
    assert any(test.verdict == "wrong_answer" for test in told.tests)
    assert ask(Skipped, "session.skip", **mine).problem == "E08"


def test_the_debugger_travels_both_ways(ask_each: Ask) -> None:
    ask = ask_each
    opened = ask(Opened, "debug.open", language="brainfuck", program="++[>+++<-]>.,.", stdin="x")
    mine = {"debug": opened.debug}
    assert opened.view.step == 0
    assert ask(Moved, "debug.step", **mine, count=4).step == 4
    assert ask(Moved, "debug.step", **mine, reverse=True).step == 3
    assert ask(Moved, "debug.step", **mine, granularity="finish").view.location.offset == 10
    ask(Moved, "debug.seek", **mine, step=2)
    left = ask(Moved, "debug.step", **mine, granularity="loop", budget=5)
    assert (left.stopped[0].kind, left.step) == ("budget", 7)
    assert ask(Moved, "debug.step", **mine, granularity="finish").step == 18
    watched = ask(Moved, "debug.continue", **mine, reverse=True, until=[{"cell": 1}])
    assert watched.stopped[0].until == 0
    assert ask(Moved, "debug.continue", **mine, until=[{"output": "x"}]).view.output_length == 2
    assert ask(Moved, "debug.continue", **mine, reverse=True).stopped[0].kind == "start"
    read = ask(Printed, "debug.read", **mine, byte=0)
    assert ask(Moved, "debug.seek", **mine, step=read.step).view.input_position == 1
    assert ask(Moved, "debug.seek", **mine, step=read.step - 1).view.input_position == 0
    assert ask(Printed, "debug.read", **mine, byte=99).step is None
    printed = ask(Printed, "debug.printed", **mine, byte=1)
    assert ask(Moved, "debug.seek", **mine, step=printed.step).view.output_length == 2
    assert ask(Moved, "debug.seek", **mine, step=printed.step - 1).view.output_length == 1
    assert ask(Printed, "debug.printed", **mine, byte=99).step is None
    writes = ask(Writes, "debug.writes", **mine, cell=1, limit=3).writes
    assert [write.new for write in writes] == [ord("x"), 6, 5]
    assert ask(Writes, "debug.writes", **mine, cell=1, before=writes[-1].step).writes == [
        writes[-1]
    ]
    assert ask(Moved, "debug.continue", **mine, budget=1).stopped[0].kind in ("budget", "end")


def test_a_breakpoint_on_a_comment_moves_to_the_next_instruction(ask_each: Ask) -> None:
    ask = ask_each
    debug = ask(Opened, "debug.open", language="brainfuck", program="+ one\n- two").debug
    wanted = [{"offset": 2}, {"offset": 6}]
    found = ask(Breakpoints, "debug.breakpoints", debug=debug, set=wanted).breakpoints
    assert [(each.offset, each.moved_from) for each in found] == [(6, 2), (6, None)]
    stop = ask(Moved, "debug.continue", debug=debug, until=[{"offset": 3}])
    assert stop.view.location.offset == 6


def test_breakpoints_are_set_listed_and_hit(ask_each: Ask) -> None:
    ask = ask_each
    debug = ask(Opened, "debug.open", language="brainfuck", program="++[>+++<-]>.").debug
    wanted = [
        {"offset": 3, "condition": "hits > 1"},
        {"cell": 1, "log": "cell 1 is {cell[1]}"},
        {"output": 0},
        {"output": "\x06"},
        {"effect": "output"},
        {"condition": "ptr == 7", "enabled": False},
        {"instruction": "-", "condition": "hits == 9"},
    ]
    found = ask(Breakpoints, "debug.breakpoints", debug=debug, set=wanted).breakpoints
    assert [each.id for each in found] == [1, 2, 3, 4, 5, 6, 7]
    assert found[6].instruction == "-"
    stop = ask(Moved, "debug.continue", debug=debug)
    assert [reason.breakpoint for reason in stop.stopped] == [1]
    assert stop.logs == ["cell 1 is 1", "cell 1 is 2", "cell 1 is 3"]
    assert [reason.breakpoint for reason in ask(Moved, "debug.continue", debug=debug).stopped] == [
        3,
        4,
        5,
    ]
    listed = ask(Breakpoints, "debug.breakpoints", debug=debug).breakpoints
    assert listed[0].hits == 1
    assert ask(Breakpoints, "debug.breakpoints", debug=debug, set=[]).breakpoints == []


def test_a_view_is_bounded_and_has_the_fields_asked_for(ask_each: Ask) -> None:
    ask = ask_each
    debug = ask(Opened, "debug.open", language="brainfuck", program=",.,", stdin="hi").debug
    view = ask(View, "debug.view", debug=debug, window={"cells": 3, "first": 5})
    assert [len(panel.cells) for panel in view.panels if isinstance(panel, Tape)] == [3]
    ask(Moved, "debug.step", debug=debug, count=3)
    some = ask.client.call("debug.view", debug=debug, fields=["step", "output", "input"])
    assert some == {"step": 3, "output": "h", "input": "hi"}
    for window in (
        {"cells": 10**6},
        {"width": 0},
        {"height": 513},
        {"corner": 3},
        {"corner": [1]},
        {"corner": [1, 2, 3]},
        {"corner": [1, "2"]},
        {"corner": [0, 1 << 63]},
    ):
        assert ask.client.refuse("debug.view", debug=debug, window=window)["code"] == -32602
    ask(View, "debug.view", debug=debug, window={"width": 5, "height": 5, "corner": [-3, 10**9]})
    asked = ask.client.call("debug.view", debug=debug, fields=["registers", "places"])
    assert asked == {"registers": {"ptr": 0, "value": 105, "depth": 0}, "places": {}}


def test_a_drawing_is_in_the_view_and_goes_back_in_time(ask_each: Ask) -> None:
    ask = ask_each
    corner = '"TRUT"4($$1P9Fa9*R5F@'
    call = ask.client.call
    debug = call("debug.open", language="befunge-98", program=corner)["debug"]
    call("debug.continue", debug=debug)

    def drawn(**window: int) -> list[Any]:
        panels = call("debug.view", debug=debug, window=window)["panels"]
        return [panel for panel in panels if panel["panel"] == "drawing"]

    lines = [
        {"start": [0, 0], "end": [9, 0], "color": 0},
        {"start": [9, 0], "end": [9, 5], "color": 0},
    ]
    assert drawn(lines=1) == [
        {
            "panel": "drawing",
            "name": "drawing",
            "lines": lines[1:],
            "size": 2,
            "low": [0, 0],
            "high": [9, 5],
            "position": [9, 5],
            "heading": 90,
            "pen": True,
            "color": 0,
            "paper": 0xFFFFFF,
        }
    ]
    assert drawn()[0]["lines"] == lines
    call("debug.step", debug=debug, reverse=True, count=2)
    assert drawn()[0]["lines"] == lines[:1]
    call("debug.seek", debug=debug, step=0)
    assert drawn() == []
    assert ask.client.refuse("debug.view", debug=debug, window={"lines": 0})["code"] == -32602


def test_changing_the_past_forks_it(ask_each: Ask) -> None:
    ask = ask_each
    debug = ask(Opened, "debug.open", language="brainfuck", program=",[.,]", stdin="ab").debug
    twin = ask(Opened, "debug.fork", debug=debug).debug
    ask(Changed, "debug.set", debug=twin, stdin="xyz")
    for name, output in ((debug, "ab"), (twin, "xyz")):
        ask(Moved, "debug.continue", debug=name)
        assert ask.client.call("debug.view", debug=name, fields=["output"])["output"] == output
    ask(Moved, "debug.seek", debug=debug, step=1)
    assert ask(Changed, "debug.set", debug=debug, cell=0, value=65).view.panels[0].cells[0] == 65
    ask(Closed, "debug.close", debug=debug)
    assert ask.client.refuse("debug.step", debug=debug)["data"]["kind"] == "unknown_debugger"


def test_open_input_waits_and_is_fed(ask_each: Ask) -> None:
    ask = ask_each
    debug = ask(Opened, "debug.open", language="brainfuck", program=",[.,]", closed=False).debug
    assert ask(Moved, "debug.continue", debug=debug).stopped[0].kind == "needs_input"
    ask(Changed, "debug.set", debug=debug, feed="a")
    assert ask(Moved, "debug.continue", debug=debug).view.output_length == 1
    ask(Changed, "debug.set", debug=debug, close_input=True)
    assert ask(Moved, "debug.continue", debug=debug).stopped[0].kind == "end"


def test_the_number_of_open_debuggers_is_limited(ask: Ask) -> None:
    most = ask(Initialized, "initialize").capabilities.max_debuggers
    for _ in range(most):
        last = ask(Opened, "debug.open", language="brainfuck", program="+").debug
    for method, params in (
        ("debug.open", {"language": "brainfuck", "program": "+"}),
        ("debug.fork", {"debug": last}),
    ):
        assert ask.client.refuse(method, **params)["data"]["kind"] == "limit"
    ask(Closed, "debug.close", debug=last)
    ask(Opened, "debug.open", language="brainfuck", program="+")


def test_handlers_accept_what_the_table_declares() -> None:
    import inspect

    for method in METHODS.values():
        signature = inspect.signature(method.handler)
        taken = {
            name: parameter.default is parameter.empty
            for name, parameter in signature.parameters.items()
            if parameter.kind is parameter.KEYWORD_ONLY
        }
        declared = {
            parameter.name: parameter.required
            for parameter in (*method.parameters, *method.added_parameters)
        }
        assert taken == declared, method.name
