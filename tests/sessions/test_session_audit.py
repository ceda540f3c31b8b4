"""Auditing an export without the seed: what was altered, left out or made up is found."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any, get_args

import pytest
from forgeries import Json, at, copy, findings, rechain
from hypothesis import given, settings
from hypothesis import strategies as st
from session_fakes import FAILING, SOLVING, fake_grade, open_sessions

from esoplay.grading.report import GradeReport
from esoplay.sessions.audit import CAUSES, audit
from esoplay.sessions.events import Event


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Json:
    """A closed session with every kind of event in it."""
    folder = tmp_path_factory.mktemp("played")

    def grade_or_die(*args: Any, **named: Any) -> GradeReport:
        if args[2] == b"die":
            raise RuntimeError
        return fake_grade(*args, **named)

    with open_sessions(folder, grade_or_die) as sessions:
        session = sessions.init("brainfuck", "primary", solver="Zoë").session
        sessions.fetch(session)
        sessions.run(session, b",.", b"\xff\0xy")
        sessions.accept_visible_processes(session, "user 1001 can see processes")
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


def test_every_event_is_caused_by_a_command() -> None:
    assert set(CAUSES) == set(get_args(Event))


def test_an_untouched_export_is_verified_however_it_is_laid_out(played: Json) -> None:
    assert findings(played, played["events"][3]["head"]) == []
    for layout in ({"indent": 2}, {"separators": (",", ":")}, {"ensure_ascii": False}):
        assert audit(json.dumps(played, **layout).encode()).findings == []


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


@pytest.mark.slow
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
        if "stdout" in place:  # the result of a run is checked by running it again
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


def test_events_missing_at_the_end_are_detected_by_the_head(played: Json) -> None:
    export = copy(played)
    last = at(export, "submission_graded", 1)["seq"]
    del export["events"][last:]
    names = {event["body"].get(name) for event in export["events"] for name in ("program", "stdin")}
    for member in ("programs", "inputs"):
        export[member] = {name: one for name, one in export[member].items() if name in names}
    export |= {"reports": {}, "closed": False, "head": export["events"][-1]["head"]}
    assert findings(export) == [], "a log that ends earlier is a log"
    (told,) = findings(export, played["head"])
    assert "are missing" in told


@pytest.mark.parametrize(
    ("kind", "field", "value", "said"),
    [
        ("submission_graded", "passed", 3, "passed: contradicts the report"),
        ("submission_graded", "status", "solved", "status: is 'solved'; by the rules it must be"),
        ("submission_graded", "submissions_left", 3, "submissions_left: is 3"),
        ("submission_reserved", "number", 9, "number: is 9; by the rules it must be 1"),
        ("submission_reserved", "problem", "E03", "E03 has not been fetched yet"),
        (
            "problem_fetched",
            "problem",
            "E02",
            "is against the rules: problems come in a fixed order",
        ),
        ("program_run", "problem", "E02", "problem: is 'E02'"),
        ("program_run", "steps", "2", "steps: expected an integer"),
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


def test_findings_show_event_field_and_what(played: Json) -> None:
    export = copy(played)
    name = at(export, "program_run")["body"]["program"]
    export["programs"][name] = b64encode(b"another").decode()
    export["limits"]["steps"] = 7
    assert sorted(findings(export)) == [
        f"event 3, programs.{name}: the bytes do not match this digest",
        "export, limits: contradicts the log",
    ]


@pytest.mark.parametrize(
    "text", [b"", b"[]", b"{}", b"\xff", b"[" * 100_000, b'{"format": "esoplay-session"}', b"NaN"]
)
def test_an_invalid_export_is_a_finding(text: bytes) -> None:
    assert audit(text).findings


@pytest.mark.slow
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
                assert any("bytes do not match" in each for each in findings(export))
                return
    raise AssertionError("no value whose last letter has spare bits")
