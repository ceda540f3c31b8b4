"""The pack's solution beside one's own: the approach in words, figures on the same tests, stars."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from esolangs.registry import language_ids
from esoplay.cli.main import main
from esoplay.packs.catalogue import get_pack, get_problem
from esoplay.packs.grading import grade_source
from esoplay.packs.par import MAX_APPROACH_LENGTH, extract_approach, measure_par, own_approach
from esoplay.packs.stars import SolutionFigures, award_stars, solution_kind
from esoplay.programs.execution import code_size


@pytest.mark.parametrize(
    ("language", "source", "approach"),
    [
        ("brainfuck", "Read and print at once\nuntil the end of the input\n\n,[.,]", "Read and"),
        ("brainfuck", "E02 Echo Line\n\nRead and print at once\n,[.,]", "Read and print at once"),
        ("brainfuck", "+++ [ - ] .", ""),
        ("befunge-98", "v  Add two numbers, print them.\n>&&+.@", "Add two numbers, print them."),
        ("befunge-98", ";Each of them is printed;~,", "Each of them is printed"),
        (
            "unlambda",
            "# Each .x is applied\n# to the next one.\n#\n# x = y z w\n`.ai",
            "Each .x is",
        ),
        (
            "brainfuck",
            "#!/usr/bin/env esoplay run\nRead all of it first\n,.",
            "Read all of it first",
        ),
        ("brainfuck", "#!/usr/bin/env esoplay run it\n,.", ""),
        ("brainfuck", "+++ Three plus signs first\n,.", "Three plus signs first"),
        (
            "brainfuck",
            "[ Read all of it, then\nprint it backwards ]\n,.",
            "Read all of it, then print it",
        ),
        ("brainfuck", "Copy.\n\nAnother paragraph with more words\n,.", "Copy."),
        ("befunge-98", ">;Print all of it; v\n >~,", "Print all of it"),
        ("befunge-98", '"a man a plan a canal">:#,_@', ""),
        ("unlambda", "\ufeff# Print one letter and stop\n`.ai", "Print one letter and stop"),
        ("unlambda", "`.ai", ""),
        ("shakespeare", "The Echo.\n\nRomeo, a man of words.\n", "The Echo."),
        ("whitespace", "push   \t\n", ""),
        ("shakespeare", "The Echo, which repeats all\nit hears.\n\nRomeo, a man.\n", "The Echo,"),
        ("whitespace", "Print\u00a0one\u00a0letter.   \t\n\tnot\u00a0this", "Print one letter."),
    ],
)
def test_the_approach_is_the_first_comment(language: str, source: str, approach: str) -> None:
    found = extract_approach(source.encode(), language)
    assert found.startswith(approach)
    assert ";" not in found
    assert found.count("]") == found.count("[")
    assert "env esoplay" not in found
    assert bool(found) == bool(approach)
    assert "\n" not in found


@pytest.mark.parametrize(
    ("language", "source", "approach"),
    [
        ("shakespeare", "A Play.\n\nRomeo, a man.\n", "A Play."),
        ("shakespeare", "The Echo. Romeo, a man.\n", "The Echo."),
        ("brainfuck", "cell[0] holds the count\n,.", "cell[0] holds the count"),
        ("brainfuck", "`,` reads a character\n,.", "`,` reads a character"),
        ("brainfuck", '"Hello" in few bytes\n,.', '"Hello" in few bytes'),
        ("brainfuck", "(once) read the input\n,.", "(once) read the input"),
        ("brainfuck", "100% of the input is read\n,.", "100% of the input is read"),
        ("brainfuck", "[All of it, then print.]\n,.", "All of it, then print."),
        ("brainfuck", ",[.,] read and print all ,", "read and print all"),
        ("brainfuck", "+++ > ++ eight rounds\n,.", ""),
        ("befunge-98", "v A number is read here\n>&.@", "A number is read here"),
        ("befunge-98", ">&.@  (0, 0) has the number\n", "(0, 0) has the number"),
        ("unlambda", "`.#i # Print a number sign\n", "Print a number sign"),
        ("unlambda", "#Print one letter\n`.ai", "Print one letter"),
        ("whitespace", "Sum\u00a0them\u00a0all.\u2028the\u00a0count   \n", "Sum them all."),
    ],
)
def test_the_approach_is_the_whole_comment(language: str, source: str, approach: str) -> None:
    assert extract_approach(source.encode(), language) == approach


def test_every_reference_by_hand_says_its_approach_briefly() -> None:
    for problem in get_pack():
        for language in language_ids():
            source = problem.reference(language)
            if source is not None:
                assert 0 < len(extract_approach(source, language)) <= MAX_APPROACH_LENGTH + 2


@pytest.mark.parametrize(
    ("best", "signs", "missing"),
    [
        ((100, 10), "★★★", ""),
        ((99, 9), "★★★", ""),
        ((101, 10), "★★☆", "for another star: at most 100 steps (now 101)"),
        ((100, 11), "★★☆", "for another star: at most 10 bytes (now 11)"),
        (
            (1234, 11),
            "★☆☆",
            "for two more stars: at most 10 bytes (now 11), at most 100 steps (now 1,234)",
        ),
    ],
)
def test_stars_report_which_goal_is_missing(
    best: tuple[int, int], signs: str, missing: str
) -> None:
    stars = award_stars(SolutionFigures(*best), SolutionFigures(100, 10))
    assert (stars.text, stars.missing) == (signs, missing)


@pytest.mark.slow
def test_par_is_the_cost_of_the_reference_on_the_practice_tests() -> None:
    problem = get_problem("E02")
    for language in language_ids():
        par = measure_par(problem, language)
        assert par is not None
        assert par.origin == solution_kind(problem, language)
        if par.origin == "hand-written":
            program = problem.reference(language)
            assert program is not None
            report = grade_source("E02", language, program)
            assert par.figures == (report.total_steps, code_size(language, program))
        else:
            assert par.approach == ""


def test_problems_show_compares_a_solution_with_the_reference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine.bf"
    mine.write_bytes(b"+-+-,[.,]")
    problem = get_problem("E02")
    reference = problem.reference("brainfuck")
    assert reference is not None
    theirs = code_size("brainfuck", reference)
    assert main(["problems", "show", "E02", "--solution", str(mine)]) == 0
    shown = capsys.readouterr()
    assert shown.out.encode() == reference
    assert f"the pack's approach: {extract_approach(reference, 'brainfuck')}" in shown.err
    assert "your approach: no comment of your program describes it" in shown.err
    assert f"bytes of code: yours 9, the pack's {theirs} (hand-written)" in shown.err
    assert "★☆☆ for two more stars" in shown.err
    assert main(["problems", "show", "E02", "--solution", str(mine), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["comparison"]
    assert (found["yours"]["size"], found["pack"]["size"], found["stars"]) == (9, theirs, 1)
    assert found["pack"]["origin"] == "hand-written"
    assert (found["approach"], found["own_approach"]) == (
        extract_approach(reference, "brainfuck"),
        None,
    )
    mine.write_bytes(b"Each character is printed as soon as it is read\n,[.,]")
    assert main(["problems", "show", "E02", "--solution", str(mine)]) == 0
    approach = "Each character is printed as soon as it is read"
    assert f"your approach: {approach}" in capsys.readouterr().err


def test_a_comment_of_the_starter_is_not_the_users_approach() -> None:
    problem = get_problem("E04")
    starter = problem.starter("brainfuck")
    assert extract_approach(starter, "brainfuck")
    assert own_approach(problem, "brainfuck", starter + b"+") == ""
    mine = b"Both numbers are added digit by digit\n\n" + starter
    assert own_approach(problem, "brainfuck", mine) == "Both numbers are added digit by digit"
    below = starter + b"\nBoth numbers are added digit by digit\n,"
    assert own_approach(problem, "brainfuck", below) == "Both numbers are added digit by digit"
