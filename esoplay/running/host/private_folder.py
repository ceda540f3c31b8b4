"""A private folder in which a program in an ordinary language (a host lane) is compiled and run."""

from __future__ import annotations

import errno
import hashlib
import os
import pwd
import random
import shutil
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from esoplay.errors import WorkerDied
from esoplay.paths import cache_folder
from esoplay.running.host.lanes import HostLane
from esoplay.running.host.toolchain import Toolchain
from esoplay.temporary_folders import (
    NOBODY,
    PROGRAM_USERS,
    TemporaryFolder,
    clear_open_folder,
    folder_owners,
    open_folder,
)

_ATTEMPTS = 100


class PrivateFolder:
    """Private folder for one program; ``close`` removes it.

    If esoplay runs as root, the folder belongs to a user id without an account, so that accounts of
    this machine cannot read it.  The id is chosen at random from the ids without such a folder, so
    that other programs usually cannot read it either.  Two processes may still choose the same id
    at the same time, and if the system maps none of these ids, all programs run as user ``nobody``.

    The owner of a folder can replace its contents by links, and root would follow a link.  So this
    process keeps its folders open, changes them only through their descriptors, and passes on their
    paths only while the paths lead to these folders.

    program: folder for the source and the compiled program.  prepared: files of the toolchain that
    all programs share.  scratch: working folder, unless it is in memory.  root: empty mount point
    for the program's file system.  user: user and group id of the program, None for the user of
    this process.
    """

    def __init__(self) -> None:
        """Create the folder; raise WorkerDied if that fails."""
        try:
            self._folder = TemporaryFolder("lane")
        except OSError as error:
            raise WorkerDied(f"cannot create a folder for the program: {error}") from error
        self.path = self._folder.path
        self.program = self.path / "program"
        self.prepared = self.path / "prepared"
        self.scratch = self.path / "scratch"
        self.root = self.path / "root"
        self.user: int | None = None
        self._open: dict[str, int] = {}
        top = self._folder.descriptor
        try:
            for path in (self.root, self.program, self.prepared, self.scratch):
                os.mkdir(path.name, 0o700, dir_fd=top)
                self._open[path.name] = open_folder(path.name, top)
            if os.geteuid() == 0:
                self.user = _give_to_unused_user(top)
            for path in (self.program, self.prepared, self.scratch):
                self._assign_descriptor_to_program(self._open[path.name])
        except OSError as error:
            self.close()
            raise WorkerDied(f"cannot write the program to {self.path}: {error}") from error

    @property
    def is_intact(self) -> bool:
        """Return whether the folders are still in place, neither renamed nor replaced."""
        try:
            return all(
                os.path.samestat(os.fstat(folder), os.lstat(self.path / name))
                for name, folder in self._open.items()
            )
        except OSError:
            return False

    def put(self, path: str, content: bytes) -> None:
        """Write a file that the program can read but not change.  Raise WorkerDied if that fails.

        path: relative to the folder of the program, and accepted by ``source_files.is_path``.
        """
        *folders, name = path.split("/")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        inner: list[int] = []
        try:
            parent = self._open["program"]
            for folder in folders:
                with suppress(FileExistsError):
                    os.mkdir(folder, 0o700, dir_fd=parent)
                parent = open_folder(folder, parent)
                inner.append(parent)
                self._assign_descriptor_to_program(parent)
            descriptor = os.open(name, flags, 0o600, dir_fd=parent)
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                if self.user is not None:
                    os.fchown(descriptor, -1, self.user)
                os.fchmod(descriptor, 0o600 if self.user is None else 0o640)
        except OSError as error:
            raise WorkerDied(f"cannot write the program to {self.path}: {error}") from error
        finally:
            for each in inner:
                os.close(each)

    def assign_to_program(self, path: Path) -> None:
        """Make the program's user the owner of a folder or file, and deny access to other users.

        Raises OSError for links and other kinds of files.
        """
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        descriptor = os.open(path, flags)
        try:
            self._assign_descriptor_to_program(descriptor)
        finally:
            os.close(descriptor)

    def _assign_descriptor_to_program(self, descriptor: int) -> None:
        status = os.fstat(descriptor)
        is_folder = stat.S_ISDIR(status.st_mode)
        if not is_folder and not (stat.S_ISREG(status.st_mode) and status.st_nlink == 1):
            raise OSError(errno.EINVAL, "expected a folder or a regular file with a single link")
        os.fchmod(descriptor, 0o700 if is_folder else 0o600)
        if self.user is not None:
            os.fchown(descriptor, self.user, self.user)

    def empty_scratch(self) -> None:
        """Delete the files that a run left in the working folder on disk.

        Raises WorkerDied if a file cannot be deleted, or if the program has replaced its folders.
        """
        scratch = self._open["scratch"]
        try:
            # A program with the same user may have changed its mode.
            self._assign_descriptor_to_program(scratch)
            clear_open_folder(scratch)
        except OSError as error:
            raise WorkerDied(f"cannot empty {self.scratch}: {error}") from error
        self.require_intact()

    def require_intact(self) -> None:
        """Raise WorkerDied if the program renamed or replaced its folders."""
        if not self.is_intact:
            raise WorkerDied(
                "the program renamed or replaced a folder that esoplay created for it in "
                f"{self.path}"
            )

    def close(self) -> None:
        """Remove the folder and its contents."""
        while self._open:
            os.close(self._open.popitem()[1])
        self._folder.close()


def _give_to_unused_user(descriptor: int) -> int:
    """Make a user id without an account the owner of an open folder; return the id.

    Ids that already own such a folder are not used.  Returns the id of ``nobody`` if the system
    maps no free id.
    """
    in_use = folder_owners()
    for _ in range(_ATTEMPTS):
        user = random.choice(PROGRAM_USERS)
        if user in in_use or _has_account(user):
            continue
        try:
            os.fchown(descriptor, user, user)
        except OSError as error:
            if error.errno != errno.EINVAL:  # a container may map fewer ids
                raise
            break
        return user
    os.fchown(descriptor, NOBODY, NOBODY)
    return NOBODY


def _has_account(user: int) -> bool:
    with suppress(KeyError):
        pwd.getpwuid(user)
        return True
    return False


# Files that a toolchain creates once per machine, because creating them for each program is slow


def copy_prepared_files(
    lane: HostLane, toolchain: Toolchain, folder: PrivateFolder, prepare: Callable[[], bool]
) -> None:
    """Copy the prepared files of a lane from the cache into ``folder``, or create and save them.

    ``prepare`` creates the files in ``folder`` and returns whether it succeeded.  If it failed or
    the disk is full, the program is compiled without prepared files.
    """
    if not lane.prepare_command:
        return
    told = repr((lane.prepare_command, sorted(lane.compile_environment.items()), toolchain))
    name = f"{lane.id}-{hashlib.sha256(told.encode()).hexdigest()[:16]}"
    with suppress(OSError):
        kept = cache_folder() / "lanes" / name
        if kept.is_dir():
            shutil.copytree(kept, folder.prepared, dirs_exist_ok=True)
            for path in (folder.prepared, *folder.prepared.rglob("*")):
                folder.assign_to_program(path)
        elif prepare():
            _save(folder.prepared, kept)


def _save(folder: Path, target: Path) -> None:
    """Save a copy of the folder atomically, unless another process has saved one already."""
    target.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(prefix=f"{target.name}-", dir=target.parent))
    try:
        shutil.copytree(folder, new, dirs_exist_ok=True)
        new.rename(target)
    finally:
        shutil.rmtree(new, ignore_errors=True)
