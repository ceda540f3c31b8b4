"""The table of protocols, and rows of one's own."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from protocol_rows import ANY_PROTOCOL
from session_fakes import SOLVING

from esoplay.benchmark.sessions import Sessions
from esoplay.errors import UsageError
from esoplay.sessions.audit import audit, read_event
from esoplay.sessions.protocols import (
    FIELDS,
    PROTOCOLS,
    Protocol,
    find_protocol,
    format_field,
    parse_changes,
    protocol_from_json,
    read_protocol,
    resolve_protocol,
)
from esoplay.sessions.store import EventStore

PRIMARY = PROTOCOLS["primary"]


def differences(id: str) -> dict[str, Any]:
    """What a published row has otherwise than ``primary``."""
    row = asdict(PROTOCOLS[id])
    return {
        name: value
        for name, value in row.items()
        if value != getattr(PRIMARY, name) and name not in ("id", "purpose")
    }


def test_the_published_rows_match_the_agent_paper() -> None:
    assert (PRIMARY.runs, PRIMARY.submissions, PRIMARY.skip) == (None, 3, "when-exhausted")
    assert (PRIMARY.feedback, PRIMARY.revisit, PRIMARY.debug) == ("count", "never", False)
    assert differences("controlled") == {"runs": 3, "submissions": 1, "skip": "never"}
    assert [differences(f"budget-{n}") for n in (3, 5, 15, 30)] == [
        {"runs": n} for n in (3, 5, 15, 30)
    ]
    assert differences("budget-inf") == {}
    assert differences("direct") == {"shell": False, "generators": (), "files": "own"}
    for host in ("python", "javascript", "rust"):
        assert differences(f"host-{host}") == {"generators": (host,)}
    assert differences("library") == {"material": "library"}
    assert differences("text") == {"material": "text"}
    assert differences("relaxed") == {"skip": "free", "revisit": "skipped"}
    practice = PROTOCOLS["practice"]
    assert (practice.runs, practice.submissions, practice.feedback) == (None, None, "explained")
    assert [one.id for one in PROTOCOLS.values() if one.debug] == ["practice"]


@pytest.mark.parametrize("runs", [0, 1, 7, 200])
def test_a_protocol_budget_n_exists_for_every_number_of_runs(runs: int) -> None:
    budget = find_protocol(f"budget-{runs}")
    assert (budget.id, budget.runs, budget.submissions) == (f"budget-{runs}", runs, 3)


@pytest.mark.parametrize("id", ["budget-", "budget--1", "budget-07", "budget-1e3", "budget-x", ""])
def test_an_invalid_budget_is_not_a_protocol(id: str) -> None:
    with pytest.raises(UsageError, match="no protocol"):
        find_protocol(id)


@given(ANY_PROTOCOL)
def test_every_row_survives_a_round_trip_through_json(row: Protocol) -> None:
    assert protocol_from_json(json.loads(json.dumps(asdict(row)))) == row


def old_row(public: bool, revisit: bool) -> dict[str, Any]:
    """A row as version 0.1.0 wrote it."""
    return {
        "id": "practice" if public else "primary",
        "purpose": "y",
        "dialect": "benchmark",
        "runs": None,
        "submissions": 3,
        "skip": "free",
        "order": "forward",
        "feedback": "count",
        "examples": False,
        "revisit": revisit,
        "public_seed": public,
    }


def old_start(row: dict[str, Any]) -> dict[str, Any]:
    """The first event of a log of version 0.1.0."""
    return {
        "session": "0123456789ab",
        "language": "brainfuck",
        "protocol": row,
        "pack": "fake",
        "pack_version": "7",
        "problems": ["E01", "E02", "E03"],
        "seed_commitment": "blake2b:00:00",
        "versions": {"esoplay": "0.1.0"},
        "limits": {"steps": 10_000, "output": 1000, "memory": 1 << 20, "time": 9.0},
    }


@pytest.mark.parametrize(
    ("public", "revisit", "now"), [(False, False, "never"), (True, True, "all")]
)
def test_a_row_of_an_earlier_version_means_what_it_meant(
    public: bool, revisit: bool, now: str
) -> None:
    row = old_row(public, revisit)
    read = protocol_from_json(row)
    assert (read.revisit, read.debug) == (now, public)
    assert (read.generators, read.files, read.material, read.base) == (None, "any", "none", None)
    started = read_event("session_started", old_start(row))
    assert getattr(started, "protocol") == read  # noqa: B009


def test_a_session_of_an_earlier_version_continues(sessions: Sessions, tmp_path: Path) -> None:
    start = old_start(old_row(public=True, revisit=True))
    with EventStore(tmp_path / "store.sqlite") as store, store.transaction() as writer:
        writer.append(start["session"], None, "session_started", start)
    session = start["session"]
    assert sessions.fetch(session).problem == "E01"
    assert sessions.submit(session, "E01", SOLVING).solved
    assert sessions.fetch(session, "E01").problem == "E01", "a solved problem may be taken up"
    (row,) = sessions.list()
    assert (row.protocol, row.solved) == ("practice", 1)
    export = sessions.export(session).as_json()
    assert export["protocol"] == start["protocol"], "as it was written"
    assert not audit(json.dumps(export).encode()).findings


def file(folder: Path, text: str, name: str = "mine.toml") -> Path:
    (folder / name).write_text(text, "utf-8")
    return folder / name


def test_a_file_changes_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    text = 'extends = "budget-9"\nsubmissions = "unlimited"\ngenerators = ["rust", "c++"]\n'
    row = resolve_protocol(str(file(tmp_path, text)))
    assert (row.id, row.base) == ("mine", "budget-9")
    assert (row.runs, row.submissions, row.generators) == (9, None, ("c++", "rust"))
    assert row.skip == PRIMARY.skip


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("submissions = 1", 'extends: expected the name of a protocol, such as "primary"'),
        ('extends = "primry"', "extends: no protocol 'primry'"),
        ('extends = "primary"\nsubmission = 1', "unknown field 'submission'; expected"),
        ('extends = "primary"\nsubmissions = 0', "submissions: expected a positive integer"),
        ('extends = "primary"\nruns = -1', "runs: expected a non-negative integer"),
        ('extends = "primary"\nruns = true', "runs: expected a non-negative integer"),
        ('extends = "primary"\nruns = 1.5', "runs: expected a non-negative integer"),
        ('extends = "primary"\nskip = "always"', 'skip: expected "never" | "when-exhausted"'),
        ('extends = "primary"\nskip = ["free"]', "skip: expected"),
        ('extends = "primary"\ndebug = "yes"', "debug: expected true or false; got 'yes'"),
        ('extends = "primary"\ngenerators = ["cobol85"]', 'generators: expected "any", or a list'),
        ('extends = "primary"\ngenerators = [[]]', "generators: expected"),
        ('extends = "primary"\nfeedback = "explained"', "needs public_seed = true"),
        ('extends = "primary"\nid = "practice"', "id: practice is a published protocol"),
        ('extends = "primary"\nid = "budget-77"', "id: budget-77 is a published protocol"),
        ('extends = "primary"\nid = "A b"', "id: expected lower-case letters"),
        ('extends = "primary"\nbase = "x"', "unknown field 'base'"),
        ("extends = ", "mine.toml"),
        ("x = " + "[" * 10_000, "mine.toml"),
        ("#" + "x" * 100_000, "has at most 65536 bytes"),
    ],
)
def test_a_mistake_is_reported_by_file_field_and_expectation(
    tmp_path: Path, text: str, told: str
) -> None:
    path = file(tmp_path, text)
    with pytest.raises(UsageError) as raised:
        read_protocol(path)
    message = str(raised.value)
    assert message.startswith(f"{path}: ")
    assert told in message
    assert len(message) < 1000


def test_a_file_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read the protocol file"):
        resolve_protocol(str(tmp_path / "none.toml"))
    (tmp_path / "latin.toml").write_bytes(b'extends = "prim\xe4r"')
    with pytest.raises(UsageError, match=r"latin\.toml"):
        read_protocol(tmp_path / "latin.toml")


def test_single_changes_are_reported_in_the_name() -> None:
    changes = parse_changes(["feedback=per-test", "submissions=1", 'generators=["python"]'])
    row = resolve_protocol("primary", changes)
    assert row.id == "primary+submissions=1+feedback=per-test+generators=python"
    assert row.base == "primary"
    assert resolve_protocol("primary", {"submissions": 3}) is PRIMARY
    assert resolve_protocol("practice", {"debug": True}) is PROTOCOLS["practice"]
    assert resolve_protocol("direct", {"generators": "any"}).id == "direct+generators=any"
    with pytest.raises(UsageError, match="unknown field 'purpose'"):
        resolve_protocol("primary", {"purpose": "another"})


@pytest.mark.parametrize(
    ("typed", "told"), [(["runs"], "FIELD=VALUE"), (["runs=1", "runs=2"], "given twice")]
)
def test_a_change_is_typed_as_a_field_and_a_value(typed: list[str], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        parse_changes(typed)


def test_every_field_can_be_changed_but_the_names() -> None:
    assert FIELDS.keys() | {"id", "base"} == {field.name for field in fields(Protocol)}


@given(ANY_PROTOCOL)
def test_the_shown_form_of_a_field_can_be_typed(row: Protocol) -> None:
    for name, field in FIELDS.items():
        shown = format_field(row, name)
        if name == "generators" and shown != "any":
            typed: Any = [] if shown == "none" else shown.split(",")
            assert set(field.read(typed)) == set(row.generators or ())
        else:
            assert field.read(parse_changes([f"{name}={shown}"])[name]) == getattr(row, name)
