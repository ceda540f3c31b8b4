"""Output predictions: published items, own ones, answers and their verdicts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esolangs.registry import find_language, language_ids
from esoplay.cli.main import main
from esoplay.errors import PackError
from esoplay.grading.hidden import hidden_tests
from esoplay.grading.predictions import load_predictions, read_answers
from esoplay.grading.seeds import PRACTICE_SEED, random_seed
from esoplay.packs.catalogue import get_pack
from esoplay.packs.exchange import import_pack
from esoplay.packs.par import extract_approach
from esoplay.packs.predictions import (
    check_answers,
    get_predictions,
    reference_predictions,
    wrong_items,
)

Capture = pytest.CaptureFixture[str]
BRAINFUCK = {
    "id": "OP-1",
    "language": "Brainfuck",
    "difficulty": "easy",
    "title": "Two letters",
    "description": "What is printed?",
    "code": ",.+.",
    "input": "A",
    "expected_output": "AB",
}
BEFUNGE = BRAINFUCK | {
    "id": "OP-2",
    "language": "Befunge-98",
    "code": "12+.@",
    "expected_output": "3",
}
WHITESPACE = BRAINFUCK | {
    "id": "OP-3",
    "language": "Whitespace",
    "difficulty": "extra_hard",
    "code": "[S][S][S][T][T][N] [T][N][S][T]\n[N][N][N]",
    "expected_output": "3",
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("ESOPLAY_HOME", str(folder))
    return folder


@pytest.fixture
def published(tmp_path: Path) -> Path:
    file = tmp_path / "published.json"
    metadata = {"name": "Published", "version": "1.0", "task_type": "output_prediction"}
    file.write_text(
        json.dumps({"metadata": metadata, "problems": [BRAINFUCK, BEFUNGE, WHITESPACE]})
    )
    return file


def test_published_items_are_installed_and_read_back(published: Path, home: Path) -> None:
    found = import_pack(published)
    assert (found.kind, found.count, found.title) == ("predictions", 3, "Published")
    items = get_predictions("published")
    assert items == load_predictions(home / "packs" / "published", "published")
    assert items == get_predictions(published)._replace(id="published")
    third = items.item("op-3")
    assert (third.language, third.tier, third.dialect) == ("whitespace", "extra-hard", "benchmark")
    assert third.program == b"   \t\t\n\t\n \t\n\n\n"
    assert third.run().stdout == b"3"


def test_an_item_whose_program_prints_something_else_is_found(
    published: Path, capsys: Capture
) -> None:
    """In Befunge a number is followed by a space, which published outputs forget."""
    assert main(["problems", "import", str(published)]) == 0
    assert "esoplay predict prove --items published" in capsys.readouterr().err
    assert main(["predict", "prove", "--items", "published", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["disagreements"] == [
        {"id": "OP-2", "expected": "3", "status": "ok", "stdout": "3 "}
    ]
    assert main(["predict", "prove", "--items", "published"]) == 1
    assert "programs that print the expected output: 2 of 3" in capsys.readouterr().out


def test_the_statement_does_not_reveal_the_output(published: Path, capsys: Capture) -> None:
    for arguments in (["list"], ["list", "--json"], ["show", "OP-1"], ["show", "op-1", "--json"]):
        assert main(["predict", *arguments, "--items", str(published)]) == 0
        told = capsys.readouterr().out
        assert "OP-1" in told
        assert "AB" not in told
    assert json.loads(told)["program"] == ",.+."


@pytest.mark.parametrize(
    ("output", "compare", "verdict"),
    [
        ("AB", "exact", "pass"),
        ("AB\n", "exact", "wrong_answer"),
        ("AB\n", "strip", "pass"),
        ("ab", "strip", "wrong_answer"),
        ("", "exact", "wrong_answer"),
        (None, "exact", "no_answer"),
    ],
)
def test_answers_are_judged_to_the_byte(
    output: str | None, compare: Any, verdict: str, published: Path
) -> None:
    answers = {} if output is None else {"op-1": output.encode()}
    report = check_answers(get_predictions(published), answers, compare)
    assert report.verdicts[0][1] == verdict
    assert {verdict for _, verdict in report.verdicts[1:]} == {"no_answer"}
    assert report.exit_code == 1


def test_answers_are_read_as_lines_or_as_a_file(
    published: Path, tmp_path: Path, capsys: Capture
) -> None:
    lines = [
        {"id": "OP-1", "output": "AB"},
        {"id": "op-2", "output_base64": "Mw=="},
        {"id": "OP-3", "output": "3", "why": "ignored"},
    ]
    file = tmp_path / "answers.jsonl"
    file.write_text("\n\n".join(map(json.dumps, lines)) + "\n")
    arguments = ["predict", "check", str(file), "--items", str(published)]
    assert main([*arguments, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["passed"], report["total"], report["compare"]) == (3, 3, "exact")
    assert set(report["items"][0]) == {"id", "language", "tier", "verdict"}
    assert main(arguments) == 0
    assert "3 of 3 right" in capsys.readouterr().out
    file.write_text("AB\n")
    single = ["predict", "answer", "op-1", str(file), "--items", str(published)]
    assert main(single) == 1
    assert main([*single, "--compare", "strip"]) == 0
    assert "1 of 1 right" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "line 2: not valid JSON"),
        ("[" * 100_000, "line 2: not valid JSON"),
        ("7", "line 2: expected a table, found 7"),
        ('{"output": ""}', "line 2.id: this field is missing"),
        ('{"id": "OP-2"}', "line 2.output: this field is missing"),
        ('{"id": "OP-2", "output": 7}', "line 2.output: expected a string, found 7"),
        ('{"id": "OP-2", "output": "\\ud800"}', "line 2.output: expected a string"),
        ('{"id": "OP-2", "output_base64": "?"}', "line 2.output_base64: expected base64"),
        ('{"id": "op-1", "output": ""}', "line 2.id: op-1 already has an answer"),
        ('{"id": "OP-9", "output": ""}', "item 'op-9', which is not in published"),
    ],
)
def test_invalid_answers_are_reported_with_their_line(
    line: str, complaint: str, published: Path, tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text('{"id": "OP-1", "output": "AB"}\n' + line)
    assert main(["predict", "check", str(file), "--items", str(published)]) == 1
    told = capsys.readouterr()
    assert complaint in told.err
    assert told.out == ""


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"language": "COBOL"}, "language: expected befunge-98 | brainfuck"),
        ({"language": 7}, "language: expected a string"),
        ({"dialect": "odd"}, "dialect: expected"),
        ({"code": 7}, "code: expected a string"),
        ({"code": "\ud800"}, "code: expected a string"),
        ({"expected_output": None}, "expected_output: expected a string"),
        ({"difficulty": "odd"}, "difficulty: expected easy"),
        ({"id": "../x"}, "id: expected 1 to 64"),
        ({"title": "\x1b"}, "title: expected one line"),
    ],
)
def test_broken_items_are_refused(
    changes: dict[str, Any], complaint: str, tmp_path: Path, home: Path
) -> None:
    file = tmp_path / "items.json"
    file.write_text(json.dumps([BRAINFUCK | {"id": "OP-0"}, BRAINFUCK | changes]))
    with pytest.raises(PackError) as raised:
        import_pack(file)
    assert str(raised.value).startswith(f"{file}: items[1]")
    assert complaint in str(raised.value)
    assert not (home / "packs" / "items").exists()


def test_predictions_are_not_problems_and_have_no_private_file(
    published: Path, capsys: Capture
) -> None:
    assert main(["problems", "import", str(published), str(published)]) == 2
    assert "have no private file" in capsys.readouterr().err
    assert main(["problems", "import", str(published)]) == 0
    assert main(["problems", "--pack", "published"]) == 2
    assert "use esoplay predict --items published" in capsys.readouterr().err
    assert main(["predict", "--items", "nobody"]) == 2
    assert main(["predict", "show", "OP-9", "--items", "published"]) == 1
    assert main(["predict", "show"]) == 2
    assert main(["predict", "guess"]) == 2


def test_items_from_references_have_the_expected_output_and_name_no_problem() -> None:
    seed = random_seed()
    made = reference_predictions(seed=seed)
    assert not wrong_items(made)
    cells = [
        (problem, language)
        for problem in get_pack()
        for language in language_ids()
        if problem.reference(language) is not None
    ]
    assert len(made.items) == len(cells) >= 20
    bare = {
        find_language(language).editing().without_comments(problem.reference(language) or b"")
        for problem, language in cells
    }
    assert {item.program for item in made.items} == bare
    titles = {problem.title for problem in get_pack()}
    assert not {item.title for item in made.items} & titles
    assert made == reference_predictions(seed=seed)
    assert made != reference_predictions(seed=random_seed())


def test_items_from_references_omit_the_comment_that_names_the_approach() -> None:
    approaches = [
        extract_approach(reference, language)[:20]
        for problem in get_pack()
        for language in language_ids()
        if (reference := problem.reference(language)) is not None
    ]
    assert all(approaches)
    for item in reference_predictions().items:
        shown = " ".join(item.program.decode().replace("\u00a0", " ").split())
        assert not [each for each in approaches if each in shown]
        assert extract_approach(item.program, item.language) in ("", "A play.")


def test_a_comment_that_the_program_executes_or_reads_stays(tiny: Path) -> None:
    (tiny / "T1-copy" / "references").mkdir()
    file = tiny / "T1-copy" / "references" / "befunge-98.b98"
    file.write_bytes(b";read and print it;#@~,\n")
    (item,) = reference_predictions("befunge-98", pack=tiny).items
    assert item.program == b";                 ;#@~,\n"
    reads_it = b"01g'r-#@_#@~:1+!#@_,\nread all of it\n"
    file.write_bytes(reads_it)
    (item,) = reference_predictions("befunge-98", pack=tiny, prove=True).items
    assert item.program == reads_it


def test_items_from_references_reveal_no_hidden_test_of_their_seed() -> None:
    seed = random_seed()
    tests = {test.input for problem in get_pack() for test in hidden_tests(problem, seed)}
    inputs = {item.input for item in reference_predictions(seed=seed).items}
    varied = {each for each in inputs if len(each) > 20 and len(set(each)) > 8}
    assert varied  # a row of spaces can be drawn twice by chance
    assert not varied & tests


def test_a_reference_that_fails_makes_no_item(tiny: Path, capsys: Capture) -> None:
    (tiny / "T1-copy" / "references").mkdir()
    for program in (",", "]"):
        (tiny / "T1-copy" / "references" / "brainfuck.bf").write_text(program)
        assert main(["predict", "make", "--pack", str(tiny)]) == 1
        told = capsys.readouterr()
        assert "T1-copy: the reference in brainfuck fails" in told.err
        assert told.out == ""
    assert main(["predict", "make", "--pack", str(tiny), "--lang", "unlambda"]) == 1
    assert "has no reference" in capsys.readouterr().err


def test_items_from_references_can_be_written_installed_and_answered(
    tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / "items.json"
    assert main(["predict", "make", "--lang", "brainfuck", "-o", str(file)]) == 0
    assert main(["problems", "import", str(file), "--id", "mine"]) == 0
    assert main(["predict", "prove", "--items", "mine"]) == 0
    capsys.readouterr()
    items = get_predictions("mine")
    made = reference_predictions("brainfuck", seed=PRACTICE_SEED)
    assert items.items == made.items
    answers = {item.id.casefold(): item.output for item in items.items}
    assert check_answers(items, answers).exit_code == 0
    assert main(["predict", "make", "--lang", "cobol"]) == 2


@given(st.dictionaries(st.from_regex("[A-Za-z][a-z0-9-]{0,8}", fullmatch=True), st.text()))
def test_answers_are_read_as_they_were_written(answers: dict[str, str]) -> None:
    lines = [json.dumps({"id": id, "output": text}) for id, text in answers.items()]
    wanted = {id.casefold(): text.encode() for id, text in answers.items()}
    if len(wanted) == len(answers):
        assert read_answers("\n".join(lines).encode(), "answers") == wanted


@given(st.text(" \t\n", max_size=30))
def test_whitespace_programs_survive_a_round_trip_in_visible_form(
    tmp_path_factory: Any, program: str
) -> None:
    folder = tmp_path_factory.mktemp("visible")
    item = WHITESPACE | {"code": program or " "}
    (folder / "items.json").write_text(json.dumps([item]))
    items = get_predictions(folder / "items.json")
    items.write(folder)
    again = load_predictions(folder, items.id)
    assert again.items == items.items
    assert again.items[0].program == (program or " ").encode()
