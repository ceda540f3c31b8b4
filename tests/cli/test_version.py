"""``esoplay --version`` and the commit of a checkout, a worktree and a package."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from esolangs.registry import language_ids
from esoplay import version
from esoplay.cli.main import main

COMMIT = "0123456789ab" + "c" * 28


def test_version_names_commit_and_engines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(version, "find_commit", lambda: COMMIT[:12])
    assert main(["--version"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(f"esoplay {version.VERSION}, commit 0123456789ab, engines ")
    assert len(printed.splitlines()) == 1
    mixed = [name for name in language_ids() if name in printed]
    assert mixed in ([], language_ids())


@pytest.mark.parametrize("place", ["detached", "branch", "packed", "worktree"])
def test_the_commit_is_read_from_a_repository(place: str, tmp_path: Path) -> None:
    git = tmp_path / ".git"
    folder = git / "worktrees" / "one" if place == "worktree" else git
    folder.mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    if place == "detached":
        (git / "HEAD").write_text(f"{COMMIT}\n")
    elif place == "packed":
        (git / "packed-refs").write_text(f"# pack-refs\n{COMMIT} refs/heads/main\n")
    else:
        (git / "refs" / "heads").mkdir(parents=True)
        (git / "refs" / "heads" / "main").write_text(f"{COMMIT}\n")
    asked = git
    if place == "worktree":
        (folder / "commondir").write_text("../..\n")
        asked = tmp_path / "tree" / ".git"
        asked.parent.mkdir()
        asked.write_text(f"gitdir: {folder}\n")
    assert version.read_head(asked) == COMMIT[:12]


def test_a_folder_without_a_repository_has_no_commit(tmp_path: Path) -> None:
    assert version.read_head(tmp_path / ".git") is None
    (tmp_path / ".git").mkdir()
    assert version.read_head(tmp_path / ".git") is None


def test_the_commit_of_this_checkout_is_what_git_says() -> None:
    root = Path(__file__).parents[2]
    asked = subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, capture_output=True, text=True)
    if asked.returncode != 0:
        pytest.skip("not a git checkout")
    assert version.find_commit() == asked.stdout[:12]
