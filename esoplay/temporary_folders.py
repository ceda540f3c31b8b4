"""Private temporary folders that are removed even after a crash.

A folder has mode 0700 and is removed when it is closed. The process that creates it locks it; the
system releases the lock when the process ends for any reason. A folder without a lock was therefore
left by a killed process, and the next start of esoplay removes it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

PROGRAM_USERS = range(61184, 65520)
"""User ids under which programs of host lanes run if esoplay runs as root.

Accounts do not have these ids: systemd reserves the range for services with dynamic users.
"""

NOBODY = 65534
"""User id used if none of ``PROGRAM_USERS`` is available, as in containers with few user ids."""

# Folders that are removed at start-up.  "edit" is excluded, because it may contain the only copy of
# a text in an open editor; "pack", because earlier versions did not lock such folders.
_PREFIXES = ("esoplay-lane-", "esoplay-pack-copy-", "esoplay-store-copy-", "esoplay-rollouts-")
_OLD_LOCK_NAME = "lock"  # lock file of older versions, which did not lock the folder
_ATTEMPTS = 100
_OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class TemporaryFolder:
    """Private temporary folder, which ``close`` removes; also a context manager for its path.

    descriptor: file descriptor of the folder, valid even if its path is replaced later.
    """

    def __init__(self, purpose: str) -> None:
        """Create a folder; raise OSError on failure.

        purpose: a part of the name, such as ``lane``.
        """
        remove_leftovers()
        self.path, self.descriptor = _create(f"esoplay-{purpose}-")

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the folder and its contents; do nothing the second time."""
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor < 0:
            return
        try:
            _remove(self.path, descriptor)
        finally:
            os.close(descriptor)


def remove_leftovers() -> None:
    """Remove the folders that killed processes of this user left."""
    with suppress(OSError):
        directory = tempfile.gettempdir()
        for name in os.listdir(directory):
            if name.startswith(_PREFIXES):
                with suppress(OSError):
                    _remove_leftover(Path(directory, name))


def open_folder(name: str, parent: int) -> int:
    """Open a folder without following a link; return its descriptor.

    Raises OSError if it is a link or cannot be opened.
    """
    return os.open(name, _OPEN_FOLDER, dir_fd=parent)


def clear_folder(folder: Path) -> None:
    """Remove everything in a folder; see ``clear_open_folder``."""
    descriptor = os.open(folder, _OPEN_FOLDER)
    try:
        clear_open_folder(descriptor)
    finally:
        os.close(descriptor)


def clear_open_folder(folder: int) -> None:
    """Remove everything in an open folder, at any depth and whatever its permissions.

    folder: its descriptor. Recursion and long paths fail for folders that are nested thousands
    deep. Therefore inner folders are moved up before they are emptied. Links are not followed.

    Raises OSError if a file cannot be removed.
    """
    while inner := _remove_files(folder):
        for name in inner:
            _flatten_folder(folder, name)


def folder_owners() -> set[int]:
    """Return the owners of esoplay's temporary folders; empty if these cannot be listed."""
    users: set[int] = set()
    with suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if entry.name.startswith(_PREFIXES):
                with suppress(OSError):
                    users.add(entry.stat(follow_symlinks=False).st_uid)
    return users


def _create(prefix: str) -> tuple[Path, int]:
    """Create a folder and return it with a descriptor that holds its lock."""
    for _ in range(_ATTEMPTS):
        path = Path(tempfile.mkdtemp(prefix=prefix))
        with suppress(
            FileNotFoundError, BlockingIOError
        ):  # another process removed it as a leftover
            descriptor = os.open(path, _OPEN_FOLDER)
            try:
                _lock(descriptor)
                if os.path.samestat(os.fstat(descriptor), path.stat()):
                    return path, descriptor
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)
    raise FileExistsError(f"cannot lock a folder in {tempfile.gettempdir()}")


def _lock(descriptor: int) -> None:
    """Lock a new folder; raise BlockingIOError if another process has the lock."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError:
        pass  # a file system without locks: no process removes leftovers there


def _remove_leftover(path: Path) -> None:
    """Remove a folder of this user whose lock is free.

    Raises OSError if the lock is held or the folder cannot be removed.
    """
    if not _is_owned(path.lstat()):
        return
    try:
        descriptor = os.open(path, _OPEN_FOLDER)
    except PermissionError:
        _make_accessible(path)
        descriptor = os.open(path, _OPEN_FOLDER)
    try:
        if _is_owned(os.fstat(descriptor)):  # check the opened folder: its name may be reused
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _check_old_lock(descriptor)
            _remove(path, descriptor)
    finally:
        os.close(descriptor)


def _is_owned(status: os.stat_result) -> bool:
    """Return whether ``status`` describes a folder that belongs to this user.

    For root, folders of ``PROGRAM_USERS`` and ``NOBODY`` count too: programs run as these users.
    """
    own = status.st_uid == os.geteuid()
    of_program = status.st_uid in PROGRAM_USERS or status.st_uid == NOBODY
    return stat.S_ISDIR(status.st_mode) and (own or (os.geteuid() == 0 and of_program))


def _make_accessible(path: Path) -> None:
    """Make a folder of this user accessible, without following a link (Linux only)."""
    if not hasattr(os, "O_PATH"):
        return
    place = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        if _is_owned(os.fstat(place)):
            Path(f"/proc/self/fd/{place}").chmod(0o700)
    finally:
        os.close(place)


def _check_old_lock(folder: int) -> None:
    """Raise BlockingIOError if a process of an older version uses the folder."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        lock = os.open(_OLD_LOCK_NAME, flags, dir_fd=folder)
    except OSError:
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(lock)


def _remove(path: Path, descriptor: int) -> None:
    with suppress(OSError):
        os.fchmod(descriptor, 0o700)  # a program may have locked it
    with suppress(OSError):
        clear_open_folder(descriptor)
    with suppress(OSError):
        path.rmdir()
        return
    with suppress(OSError):
        if os.path.samestat(os.fstat(descriptor), path.lstat()):  # the name may be reused
            shutil.rmtree(path, ignore_errors=True)


def _remove_files(folder: int) -> list[str]:
    """Remove all files of a folder and return the names of its subfolders."""
    inner: list[str] = []
    with os.scandir(folder) as entries:
        for entry in list(entries):
            if entry.is_dir(follow_symlinks=False):
                inner.append(entry.name)
            else:
                os.unlink(entry.name, dir_fd=folder)
    return inner


def _flatten_folder(top: int, name: str) -> None:
    """Remove a folder of ``top`` after moving its subfolders to ``top``."""
    _add_permissions(top, name)
    folder = os.open(name, _OPEN_FOLDER, dir_fd=top)
    try:
        for inner in _remove_files(folder):
            _add_permissions(folder, inner)  # a locked folder cannot be moved
            os.rename(inner, token_hex(16), src_dir_fd=folder, dst_dir_fd=top)
    finally:
        os.close(folder)
    os.rmdir(name, dir_fd=top)


def _add_permissions(folder: int, name: str) -> None:
    """Give the owner all permissions for an item of a folder; do nothing if run by root.

    Root needs no permissions, and could change the target of a link.
    """
    if os.geteuid() != 0:
        os.chmod(name, 0o700, dir_fd=folder)
