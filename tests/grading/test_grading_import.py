"""Data sets of other benchmarks become packs, whatever their form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from imported_items import PAIRS, REDACTED, Item, item, nothing_installed

from esoplay.errors import PackError
from esoplay.grading.datasets import (
    ItemFields,
    convert_problems,
    is_redacted,
    parse_tier,
    read_dataset,
)
from esoplay.grading.hidden import hidden_tests
from esoplay.grading.packs import load_pack
from esoplay.grading.seeds import PRACTICE_SEED
from esoplay.packs.catalogue import get_problem
from esoplay.packs.exchange import import_pack


@pytest.mark.parametrize(
    "spelled",
    [
        [item()],
        {"metadata": {"name": "A set", "version": "2.0"}, "problems": [item()]},
        {"items": [item()]},
        {"test": [item()]},
        [item(input_output_examples=None, test_cases=PAIRS)],
        [item(input_output_examples=None, tests=PAIRS)],
        item(),
        json.dumps(item()) + "\n",
        "\ufeff" + json.dumps([item()]),
        [item(answer="ignored", languages=["Brainfuck"])],
    ],
)
def test_every_published_form_of_a_data_set_is_imported(spelled: object, write: Any) -> None:
    found = import_pack(write(spelled))
    assert (found.id, found.kind, found.count) == ("set", "problems", 1)
    problem = get_problem("e02", "set")
    assert (problem.title, problem.tier, problem.statement) == (
        "Echo Line",
        "easy",
        "Print the line.",
    )
    tests = hidden_tests(problem, PRACTICE_SEED)
    assert [(test.input, test.expected) for test in tests] == [(b"a", b"a"), (b" b\n", b" b\n")]


def test_json_lines_are_imported_and_an_invalid_one_is_located(write: Any) -> None:
    lines = [json.dumps(item(id)) for id in ("E01", "E02")]
    assert import_pack(write("\n".join(lines) + "\n\n", "lines.jsonl")).count == 2
    with pytest.raises(PackError, match=r"broken\.jsonl:2:2: not valid JSON: Expecting property"):
        import_pack(write(lines[0] + "\n{", "broken.jsonl"))


def test_broken_json_is_named_with_line_and_column(write: Any) -> None:
    with pytest.raises(PackError, match=r"set\.json:3:3: not valid JSON: Expecting ',' delimiter"):
        import_pack(write('[\n  {"id": "E01"}\n  {"id": "E02"}]', "set.json"))


def test_title_and_version_come_from_the_metadata(write: Any) -> None:
    metadata = {"name": "A set", "version": 2.5, "splits": {"easy": 1}}
    found = import_pack(write({"metadata": metadata, "problems": [item()]}))
    assert (found.title, found.version) == ("A set", "2.5")
    assert import_pack(write([item()]), title="Mine", replace=True).title == "Mine"


@pytest.mark.parametrize(
    ("said", "tier"),
    [
        ("easy", "easy"),
        ("Medium", "medium"),
        (" HARD ", "hard"),
        ("extra_hard", "extra-hard"),
        ("Extra-Hard", "extra-hard"),
        ("extra hard", "extra-hard"),
        ("ExtraHard", "extra-hard"),
    ],
)
def test_difficulties_are_tiers(said: str, tier: str) -> None:
    assert parse_tier(ItemFields({"difficulty": said}, "set.json", "items[0]")) == tier


@pytest.mark.parametrize("tests", [None, [], REDACTED])
def test_public_and_private_files_are_joined(tests: list[Item] | None, write: Any) -> None:
    public = write([item(input_output_examples=tests)], "full_public.json")
    private = write({"problems": [item(test_cases=PAIRS, input_output_examples=None)]}, "p.json")
    found = import_pack(public, private)
    assert (found.id, found.count) == ("full", 1)
    assert len(hidden_tests(get_problem("E02", "full"), PRACTICE_SEED)) == 2
    by_id = write({"E02": PAIRS}, "by-id.json")
    assert import_pack(public, by_id, replace=True).tests_digest == found.tests_digest
    nested = write({"e02": {"test_cases": PAIRS}}, "nested.json")
    assert import_pack(public, nested, replace=True).tests_digest == found.tests_digest


@pytest.mark.parametrize(
    ("public", "private", "complaint"),
    [
        (
            [item(input_output_examples=REDACTED)],
            None,
            r"\(E02\): its tests are redacted; expected them",
        ),
        ([item(input_output_examples=[])], None, r"\(E02\): its tests are left out; expected them"),
        (
            [item(tests=None, input_output_examples=None)],
            None,
            "left out; expected them in a second file",
        ),
        (
            [item(input_output_examples=REDACTED)],
            [item(input_output_examples=REDACTED)],
            r"are redacted, and redacted in .*private\.json",
        ),
        (
            [item(input_output_examples=None)],
            [item("E03")],
            r"left out, and not in .*private\.json",
        ),
        (
            [item(input_output_examples=None)],
            [item(), item("E03")],
            r"private\.json: items\[1\] \(E03\)\.id: this problem is not in .*set\.json",
        ),
        (
            [item()],
            [item(input_output_examples=PAIRS[:1])],
            "its tests in the public and the private file differ",
        ),
    ],
)
def test_tests_that_are_missing_are_reported(
    public: object, private: object, complaint: str, write: Any, home: Path
) -> None:
    files = [write(public)] + ([write(private, "private.json")] if private else [])
    with pytest.raises(PackError, match=complaint):
        import_pack(*files)
    assert nothing_installed(home)


def test_only_a_redaction_in_brackets_counts_as_redacted() -> None:
    for word in (b"<REDACTED_INPUT>", b"[redacted]", b" <Redacted: see private file> "):
        assert is_redacted(word)
    for word in (b"", b"redacted", b"<b>redacted</b>", b"x <REDACTED>", b"<>"):
        assert not is_redacted(word)


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
PLAIN = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=20)
TESTS = st.lists(st.fixed_dictionaries({"input": TEXT, "output": TEXT}), min_size=1, max_size=4)
ITEMS = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.from_regex("[A-Za-z0-9][A-Za-z0-9._-]{0,9}", fullmatch=True),
            "difficulty": st.sampled_from(["easy", "medium", "hard", "extra_hard"]),
            "title": PLAIN,
            "description": PLAIN,
            "test_cases": TESTS,
        }
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda each: each["id"].casefold(),
)


@given(ITEMS, st.sampled_from(["list", "object", "lines"]))
def test_the_grader_gets_the_exact_data_of_a_data_set(
    tmp_path_factory: pytest.TempPathFactory, items: list[Item], form: str
) -> None:
    folder = tmp_path_factory.mktemp("import")
    texts = {
        "list": json.dumps(items),
        "object": json.dumps({"problems": items}, ensure_ascii=False),
        "lines": "\n".join(map(json.dumps, items)),
    }
    (folder / "set.json").write_text(texts[form], "utf-8")
    (folder / "pack").mkdir()
    convert_problems(read_dataset(folder / "set.json"), None, id="set").write(folder / "pack")
    pack = load_pack(folder / "pack")
    assert len(pack.problems) == len(items)
    for each in items:
        problem = pack.problem(each["id"])
        assert (problem.id, problem.title) == (each["id"], each["title"])
        assert problem.tier == each["difficulty"].replace("_", "-")
        tests = hidden_tests(problem, PRACTICE_SEED)
        assert [(test.input.decode(), test.expected.decode()) for test in tests] == [
            (test["input"], test["output"]) for test in each["test_cases"]
        ]
