"""Notes of a run are read as they were written."""

from __future__ import annotations

from pathlib import Path

import pytest

from esoplay.agents.notes import read_run_note, write_run_note
from esoplay.agents.records import RunNote
from esoplay.errors import StoreError


def test_the_path_of_a_pack_may_be_invalid_utf_8(tmp_path: Path) -> None:
    note = RunNote("a run", "/packs/\udcff", ())
    write_run_note(tmp_path, note)
    assert read_run_note(tmp_path) == note


@pytest.mark.parametrize("text", ["{", "[" * 100_000, "[]", '{"title": 1, "pack": null}'])
def test_a_damaged_note_is_reported(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(StoreError, match="cannot read"):
        read_run_note(tmp_path)
