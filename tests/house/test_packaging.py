"""What is shipped says what it is."""

from __future__ import annotations

from pathlib import Path

from esoplay.version import VERSION

ROOT = Path(__file__).resolve().parents[2]


def test_the_changelog_knows_the_version() -> None:
    assert f"## {VERSION}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
