"""System calls that no program in a lane needs, refused by a filter; see seccomp(2).

They make memory that no limit counts, sockets, further namespaces, reach into other processes, or
are known for their bugs.  The kernel runs the filter, in the old form of BPF, before each call.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

from esoplay.running.host.launching.kernel import PR_SET_SECCOMP, Kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# Numbers on x86-64, and where the generic table is used (asm-generic/unistd.h).
_REFUSED = {
    # memory that stays without being mapped, and so counts for no limit
    "shmget": (29, 194),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    # sockets: also where there is no network namespace
    "socket": (41, 198),
    "connect": (42, 203),
    "bind": (49, 200),
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
    # keys of the user; files by number
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    # large and often mended parts of the kernel
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
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

# machine: its number in <linux/audit.h>, and the column of the tables
_MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1), "riscv64": (0xC00000F3, 1)}
_OF_ANOTHER_ABI = 0x40000000  # x32 on x86-64
_NAMESPACES = 0x7E020000  # all CLONE_NEW… that clone(2) takes
_TO_TERMINALS = (0x5412, 0x541C)  # TIOCSTI and TIOCLINUX type for whoever sits there
_STREAM, _SEQUENCE, _KINDS = 1, 5, 0xF

_LOAD, _AND, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16  # in struct seccomp_data
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_MODE_FILTER = 2


def refuse_system_calls(kernel: Kernel, *, metadata: bool) -> bool:
    """Whether they are refused from now on, for this process and all that it starts.

    metadata: changes of modes, owners and attributes of files as well.  For a process that cannot
    win rights any more (no_new_privs).
    """
    machine = _MACHINES.get(os.uname().machine)
    if machine is None:
        return False
    code = _filter(*machine, metadata=metadata)
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


def _filter(machine: int, column: int, *, metadata: bool) -> bytes:
    refusal = _ERROR | errno.EPERM
    unknown = _ERROR | errno.ENOSYS
    lines = [
        (_LOAD, 0, 0, _MACHINE),
        (_EQUAL, 1, 0, machine),
        (_RETURN, 0, 0, unknown),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if column == 0:
        lines += [(_AT_LEAST, 0, 1, _OF_ANOTHER_ABI), (_RETURN, 0, 0, unknown)]
    for numbers in (*_REFUSED.values(), *(_METADATA.values() if metadata else ())):
        if (number := numbers[column]) is not None:
            lines += _if_called(number, [(_RETURN, 0, 0, refusal)])
    # Its flags lie in memory, where no filter sees them; the C library takes clone instead.
    lines += _if_called(_CLONE3[column], [(_RETURN, 0, 0, unknown)])
    lines += _if_called(
        _CLONE[column],
        [
            (_LOAD, 0, 0, _ARGUMENTS),
            (_ANY_BIT, 0, 1, _NAMESPACES),
            *((_RETURN, 0, 0, refusal), (_RETURN, 0, 0, _ALLOW)),
        ],
    )
    lines += _if_called(
        _IOCTL[column],
        [
            (_LOAD, 0, 0, _ARGUMENTS + 8),
            (_EQUAL, 1, 0, _TO_TERMINALS[0]),
            (_EQUAL, 0, 1, _TO_TERMINALS[1]),
            *((_RETURN, 0, 0, refusal), (_RETURN, 0, 0, _ALLOW)),
        ],
    )
    # Another kind of pair could be sent from to any address.
    lines += _if_called(
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


def _if_called(number: int, lines: Iterable[_Line]) -> list[_Line]:
    """``lines``, which return, for calls of this number alone."""
    what = list(lines)
    return [(_EQUAL, 0, len(what), number), *what]
