"""Copies of what earlier versions left, and commands that use them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from frozen_data import Command, Restore, Restored, version_of


@pytest.fixture
def restore(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Restore:
    """Copy what the version of a fixture left on its machine, and make its state folder ours."""

    def copy(fixture: Path) -> Restored:
        restored = Restored(version_of(fixture), tmp_path / "frozen")
        monkeypatch.setenv("ESOPLAY_HOME", str(restored.home))
        return restored

    return copy


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """``esoplay`` in this process."""
    monkeypatch.delenv("ESOPLAY_LANES", raising=False)
    return Command(capsys)


@pytest.fixture
def home() -> Path:
    """The state folder of a test that restores none: it is empty."""
    return Path(os.environ["ESOPLAY_HOME"])
