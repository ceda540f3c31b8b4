"""Solutions in Befunge-98 that were written by hand: commented, correct, short and quick."""

from __future__ import annotations

import re

import pytest
from selection import slow_except

from esoplay.packs.catalogue import get_problem
from esoplay.packs.grading import grade_source
from esoplay.packs.par import approach_of
from esoplay.packs.references import generated_reference
from esoplay.programs.execution import code_size

SOLVED = [
    *(f"E{number:02}" for number in range(1, 21)),
    *(f"M{number:02}" for number in range(1, 21)),
]


def by_hand(problem: str) -> bytes:
    program = get_problem(problem).reference("befunge-98")
    assert program is not None
    return program


@pytest.mark.parametrize("problem", slow_except(SOLVED, "E04", "M03"))
def test_a_solution_is_shorter_and_takes_fewer_steps_than_what_is_generated(problem: str) -> None:
    program, generated = by_hand(problem), generated_reference(problem, "befunge-98")
    assert generated is not None
    for dialect in ("standard", "benchmark"):
        steps = list[int]()
        for each in (program, generated.program):
            report = grade_source(problem, "befunge-98", each, dialect=dialect)
            assert report.solved
            steps.append(max(test.steps for test in report.tests))
        assert steps[0] < steps[1]
    if problem == "E01":  # comments count, and this one is longer than the program
        program = program.partition(b"@")[0] + b"@"
    sizes = [code_size("befunge-98", each) for each in (program, generated.program)]
    assert sizes[0] < sizes[1]


@pytest.mark.parametrize("problem", SOLVED)
def test_a_solution_begins_with_its_approach_in_words(problem: str) -> None:
    program = by_hand(problem)
    approach = approach_of(program, "befunge-98")
    assert re.fullmatch(r"[A-Z~/].{20,}[.]", approach)
    rows = program.decode("ascii").splitlines()
    assert approach in " ".join(program.decode("ascii").split())
    assert max(map(len, rows)) <= 100
    assert all(row == row.rstrip() for row in rows)
