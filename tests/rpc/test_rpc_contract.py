"""Every method against the shapes that docs/json-rpc.md promises."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from rpc_client import Client

from esoplay.rpc.connection import Connection
from esoplay.rpc.methods import METHODS

HELLO = (
    "++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]"
    ">>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+."
)


class Shape(msgspec.Struct, forbid_unknown_fields=True):
    """An object with these members, and no others."""


class Capabilities(Shape):
    role: Literal["operator", "solver"]
    methods: list[str]
    notifications: list[str]
    max_line: int
    max_batch: int
    max_debuggers: int
    session: str | None = None


class Initialized(Shape):
    name: str
    version: str
    protocol_version: str
    languages: list[str]
    protocols: list[str]
    capabilities: Capabilities


class Option(Shape):
    name: str
    default: str | int
    values: list[str | int]
    help: str


class Language(Shape):
    id: str
    name: str
    extensions: list[str]
    dialects: dict[str, dict[str, str | int]]
    options: list[Option]


class Languages(Shape):
    languages: list[Language]


class Card(Shape):
    language: str
    dialect: str
    card: str


class Pack(Shape):
    id: str
    version: str
    title: str


class ProblemRow(Shape):
    id: str
    title: str
    tier: str
    category: str


class Problems(Shape):
    pack: Pack
    problems: list[ProblemRow]


class Example(Shape):
    input: str
    output: str


class Problem(ProblemRow):
    statement: str
    examples: list[Example]
    ranges: dict[str, tuple[int, int]]
    hints: list[str]


class Fault(Shape):
    kind: str
    message: str
    line: int
    column: int
    offset: int
    step: int


class Limit(Shape):
    kind: Literal["step", "output", "memory", "time"]
    value: float


class Outcome(Shape):
    language: str
    dialect: str
    options: dict[str, str | int]
    status: Literal[
        "ok", "parse_error", "fault", "step_limit", "output_limit", "memory_limit", "time_limit"
    ]
    error_type: Literal["ok", "compile_error", "runtime_error", "timeout"]
    exit_code: Literal[0, 1, 3]
    stdout: str
    stderr: str
    steps: int
    input_used: int
    memory: int
    stdout_base64: str | None = None
    fault: Fault | None = None
    limit: Limit | None = None
    warnings: list[str] | None = None


Verdict = Literal[
    "pass",
    "wrong_answer",
    "parse_error",
    "fault",
    "step_limit",
    "output_limit",
    "memory_limit",
    "time_limit",
]


class HiddenTest(Shape):
    """A test of which nothing is told."""

    index: int
    verdict: Verdict
    steps: int


class ShownTest(HiddenTest):
    input: str
    expected: str
    got: str
    name: str = msgspec.field(name="class")
    got_base64: str | None = None
    message: str | None = None


class Grade(Shape):
    problem: str
    language: str
    passed: int
    total: int
    solved: bool
    seed_commitment: str


class HiddenGrade(Grade):
    tests: list[HiddenTest]


class ShownGrade(Grade):
    tests: list[ShownTest]


class SessionLimits(Shape):
    steps: int
    output: int
    memory: int
    time: float


class Rules(Shape):
    dialect: str
    runs: int | None
    submissions: int | None
    skip: str
    order: str
    feedback: str
    examples: bool
    revisit: bool
    limits: SessionLimits
    text: str


class Started(Shape):
    session: str
    protocol: str
    rules: Rules
    problems: list[str]
    head: str


class Statement(Shape):
    problem: str
    title: str
    tier: str
    statement: str
    submissions_left: int | None
    runs_left: int | None
    head: str
    examples: list[Example] | None = None


class SessionRun(Outcome, kw_only=True):
    problem: str | None
    runs_left: int | None
    head: str


ProblemStatus = Literal["pending", "active", "solved", "failed", "skipped"]


class Submitted(Shape):
    """An answer that says nothing about single tests."""

    passed: int
    total: int
    solved: bool
    submissions_left: int | None
    status: ProblemStatus
    head: str


class ExplainedSubmission(Submitted):
    tests: list[ShownTest]


class ProblemProgress(Shape):
    problem: str
    status: ProblemStatus
    runs: int
    submissions: int
    submissions_left: int | None


class SessionStatus(Shape):
    session: str
    protocol: str
    language: str
    dialect: str
    closed: bool
    current: str | None
    grading: bool
    counts: dict[ProblemStatus, int]
    problems: list[ProblemProgress]
    head: str


class Skipped(Shape):
    problem: str
    status: Literal["skipped"]
    head: str


Span = tuple[int, int]


class Location(Shape):
    offset: int
    line: int
    column: int
    span: Span
    instruction: str
    explanation: str
    address: int | tuple[int, int]


class Tape(Shape, tag_field="panel", tag="tape"):
    name: str
    first: int
    cells: list[int]
    pointer: int
    low: int
    high: int
    bits: int


class Frame(Shape):
    label: str
    span: Span
    line: int
    column: int
    times: int


class CallStack(Shape, tag_field="panel", tag="call_stack"):
    name: str
    frames: list[Frame]
    depth: int


class View(Shape):
    step: int
    status: Literal["running", "halted", "needs_input", "faulted", "limited"]
    location: Location
    panels: list[Tape | CallStack]
    output_length: int
    input_position: int
    memory: int
    fault: Fault | None
    limit: Literal["steps", "output", "memory"] | None


class Opened(Shape):
    debug: str
    view: View


class Reason(Shape):
    kind: Literal[
        "step",
        "breakpoint",
        "start",
        "end",
        "fault",
        "limit",
        "needs_input",
        "budget",
        "cancelled",
    ]
    text: str
    breakpoint: int | None = None
    until: int | None = None


class Moved(Shape):
    step: int
    view: View
    stopped: list[Reason]
    logs: list[str] | None = None


class Breakpoint(Shape):
    id: int
    hits: int
    enabled: bool
    offset: int | None = None
    position: tuple[int, int] | None = None
    place: str | None = None
    instruction: str | None = None
    cell: int | tuple[int, int] | None = None
    output: int | str | None = None
    condition: str | None = None
    effect: Literal["write", "output", "input"] | None = None
    log: str | None = None


class Breakpoints(Shape):
    breakpoints: list[Breakpoint]


class CellWrite(Shape):
    step: int
    old: int | str
    new: int | str
    span: Span
    position: tuple[int, int] | None = None


class Writes(Shape):
    writes: list[CellWrite]


class Printed(Shape):
    step: int | None


class Changed(Shape):
    step: int
    view: View


class Closed(Shape):
    closed: Literal[True]


class Ask:
    """Calls methods and gives their results in the shape that is expected."""

    def __init__(self, client: Client):
        self.client = client

    def __call__(self, shape: Any, method: str, **params: Any) -> Any:
        return msgspec.convert(self.client.call(method, **params), shape, strict=True)


@pytest.fixture
def ask(connect: Callable[..., Client], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    monkeypatch.setenv("ESOPLAY_HOME", str(tmp_path / "home"))
    return Ask(connect(METHODS, Connection(store=tmp_path / "store.sqlite")))


def test_initialize_says_what_there_is(ask: Ask) -> None:
    about = ask(Initialized, "initialize", client={"name": "test"}, protocol_version=1)
    assert about.name == "esoplay"
    assert about.capabilities.role == "operator"
    assert about.capabilities.methods == sorted(METHODS)
    assert {"primary", "practice"} <= set(about.protocols)


def test_languages_and_their_cards(ask: Ask) -> None:
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


def test_run_gives_the_outcome(ask: Ask, tmp_path: Path) -> None:
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


def test_grade_tells_single_tests_under_the_public_seed_only(ask: Ask) -> None:
    shown = ask(ShownGrade, "grade", problem="E02", language="brainfuck", program=",[.,]")
    assert shown.solved
    assert shown.passed == shown.total == len(shown.tests)
    hidden = ask(
        HiddenGrade, "grade", problem="E02", language="brainfuck", program=",[.,]", seed="mine"
    )
    assert hidden.solved
    assert hidden.seed_commitment != shown.seed_commitment


def test_a_primary_session(ask: Ask) -> None:
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


def test_a_practice_session(ask: Ask) -> None:
    started = ask(Started, "session.init", language="brainfuck", protocol="practice")
    mine = {"session": started.session}
    shown = ask(Statement, "session.fetch", **mine, problem="E08")
    assert shown.examples
    told = ask(ExplainedSubmission, "session.submit", **mine, problem="E08", program=",[.,]")
    assert not told.solved
    assert any(test.verdict == "wrong_answer" for test in told.tests)
    assert ask(Skipped, "session.skip", **mine).problem == "E08"


def test_the_debugger_travels_both_ways(ask: Ask) -> None:
    opened = ask(Opened, "debug.open", language="brainfuck", program="++[>+++<-]>.,.", stdin="x")
    mine = {"debug": opened.debug}
    assert opened.view.step == 0
    assert ask(Moved, "debug.step", **mine, count=4).step == 4
    assert ask(Moved, "debug.step", **mine, reverse=True).step == 3
    assert ask(Moved, "debug.step", **mine, granularity="finish").view.location.offset == 10
    watched = ask(Moved, "debug.continue", **mine, reverse=True, until=[{"cell": 1}])
    assert watched.stopped[0].until == 0
    assert ask(Moved, "debug.continue", **mine, until=[{"output": "x"}]).view.output_length == 2
    assert ask(Moved, "debug.continue", **mine, reverse=True).stopped[0].kind == "start"
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


def test_breakpoints_are_set_listed_and_hit(ask: Ask) -> None:
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


def test_a_view_is_bounded_and_has_the_fields_asked_for(ask: Ask) -> None:
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


def test_changing_the_past_forks_it(ask: Ask) -> None:
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


def test_open_input_waits_and_is_fed(ask: Ask) -> None:
    debug = ask(Opened, "debug.open", language="brainfuck", program=",[.,]", closed=False).debug
    assert ask(Moved, "debug.continue", debug=debug).stopped[0].kind == "needs_input"
    ask(Changed, "debug.set", debug=debug, feed="a")
    assert ask(Moved, "debug.continue", debug=debug).view.output_length == 1
    ask(Changed, "debug.set", debug=debug, close_input=True)
    assert ask(Moved, "debug.continue", debug=debug).stopped[0].kind == "end"


def test_few_debuggers_may_be_open(ask: Ask) -> None:
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
        ("debug.breakpoints", {"debug": "d1", "set": [{"output": "two"}]}),
        ("debug.breakpoints", {"debug": "d1", "set": [{"position": 3}]}),
        ("debug.breakpoints", {"debug": "d1", "set": [{"position": [3, True]}]}),
        ("debug.breakpoints", {"debug": "d1", "set": [{"place": 3}]}),
        ("debug.breakpoints", {"debug": "d1", "set": [{"cell": [1, 2, 3]}]}),
        ("debug.breakpoints", {"debug": "d1", "set": [{"cell": "1,2"}]}),
        ("debug.writes", {"debug": "d1", "cell": [1.5, 2]}),
        ("debug.step", {"debug": "d1", "granularity": "source"}),
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
        {"offset": 1},  # a comment
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
def test_far_places_are_watched_beside_near_ones(condition: dict[str, Any], ask: Ask) -> None:
    debug = ask(Opened, "debug.open", language="brainfuck", program="+>+.").debug
    until = [condition, {"cell": 1}]
    moved = ask(Moved, "debug.continue", debug=debug, until=until)
    assert (moved.step, moved.stopped[0].until) == (3, 1)
    assert ask(Moved, "debug.continue", debug=debug, until=[condition]).stopped[0].kind == "end"


def test_a_budget_holds_in_both_directions(ask: Ask) -> None:
    debug = ask(Opened, "debug.open", language="brainfuck", program="+" * 100).debug
    assert ask(Moved, "debug.continue", debug=debug, budget=60).step == 60
    back = ask(Moved, "debug.continue", debug=debug, budget=20, reverse=True)
    assert (back.step, back.stopped[0].kind) == (40, "budget")


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


def test_handlers_take_what_the_table_declares() -> None:
    import inspect

    for method in METHODS.values():
        signature = inspect.signature(method.handler)
        taken = {
            name: parameter.default is parameter.empty
            for name, parameter in signature.parameters.items()
            if parameter.kind is parameter.KEYWORD_ONLY
        }
        declared = {parameter.name: parameter.required for parameter in method.parameters}
        assert taken == declared, method.name
