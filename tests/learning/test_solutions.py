"""Solutions that were written by hand: commented, correct in both dialects, short and quick."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from selection import slow_except

from esolangs.registry import language_ids
from esolangs.whitespace.assembly import assemble, disassemble
from esoplay.packs.catalogue import get_pack, get_problem
from esoplay.packs.grading import grade_source
from esoplay.packs.par import extract_approach
from esoplay.packs.references import generated_reference
from esoplay.programs.execution import code_size


def numbered(tier: str, *numbers: int) -> Iterator[str]:
    for number in numbers or range(1, 21):
        yield f"{tier}{number:02}"


SOLVED = {
    "befunge-98": [*numbered("E"), *numbered("M")],
    "brainfuck": [
        *numbered("E"),
        *numbered("M", 1, 2, 3, 4, 7, 8, 9, 10, 12, 16, 17, 18, 19),
    ],
    "shakespeare": [
        *numbered("E"),
        *numbered("M"),
        *numbered("H", 1, 5, 10, 11, 12, 15, 18, 19),
    ],
    "unlambda": [*numbered("E"), *numbered("M")],
    "whitespace": [*numbered("E"), *numbered("M")],
}
CELLS = [(language, problem) for language, solved in SOLVED.items() for problem in solved]
FAST = [(language, problem) for language in SOLVED for problem in ("E04",)]

FASTER = {"befunge-98", "brainfuck"}
"""Languages whose solutions take fewer steps than the generated programs."""
MORE_STEPS = {("brainfuck", problem) for problem in ("E12", "E13", "M17")}
"""Solutions with at most a third more steps, and less than half the size of generated programs."""


def by_hand(language: str, problem: str) -> bytes:
    program = get_problem(problem).reference(language)
    assert program is not None
    return program


def test_20_easy_and_13_medium_problems_have_a_solution_by_hand_in_every_language() -> None:
    pack = get_pack()
    assert set(SOLVED) == set(language_ids())
    for language, solved in SOLVED.items():
        written = [each.id for each in pack if each.reference(language) is not None]
        assert written == solved
    in_all = set(SOLVED["brainfuck"]).intersection(*SOLVED.values())
    tiers = [pack.problem(problem).tier for problem in in_all]
    assert (tiers.count("easy"), tiers.count("medium")) == (20, 13)


@pytest.mark.parametrize("cell", slow_except(CELLS, *FAST), ids="-".join)
def test_a_solution_passes_in_both_dialects_and_is_better_than_what_is_generated(
    cell: tuple[str, str],
) -> None:
    language, problem = cell
    program, generated = by_hand(language, problem), generated_reference(problem, language)
    assert generated is not None
    assert program != generated.program
    steps = [0, 0]
    for dialect in ("standard", "benchmark"):
        report = grade_source(problem, language, program, dialect=dialect)
        assert report.solved
        if language in FASTER:
            other = grade_source(problem, language, generated.program, dialect=dialect)
            assert other.solved
            steps = [max(test.steps for test in each.tests) for each in (report, other)]
            assert steps[0] < steps[1] * (4 / 3 if cell in MORE_STEPS else 1)
    if cell == ("befunge-98", "E01"):
        program = program.partition(b"@")[0] + b"@"  # comments count, and this one is longer
    by_hand_size, generated_size = (
        code_size(language, each) for each in (program, generated.program)
    )
    if language == "unlambda":
        # The greeting takes one application for each character, however it is made.
        assert by_hand_size * (1 if problem == "E01" else 3) <= generated_size
    else:
        assert by_hand_size < generated_size
    if language == "brainfuck":
        assert by_hand_size * 2 < generated_size or steps[0] < steps[1]
    if language == "shakespeare":
        assert len(program) < len(generated.program)


@pytest.mark.parametrize(("language", "problem"), CELLS)
def test_a_solution_begins_with_its_approach_in_words(language: str, problem: str) -> None:
    approach = extract_approach(by_hand(language, problem), language)
    text = by_hand(language, problem).decode()
    assert len(approach.split()) > 4
    if language == "befunge-98":
        assert re.fullmatch(r"[A-Z~/].{20,}[.]", approach)
        assert text.isascii()
        assert approach in " ".join(text.split())
        assert max(map(len, text.splitlines())) <= 100
        assert all(row == row.rstrip() for row in text.splitlines())
    elif language == "brainfuck":
        comment = text.partition("\n\n")[0]
        assert comment.isascii()
        assert not set(comment) & set("+-<>[],.")
        assert approach == " ".join(comment.split())
    elif language == "unlambda":
        assert text.startswith("# ")
        assert problem == "E01" or "\n# program = " in text
    elif language == "whitespace":
        mnemonics = disassemble(text.encode())
        assert mnemonics.startswith(b"; ")
        assert assemble(mnemonics).source == text.encode()


@pytest.mark.parametrize("problem", SOLVED["shakespeare"])
def test_title_and_descriptions_of_a_play_explain_it(problem: str) -> None:
    text = by_hand("shakespeare", problem).decode()
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
    solved = SOLVED["shakespeare"]
    titles = {by_hand("shakespeare", problem).split(b",")[0] for problem in solved}
    assert len(titles) == len(solved)
