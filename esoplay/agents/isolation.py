"""Isolate solvers with bubblewrap: the options of its command line.

A solver under bubblewrap has its own PID, mount, IPC and UTS namespaces. In the file system it sees
only the folders that :class:`SolverFiles` names, and it sees only its own processes. It shares the
network of the machine, as agents use it to query models.
"""

from __future__ import annotations

import os
import pwd
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from esoplay.running.host.toolchain import SYSTEM_FOLDERS, installation_folder, outermost_paths

# Paths are strings here, because links must not be resolved.
# ruff: noqa: PTH112, PTH114, PTH115, PTH117


DISABLE_VARIABLE = "ESOPLAY_NO_NAMESPACES"
"""Environment variable for tests; if set, host lanes and solvers run without Linux namespaces."""

_NAMESPACE_OPTIONS = ("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
# A new session, so that `kill 0` signals only the solver's own processes.
_BASE_OPTIONS = (*_NAMESPACE_OPTIONS, "--new-session")
_SETUID_CAPABILITIES = ("CAP_DAC_READ_SEARCH", "CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")
_PROBE_SECONDS = 30
# Files of /proc that show all processes of the machine, on some kernels even in a PID namespace;
# and files that user 0 can write without any capability.
_REVEALING_FILES = ("sched_debug", "timer_list", "timer_stats", "latency_stats", "kcore")
_WRITABLE_ENTRIES = ("sys", "sysrq-trigger", "fs", "irq", "bus", "acpi", "scsi", "mtrr")
_SETTINGS = (
    ("kernel/unprivileged_userns_clone", "0", "sysctl kernel.unprivileged_userns_clone=1"),
    ("user/max_user_namespaces", "0", "sysctl user.max_user_namespaces=10000"),
    (
        "kernel/apparmor_restrict_unprivileged_userns",
        "1",
        "sysctl kernel.apparmor_restrict_unprivileged_userns=0",
    ),
)
"""File below /proc/sys, value that forbids user namespaces, and command that allows them."""


class RunAsUser(NamedTuple):
    """The user and group that a command runs as."""

    uid: int
    gid: int


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """Result of the check of bubblewrap on this machine.

    path, version: path and version of ``bwrap``, None if it is not installed. missing: why solvers
    cannot be isolated, or None. fix: how to fix that.
    """

    path: str | None
    version: str | None
    missing: str | None
    fix: str | None

    @property
    def is_usable(self) -> bool:
        return self.missing is None

    def advice(self) -> str:
        """Return the error message about missing isolation, with advice."""
        return (
            f"solvers cannot be isolated: {self.missing}; a solver that is not isolated can read "
            "hidden inputs from the processes of this machine\n"
            f"try: {self.fix}; or accept this risk with --accept-visible-processes"
        )

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "works": self.is_usable}


def find_bubblewrap(run_as: RunAsUser | None = None) -> Bubblewrap:
    """Find bubblewrap, and test it with the namespaces of a solver.

    run_as: user that the solver runs as, None for the user of this process.
    """
    if sys.platform != "linux":
        return Bubblewrap(None, None, "bubblewrap needs Linux", "run the solvers on Linux")
    path = shutil.which("bwrap")
    if path is None:
        fix = "install bubblewrap (apt-get install bubblewrap, dnf install bubblewrap)"
        return Bubblewrap(None, None, "bubblewrap is not installed", fix)
    version = _run([path, "--version"])[1].removeprefix("bubblewrap ") or None
    if os.environ.get(DISABLE_VARIABLE):
        return Bubblewrap(path, version, f"{DISABLE_VARIABLE} is set", f"unset {DISABLE_VARIABLE}")
    if run_as is not None and shutil.which("setpriv") is None:
        fix = "install setpriv (apt-get install util-linux)"
        return Bubblewrap(path, version, "setpriv is not installed", fix)
    options = [
        *_capability_options(run_as),
        *_BASE_OPTIONS,
        "--ro-bind",
        "/",
        "/",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
    ]
    worked, complaint = _run(
        [path, *options, "--", *_user_switch_prefix(run_as), shutil.which("true") or "true"]
    )
    if worked:
        return Bubblewrap(path, version, None, None)
    reason = complaint.removeprefix("bwrap: ") or "bwrap printed no reason"
    return Bubblewrap(
        path, version, f"bubblewrap cannot create namespaces: {reason}", _namespace_fix()
    )


def _run(command: Sequence[str]) -> tuple[bool, str]:
    """Run a command; return whether it succeeded and the first line that it printed."""
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


def _namespace_fix() -> str:
    """Return advice on how to allow bubblewrap to create namespaces on this machine."""
    for name, forbidding, fix in _SETTINGS if os.geteuid() != 0 else ():
        try:
            if Path("/proc/sys", name).read_text("ascii").strip() == forbidding:
                return fix
        except OSError:
            continue
    return "allow the container to create namespaces, for example with --privileged"


def _capability_options(run_as: RunAsUser | None) -> tuple[str, ...]:
    """Return options that drop all capabilities except those needed to become the solver's user."""
    if os.geteuid() != 0:
        return ()
    kept = () if run_as is None else _SETUID_CAPABILITIES
    return ("--cap-drop", "ALL", *(word for name in kept for word in ("--cap-add", name)))


def _user_switch_prefix(run_as: RunAsUser | None) -> tuple[str, ...]:
    """Return a command prefix that switches to another user and drops all capabilities."""
    if run_as is None:
        return ()
    return (
        shutil.which("setpriv") or "setpriv",
        *(f"--reuid={run_as.uid}", f"--regid={run_as.gid}", "--clear-groups"),
        *("--inh-caps=-all", "--bounding-set=-all", "--"),
    )


@dataclass(frozen=True, slots=True)
class SolverFiles:
    """Files that a solver can access in addition to system files.

    tools: files and folders that it can read. hidden_folders: folders in ``tools`` that appear
    empty. writable_folders: folders that it can write. socket: the folder of the session's socket.
    temporary: the folder mounted as ``/tmp``.
    """

    tools: tuple[str, ...]
    hidden_folders: tuple[str, ...]
    writable_folders: tuple[str, ...]
    socket: str
    temporary: str


@dataclass(frozen=True, slots=True)
class SandboxCommand:
    """Command line that starts a command under bubblewrap.

    program: path of bwrap. options: options of bwrap. before: arguments between the options and the
    command.
    """

    program: str
    options: tuple[str, ...]
    before: tuple[str, ...]


def sandbox(
    bubblewrap: Bubblewrap, files: SolverFiles, workspace: str, run_as: RunAsUser | None
) -> SandboxCommand:
    """Return the sandbox of a solver that starts in ``workspace``; requires usable bubblewrap."""
    assert bubblewrap.path is not None, "bubblewrap must be usable"
    options = [*_capability_options(run_as), *_BASE_OPTIONS]
    for path in SYSTEM_FOLDERS:
        options += _read_only_options(path)
    options += [*_show_etc(), "--proc", "/proc", *_hide_proc_files(run_as), "--dev", "/dev"]
    options += ["--perms", "1777", "--tmpfs", "/dev/shm"]
    options += [
        "--bind",
        files.temporary,
        "/tmp",
        "--dir",
        "/var",
        "--symlink",
        "../tmp",
        "/var/tmp",
    ]
    made: set[str] = set()
    for path in outermost_paths(files.tools):
        options += [*_parent_options(path, made), "--ro-bind-try", path, path]
    masks = [*_find_masks((*SYSTEM_FOLDERS, "/etc", *files.tools), files.hidden_folders)]
    for path in masks:
        options += ["--tmpfs", path]
    for path in files.writable_folders:
        options += [*_parent_options(path, made), "--bind", path, path]
    options += [*_parent_options(files.socket, made), "--ro-bind", files.socket, files.socket]
    for path in ("/", *masks):
        options += ["--remount-ro", path]
    options += ["--chdir", workspace]
    return SandboxCommand(bubblewrap.path, tuple(options), _user_switch_prefix(run_as))


def is_below(path: str, folders: Sequence[str]) -> bool:
    """Return whether a path is one of the folders or in one of them."""
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)


def _find_masks(visible: Sequence[str], hidden: Sequence[str]) -> Iterator[str]:
    """Yield the paths at which hidden folders can be reached through a folder in ``visible``."""
    found: dict[str, None] = {}
    for path in visible:
        place = os.path.realpath(path)
        for folder in outermost_paths(hidden):
            if folder.startswith(f"{place}/") and os.path.isdir(folder):
                found[path + folder[len(place) :]] = None
    # If a system folder such as /lib is a link, only its target is mounted.
    yield from outermost_paths([one for one in found if not _is_in_linked_folder(one)])


def _is_in_linked_folder(path: str) -> bool:
    return any(os.path.islink(one) for one in SYSTEM_FOLDERS if path.startswith(f"{one}/"))


def _read_only_options(path: str) -> list[str]:
    """Return options that show a path read-only, or that create the same symbolic link."""
    if os.path.islink(path):
        return ["--symlink", os.readlink(path), path]
    return ["--ro-bind-try", path, path]


def _parent_options(path: str, created_folders: set[str]) -> Iterator[str]:
    """Yield options that create the parent folders of a path and make them readable.

    Without these options, some versions of bwrap create them unreadable.
    """
    for parent in reversed(Path(path).parents[:-1]):
        if str(parent) not in created_folders:
            created_folders.add(str(parent))
            yield from ("--dir", str(parent))


def _show_etc() -> Iterator[str]:
    """Yield options that show the world-readable files in ``/etc`` and the target of resolv.conf.

    Other files are left out instead of masked: a mask is lost when the file is replaced, and a
    solver that runs as root could then read the new file.
    """
    yield from ("--tmpfs", "/etc", *_show_readable_files("/etc"), "--remount-ro", "/etc")
    servers = Path("/etc/resolv.conf")
    if servers.is_symlink():
        target = str(servers.resolve())
        if not is_below(target, (*SYSTEM_FOLDERS, "/etc")):
            yield from (*_parent_options(target, set()), "--ro-bind-try", target, target)


def _show_readable_files(folder: str) -> Iterator[str]:
    """Yield options that show the world-readable files of a folder.

    The folder must exist in the sandbox already.
    """
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if os.path.islink(path):
            yield from ("--symlink", os.readlink(path), path)
        elif os.path.isfile(path):  # noqa: PTH113
            if _has_public_rights(path, stat.S_IROTH):
                yield from ("--ro-bind-try", path, path)
        elif os.path.isdir(path) and _has_public_rights(path, stat.S_IROTH | stat.S_IXOTH):
            if _all_readable(path):
                yield from ("--ro-bind-try", path, path)
            else:
                yield from ("--dir", path, *_show_readable_files(path))


def _all_readable(folder: str) -> bool:
    """Return whether all files in a folder are world-readable."""
    return all(
        all(
            _has_public_rights(os.path.join(place, name), stat.S_IROTH | stat.S_IXOTH)
            for name in folders
        )
        and all(_has_public_rights(os.path.join(place, name), stat.S_IROTH) for name in files)
        for place, folders, files in os.walk(folder)
    )


def _has_public_rights(path: str, rights: int) -> bool:
    """Return whether all users have these permissions for a file; True for a link."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return True  # the file was removed
    return stat.S_ISLNK(mode) or mode & rights == rights


def _hide_proc_files(run_as: RunAsUser | None) -> Iterator[str]:
    """Yield options that hide or protect only the files of ``/proc`` that a solver could misuse.

    Other files remain as they are: the kernel refuses to mount a further ``/proc`` below a partly
    hidden one, and some agents create their own sandboxes.
    """
    is_root = run_as is None and os.geteuid() == 0
    for name in _REVEALING_FILES:
        if Path("/proc", name).exists() and (
            is_root or _has_public_rights(f"/proc/{name}", stat.S_IROTH)
        ):
            yield from ("--ro-bind", os.devnull, f"/proc/{name}")
    for name in _WRITABLE_ENTRIES if is_root else ():
        yield from ("--ro-bind-try", f"/proc/{name}", f"/proc/{name}")


# Files for a solver's command: its program, interpreters, and the tools on its PATH.


_MAX_LINKS = 40
_MAX_INTERPRETERS = 4  # a script's interpreter can be another script
_MAX_LINE_BYTES = 512  # bytes read of a script's first line
_MOUNTED_FOLDERS = (*SYSTEM_FOLDERS, "/etc", "/proc", "/dev", "/sys")


class CommandFileSearch:
    """Search for the files that the command of one solver needs.

    path: PATH of the solver. hidden: folders that are never shown. shared_folders: folders that
    also contain files of the operator. A tool's installation folder is not shown if it is or
    contains one of them; only the tool's own file is shown then.
    """

    def __init__(self, path: str, hidden: Sequence[str], shared_folders: Sequence[str]):
        self._path = path
        self._hidden = hidden
        self._homes = _find_home_folders()
        self._shared_folders = (*self._homes, *shared_folders)

    def find_command_files(self, command: Sequence[str]) -> tuple[str, ...]:
        """Return the files of a command: program, paths in arguments, folders on PATH, Python."""
        found = [*self.find_program_files(command[0])]
        for word in command[1:]:
            path = word.partition("=")[2] if word.startswith("-") else word
            if path.startswith("/") and os.path.exists(path) and not self._is_shared_folder(path):
                found.append(path)
        found += self._find_path_folders()
        found += self._find_python(found)
        return tuple(dict.fromkeys(path for path in found if self._is_showable(path)))

    def find_program_files(self, program: str) -> Iterator[str]:
        """Yield the installation folders of a program and, for a script, of its interpreter.

        A link is followed: the folder of each file on the way is yielded.
        """
        for _ in range(_MAX_INTERPRETERS):
            found = shutil.which(program, path=self._path)
            if found is None:
                return
            path = os.path.abspath(found)
            for _ in range(_MAX_LINKS):
                yield self._installation(path)
                if not os.path.islink(path):
                    break
                path = os.path.join(os.path.realpath(os.path.dirname(path)), os.readlink(path))
                path = os.path.normpath(path)
            yield self._installation(os.path.realpath(path))
            program = _interpreter(path)
            if not program:
                return

    def _installation(self, program_file: str) -> str:
        """Return the installation folder of a program, or the program if the folder is shared."""
        prefix = installation_folder(program_file)
        return program_file if self._is_shared_folder(prefix) else prefix

    def _is_shared_folder(self, folder: str) -> bool:
        """Return whether a folder contains more than the files of one tool."""
        if not os.path.isdir(folder):
            return False
        places = [folder, os.path.realpath(folder)]
        return folder.count("/") < 2 or any(
            is_below(one, [place]) for one in self._shared_folders for place in places
        )

    def _is_showable(self, path: str) -> bool:
        real = os.path.realpath(path)
        return not is_below(path, _MOUNTED_FOLDERS) and not is_below(real, self._hidden)

    def _find_path_folders(self) -> Iterator[str]:
        """Yield the folders on PATH outside of home folders.

        Instead of ``X/bin``, yield ``X``, the whole installation, unless ``X`` is a shared folder.
        """
        for folder in self._folders():
            if not is_below(folder, self._homes):
                prefix = os.path.dirname(folder) if folder.endswith("/bin") else folder
                yield folder if self._is_shared_folder(prefix) else prefix

    def _find_python(self, shown: Sequence[str]) -> Iterator[str]:
        """Yield the files of a Python interpreter on PATH, which the thin client needs.

        Yields nothing if ``shown``, the files and folders shown so far, or a system folder already
        contains an interpreter on PATH.
        """
        places = [os.path.join(folder, "python3") for folder in self._folders()]
        there = [place for place in places if os.access(place, os.X_OK)]
        visible = (*SYSTEM_FOLDERS, *shown)
        for place in there:
            if is_below(place, visible) and is_below(os.path.realpath(place), visible):
                return
        for place in there:
            if not _interpreter(place):  # a script would search for Python and not find it
                yield from self.find_program_files(place)
                return

    def _folders(self) -> list[str]:
        return [os.path.normpath(one) for one in self._path.split(os.pathsep) if os.path.isabs(one)]


def _find_home_folders() -> tuple[str, ...]:
    """Return the home folders of root and of ordinary users, and ``/home``."""
    homes = {entry.pw_dir for entry in pwd.getpwall() if entry.pw_uid == 0 or entry.pw_uid >= 1000}
    homes |= {os.path.realpath(os.path.expanduser("~")), "/root", "/home"}  # noqa: PTH111
    return tuple(home for home in homes if home.count("/") > 1 or home in ("/root", "/home"))


def _interpreter(script: str) -> str:
    """Return the program in the ``#!`` line of a script; empty for other files."""
    try:
        with open(script, "rb") as file:
            line = file.readline(_MAX_LINE_BYTES)
    except OSError:
        return ""
    if not line.startswith(b"#!"):
        return ""
    words = os.fsdecode(line[2:]).split()
    if words and os.path.basename(words[0]) == "env":  # noqa: PTH119
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    return words[0] if words else ""
