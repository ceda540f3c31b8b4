"""Verifying an export: what was altered, reordered, left out or made up is found."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from session_fakes import FAILING, SOLVING, open_sessions

from esoplay.cli.main import main
from esoplay.errors import UsageError
from esoplay.grading import report
from esoplay.grading.grader import grade
from esoplay.grading.packs import load_pack
from esoplay.grading.report import GradeReport
from esoplay.running.outcome import Outcome
from esoplay.running.worker import Cancelled
from esoplay.service.repeating import compare, tasks_of
from esoplay.service.sessions import Sessions
from esoplay.service.verification import verify_export
from esoplay.sessions.audit import audit
from esoplay.sessions.events import Event
from esoplay.sessions.past import CAUSES
from esoplay.sessions.store import GENESIS, EventStore, body_text, chain, digest
from esoplay.sessions.vault import Vault

Json = dict[str, Any]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Json:
    """A closed session with every kind of event in it."""
    folder = tmp_path_factory.mktemp("played")

    def grade_or_die(*args: Any, **named: Any) -> GradeReport:
        if args[2] == b"die":
            raise RuntimeError
        return fake(*args, **named)

    from session_fakes import fake_grade as fake

    with open_sessions(folder, grade_or_die) as sessions:
        session = sessions.init("brainfuck", "primary", solver="Zoë").session
        sessions.fetch(session)
        sessions.run(session, b",.", b"\xff\0xy")
        with pytest.raises(RuntimeError):
            sessions.submit(session, "E01", b"die")
        for program in (FAILING, SOLVING):
            sessions.submit(session, "E01", program, request_id=program.decode())
        sessions.fetch(session)
        sessions.submit(session, "E02", SOLVING)
        sessions.close_session(session)
        return sessions.export(session).as_json()


@pytest.fixture(scope="module")
def text(played: Json) -> bytes:
    return json.dumps(played).encode() + b"\n"


def findings(export: Json, head: str | None = None) -> list[str]:
    return [str(finding) for finding in audit(json.dumps(export).encode(), head).findings]


def copy(export: Json) -> Json:
    return json.loads(json.dumps(export))


def rechain(export: Json) -> Json:
    """The same with a chain that holds, as a forger would compute it."""
    head = GENESIS
    for seq, event in enumerate(export["events"], 1):
        event["seq"] = seq
        body = body_text(event["body"])
        head = chain(head, export["session"], seq, event["time_ms"], event["kind"], body)
        event["head"] = head
    return export | {"head": head}


def at(export: Json, kind: str, number: int = 0) -> Json:
    return [event for event in export["events"] if event["kind"] == kind][number]


def test_every_event_is_caused_by_a_command() -> None:
    assert set(CAUSES) == set(get_args(Event))


def test_an_untouched_export_is_verified_however_it_is_laid_out(played: Json) -> None:
    assert findings(played, played["events"][3]["head"]) == []
    for layout in ({"indent": 2}, {"separators": (",", ":")}, {"ensure_ascii": False}):
        assert audit(json.dumps(played, **layout).encode()).findings == []


def test_an_export_survives_other_json_libraries(real: tuple[Json, bytes]) -> None:
    """Numbers are whole, since 60.0 is 60 in others; those write no blanks, and UTF-8."""

    def never(number: str) -> float:
        raise AssertionError(f"{number} is written in several ways")

    text = json.dumps(real[0], separators=(",", ":"), ensure_ascii=False)
    again = json.loads(text, parse_float=never)
    assert audit(json.dumps(again, ensure_ascii=False, indent=2).encode()).findings == []


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_one_changed_byte_anywhere_is_found(text: bytes, data: st.DataObject) -> None:
    where = data.draw(st.integers(0, len(text) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != text[where]))
    assert audit(text[:where] + bytes([byte]) + text[where + 1 :]).findings


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_missing_or_added_piece_is_found(text: bytes, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 2))
    end = data.draw(st.integers(start, len(text) - 1))
    piece = data.draw(st.binary(max_size=4))
    if text[start:end] != piece and text[:start] + piece + text[end:] != text[:-1]:
        assert audit(text[:start] + piece + text[end:]).findings


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=5,
)


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_a_forged_value_of_any_type_is_a_finding_and_never_raises(
    played: Json, data: st.DataObject
) -> None:
    export = copy(played)
    value = data.draw(json_values)
    place: Any = (
        export if data.draw(st.booleans()) else data.draw(st.sampled_from(export["events"]))
    )
    if place is not export and data.draw(st.booleans()):
        place = place["body"]
    if not place:
        return
    name = data.draw(st.sampled_from(sorted(place)))
    if json.dumps(place[name]) == json.dumps(value):
        return
    place[name] = value
    try:
        forged = rechain(copy(export))
    except (TypeError, ValueError, KeyError, AttributeError):
        forged = export
    for each in (export, forged):
        told = findings(each)
        harmless = {
            "size",
            "workspace",
            "inventory",
            "debug",
            "solver",
            "seq",
            "head",
            "time_ms",
            "versions",
            "reason",
            "request_id",
        }
        if "stdout" in place:  # what a run came to is found by running it again
            harmless |= {"status", "steps", "stdout", "stdout_length"}
        assert told or (each is forged and name in harmless), (name, value)


@pytest.mark.parametrize("move", ["gap", "swap", "double", "cut", "first"])
def test_a_log_with_other_events_is_found(played: Json, move: str) -> None:
    export = copy(played)
    events = export["events"]
    if move == "gap":
        del events[4]
    elif move == "swap":
        events[4], events[5] = events[5], events[4]
    elif move == "double":
        events.insert(4, events[4])
    elif move == "cut":
        del events[-1]
    else:
        del events[0]
    assert findings(export)


def test_what_was_left_out_at_the_end_is_found_by_the_head(played: Json) -> None:
    export = copy(played)
    last = at(export, "submission_graded", 1)["seq"]
    del export["events"][last:]
    names = {event["body"].get(name) for event in export["events"] for name in ("program", "stdin")}
    for member in ("programs", "inputs"):
        export[member] = {name: one for name, one in export[member].items() if name in names}
    export |= {"reports": {}, "closed": False, "head": export["events"][-1]["head"]}
    assert findings(export) == [], "a log that ends earlier is a log"
    (told,) = findings(export, played["head"])
    assert "left out" in told


@pytest.mark.parametrize(
    ("kind", "field", "value", "said"),
    [
        ("submission_graded", "passed", 3, "passed: is not what the report"),
        ("submission_graded", "status", "solved", "status: is 'solved'; the rules make it"),
        ("submission_graded", "submissions_left", 3, "submissions_left: is 3"),
        ("submission_reserved", "number", 9, "number: is 9; the rules make it 1"),
        ("submission_reserved", "problem", "E03", "E03 has not been fetched yet"),
        (
            "problem_fetched",
            "problem",
            "E02",
            "is against the rules: problems come in a fixed order",
        ),
        ("program_run", "problem", "E02", "problem: is 'E02'"),
        ("program_run", "steps", "2", "steps: expected a whole number"),
        ("submission_voided", "number", 5, "submission 5 is not being graded"),
        ("session_started", "problems", ["E01"], ""),
    ],
)
def test_a_forged_log_breaks_the_rules(
    played: Json, kind: str, field: str, value: Any, said: str
) -> None:
    """The forger mends the chain; what the rules would never have decided is found all the same."""
    export = copy(played)
    at(export, kind)["body"][field] = value
    told = findings(rechain(export))
    assert any(said in each for each in told), told


def test_an_event_after_the_end_is_against_the_rules(played: Json) -> None:
    export = copy(played)
    late = copy(at(export, "program_run"))
    export["events"].append(late)
    assert any("the session is closed" in each for each in findings(rechain(export)))


def test_an_event_that_gives_itself_another_number_is_a_finding(played: Json) -> None:
    for seq in (-13, 0, 1, 99, 10**30):
        export = copy(played)
        at(export, "submission_graded")["seq"] = seq
        assert any(", seq: expected" in each for each in findings(export))


def test_findings_tell_event_field_and_what(played: Json) -> None:
    export = copy(played)
    name = at(export, "program_run")["body"]["program"]
    export["programs"][name] = b64encode(b"another").decode()
    export["limits"]["steps"] = 7
    assert sorted(findings(export)) == [
        f"event 3, programs.{name}: these are not the bytes it names",
        "export, limits: is not what the log says",
    ]


@pytest.mark.parametrize(
    "text", [b"", b"[]", b"{}", b"\xff", b"[" * 100_000, b'{"format": "esoplay-session"}', b"NaN"]
)
def test_what_is_no_export_is_a_finding(text: bytes) -> None:
    assert audit(text).findings


def test_an_export_that_is_nested_as_deeply_as_can_be_read_is_a_finding(text: bytes) -> None:
    for depth in range(900, 1000, 9):
        nested = b'{"deep": ' + b"[" * depth + b" " + b"]" * depth + b", " + text[1:]
        assert audit(nested).findings


def test_programs_in_base64_have_one_spelling(played: Json) -> None:
    export = copy(played)
    for member in ("programs", "inputs"):
        for name, value in export[member].items():
            if value.endswith("=="):
                other = value[:-3] + chr(ord(value[-3]) + 1) + "=="
                export[member][name] = other
                assert any("not the bytes" in each for each in findings(export))
                return
    raise AssertionError("no value whose last letter has spare bits")


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> tuple[Json, bytes]:
    """A session of the own pack with its seed: two local runs, three submissions."""
    folder = tmp_path_factory.mktemp("real")
    seed = bytes(range(32))
    store = EventStore(folder / "store.sqlite")
    with Sessions(store, vault=Vault(folder / "vault"), grade=grade) as sessions:
        session = sessions.init("brainfuck", seed=seed).session
        sessions.fetch(session)
        sessions.run(session, b",[.,]", b"abc")
        sessions.run(session, b"+[]")
        solution = load_pack().problem("E01").reference("brainfuck")
        assert solution is not None
        sessions.submit(session, "E01", b"+[.]")
        sessions.submit(session, "E01", solution)
        sessions.fetch(session)
        sessions.submit(session, "E02", b",.")
        sessions.close_session(session)
        return copy(sessions.export(session).as_json()), seed


def verify(export: Json, seed: bytes | None, **named: Any) -> list[str]:
    result = verify_export(json.dumps(export).encode(), seed=seed, **named)
    return [str(finding) for finding in result.findings]


def test_with_the_seed_everything_comes_out_the_same(real: tuple[Json, bytes]) -> None:
    export, seed = real
    told: list[tuple[int, int]] = []
    result = verify_export(
        json.dumps(export).encode(),
        head=export["head"],
        seed=seed,
        jobs=2,
        progress=lambda done, total: told.append((done, total)),
    )
    assert result.verified
    assert (result.repeated, result.submissions, result.runs, result.recorded) == (True, 3, 2, 0)
    assert told == [(done, 5) for done in range(1, 6)]


def forge_verdict(export: Json, seq: int, verdicts: list[str]) -> Json:
    """Another verdict, with a report that says so and a chain that holds."""
    body = export["events"][seq - 1]["body"]
    sealed = json.loads(export["reports"].pop(body["report"]))
    for test, verdict in zip(sealed["tests"], verdicts, strict=True):
        test["verdict"] = verdict
    body["report"] = digest(json.dumps(sealed).encode())
    body["passed"] = verdicts.count("pass")
    export["reports"][body["report"]] = json.dumps(sealed)
    return rechain(export)


def forge_report(export: Json, seq: int, tests: list[Json]) -> Json:
    """No test passed by a report of these tests, in a chain that holds."""
    body = export["events"][seq - 1]["body"]
    del export["reports"][body["report"]]
    text = json.dumps({"nonce": "00", "tests": tests})
    body |= {"report": digest(text.encode()), "passed": 0, "status": "active"}
    export["reports"][body["report"]] = text
    return rechain(export)


def test_a_forged_verdict_is_found_by_grading_again(real: tuple[Json, bytes]) -> None:
    export, seed = copy(real[0]), real[1]
    seq = at(export, "submission_graded")["seq"]
    was = at(export, "submission_graded")["body"]["passed"]
    forged = forge_verdict(export, seq, ["pass"] * (was + 1) + ["wrong_answer"] * (5 - was))
    assert findings(forged) == [], "without the seed it could be true"
    told = verify(forged, seed)
    assert f"event {seq}, passed: is {was + 1} of 6; graded again it is {was} of 6" in told


def test_a_forged_run_is_found_by_running_again(real: tuple[Json, bytes]) -> None:
    export, seed = copy(real[0]), real[1]
    at(export, "program_run")["body"]["steps"] = 5
    (told,) = verify(rechain(export), seed)
    assert told.startswith("event 3, steps: is 5; run again it is ")


def test_another_seed_is_not_the_one_committed_to(real: tuple[Json, bytes]) -> None:
    (told,) = verify(real[0], bytes(32))
    assert told.startswith("event 1, seed_commitment: was not made about this seed")


def test_what_the_clock_decided_is_taken_as_recorded(real: tuple[Json, bytes]) -> None:
    export = copy(real[0])
    at(export, "program_run")["body"] |= {"status": "time_limit", "steps": 12}
    graded = at(export, "submission_graded")["seq"]
    export = forge_verdict(export, graded, ["time_limit"] * 6)
    result = verify_export(json.dumps(export).encode(), seed=real[1])
    assert (result.findings, result.recorded) == ((), 2)


def test_what_the_clock_decides_now_is_taken_as_recorded_too(real: tuple[Json, bytes]) -> None:
    look = audit(json.dumps(real[0]).encode())
    run, *_, submission = sorted(tasks_of(look), key=lambda task: task.problem or "")
    slow = Outcome("brainfuck", "benchmark", {}, "time_limit")
    assert compare(look, run, slow) == (1, [])
    tests = tuple(report.TestResult(index, None, "time_limit", 1, 1) for index in range(1, 7))
    assert compare(look, submission, GradeReport("E02", "brainfuck", "x", tests)) == (1, [])


def test_another_pack_is_said_to_be_another(real: tuple[Json, bytes]) -> None:
    for field, value in (("pack_version", "0"), ("pack", "nowhere")):
        export = copy(real[0])
        at(export, "session_started")["body"][field] = value
        export["pack"][{"pack": "id", "pack_version": "version"}[field]] = value
        with pytest.raises(UsageError, match=value):
            verify(rechain(export), real[1])


def test_another_generator_of_hidden_tests_is_said_to_be_another(real: tuple[Json, bytes]) -> None:
    export = copy(real[0])
    at(export, "session_started")["body"]["versions"]["generator"] = "0"
    export["versions"]["generator"] = "0"
    with pytest.raises(UsageError, match="generator 0 derived the hidden tests"):
        verify(rechain(export), real[1])


def test_versions_that_differ_are_noted(real: tuple[Json, bytes]) -> None:
    export = copy(real[0])
    at(export, "session_started")["body"]["versions"]["esoplay"] = "0.0.1"
    export["versions"]["esoplay"] = "0.0.1"
    result = verify_export(json.dumps(rechain(export)).encode(), seed=real[1])
    assert result.verified
    assert any(note.startswith("esoplay was 0.0.1, is ") for note in result.notes)


def test_an_export_does_not_choose_the_folder_of_a_pack(
    real: tuple[Json, bytes], tmp_path: Path
) -> None:
    """A pack's judges are code; only whoever verifies may name a folder."""
    export = copy(real[0])
    at(export, "session_started")["body"]["pack"] = str(tmp_path)
    export["pack"]["id"] = str(tmp_path)
    with pytest.raises(UsageError, match="no installed pack"):
        verify(rechain(export), real[1])


def test_verifying_can_be_called_off(real: tuple[Json, bytes]) -> None:
    with pytest.raises(Cancelled):
        verify(real[0], real[1], cancelled=lambda: True)


def test_a_session_of_practice_needs_no_seed(tmp_path: Path) -> None:
    store = EventStore(tmp_path / "store.sqlite")
    with Sessions(store, vault=Vault(tmp_path / "vault")) as sessions:
        session = sessions.init("brainfuck", "practice").session
        sessions.fetch(session, "E02")
        sessions.submit(session, "E02", b",[.,]")
        export = sessions.export(session).as_json()
    result = verify_export(json.dumps(export).encode())
    assert (result.verified, result.repeated, result.submissions) == (True, True, 1)
    seq = next(each["seq"] for each in export["events"] if each["kind"] == "submission_graded")
    for test in ({"verdict": []}, {"verdict": "wrong_answer"}, {"verdict": "fault", "steps": "3"}):
        told = verify(forge_report(copy(export), seq, [test] * 6), None)
        assert f"event {seq}, passed: is not what the report of the tests says" in told


def run_command(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["session", "verify", *arguments])
    return code, *capsys.readouterr()


def test_the_command(
    real: tuple[Json, bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(real[0]) + "\n")
    bad.write_text(json.dumps(real[0]).replace('"brainfuck"', '"befunge"', 1))
    head = real[0]["head"]
    code, said, _ = run_command(capsys, str(good), "--head", head)
    assert (code, f"head {head}: verified" in said) == (0, True)
    code, said, _ = run_command(capsys, str(good), "--seed", real[1].hex(), "--json")
    assert (code, json.loads(said)["submissions"], json.loads(said)["findings"]) == (0, 3, [])
    code, said, _ = run_command(capsys, str(bad))
    assert (code, "export, language: is not what the log says" in said) == (1, True)
    code, said, _ = run_command(capsys, str(good), "--head", "0" * 64, "--json")
    assert (code, json.loads(said)["findings"][0]["field"]) == (1, "head")
    for arguments in (
        [str(tmp_path / "none")],
        [str(good), "--head", "x"],
        [str(good), "--jobs", "0"],
    ):
        assert run_command(capsys, *arguments)[0] == 2
