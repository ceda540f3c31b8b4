"""Identity of the client of a Unix socket, as reported by the kernel."""

from __future__ import annotations

import errno
import os
import pwd
import select
import socket
import struct
import sys
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

from esoplay.errors import UsageError

NamespaceRule = Literal["any", "known", "inner"]
"""Which PID namespaces clients are accepted from, relative to the server's namespace.

any: all namespaces. known: the server's namespace (with the server's mounts if the server runs as
root) or one below it; the server's ``/proc`` shows the client. inner: a namespace below the
server's, from which the server's processes are invisible.
"""

_OTHER_MOUNTS = (
    "this client is not in the server's mount namespace, so the client's /proc may show the "
    "server's processes; start the server in the mount namespace of the solver, or with "
    "--isolated-solver"
)
_CREDENTIALS = struct.Struct("3i")  # struct ucred of unix(7): process, user, group
_INT = struct.Struct("i")
_NO_USER = 2**32 - 1  # the kernel reads it as "no change"
_SO_PEERPIDFD = 77  # since Linux 6.5; missing in Python 3.11's socket module


class _Credentials(NamedTuple):
    """User, group and process of a client. ``pid``: 0 if its PID namespace is not visible here."""

    pid: int
    uid: int
    gid: int


def peer_uid(client: socket.socket) -> int | None:
    """Return the user id of the client when it connected; None if the system does not report it."""
    credentials = _read_credentials(client)
    return None if credentials is None else credentials.uid


def require_peer_uid() -> None:
    """Raise UsageError if the system does not report the user of a socket's client."""
    if not hasattr(socket, "SO_PEERCRED"):
        raise UsageError(
            "this system does not report which user connects; use --socket-mode and a group"
        )


def require_namespaces() -> None:
    """Raise UsageError if the system does not report the PID namespace of a client."""
    if not _own_namespace_depth():
        raise UsageError(
            "this system does not report the PID namespace of a client, so --isolated-solver "
            "cannot be checked; expected Linux 5.3 or newer with /proc mounted"
        )


def namespace_refusal(client: socket.socket, rule: NamespaceRule) -> str | None:
    """Return why a client's PID namespace is not accepted, or None if it is accepted."""
    if rule == "any":
        return None
    credentials = _read_credentials(client)
    pid = 0 if credentials is None else credentials.pid
    if rule == "known" and (credentials is None or pid <= 0):
        return "the PID namespace of this client is unknown to the server"
    depth = _namespace_depth(client, pid) if pid > 0 else 0
    if rule == "known":
        inner = depth > _own_namespace_depth()
        if inner or credentials is None or credentials.uid == os.geteuid() or os.geteuid() != 0:
            return None
        return None if _shares_mounts(client, pid) else _OTHER_MOUNTS
    if not depth:
        return (
            "the PID namespace of this client cannot be determined; "
            "the server accepts only clients with their own PID namespace (--isolated-solver)"
        )
    if depth <= _own_namespace_depth():
        return (
            "this client is in the server's own PID namespace; "
            "the server accepts only clients with their own PID namespace (--isolated-solver)"
        )
    return None


def find_uid(text: str) -> int:
    """Return the user id for a name or number.

    Raises UsageError for an unknown name, or for a number that cannot be a user id.
    """
    if text.isascii() and text.isdigit():
        if int(text) >= _NO_USER:
            raise UsageError(f"{text} is not a user id; expected at most {_NO_USER - 1}")
        return int(text)
    try:
        return pwd.getpwnam(text).pw_uid
    except (KeyError, ValueError):
        raise UsageError(f"unknown user {text!r}") from None


def _read_credentials(client: socket.socket) -> _Credentials | None:
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return None
    data = client.getsockopt(socket.SOL_SOCKET, option, _CREDENTIALS.size)
    return _Credentials(*_CREDENTIALS.unpack(data))


def _namespace_depth(client: socket.socket, pid: int) -> int:
    """Return the nesting depth of a client's PID namespace; 0 if it is unknown.

    ``SO_PEERPIDFD`` identifies the process. Before Linux 6.5 the process id is used, which
    another process may have after the client exited.
    """
    try:
        return _pidfd_namespace_depth(_open_pidfd(client, pid))
    except (OSError, AttributeError):
        return 0


def _shares_mounts(client: socket.socket, pid: int) -> bool:
    """Return whether a client shares this process's mount namespace; requires root."""
    try:
        descriptor = _open_pidfd(client, pid)
    except (OSError, AttributeError):
        return False
    try:
        with suppress(OSError):
            theirs = os.stat(f"/proc/{pid}/ns/mnt")  # noqa: PTH116
            alive = not select.select([descriptor], [], [], 0)[0]  # otherwise the pid may be reused
            return alive and os.path.samestat(theirs, os.stat("/proc/self/ns/mnt"))  # noqa: PTH116
    finally:
        os.close(descriptor)
    return False


def _open_pidfd(client: socket.socket, pid: int) -> int:
    """Return a pidfd of the client process; raise OSError if the process has exited."""
    try:
        data = client.getsockopt(socket.SOL_SOCKET, _SO_PEERPIDFD, _INT.size)
    except OSError as error:
        if error.errno != errno.ENOPROTOOPT:
            raise
        return os.pidfd_open(pid)
    return _INT.unpack(data)[0]


def _own_namespace_depth() -> int:
    if not sys.platform.startswith("linux"):
        return 0
    try:
        return _pidfd_namespace_depth(os.pidfd_open(os.getpid()))
    except OSError:
        return 0


def _pidfd_namespace_depth(descriptor: int) -> int:
    """Return the depth of a process's PID namespace below that of ``/proc``; close the pidfd."""
    try:
        with suppress(OSError, ValueError):
            for line in Path(f"/proc/self/fdinfo/{descriptor}").read_text().splitlines():
                name, _, value = line.partition(":")
                numbers = [int(number) for number in value.split()] if name == "NSpid" else []
                if numbers and min(numbers) > 0:  # -1: the process is gone
                    return len(numbers)
    finally:
        os.close(descriptor)
    return 0
