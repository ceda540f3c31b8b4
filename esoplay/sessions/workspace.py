"""The folder a solver works in: instructions, the session's id, and no secret."""

from __future__ import annotations

from pathlib import Path

from esoplay.errors import StoreError, UsageError

MARKER = ".esoplay-session"
INSTRUCTIONS = ("AGENTS.md", "CLAUDE.md")
_MOST = 64  # bytes of a marker that are looked at; a solver may have written anything


def check_workspace(folder: Path, *private: Path) -> None:
    """UsageError if a workspace there would overwrite a file or lie around something private."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is not a folder")
    for name in (MARKER, *INSTRUCTIONS):
        if (folder / name).exists() or (folder / name).is_symlink():
            raise UsageError(f"{folder / name} exists; choose an empty folder as workspace")
    for path in private:
        if path.resolve().is_relative_to(folder.resolve()):
            raise UsageError(f"{path} lies in the workspace, where the solver could read it")


def write_workspace(folder: Path, session: str, instructions: str) -> None:
    """Create the workspace; never overwrites a file."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in INSTRUCTIONS:
            _write_new(folder / name, instructions)
        _write_new(folder / MARKER, f"{session}\n")
    except FileExistsError as error:
        raise UsageError(f"{error.filename} exists; choose an empty folder as workspace") from error
    except OSError as error:
        raise StoreError(f"cannot write the workspace {folder}: {error.strerror}") from error


def find_session(start: Path) -> str | None:
    """The session whose workspace ``start`` lies in, or None."""
    for folder in (start, *start.parents):
        marker = folder / MARKER
        if marker.is_file():
            try:
                with marker.open("rb") as file:
                    return file.read(_MOST).decode("ascii").strip()
            except OSError as error:
                raise UsageError(f"cannot read {marker}: {error.strerror}") from error
            except UnicodeDecodeError:
                raise UsageError(f"{marker} holds no session id") from None
    return None


def _write_new(path: Path, text: str) -> None:
    with path.open("x", encoding="utf-8", newline="\n") as file:
        file.write(text)
