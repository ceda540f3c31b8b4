"""A file system of its own for a program: what the toolchain needs, read-only, and little else."""

# Each run pays for what is imported here: hence no pathlib.
# ruff: noqa: PTH102, PTH103, PTH106, PTH112, PTH114, PTH115, SIM105

from __future__ import annotations

import os

from esoplay.running.host.launching.kernel import (
    MS_BIND,
    MS_NODEV,
    MS_NOEXEC,
    MS_NOSUID,
    MS_PRIVATE,
    MS_RDONLY,
    MS_REC,
    Kernel,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


def enclose(kernel: Kernel, spec: dict[str, Any]) -> bool:
    """See nothing but what ``spec`` names; false where that is not allowed.

    For a process with a mount namespace of its own and all rights in there.
    """
    root, scratch = spec["root"], spec["scratch"]
    room = f"size={spec['scratch_bytes']},nr_inodes=4096"
    try:
        kernel.mount("none", "/", None, MS_REC | MS_PRIVATE)
        kernel.mount("tmpfs", root, "tmpfs", MS_NOSUID | MS_NODEV, f"{room},mode=755")
        for path in (*spec["show"], *DEVICES):
            _show(kernel, root, path, writable=False)
        for path in spec["write"]:
            _show(kernel, root, path, writable=True)
        for path in spec["hide"]:
            if os.path.isdir(root + path):
                flags = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY
                kernel.mount("tmpfs", root + path, "tmpfs", flags, "size=4k,mode=555")
        os.mkdir(f"{root}/proc")
        try:
            kernel.mount("proc", f"{root}/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
        except OSError:  # refused where the outer one is covered in part
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


def _show(kernel: Kernel, root: str, path: str, *, writable: bool) -> None:
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
