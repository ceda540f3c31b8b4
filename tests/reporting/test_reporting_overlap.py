"""N-grams that programs share with references, against sets written by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_sessions import play

from esoplay.cli.main import main
from esoplay.reporting.overlap import extract_ngrams, tokenize
from esoplay.reporting.played_sessions import read_session
from esoplay.reporting.report import ReportOptions, make_report
from esoplay.reporting.sections.document import write_report
from esoplay.reporting.usage import Usage


@pytest.mark.parametrize(
    ("language", "program", "tokens"),
    [
        ("brainfuck", b"a ,[.,] # b", [b",", b"[", b".", b",", b"]"]),
        ("whitespace", b"a \tb\n", [b" ", b"\t", b"\n"]),
        ("unlambda", b"`r i # comment `r\n`", [b"`", b"r", b"i", b"`"]),
        ("befunge-98", b'1 "a"\n@', [b"1", b'"', b"a", b'"', b"@"]),
        ("shakespeare", b"You are as Good as a cat.", [*b"you are as good as a cat".split(), b"."]),
        ("python", b"print(x1)\n", [b"print", b"(", b"x1", b")"]),
    ],
)
def test_a_program_is_split_into_tokens_of_its_language(
    language: str, program: bytes, tokens: list[bytes]
) -> None:
    assert tokenize(program, language) == tokens


def test_ngrams_are_distinct_and_consecutive() -> None:
    assert extract_ngrams(b"+-+-+", "brainfuck", 2) == {(b"+", b"-"), (b"-", b"+")}
    assert extract_ngrams(b"+-", "brainfuck", 3) == frozenset()


def test_overlap_with_the_same_problem_and_with_others(tmp_path: Path) -> None:
    # Submitted programs are S, the id, and padding.
    moves = {"E1": "S", "E2": "S", "E3": "www", "H1": "www", "H2": "www", "H3": "www"}
    session = read_session("it", play(tmp_path, moves, language="befunge-98"), with_programs=True)
    assert sorted(session.solutions) == ["E1", "E2"]
    program = session.solutions["E1"]
    references = {("six", "befunge-98"): {"E1": program, "E2": b"SE1", "E3": b"SE2", "X9": program}}
    options = ReportOptions(overlap=2, references=references)
    report = make_report([session], (), {}, Usage(), options)
    (found,) = report.overlaps
    own = {name: extract_ngrams(text, "befunge-98", 2) for name, text in session.solutions.items()}
    others = {
        name: extract_ngrams(text, "befunge-98", 2)
        for name, text in references["six", "befunge-98"].items()
    }

    def share(one: str, other: str) -> float:
        return len([gram for gram in own[one] if gram in others[other]]) / len(own[one])

    assert (found.programs, found.greatest) == (2, 1)
    assert found.same == pytest.approx((1 + share("E2", "E2")) / 2)
    control = sorted([share("E1", "E2"), share("E1", "E3"), share("E2", "E1"), share("E2", "E3")])
    assert found.other == pytest.approx((control[1] + control[2]) / 2)
    titles = [section.title for section in write_report(report).sections]
    assert "Overlap with references" in titles
    assert report.as_json()["overlap"][0]["size"] == 2


def test_programs_are_read_only_for_the_overlap(
    exports: dict[str, bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert read_session("it", exports["ant-1"]).solutions == {}
    path = tmp_path / "it.json"
    path.write_bytes(exports["ant-1"])
    assert main(["report", str(path), "--overlap", "8"]) == 0
    assert "No references: the packs of these sessions are not installed" in capsys.readouterr().out


def test_an_invalid_size_of_overlap_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "none.json", "--overlap", "1"]) == 2
    assert "--overlap must be an integer from 2 to 64" in capsys.readouterr().err
