"""Solutions in Unlambda that were written by hand: commented, correct and short."""

from __future__ import annotations

import pytest

from esoplay.packs.catalogue import get_problem
from esoplay.packs.grading import grade_source
from esoplay.packs.references import generated_reference
from esoplay.programs.execution import code_size

SOLVED = [f"{tier}{number:02}" for tier in "EM" for number in range(1, 21)]


@pytest.mark.parametrize("problem", SOLVED)
def test_a_solution_passes_in_both_dialects_and_is_shorter_than_what_is_generated(
    problem: str,
) -> None:
    program = get_problem(problem).reference("unlambda")
    generated = generated_reference(problem, "unlambda")
    assert program is not None
    assert generated is not None
    for dialect in ("standard", "benchmark"):
        assert grade_source(problem, "unlambda", program, dialect=dialect).solved
    sizes = [code_size("unlambda", each) for each in (program, generated.program)]
    # The greeting takes one application for each character, however it is made.
    assert sizes[0] <= sizes[1] if problem == "E01" else sizes[0] * 3 < sizes[1]


@pytest.mark.parametrize("problem", SOLVED)
def test_a_solution_says_in_a_comment_how_it_works_and_which_term_it_is(problem: str) -> None:
    program = get_problem(problem).reference("unlambda")
    assert program is not None
    text = program.decode()
    assert text.startswith("# ")
    assert problem == "E01" or "\n# program = " in text
