"""Every problem that ships keeps its contract, whichever seed its tests come from."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from contracts_by_problem import CONTRACTS
from problem_contracts import TITLES
from selection import slow_except

from esolangs.registry import language_ids
from esoplay.grading.grader import grade
from esoplay.grading.hidden import HiddenTest, hidden_tests, load_judge
from esoplay.grading.packs import Problem, load_pack
from esoplay.grading.proof import find_escaped_mistakes, load_mistakes
from esoplay.grading.seeds import PRACTICE_SEED
from esoplay.running.run import run_source

PACK = load_pack()
SEEDS = [PRACTICE_SEED, *(number.to_bytes(32) for number in range(25))]


def each(problems: Iterable[Problem]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("problem", list(problems), ids=lambda problem: problem.id)


def some_fast(problems: Iterable[Problem]) -> pytest.MarkDecorator:
    """As ``each``, but slow for nine problems of ten."""
    chosen = list(problems)
    return each(slow_except(chosen, *chosen[::10]))


each_problem = each(PACK)
each_with_contract = each(problem for problem in PACK if problem.id in CONTRACTS)


def drawn(problem: Problem) -> list[HiddenTest]:
    return [test for seed in SEEDS for test in hidden_tests(problem, seed)]


def test_ids_titles_and_order_match_the_benchmark() -> None:
    shipped = {problem.id: problem.title for problem in PACK}
    assert list(shipped) == [id for id in TITLES if id in shipped]
    assert shipped == {id: TITLES[id] for id in shipped}
    assert [id for id in shipped if id[0] == "E"] == [f"E{number:02}" for number in range(1, 21)]


def test_tiers_follow_from_ids() -> None:
    tiers = {"E": "easy", "M": "medium", "H": "hard", "X": "extra-hard"}
    assert all(problem.tier == tiers[problem.id[0]] for problem in PACK)


@each_problem
def test_folder_is_named_after_the_problem(problem: Problem) -> None:
    title = problem.title.partition(" (")[0].lower()
    assert problem.folder.name == f"{problem.id}-{re.sub('[^a-z0-9]+', '-', title)}"


@each_problem
def test_examples_match_the_oracle(problem: Problem) -> None:
    for example in problem.examples:
        assert not example.input.endswith(b"\n")
        assert load_judge(problem).solve(example.input.decode()) == example.output.decode()


@each_with_contract
def test_examples_match_the_contract(problem: Problem) -> None:
    contract = CONTRACTS[problem.id]
    for example in problem.examples:
        text = example.input.decode()
        contract.check(text, problem)
        assert example.output.decode() == contract.answer(text)
    inputs = [example.input for example in problem.examples]
    assert len(set(inputs)) == len(inputs)


@some_fast(problem for problem in PACK if problem.id in CONTRACTS)
def test_hidden_tests_match_the_contract(problem: Problem) -> None:
    contract = CONTRACTS[problem.id]
    for test in drawn(problem):
        text = test.input.decode()
        contract.check(text, problem)
        assert test.expected.decode() == contract.answer(text), text


@some_fast(problem for problem in PACK if problem.id != "E01")  # E01 has no input
def test_different_seeds_give_different_tests(problem: Problem) -> None:
    inputs = {tuple(test.input for test in hidden_tests(problem, seed)) for seed in SEEDS}
    assert len(inputs) == len(SEEDS)


@each_problem
def test_the_empty_program_is_not_a_solution(problem: Problem) -> None:
    assert not grade(problem, "brainfuck", b"", seed=PRACTICE_SEED).solved


@each_problem
def test_the_judge_needs_nothing_but_the_standard_library(problem: Problem) -> None:
    tree = ast.parse((problem.folder / "judge.py").read_bytes())
    for node in ast.walk(tree):
        names: list[Any] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names = [node.module]
        for name in names:
            root = name.partition(".")[0]
            assert root in sys.stdlib_module_names
            assert root not in {"random", "secrets", "time", "os"}, "tests come from the seed alone"


@each_problem
def test_the_statement_describes_input_output_and_the_final_newline(problem: Problem) -> None:
    assert "**Input.**" in problem.statement
    assert "**Output.**" in problem.statement
    assert "no newline" in " ".join(problem.statement.lower().split())
    for entry in problem.ranges:
        for bound in {entry.least, entry.greatest} - {0, 1}:
            long = len(str(abs(bound)))
            shown = f"{long} digits" if long > 9 else str(bound)
            assert shown in problem.statement, f"{entry.quantity}: {shown}"


@each_problem
def test_a_learner_gets_hints_and_examples(problem: Problem) -> None:
    assert len(problem.hints) == 3
    assert problem.examples


@some_fast(problem for problem in PACK if problem.id != "E01")  # E01 has no input
def test_each_mistake_is_caught_by_its_edge_class(problem: Problem) -> None:
    mistakes = load_mistakes(problem)
    assert len(mistakes) >= 5
    assert not find_escaped_mistakes(problem, SEEDS)


@each_problem
def test_folder_has_only_known_files(problem: Problem) -> None:
    known = {"problem.toml", "statement.md", "judge.py", "mistakes.py", "source.py", "__pycache__"}
    known |= {"starters", "references"}
    assert {path.name for path in problem.folder.iterdir()} <= known


@pytest.mark.parametrize("language", language_ids())
def test_the_first_problem_begins_with_its_first_letter(language: str) -> None:
    # Whoever knows nothing of a language goes on by the pattern of what is there.
    problem = PACK.problem("E01")
    for dialect in ("standard", "benchmark"):
        outcome = run_source(language, problem.starter(language), dialect=dialect)
        assert outcome.status == "ok"
        assert outcome.stdout in (b"H", b"He")


def test_every_folder_is_a_problem() -> None:
    folders = {path for path in (Path(PACK.problems[0].folder).parent).iterdir() if path.is_dir()}
    folders = {path for path in folders if path.name not in ("__pycache__", "hints")}
    folders = {path for path in folders if not (path / "pack.toml").exists()}
    assert folders == {problem.folder for problem in PACK}
