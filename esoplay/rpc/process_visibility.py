"""Check whether another user can see the processes of this server in ``/proc``.

A program under test reads its hidden input.  It can copy the input to its command line, or use
processor time in a pattern that encodes it; both are in ``/proc/PID``, which every user of the
machine can read unless ``/proc`` is mounted with ``hidepid=invisible``.  Nothing inside a lane
can prevent that, so a server that admits other users checks the mount before it starts.

As root, the check is an experiment: a child process switches to the user and tries to read this
process's files in ``/proc``.  Otherwise the check uses the mount options ``hidepid`` and ``gid``;
see proc(5).
"""

from __future__ import annotations

import os
import pwd
import re
import sys
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from esoplay.temporary_folders import NOBODY, PROGRAM_USERS

HIDING_OPTIONS = frozenset({"2", "invisible", "4", "ptraceable"})
"""Values of ``hidepid`` that hide the existence of a process.

``1`` (``noaccess``) is not included: it hides the contents of ``/proc/PID`` but lists all
processes, so a program can encode its input in the number of processes that it starts.
"""

CONTAINER_ADVICE = (
    "run the solver in a container and start the server with --isolated-solver, or use "
    "`esoplay agents run`"
)
ACCEPT_ADVICE = (
    "--accept-visible-processes starts the server anyway and records this in the session"
)

_FILES = ("cmdline", "status", "schedstat", "")  # of /proc/PID; "" is the folder itself


class Exposure(NamedTuple):
    """Why a user can see the server's processes, and advice for the operator."""

    reason: str
    advice: str


class ProcMount(NamedTuple):
    """Mounted ``/proc``. ``gid``: the group from which ``hidepid`` does not hide processes."""

    path: str
    hidepid: str
    gid: int


def find_exposure(uid: int, *, host_lane: bool) -> Exposure | None:
    """Return why user ``uid`` can see this server's processes, or None if they are hidden.

    host_lane: whether the session's programs run directly on this computer, in a host lane.
    """
    name = describe_user(uid)
    if not sys.platform.startswith("linux"):
        return Exposure(
            f"esoplay can check only on Linux whether processes are hidden from {name}",
            CONTAINER_ADVICE,
        )
    if uid == 0:
        return Exposure(f"{name} sees every process", "choose an unprivileged user")
    if uid == os.geteuid():
        return Exposure(
            f"{name} is the server's own user and sees its processes",
            "run the solver as another user, or in a container with --isolated-solver",
        )
    if host_lane and os.geteuid() == 0 and (uid == NOBODY or uid in PROGRAM_USERS):
        return Exposure(
            f"programs in host lanes may run as {name}, so a solver that runs as this user can "
            "see them",
            "choose a user that runs nothing else",
        )
    try:
        mounts = proc_mounts(Path("/proc/self/mountinfo").read_text("utf-8", "surrogateescape"))
    except OSError as error:
        return Exposure(
            f"cannot check whether {name} sees this server's processes: "
            f"cannot read /proc/self/mountinfo: {error.strerror}",
            CONTAINER_ADVICE,
        )
    if os.geteuid() == 0:
        return _exposure_by_experiment(uid, mounts)
    return exposure_by_options(name, mounts, user_groups(uid))


def describe_user(uid: int) -> str:
    """Return a user as ``user 65534 (nobody)``; without a name if no account has this id."""
    try:
        return f"user {uid} ({pwd.getpwuid(uid).pw_name})"
    except (KeyError, OverflowError):
        return f"user {uid}"


def user_groups(uid: int) -> frozenset[int]:
    """Return the groups of all accounts with this user id."""
    accounts = {entry.pw_name: entry.pw_gid for entry in pwd.getpwall() if entry.pw_uid == uid}
    with suppress(KeyError, OverflowError):
        entry = pwd.getpwuid(uid)  # getpwall does not list all accounts of directory services
        accounts[entry.pw_name] = entry.pw_gid
    groups: set[int] = set()
    for name, primary in accounts.items():
        groups.update(os.getgrouplist(name, primary))
    return frozenset(groups)


def proc_mounts(mountinfo: str) -> tuple[ProcMount, ...]:
    """Parse all mounts of proc from the text of ``/proc/self/mountinfo``.

    Mounts that are covered by another, and mounts of parts such as ``/proc/sys``, are omitted.
    Lines with unknown syntax count as a mount that hides nothing.
    """
    rows: list[tuple[str, str, ProcMount]] = []
    places: set[tuple[str, str]] = set()  # parent and path of every mount
    for line in mountinfo.splitlines():
        before, separator, after = line.partition(" - ")
        fields, tail = before.split(" "), after.split(" ")
        if not separator or len(fields) < 6 or len(tail) < 3:
            rows.append(("", "", ProcMount("/proc", "unknown", 0)))
            continue
        number, parent, _, root, path = fields[:5]
        places.add((parent, path))
        if tail[0] == "proc" and re.match(r"/(\d|$)", root):
            parts = [option.partition("=") for option in tail[2].split(",")]
            options = {key: value for key, _, value in parts}
            gid = options.get("gid", "0")
            mount = ProcMount(
                _unescape(path),
                options.get("hidepid", "0"),
                int(gid) if gid.isascii() and gid.isdigit() else 0,
            )
            rows.append((number, path, mount))
    return tuple(mount for number, path, mount in rows if (number, path) not in places)


def exposure_by_options(
    name: str, mounts: Sequence[ProcMount], groups: Collection[int]
) -> Exposure | None:
    """Return why the mount options let user ``name`` see the server's processes, or None."""
    if not any(mount.path == "/proc" for mount in mounts):
        return Exposure(
            f"cannot check whether {name} sees this server's processes: /proc is not mounted",
            CONTAINER_ADVICE,
        )
    for mount in mounts:
        if mount.hidepid not in HIDING_OPTIONS:
            return Exposure(
                f"{name} can see this server's processes: "
                f"{mount.path} is mounted with hidepid={mount.hidepid}",
                _remount_advice(mount.path),
            )
        if mount.hidepid in ("2", "invisible") and mount.gid in groups:
            return Exposure(
                f"{name} can see this server's processes: {mount.path} shows them to group "
                f"{mount.gid}, which {name} is in",
                f"remove {name} from group {mount.gid}, or {CONTAINER_ADVICE}",
            )
    return None


def _exposure_by_experiment(uid: int, mounts: Sequence[ProcMount]) -> Exposure | None:
    name = describe_user(uid)
    if not any(mount.path == "/proc" for mount in mounts):
        return exposure_by_options(name, mounts, ())
    paths, groups = [mount.path for mount in mounts], sorted(user_groups(uid))
    try:
        seen = _readable_files(uid, groups, paths, os.getpid())
    except OSError as error:
        return Exposure(
            f"cannot check whether {name} sees this server's processes: "
            f"the check, run as {name}, failed: {error.strerror or error}",
            CONTAINER_ADVICE,
        )
    if not seen:
        return None
    by_group = exposure_by_options(name, mounts, groups)
    if by_group is not None and all(mount.hidepid in HIDING_OPTIONS for mount in mounts):
        return by_group  # the option gid survives a remount
    folder = next(path for path in paths if seen[0].startswith(f"{path}/"))
    listed = ", ".join(seen[:3]).replace(f"/{os.getpid()}", "/PID")
    return Exposure(f"{name} can see this server's processes: {listed}", _remount_advice(folder))


def _readable_files(uid: int, groups: Sequence[int], folders: Iterable[str], pid: int) -> list[str]:
    """Return the paths of process ``pid`` that a user can access; requires root.

    uid, groups: the ids of the user and of its groups. folders: mounts of procfs, such as /proc.
    The paths are the process's folder in each of them, and the files of ``_FILES`` in it.
    Raises OSError if this process cannot switch to the user.
    """
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        lines = ["unexpected error"]
        try:
            # A user without an account gets its own group, not root's.
            os.setgroups(groups)
            group = groups[0] if groups else uid
            os.setresgid(group, group, group)
            os.setresuid(uid, uid, uid)
            lines = ["ready", *_list_readable(f"{folder}/{pid}" for folder in folders)]
        except OSError as error:
            lines = [str(error.strerror or error)]
        finally:
            os.write(write, "\n".join(lines).encode("utf-8", "surrogateescape")[:4096])
            os._exit(0)
    os.close(write)
    with open(read, "rb") as pipe:
        lines = pipe.read().decode("utf-8", "surrogateescape").split("\n")
    os.waitpid(child, 0)
    if lines[0] != "ready":
        raise OSError(lines[0] or "its process ended without a result")
    return lines[1:]


def _list_readable(folders: Iterable[str]) -> list[str]:
    found: list[str] = []
    for folder in folders:
        for name in _FILES:
            path = f"{folder}/{name}".rstrip("/")
            try:
                if name:
                    with open(path, "rb") as file:
                        file.read(1)
                else:
                    Path(path).stat()
            except OSError:
                continue
            found.append(path)
    return found


def _remount_advice(path: str) -> str:
    return f"mount -o remount,hidepid=invisible {path}; or {CONTAINER_ADVICE}"


def _unescape(path: str) -> str:
    """Decode a path from mountinfo, where whitespace and backslashes are octal escapes."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), path)
