"""Verdicts: what passes, what each failure is called, and what a report shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from esoplay.errors import PackError, WorkerDied
from esoplay.grading.grader import grade, grade_examples
from esoplay.grading.packs import Problem, load_pack
from esoplay.grading.report import GradeReport
from esoplay.grading.seeds import PRACTICE_SEED, commitment_holds, random_seed
from esoplay.running.worker import RunCancelled, Worker

ECHO = b",[.,]"
SOLVE = "def solve(text):\n    return text\n"
SIX = "def cases(rng):\n    for _ in range(6):\n        yield '{}', 'a'\n"


@pytest.fixture
def problem(tiny: Path) -> Problem:
    return load_pack(tiny).problem("T1")


def verdicts(report: GradeReport) -> set[str]:
    return {test.verdict for test in report.tests if test.detail and test.detail.input}


def test_a_solution_passes_under_any_seed(problem: Problem) -> None:
    for seed in (PRACTICE_SEED, random_seed(), random_seed()):
        report = grade(problem, "brainfuck", ECHO, seed=seed)
        assert (report.passed, report.total, report.solved) == (6, 6, True)
        assert report.exit_code == 0


@pytest.mark.parametrize(
    ("program", "verdict", "exit_code"),
    [
        (b"+[.[-],]", "wrong_answer", 1),
        (b",[.,", "parse_error", 1),
        (b",[.,]<", "fault", 1),  # it printed the right bytes before
        (b",[.,]+[]", "step_limit", 3),
        (b",[.,]", "pass", 0),
    ],
)
def test_each_kind_of_failure_has_its_verdict(
    problem: Problem, program: bytes, verdict: str, exit_code: int
) -> None:
    report = grade(problem, "brainfuck", program, seed=PRACTICE_SEED)
    assert verdicts(report) == {verdict}
    assert report.solved == (verdict == "pass")
    assert report.exit_code == exit_code


def test_a_step_limit_is_counted_exactly(problem: Problem) -> None:
    report = grade(problem, "brainfuck", b"+[]", seed=PRACTICE_SEED)
    assert {test.steps for test in report.tests} == {10_000_000}


def test_output_beyond_its_limit_is_its_own_verdict(problem: Problem) -> None:
    report = grade(problem, "brainfuck", b"+[.]", seed=PRACTICE_SEED)
    assert {test.verdict for test in report.tests} == {"output_limit"}


def test_comparison_is_exact_unless_asked_otherwise(problem: Problem) -> None:
    newline = b",[.,]++++++++++."
    assert grade(problem, "brainfuck", newline, seed=PRACTICE_SEED).passed == 0
    assert grade(problem, "brainfuck", newline, seed=PRACTICE_SEED, compare="strip").solved


def test_a_problem_with_one_failed_test_is_not_solved(problem: Problem) -> None:
    """It prints a space where the input is empty, and is right elsewhere."""
    program = b">>++++[<++++++++>-]<<+>>,[<<[-]>>.[-],]<<[>.<-]"
    report = grade(problem, "brainfuck", program, seed=PRACTICE_SEED)
    failed = [test for test in report.tests if not test.passed]
    assert [test.edge_class for test in failed] == ["empty"]
    assert report.passed == 5
    assert not report.solved


def test_practice_shows_everything(problem: Problem) -> None:
    report = grade(problem, "brainfuck", b",[.[-]]", seed=PRACTICE_SEED)
    for test in report.as_json()["tests"]:
        assert test["expected"] == test["input"]
        assert test["got"] == test["input"][:1]
        assert test["class"] == ("word" if test["input"] else "empty")


def test_a_secret_seed_shows_verdicts_only(problem: Problem) -> None:
    report = grade(problem, "brainfuck", b",.", seed=random_seed())
    assert all(test.detail is None and test.edge_class is None for test in report.tests)
    assert {tuple(test) for test in report.as_json()["tests"]} == {("index", "verdict", "steps")}


def test_the_order_of_tests_does_not_give_their_classes_away(problem: Problem) -> None:
    places = set[int]()
    for number in range(40):
        report = grade(problem, "brainfuck", ECHO, seed=number.to_bytes(32))
        places.add(min(report.tests, key=lambda test: test.steps).index)
    assert places == {1, 2, 3, 4, 5, 6}


def test_a_report_has_a_commitment_to_its_seed_and_pack(problem: Problem) -> None:
    seed = random_seed()
    report = grade(problem, "brainfuck", ECHO, seed=seed)
    assert report.seed_commitment is not None
    assert commitment_holds(report.seed_commitment, seed, problem.pack)
    assert not commitment_holds(report.seed_commitment, random_seed(), problem.pack)
    assert grade(problem, "brainfuck", ECHO, seed=seed).seed_commitment == report.seed_commitment


def test_a_report_on_examples_shows_input_and_output(problem: Problem) -> None:
    report = grade_examples(problem, "brainfuck", b",.")
    assert report.as_json() == {
        "problem": "T1",
        "language": "brainfuck",
        "dialect": "standard",
        "passed": 0,
        "total": 1,
        "solved": False,
        "tests": [
            {
                "index": 1,
                "verdict": "wrong_answer",
                "steps": 2,
                "input": "abc",
                "expected": "abc",
                "got": "a",
                "cause": {"kind": "short", "text": "stops after the first character"},
            }
        ],
    }


def test_output_that_is_not_text_survives_in_json(problem: Problem) -> None:
    report = grade_examples(problem, "brainfuck", b"-.")
    (test,) = report.as_json()["tests"]
    assert test["got_base64"] == "/w=="
    json.dumps(test)


def test_dialect_and_options_reach_the_program(problem: Problem) -> None:
    program = b",+[-.,+]"  # stops at -1
    assert not verdicts(
        grade(problem, "brainfuck", program, seed=PRACTICE_SEED, options={"eof": "-1"})
    ) - {"pass"}
    assert not grade(problem, "brainfuck", program, seed=PRACTICE_SEED, dialect="benchmark").solved


def test_progress_is_reported_test_by_test(problem: Problem) -> None:
    told: list[tuple[int, int]] = []
    grade(problem, "brainfuck", ECHO, seed=PRACTICE_SEED, progress=lambda *at: told.append(at))
    assert told == [(done, 6) for done in range(1, 7)]


def test_grading_can_be_cancelled(problem: Problem) -> None:
    with pytest.raises(RunCancelled):
        grade(problem, "brainfuck", b"+[]", seed=PRACTICE_SEED, cancelled=lambda: True)


def test_a_worker_gives_the_same_verdicts(problem: Problem) -> None:
    seed = random_seed()
    with Worker() as worker:
        for program in (ECHO, b",.", b",[.,]<", b"]"):
            apart = grade(problem, "brainfuck", program, seed=seed, worker=worker)
            assert apart == grade(problem, "brainfuck", program, seed=seed)


def test_exceeding_the_time_limit_has_its_own_verdict(problem: Problem) -> None:
    with Worker() as worker:
        report = grade(
            problem, "brainfuck", ECHO, seed=PRACTICE_SEED, worker=worker, time_limit=1e-9
        )
    assert {test.verdict for test in report.tests} == {"time_limit"}
    assert report.exit_code == 3


class DyingWorker(Worker):
    """Its process vanishes on the third run."""

    runs = 0

    def run(self, *args: Any, **options: Any) -> Any:
        self.runs += 1
        if self.runs == 3:
            self.kill()
            raise WorkerDied("the process that ran the program vanished")
        return super().run(*args, **options)


def test_a_worker_that_dies_gives_no_verdict(problem: Problem) -> None:
    """No report at all: it must never look like a failure of the solver."""
    with DyingWorker() as worker, pytest.raises(WorkerDied):
        grade(problem, "brainfuck", ECHO, seed=PRACTICE_SEED, worker=worker)


@pytest.mark.parametrize(
    ("judge", "complaint"),
    [
        (SOLVE, "cases: expected a function with this name"),
        ("def solve(text:\n", "never closed"),
        ("import nothing_of_this_name\n", "nothing_of_this_name"),
        (SOLVE + "def cases(rng):\n    yield 'word', 'a'\n", "expected 6 tests, found 1"),
        (SOLVE + SIX.format("words"), "class 'words' is not in [classes] of problem.toml"),
        (SOLVE + SIX.format("word"), "no test of class empty"),
    ],
)
def test_a_broken_judge_is_the_packs_fault(problem: Problem, judge: str, complaint: str) -> None:
    (problem.folder / "judge.py").write_text(judge)
    with pytest.raises(PackError) as raised:
        grade(problem, "brainfuck", ECHO, seed=PRACTICE_SEED)
    assert complaint in str(raised.value)
    assert "judge.py" in str(raised.value)


def test_grading_writes_no_file_into_the_pack(problem: Problem) -> None:
    before = sorted(problem.folder.rglob("*"))
    grade(problem, "brainfuck", ECHO, seed=PRACTICE_SEED)
    assert sorted(problem.folder.rglob("*")) == before
