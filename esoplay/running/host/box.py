"""The folder on disk that a program of a lane is compiled in and run from."""

from __future__ import annotations

import errno
import os
import pwd
import random
from contextlib import suppress
from pathlib import Path

from esoplay.errors import WorkerDied
from esoplay.temporary import NOBODY, PROGRAM_USERS, TemporaryFolder, clear

_ATTEMPTS = 100


class Box:
    """A private folder for one program, removed when it is closed.

    Where esoplay runs as root, the folder belongs to a user that has no account and that no other
    program has, so neither accounts of this machine nor other programs can look into it.

    program: a folder for the source and what is compiled of it.  prepared: one for what the
    toolchain has for all programs.  scratch: the working folder, where none in memory is made.
    root: an empty one, where a file system of its own is put together.
    user: the user and group id of the program; None where it is that of this process.
    """

    def __init__(self) -> None:
        """Raises WorkerDied if the disk refuses the folder."""
        try:
            self._folder = TemporaryFolder("lane")
        except OSError as error:
            raise WorkerDied(f"a program's folder cannot be created: {error}") from error
        self.place = self._folder.path
        self.program = self.place / "program"
        self.prepared = self.place / "prepared"
        self.scratch = self.place / "scratch"
        self.root = self.place / "root"
        self.user: int | None = None
        try:
            for folder in (self.root, self.program, self.prepared, self.scratch):
                folder.mkdir(mode=0o700)
            if os.geteuid() == 0:
                self.user = _give_to_unused_user(self.place)
            for folder in (self.program, self.prepared, self.scratch):
                self.give_away(folder)
        except OSError as error:
            self.close()
            raise WorkerDied(f"a program cannot be put into {self.place}: {error}") from error

    def put(self, name: str, content: bytes) -> None:
        """Write a file that the program may read and not change; raises WorkerDied."""
        file = self.program / name
        try:
            file.touch(mode=0o600)
            file.write_bytes(content)
            if self.user is not None:
                os.chown(file, -1, self.user)
            file.chmod(0o600 if self.user is None else 0o640)
        except OSError as error:
            raise WorkerDied(f"a program cannot be put into {self.place}: {error}") from error

    def give_away(self, path: Path) -> None:
        """Make a folder or file in here the program's own, closed to other users."""
        path.chmod(0o700 if path.is_dir() else 0o600)
        if self.user is not None:
            os.chown(path, self.user, self.user)

    def empty_scratch(self) -> None:
        """Remove what a run left in the working folder on the disk; raises WorkerDied."""
        try:
            self.give_away(self.scratch)  # a program that runs as the same user may have locked it
            clear(self.scratch)
        except OSError as error:
            raise WorkerDied(f"{self.scratch} cannot be emptied: {error}") from error

    def close(self) -> None:
        """Remove the folder and everything in it."""
        self._folder.close()


def _give_to_unused_user(folder: Path) -> int:
    """Make a folder the property of a user id without an account, which is returned."""
    for _ in range(_ATTEMPTS):
        user = random.choice(PROGRAM_USERS)
        if _has_account(user):
            continue
        try:
            os.chown(folder, user, user)
        except OSError as error:
            if error.errno != errno.EINVAL:  # a container may map fewer ids
                raise
            break
        return user
    os.chown(folder, NOBODY, NOBODY)
    return NOBODY


def _has_account(user: int) -> bool:
    with suppress(KeyError):
        pwd.getpwuid(user)
        return True
    return False
