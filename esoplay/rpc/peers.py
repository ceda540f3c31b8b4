"""Who is at the other end of a Unix socket, as the kernel says."""

from __future__ import annotations

import pwd
import socket
import struct

from esoplay.errors import UsageError

_CREDENTIALS = struct.Struct("3i")  # struct ucred of unix(7): process, user, group


def peer_uid(client: socket.socket) -> int | None:
    """The user at the other end when it connected; None where the system does not tell."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return None
    _, uid, _ = _CREDENTIALS.unpack(client.getsockopt(socket.SOL_SOCKET, option, _CREDENTIALS.size))
    return uid


def check_peers_are_told() -> None:
    """UsageError on a system that does not tell who connects."""
    if not hasattr(socket, "SO_PEERCRED"):
        raise UsageError("this system does not tell who connects; use --socket-mode and a group")


def find_uid(text: str) -> int:
    """The number of a user, given as that or by name; raises UsageError."""
    if text.isascii() and text.isdigit():
        return int(text)
    try:
        return pwd.getpwnam(text).pw_uid
    except (KeyError, ValueError):
        raise UsageError(f"there is no user {text!r}") from None
