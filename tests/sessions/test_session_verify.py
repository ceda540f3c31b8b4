"""Verifying an export with the seed: what was made up is found by doing everything again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from forgeries import Json, at, copy, findings, rechain

from esoplay.benchmark.sessions import Sessions
from esoplay.benchmark.verification import compare, find_tasks, verify_export
from esoplay.cli.main import main
from esoplay.errors import UsageError
from esoplay.grading import report
from esoplay.grading.grader import grade
from esoplay.grading.packs import load_pack
from esoplay.grading.report import GradeReport
from esoplay.running.run import Outcome
from esoplay.running.worker import RunCancelled
from esoplay.sessions.audit import audit
from esoplay.sessions.store import EventStore, digest
from esoplay.sessions.vault import Vault


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


def test_an_export_survives_other_json_libraries(real: tuple[Json, bytes]) -> None:
    """Numbers are whole, since other libraries write 60.0 as 60, UTF-8, and no whitespace."""

    def never(number: str) -> float:
        raise AssertionError(f"{number} is written in several ways")

    text = json.dumps(real[0], separators=(",", ":"), ensure_ascii=False)
    again = json.loads(text, parse_float=never)
    assert audit(json.dumps(again, ensure_ascii=False, indent=2).encode()).findings == []


def verify(export: Json, seed: bytes | None, **named: Any) -> list[str]:
    result = verify_export(json.dumps(export).encode(), seed=seed, **named)
    return [str(finding) for finding in result.findings]


def test_with_the_seed_all_verdicts_are_reproduced(real: tuple[Json, bytes]) -> None:
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
    assert f"event {seq}, passed: recorded as {was + 1} of 6; regrading gives {was} of 6" in told


def test_a_forged_run_is_found_by_running_again(real: tuple[Json, bytes]) -> None:
    export, seed = copy(real[0]), real[1]
    at(export, "program_run")["body"]["steps"] = 5
    (told,) = verify(rechain(export), seed)
    assert told.startswith("event 3, steps: recorded as 5; the repeated run gives ")


def test_another_seed_is_not_the_one_committed_to(real: tuple[Json, bytes]) -> None:
    (told,) = verify(real[0], bytes(32))
    assert told.startswith("event 1, seed_commitment: does not match this seed")


def test_time_limits_are_taken_as_recorded(real: tuple[Json, bytes]) -> None:
    export = copy(real[0])
    at(export, "program_run")["body"] |= {"status": "time_limit", "steps": 12}
    graded = at(export, "submission_graded")["seq"]
    export = forge_verdict(export, graded, ["time_limit"] * 6)
    result = verify_export(json.dumps(export).encode(), seed=real[1])
    assert (result.findings, result.recorded) == ((), 2)


@pytest.mark.parametrize("limit", ["time_limit", "work_limit"])
def test_a_result_of_a_limit_that_is_not_stored_is_accepted_as_recorded(
    real: tuple[Json, bytes], limit: str
) -> None:
    look = audit(json.dumps(real[0]).encode())
    run, *_, submission = sorted(find_tasks(look), key=lambda task: task.problem or "")
    slow = Outcome("brainfuck", "benchmark", {}, limit)
    assert compare(look, run, slow) == (1, [])
    tests = tuple(report.TestResult(index, None, limit, 1, 1) for index in range(1, 7))
    assert compare(look, submission, GradeReport("E02", "brainfuck", "x", tests)) == (1, [])


def test_another_pack_is_reported(real: tuple[Json, bytes]) -> None:
    for field, value in (("pack_version", "0"), ("pack", "nowhere")):
        export = copy(real[0])
        at(export, "session_started")["body"][field] = value
        export["pack"][{"pack": "id", "pack_version": "version"}[field]] = value
        with pytest.raises(UsageError, match=value):
            verify(rechain(export), real[1])


def test_another_generator_of_hidden_tests_is_reported(real: tuple[Json, bytes]) -> None:
    export = copy(real[0])
    at(export, "session_started")["body"]["versions"]["generator"] = "0"
    export["versions"]["generator"] = "0"
    with pytest.raises(UsageError, match="from version 0 of the test generator"):
        verify(rechain(export), real[1])


def test_versions_that_differ_are_noted(real: tuple[Json, bytes]) -> None:
    export = copy(real[0])
    at(export, "session_started")["body"]["versions"]["esoplay"] = "0.0.1"
    export["versions"]["esoplay"] = "0.0.1"
    result = verify_export(json.dumps(rechain(export)).encode(), seed=real[1])
    assert result.verified
    assert any(note.startswith("esoplay: recorded 0.0.1, installed ") for note in result.notes)


def test_an_export_does_not_choose_the_folder_of_a_pack(
    real: tuple[Json, bytes], tmp_path: Path
) -> None:
    """A pack's judges are code; only whoever verifies may name a folder."""
    export = copy(real[0])
    at(export, "session_started")["body"]["pack"] = str(tmp_path)
    export["pack"]["id"] = str(tmp_path)
    with pytest.raises(UsageError, match="no installed pack"):
        verify(rechain(export), real[1])


def test_verification_can_be_cancelled(real: tuple[Json, bytes]) -> None:
    with pytest.raises(RunCancelled):
        verify(real[0], real[1], cancelled=lambda: True)


def test_a_session_under_practice_is_verified_without_a_seed(tmp_path: Path) -> None:
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
        assert f"event {seq}, passed: contradicts the report of the tests" in told


def run_command(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["session", "verify", *arguments])
    return code, *capsys.readouterr()


def test_the_command_reports_findings_by_exit_status(
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
    assert (code, "export, language: contradicts the log" in said) == (1, True)
    code, said, _ = run_command(capsys, str(good), "--head", "0" * 64, "--json")
    assert (code, json.loads(said)["findings"][0]["field"]) == (1, "head")
    for arguments in (
        [str(tmp_path / "none")],
        [str(good), "--head", "x"],
        [str(good), "--jobs", "0"],
    ):
        assert run_command(capsys, *arguments)[0] == 2
