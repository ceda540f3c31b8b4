"""Fixtures of the grading tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from grading_packs import write_pack


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """The folder of a pack with one problem, T1, which asks for a copy of the input."""
    return write_pack(tmp_path / "pack")
