"""A cached pack equals the pack as read from its folder, and an edit of any file is noticed."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from grading_packs import write_problem

from esoplay.grading import packs
from esoplay.grading.packs import load_pack
from esoplay.packs.catalogue import get_pack


@pytest.fixture
def cache_file(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache of a pack that was read once and is old enough to be trusted."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "cache"))
    monkeypatch.setattr(packs, "SETTLE_TIME_NS", -(10**12))
    load_pack(tiny)
    (file,) = (tmp_path / "cache").rglob("pack.json")
    return file


def refuse(text: str) -> dict[str, object]:
    raise AssertionError("a file was read again")


def replace(file: Path, old: str, new: str) -> None:
    """Edit as editors do, with a new file in the place of the old one."""
    text = file.read_text("utf-8")
    assert old in text
    fresh = file.with_name(f"{file.name}.new")
    fresh.write_text(text.replace(old, new), "utf-8")
    fresh.replace(file)


def test_a_pack_that_has_not_changed_is_not_parsed_again(
    tiny: Path, cache_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cache_file.is_file()
    before = load_pack(tiny)
    monkeypatch.setattr(tomllib, "loads", refuse)
    assert load_pack(tiny) == before


def edit_hint(pack: Path) -> None:
    replace(next(pack.glob("*/problem.toml")), '"one"', '"uno"')


def edit_statement(pack: Path) -> None:
    replace(next(pack.glob("*/statement.md")), "Copy", "Echo")


def edit_version(pack: Path) -> None:
    replace(pack / "pack.toml", '"7"', '"8"')


def add_problem(pack: Path) -> None:
    write_problem(pack, "B1", "first")


def fix_tests(pack: Path) -> None:
    (pack / "T1-copy" / "judge.py").unlink()
    (pack / "T1-copy" / "tests.json").write_text('[{"input": "a", "output": "a"}]')


EDITS = [edit_hint, edit_statement, edit_version, add_problem, fix_tests]


@pytest.mark.parametrize("edit", EDITS)
def test_one_process_sees_the_edit_of_a_pack_that_it_read_before(
    tiny: Path, edit: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    for settled in (10**12, -(10**12)):  # as if everything had changed just now, and long ago
        monkeypatch.setattr(packs, "SETTLE_TIME_NS", settled)
        old = get_pack(tiny)
        assert get_pack(tiny) == old
    assert get_pack(tiny) is get_pack(tiny)
    edit(tiny)
    assert get_pack(tiny) != old
    assert get_pack(tiny) == load_pack(tiny)


@pytest.mark.parametrize("edit", [edit_hint, edit_statement, edit_version, add_problem])
def test_an_edit_is_seen_even_if_the_length_stays(
    tiny: Path, cache_file: Path, edit: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    old = load_pack(tiny)
    edit(tiny)
    new = load_pack(tiny)
    assert new != old
    cache_file.unlink(missing_ok=True)
    assert load_pack(tiny) == new
    monkeypatch.setattr(tomllib, "loads", refuse)
    assert load_pack(tiny) == new


@pytest.mark.parametrize("rest", [b"", b"{", b"[]", b"{}", b"\xff", b'{"format": 1}', b"[" * 9999])
def test_damaged_saved_data_is_read_again(tiny: Path, cache_file: Path, rest: bytes) -> None:
    good = load_pack(tiny)
    cache_file.write_bytes(rest)
    assert load_pack(tiny) == good


def test_files_that_were_just_changed_are_read_again(
    tiny: Path, cache_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packs, "SETTLE_TIME_NS", 10**15)
    monkeypatch.setattr(tomllib, "loads", refuse)
    with pytest.raises(AssertionError, match="read again"):
        load_pack(tiny)


def test_no_cache_is_written_where_python_writes_no_bytecode(
    tiny: Path, cache_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache_file.unlink()
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    load_pack(tiny)
    assert not cache_file.exists()


def test_an_unwritable_cache_folder_is_ignored(
    tiny: Path, cache_file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "file"))
    assert load_pack(tiny).problem("T1").statement == "Copy the input."
