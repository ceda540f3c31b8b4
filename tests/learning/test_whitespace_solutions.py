"""Solutions in Whitespace that were written by hand: commented, correct and short."""

from __future__ import annotations

import pytest

from esolangs.whitespace.assembly import assemble, disassemble
from esoplay.packs.catalogue import get_problem
from esoplay.packs.grading import grade_source
from esoplay.packs.references import generated_reference
from esoplay.programs.execution import code_size

SOLVED = [f"{tier}{number:02}" for tier in "EM" for number in range(1, 21)]


@pytest.mark.parametrize("problem", SOLVED)
def test_a_solution_passes_in_both_dialects_and_is_shorter_than_what_is_generated(
    problem: str,
) -> None:
    program = get_problem(problem).reference("whitespace")
    generated = generated_reference(problem, "whitespace")
    assert program is not None
    assert generated is not None
    for dialect in ("standard", "benchmark"):
        assert grade_source(problem, "whitespace", program, dialect=dialect).solved
    sizes = [code_size("whitespace", each) for each in (program, generated.program)]
    assert sizes[0] < sizes[1]


@pytest.mark.parametrize("problem", SOLVED)
def test_a_solution_begins_with_a_comment_that_assembly_shows(problem: str) -> None:
    program = get_problem(problem).reference("whitespace")
    assert program is not None
    mnemonics = disassemble(program)
    assert mnemonics.startswith(b"; ")
    assert assemble(mnemonics).source == program
