"""SQLite files with private permissions, readable even where they cannot be written."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from esoplay.errors import StoreError

if TYPE_CHECKING:
    from esoplay.temporary_folders import TemporaryFolder

SIDE_FILES = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite creates beside a database."""


def make_private(path: Path) -> str | None:
    """Make a database and its side files inaccessible to other users and to the group.

    Returns a warning if the file was accessible before. Raises StoreError if the file stays
    accessible, because it belongs to another user or its file system has no modes. Root changes the
    mode of other users' databases, except empty files, which any user may have created.
    """
    path = _resolve_link(path)
    owner = None
    with suppress(FileNotFoundError):
        status = path.stat()
        owner = status.st_uid if status.st_size else None
    notice = _restrict_mode(path, owner)
    for suffix in SIDE_FILES:
        _restrict_mode(Path(f"{path}{suffix}"), owner)
    return notice


def is_writable(path: Path) -> bool:
    """Return whether a database can be changed, or created with its parent folders.

    SQLite needs write access to the folder, too.
    """
    path = _resolve_link(path)
    if path.exists() and not _may_write(path):
        return False
    return _may_write(_nearest_folder(path))


def not_writable_message(path: Path) -> str:
    """Return an error message with the reason why a database cannot be written, and advice."""
    read_only = False
    with suppress(OSError):
        read_only = bool(os.statvfs(_nearest_folder(_resolve_link(path))).f_flag & os.ST_RDONLY)
    reason = "its file system is read-only" if read_only else "permission denied"
    return (
        f"cannot write {path}: {reason}; "
        "use a copy or another file in a folder that you can write to"
    )


def open_read_only(path: Path) -> sqlite3.Connection:
    """Open a database read-only; no side files remain when the connection is closed.

    SQLite cannot read a file in write-ahead mode if its side files are missing and cannot be
    created. If there is no log, the file is complete and no process writes it, so it is opened as
    immutable. If a killed process left a log, a private copy is opened. Raises sqlite3.Error if the
    file cannot be read.
    """
    path = _resolve_link(path)
    try:
        return _check_readable(_connect(path, "mode=ro"))
    except sqlite3.OperationalError:
        logs = [Path(f"{path}{suffix}") for suffix in ("-wal", "-journal")]
        if not any(log.exists() and log.stat().st_size for log in logs):
            return _check_readable(_connect(path, "mode=ro&immutable=1"))
    return _open_copy(path)


def open_unchanged(path: Path) -> sqlite3.Connection:
    """Open a database that another process may be writing; do not change it or its side files.

    Later changes are visible only to a new connection. Raises sqlite3.Error if the file cannot be
    read.
    """
    path = _resolve_link(path)
    if Path(f"{path}-journal").exists():
        return _open_copy(path)
    if not Path(f"{path}-wal").exists():
        return _check_readable(_connect(path, "mode=ro&immutable=1"))
    try:
        return _check_readable(_connect(path, "mode=ro&readonly_shm=1"))
    except sqlite3.OperationalError:  # a killed process left a write-ahead log without its index
        return _open_copy(path)


def _connect(path: Path, query: str) -> sqlite3.Connection:
    name = quote(os.fsencode(path.absolute()))
    return sqlite3.connect(
        f"file:{name}?{query}", uri=True, isolation_level=None, check_same_thread=False
    )


def _check_readable(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Return the connection after a test read, because SQLite opens the file on the first read."""
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


class _CopyConnection(sqlite3.Connection):
    """Connection to a temporary copy, which is deleted on close."""

    folder: TemporaryFolder

    def close(self) -> None:
        super().close()
        self.folder.close()


def _open_copy(path: Path) -> sqlite3.Connection:
    from esoplay.temporary_folders import TemporaryFolder  # imported late: copies are rare

    folder = TemporaryFolder("store-copy")
    try:
        copy = folder.path / "copy"
        for suffix in ("", "-wal", "-journal"):
            part = Path(f"{path}{suffix}")
            if part.exists():
                shutil.copyfile(part, f"{copy}{suffix}")
        connection = sqlite3.connect(
            copy, isolation_level=None, check_same_thread=False, factory=_CopyConnection
        )
        connection.folder = folder
        return _check_readable(connection)
    except BaseException:
        folder.close()
        raise


def _resolve_link(path: Path) -> Path:
    """Return the target of a link, because SQLite creates the side files beside the target."""
    return Path(os.path.realpath(path))


def _restrict_mode(path: Path, owner: int | None) -> str | None:
    """Set mode 0600; return a notice if other users could read the file before.

    owner: another user whose files root may change, or None.
    """
    try:
        before = path.stat()
    except FileNotFoundError:
        return None
    own = before.st_uid == os.geteuid()
    is_open = bool(before.st_mode & 0o077)
    if not is_open and (own or before.st_size):  # root may use private files of other users
        return None
    if not own and (os.geteuid() != 0 or before.st_uid != owner):
        raise StoreError(
            f"{path} belongs to another user, who could read what esoplay writes there; "
            f"use another file{'' if before.st_size else ', or remove this one, which is empty'}"
        )
    path.chmod(0o600)
    if path.stat().st_mode & 0o077:
        raise StoreError(
            f"{path} can be read by other users and its mode cannot be changed; "
            "use a file on another file system"
        )
    return f"{path} was readable by other users; mode set to 0600"


def _may_write(path: Path) -> bool:
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _nearest_folder(path: Path) -> Path:
    return next((folder for folder in path.absolute().parents if folder.is_dir()), Path("/"))
