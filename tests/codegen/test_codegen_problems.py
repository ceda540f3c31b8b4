"""The source beside each problem solves it, in CPython and compiled."""

from __future__ import annotations

import pytest

from esolangs.limits import Limits
from esoplay.codegen.back_ends import back_end_ids, find_back_end
from esoplay.codegen.cpython import run_source
from esoplay.codegen.lowering import compile_source
from esoplay.grading.hidden import hidden_tests
from esoplay.grading.packs import Problem, load_pack
from esoplay.grading.seeds import PRACTICE_SEED
from esoplay.running.run import run_source as run_program

PACK = load_pack()
SEEDS = [PRACTICE_SEED, (1).to_bytes(32)]
LIMITS = Limits(steps=10_000_000, output=1 << 20, memory=1 << 28)
COMPILED = ("E01", "E04", "E08", "E19", "M05", "M11", "H02", "X04")
"""Problems whose programs are run in every language here: one of each kind, and none dear."""


def source_of(problem: Problem) -> str:
    return (problem.folder / "source.py").read_text("utf-8")


@pytest.mark.parametrize("problem", list(PACK), ids=lambda problem: problem.id)
def test_the_source_solves_its_problem(problem: Problem) -> None:
    text = source_of(problem)
    for example in problem.examples:
        assert run_source(text, example.input) == example.output
    for seed in SEEDS:
        for test in hidden_tests(problem, seed):
            assert run_source(text, test.input) == test.expected, test.edge_class


@pytest.mark.parametrize("language", back_end_ids())
@pytest.mark.parametrize("id", COMPILED)
def test_compiled_programs_solve_the_problem(id: str, language: str) -> None:
    problem = PACK.problem(id)
    program = find_back_end(language).generate(compile_source(source_of(problem)))
    source = program.text.encode("latin-1")
    for dialect in ("standard", "benchmark"):
        for test in hidden_tests(problem, PRACTICE_SEED):
            outcome = run_program(
                language, source, dialect=dialect, stdin=test.input, limits=LIMITS
            )
            assert (outcome.status, outcome.stdout) == ("ok", test.expected), test.edge_class
