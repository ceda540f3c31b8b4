"""Failed tests say in words what differs, and name the likely cause."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from esolangs.registry import language_ids
from esoplay.cli.main import main
from esoplay.grading import differences
from esoplay.grading.differences import RunEnding, TestedProgram, explain_difference, load_causes
from esoplay.grading.grader import grade, grade_examples
from esoplay.grading.packs import load_pack
from esoplay.grading.problem import Problem
from esoplay.grading.report import GradeReport
from esoplay.grading.seeds import PRACTICE_SEED, random_seed
from esoplay.packs.catalogue import get_problem
from esoplay.sessions.export import seal_report
from esoplay.sessions.protocols import PROTOCOLS


@pytest.fixture
def problem(tiny: Path) -> Problem:
    return load_pack(tiny).problem("T1")


@pytest.mark.parametrize(
    ("given", "wanted", "got", "kind", "said"),
    [
        (b"5 7", b"12", b"12 ", "extra_spaces", "one extra space at the end"),
        (b"5 7", b"12", b"12   ", "extra_spaces", "3 extra spaces at the end"),
        (b"", b"12", b"", "nothing", "prints nothing for empty input"),
        (b"5", b"12", b"", "nothing", "prints nothing"),
        (b"5", b"", b"12", "unwanted", "prints 2 characters where nothing is expected"),
        (b"", b"12\n", b"12", "no_newline", "prints the number without the newline at the end"),
        (b"", b"ab\n", b"ab", "no_newline", "prints the output without the newline at the end"),
        (b"", b"12", b"12\n", "extra_newline", "one extra newline at the end"),
        (b"", b"ab cd ef", b"ab", "short", "stops after the first word"),
        (b"", b"ab cd ef", b"ab cd ", "short", "stops after 2 words"),
        (b"", b"ab\ncd", b"ab", "short", "stops after the first line"),
        (b"", b"abcde", b"abc", "short", "stops after 3 of 5 characters"),
        (b"", b"abcde", b"a", "short", "stops after the first character"),
        (b"", b"abcde", b"abcd", "one_short", "the last character is missing: 'e'"),
        (b"", b"abcde", b"bcde", "late", "the first character is missing at the beginning"),
        (b"", b"ab", b"abcd", "long", "continues after the expected output with 'cd'"),
        (b"", b"ab", b"xab", "early", "prints 'x' before the expected output"),
        (b"", b"12", b"13", "off_by_one", "off by one: the number is 1 too large"),
        (b"", b"3 5 7", b"2 4 6", "off_by_one", "off by one: every number is 1 too small"),
        (b"", b"-12", b"12", "sign", "the sign is wrong"),
        (b"", b"12", b"0012", "zeros", "the number has leading zeros or a plus sign"),
        (b"", b"12", b"108", "digit_codes", "96 too large, a multiple of 48"),
        (b"", b"300", b"44", "wrapped", "256 too small, as if wrapped around at 256"),
        (b"", b"72", b"H", "character", "prints the character with the code 72"),
        (b"", b"Hi", b"72 105", "codes", "prints the codes of the characters"),
        (b"", b"Hi", b"72105", "codes", "prints the codes of the characters"),
        (b"", b"9 10 11", b"10 11 9", "sorted_as_text", "sorted as text, not as numbers"),
        (b"", b"1 2 3", b"1,2,3", "spelling", "different separators or leading zeros"),
        (b"", b"1 2 1", b"01 2 1", "spelling", "different separators or leading zeros"),
        (b"", b"9 10 11", b"11 10 9", "reversed", "the numbers are in reverse order"),
        (b"", b"9 7 8", b"7 9 8", "order", "the right numbers in another order"),
        (b"", b"9 7 8", b"9 7", "short", "stops after 2 of 3 numbers"),
        (b"", b"9 7 8", b"9 7 8 8", "long", "one extra number at the end"),
        (b"", b"1 2", b"1\n2", "separator", "newlines where spaces are expected"),
        (b"", b"1,2", b"1 ,2 ", "spaces_between", "different whitespace between them"),
        (b"", b"hello", b"olleh", "reversed", "the output is in reverse order"),
        (b"", b"Hello", b"hello", "case", "upper and lower case differ"),
        (b"cab", b"abc", b"cab", "echo", "prints the input unchanged"),
        (b"", b"abc", b"abcabc", "twice", "prints the expected output twice"),
        (b"ab", b"ba", b"ba\0", "past_end", "byte 0 at the end, perhaps from reading past the end"),
        (b"ab", b"ba", b"\xffba", "past_end", "byte 255 in the output, perhaps"),
        (b"ab", b"ba", b"ba-1", "past_end", "the number -1 at the end, perhaps"),
        (b"", b"hello", b"hexlo", "other", "only character 3 differs: 'x', expected 'l'"),
        (
            b"",
            "naïve".encode(),
            "naìve".encode(),
            "other",
            "character 3 differs: 'ì', expected 'ï'",
        ),
        (b"", b"hello", b"hi\x1b[1m", "other", "character 2 is 'i', expected 'e'"),
    ],
)
def test_each_kind_of_difference_has_its_description(
    given: bytes, wanted: bytes, got: bytes, kind: str, said: str
) -> None:
    found = explain_difference(TestedProgram("none"), given, wanted, got)
    assert found is not None
    assert (found.kind, said in found.description) == (kind, True), found
    assert found.text.isprintable()


@pytest.mark.parametrize(
    ("got", "ending", "said"),
    [
        (
            b"ab",
            RunEnding("step_limit"),
            "prints the expected output, then is still running at the step limit",
        ),
        (
            b"abab",
            RunEnding("output_limit"),
            "then 2 more characters, and is still running at the output limit",
        ),
        (
            b"ab" + b"\0" * 1_048_576,
            RunEnding("output_limit"),
            "prints the expected output, then byte 0 1,048,576 more times, and is still running",
        ),
        (
            b"ab ",
            RunEnding("step_limit"),
            "prints the expected output, then a space, and is still running at the step limit",
        ),
        (
            b"abzz",
            RunEnding("fault", "tape_underflow"),
            "prints the expected output, then 'z' 2 more times, and stops with a fault",
        ),
        (
            b"",
            RunEnding("time_limit"),
            "prints nothing for empty input and is still running at the time limit",
        ),
        (
            b"a",
            RunEnding("fault", "tape_underflow"),
            "prints 1 of 2 characters, then stops with a fault",
        ),
        (
            b"xy",
            RunEnding("memory_limit"),
            "needs too much memory; before that, character 1 is 'x'",
        ),
    ],
)
def test_a_run_that_did_not_end_says_how_far_it_was_right(
    got: bytes, ending: RunEnding, said: str
) -> None:
    found = explain_difference(TestedProgram("brainfuck"), b"", b"ab", got, ending)
    assert found is not None
    assert said in found.description


def test_all_that_an_endless_run_printed_is_counted() -> None:
    found = explain_difference(
        TestedProgram("none"), b"", b"", b"z" * 12_345, RunEnding("step_limit")
    )
    assert found is not None
    assert "continues after the expected output with 12,345 characters" in found.description


def test_the_cause_of_a_difference_depends_on_language_and_program() -> None:
    def why(language: str, source: bytes, wanted: bytes, got: bytes) -> str:
        found = explain_difference(TestedProgram(language, source), b"5 7", wanted, got)
        assert found is not None
        return found.why

    assert why("befunge-98", b"&&+.@", b"12", b"12 ") == (
        "in Befunge `.` prints a space after the number"
    )
    assert why("befunge-98", b'" 21",,,@', b"12", b"12 ") == ""
    assert "end=" in why("python", b"print(12)", b"12", b"12\n")
    assert "tape_underflow" not in why("brainfuck", b"<", b"1", b"2")
    assert why("brainfuck", b",.,.", b"5", b"5\0") == "at the end of input, ',' stores 0"
    faulted = explain_difference(
        TestedProgram("whitespace"), b"", b"1", b"", RunEnding("fault", "end_of_input")
    )
    assert faulted is not None
    assert "eof=-1" in faulted.why


@pytest.mark.parametrize(
    ("language", "source", "wanted", "got", "status"),
    [
        ("brainfuck", b",[.]", b"12", b"13", "wrong_answer"),
        ("brainfuck", b",[.]", b"abc", b"ab", "wrong_answer"),
        ("brainfuck", b",[.]", b"abc", b"bc", "wrong_answer"),
        ("brainfuck", b",[.]", b"abc", b"", "wrong_answer"),
        ("brainfuck", b",[.]", b"abc", b"axc", "wrong_answer"),
        ("brainfuck", b",[.]", b"abc", b"abc\0", "wrong_answer"),
        ("brainfuck", b",[.]", b"cab", b"5 7", "wrong_answer"),
        ("unlambda", b"i", b"300", b"44", "wrong_answer"),
        ("none", b"", b"abc", b"", "step_limit"),
    ],
)
def test_a_guess_about_the_program_is_marked_as_one(
    language: str, source: bytes, wanted: bytes, got: bytes, status: str
) -> None:
    program, ending = TestedProgram(language, source), RunEnding(status)
    found = explain_difference(program, b"5 7", wanted, got, ending)
    assert found is not None
    assert "perhaps" in found.text


def test_every_language_has_a_table_of_causes_of_kinds_that_exist() -> None:
    source = Path(differences.__file__).read_text("utf-8")
    tables = {file.stem for file in differences.FOLDER.glob("*.toml")}
    assert set(language_ids()) <= tables
    for name in tables:
        assert load_causes(name), name
        for each in load_causes(name):
            assert f'"{each.kind}"' in source, (name, each.kind)


def test_long_outputs_are_compared_by_their_first_difference_only() -> None:
    wanted = b"a" * (1 << 20)
    found = explain_difference(TestedProgram("brainfuck"), b"", wanted, wanted[:-1] + b"b")
    assert found is not None
    assert found.description == "only character 1,048,576 differs: 'b', expected 'a'"


def test_grade_names_the_extra_space(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "s.b98").write_bytes(b"&&+.@")
    assert main(["grade", str(tmp_path / "s.b98"), "--problem", "E04"]) == 1
    told = capsys.readouterr().out
    words = "one extra space at the end: in Befunge `.` prints a space after the number"
    assert told.count(words) == 6


def test_json_has_a_cause_for_each_failed_test_only(problem: Problem) -> None:
    program = b",[-].,[.,]"  # right for nothing but the empty input
    tests = grade(problem, "brainfuck", program, seed=PRACTICE_SEED).as_json()["tests"]
    failed = [test for test in tests if test["verdict"] != "pass"]
    assert failed
    assert all(set(test["cause"]) == {"kind", "text"} for test in failed)
    assert all("cause" not in test for test in tests if test["verdict"] == "pass")


def report_of(id: str, language: str, program: bytes, seed: bytes) -> GradeReport:
    return grade(get_problem(id), language, program, seed=seed)


def test_the_only_class_that_fails_is_named_in_practice() -> None:
    once = b"+>,[<->[.,]]"  # echoes, and prints nothing wrong; below: one byte for an empty input
    assert report_of("E02", "brainfuck", once, PRACTICE_SEED).only_class is None
    report = report_of("E02", "brainfuck", b"+>,[<->[.,]]<[.-]", PRACTICE_SEED)
    assert report.only_class is not None
    assert report.only_class_text.startswith("only tests of class empty fail: ")
    assert report.as_json()["only_class"]["name"] == "empty"
    assert report_of("E02", "brainfuck", b"", PRACTICE_SEED).only_class is None


def test_hidden_tests_have_no_cause_and_name_no_class() -> None:
    report = report_of("E02", "brainfuck", b"+>,[<->[.,]]<[.-]", random_seed())
    assert report.passed == 5
    assert report.only_class is None
    assert all(test.cause is None and test.edge_class is None for test in report.tests)
    assert "cause" not in json.dumps(report.as_json())


@pytest.mark.parametrize("name", sorted(PROTOCOLS))
def test_a_sealed_report_has_causes_only_where_its_protocol_explains(name: str) -> None:
    protocol = PROTOCOLS[name]
    report = report_of("E02", "brainfuck", b"+>,[<->[.,]]<[.-]", PRACTICE_SEED)
    explained = protocol.feedback == "explained"
    assert (b'"cause"' in seal_report(report, protocol, b"")) == explained
    assert not explained or protocol.public_seed


def test_failed_examples_have_causes(problem: Problem) -> None:
    report = grade_examples(problem, "brainfuck", b"+.")
    assert all(test.cause is not None for test in report.tests if not test.passed)
