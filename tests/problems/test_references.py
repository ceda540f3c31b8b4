"""References: what is written by hand comes first, all else is made from the sources."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from esolangs.registry import language_ids
from esoplay.codegen.back_ends import back_end_ids
from esoplay.errors import PackError, UnknownProblem, UsageError
from esoplay.grading.packs import load_pack
from esoplay.packs.grading import grade_source
from esoplay.packs.references import find_reference, generated_reference, has_reference

PACK = load_pack()


def test_every_problem_has_a_reference_in_every_language_with_a_back_end() -> None:
    for problem in PACK:
        for language in language_ids():
            by_hand = problem.reference(language) is not None
            assert has_reference(problem, language) == (by_hand or language in back_end_ids())


def test_hand_written_references_are_preferred_and_have_a_source() -> None:
    found = find_reference("e08", "brainfuck")
    assert found is not None
    assert found.by_hand
    assert found.program == PACK.problem("E08").reference("brainfuck")
    assert found.source_text == (PACK.problem("E08").folder / "source.py").read_text("utf-8")
    assert (found.source_name, found.source_map) == ("E08.py", None)


@pytest.mark.parametrize("language", back_end_ids())
def test_a_generated_reference_solves_its_problem_and_has_a_map(language: str) -> None:
    found = generated_reference("E08", language)
    assert found is not None
    assert not found.by_hand
    assert grade_source("E08", language, found.program).solved
    assert found.source_map is not None
    found.source_map.check(found.program)
    assert found.source_map.text == found.source_text
    if PACK.problem("E08").reference(language) is None:
        assert find_reference("E08", language) == found
    assert generated_reference("E08", language) == found


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A pack of one problem, without the programs that somebody wrote for it."""
    shutil.copy(PACK.problem("E08").folder.parent / "pack.toml", tmp_path)
    by_hand = shutil.ignore_patterns("references")
    shutil.copytree(PACK.problem("M01").folder, tmp_path / "M01-palindrome-check", ignore=by_hand)
    return tmp_path


def test_a_problem_without_a_source_has_no_reference(own: Path) -> None:
    (own / "M01-palindrome-check" / "source.py").unlink()
    assert find_reference("M01", "whitespace", pack=own) is None
    assert generated_reference("M01", "whitespace", pack=own) is None
    assert not has_reference("M01", "whitespace", pack=own)


def test_an_edited_source_is_regenerated(own: Path) -> None:
    before = find_reference("M01", "whitespace", pack=own)
    file = own / "M01-palindrome-check" / "source.py"
    file.write_text(file.read_text().replace('"yes"', '"YES"'))
    after = find_reference("M01", "whitespace", pack=own)
    assert before is not None
    assert after is not None
    assert before.program != after.program


def test_an_invalid_source_is_reported_with_its_line(own: Path) -> None:
    (own / "M01-palindrome-check" / "source.py").write_text("def main():\n    x = 'a'\n")
    with pytest.raises(PackError, match=r"M01-palindrome-check.*line 2"):
        find_reference("M01", "whitespace", pack=own)


def test_unknown_names_are_reported() -> None:
    with pytest.raises(UsageError):
        find_reference("E08", "cobol")
    with pytest.raises(UnknownProblem):
        find_reference("E99", "brainfuck")
