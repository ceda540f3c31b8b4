"""Isolation of solvers: bubblewrap, and the options that it starts an agent with.

A solver under bubblewrap has PID, mount, IPC and UTS namespaces of its own.  It sees the folders
that :class:`View` names and nothing else of the file system, and no process but its own.  The
network is the machine's, as agents ask models over it.
"""

# ruff: noqa: PTH112, PTH114, PTH115

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from esoplay.running.host.toolchain import SYSTEM, without_inner

SWITCH = "ESOPLAY_NO_NAMESPACES"
"""In the environment: programs of lanes and solvers run without namespaces, for tests."""

_NAMESPACES = ("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
# Another session than bwrap's, so that `kill 0` reaches the solver's own processes alone.
_BASE = (*_NAMESPACES, "--new-session")
_BECOMING = ("CAP_DAC_READ_SEARCH", "CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")
_PROBE_SECONDS = 30
# Files of /proc that show every process of the machine, on some kernels even from inside of a PID
# namespace; and those that user 0 may write though it has no capability.
_REVEALING = ("sched_debug", "timer_list", "timer_stats", "latency_stats", "kcore")
_WRITABLE = ("sys", "sysrq-trigger", "fs", "irq", "bus", "acpi", "scsi", "mtrr")
_SETTINGS = (
    ("kernel/unprivileged_userns_clone", "0", "sysctl kernel.unprivileged_userns_clone=1"),
    ("user/max_user_namespaces", "0", "sysctl user.max_user_namespaces=10000"),
    (
        "kernel/apparmor_restrict_unprivileged_userns",
        "1",
        "sysctl kernel.apparmor_restrict_unprivileged_userns=0",
    ),
)
"""Settings below /proc/sys, the value that forbids user namespaces, and how to allow them."""


class Person(NamedTuple):
    """Whom a command runs as."""

    uid: int
    gid: int


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """Whether solvers can be isolated on this machine.

    path, version: of bwrap, None where it is not installed.  missing: why solvers cannot be
    isolated, None where they can; fix: what to do about it.
    """

    path: str | None
    version: str | None
    missing: str | None
    fix: str | None

    @property
    def works(self) -> bool:
        return self.missing is None

    def advice(self) -> str:
        """The message about solvers that cannot be isolated, and what to try."""
        return (
            f"solvers cannot be isolated: {self.missing}; a solver that is not isolated can read "
            "hidden inputs from the processes of this machine\n"
            f"try: {self.fix}; or accept that with --accept-visible-processes"
        )

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "works": self.works}


def find_bubblewrap(person: Person | None = None) -> Bubblewrap:
    """Look for bubblewrap, and run it once with the namespaces that a solver gets.

    person: the user that the solver runs as, None for this process's own.
    """
    if sys.platform != "linux":
        return Bubblewrap(None, None, "bubblewrap needs Linux", "run the solvers on Linux")
    path = shutil.which("bwrap")
    if path is None:
        fix = "install bubblewrap (apt-get install bubblewrap, dnf install bubblewrap)"
        return Bubblewrap(None, None, "bubblewrap is not installed", fix)
    version = _run([path, "--version"])[1].removeprefix("bubblewrap ") or None
    if os.environ.get(SWITCH):
        return Bubblewrap(path, version, f"{SWITCH} is set", f"unset {SWITCH}")
    if person is not None and shutil.which("setpriv") is None:
        fix = "install setpriv (apt-get install util-linux)"
        return Bubblewrap(path, version, "setpriv is not installed", fix)
    options = [*_rights(person), *_BASE, "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]
    worked, complaint = _run(
        [path, *options, "--", *_become(person), shutil.which("true") or "true"]
    )
    if worked:
        return Bubblewrap(path, version, None, None)
    reason = complaint.removeprefix("bwrap: ") or "it does not say why"
    return Bubblewrap(path, version, f"bubblewrap cannot create namespaces: {reason}", _fix())


def _run(command: Sequence[str]) -> tuple[bool, str]:
    """Whether a command succeeded, and the first line that it printed."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_PROBE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return False, str(error)
    lines = done.stdout.decode("utf-8", "replace").strip().splitlines()
    return done.returncode == 0, lines[0] if lines else ""


def _fix() -> str:
    """How to let bubblewrap create namespaces here."""
    for name, forbidding, fix in _SETTINGS if os.geteuid() != 0 else ():
        try:
            if Path("/proc/sys", name).read_text("ascii").strip() == forbidding:
                return fix
        except OSError:
            continue
    return "start the container so that it may create namespaces, such as with --privileged"


def _rights(person: Person | None) -> tuple[str, ...]:
    """Which capabilities remain: none, but for entering a user's workspace and becoming it."""
    if os.geteuid() != 0:
        return ()
    kept = () if person is None else _BECOMING
    return ("--cap-drop", "ALL", *(word for name in kept for word in ("--cap-add", name)))


def _become(person: Person | None) -> tuple[str, ...]:
    """The command that becomes another user and gives up all capabilities."""
    if person is None:
        return ()
    return (
        shutil.which("setpriv") or "setpriv",
        *(f"--reuid={person.uid}", f"--regid={person.gid}", "--clear-groups"),
        *("--inh-caps=-all", "--bounding-set=-all", "--"),
    )


@dataclass(frozen=True, slots=True)
class View:
    """The files that a solver sees besides the system's.

    tools: files and folders that it may read.  hidden: folders in there that are empty for it.
    writable: folders that it may write to.  socket: the folder of the session's socket.
    temporary: the folder that it sees as ``/tmp``.
    """

    tools: tuple[str, ...]
    hidden: tuple[str, ...]
    writable: tuple[str, ...]
    socket: str
    temporary: str


@dataclass(frozen=True, slots=True)
class Sandbox:
    """How to start a command under bubblewrap.

    program: bwrap.  options: its options.  before: words in front of the command.
    """

    program: str
    options: tuple[str, ...]
    before: tuple[str, ...]


def sandbox(bubblewrap: Bubblewrap, view: View, workspace: str, person: Person | None) -> Sandbox:
    """The sandbox of a solver that starts in its workspace; ``bubblewrap`` must work."""
    assert bubblewrap.path is not None, "it works"
    options = [*_rights(person), *_BASE]
    for path in SYSTEM:
        options += _read_only(path)
    options += [*_etc(), "--proc", "/proc", *_proc(person), "--dev", "/dev"]
    options += ["--perms", "1777", "--tmpfs", "/dev/shm"]
    options += [
        "--bind",
        view.temporary,
        "/tmp",
        "--dir",
        "/var",
        "--symlink",
        "../tmp",
        "/var/tmp",
    ]
    made: set[str] = set()
    for path in without_inner(view.tools):
        options += [*_parents(path, made), "--ro-bind-try", path, path]
    masks = [*_masks((*SYSTEM, "/etc", *view.tools), view.hidden)]
    for path in masks:
        options += ["--tmpfs", path]
    for path in view.writable:
        options += [*_parents(path, made), "--bind", path, path]
    options += [*_parents(view.socket, made), "--ro-bind", view.socket, view.socket]
    for path in ("/", *masks):
        options += ["--remount-ro", path]
    options += ["--chdir", workspace]
    return Sandbox(bubblewrap.path, tuple(options), _become(person))


def is_below(path: str, folders: Sequence[str]) -> bool:
    """Whether a path is one of the folders or lies in one of them."""
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)


def _masks(shown: Sequence[str], hidden: Sequence[str]) -> Iterator[str]:
    """The hidden folders as they lie in what is shown, which may be a link to where they are."""
    found: dict[str, None] = {}
    for path in shown:
        place = os.path.realpath(path)
        for folder in without_inner(hidden):
            if folder.startswith(f"{place}/") and os.path.isdir(folder):
                found[path + folder[len(place) :]] = None
    # Of links that the system has, such as /lib, only the target is a place of its own.
    yield from without_inner([one for one in found if not _goes_through_link(one)])


def _goes_through_link(path: str) -> bool:
    return any(os.path.islink(one) for one in SYSTEM if path.startswith(f"{one}/"))


def _read_only(path: str) -> list[str]:
    if os.path.islink(path):
        return ["--symlink", os.readlink(path), path]
    return ["--ro-bind-try", path, path]


def _parents(path: str, made: set[str]) -> Iterator[str]:
    """Options that make the folders above a path, which some versions of bwrap make unreadable."""
    for parent in reversed(Path(path).parents[:-1]):
        if str(parent) not in made:
            made.add(str(parent))
            yield from ("--dir", str(parent))


def _etc() -> Iterator[str]:
    """``/etc`` with the files that everybody may read, and the file that names the DNS servers.

    The others are left out instead of being covered: a cover is gone once the file is replaced, and
    a solver that runs as root owns the new one.
    """
    yield from ("--tmpfs", "/etc", *_readable("/etc"), "--remount-ro", "/etc")
    servers = Path("/etc/resolv.conf")
    if servers.is_symlink():
        target = str(servers.resolve())
        if not is_below(target, (*SYSTEM, "/etc")):
            yield from (*_parents(target, set()), "--ro-bind-try", target, target)


def _readable(folder: str) -> Iterator[str]:
    """Options that show what everybody may read in a folder, which exists in the sandbox."""
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if os.path.islink(path):
            yield from ("--symlink", os.readlink(path), path)
        elif os.path.isfile(path):  # noqa: PTH113
            if _for_all(path, stat.S_IROTH):
                yield from ("--ro-bind-try", path, path)
        elif os.path.isdir(path) and _for_all(path, stat.S_IROTH | stat.S_IXOTH):
            if _all_readable(path):
                yield from ("--ro-bind-try", path, path)
            else:
                yield from ("--dir", path, *_readable(path))


def _all_readable(folder: str) -> bool:
    """Whether everybody may read everything in a folder."""
    return all(
        all(_for_all(os.path.join(place, name), stat.S_IROTH | stat.S_IXOTH) for name in folders)
        and all(_for_all(os.path.join(place, name), stat.S_IROTH) for name in files)
        for place, folders, files in os.walk(folder)
    )


def _for_all(path: str, needed: int) -> bool:
    """Whether everybody has these rights to a file; of a link only its target has any."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return True  # it is gone
    return stat.S_ISLNK(mode) or mode & needed == needed


def _proc(person: Person | None) -> Iterator[str]:
    """Hide no more of ``/proc`` than is needed: the kernel lets nobody mount another one below a
    ``/proc`` of which a part is hidden, and some agents make sandboxes of their own."""
    is_root = person is None and os.geteuid() == 0
    for name in _REVEALING:
        if Path("/proc", name).exists() and (is_root or _for_all(f"/proc/{name}", stat.S_IROTH)):
            yield from ("--ro-bind", os.devnull, f"/proc/{name}")
    for name in _WRITABLE if is_root else ():
        yield from ("--ro-bind-try", f"/proc/{name}", f"/proc/{name}")
