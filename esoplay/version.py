"""Version of esoplay, and the commit from which it was built."""

from __future__ import annotations

from pathlib import Path

VERSION = "0.1.0"

COMMIT_FILE = "commit.txt"
"""File next to this module, which ``setup.py`` writes into wheels and source distributions."""


def find_commit() -> str | None:
    """Return the commit of this checkout or package, 12 digits; None if it is not known."""
    package = Path(__file__).parent
    try:
        return (package / COMMIT_FILE).read_text("ascii").strip()
    except (OSError, ValueError):
        return read_head(package.parent / ".git")


def read_head(git: Path) -> str | None:
    """Return the commit that is checked out in a repository, without starting git."""
    try:
        if git.is_file():  # a worktree: "gitdir: PATH"
            git = git.parent / git.read_text("utf-8").removeprefix("gitdir:").strip()
        head = (git / "HEAD").read_text("utf-8").strip()
        if not head.startswith("ref: "):
            return head[:12] or None
        name = head.removeprefix("ref: ")
        common = git / "commondir"
        if common.is_file():
            git = git / common.read_text("utf-8").strip()
        loose = git / name
        if loose.is_file():
            return loose.read_text("ascii").strip()[:12]
        for line in (git / "packed-refs").read_text("utf-8").splitlines():
            if line.endswith(f" {name}"):
                return line[:12]
    except (OSError, ValueError):
        pass
    return None
