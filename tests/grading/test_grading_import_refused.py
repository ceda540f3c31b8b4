"""Invalid data sets are refused with a message and leave no files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from imported_items import PAIRS, Item, item, nothing_installed

from esoplay.cli.main import main
from esoplay.errors import PackError, UsageError
from esoplay.grading import datasets, packs
from esoplay.packs.exchange import import_pack

HOSTILE: dict[str, tuple[object, str]] = {
    "no list": ("7", "expected a list of items, found a single value"),
    "no JSON": ("{", r":1:2: not valid JSON: Expecting property name"),
    "long number": (f"[{'9' * 5000}]", "not valid JSON: Exceeds the limit"),
    "empty": ("[]", "expected at least one item"),
    "nothing": ("", "at least one item"),
    "deep": ("[" * 100_000, "nested too deeply"),
    "number": ([7], r"items\[0\]: expected a table, found 7"),
    "no id": ([item(id=None)], r"items\[0\]\.id: this field is missing"),
    "id of a parent": ([item("../E02")], "id: expected 1 to 64 letters"),
    "absolute id": ([item("/etc/passwd")], "id: expected 1 to 64 letters"),
    "hidden id": ([item(".x")], "id: expected 1 to 64 letters"),
    "long id": ([item("x" * 65)], "id: expected 1 to 64 letters"),
    "zero byte": ([item("E\0")], "id: expected 1 to 64 letters"),
    "newline at the end": ([item("E02\n")], "id: expected 1 to 64 letters"),
    "number as id": ([item(id=2)], "id: expected a string"),
    "one id twice": (
        [item(), item("e02")],
        r"items\[1\] \(e02\)\.id: e02 is already the id of an earlier item",
    ),
    "no title": ([item(title=None)], r"items\[0\] \(E02\)\.title: this field is missing"),
    "escape codes": ([item(title="\x1b[2J")], "title: expected one line of text without control"),
    "title of two lines": ([item(title="a\nb")], "title: expected one line"),
    "escape codes within": ([item(description="a\x9bb")], "description: expected a string without"),
    "half a pair": ([item(description="\ud800")], "description: expected a string that is not"),
    "difficulty": ([item(difficulty="insane")], r"difficulty: expected easy \| medium \| hard"),
    "tests as text": ([item(input_output_examples="x")], "input_output_examples: expected a list"),
    "test as text": ([item(input_output_examples=["x"])], r"examples\[0\]: expected a table"),
    "no output": (
        [item(input_output_examples=[{"input": ""}])],
        r"examples\[0\]\.output: this field is missing",
    ),
    "output as number": (
        [item(input_output_examples=[*PAIRS, {"input": "", "output": 7}])],
        r"examples\[2\]\.output: expected a string, found 7",
    ),
    "half a pair in a test": (
        [item(input_output_examples=[{"input": "\ud800", "output": ""}])],
        r"examples\[0\]\.input: expected a string",
    ),
    "need": ([item(needs=["luck"])], r"needs\[0\]: expected arguments \| exit \| server"),
    "server without need": (
        [item(server="pass")],
        "server: expected both this field and .server. in `needs`, or neither",
    ),
    "need without server": ([item(needs=["server"])], "server: expected both this field"),
    "large server": (
        [item(needs=["server"], server="#" * 32769)],
        "server: expected at most 32,768",
    ),
    "exit without need": (
        [item(input_output_examples=[{**PAIRS[0], "exit": 2}])],
        'needs: tests that expect an exit status other than 0, .* require "exit" in needs',
    ),
    "arguments": (
        [item(input_output_examples=[{**PAIRS[0], "arguments": ["a\0"]}])],
        r"examples\[0\]\.arguments\[0\]: expected a string without NUL",
    ),
    "time limit": ([item(time_limit=61)], "time_limit: expected seconds above 0, at most 60"),
    "comparison": (
        {"metadata": {"compare": "fuzzy"}, "problems": [item()]},
        r"metadata.compare: expected exact \| newline \| strip \| numeric",
    ),
    "version": ({"metadata": {"version": ["x"]}, "problems": [item()]}, "metadata.version"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_errors_name_file_item_and_field(
    case: str, write: Any, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content, complaint = HOSTILE[case]
    file = write(content)
    with pytest.raises(PackError, match=complaint) as raised:
        import_pack(file)
    assert str(raised.value).startswith(f"{file}:")
    assert nothing_installed(home)
    assert main(["problems", "import", str(file)]) == 1
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "\x1b" not in told
    assert "\x9b" not in told


def test_a_data_set_beyond_its_limits_is_refused(
    write: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(datasets, "MAX_FILE_BYTES", 1000)
    with pytest.raises(PackError, match="expected at most 1,000 bytes"):
        import_pack(write([item(description="x" * 1000)]))
    monkeypatch.setattr(datasets, "MAX_FILE_BYTES", 1 << 20)
    monkeypatch.setattr(datasets, "MAX_TESTS", 3)
    with pytest.raises(PackError, match="expected at most 3 tests, found 4"):
        import_pack(write([item(input_output_examples=PAIRS * 2)]))
    monkeypatch.setattr(datasets, "MAX_ITEMS", 1)
    with pytest.raises(PackError, match="items: expected at most 1, found 2"):
        import_pack(write([item(), item("E03")]))
    with pytest.raises(UsageError, match="cannot read"):
        import_pack(home / "missing.json")
    (home.parent / "latin.json").write_bytes(b'["\xe9"]')
    with pytest.raises(PackError, match="byte 2 is not UTF-8"):
        import_pack(home.parent / "latin.json")
    assert nothing_installed(home)


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
def test_random_items_are_imported_or_refused_with_a_message(
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
            assert packs.installed_ids() == ("set",)
