"""Solutions in Shakespeare that were written by hand: plays to read, correct and short."""

from __future__ import annotations

import re

import pytest

from esoplay.packs.catalogue import get_problem
from esoplay.packs.grading import grade_source
from esoplay.packs.references import generated_reference

SOLVED = [
    *(f"{tier}{number:02}" for tier in "EM" for number in range(1, 21)),
    *(f"H{number:02}" for number in (1, 5, 10, 11, 12, 15, 18, 19)),
]


def solution(problem: str) -> bytes:
    program = get_problem(problem).reference("shakespeare")
    assert program is not None
    return program


@pytest.mark.parametrize("problem", SOLVED)
def test_a_play_passes_in_both_dialects_and_is_shorter_than_what_is_generated(
    problem: str,
) -> None:
    program, generated = solution(problem), generated_reference(problem, "shakespeare")
    assert generated is not None
    for dialect in ("standard", "benchmark"):
        assert grade_source(problem, "shakespeare", program, dialect=dialect).solved
    assert len(program) < len(generated.program)


@pytest.mark.parametrize("problem", SOLVED)
def test_a_play_says_what_it_does(problem: str) -> None:
    text = solution(problem).decode()
    title, *_ = re.split(r"[.!]", text)
    assert len(title.split()) > 8, "the title explains the approach"
    play = text[: text.index("Act I:")].split("\n\n", 1)[1]
    people = [line for line in play.splitlines() if line]
    assert len(people) >= 2
    assert all(re.fullmatch(r"[A-Z][A-Za-z ]+, [^.!?]+\.", person) for person in people)
    headings = re.findall(r"^(?:Act|Scene) [IVX]+: ([^.!]+)[.!]$", text, re.M)
    assert len(headings) == len(re.findall(r"^(?:Act|Scene) ", text, re.M))
    assert len(set(headings)) == len(headings)
    assert all(len(heading.split()) > 1 for heading in headings)
    lines = text.splitlines()
    assert max(map(len, lines)) <= 88
    assert "[Exeunt]" in lines


def test_no_two_plays_have_the_same_title() -> None:
    titles = {solution(problem).split(b",")[0] for problem in SOLVED}
    assert len(titles) == len(SOLVED)
