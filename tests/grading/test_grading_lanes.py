"""Grading in host lanes: by the same tests, alone, in a batch, in a session, and the proof."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from selection import slow_except
from shell import esoplay

from esolangs.errors import UnknownLanguage
from esoplay.errors import UsageError
from esoplay.grading.packs import load_pack
from esoplay.packs import proofs
from esoplay.packs.grading import grade_examples, grade_source
from esoplay.programs.execution import language_for
from esoplay.programs.host_lanes import language_id_for
from esoplay.running.host.lanes import find_lane, lane_ids
from esoplay.running.host.runner import HostRunner
from esoplay.running.host.toolchain import find_toolchain
from esoplay.sessions.target import find_target

PACK = load_pack()
SLICE = ("M13", "H20")
INSTALLED = [id for id in lane_ids() if find_toolchain(find_lane(id)) is not None]


def test_every_problem_has_a_reference_in_python() -> None:
    assert all(problem.reference("python") for problem in PACK)


@pytest.mark.parametrize("id", SLICE)
def test_references_pass(id: str) -> None:
    source = PACK.problem(id).reference("python")
    assert source is not None
    assert grade_source(id, "python", source).solved


def test_output_with_an_extra_newline_fails_an_exact_comparison() -> None:
    report = grade_examples("E01", "python", b'print("Hello World!")')
    assert {test.verdict for test in report.tests} == {"wrong_answer"}


@pytest.mark.parametrize("id", slow_except(INSTALLED, "python"))
def test_starters_are_programs_that_fail(id: str) -> None:
    with HostRunner() as runner:
        report = grade_examples("E01", id, PACK.problem("E01").starter(id), worker=runner)
    assert {test.verdict for test in report.tests} == {"wrong_answer"}


def test_languages_and_lanes_are_found_by_id_and_by_extension() -> None:
    assert language_id_for("a.py") == "python"
    assert language_id_for("a.bf") == "brainfuck"
    assert language_id_for("a.bf", "Rust") == "rust"
    with pytest.raises(UsageError, match=r"no installed language has files ending in '\.cobol'"):
        language_id_for("a.cobol")
    with pytest.raises(UsageError, match="host lanes: go, javascript, python"):
        language_id_for("a.py", "cobol")


@pytest.mark.parametrize("named", [("a.py", None), ("-", "Python")])
def test_commands_for_esoteric_languages_refuse_lanes(
    named: tuple[str, str | None],
) -> None:
    with pytest.raises(
        UsageError, match="Python is a host lane, whose programs esoplay can only grade"
    ):
        language_for(*named)


def test_an_unknown_language_is_refused_with_a_list_that_includes_lanes() -> None:
    with pytest.raises(UnknownLanguage, match=r"installed: .*brainfuck.*; host lanes: go, java"):
        find_target("cobol", "standard")


def test_a_reference_of_a_lane_can_be_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "MISTAKE_SEEDS", 1)
    report = proofs.verify("python", "E01", seeds=[b"x" * 32])
    assert (report.solved, report.total, report.exit_code) == (1, 1, 0)
    (cell,) = report.cells
    assert (cell.by_hand, cell.dialect, cell.steps) == (True, "standard", 0)


@pytest.mark.slow
def test_the_command_and_a_batch_grade_programs_of_a_lane(tmp_path: Path) -> None:
    (tmp_path / "echo.py").write_text("print(open(0).read(), end='')")
    done = esoplay("grade", "echo.py", "--problem", "E02", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert b"python, standard" in done.stdout
    assert b"steps" not in done.stdout
    lines: list[dict[str, Any]] = [
        {"problem": "E02", "path": "echo.py"},
        {"problem": "E02", "language": "python", "program": "print("},
        {"problem": "E02", "language": "brainfuck", "program": ",[.,]"},
    ]
    (tmp_path / "all.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    done = esoplay("grade", "--batch", "all.jsonl", "--jobs", "1", cwd=tmp_path)
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert [result["solved"] for result in results] == [True, False, True]
    assert {test["verdict"] for test in results[1]["tests"]} == {"parse_error"}


@pytest.mark.slow
def test_a_session_in_a_lane_is_played_and_verified(tmp_path: Path) -> None:
    bench = tmp_path / "bench"

    def session(*args: str) -> Any:
        done = esoplay("session", *args, "--json", cwd=bench if bench.exists() else tmp_path)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    session("init", "--language", "python", "--workspace", "bench", "--protocol", "practice")
    told = (bench / "AGENTS.md").read_text()
    assert "### Python" in told
    assert "steps" not in told.partition("## Limits")[2]
    (bench / "a.py").write_text('print("Hello World!", end="")')
    session("fetch")
    assert session("run", "a.py")["stdout"] == "Hello World!"
    assert session("submit", "E01", "a.py")["solved"]
    session("export", "-o", "log.json")
    verified = session("verify", "log.json")
    assert (verified["verified"], verified["repeated"], verified["submissions"]) == (True, True, 1)
