"""``esoplay problems compare``: agreement of two packs on the same programs, and mistakes."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from made_sessions import some_session
from published_schemas import assert_valid

from esoplay.cli.main import main
from esoplay.packs.catalogue import get_problem

ECHO, FIVE, NOTHING = ",[.,]", ",.,.,.,.,.", "+"


@pytest.fixture
def small(tmp_path: Path) -> str:
    """A pack whose E02 accepts an echo of five characters; its Q1 has the title of our E03."""
    tests = [{"input": "Hello", "output": "Hello"}, {"input": "a b c", "output": "a b c"}]
    title = get_problem("E03").title.upper()
    items = [
        {"id": "E02", "title": "Echo", "test_cases": tests},
        {"id": "Q1", "title": title, "test_cases": tests},
    ]
    whole = [{"difficulty": "easy", "description": "Print.", **item} for item in items]
    (tmp_path / "small.json").write_text(json.dumps(whole))
    assert main(["problems", "import", str(tmp_path / "small.json"), "--replace"]) == 0
    return "small"


@pytest.fixture
def programs(tmp_path: Path) -> str:
    folder = tmp_path / "programs"
    (folder / "E02-nothing").mkdir(parents=True)
    (folder / "E02.bf").write_text(ECHO)
    (folder / "E02-five.bf").write_text(FIVE)
    (folder / "E02-nothing" / "brainfuck.bf").write_text(NOTHING)
    (folder / "E03.bf").write_text(ECHO)
    (folder / "notes.md").write_text("not a program")
    return str(folder)


def compare(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert main(["problems", "compare", *words]) == 0
    return capsys.readouterr().out


def test_a_comparison_counts_agreement_and_names_the_failed_test(
    small: str, programs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("esoplay-80", small, "--programs", programs)
    found: dict[str, Any] = json.loads(compare(capsys, *words, "--json"))
    assert_valid(found, "pack-comparison")
    counts = {"both": 1, "only_first": 0, "only_second": 1, "neither": 1, "total": 3}
    assert found["programs"] == counts
    assert found["agreement"] == pytest.approx(2 / 3)
    # chance agreement: 1/3 * 2/3 + 2/3 * 1/3
    assert found["kappa"] == pytest.approx((2 / 3 - 4 / 9) / (1 - 4 / 9))
    (problem,) = found["problems"]
    assert (problem["programs"], problem["accepted_by_first"]) == (3, 1)
    assert (problem["accepted_by_second"], problem["same_title"]) == (2, False)
    assert [(each["program"], each["problem"]) for each in found["unmatched"]] == [
        ("E03.bf", "E03")
    ]
    five = next(each for each in found["verdicts"] if each["program"] == "E02-five.bf")
    failed = five["first"]["first_failed"]
    assert failed["verdict"] == "wrong_answer"
    assert failed["got"].encode() != failed["input"].encode()
    assert five["second"]["first_failed"] is None
    text = compare(capsys, *words)
    assert "Accepted by small only, with the first test of esoplay-80 that fails" in text
    assert "Accepted by esoplay-80 only" not in text
    rows = list(csv.DictReader(io.StringIO(compare(capsys, *words, "--csv"))))
    assert [(row["program"], row["accepted_first"], row["accepted_second"]) for row in rows] == [
        ("E02-five.bf", "false", "true"),
        ("E02-nothing/brainfuck.bf", "false", "false"),
        ("E02.bf", "true", "true"),
    ]


def test_a_comparison_lists_mistakes_that_only_one_pack_catches(
    small: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = json.loads(compare(capsys, "esoplay-80", small, "--json"))
    (mistakes,) = found["mistakes"]
    assert mistakes["missed_by_first"] == []
    assert "long__buffer_of_128" in mistakes["missed_by_second"]
    assert mistakes["mistakes"] > len(mistakes["missed_by_second"])
    # the other way round, the same mistakes belong to the second pack
    (turned,) = json.loads(compare(capsys, small, "esoplay-80", "--json"))["mistakes"]
    assert (turned["of"], turned["missed_by_first"]) == ("second", mistakes["missed_by_second"])


def test_a_secret_seed_shows_no_input(
    small: str, programs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("esoplay-80", small, "--programs", programs, "--seed", "secret", "--json")
    for each in json.loads(compare(capsys, *words))["verdicts"]:
        for side in ("first", "second"):
            assert "input" not in (each[side]["first_failed"] or {})


def test_problems_are_matched_by_title(
    small: str, programs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("esoplay-80", small, "--programs", programs, "--match", "title", "--json")
    (problem,) = json.loads(compare(capsys, *words))["problems"]
    assert (problem["problem"], problem["problem_in_second"]) == ("E03", "Q1")


@pytest.mark.slow  # all mistakes of the pack
def test_submissions_of_a_session_are_programs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "session.json").write_text(json.dumps(some_session().export()))
    words = ("esoplay-80", "esoplay-80", "--programs", str(tmp_path / "session.json"), "--json")
    found = json.loads(compare(capsys, *words))
    assert found["programs"]["total"] == 3
    assert found["agreement"] == 1.0
    assert found["verdicts"][0]["program"] == "session.json: submission 1"
    assert sum(each["mistakes"] for each in found["mistakes"] if each["of"] == "first") > 700


def test_invalid_comparisons_are_refused(
    small: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    for words, reason in (
        (("esoplay-80",), "compare requires two packs"),
        (("esoplay-80", "nowhere"), "nowhere is neither a folder nor an installed pack"),
        (("esoplay-80", small, "--programs", str(tmp_path / "empty")), "no program found"),
        (("esoplay-80", small, "--programs", str(tmp_path / "none")), "cannot read"),
        (("esoplay-80", small, "--csv", "--json"), "cannot be combined"),
    ):
        assert main(["problems", "compare", *words]) == 2
        assert reason in capsys.readouterr().err
