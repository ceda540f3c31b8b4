"""Calls of Linux that Python 3.11 has no names for; each raises OSError.

unshare(2), mount_setattr(2), pivot_root(2), prctl(2) and user_namespaces(7) say what each does.
"""

from __future__ import annotations

import ctypes
import os

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
    """The calls, through the C library."""

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
            raise OSError("the number of pivot_root is not known on this machine")
        self.call(number, os.fsencode(new), os.fsencode(old))

    def detach(self, target: str) -> None:
        self._check(self._libc.umount2(os.fsencode(target), _MNT_DETACH))

    def call(self, number: int, *arguments: object) -> int:
        """syscall(2)."""
        return self._check(self._libc.syscall(ctypes.c_long(number), *arguments))

    def _check(self, result: int) -> int:
        if result < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
        return result
