"""A program that passes in one dialect only: both dialects are named, and why."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from grading_packs import write_pack

from esolangs.dialects import DialectDifference
from esolangs.language import Language
from esolangs.limits import Limits
from esolangs.registry import find_language, language_ids
from esoplay.cli.main import main
from esoplay.errors import WorkerDied
from esoplay.grading import grader
from esoplay.grading.dialects import difference_text, find_other_dialect
from esoplay.grading.grader import Regrading
from esoplay.grading.packs import load_pack
from esoplay.grading.problem import Example, Problem
from esoplay.grading.report import GradeReport
from esoplay.packs import grading
from esoplay.programs.execution import run
from esoplay.running.run import Outcome, parse_source, run_program

ECHO = b"#@~,"
"""A Befunge-98 program that copies its input in standard: `~` reverses the IP at the end."""
ROWS = [
    pytest.param(language, row, id=f"{language.id}-{row.option}")
    for language in map(find_language, language_ids())
    for row in language.differences()
]
SMALL = Limits(steps=100_000, output=1000, memory=1 << 20)
EITHER_PATH = b"1v\n #\n .\n z\n .\n @"
"""`z` that does nothing and `z` that reverses the IP print the same; only a fault does not."""


class CountingRunner:
    """Runs programs in this process, and notes dialects, options and inputs."""

    def __init__(self) -> None:
        self.runs: list[tuple[str, Mapping[str, str | int] | None, bytes]] = []

    def run(
        self,
        language_id: str,
        source: bytes,
        *,
        dialect: str = "standard",
        options: Mapping[str, str | int] | None = None,
        stdin: bytes = b"",
        **_: Any,
    ) -> Outcome:
        self.runs.append((dialect, options, stdin))
        parsed = parse_source(language_id, source, dialect, options)
        if isinstance(parsed, Outcome):
            return parsed
        return run_program(parsed, dialect, stdin, grader.GRADING_LIMITS)


@pytest.fixture
def problem(tiny: Path) -> Problem:
    return load_pack(tiny).problem("T1")


@pytest.mark.parametrize(("language", "row"), ROWS)
def test_each_difference_is_found_as_the_only_cause(
    problem: Problem, language: Language, row: DialectDifference
) -> None:
    judged = 0
    for passing, failing in (("standard", "benchmark"), ("benchmark", "standard")):
        wanted = run(language.id, row.program, dialect=passing, stdin=row.stdin)
        if wanted.status != "ok":
            continue
        asked = replace(problem, examples=(Example(row.stdin, wanted.stdout),))
        found = find_other_dialect(asked, language.id, row.program, seed=None, dialect=failing)
        assert found is not None
        assert (found.dialect, found.tests) == (passing, "examples")
        assert [(each.option, each.text) for each in found.causes] == [(row.option, row.sentence)]
        judged += 1
    assert judged


def test_every_option_that_changes_the_verdict_is_named(problem: Problem) -> None:
    program = b"'~4*00p00g.+.@"  # 504 and 0 where p stores it whole and an empty stack gives 0
    asked = replace(problem, examples=(Example(b"", b"504 0 "),))
    found = find_other_dialect(asked, "befunge-98", program, seed=None, dialect="benchmark")
    assert found is not None
    assert [each.option for each in found.causes] == ["underflow", "put"]


def test_a_smallest_set_is_named_if_no_single_option_decides(problem: Problem) -> None:
    asked = replace(problem, examples=(Example(b"", b"1 "),))
    found = find_other_dialect(asked, "befunge-98", EITHER_PATH, seed=None, dialect="benchmark")
    assert found is not None
    assert [each.option for each in found.causes] == ["unknown"]


def test_changed_options_apply_in_both_dialects(problem: Problem) -> None:
    asked = replace(problem, examples=(Example(b"", b"5 "),))
    terms: Any = {"seed": None, "dialect": "benchmark"}
    assert find_other_dialect(asked, "befunge-98", b"5+.@", **terms) is not None
    fixed = {"underflow": "fault"}
    assert find_other_dialect(asked, "befunge-98", b"5+.@", options=fixed, **terms) is None


@pytest.mark.parametrize("language", ["brainfuck", "unlambda", "python"])
def test_without_differences_nothing_is_run_again(problem: Problem, language: str) -> None:
    runner = CountingRunner()
    found = find_other_dialect(problem, language, b"", seed=None, dialect="standard", worker=runner)
    assert found is None
    assert runner.runs == []


def graded(
    problem: Problem,
    program: bytes,
    runner: CountingRunner,
    monkeypatch: pytest.MonkeyPatch,
    **more: Any,
) -> GradeReport:
    monkeypatch.setattr(grading, "get_problem", lambda _id, _pack: problem)
    return grading.grade_source(
        problem.id, "befunge-98", program, worker=runner, check_dialects=True, **more
    )


def test_a_program_that_passes_in_both_is_run_once_in_each(
    problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner = CountingRunner()
    echo_in_both = b"#@~:1+!#@_,"
    report = graded(problem, echo_in_both, runner, monkeypatch)
    assert report.solved
    assert report.other_dialect is None
    assert [dialect for dialect, _, _ in runner.runs] == (
        ["standard"] * report.total + ["benchmark"] * report.total
    )


def test_a_pass_in_only_one_dialect_is_reported(
    problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = graded(problem, ECHO, CountingRunner(), monkeypatch)
    assert report.solved
    assert report.other_dialect is not None
    assert report.other_dialect.lines(report.dialect) == [
        "passes in dialect standard, fails in benchmark, because",
        "`~` at the end of input: reverses the IP in standard, pushes -1 in benchmark",
    ]


def test_a_program_that_fails_in_both_is_run_once_more(
    problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner = CountingRunner()
    report = graded(problem, b"@", runner, monkeypatch)
    assert report.other_dialect is None
    assert len(runner.runs) == report.total + 1


def test_hidden_tests_of_another_seed_are_not_run_again(
    problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grader, "GRADING_LIMITS", SMALL)
    runner = CountingRunner()
    report = graded(problem, ECHO, runner, monkeypatch, dialect="benchmark", seed=bytes(range(32)))
    assert report.passed == 0
    assert report.other_dialect is not None
    assert report.other_dialect.tests == "examples"
    again = runner.runs[report.total :]
    assert again
    assert {stdin for _, _, stdin in again} == {example.input for example in problem.examples}


def test_a_remark_from_the_examples_needs_an_example_that_fails(problem: Problem) -> None:
    asked = replace(problem, examples=(Example(b"", b""),))
    assert find_other_dialect(asked, "befunge-98", b"@", seed=None, dialect="benchmark") is None
    none = replace(problem, examples=())
    assert find_other_dialect(none, "befunge-98", ECHO, seed=None, dialect="benchmark") is None


def test_the_practice_tests_are_run_again(
    problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grader, "GRADING_LIMITS", SMALL)
    runner = CountingRunner()
    report = graded(problem, ECHO, runner, monkeypatch, dialect="benchmark")
    assert report.other_dialect is not None
    assert (report.other_dialect.dialect, report.other_dialect.tests) == ("standard", "tests")
    assert [each.option for each in report.other_dialect.causes] == ["eof"]


def test_a_spent_budget_leaves_out_the_causes_and_then_the_remark(
    problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = replace(problem, examples=(Example(b"", b"5 "),))
    found: list[bool | None] = []
    for runs in range(1, 4):
        monkeypatch.setattr(Regrading, "BUDGET", runs * Regrading.MIN_STEPS)
        runner = CountingRunner()
        other = find_other_dialect(
            asked, "befunge-98", b"5+.@", seed=None, dialect="benchmark", worker=runner
        )
        found.append(None if other is None else bool(other.causes))
        assert len(runner.runs) == runs
    assert found == [None, False, False]


def test_a_worker_that_dies_leaves_out_the_remark(problem: Problem) -> None:
    class Dying(CountingRunner):
        def run(self, *_: Any, **__: Any) -> Outcome:
            raise WorkerDied("it died")

    asked = replace(problem, examples=(Example(b"", b"5 "),))
    assert (
        find_other_dialect(
            asked, "befunge-98", b"5+.@", seed=None, dialect="benchmark", worker=Dying()
        )
        is None
    )


def test_a_language_without_a_table_is_explained_by_its_options() -> None:
    befunge = find_language("befunge-98")
    text = difference_text(befunge, "put", "standard", "mine", ("cell", "byte"))
    assert text == "how p and s store a value: put=cell in standard, put=byte in mine"


@pytest.fixture
def pack(tmp_path: Path) -> str:
    return str(write_pack(tmp_path / "small"))


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(grader, "GRADING_LIMITS", SMALL)
    file = tmp_path / "echo.b98"
    file.write_bytes(ECHO)
    return str(file)


def test_grade_reports_the_dialect_difference(
    pack: str, program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["grade", program, "--problem", "T1", "--pack", pack]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "solved\npasses in dialect standard, fails in benchmark, because\n" in out
    assert main([*words, "--dialect", "benchmark"]) == 3
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "passes in dialect standard, fails in benchmark, because",
        "  `~` at the end of input: reverses the IP in standard, pushes -1 in benchmark",
    ]
    assert main([*words, "--dialect", "benchmark", "--seed", "s"]) == 3
    out = capsys.readouterr().out
    assert "on the public examples: passes in dialect standard, fails in benchmark" in out


def test_grade_json_names_both_dialects(
    pack: str, program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["grade", program, "--problem", "T1", "--pack", pack, "--json"]
    main(words)
    passed = json.loads(capsys.readouterr().out)
    assert passed["dialect"] == "standard"
    assert "other_dialect" not in passed
    assert passed["fails_in_dialect"]["dialect"] == "benchmark"
    main([*words, "--dialect", "benchmark"])
    failed = json.loads(capsys.readouterr().out)
    assert failed["dialect"] == "benchmark"
    text = "`~` at the end of input: reverses the IP in standard, pushes -1 in benchmark"
    assert failed["other_dialect"] == {
        "dialect": "standard",
        "tests": "tests",
        "causes": [{"option": "eof", "text": text}],
        "message": f"passes in dialect standard, fails in benchmark, because {text}",
    }
    assert failed["passed"] == 0


class SlowRunner(CountingRunner):
    """The runs of one dialect take all their time, also those with only some of its options."""

    def __init__(self, slow: str, options: Mapping[str, str | int] | None = None) -> None:
        super().__init__()
        self.slow = slow
        self.slow_options = options or {}

    def run(self, language_id: str, source: bytes, **more: Any) -> Outcome:
        outcome = super().run(language_id, source, **more)
        if more["dialect"] == self.slow and self.slow_options.items() <= more["options"].items():
            outcome.status = "time_limit"
        return outcome


def test_a_run_that_reaches_its_time_limit_gives_no_dialect_difference(problem: Problem) -> None:
    asked = replace(problem, examples=(Example(b"", b"5 "),))
    terms: Any = {"seed": None, "dialect": "benchmark"}
    for slow in ("standard", "benchmark"):
        runner = SlowRunner(slow)
        found = find_other_dialect(asked, "befunge-98", b"5+.@", worker=runner, **terms)
        assert found is None
        assert runner.runs[-1][0] == slow
    runner = SlowRunner("standard", {"underflow": "fault"})
    found = find_other_dialect(asked, "befunge-98", b"5+.@", worker=runner, **terms)
    assert found is not None
    assert (found.dialect, found.causes) == ("standard", ())
