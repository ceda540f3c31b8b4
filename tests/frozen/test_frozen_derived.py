"""Rescored runs, data sets, rosters and packs with a comparison of earlier versions, read again."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from frozen_data import Command, differences, each_version, read_json


@pytest.mark.parametrize("derived", each_version("derived"))
def test_derived_files_are_read(derived: Path, command: Command, tmp_path: Path) -> None:
    """The rescored run is graded again, both runs are reported, and give the same data set."""
    runs, pack = tmp_path / "runs", tmp_path / "loose"
    shutil.copytree(derived / "runs", runs)
    shutil.copytree(derived / "loose", pack)
    for seed in runs.glob("*/seed"):
        seed.chmod(0o600)
    found = command.json("rescore", runs / "exact", "--check", "--pack", pack)
    assert (found["checked"], found["trials"]) == (True, 8)
    words = ("--pack", pack, "--compare", "exact")
    now = command.json("rescore", runs / "whole", *words)
    assert now["changes"] == read_json(derived / "rescored.json")["changes"] != []
    report = command.json("report", runs / "whole", runs / "exact")
    assert len({condition["model"] for condition in report["conditions"]}) == 2
    command("dataset", runs / "whole", runs / "exact", "-o", tmp_path / "data", "--licence", "X")
    for table in ("trials.jsonl", "turns.jsonl"):
        before, after = rows(runs / "data" / table), rows(tmp_path / "data" / table)
        assert differences(before, after) == []
    assert "L1" in command("problems", "--pack", pack)


def rows(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("ascii").splitlines()]
