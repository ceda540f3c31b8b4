"""The folder on disk that a program of a lane is compiled in and run from."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from esoplay.errors import WorkerDied
from esoplay.running.host.clearing import clear

_PREFIX = "esoplay-lane-"
_LOCK = "lock"
_NOBODY = 65534


class Box:
    """Such a folder, which is gone when it is closed.

    program: a folder for the source and what is compiled of it.  prepared: one for what the
    toolchain has for all programs.  scratch: the working folder, where none in memory is made.
    root: an empty one, where a file system of its own is put together.
    """

    def __init__(self) -> None:
        """Raises WorkerDied where the disk does not take it."""
        _sweep()
        self.place = Path(tempfile.mkdtemp(prefix=_PREFIX))
        self.program = self.place / "program"
        self.prepared = self.place / "prepared"
        self.scratch = self.place / "scratch"
        self.root = self.place / "root"
        self._lock = -1
        try:
            self._furnish()
        except OSError as error:
            self.close()
            raise WorkerDied(f"a program cannot be put into {self.place}: {error}") from error

    def _furnish(self) -> None:
        self.place.chmod(0o711)  # the program may be another user's than this process
        # It gets its name when it is locked, so that nobody takes it for that of a dead process.
        new = self.place / "new"
        self._lock = os.open(new, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        new.rename(self.place / _LOCK)
        self.root.mkdir()
        for folder in (self.program, self.prepared, self.scratch):
            folder.mkdir()
            give_away(folder)

    def put(self, name: str, content: bytes) -> None:
        """Write a file of the program, which it may read; raises WorkerDied."""
        file = self.program / name
        try:
            file.write_bytes(content)
            file.chmod(0o644)  # whatever the umask
        except OSError as error:
            raise WorkerDied(f"a program cannot be put into {self.place}: {error}") from error

    def empty_scratch(self) -> None:
        """Remove what a run left in the working folder on the disk; raises WorkerDied."""
        try:
            give_away(self.scratch)  # it may have been locked by what runs as the same user
            clear(self.scratch)
        except OSError as error:
            raise WorkerDied(f"{self.scratch} cannot be emptied: {error}") from error

    def close(self) -> None:
        """Remove it, with all that is in there."""
        _remove(self.place)
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def give_away(folder: Path) -> None:
    """Let the program's user write there: nobody, where this process is root's."""
    folder.chmod(0o755)
    if os.geteuid() == 0:
        os.chown(folder, _NOBODY, _NOBODY)


def _sweep() -> None:
    """Remove what killed processes of this user left."""
    for place in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if place.is_symlink() or place.stat().st_uid != os.geteuid():
                continue
            lock = os.open(place / _LOCK, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _remove(place)
            finally:
                os.close(lock)


def _remove(place: Path) -> None:
    """The lock goes last, so that what is left by who is killed meanwhile is found again."""
    for inner in place.iterdir() if place.is_dir() else ():
        if inner.name != _LOCK:
            with suppress(OSError):
                clear(inner)
            shutil.rmtree(inner, ignore_errors=True)
    shutil.rmtree(place, ignore_errors=True)
