"""Solutions in Brainfuck that were written by hand: commented, correct and short."""

from __future__ import annotations

import pytest

from esoplay.packs.catalogue import get_problem
from esoplay.packs.grading import grade_source
from esoplay.packs.par import approach_of
from esoplay.packs.references import generated_reference
from esoplay.programs.execution import code_size

MEDIUM = (1, 2, 3, 4, 7, 8, 9, 10, 12, 16, 17, 18, 19)
SOLVED = [*(f"E{number:02}" for number in range(1, 21)), *(f"M{number:02}" for number in MEDIUM)]

SLOWER = {"E12", "E13", "M17"}
"""Solutions with at most a third more steps, and less than half the size of generated programs."""


@pytest.mark.parametrize("problem", SOLVED)
def test_a_solution_is_shorter_than_what_is_generated_and_hardly_slower(problem: str) -> None:
    program = get_problem(problem).reference("brainfuck")
    generated = generated_reference(problem, "brainfuck")
    assert program is not None
    assert generated is not None
    steps = list[int]()
    for each in (program, generated.program):
        report = grade_source(problem, "brainfuck", each)
        assert report.solved
        steps.append(max(test.steps for test in report.tests))
    assert steps[0] < steps[1] * (4 / 3 if problem in SLOWER else 1)
    sizes = [code_size("brainfuck", each) for each in (program, generated.program)]
    assert sizes[0] * 2 < sizes[1] or steps[0] < steps[1]
    assert sizes[0] < sizes[1]


@pytest.mark.parametrize("problem", SOLVED)
def test_a_solution_begins_with_its_approach(problem: str) -> None:
    program = get_problem(problem).reference("brainfuck")
    assert program is not None
    comment, _, _ = program.decode("ascii").partition("\n\n")
    assert not set(comment) & set("+-<>[],.")
    assert approach_of(program, "brainfuck") == " ".join(comment.split())
