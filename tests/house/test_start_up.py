"""What a small program does not need is not loaded before it runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from esolangs.registry import find_language, language_ids

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {"textual", "rich", "asyncio", "pygments", "pyte", "argparse", "typing", "dataclasses",
         "json", "sqlite3", "pathlib", "multiprocessing", "platformdirs", "re", "enum",
         "msgspec"}  # fmt: skip


def loaded(code: str, *argv: str, stdin: bytes = b"", packages: bool = False) -> set[str]:
    """The modules in memory after ``code`` ran in a fresh process with ``argv``.

    packages: with installed packages.
    """
    script = f"{code}\nimport sys\nprint(*sorted(sys.modules), file=sys.stderr)"
    paths = os.pathsep.join([str(ROOT), str(ROOT / "interpreters")])
    done = subprocess.run(
        [sys.executable, *([] if packages else ["-S"]), "-c", script, *argv],
        input=stdin,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": paths},
        check=True,
    )
    return set(done.stderr.decode().split())


@pytest.fixture
def cat(tmp_path: Path) -> str:
    path = tmp_path / "cat.bf"
    path.write_bytes(b",[.,]")
    return str(path)


@pytest.mark.parametrize("id", language_ids())
def test_running_a_file_loads_nothing_heavy(id: str, tmp_path: Path) -> None:
    """Nor any other language: a file's extension leads to the folder with such a sample."""
    language = find_language(id)
    path = tmp_path / f"sample{language.extensions[0]}"
    path.write_bytes(language.sample())
    names = loaded(
        "from esoplay.cli.main import main\nassert main() == 0", "run", str(path), stdin=b"x"
    )
    assert not names & HEAVY
    folders = {name.split(".")[1] for name in names if name.startswith("esolangs.")}
    assert folders & {each.replace("-", "_") for each in language_ids()} == {id.replace("-", "_")}


def test_running_with_options_loads_no_screen(cat: str) -> None:
    names = loaded(
        "from esoplay.cli.main import main\nassert main() == 0",
        "run", cat, "--input", "x", "--json",
    )  # fmt: skip
    assert not names & {"textual", "rich", "asyncio", "pygments", "pyte", "sqlite3", "msgspec"}


def test_help_loads_no_command_s_work() -> None:
    names = loaded("from esoplay.cli.main import main\nassert main() == 0", "--help")
    assert not names & {
        "textual",
        "rich",
        "asyncio",
        "pygments",
        "pyte",
        "sqlite3",
        "tomllib",
        "msgspec",
    }


def test_the_version_loads_no_front_end() -> None:
    names = loaded("from esoplay.cli.main import main\nassert main() == 0", "--version")
    assert not names & {"textual", "rich", "asyncio", "pygments", "pyte", "sqlite3", "msgspec"}


def test_listing_languages_imports_none() -> None:
    names = loaded("from esolangs.registry import language_ids\nassert language_ids()")
    for id in language_ids():
        assert f"esolangs.{id.replace('-', '_')}" not in names


FIRST_FRAME = """
import os, sys
from pathlib import Path
from esoplay.tui.app import EsoplayApp
from esoplay.tui.screen import PlayScreen

paint = PlayScreen.paint_when_stable

async def paint_and_end(screen):
    await paint(screen)
    print(*sys.modules, file=sys.__stderr__, flush=True)
    os._exit(0)

PlayScreen.paint_when_stable = paint_and_end
EsoplayApp(Path(sys.argv[1])).run(headless=True, size=(120, 40))
"""
AFTER_THE_FIRST_FRAME = {
    "esolangs.stops",
    "esolangs.view",
    "esoplay.temporary_folders",
    "esoplay.timeline.places",
    "esoplay.timeline.source_steps",
    "esoplay.tui.browser.solution",
    "esoplay.tui.debug.pane",
    "esoplay.tui.file_dialog",
    "esoplay.tui.go_menu",
    "hashlib",
    "markdown_it",
    "multiprocessing",
    "pygments.lexers",
}
"""Modules of other panes and dialogs, of programs that are not open yet, and slow ones."""


def test_the_first_frame_loads_no_other_pane_and_no_compiler(tmp_path: Path) -> None:
    names = loaded(FIRST_FRAME, str(tmp_path), packages=True)
    assert {"esoplay.tui.start_page", "textual.widgets._option_list"} <= names
    assert not names & AFTER_THE_FIRST_FRAME
    assert not {name for name in names if name.startswith("esoplay.codegen.")}


def test_the_list_of_keys_opens_without_markdown() -> None:
    """The card beside it takes longer to import than all of the list takes to paint."""
    names = loaded("import esoplay.tui.app, esoplay.tui.help", packages=True)
    assert "esoplay.tui.help" in names
    assert not {name for name in names if name.split(".")[0] == "markdown_it"}
