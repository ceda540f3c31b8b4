"""Looking through sessions without a screen: attempts, inputs, changes, flat events."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_sessions import START, MadeSession
from session_fakes import FAILING, SOLVING, open_sessions
from shell import ROOT, esoplay

from esoplay.benchmark.exports import FIELDS, SessionExport, event_lines, iso_time, read_export
from esoplay.benchmark.replay import DiffPair, OmittedLines, Replay, UsedInput, compare_programs
from esoplay.errors import UsageError
from esoplay.grading.problem import PackName
from esoplay.grading.seeds import commitment

PAGE = (ROOT / "docs" / "replay.md").read_text("utf-8")


@pytest.fixture
def made() -> MadeSession:
    session = MadeSession()
    session.run("E01", b"+.", b"one")
    session.run("E01", b"+..", b"two")
    session.run("E02", b",.", b"three")
    session.run("E01", b"+.", b"four")
    session.submit("E01", b"+..", 3)
    session.submit("E01", b"+++", None)
    session.submit("E01", b"+..", 6, [{"index": 1, "verdict": "pass", "steps": 70}])
    return session


def replay_of(made: MadeSession) -> Replay:
    return Replay(SessionExport(made.export()))


def test_attempts_are_the_runs_and_submissions_in_their_order(made: MadeSession) -> None:
    attempts = replay_of(made).attempts
    assert [(each.kind, each.problem, each.outcome, each.tone) for each in attempts] == [
        ("run", "E01", "ok", "calm"),
        ("run", "E01", "ok", "calm"),
        ("run", "E02", "ok", "calm"),
        ("run", "E01", "ok", "calm"),
        ("submission", "E01", "3 of 6", "bad"),
        ("submission", "E01", "voided", "calm"),
        ("submission", "E01", "6 of 6, solved", "good"),
    ]
    assert [each.previous for each in attempts] == [None, 0, None, 1, 3, 4, 5]
    assert [each.steps for each in attempts] == [20, 30, 20, 20, None, None, 70]
    assert [each.elapsed_ms for each in attempts][:2] == [1000, 2000]
    assert replay_of(made).solved_count == 1


def test_inputs_of_a_problem_and_program_are_listed_nearest_first(
    made: MadeSession,
) -> None:
    replay = replay_of(made)
    assert replay.inputs(replay.attempts[0]) == [
        UsedInput(b"one", (0,)),
        UsedInput(b"four", (3,)),
        UsedInput(b"two", (1,)),
    ]
    assert [used.data for used in replay.inputs(replay.attempts[4])] == [b"two", b"four", b"one"]
    assert [used.data for used in replay.inputs(replay.attempts[2])] == [b"three"]


def test_tests_are_offered_where_the_solver_was_shown_them(made: MadeSession) -> None:
    shown = {"index": 1, "verdict": "pass", "steps": 7, "input": "in", "expected": "out"}
    made.submit("E03", b",", 1, [shown, {"index": 2, "verdict": "fault", "steps": 9}])
    replay = replay_of(made)
    assert replay.inputs(replay.attempts[-1]) == [UsedInput(b"in", (7,), b"out")]
    assert replay.attempts[-1].steps == 9
    made.submit("E03", b",", 1, [{**shown, "input": "\ud800"}])
    replay = replay_of(made)
    assert replay.inputs(replay.attempts[-1]) == [UsedInput(b"\\ud800", (8,), b"out")]


def test_changes_are_relative_to_the_previous_attempt_on_the_same_problem(
    made: MadeSession,
) -> None:
    replay = replay_of(made)
    assert replay.difference(replay.attempts[2]) is None
    changed = replay.difference(replay.attempts[1])
    assert changed is not None
    assert (changed.removed, changed.added) == (1, 1)
    same = replay.difference(replay.attempts[6])
    assert same is not None
    assert not same.is_equal


PROGRAMS = st.lists(st.sampled_from([b"+", b"-", b"[>+<-]", b"", b",.,."]), max_size=30)


@given(PROGRAMS, PROGRAMS)
def test_a_difference_holds_both_versions(old: list[bytes], new: list[bytes]) -> None:
    before, after = b"\n".join(old), b"\n".join(new)
    diff = compare_programs(before, after)
    assert diff.is_equal == (before == after)
    left, right = before.split(b"\n"), after.split(b"\n")
    told = {"old": 0, "new": 0}
    for row in diff.rows:
        if isinstance(row, OmittedLines):
            here = slice(told["old"], told["old"] + row.lines)
            there = slice(told["new"], told["new"] + row.lines)
            assert left[here] == right[there]
            told = {side: count + row.lines for side, count in told.items()}
            continue
        for name, side, lines in (("old", row.old, left), ("new", row.new, right)):
            if side is not None:
                assert lines[side.number - 1] == side.text
                assert side.number == told[name] + 1
                told[name] += 1
        if row.same:
            assert row.old is not None
            assert row.new is not None
            assert row.old.text == row.new.text
    assert told == {"old": len(left), "new": len(right)}


def test_changes_within_a_line_are_reported() -> None:
    diff = compare_programs(b"++[>.<-]", b"++[>,<-]!")
    (pair,) = diff.rows
    assert isinstance(pair, DiffPair)
    assert pair.old is not None
    assert pair.new is not None
    assert pair.old.changed == ((4, 5),)
    assert pair.new.changed == ((4, 5), (8, 9))


def test_changes_too_large_to_match_are_shown_as_one_replacement() -> None:
    old = b"head\n" + b"+\n" * 3000 + b"tail"
    new = b"head\n" + b"-\n" + b"+\n" * 3000 + b"-\ntail"
    diff = compare_programs(old, new)
    assert (diff.removed, diff.added) == (3000, 3002)
    assert isinstance(diff.rows[0], DiffPair)
    assert diff.rows[0].same


# Exports


def test_an_invalid_export_is_refused(made: MadeSession) -> None:
    whole = made.export()
    assert read_export(json.dumps(whole).encode()).session == "0123456789ab"
    bad: list[Any] = [b"", b"[]", b"{}", b"[" * 100_000, b"\xff"]
    changes: list[dict[str, Any]] = [
        {"events": [{}]},
        {"events": None},
        {"programs": []},
        {"protocol": None},
        {"format": "another"},
        {"events": [{**whole["events"][0], "seq": 1e999}]},
        {"events": [{**whole["events"][1], "body": {"problem": []}}]},
        {"events": [{**whole["events"][-1], "body": {"number": {}}}]},
    ]
    for change in changes:
        bad.append(json.dumps({**whole, **change}).encode())
    for name in ("events", "inputs", "session"):
        bad.append(json.dumps({key: whole[key] for key in whole if key != name}).encode())
    for data in bad:
        with pytest.raises(UsageError, match="not an export of a session"):
            read_export(data)


@pytest.mark.parametrize("damage", ["gone", "other bytes", "no base64"])
def test_a_missing_or_damaged_program_is_reported(made: MadeSession, damage: str) -> None:
    export = copy.deepcopy(made.export())
    name = next(iter(export["programs"]))
    if damage == "gone":
        del export["programs"][name]
    else:
        export["programs"][name] = "AAAA" if damage == "other bytes" else "!"
    with pytest.raises(UsageError, match=f"program {name[:12]}"):
        Replay(SessionExport(export))


# Events as lines


def documented() -> dict[str, str]:
    """Field → type, as the page has them."""
    table = PAGE.partition("| field | type |")[2]
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", table, re.MULTILINE)
    return {name: kind.strip() for name, kind in rows}


TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "number": (int,),
    "true or false": (bool,),
}


def check_line(line: dict[str, Any]) -> None:
    """A line is as the page says."""
    told = documented()
    assert list(line) == list(told)
    for name, value in line.items():
        kind, _, rest = told[name].partition(" or null")
        assert not rest
        if value is None:
            assert "null" in told[name], name
        else:
            assert type(value) in TYPES[kind], name


def test_every_field_is_documented() -> None:
    assert list(documented()) == list(FIELDS)


def test_lines_are_as_documented_in_a_session_that_was_played(tmp_path: Path) -> None:
    with open_sessions(tmp_path) as sessions:
        session = sessions.init("brainfuck", "primary", solver="me").session
        sessions.fetch(session)
        sessions.submit(session, "E01", FAILING, request_id="r1")
        sessions.submit(session, "E01", SOLVING)
        sessions.fetch(session)
        sessions.close_session(session)
        export = SessionExport(sessions.export(session).as_json())
    lines = list(event_lines(export))
    for line in lines:
        check_line(json.loads(json.dumps(line)))
    assert [line["seq"] for line in lines] == [*range(1, len(lines) + 1)]
    graded = [line for line in lines if line["kind"] == "submission_graded"]
    assert [(line["passed"], line["solved"], line["status"]) for line in graded] == [
        (2, False, "active"),
        (6, True, "solved"),
    ]
    reserved = [line for line in lines if line["kind"] == "submission_reserved"]
    assert reserved[0]["request_id"] == "r1"
    assert graded[0]["program_sha256"] == reserved[0]["program_sha256"]
    assert graded[0]["program_size"] == len(FAILING)
    assert {line["solver"] for line in lines} == {"me"}


def test_event_lines_show_the_files_of_the_workspace(tmp_path: Path) -> None:
    desk = tmp_path / "desk"
    with open_sessions(tmp_path) as sessions:
        session = sessions.init("brainfuck", "host-python", workspace=desk).session
        sessions.fetch(session)
        (desk / "tape.py").write_text("x")
        sessions.submit(session, "E01", SOLVING)
        sessions.fetch(session)
        (desk / "gen.rb").write_text("x")
        sessions.submit(session, "E02", SOLVING)
        lines = list(event_lines(SessionExport(sessions.export(session).as_json())))
    for line in lines:
        check_line(json.loads(json.dumps(line)))
    first, second = (line for line in lines if line["kind"] == "submission_reserved")
    assert (first["workspace_seen"], first["generators"]) == (True, "python")
    assert (second["workspace_files"], second["generators"]) == (5, "python,ruby")
    assert (second["files_new"], second["generators_reused"]) == (1, 1)
    assert "gen.rb" in second["violation"]
    assert lines[0]["workspace_seen"] is None


def test_lines_of_runs_and_voided_submissions_are_as_documented(made: MadeSession) -> None:
    lines = list(event_lines(SessionExport(made.export())))
    for line in lines:
        check_line(line)
    run = lines[1]
    assert (run["kind"], run["input_size"], run["status"], run["steps"]) == (
        "program_run",
        3,
        "ok",
        20,
    )
    assert run["time"] == iso_time(START + 1000) == "2026-01-01T00:00:01.000Z"
    voided = next(line for line in lines if line["kind"] == "submission_voided")
    assert (voided["reason"], voided["program_size"]) == ("the worker vanished", 3)


def test_events_of_later_versions_are_lines_too(made: MadeSession) -> None:
    export = made.export()
    export["events"].append(
        {"seq": 99, "time_ms": START, "kind": "sighed", "body": {"depth": 3}, "head": "f" * 64}
    )
    last = list(event_lines(SessionExport(export)))[-1]
    assert (last["kind"], last["problem"], last["head"]) == ("sighed", None, "f" * 64)


# The commands


def test_the_commands_print_a_session(made: MadeSession, tmp_path: Path) -> None:
    file = tmp_path / "session.json"
    file.write_text(json.dumps(made.export()))
    listed = esoplay("session", "replay", file, "--list")
    assert listed.returncode == 0
    rows = listed.stdout.decode().splitlines()
    assert len(rows) == 7
    assert rows[4].split()[:6] == ["0:00:05", "E01", "submission", "1", "3", "of"]
    assert b"4 runs, 3 submissions, 1 solved problem" in listed.stderr
    table = json.loads(esoplay("session", "replay", file, "--json").stdout)
    assert [each["attempt"] for each in table["attempts"]] == [1, 2, 3, 4, 5, 6, 7]
    assert table["attempts"][1]["previous"] == 1
    blind = esoplay("session", "replay", file)
    assert (blind.returncode, blind.stdout) == (2, b"")
    assert b"--list" in blind.stderr
    file.write_text(json.dumps({**made.export(), "session": "\x1b[2J"}))
    steered = esoplay("session", "replay", file, "--list")
    assert b"\x1b" not in steered.stdout + steered.stderr
    assert rb"session \x1b[2J" in steered.stderr
    lines = esoplay("session", "events", file).stdout.splitlines()
    assert [json.loads(line)["seq"] for line in lines] == [*range(1, 12)]


# A seed that was revealed

COPY = """\
def solve(text):
    return text


def cases(rng):
    for _ in range(6):
        yield "word", rng.text("abc", 6, 9)
"""


def test_hidden_tests_are_offered_once_the_seed_is_revealed(tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    folder = pack / "T1-copy"
    folder.mkdir(parents=True)
    (pack / "pack.toml").write_text(
        'format = 1\nid = "tiny"\nversion = "7"\ntitle = "Tiny"\n'
        'tiers = ["easy"]\ncategories = ["strings"]\n'
    )
    (folder / "problem.toml").write_text(
        'id = "T1"\ntitle = "Copy"\ntier = "easy"\ncategory = "strings"\n'
        'hints = ["a", "b", "c"]\n[[examples]]\ninput = "abc"\noutput = "abc"\n'
        '[classes]\nword = "Some letters."\n[ranges]\nlength = [0, 9]\n'
    )
    (folder / "statement.md").write_text("Copy the input.\n")
    (folder / "judge.py").write_text(COPY)
    seed = bytes(range(32))
    session = MadeSession()
    session.submit("T1", b",", 0)
    name = PackName("tiny", "7")
    promise = commitment(seed, bytes(16), name)
    export = {**session.export(), "closed": True, "seed_commitment": promise}
    export["pack"] = {"id": name.id, "version": name.version}
    replay = Replay(SessionExport(export))
    (attempt,) = replay.attempts
    assert replay.inputs(attempt) == []
    for wrong, reason in (
        ({"closed": False}, "only after the session is closed"),
        ({"pack": {"id": "tiny", "version": "8"}}, "played with pack tiny 8; found tiny 7"),
        ({"seed_commitment": "blake2b:00:00"}, "seed does not match"),
    ):
        with pytest.raises(UsageError, match=reason):
            Replay(SessionExport({**export, **wrong})).reveal(seed, pack)
    with pytest.raises(UsageError, match="seed does not match"):
        replay.reveal(bytes(32), pack)
    replay.reveal(seed, pack)
    tests = replay.inputs(attempt)
    assert len(tests) == 6
    assert all(used.expected == used.data for used in tests)
