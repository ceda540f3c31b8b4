"""What is shipped says what it is."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from esoplay.version import VERSION

ROOT = Path(__file__).resolve().parents[2]


def test_the_changelog_knows_the_version() -> None:
    assert f"## {VERSION}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("package", "folder", "pattern"),
    [
        ("esoplay", "esoplay", "learning/courses/*/*.toml"),
        ("esoplay", "esoplay", "**/*.css"),
        ("esoplay", "esoplay", "task_exports/templates/*/*"),
        ("esoplay", "esoplay", "evaluation/examples/*.*"),
        ("esoplay", "esoplay", "evaluation/prompts/*.md"),
        ("esoplay.problems", "problems", "*/**/*.*"),
        ("esoplay.themes", "themes", "*.toml"),
        ("esolangs", "interpreters/esolangs", "*/card.md"),
    ],
)
def test_data_travels_in_the_wheel(package: str, folder: str, pattern: str) -> None:
    # setuptools takes what these globs find in the package's folder, and nothing else.
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    setuptools, home = project["tool"]["setuptools"], ROOT / folder
    assert setuptools["package-dir"][package] == folder
    taken = {path for each in setuptools["package-data"][package] for path in home.glob(each)}
    wanted = {path for path in home.glob(pattern) if path.is_file()}
    assert len(wanted) >= 2
    assert wanted <= taken
