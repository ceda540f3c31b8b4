"""A batch resumes its existing results, and does not touch results of another batch."""

from __future__ import annotations

from pathlib import Path

import pytest
from grading_batches import SECRET, TERMS, batch, spell
from hypothesis import given, settings
from hypothesis import strategies as st

from esoplay.batch.grading import grade_batch
from esoplay.batch.protocol import BatchTerms
from esoplay.errors import UsageError
from esoplay.grading.seeds import PRACTICE_SEED


@pytest.mark.slow
@given(data=st.data())
@settings(max_examples=3)
def test_a_batch_continues_wherever_it_stopped(
    whole: tuple[bytes, bytes], tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("cut")
    kept = data.draw(st.integers(0, len(whole[1])))
    (folder / "results.jsonl").write_bytes(whole[1][:kept])
    path, summary = batch(folder, whole[0].splitlines())
    assert path.read_bytes() == whole[1]
    assert summary.before == whole[1][:kept].count(b"\n")
    assert summary.before + summary.graded_count == whole[1].count(b"\n")


def test_submissions_may_be_added_to_a_batch_that_is_done(
    whole: tuple[bytes, bytes], tmp_path: Path
) -> None:
    (tmp_path / "results.jsonl").write_bytes(whole[1])
    path, summary = batch(tmp_path, [*whole[0].splitlines(), spell("E02", "brainfuck", b",[.,]")])
    assert summary.graded_count == summary.solved == 1
    assert path.read_bytes().startswith(whole[1])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("other lines", "is not the result of line"),
        ("fewer lines", "has more results than there are submissions"),
        ("other seed", "was graded with another seed"),
        ("other compare", "was graded with another seed"),
        ("other file", "line 1 is not a batch result"),
        ("other end", "the last line is not a batch result"),
    ],
)
def test_results_of_other_submissions_or_terms_are_refused_unchanged(
    whole: tuple[bytes, bytes], tmp_path: Path, change: str, reason: str
) -> None:
    lines, terms, there = whole[0].splitlines(), TERMS, whole[1]
    if change == "other lines":
        lines[3] = spell("E02", "brainfuck", b",.")
    elif change == "fewer lines":
        lines = lines[:3]
    elif change == "other seed":
        terms = BatchTerms(PRACTICE_SEED, "standard", "exact", None, "/")
    elif change == "other compare":
        terms = BatchTerms(SECRET, "standard", "strip", None, "/")
    else:
        there = b"a letter to a friend\n" if change == "other file" else b"a letter"
    (tmp_path / "results.jsonl").write_bytes(there)
    with pytest.raises(UsageError, match=reason):
        batch(tmp_path, lines, terms)
    assert (tmp_path / "results.jsonl").read_bytes() == there


def test_two_batches_cannot_write_to_the_same_file(tmp_path: Path) -> None:
    line = spell("E02", "brainfuck", b",[.,]")
    (tmp_path / "s").write_bytes(line + b"\n")

    def again(_: object) -> None:
        with pytest.raises(UsageError, match="is being written by another batch"):
            batch(tmp_path, [line])

    with (tmp_path / "s").open("rb") as file:
        summary = grade_batch(file.fileno(), tmp_path / "results.jsonl", TERMS, progress=again)
    assert summary.solved == 1


def test_submissions_are_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "s"
    path.write_bytes(spell("E02", "brainfuck", b""))
    with path.open("rb") as file, pytest.raises(UsageError, match="contains the submissions"):
        grade_batch(file.fileno(), path, TERMS)
    assert path.read_bytes() == spell("E02", "brainfuck", b"")
