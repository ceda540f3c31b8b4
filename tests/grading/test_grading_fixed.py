"""Fixed tests: the same under every seed, bound by their digest, and as secret as any."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from esoplay.errors import PackError
from esoplay.grading.grader import grade
from esoplay.grading.hidden import hidden_tests
from esoplay.grading.packs import COMPILED_PACK_FILE, TESTS_FILE, Pack, compile_pack, load_pack
from esoplay.grading.seeds import PRACTICE_SEED, commitment_holds, random_seed

ECHO = b",[.,]"
TESTS = [{"input": "ab c", "output": "ab c"}, {"input": "", "output": ""}]


@pytest.fixture
def fixed(tiny: Path) -> Path:
    (tiny / "T1-copy" / "judge.py").unlink()
    (tiny / "T1-copy" / TESTS_FILE).write_text(json.dumps(TESTS))
    return tiny


def load(folder: Path) -> Pack:
    return load_pack(folder)


def test_every_seed_gives_the_tests_of_the_file_in_its_order(fixed: Path) -> None:
    problem = load(fixed).problem("T1")
    for seed in (PRACTICE_SEED, random_seed(), random_seed()):
        tests = hidden_tests(problem, seed)
        assert [test.input.decode() for test in tests] == ["ab c", ""]
        assert grade(problem, "brainfuck", ECHO, seed=seed).solved
    assert not grade(problem, "brainfuck", b"", seed=random_seed()).solved


def test_a_report_says_that_its_tests_are_fixed_and_shows_them_in_practice_alone(
    fixed: Path, tiny: Path
) -> None:
    problem = load(fixed).problem("T1")
    shown = grade(problem, "brainfuck", b"", seed=PRACTICE_SEED).as_json()
    assert shown["fixed_tests"] is True
    assert [test["input"] for test in shown["tests"]] == ["ab c", ""]
    secret = grade(problem, "brainfuck", b"", seed=random_seed()).as_json()
    assert secret["fixed_tests"] is True
    assert "ab c" not in json.dumps(secret)
    assert problem.tests_digest is not None
    assert problem.tests_digest not in json.dumps(secret)  # nor what a guess could be tried on


def test_a_commitment_binds_the_tests(fixed: Path) -> None:
    before, seed = load(fixed), random_seed()
    promise = grade(before.problem("T1"), "brainfuck", ECHO, seed=seed).seed_commitment
    assert promise is not None
    assert commitment_holds(promise, seed, before)
    assert commitment_holds(promise, seed, before.name)
    (fixed / "T1-copy" / TESTS_FILE).write_text(json.dumps(TESTS[:1]))
    assert not commitment_holds(promise, seed, load(fixed))


def test_a_compiled_pack_refuses_other_tests_than_it_was_made_with(fixed: Path) -> None:
    written = load(fixed)
    (fixed / COMPILED_PACK_FILE).write_text(json.dumps(compile_pack(fixed)))
    assert load(fixed) == written
    assert "ab c" not in (fixed / COMPILED_PACK_FILE).read_text()
    (fixed / "T1-copy" / TESTS_FILE).write_text(json.dumps(TESTS[:1]))
    with pytest.raises(PackError, match="the tests do not match the digest"):
        hidden_tests(load(fixed).problem("T1"), PRACTICE_SEED)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[]", "tests: expected a list of at least one table"),
        ("{}", "tests: expected a list"),
        ("[1]", "tests[0]: expected a table"),
        ('[{"input": "secret"}]', "tests[0].output: this field is missing"),
        ('[{"input": 5, "output": "secret"}]', "tests[0].input: expected a string"),
        ('[{"input": "\\ud800", "output": "secret"}]', "tests[0].input: expected a string"),
        ('["secret', "JSONDecodeError"),
        ("[" * 100_000, "RecursionError"),
    ],
)
def test_broken_tests_are_named_and_not_quoted(fixed: Path, text: str, complaint: str) -> None:
    file = fixed / "T1-copy" / TESTS_FILE
    file.write_text(text)
    with pytest.raises(PackError) as raised:
        hidden_tests(load(fixed).problem("T1"), PRACTICE_SEED)
    assert str(raised.value).startswith(f"{file}: {complaint}")
    assert "secret" not in str(raised.value)


def test_a_problem_has_a_judge_or_tests_not_both(tiny: Path) -> None:
    (tiny / "T1-copy" / TESTS_FILE).write_text(json.dumps(TESTS))
    with pytest.raises(PackError, match=r"both judge\.py and tests\.json"):
        hidden_tests(load(tiny).problem("T1"), PRACTICE_SEED)


def test_fixed_tests_of_a_problem_do_not_change_generated_ones_of_another(tiny: Path) -> None:
    """What is fixed in one problem moves no test of another."""
    from grading_packs import write_problem

    before = hidden_tests(load(tiny).problem("T1"), PRACTICE_SEED)
    other = write_problem(tiny, "T2")
    (other / "judge.py").unlink()
    (other / TESTS_FILE).write_text(json.dumps(TESTS))
    assert hidden_tests(load(tiny).problem("T1"), PRACTICE_SEED) == before


@pytest.mark.parametrize(
    ("printed", "expected", "same"),
    [
        ("12\n", "12", True),
        (" \t12\v\f\r\n", "12", True),
        ("12\x1c\x1f", "12", True),
        ("12", "\n12 ", True),
        ("1 2", "12", False),
        ("", " ", True),
    ],
)
def test_strip_compares_as_the_published_harness(
    tiny: Path, printed: str, expected: str, same: bool
) -> None:
    """It strips texts, which have more kinds of white space than bytes."""
    assert (printed.strip() == expected.strip()) is same
    (tiny / "T1-copy" / "judge.py").unlink()
    (tiny / "T1-copy" / TESTS_FILE).write_text(json.dumps([{"input": printed, "output": expected}]))
    problem = load(tiny).problem("T1")
    assert grade(problem, "brainfuck", ECHO, seed=PRACTICE_SEED, compare="strip").solved is same
    exact = grade(problem, "brainfuck", ECHO, seed=PRACTICE_SEED)
    assert exact.solved is (printed == expected)
