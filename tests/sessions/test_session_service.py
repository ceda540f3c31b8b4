"""Sessions as a front end sees them, with a small pack and a grader that needs no engine."""

from __future__ import annotations

import json
import stat
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from session_fakes import (
    EXPECTED,
    FAILING,
    SOLVING,
    TESTS,
    fake_grade,
    fake_pack,
    open_sessions,
)

from esoplay.benchmark.sessions import Sessions
from esoplay.errors import (
    RejectedCommand,
    StoreError,
    UnknownProblem,
    UnknownSession,
    UsageError,
    WorkerDied,
)
from esoplay.grading.seeds import PRACTICE_SEED, commitment_holds
from esoplay.sessions.store import GENESIS, EventStore, digest, next_head
from esoplay.sessions.vault import Vault


def begin(sessions: Sessions, protocol: str = "primary", **named: Any) -> str:
    session = sessions.init("brainfuck", protocol, **named).session
    sessions.fetch(session)
    return session


def finish(sessions: Sessions, session: str) -> None:
    for problem in ("E01", "E02", "E03"):
        sessions.fetch(session)
        sessions.submit(session, problem, SOLVING)


def test_init_shows_the_rules_and_no_statement(sessions: Sessions) -> None:
    started = sessions.init("brainfuck", solver="somebody").as_json()
    assert started.keys() == {"session", "protocol", "rules", "problems", "head"}
    assert started["protocol"] == "primary"
    assert started["problems"] == ["E01", "E02", "E03"]
    assert started["rules"]["submissions"] == 3
    assert started["rules"]["dialect"] == "benchmark"
    assert started["rules"]["limits"] == {
        "steps": 10_000_000,
        "output": 1 << 20,
        "memory": 256 << 20,
        "time": 60.0,
    }
    assert "3 per problem" in started["rules"]["text"]
    assert "Statement" not in json.dumps(started)


def test_fetch_has_the_fields_of_the_interface(sessions: Sessions) -> None:
    session = sessions.init("brainfuck").session
    shown = sessions.fetch(session).as_json()
    assert len(shown.pop("head")) == 64
    assert shown == {
        "problem": "E01",
        "title": "Title 1",
        "tier": "easy",
        "statement": "Statement 1.",
        "submissions_left": 3,
        "runs_left": None,
    }


def test_practice_shows_examples(sessions: Sessions) -> None:
    session = sessions.init("brainfuck", "practice").session
    shown = sessions.fetch(session, "e02").as_json()
    assert shown["problem"] == "E02"
    assert shown["examples"] == [{"input": "in", "output": "out"}]
    assert shown["submissions_left"] is None


def test_primary_answers_a_submission_with_a_number_only(sessions: Sessions) -> None:
    session = begin(sessions)
    answer = sessions.submit(session, "E01", FAILING).as_json()
    assert len(answer.pop("head")) == 64
    assert answer == {
        "passed": 2,
        "total": TESTS,
        "solved": False,
        "submissions_left": 2,
        "status": "active",
        "dialect": "benchmark",
    }


def test_practice_explains_every_test(sessions: Sessions) -> None:
    session = begin(sessions, "practice")
    answer = sessions.submit(session, "E01", FAILING, request_id="r")
    assert answer.tests is not None
    assert [test["verdict"] for test in answer.tests] == ["pass"] * 2 + ["wrong_answer"] * 4
    assert answer.tests[2]["expected"] == EXPECTED.decode()
    assert sessions.submit(session, "E01", FAILING, request_id="r") == answer


def test_dialects_are_pinned_by_the_protocol(tmp_path: Path) -> None:
    seen: list[tuple[str, bytes]] = []

    def grade(*args: Any, dialect: str, seed: bytes, **named: Any) -> Any:
        seen.append((dialect, seed))
        return fake_grade(*args, dialect=dialect, **named)

    with open_sessions(tmp_path, grade) as sessions:
        sessions.submit(begin(sessions, "practice"), "E01", SOLVING)
        sessions.submit(begin(sessions, seed=b"s" * 32), "E01", SOLVING)
    assert seen == [("standard", PRACTICE_SEED), ("benchmark", b"s" * 32)]


def test_a_repeated_request_gets_the_first_answer_also_after_a_restart(tmp_path: Path) -> None:
    with open_sessions(tmp_path) as sessions:
        session = begin(sessions)
        first = sessions.submit(session, "E01", FAILING, request_id="r")
        later = sessions.submit(session, "E01", FAILING, request_id="other")
    with open_sessions(tmp_path) as sessions:
        assert sessions.submit(session, "E01", FAILING, request_id="r") == first
        assert sessions.status(session).head == later.head
        with pytest.raises(RejectedCommand, match="another submission"):
            sessions.submit(session, "E01", SOLVING, request_id="r")
        solved = sessions.submit(session, "E01", SOLVING)
        assert solved.solved
        assert sessions.submit(session, "E01", FAILING, request_id="r") == first


@pytest.mark.parametrize("failure", [WorkerDied("gone"), ZeroDivisionError(), KeyboardInterrupt()])
def test_an_internal_error_voids_the_submission(tmp_path: Path, failure: BaseException) -> None:
    def grade(*args: Any, **named: Any) -> Any:
        raise failure

    with open_sessions(tmp_path, grade) as sessions:
        session = begin(sessions)
        with pytest.raises(type(failure)):
            sessions.submit(session, "E01", SOLVING)
        assert sessions.fetch(session).submissions_left == 3
        (voided,) = (
            event["body"]
            for event in sessions.export(session).as_json()["events"]
            if event["kind"] == "submission_voided"
        )
    assert voided["reason"] == f"grading did not finish: {type(failure).__name__}"
    with open_sessions(tmp_path) as sessions:
        assert sessions.submit(session, "E01", SOLVING).submissions_left == 2


@pytest.mark.parametrize(("protocol", "offered"), [("primary", False), ("practice", True)])
def test_counted_submissions_report_no_progress_and_cannot_be_cancelled(
    tmp_path: Path, protocol: str, offered: bool
) -> None:
    given: dict[str, Any] = {}

    def grade(*args: Any, **named: Any) -> Any:
        given.update(named)
        return fake_grade(*args, **named)

    with open_sessions(tmp_path, grade) as sessions:
        session = begin(sessions, protocol)
        sessions.submit(
            session, "E01", SOLVING, progress=lambda done, total: None, cancelled=lambda: False
        )
    assert (given["progress"] is not None, given["cancelled"] is not None) == (offered, offered)


def test_runs_are_logged_with_program_input_and_outcome(sessions: Sessions) -> None:
    session = begin(sessions)
    answer = sessions.run(session, b",.,.+[", b"ab")
    assert answer.outcome.status == "parse_error"
    answer = sessions.run(session, b",.,.", b"ab")
    assert answer.as_json()["stdout"] == "ab"
    assert answer.as_json()["dialect"] == "benchmark"
    data = sessions.export(session).as_json()
    runs = [event["body"] for event in data["events"] if event["kind"] == "program_run"]
    assert [run["status"] for run in runs] == ["parse_error", "ok"]
    assert runs[1]["steps"] == 4
    assert runs[1]["problem"] == "E01"
    assert (runs[1]["stdout"], runs[1]["stdout_length"]) == (digest(b"ab"), 2)
    assert b64decode(data["programs"][runs[1]["program"]]) == b",.,."
    assert b64decode(data["inputs"][runs[1]["stdin"]]) == b"ab"


def test_a_closed_session_runs_nothing(sessions: Sessions) -> None:
    session = begin(sessions)
    sessions.close_session(session)
    with pytest.raises(RejectedCommand, match="closed"):
        sessions.run(session, b"+")


def test_unknown_names_are_refused(sessions: Sessions) -> None:
    session = begin(sessions)
    with pytest.raises(UnknownProblem, match="'X99'"):
        sessions.submit(session, "X99", SOLVING)
    with pytest.raises(UnknownProblem, match="'X99'"):
        sessions.fetch(session, "X99")
    with pytest.raises(UnknownSession):
        sessions.status("0123456789ab")
    with pytest.raises(UsageError, match="no protocol 'easy'"):
        sessions.init("brainfuck", "easy")
    with pytest.raises(UsageError, match="not installed"):
        sessions.init("intercal")


def test_the_seed_is_separate_and_private(sessions: Sessions, tmp_path: Path) -> None:
    session = begin(sessions)
    file = tmp_path / "vault" / f"{session}.seed"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    seed = file.read_text().strip()
    assert len(seed) == 64
    store = b"".join(path.read_bytes() for path in tmp_path.glob("store.sqlite*") if path.is_file())
    assert seed.encode() not in store
    assert bytes.fromhex(seed) not in store
    assert seed not in json.dumps(sessions.export(session).as_json())


def test_every_session_draws_its_own_seed(sessions: Sessions, tmp_path: Path) -> None:
    seeds = {Vault(tmp_path / "vault").seed(begin(sessions)) for _ in range(5)}
    assert len(seeds) == 5


def test_the_public_seed_is_not_a_benchmark_seed(sessions: Sessions) -> None:
    with pytest.raises(UsageError, match="public"):
        sessions.init("brainfuck", "primary", seed=PRACTICE_SEED)


def test_a_seed_that_was_exchanged_grades_nothing(sessions: Sessions, tmp_path: Path) -> None:
    session = begin(sessions)
    file = tmp_path / "vault" / f"{session}.seed"
    file.write_text("00" * 32)
    with pytest.raises(StoreError, match="is not the seed that it was started with"):
        sessions.submit(session, "E01", SOLVING)
    file.unlink()
    with pytest.raises(StoreError, match="is missing"):
        sessions.submit(session, "E01", SOLVING)
    assert sessions.fetch(session).submissions_left == 3


def test_another_version_of_the_pack_is_refused(sessions: Sessions, tmp_path: Path) -> None:
    session = begin(sessions)
    store = EventStore(tmp_path / "store.sqlite")
    with Sessions(store, vault=Vault(tmp_path / "vault")) as others:
        with pytest.raises(StoreError, match="started with pack fake 7; the installed pack is"):
            others.fetch(session)
        assert others.status(session).counts["active"] == 1


def test_a_pack_whose_problems_changed_is_refused(sessions: Sessions, tmp_path: Path) -> None:
    session = begin(sessions)
    assert sessions.status(session).as_json()["tiers"]["easy"]["active"] == 1
    store = EventStore(tmp_path / "store.sqlite")
    with Sessions(store, vault=Vault(tmp_path / "vault"), pack=fake_pack(5)) as others:
        with pytest.raises(StoreError, match="was started; it then had 3 problems"):
            others.fetch(session)
        assert others.status(session).as_json()["tiers"] == {}


def test_another_generator_of_tests_is_refused(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = begin(sessions)
    monkeypatch.setattr("esoplay.benchmark.start.GENERATOR_VERSION", 77)
    with pytest.raises(
        StoreError, match=r"version \d+ of the hidden-test generator; .* 77\ntry: install"
    ):
        sessions.submit(session, "E01", SOLVING)
    assert sessions.status(session).state.submissions_left("E01") == 3


def test_a_session_whose_log_cannot_be_read_hides_no_other(
    sessions: Sessions, tmp_path: Path
) -> None:
    session = begin(sessions, solver="somebody")
    with EventStore(tmp_path / "store.sqlite") as store, store.transaction() as writer:
        writer.append("ffffffffffff", None, "session_started", {"from": "a later version"})
    readable, other = sorted(sessions.list(), key=lambda one: one.session == "ffffffffffff")
    assert (readable.session, readable.solver, readable.total) == (session, "somebody", 3)
    assert "event 1 of session ffffffffffff" in (other.error or "")


def test_the_seed_is_revealed_after_the_end_and_matches_its_commitment(sessions: Sessions) -> None:
    session = begin(sessions, seed=b"s" * 32)
    with pytest.raises(RejectedCommand, match="closed"):
        sessions.reveal(session)
    finish(sessions, session)
    revealed = sessions.reveal(session)
    assert revealed.seed == b"s" * 32
    assert commitment_holds(revealed.seed_commitment, revealed.seed, fake_pack())
    assert revealed.as_json()["seed"] == "73" * 32


def test_the_operator_may_close_a_session_early(sessions: Sessions) -> None:
    session = begin(sessions)
    assert sessions.close_session(session).as_json()["closed"]
    assert sessions.close_session(session).as_json()["closed"]
    assert len(sessions.reveal(session).seed) == 32


def test_a_seed_is_revealed_though_another_generator_is_installed_by_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_sessions(tmp_path) as sessions:
        session = begin(sessions, seed=b"s" * 32)
        sessions.close_session(session)
        promise = sessions.reveal(session).seed_commitment
        monkeypatch.setattr("esoplay.benchmark.start.GENERATOR_VERSION", 99)
        assert sessions.reveal(session).seed == b"s" * 32
    assert commitment_holds(promise, b"s" * 32, fake_pack())
    assert not commitment_holds(promise, b"s" * 32, fake_pack(), 99)


@pytest.mark.parametrize("name", ["two\nlines", "\x1b[31mred", "x" * 201, "\ud800"])
def test_a_solvers_name_is_one_line_that_can_be_printed(sessions: Sessions, name: str) -> None:
    with pytest.raises(UsageError, match="one line of at most 200 printable"):
        sessions.init("brainfuck", solver=name)
    assert sessions.list() == ()
    assert sessions.init("brainfuck", solver="Modell ä 1 " + "x" * 189).session


def test_single_tests_join_the_export_only_after_the_end(sessions: Sessions) -> None:
    session = begin(sessions)
    sessions.submit(session, "E01", FAILING)
    export = sessions.export(session).as_json()
    assert export["reports"] == {}
    finish(sessions, session)
    export = sessions.export(session).as_json()
    graded = [e["body"] for e in export["events"] if e["kind"] == "submission_graded"]
    assert len(graded) == 4
    for body in graded:
        sealed = export["reports"][body["report"]]
        assert digest(sealed.encode()) == body["report"]
        tests = json.loads(sealed)["tests"]
        assert sum(test["verdict"] == "pass" for test in tests) == body["passed"]
        assert {tuple(test) for test in tests} == {("index", "verdict", "steps")}


def test_equal_verdicts_have_different_seals(sessions: Sessions) -> None:
    session = begin(sessions)
    for _ in range(2):
        sessions.submit(session, "E01", FAILING)
    events = sessions.export(session).as_json()["events"]
    assert len({e["body"]["report"] for e in events if e["kind"] == "submission_graded"}) == 2


def test_an_export_proves_itself(sessions: Sessions) -> None:
    session = begin(sessions, solver="somebody")
    sessions.submit(session, "E01", FAILING)
    export = json.loads(json.dumps(sessions.export(session).as_json()))
    assert export["solver"] == "somebody"
    head = GENESIS
    for event in export["events"]:
        body = json.dumps(event["body"], sort_keys=True, separators=(",", ":"))
        head = next_head(head, session, event["seq"], event["time_ms"], event["kind"], body)
    assert head == export["head"] == sessions.status(session).head
    for name, text in (export["programs"] | export["inputs"]).items():
        assert digest(b64decode(text)) == name


BY_EMPTY_STACK = b'2+$"tuo">:#,_@'
"""Prints what the example asks for, where popping from an empty stack gives 0; passes two tests."""


def test_an_answer_names_the_other_dialect_if_examples_are_shown(
    sessions: Sessions,
) -> None:
    changes = {"dialect": "benchmark"}
    session = sessions.init("befunge-98", "practice", changes=changes).session
    sessions.fetch(session)
    answer = sessions.submit(session, "E01", BY_EMPTY_STACK, request_id="r").as_json()
    other = answer["other_dialect"]
    assert (answer["dialect"], other["dialect"], other["tests"]) == (
        "benchmark",
        "standard",
        "examples",
    )
    assert [each["option"] for each in other["causes"]] == ["underflow"]
    assert sessions.submit(session, "E01", BY_EMPTY_STACK, request_id="r").as_json() == answer
    solved = sessions.submit(session, "E01", SOLVING).as_json()
    assert "other_dialect" not in solved


def test_where_examples_are_not_shown_nothing_is_run_in_another_dialect(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*_: object, **__: object) -> None:
        raise AssertionError("a program was run in another dialect")

    monkeypatch.setattr("esoplay.sessions.referee.find_other_dialect", run)
    session = sessions.init("befunge-98", "primary").session
    sessions.fetch(session)
    answer = sessions.submit(session, "E01", BY_EMPTY_STACK).as_json()
    assert answer["dialect"] == "benchmark"
    assert "other_dialect" not in answer
