"""Private folders in the temporary directory.

A folder has mode 0700 and is removed when it is closed.  The process that made it holds a lock on
it, which the system releases however that process ends.  So a folder whose lock is free was left by
a process that was killed, and the next start of esoplay removes it.
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
"""User ids of programs that root runs in lanes: no account has one, and systemd assigns the same
range to services that get a user for the time they run."""

NOBODY = 65534
"""The user of these programs where the system maps no id of ``PROGRAM_USERS``."""

# Folders that are removed at start-up.  Not "edit": an editor may have the only copy of a text
# open.  Not "pack" either: earlier versions made such folders without a lock.
_PREFIXES = ("esoplay-lane-", "esoplay-pack-copy-", "esoplay-store-copy-")
_OLD_LOCK = "lock"  # a file that versions locked which did not lock the folder itself
_ATTEMPTS = 100
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class TemporaryFolder:
    """A private folder; use it as a context manager, which returns its path, or call ``close``.

    descriptor: the folder itself, wherever its path leads to later.
    """

    def __init__(self, purpose: str) -> None:
        """``purpose``: part of the folder's name, such as ``lane``.  Raises OSError."""
        sweep()
        self.path, self.descriptor = _create(f"esoplay-{purpose}-")

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the folder and everything in it; closing twice is allowed."""
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor < 0:
            return
        try:
            _remove(self.path, descriptor)
        finally:
            os.close(descriptor)


def sweep() -> None:
    """Remove the folders of processes that were killed, if they belong to this user."""
    with suppress(OSError):
        directory = tempfile.gettempdir()
        for name in os.listdir(directory):
            if name.startswith(_PREFIXES):
                with suppress(OSError):
                    _remove_leftover(Path(directory, name))


def open_folder(name: str, parent: int) -> int:
    """A descriptor of a folder; a link in its place is not followed.  Raises OSError."""
    return os.open(name, _FOLDER, dir_fd=parent)


def clear(folder: Path) -> None:
    """Remove everything in a folder, as ``clear_open`` does."""
    descriptor = os.open(folder, _FOLDER)
    try:
        clear_open(descriptor)
    finally:
        os.close(descriptor)


def clear_open(folder: int) -> None:
    """Remove everything in a folder that is open, however deep or locked; raises OSError.

    Recursion fails where folders are nested thousands deep, and so do paths.  So inner folders are
    moved up before they are emptied.  Links are not followed.
    """
    while inner := _remove_files(folder):
        for name in inner:
            _take_apart(folder, name)


def users_of_folders() -> set[int]:
    """Who the folders in the temporary directory belong to; empty if it cannot be read."""
    users: set[int] = set()
    with suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if entry.name.startswith(_PREFIXES):
                with suppress(OSError):
                    users.add(entry.stat(follow_symlinks=False).st_uid)
    return users


def _create(prefix: str) -> tuple[Path, int]:
    """A new folder and a descriptor that holds its lock."""
    for _ in range(_ATTEMPTS):
        path = Path(tempfile.mkdtemp(prefix=prefix))
        with suppress(FileNotFoundError, BlockingIOError):  # another process took it for a leftover
            descriptor = os.open(path, _FOLDER)
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
    """Take the lock of a new folder; raises BlockingIOError if another process has it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError:
        pass  # a file system without locks: no process can take it for a leftover either


def _remove_leftover(path: Path) -> None:
    """Remove a folder if it is this user's and its lock is free; raises OSError."""
    if not _is_ours(path.lstat()):
        return
    try:
        descriptor = os.open(path, _FOLDER)
    except PermissionError:
        _unlock_own(path)
        descriptor = os.open(path, _FOLDER)
    try:
        if _is_ours(os.fstat(descriptor)):  # of the folder that was opened: names can be swapped
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _take_old_lock(descriptor)
            _remove(path, descriptor)
    finally:
        os.close(descriptor)


def _is_ours(status: os.stat_result) -> bool:
    """Whether it is a folder of this user, or of a user that only root's programs have."""
    own = status.st_uid == os.geteuid()
    of_program = status.st_uid in PROGRAM_USERS or status.st_uid == NOBODY
    return stat.S_ISDIR(status.st_mode) and (own or (os.geteuid() == 0 and of_program))


def _unlock_own(path: Path) -> None:
    """Make a folder of this user accessible; a link in its place is not followed (Linux only)."""
    if not hasattr(os, "O_PATH"):
        return
    place = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        if _is_ours(os.fstat(place)):
            Path(f"/proc/self/fd/{place}").chmod(0o700)
    finally:
        os.close(place)


def _take_old_lock(folder: int) -> None:
    """Raises BlockingIOError if a process of an older version uses the folder."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        lock = os.open(_OLD_LOCK, flags, dir_fd=folder)
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
        clear_open(descriptor)
    with suppress(OSError):
        path.rmdir()
        return
    with suppress(OSError):
        if os.path.samestat(os.fstat(descriptor), path.lstat()):  # names can be swapped
            shutil.rmtree(path, ignore_errors=True)


def _remove_files(folder: int) -> list[str]:
    """Remove everything but folders; returns the names of the folders."""
    inner: list[str] = []
    with os.scandir(folder) as entries:
        for entry in list(entries):
            if entry.is_dir(follow_symlinks=False):
                inner.append(entry.name)
            else:
                os.unlink(entry.name, dir_fd=folder)
    return inner


def _take_apart(top: int, name: str) -> None:
    """Remove a folder of ``top`` after moving its inner folders to ``top``."""
    _unlock(top, name)
    folder = os.open(name, _FOLDER, dir_fd=top)
    try:
        for inner in _remove_files(folder):
            _unlock(folder, inner)  # a locked folder cannot be moved
            os.rename(inner, token_hex(16), src_dir_fd=folder, dst_dir_fd=top)
    finally:
        os.close(folder)
    os.rmdir(name, dir_fd=top)


def _unlock(folder: int, name: str) -> None:
    """Not for root, which needs no permission and must not follow a link put there meanwhile."""
    if os.geteuid() != 0:
        os.chmod(name, 0o700, dir_fd=folder)
