"""The folder of an export: whole or not there, and nothing else is lost to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from export_slices import SEED, SLICE, contents

from esoplay.cli.main import main
from esoplay.errors import UsageError
from esoplay.task_exports.frameworks import export_tasks


def test_a_folder_that_holds_anything_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="not empty"):
        export_tasks("inspect", tmp_path, SLICE, seed=SEED, force=True)
    assert contents(tmp_path).keys() == {"mine.txt"}


def test_force_replaces_an_export_and_keeps_its_seed(tmp_path: Path) -> None:
    folder = tmp_path / "tasks"
    first = export_tasks("inspect", folder, SLICE)
    with pytest.raises(UsageError, match="--force"):
        export_tasks("verifiers", folder, SLICE)
    before = (folder / "seed").read_bytes()
    second = export_tasks("verifiers", folder, SLICE, force=True)
    assert (folder / "seed").read_bytes() == before
    assert not (folder / "samples.json").exists()
    assert first["seed_commitment"] == second["seed_commitment"]
    assert [path.name for path in tmp_path.iterdir()] == ["tasks"]
    assert export_tasks("inspect", tmp_path / "other", SLICE)["seed_commitment"] != before


def test_replacing_an_export_without_its_seed_requires_the_seed(tmp_path: Path) -> None:
    folder, kept = tmp_path / "tasks", tmp_path / "kept"
    export_tasks("inspect", folder, SLICE, seed=SEED)
    (folder / "seed").rename(kept)
    with pytest.raises(UsageError, match=r"(?s)is missing.*--seed-file"):
        export_tasks("inspect", folder, SLICE, force=True)
    assert (folder / "samples.json").exists()
    arguments = ["export", "inspect", "--force", "--seed-file", str(kept), "-o", str(folder)]
    assert main([*arguments, "--lang", "brainfuck", "--problem", "E02"]) == 0
    assert (folder / "seed").read_bytes() == kept.read_bytes()


def test_an_interrupted_export_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "tasks"
    export_tasks("inspect", folder, SLICE, seed=SEED)
    before = contents(folder)
    rename = Path.rename

    def interrupted(path: Path, target: Path) -> Path:
        if path.name.startswith(".tasks.new."):
            raise KeyboardInterrupt
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        export_tasks("harbor", folder, SLICE, force=True)
    assert contents(folder) == before
    assert [path.name for path in tmp_path.iterdir()] == ["tasks"]


def test_an_interrupted_replacement_is_reported(tmp_path: Path) -> None:
    folder, retired = tmp_path / "tasks", tmp_path / ".tasks.old.x" / "export"
    export_tasks("inspect", folder, SLICE, seed=SEED)
    retired.parent.mkdir()
    folder.rename(retired)  # it died between two renames
    with pytest.raises(UsageError, match=r"was killed while replacing .*\.tasks\.old\.x/export"):
        export_tasks("inspect", folder, SLICE, force=True)
    assert not folder.exists()
    retired.rename(folder)
    assert export_tasks("inspect", folder, SLICE, force=True)["tasks"] == 4
