"""Generated references on the inputs that ask the most of them, and sources on many seeds.

``ESOPLAY_SEEDS=300`` tries each source on the tests of that many seeds, in CPython.
"""

from __future__ import annotations

import os
import runpy
from pathlib import Path

import pytest
from contracts_by_problem import CONTRACTS
from selection import slow_except

from esolangs.limits import Limits
from esolangs.registry import find_language
from esoplay.codegen.back_ends import back_end_ids
from esoplay.codegen.cpython import run_source
from esoplay.grading.hidden import hidden_tests
from esoplay.grading.packs import Problem, load_pack
from esoplay.packs.references import generated_reference
from esoplay.running.run import Outcome, parse_source, run_program

PACK = load_pack()
DOCS = Path(__file__).parents[2] / "docs" / "codegen"
COSTLY_INPUTS: dict[str, tuple[str, ...]] = runpy.run_path(str(DOCS / "costly_inputs.py"))[
    "COSTLY_INPUTS"
]
MAX_STEPS = 5_000_000
"""Steps: half of what a test allows."""
LIMITS = Limits(steps=MAX_STEPS, output=1 << 20, memory=1 << 28)
SEEDS = int(os.environ.get("ESOPLAY_SEEDS", "0"))


def test_costly_inputs_are_valid_for_their_problems() -> None:
    assert set(COSTLY_INPUTS) == {problem.id for problem in PACK}
    for problem in PACK:
        assert COSTLY_INPUTS[problem.id]
        for text in COSTLY_INPUTS[problem.id]:
            CONTRACTS[problem.id].check(text, problem)


@pytest.mark.parametrize(
    "language",
    slow_except(back_end_ids(), "befunge-98", "whitespace"),
)
def test_every_reference_takes_less_than_half_of_the_step_limit(language: str) -> None:
    """Brainfuck is the dear one; of the other languages a slice is enough, but for campaigns."""
    chosen = list(PACK) if language == "brainfuck" or SEEDS else list(PACK)[::4]
    for problem in chosen:
        reference = generated_reference(problem, language)
        assert reference is not None
        program = parse_source(language, reference.program, "benchmark")
        assert not isinstance(program, Outcome), program
        if program.engine != "compiled":
            pytest.skip("millions of steps take minutes where the engine is not compiled")
        for text in COSTLY_INPUTS[problem.id]:
            outcome = run_program(program, "benchmark", text.encode(), LIMITS)
            told = (problem.id, outcome.status, outcome.stdout.decode())
            assert told == (problem.id, "ok", CONTRACTS[problem.id].answer(text)), text


def test_the_page_has_the_figures_of_all_cells() -> None:
    """Judged by sizes: a difference of more than a tenth calls for ``make references``."""
    lines = (DOCS.parent / "references.md").read_text("utf-8").splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")]
    languages = next(row[1:] for row in rows if row[0] == "problem")
    cells = {row[0][:3]: row[1:] for row in rows if len(row) == len(languages) + 1}
    made = {find_language(id).name: id for id in back_end_ids()}
    assert set(languages) == set(made)
    assert {problem.id for problem in PACK} <= set(cells)
    for problem in list(PACK)[::8]:
        for language, cell in zip(languages, cells[problem.id], strict=True):
            reference = generated_reference(problem, made[language])
            assert reference is not None
            size = int(cell.rpartition(" ")[2].replace(",", ""))
            assert len(reference.program) == pytest.approx(size, rel=0.1), (problem.id, language)


@pytest.mark.skipif(not SEEDS, reason="ESOPLAY_SEEDS says on how many seeds sources are tried")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("problem", list(PACK), ids=lambda problem: problem.id)
def test_a_source_agrees_with_both_oracles_on_many_seeds(problem: Problem) -> None:
    source = problem.solution_source()
    assert source is not None
    answer = CONTRACTS[problem.id].answer
    for seed in range(1000, 1000 + SEEDS):
        for test in hidden_tests(problem, seed.to_bytes(32)):
            told = run_source(source, test.input)
            assert told == test.expected, test.input
            assert told.decode() == answer(test.input.decode()), test.input
