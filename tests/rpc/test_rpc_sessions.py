"""The operator's side of sessions over JSON-RPC: protocols, workspaces, and what there is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rpc_client import Ask, Client
from rpc_shapes import Shape
from session_shapes import RuleFields, Started, Submitted

from esoplay.rpc.connection import Connection
from esoplay.rpc.methods import METHODS


class StartedInFolder(Started):
    workspace: str


class Verdict(Shape):
    index: int
    verdict: str


class VerdictsByTest(Submitted):
    tests: list[Verdict]


class Violated(Submitted):
    violation: str


class Summary(Shape):
    session: str
    language: str
    protocol: str
    pack: str
    solver: str | None
    solved: int
    total: int
    closed: bool
    current: str | None
    time_ms: int


class Listed(Shape):
    sessions: list[Summary]


class Row(RuleFields):
    id: str
    purpose: str
    public_seed: bool


class Rows(Shape):
    protocols: list[Row]


def test_changed_rules_are_reported_and_saved(ask: Ask) -> None:
    changes: dict[str, Any] = {"feedback": "per-test", "submissions": 1, "generators": ["python"]}
    started = ask(Started, "session.init", language="brainfuck", changes=changes)
    assert started.protocol == "primary+submissions=1+feedback=per-test+generators=python"
    assert (started.rules.base, started.rules.submissions) == ("primary", 1)
    mine = {"session": started.session}
    ask.client.call("session.fetch", **mine)
    told = ask(VerdictsByTest, "session.submit", **mine, problem="E01", program="+[]")
    assert {test.verdict for test in told.tests} == {"step_limit"}
    assert [test.index for test in told.tests] == [1, 2, 3, 4, 5, 6]
    assert told.status == "failed"
    (row,) = ask(Listed, "session.list").sessions
    assert (row.session, row.protocol, row.solved) == (started.session, started.protocol, 0)


def test_a_generator_in_the_workspace_fails_a_direct_submission(ask: Ask, tmp_path: Path) -> None:
    started = ask(
        StartedInFolder,
        "session.init",
        language="brainfuck",
        protocol="direct",
        workspace=str(tmp_path / "desk"),
    )
    mine = {"session": started.session}
    ask.client.call("session.fetch", **mine)
    Path(started.workspace, "make.py").write_text("print('+')")
    told = ask(Violated, "session.submit", **mine, problem="E01", program=".")
    assert "make.py (python)" in told.violation
    assert (told.solved, told.status, told.submissions_left) == (False, "active", 2)


def test_debugging_that_the_rules_allow_costs_runs_and_is_logged(
    ask: Ask, connect: Callable[..., Client], tmp_path: Path
) -> None:
    changes: dict[str, Any] = {"debug": True, "runs": 1}
    started = ask(Started, "session.init", language="brainfuck", changes=changes)
    solver = connect(METHODS, Connection(started.session, store=tmp_path / "store.sqlite"))
    solver.call("session.fetch")
    opened = solver.call("debug.open", language="brainfuck", program="+.")
    assert opened["view"]["step"] == 0
    told = solver.refuse("debug.open", language="brainfuck", program="+.")
    assert "all 1 local runs for E01 are used up" in told["message"]
    log = ask.client.call("session.export", session=started.session)["events"]
    runs = [event["body"]["debug"] for event in log if event["kind"] == "program_run"]
    assert runs == [True]


def test_debugging_that_the_rules_forbid_is_refused(
    ask: Ask, connect: Callable[..., Client], tmp_path: Path
) -> None:
    started = ask(Started, "session.init", language="brainfuck", protocol="relaxed")
    solver = connect(METHODS, Connection(started.session, store=tmp_path / "store.sqlite"))
    solver.call("session.fetch")
    told = solver.refuse("debug.open", language="brainfuck", program="+.")
    assert told["message"] == "debugging is off in protocol relaxed"
    assert solver.call("language.card", language="brainfuck")["dialect"] == "benchmark"


def test_the_table_of_protocols_can_be_read(ask: Ask, tmp_path: Path) -> None:
    rows = {row.id: row for row in ask(Rows, "session.protocols").protocols}
    assert rows["controlled"].runs == 3
    assert rows["direct"].generators == []
    (one,) = ask(Rows, "session.protocols", protocol="budget-7").protocols
    assert (one.id, one.runs) == ("budget-7", 7)
    (tmp_path / "mine.toml").write_text('extends = "primary"\nsubmissions = 0\n')
    for method, named in (("session.protocols", {}), ("session.init", {"language": "brainfuck"})):
        told = ask.client.refuse(method, **named, protocol=str(tmp_path / "mine.toml"))
        assert told["data"]["kind"] == "usage"
        assert "mine.toml: submissions: expected a positive integer" in told["message"]


def test_a_session_with_a_pack_that_is_not_installed_is_refused(ask: Ask, tmp_path: Path) -> None:
    for pack in (str(tmp_path), "nobody-has-this"):
        told = ask.client.refuse("session.init", language="brainfuck", pack=pack)
        assert "no installed pack" in told["message"]
