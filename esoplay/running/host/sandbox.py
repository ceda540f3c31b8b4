"""Isolate a program of a host lane with a seccomp filter, mounts and Landlock.

Imports slow down every run, so pathlib and contextlib are not used.
"""

# ruff: noqa: PTH102, PTH103, PTH106, PTH112, PTH114, PTH115, SIM105

from __future__ import annotations

import ctypes
import errno
import os
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any


# System calls that Python 3.11 does not wrap; a failed call raises OSError.  See unshare(2),
# mount_setattr(2), pivot_root(2), prctl(2) and user_namespaces(7).

NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = (
    0x00020000,
    0x04000000,
    0x08000000,
    0x10000000,
    0x20000000,
    0x40000000,
)
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP = 1, 4, 22, 24
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 36, 38

_MNT_DETACH = 2
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_MOUNT_ATTR_RDONLY, _MOUNT_ATTR_NOSUID = 1, 2
_MOUNT_SETATTR = 442  # the same on all architectures
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41, "riscv64": 41}


class Kernel:
    """Linux system calls through the C library."""

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)

    def unshare(self, flags: int) -> None:
        self._check(self._libc.unshare(flags))

    def prctl(self, option: int, value: int, pointer: object = None) -> None:
        more = ctypes.c_ulong(0) if pointer is None else pointer
        zero = ctypes.c_ulong(0)
        self._check(self._libc.prctl(option, ctypes.c_ulong(value), more, zero, zero))

    def mount(self, source: str, target: str, kind: str | None, flags: int, data: str = "") -> None:
        texts = [None if one is None else os.fsencode(one) for one in (source, target, kind)]
        self._check(self._libc.mount(*texts, ctypes.c_ulong(flags), data.encode() or None))

    def make_read_only(self, target: str, *, recursive: bool) -> None:
        attributes = (ctypes.c_uint64 * 4)(_MOUNT_ATTR_RDONLY | _MOUNT_ATTR_NOSUID, 0, 0, 0)
        flags = _AT_RECURSIVE if recursive else 0
        path = ctypes.c_char_p(os.fsencode(target))
        self.call(
            *(_MOUNT_SETATTR, _AT_FDCWD, path, flags),
            *(ctypes.byref(attributes), ctypes.c_size_t(32)),
        )

    def pivot_root(self, new: str, old: str) -> None:
        number = _PIVOT_ROOT.get(os.uname().machine)
        if number is None:
            raise OSError(
                f"no system call number of pivot_root is known for {os.uname().machine}; "
                f"expected {', '.join(_PIVOT_ROOT)}"
            )
        self.call(number, os.fsencode(new), os.fsencode(old))

    def detach(self, target: str) -> None:
        self._check(self._libc.umount2(os.fsencode(target), _MNT_DETACH))

    def call(self, number: int, *arguments: object) -> int:
        """Make a system call; see syscall(2)."""
        return self._check(self._libc.syscall(ctypes.c_long(number), *arguments))

    def _check(self, result: int) -> int:
        if result < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
        return result


# System calls that programs in lanes do not need, refused by a filter; see seccomp(2).
#
# They allocate memory outside of all limits, create sockets or namespaces, access other processes,
# or have a history of bugs.  The kernel runs the filter, in classic BPF, before each call.

# Call numbers on x86-64, and on machines with the generic table (asm-generic/unistd.h).
_REFUSED_CALLS = {
    # memory that is not mapped and therefore outside of all limits
    "shmget": (29, 194),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    # namespaces and mounts
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
    # the user's keys; opening files by handle
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    # large subsystems with frequent security fixes
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
}
_SOCKETS = {  # refused because a network namespace may be unavailable
    "socket": (41, 198),
    "connect": (42, 203),
    "bind": (49, 200),
}
_METADATA = {
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "setxattrat": (463, 463),
    "removexattrat": (466, 466),
}
_CLONE, _CLONE3, _IOCTL, _SOCKETPAIR = (56, 220), (435, 435), (16, 29), (53, 199)

# machine: number in <linux/audit.h>, and column of the tables
_MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1), "riscv64": (0xC00000F3, 1)}
_OTHER_ABI_BIT = 0x40000000  # x32 on x86-64
_NAMESPACES = 0x7E020000  # all CLONE_NEW… that clone(2) takes
_TERMINAL_INPUT_IOCTLS = (0x5412, 0x541C)  # TIOCSTI and TIOCLINUX inject terminal input
_STREAM, _SEQUENCE, _KINDS = 1, 5, 0xF
_INTERNET = (2, 10)  # AF_INET and AF_INET6

_LOAD, _AND, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16  # in struct seccomp_data
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_MODE_FILTER = 2


def refuse_system_calls(
    kernel: Kernel, *, refuse_metadata: bool, allow_internet: bool = False
) -> bool:
    """Refuse dangerous system calls of this process and its children; return False on failure.

    refuse_metadata: also refuse to change modes, owners and attributes of files.  allow_internet:
    allow internet sockets, for a network namespace that contains only the server of a problem.
    Requires no_new_privs.
    """
    machine = _MACHINES.get(os.uname().machine)
    if machine is None:
        return False
    code = _seccomp_program(
        *machine, refuse_metadata=refuse_metadata, allow_internet=allow_internet
    )
    program = struct.pack("HP", len(code) // 8, ctypes.addressof(kept := _buffer(code)))
    try:
        kernel.prctl(PR_SET_SECCOMP, _MODE_FILTER, program)
    except OSError:
        return False
    finally:
        del kept
    return True


def _buffer(code: bytes) -> ctypes.Array[ctypes.c_char]:
    return ctypes.create_string_buffer(code, len(code))


def _seccomp_program(
    machine: int, column: int, *, refuse_metadata: bool, allow_internet: bool
) -> bytes:
    """Return the BPF program of the seccomp filter.

    machine: the architecture of the system calls.  column: the index of its numbers in the tables.
    """
    refusal = _ERROR | errno.EPERM
    unknown = _ERROR | errno.ENOSYS
    lines = [
        (_LOAD, 0, 0, _MACHINE),
        (_EQUAL, 1, 0, machine),
        (_RETURN, 0, 0, unknown),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if column == 0:
        lines += [(_AT_LEAST, 0, 1, _OTHER_ABI_BIT), (_RETURN, 0, 0, unknown)]
    if allow_internet:
        lines += _filter_call(
            _SOCKETS["socket"][column],
            [
                (_LOAD, 0, 0, _ARGUMENTS),
                (_EQUAL, 2, 0, _INTERNET[0]),
                (_EQUAL, 1, 0, _INTERNET[1]),
                *((_RETURN, 0, 0, refusal), (_RETURN, 0, 0, _ALLOW)),
            ],
        )
    refused = (
        *_REFUSED_CALLS.values(),
        *(() if allow_internet else _SOCKETS.values()),
        *(_METADATA.values() if refuse_metadata else ()),
    )
    for numbers in refused:
        if (number := numbers[column]) is not None:
            lines += _filter_call(number, [(_RETURN, 0, 0, refusal)])
    # clone3 has its flags in memory, which a filter cannot read; the C library falls back to clone.
    lines += _filter_call(_CLONE3[column], [(_RETURN, 0, 0, unknown)])
    lines += _filter_call(
        _CLONE[column],
        [
            (_LOAD, 0, 0, _ARGUMENTS),
            (_ANY_BIT, 0, 1, _NAMESPACES),
            *((_RETURN, 0, 0, refusal), (_RETURN, 0, 0, _ALLOW)),
        ],
    )
    lines += _filter_call(
        _IOCTL[column],
        [
            (_LOAD, 0, 0, _ARGUMENTS + 8),
            (_EQUAL, 1, 0, _TERMINAL_INPUT_IOCTLS[0]),
            (_EQUAL, 0, 1, _TERMINAL_INPUT_IOCTLS[1]),
            *((_RETURN, 0, 0, refusal), (_RETURN, 0, 0, _ALLOW)),
        ],
    )
    # A pair of datagram sockets could send to any address.
    lines += _filter_call(
        _SOCKETPAIR[column],
        [
            (_LOAD, 0, 0, _ARGUMENTS + 8),
            (_AND, 0, 0, _KINDS),
            (_EQUAL, 2, 0, _STREAM),
            (_EQUAL, 1, 0, _SEQUENCE),
            *((_RETURN, 0, 0, refusal), (_RETURN, 0, 0, _ALLOW)),
        ],
    )
    lines.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *line) for line in lines)


_Line = tuple[int, int, int, int]


def _filter_call(number: int, lines: Iterable[_Line]) -> list[_Line]:
    """Return a seccomp filter that executes ``lines`` only for system calls with this number."""
    what = list(lines)
    return [(_EQUAL, 0, len(what), number), *what]


_SET_FLAGS, _INTERFACE_UP = 0x8914, 0x41  # SIOCSIFFLAGS; IFF_UP | IFF_RUNNING


def bring_up_loopback() -> None:
    """Start the loopback device of this network namespace; see netdevice(7).

    Raises OSError if that fails.
    """
    import fcntl  # imported late: most programs have no network
    import socket

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sH14x", b"lo", _INTERFACE_UP))


# Private file system of a program: mainly the files of the toolchain, read-only

DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


def mount_private_files(kernel: Kernel, spec: dict[str, Any]) -> bool:
    """Hide all files except the paths in ``spec``; return False if that is not allowed.

    Requires a mount namespace with all capabilities.
    """
    root, scratch = spec["root"], spec["scratch"]
    room = f"size={spec['scratch_bytes']},nr_inodes=4096"
    try:
        kernel.mount("none", "/", None, MS_REC | MS_PRIVATE)
        kernel.mount("tmpfs", root, "tmpfs", MS_NOSUID | MS_NODEV, f"{room},mode=755")
        for path in (*spec["show"], *DEVICES):
            _make_visible(kernel, root, path, writable=False)
        for path in spec["write"]:
            _make_visible(kernel, root, path, writable=True)
        for path in spec["hide"]:
            if os.path.isdir(root + path):
                flags = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY
                kernel.mount("tmpfs", root + path, "tmpfs", flags, "size=4k,mode=555")
        os.mkdir(f"{root}/proc")
        try:
            kernel.mount("proc", f"{root}/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
        except OSError:  # refused if mounts cover parts of the outer /proc
            pass
        os.makedirs(root + scratch, exist_ok=True)
        kernel.mount("tmpfs", root + scratch, "tmpfs", MS_NOSUID | MS_NODEV, f"{room},mode=1777")
        os.mkdir(f"{root}/.old")
        os.chdir(root)
        kernel.pivot_root(".", ".old")
    except OSError:
        return False
    os.chdir("/")
    kernel.detach("/.old")
    os.rmdir("/.old")
    kernel.make_read_only("/", recursive=False)
    return True


def _make_visible(kernel: Kernel, root: str, path: str, *, writable: bool) -> None:
    target = root + path
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.islink(path):
        if not os.path.lexists(target):
            os.symlink(os.readlink(path), target)  # noqa: PTH211
        return
    if os.path.isdir(path):
        os.makedirs(target, exist_ok=True)
    elif os.path.exists(path):
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    else:
        return
    kernel.mount(path, target, None, MS_BIND | MS_REC)
    if not writable and path not in DEVICES:
        kernel.make_read_only(target, recursive=True)


# Landlock: the same access to files for a program without a private file system
#
# Any process can drop its own access rights, in containers too; see landlock(7).  The filter above
# refuses changes of modes and owners, which Landlock does not restrict.

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on all architectures
_ASK_VERSION, _PATH_BENEATH = 1, 1
_EXECUTE, _WRITE, _READ, _READ_FOLDER, _TRUNCATE, _DEVICE_CONTROL = (1, 2, 4, 8, 1 << 14, 1 << 15)
_FILE_RIGHTS = _EXECUTE | _WRITE | _READ | _TRUNCATE | _DEVICE_CONTROL
_SCOPES = 1 | 2  # abstract sockets and signals


def restrict_files(kernel: Kernel, spec: dict[str, Any]) -> bool:
    """Drop access to all files except the paths in ``spec``; return False if some access remains.

    Requires no_new_privs.  The process and its children also lose access by ptrace to all other
    processes and, since Linux 6.12, permission to send them signals.
    """
    try:
        version = kernel.call(_CREATE_RULESET, None, ctypes.c_size_t(0), _ASK_VERSION)
    except OSError:
        return False
    rights = (1 << {1: 13, 2: 14, 3: 15, 4: 15}.get(version, 16)) - 1
    words = 1 if version < 4 else 2 if version < 6 else 3
    attributes = struct.pack("=QQQ", rights, 0, _SCOPES)[: 8 * words]
    ruleset = kernel.call(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    readable = _EXECUTE | _READ | _READ_FOLDER
    for path in spec["show"]:
        for part in _visible_paths_in(path, spec["hide"]):
            _allow(kernel, ruleset, part, rights & readable)
    for path in (*spec["write"], spec["scratch"]):
        _allow(kernel, ruleset, path, rights)
    for path in DEVICES:
        _allow(kernel, ruleset, path, rights & (_READ | _WRITE | _TRUNCATE))
    kernel.call(_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
    return version >= 3  # earlier versions cannot restrict truncation


def _visible_paths_in(path: str, hidden: Iterable[str]) -> Iterator[str]:
    """Yield ``path``, or the paths in it that contain no hidden folder."""
    inside = [one for one in hidden if f"{one}/".startswith(f"{path}/")]
    if not inside:
        yield path
    elif path not in inside:
        for name in os.listdir(path):
            yield from _visible_paths_in(os.path.join(path, name), inside)


def _allow(kernel: Kernel, ruleset: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # missing, or not accessible to this user
        return
    if not os.path.isdir(path):
        rights &= _FILE_RIGHTS
    kernel.call(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", rights, place), 0)
    os.close(place)
