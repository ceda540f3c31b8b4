"""The file of a Unix socket: made with its mode, recognised when stale, removed at the end."""

from __future__ import annotations

import fcntl
import os
import socket
import stat
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from esoplay.errors import UsageError

BACKLOG = 64
"""Clients that may wait to be accepted."""

_LOCK_SECONDS = 5.0  # for another server that is being started in the same folder


@contextmanager
def listening(path: Path, mode: int) -> Generator[socket.socket]:
    """A socket that listens at ``path``, whose file has ``mode`` from its first moment.

    A file that a dead server left behind is replaced.  Raises UsageError where a living one
    listens, where something else is there, and where the system refuses.
    """
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        try:
            with _alone_in(path.parent):
                _make_way(path)
                _bind(listener, path, mode)
            made = path.lstat()
            listener.listen(BACKLOG)
        except OSError as error:
            reason = error.strerror or error
            raise UsageError(f"cannot listen on {path}: {reason}") from None
        try:
            yield listener
        finally:
            _remove(path, made)
    finally:
        listener.close()


def _make_way(path: Path) -> None:
    try:
        found = path.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(found.st_mode):
        raise UsageError(f"{path} exists and is no socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(_LOCK_SECONDS)
        try:
            probe.connect(os.fspath(path))
        except ConnectionRefusedError:  # nobody listens any more
            path.unlink()
            return
        except OSError:
            pass  # somebody does, and has no time, or does not let us in
    raise UsageError(f"a server listens on {path} already")


def _bind(listener: socket.socket, path: Path, mode: int) -> None:
    # By the umask, as a mode that is set afterwards leaves a moment for others to get in.
    before = os.umask(0o777 & ~mode)
    try:
        listener.bind(os.fspath(path))
    finally:
        os.umask(before)


def _remove(path: Path, made: os.stat_result) -> None:
    """Take the file away, unless it is another server's by now."""
    try:
        found = path.lstat()
        if (found.st_dev, found.st_ino) == (made.st_dev, made.st_ino):
            path.unlink()
    except OSError:
        pass


@contextmanager
def _alone_in(folder: Path) -> Generator[None]:
    """Keep two servers that are started at once from taking each other's file for a stale one."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        deadline = time.monotonic() + _LOCK_SECONDS
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
        yield
    finally:
        os.close(fd)
