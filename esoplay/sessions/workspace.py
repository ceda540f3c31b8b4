"""The solver's folder, which contains instructions, the session id and the thin client."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from esoplay import thin_client
from esoplay.errors import StoreError, UsageError

MARKER = ".esoplay-session"
INSTRUCTIONS = ("AGENTS.md", "CLAUDE.md")
_MAX_MARKER_BYTES = 64  # limited because the solver may change the file


def workspace_files(
    session: str, instructions: str, material: Mapping[str, str]
) -> dict[str, bytes]:
    """Return the files of a new workspace by path.

    The session id is last, because it marks the folder as a workspace.
    """
    texts = dict.fromkeys(INSTRUCTIONS, instructions)
    texts |= {**material, MARKER: f"{session}\n"}
    return {name: text.encode() for name, text in texts.items()}


def check_workspace(folder: Path, material: Iterable[str], *private: Path) -> None:
    """Raise UsageError if a workspace would overwrite a file or contain private files.

    The folders of ``material`` must not exist, even if they are empty. Also raises UsageError for a
    name that is too long or contains a null byte.
    """
    try:
        _check(folder, material, private)
    except (OSError, ValueError) as error:
        raise _workspace_error(folder, error) from error


def _check(folder: Path, material: Iterable[str], private: Iterable[Path]) -> None:
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is not a folder")
    material_heads = {name.partition("/")[0]: None for name in material}
    for name in (MARKER, *INSTRUCTIONS, *material_heads):
        if (folder / name).exists() or (folder / name).is_symlink():
            raise UsageError(f"{folder / name} exists; choose an empty folder as workspace")
    for path in private:
        if path.resolve().is_relative_to(folder.resolve()):
            raise UsageError(f"{path} is in the workspace, where the solver could read it")


def make_folder(folder: Path) -> None:
    """Create the workspace's folder if it is missing. Raises UsageError if it is not writable.

    Call this before starting the session, which cannot be undone.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (OSError, ValueError) as error:
        raise _workspace_error(folder, error) from error


def _workspace_error(folder: Path, error: OSError | ValueError) -> UsageError:
    reason = error.strerror if isinstance(error, OSError) else error
    return UsageError(f"{str(folder)!r} cannot be a workspace: {reason}")


def write_workspace(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files of a new workspace into its folder, without overwriting any file."""
    try:
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            with (folder / name).open("xb") as file:
                file.write(content)
    except FileExistsError as error:
        raise UsageError(f"{error.filename} exists; choose an empty folder as workspace") from error
    except OSError as error:
        raise StoreError(f"cannot write the workspace {folder}: {error.strerror}") from error


def find_session(start: Path) -> str | None:
    """Return the session of the workspace that contains ``start``, or None."""
    for folder in (start, *start.parents):
        marker = folder / MARKER
        if marker.is_file():
            try:
                with marker.open("rb") as file:
                    return file.read(_MAX_MARKER_BYTES).decode("ascii").strip()
            except OSError as error:
                raise UsageError(f"cannot read {marker}: {error.strerror}") from error
            except UnicodeDecodeError:
                raise UsageError(f"{marker} does not contain a session id") from None
    return None


CLIENT = "session.py"
COMMAND = f"python3 {CLIENT}"
"""The command with which a solver calls the thin client."""


def client_source() -> bytes:
    """Return the source of the thin client."""
    return Path(thin_client.__file__).read_bytes()


def client_files(socket: Path) -> Mapping[str, str]:
    """Return the thin client's files for a server that listens on ``socket``."""
    return {CLIENT: client_source().decode(), thin_client.SOCKET: f"{socket.absolute()}\n"}
