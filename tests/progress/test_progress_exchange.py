"""Progress in a file: merging loses nothing, may be repeated, and refuses what it cannot read."""

from __future__ import annotations

import json
from base64 import b64encode
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shell import esoplay

from esoplay.errors import UsageError
from esoplay.progress.exchange import (
    FORMAT_VERSION,
    ImportSummary,
    export_progress,
    export_text,
    import_progress,
)
from esoplay.progress.records import PracticeSubmission, SolvedProgramRecord
from esoplay.progress.store import ProgressStore, SubmissionRecord

PASS, FAIL = ("pass",) * 6, ("pass", "wrong_answer")
NOON = datetime(2026, 1, 7, 12, tzinfo=UTC)

RECORDS = st.lists(
    st.builds(
        SubmissionRecord,
        st.integers(1, 4).map(lambda day: f"2026-01-0{day}T12:00:00+00:00"),
        st.integers(1, 4).map(lambda day: f"2026-01-0{day}"),
        st.just("p"),
        st.sampled_from(["brainfuck", "unlambda"]),
        st.just("standard"),
        st.builds(
            PracticeSubmission,
            st.sampled_from(["E01", "E08"]),
            st.sampled_from([PASS, FAIL]),
            st.integers(0, 3),
            st.integers(0, 3),
            st.none() | st.integers(0, 3),
        ),
        st.none(),
    ),
    max_size=6,
)


def filled(folder: Path) -> ProgressStore:
    """A store with everything that can be in one."""
    store = ProgressStore(folder, lambda: NOON)
    for verdicts, source in ((PASS, b"+\xff"), (FAIL, b"-"), (PASS, b">"), (PASS, b"+\xff")):
        submission = PracticeSubmission("E08", verdicts, 5, len(source), 3)
        store.save_submission("p", "brainfuck", "standard", submission, source)
    store.add_imported_solution(
        "p", "E08", "brainfuck", "d" * 64, SolvedProgramRecord(1, 2, 3, "somebody")
    )
    store.set_setting("hints p E08", 2)
    store.set_setting("lesson hints brainfuck cells", 1)
    store.set_setting("lessons done brainfuck", ["cells", "loops"])
    store.set_setting("view", "score")
    return store


@settings(max_examples=12)
@given(RECORDS, RECORDS)
def test_merging_loses_nothing_and_may_be_repeated(
    mine: list[SubmissionRecord], theirs: list[SubmissionRecord]
) -> None:
    with TemporaryDirectory() as folder:
        stores: list[ProgressStore] = []
        for name, records in (("mine", mine), ("theirs", theirs)):
            (Path(folder) / name).mkdir()
            stores.append(ProgressStore(Path(folder) / name, lambda: NOON))
            stores[-1].add(records)
        here, there = stores
        first = export_text(here)
        merged = import_progress(here, export_text(there).encode())
        assert merged.submissions + merged.known == len(theirs)
        expected = Counter(mine) | Counter(theirs)
        assert Counter(here.records()) == expected
        assert import_progress(here, export_text(there).encode()).submissions == 0
        assert import_progress(here, export_text(here).encode()).submissions == 0
        assert import_progress(here, first.encode()).submissions == 0
        assert Counter(here.records()) == expected
        import_progress(there, first.encode())
        for language in ("brainfuck", "unlambda"):
            one, other = here.progress("p", language), there.progress("p", language)
            assert one.keys() == other.keys()
            for id, cell in one.items():
                again = other[id]
                assert cell._replace(latest=None, total=0) == again._replace(latest=None, total=0)
        assert here.streak() == there.streak()
        for store in stores:
            store.close()


def test_an_export_is_complete(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    store, new = filled(tmp_path), ProgressStore(tmp_path / "new", lambda: NOON)
    new.set_setting("lessons done brainfuck", ["input"])
    new.set_setting("hints p E08", 3)
    text = export_text(store)
    assert import_progress(new, text.encode()) == ImportSummary(4, 0, 2, 1)
    assert new.records() == store.records()
    assert new.all_imported_solutions() == store.all_imported_solutions()
    assert new.progress("p", "brainfuck") == store.progress("p", "brainfuck")
    assert {new.files.read(each.digest) for each in new.own_solutions("p", "brainfuck", "E08")} == {
        b"+\xff",
        b">",
    }
    assert new.setting("hints p E08") == 3
    assert new.setting("lesson hints brainfuck cells") == 1
    assert new.setting("lessons done brainfuck") == ["cells", "input", "loops"]
    assert new.setting("view") is None
    again = import_progress(new, text.encode())
    assert again == ImportSummary(0, 4, 0, 0)
    assert (
        again.describe()
        == "nothing new: all 4 submissions in the file are already in your progress"
    )


def test_a_file_of_a_newer_format_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    store = filled(tmp_path)
    before = export_progress(store)
    newer = {**before, "format_version": FORMAT_VERSION + 1, "submissions": [{"new": "kind"}]}
    with pytest.raises(UsageError, match="was written by a newer esoplay") as told:
        import_progress(store, json.dumps(newer).encode())
    assert str(FORMAT_VERSION + 1) in str(told.value)
    assert export_progress(store) == before


def put(table: Any, path: str, value: object) -> None:
    """Set what a path such as ``submissions.0.at`` names."""
    *way, last = path.split(".")
    for part in way:
        table = table[int(part)] if part.isdecimal() else table[part]
    table[last] = value


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("format", "esoplay-session", "expected the format esoplay-progress"),
        ("format_version", "1", "format_version: expected an integer, 1 or more"),
        ("submissions", {}, "submissions: expected a list"),
        ("submissions.1.at", "2026-01-01", "submissions[1].at: expected a time"),
        ("submissions.1.at", 5, "submissions[1].at: expected a time"),
        ("submissions.1.day", "yesterday", "submissions[1].day: expected a date"),
        (
            "submissions.1.problem",
            "",
            "submissions[1].problem: expected a string of 1 to 200 characters",
        ),
        (
            "submissions.1.pack",
            "\ud800",
            "submissions[1].pack: expected a string of 1 to 200 characters",
        ),
        ("submissions.1.verdicts", [], "submissions[1].verdicts: expected a list of verdicts"),
        ("submissions.1.verdicts", ["won"], "submissions[1].verdicts: expected a list of verdicts"),
        ("submissions.1.steps", -1, "submissions[1].steps: expected an integer"),
        ("submissions.1.size", 2**63, "submissions[1].size: expected an integer"),
        ("submissions.1.memory", True, "submissions[1].memory: expected an integer"),
        ("submissions.1.program", "../../x", "submissions[1].program: expected a SHA-256"),
        ("programs.xyz", b64encode(b"+").decode(), "programs.xyz: expected a program"),
        ("programs.xyz", "*", "programs.xyz: expected a program in base64"),
        ("programs", [], "programs: expected an object"),
        ("others.0.solver", None, "others[0].solver: expected a string of 1 to 200 characters"),
        ("hints.x", "2", "hints.x: expected an integer"),
        ("lessons.brainfuck", "all", "lessons.brainfuck: expected a string of 1 to 200 characters"),
    ],
)
def test_a_broken_import_is_reported_and_changes_nothing(
    tmp_path: Path, path: str, value: object, told: str
) -> None:
    store = filled(tmp_path)
    before = export_progress(store)
    table = json.loads(export_text(store))
    put(table, path, value)
    with pytest.raises(UsageError) as error:
        import_progress(store, json.dumps(table).encode())
    assert told in str(error.value)
    assert export_progress(store) == before


@pytest.mark.parametrize("data", [b"", b"\xff", b"[]", b"{}", b"[" * 100_000])
def test_other_files_are_refused_by_import(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(UsageError, match="not a progress file"):
        import_progress(ProgressStore(tmp_path), data)


@pytest.mark.slow
def test_the_command_shows_exports_and_imports(tmp_path: Path) -> None:
    home, other, file = tmp_path / "a", tmp_path / "b", tmp_path / "mine.json"
    home.mkdir()
    store = ProgressStore(home, lambda: NOON)
    source = b">,[>,]<[.<]"
    store.save_submission(
        "esoplay-80", "brainfuck", "standard", PracticeSubmission("E08", PASS, 909, 11), source
    )
    store.save_submission(
        "esoplay-80", "unlambda", "standard", PracticeSubmission("E08", FAIL, 9, 1), b"i"
    )
    store.close()
    table = esoplay("progress", ESOPLAY_HOME=str(home)).stdout.decode()
    rows = {line.split()[0]: line.split()[1:] for line in table.splitlines() if line}
    assert rows["solved"][:2] == ["befunge-98", "brainfuck"]
    assert rows["easy"][:2] == ["0/20", "1/20"]
    assert "0/20, 1 tried" in table
    assert "longest streak 1 day" in table
    assert rows["E08"][:2] == ["Reverse", "String"]
    assert "909 steps 2026-01-07" in table
    data = json.loads(esoplay("progress", "--json", ESOPLAY_HOME=str(home)).stdout)
    assert data["streak"]["longest"] == 1
    assert data["tiers"]["easy"]["brainfuck"] == {"solved": 1, "tried": 0, "total": 20}
    assert [(each["language"], each["steps"]) for each in data["cells"]] == [
        ("brainfuck", 909),
        ("unlambda", None),
    ]
    done = esoplay("progress", "export", "-o", file, ESOPLAY_HOME=str(home))
    assert (done.returncode, done.stdout) == (0, b"")
    told = [
        esoplay("progress", "import", file, ESOPLAY_HOME=str(other)).stdout.decode() for _ in "12"
    ]
    assert told[0] == "2 submissions imported\n"
    assert told[1] == "nothing new: all 2 submissions in the file are already in your progress\n"
    only = esoplay("progress", "--lang", "brainfuck", ESOPLAY_HOME=str(other)).stdout.decode()
    assert "1/20" in only
    assert "unlambda" not in only
    assert esoplay("progress", "export", ESOPLAY_HOME=str(other)).stdout.strip()[:1] == b"{"


@pytest.mark.parametrize(
    "arguments",
    [["improve"], ["import"], ["export", "x.json"], ["show", "-o", "x"], ["import", "/nowhere"]],
)
def test_wrong_usage_is_reported(arguments: list[str]) -> None:
    done = esoplay("progress", *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(b"esoplay: ")
    assert done.stderr.count(b"\n") == 1
