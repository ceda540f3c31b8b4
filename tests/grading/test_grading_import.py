"""Data sets of other benchmarks become packs, or are refused and leave nothing behind."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esoplay.cli.main import main
from esoplay.errors import EsoplayError, PackError, UsageError
from esoplay.grading import datasets, installed
from esoplay.grading.datasets import ItemFields, is_redacted, read_dataset
from esoplay.grading.hidden import hidden_tests
from esoplay.grading.importing import problems_of, tier_of
from esoplay.grading.installing import install
from esoplay.grading.packs import load_pack
from esoplay.grading.seeds import PRACTICE_SEED
from esoplay.service.exchange import import_pack, installed_packs
from esoplay.service.problems import get_pack, get_problem

Capture = pytest.CaptureFixture[str]
Item = dict[str, Any]
PAIRS = [{"input": "a", "output": "a"}, {"input": " b\n", "output": " b\n"}]
REDACTED = [{"input": "<REDACTED_INPUT>", "output": "<REDACTED_EXPECTED>"}] * 6


def item(id: str = "E02", **changes: Any) -> Item:
    made: Item = {
        "id": id,
        "difficulty": "easy",
        "title": "Echo Line",
        "description": "Print the line.",
        "input_output_examples": PAIRS,
    }
    made |= changes
    return {name: value for name, value in made.items() if value is not None}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("ESOPLAY_HOME", str(folder))
    return folder


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def write(value: object, name: str = "set.json") -> Path:
        file = tmp_path / name
        file.write_text(value if isinstance(value, str) else json.dumps(value))
        return file

    return write


def nothing_installed(home: Path) -> bool:
    packs = home / "packs"
    return not packs.is_dir() or {path.name for path in packs.iterdir()} <= {".lock"}


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
def test_every_published_form_is_taken(spelled: object, write: Any) -> None:
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


def test_json_lines_are_taken_and_a_broken_one_is_named(write: Any) -> None:
    lines = [json.dumps(item(id)) for id in ("E01", "E02")]
    assert import_pack(write("\n".join(lines) + "\n\n", "lines.jsonl")).count == 2
    with pytest.raises(PackError, match=r"broken\.jsonl: line 2: no JSON"):
        import_pack(write(lines[0] + "\n{", "broken.jsonl"))


def test_metadata_give_title_and_version(write: Any) -> None:
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
    assert tier_of(ItemFields({"difficulty": said}, "set.json", "items[0]")) == tier


@pytest.mark.parametrize("tests", [None, [], REDACTED])
def test_a_pair_of_files_is_put_together(tests: list[Item] | None, write: Any) -> None:
    public = write([item(input_output_examples=tests)], "full_public.json")
    private = write({"problems": [item(test_cases=PAIRS, input_output_examples=None)]}, "p.json")
    found = import_pack(public, private)
    assert (found.id, found.count) == ("full", 1)
    assert len(hidden_tests(get_problem("E02", "full"), PRACTICE_SEED)) == 2
    by_id = write({"E02": PAIRS}, "by-id.json")
    assert import_pack(public, by_id, replace=True).tests == found.tests
    nested = write({"e02": {"test_cases": PAIRS}}, "nested.json")
    assert import_pack(public, nested, replace=True).tests == found.tests


@pytest.mark.parametrize(
    ("public", "private", "complaint"),
    [
        ([item(input_output_examples=REDACTED)], None, r"\(E02\): its tests are redacted; name"),
        ([item(input_output_examples=[])], None, r"\(E02\): its tests are left out; name"),
        ([item(tests=None, input_output_examples=None)], None, "left out; name the file"),
        (
            [item(input_output_examples=REDACTED)],
            [item(input_output_examples=REDACTED)],
            r"are redacted, and in .*private\.json they are redacted",
        ),
        (
            [item(input_output_examples=None)],
            [item("E03")],
            r"left out, and .*private\.json has no problem of this id",
        ),
        (
            [item(input_output_examples=None)],
            [item(), item("E03")],
            r"private\.json: items\[1\] \(E03\)\.id: .*set\.json has no such problem",
        ),
        ([item()], [item(input_output_examples=PAIRS[:1])], "others than those in the private"),
    ],
)
def test_tests_that_are_missing_are_told_of(
    public: object, private: object, complaint: str, write: Any, home: Path
) -> None:
    files = [write(public)] + ([write(private, "private.json")] if private else [])
    with pytest.raises(PackError, match=complaint):
        import_pack(*files)
    assert nothing_installed(home)


def test_a_word_in_brackets_is_redacted_and_a_test_about_it_is_not() -> None:
    for word in (b"<REDACTED_INPUT>", b"[redacted]", b" <Redacted: see private file> "):
        assert is_redacted(word)
    for word in (b"", b"redacted", b"<b>redacted</b>", b"x <REDACTED>", b"<>"):
        assert not is_redacted(word)


HOSTILE: dict[str, tuple[object, str]] = {
    "no list": ("7", "expected a list of items, found a single value"),
    "no JSON": ("{", "no JSON"),
    "empty": ("[]", "there are no items"),
    "nothing": ("", "no items"),
    "deep": ("[" * 100_000, "nested too deeply"),
    "number": ([7], r"items\[0\]: expected a table, found 7"),
    "no id": ([item(id=None)], r"items\[0\]\.id: this field is missing"),
    "id of a parent": ([item("../E02")], "id: expected 1 to 64 letters"),
    "absolute id": ([item("/etc/passwd")], "id: expected 1 to 64 letters"),
    "hidden id": ([item(".x")], "id: expected 1 to 64 letters"),
    "long id": ([item("x" * 65)], "id: expected 1 to 64 letters"),
    "zero byte": ([item("E\0")], "id: expected 1 to 64 letters"),
    "newline at the end": ([item("E02\n")], "id: expected 1 to 64 letters"),
    "number as id": ([item(id=2)], "id: expected a text"),
    "one id twice": ([item(), item("e02")], r"items\[1\] \(e02\)\.id: e02 is the id of an item"),
    "no title": ([item(title=None)], r"items\[0\] \(E02\)\.title: this field is missing"),
    "escape codes": ([item(title="\x1b[2J")], "title: expected one line of text without control"),
    "title of two lines": ([item(title="a\nb")], "title: expected one line"),
    "escape codes within": ([item(description="a\x9bb")], "description: expected a text without"),
    "half a pair": ([item(description="\ud800")], "description: expected a text that is not"),
    "difficulty": ([item(difficulty="insane")], r"difficulty: expected easy \| medium \| hard"),
    "tests as text": ([item(input_output_examples="x")], "input_output_examples: expected a list"),
    "test as text": ([item(input_output_examples=["x"])], r"examples\[0\]: expected a table"),
    "no output": (
        [item(input_output_examples=[{"input": ""}])],
        r"examples\[0\]\.output: this field is missing",
    ),
    "output as number": (
        [item(input_output_examples=[*PAIRS, {"input": "", "output": 7}])],
        r"examples\[2\]\.output: expected a text, found 7",
    ),
    "half a pair in a test": (
        [item(input_output_examples=[{"input": "\ud800", "output": ""}])],
        r"examples\[0\]\.input: expected a text",
    ),
    "version": ({"metadata": {"version": ["x"]}, "problems": [item()]}, "metadata.version"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_what_is_wrong_is_told_with_file_item_and_field(
    case: str, write: Any, home: Path, capsys: Capture
) -> None:
    content, complaint = HOSTILE[case]
    file = write(content)
    with pytest.raises(PackError, match=complaint) as raised:
        import_pack(file)
    assert str(raised.value).startswith(f"{file}: ")
    assert nothing_installed(home)
    assert main(["problems", "import", str(file)]) == 1
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "\x1b" not in told
    assert "\x9b" not in told


def test_no_more_is_read_than_a_data_set_can_have(
    write: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(datasets, "LARGEST", 1000)
    with pytest.raises(PackError, match="longer than 1,000 bytes"):
        import_pack(write([item(description="x" * 1000)]))
    monkeypatch.setattr(datasets, "LARGEST", 1 << 20)
    monkeypatch.setattr(datasets, "MOST_TESTS", 3)
    with pytest.raises(PackError, match="expected at most 3 tests, found 4"):
        import_pack(write([item(input_output_examples=PAIRS * 2)]))
    monkeypatch.setattr(datasets, "MOST_ITEMS", 1)
    with pytest.raises(PackError, match="items: expected at most 1, found 2"):
        import_pack(write([item(), item("E03")]))
    with pytest.raises(UsageError, match="cannot read"):
        import_pack(home / "missing.json")
    (home.parent / "latin.json").write_bytes(b'["\xe9"]')
    with pytest.raises(PackError, match="byte 2 is no UTF-8"):
        import_pack(home.parent / "latin.json")
    assert nothing_installed(home)


@pytest.mark.parametrize("id", ["..", ".", "", "a/b", "../x", ".x", "-", "esoplay-80", "x" * 65])
def test_an_id_that_could_do_harm_is_refused(id: str, write: Any, home: Path) -> None:
    with pytest.raises(UsageError, match="cannot be the id of a pack"):
        import_pack(write([item()]), id=id)
    assert nothing_installed(home)
    assert not (home.parent / "x").exists()


def test_a_pack_is_replaced_only_when_that_was_said(write: Any, home: Path) -> None:
    import_pack(write([item()]))
    before = get_pack("set")
    with pytest.raises(UsageError, match="installed already; --replace"):
        import_pack(write([item("E03")]))
    assert get_pack("set") == before
    with pytest.raises(PackError):
        import_pack(write([item("E03", title=None)]), replace=True)
    assert get_pack("set") == before
    import_pack(write([item("E03")]), replace=True)
    assert [problem.id for problem in get_pack("set")] == ["E03"]
    assert {path.name for path in (home / "packs").iterdir()} == {".lock", "set"}


def test_what_fails_half_way_leaves_nothing(
    write: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_pack(write([item()]))
    before = get_pack("set")

    def full(folder: Path) -> None:
        (folder / "something").write_text("written")
        raise OSError(28, "No space left on device")

    with pytest.raises(EsoplayError, match="No space left"):
        install("set", full, replace=True)
    with pytest.raises(EsoplayError, match="No space left"):
        install("other", full)
    assert get_pack("set") == before
    assert {path.name for path in (home / "packs").iterdir()} == {".lock", "set"}


def test_what_a_killed_process_left_behind_is_put_right(write: Any, home: Path) -> None:
    import_pack(write([item()]))
    packs = home / "packs"
    (packs / ".old-x").mkdir()
    (packs / "set").rename(packs / ".old-x" / "set")  # it died between two renames
    (packs / ".new-y").mkdir()
    assert "set" not in installed.installed_ids()
    import_pack(write([item("E03")], "next.json"))
    assert {path.name for path in packs.iterdir()} == {".lock", "next", "set"}
    assert get_pack("set").problem("E02").title == "Echo Line"


def test_packs_are_listed_by_the_command(write: Any, home: Path, capsys: Capture) -> None:
    assert main(["problems", "import", str(write([item()]))]) == 0
    (home / "packs" / "ruined").mkdir()
    assert main(["problems", "packs", "--json"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])["packs"]
    assert [(pack["id"], pack["kind"]) for pack in told] == [
        ("esoplay-80", "problems"),
        ("ruined", "broken"),
        ("set", "problems"),
    ]
    assert told[0]["tests"] is None
    assert told[2]["tests"] == get_pack("set").tests
    assert main(["problems", "packs"]) == 0
    assert "1 problem, version 1, fixed tests" in capsys.readouterr().out
    assert main(["problems", "show", "E02", "--pack", "set"]) == 0
    assert "Print the line." in capsys.readouterr().out
    assert installed_packs()[1].kind == "broken"


def test_an_id_is_an_installed_pack_before_it_is_a_folder_here(
    write: Any, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_pack(write([item()]), id="pack")
    monkeypatch.chdir(tiny.parent)
    assert get_pack("pack").problems[0].id == "E02"
    assert get_pack("./pack").problems[0].id == "T1"
    assert get_pack(Path("pack")).problems[0].id == "T1"


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
def test_whatever_a_data_set_holds_is_what_the_grader_gets(
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
    problems_of(read_dataset(folder / "set.json"), None, id="set").write(folder / "pack")
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


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=8,
)


@given(
    st.dictionaries(
        st.sampled_from([*item(), "test_cases", "code", "language", "expected_output"]), JSON_VALUES
    ),
    st.booleans(),
)
def test_random_items_are_taken_or_refused_in_words(
    tmp_path_factory: pytest.TempPathFactory, changes: Item, whole: bool
) -> None:
    folder = tmp_path_factory.mktemp("random")
    raw = changes if whole else [{**item(), **changes}]
    (folder / "set.json").write_text(json.dumps(raw))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ESOPLAY_HOME", str(folder / "home"))
        told = ""
        try:
            import_pack(folder / "set.json")
        except (PackError, UsageError) as error:
            told = str(error)
        if told:
            assert str(folder / "set.json") in told
            assert nothing_installed(folder / "home")
        else:
            assert installed.installed_ids() == ("set",)


def test_one_process_installs_at_a_time(write: Any, home: Path) -> None:
    """Many at once: one of them wins, the others are told, and the pack is whole."""
    import_pack(write([item()]), id="other")  # so that the folder is there
    files = [write([item(f"E{number:02}")], f"{number}.json") for number in range(8)]

    def attempt(file: Path) -> bool:
        try:
            import_pack(file, id="set")
        except UsageError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, files)) == 1
    assert len(get_pack("set").problems) == 1
    assert {path.name for path in (home / "packs").iterdir()} == {".lock", "other", "set"}
