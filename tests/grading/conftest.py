"""Fixtures of the grading tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from grading_batches import QUICK, batch, spell
from grading_packs import write_pack


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """The folder of a pack with one problem, T1, which asks for a copy of the input."""
    return write_pack(tmp_path / "pack")


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    """Lines of all sorts, and their results without any disturbance."""
    folder = tmp_path_factory.mktemp("whole")
    lines = [spell(*each, id=number) for number, each in enumerate(QUICK)]
    lines[7:7] = [b"", b"nonsense", b'{"problem": "E01"}', b"[" * 100_000]
    results, _ = batch(folder, lines)
    return (folder / "submissions.jsonl").read_bytes(), results.read_bytes()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the user's state, empty."""
    folder = tmp_path / "home"
    monkeypatch.setenv("ESOPLAY_HOME", str(folder))
    return folder


@pytest.fixture
def write(home: Path, tmp_path: Path) -> Any:
    """Writes a data set as a file, by which packs are installed in ``home``."""

    def write(value: object, name: str = "set.json") -> Path:
        file = tmp_path / name
        file.write_text(value if isinstance(value, str) else json.dumps(value))
        return file

    return write
