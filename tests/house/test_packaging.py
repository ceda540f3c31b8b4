"""What is shipped says what it is."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from esoplay.version import VERSION

ROOT = Path(__file__).resolve().parents[2]


def test_the_changelog_has_an_entry_for_the_version() -> None:
    assert f"## {VERSION}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("package", "folder", "pattern"),
    [
        ("esoplay", "esoplay", "learning/courses/*/*.toml"),
        ("esoplay", "esoplay", "grading/causes/*.toml"),
        ("esoplay", "esoplay", "packs/language_hints/*.toml"),
        ("esoplay", "esoplay", "**/*.css"),
        ("esoplay", "esoplay", "web/page.*"),
        ("esoplay", "esoplay", "task_exports/templates/*/*"),
        ("esoplay", "esoplay", "evaluation/examples/*.*"),
        ("esoplay", "esoplay", "evaluation/prompts/*.md"),
        ("esoplay.problems", "problems", "*/**/*.*"),
        ("esoplay.themes", "themes", "*.toml"),
        ("esolangs", "interpreters/esolangs", "*/card.md"),
    ],
)
def test_the_wheel_contains_the_data_files(package: str, folder: str, pattern: str) -> None:
    # setuptools takes what these globs find in the package's folder, and nothing else.
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    setuptools, home = project["tool"]["setuptools"], ROOT / folder
    assert setuptools["package-dir"][package] == folder
    taken = {path for each in setuptools["package-data"][package] for path in home.glob(each)}
    wanted = {path for path in home.glob(pattern) if path.is_file()}
    assert len(wanted) >= 2
    assert wanted <= taken


def test_every_folder_with_data_is_a_package() -> None:
    """Setuptools warns of other folders, and plans to leave them out."""
    code = (
        "import setuptools\n"
        "setuptools.setup = lambda **given: print(*given['packages'])\n"
        "import setup"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "ESOPLAY_EXT": "off"},
        capture_output=True,
        text=True,
        check=True,
    )
    files = (path.relative_to(ROOT).parent for path in (ROOT / "esoplay").rglob("*.*"))
    folders = {".".join(each.parts) for each in files if "__pycache__" not in each.parts}
    assert folders - {"esoplay"} <= set(done.stdout.split())


def test_the_build_requires_what_setup_imports() -> None:
    # An isolated build has only what [build-system] names; setup.py compiles the problem pack.
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    stated = {re.split(r"[<>=!~\[ ]", each)[0] for each in project["build-system"]["requires"]}
    script = (
        "import sys; from pathlib import Path\n"
        "from esoplay.grading.packs import compile_pack\n"
        "compile_pack(Path('problems'))\n"
        "where = {name: getattr(module, '__file__', 0) for name, module in sys.modules.items()}\n"
        "print(*{n.split('.')[0] for n, file in where.items() if file and 'site-pack' in file})"
    )
    path = f"{ROOT}{os.pathsep}{ROOT / 'interpreters'}"
    imported = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    needed = {name for name in imported if not name.startswith("_")}
    # msgspec uses typing_extensions where it is installed.
    assert needed - {"sitecustomize", "typing_extensions"} <= stated
