"""The process between esoplay and a program of a host lane: ``launcher.py SPEC STATUS PARENT``.

It gives up what a program must not have, then becomes its parent: names of its own for
processes, network and files, where the system allows that; limits on resources; another user if
it was root.  ``SPEC`` is a dictionary, marshalled and in hexadecimal (see ``process.Command``).
What becomes of the program is written to the descriptor ``STATUS``, as lines of a word and its
value.  Runs without esoplay on its path, with ``-I -S``.

What holds is told, not assumed: the first line lists it.  unshare(2), mount_setattr(2),
pivot_root(2), prctl(2) and user_namespaces(7) say what each call does.
"""

# Each run pays for what is imported here: hence neither pathlib nor json nor contextlib.
# ruff: noqa: PTH102, PTH103, PTH106, PTH112, PTH114, PTH115, PTH116, PTH211, SIM105

from __future__ import annotations

import ctypes
import marshal
import os
import resource
import signal
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = (
    0x00020000,
    0x04000000,
    0x08000000,
    0x10000000,
    0x20000000,
    0x40000000,
)
MS_NOSUID, MS_NODEV, MS_NOEXEC = 2, 4, 8
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
MNT_DETACH = 2
AT_FDCWD, AT_RECURSIVE = -100, 0x8000
MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID = 1, 2
SYS_MOUNT_SETATTR = 442  # the same on all architectures
SYS_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41, "riscv64": 41}
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 4, 36, 38
NOBODY = 65534
_ROOM = 256  # processes of the same user that there may be besides, where they count as well
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


class Libc:
    """The calls of Linux that Python 3.11 has no names for; each raises OSError."""

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)

    def unshare(self, flags: int) -> None:
        self._check(self._libc.unshare(flags))

    def prctl(self, option: int, value: int) -> None:
        self._check(self._libc.prctl(option, value, 0, 0, 0))

    def mount(self, source: str, target: str, kind: str | None, flags: int, data: str = "") -> None:
        texts = [None if one is None else os.fsencode(one) for one in (source, target, kind)]
        self._check(self._libc.mount(*texts, ctypes.c_ulong(flags), data.encode() or None))

    def make_read_only(self, target: str, *, recursive: bool) -> None:
        attributes = (ctypes.c_uint64 * 4)(MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID, 0, 0, 0)
        flags = AT_RECURSIVE if recursive else 0
        path = ctypes.c_char_p(os.fsencode(target))
        self._check(
            self._libc.syscall(
                *(ctypes.c_long(SYS_MOUNT_SETATTR), AT_FDCWD, path, flags),
                *(ctypes.byref(attributes), ctypes.c_size_t(32)),
            )
        )

    def pivot_root(self, new: str, old: str) -> None:
        number = SYS_PIVOT_ROOT.get(os.uname().machine)
        if number is None:
            raise OSError("the number of pivot_root is not known on this machine")
        self._check(self._libc.syscall(ctypes.c_long(number), os.fsencode(new), os.fsencode(old)))

    def detach(self, target: str) -> None:
        self._check(self._libc.umount2(os.fsencode(target), MNT_DETACH))

    def _check(self, result: int) -> None:
        if result < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))


class Launcher:
    """One launch.  held: what the program is kept by, in words for people and tests."""

    def __init__(self, spec: dict[str, Any], status: int):
        self.spec = spec
        self.status = status
        self.held: list[str] = []
        self.counted_apart = False  # processes: those of a user in another namespace do not count
        self.child = 0
        self.libc: Libc | None = Libc() if os.uname().sysname == "Linux" else None

    def launch(self, parent: int) -> None:
        self._die_with(parent)
        if self._unshare():
            self.child = os.fork()
            if self.child:
                os.close(self.status)  # so that its end tells that the other process is gone
                signal.signal(signal.SIGTERM, self._end_child)
                os.waitpid(self.child, 0)  # with it ends whatever it had started
                return
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            self._prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            self._enclose()
        else:
            self._prctl(PR_SET_CHILD_SUBREAPER, 1)
            signal.signal(signal.SIGTERM, self._end_all)
        self._supervise()

    def _say(self, word: str, value: object) -> None:
        os.write(self.status, f"{word} {value}\n".encode())

    def _die_with(self, parent: int) -> None:
        self._prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)

    def _prctl(self, option: int, value: int) -> bool:
        if self.libc is None:
            return False
        try:
            self.libc.prctl(option, value)
        except OSError:
            return False
        return True

    def _unshare(self) -> bool:
        """Names of its own for processes, network and files; false where that is not allowed."""
        if self.libc is None or not self.spec["isolate"]:
            return False
        user, group = os.geteuid(), os.getegid()
        apart = NEWNS | NEWUTS | NEWIPC | NEWPID | NEWNET
        try:
            self.libc.unshare(apart if user == 0 else apart | NEWUSER)
        except OSError:
            return False
        if user != 0:
            try:
                _write("/proc/self/setgroups", "deny")
                _write("/proc/self/uid_map", f"{user} {user} 1")
                _write("/proc/self/gid_map", f"{group} {group} 1")
            except OSError:
                pass  # then it is nobody in there, and files are not kept apart
            self.counted_apart = True
        self.held += ["processes", "network"]
        return True

    def _enclose(self) -> None:
        """See nothing of the file system but what the toolchain needs, and that read-only."""
        assert self.libc is not None
        root, scratch = self.spec["root"], self.spec["scratch"]
        try:
            self.libc.mount("none", "/", None, MS_REC | MS_PRIVATE)
            self._tmpfs(root, "755")
            for path in (*self.spec["show"], *DEVICES):
                self._show(root, path, writable=False)
            for path in self.spec["write"]:
                self._show(root, path, writable=True)
            os.mkdir(f"{root}/proc")
            try:
                self.libc.mount("proc", f"{root}/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
            except OSError:  # refused where the outer one is covered in part
                pass
            os.makedirs(root + scratch, exist_ok=True)
            self._tmpfs(root + scratch, "1777")
            os.mkdir(f"{root}/.old")
            os.chdir(root)
            self.libc.pivot_root(".", ".old")
        except OSError:
            return
        os.chdir("/")
        self.libc.detach("/.old")
        os.rmdir("/.old")
        self.libc.make_read_only("/", recursive=False)
        self.held.append("files")

    def _tmpfs(self, target: str, mode: str) -> None:
        assert self.libc is not None
        data = f"size={self.spec['scratch_bytes']},nr_inodes=4096,mode={mode}"
        self.libc.mount("tmpfs", target, "tmpfs", MS_NOSUID | MS_NODEV, data)

    def _show(self, root: str, path: str, *, writable: bool) -> None:
        assert self.libc is not None
        target = root + path
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.islink(path):
            if not os.path.lexists(target):
                os.symlink(os.readlink(path), target)
            return
        if os.path.isdir(path):
            os.makedirs(target, exist_ok=True)
        elif os.path.exists(path):
            os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
        else:
            return
        self.libc.mount(path, target, None, MS_BIND | MS_REC)
        if not writable and path not in DEVICES:
            self.libc.make_read_only(target, recursive=True)

    def _supervise(self) -> None:
        """Start the program, wait for it, and end whatever it leaves behind."""
        # Else a program of the same user could write to the status as /proc/PID/fd/N (proc(5)).
        self._prctl(PR_SET_DUMPABLE, 0)
        program = os.fork()
        if program == 0:
            self._become_the_program()
        while True:
            pid, how = os.wait()
            if pid == program:
                break
        self._end_rest()
        if os.WIFSIGNALED(how):
            self._say("signal", os.WTERMSIG(how))
        else:
            self._say("exit", os.WEXITSTATUS(how))
        os._exit(0)

    def _become_the_program(self) -> None:
        try:
            command = self.spec["command"]
            os.chdir(self.spec["scratch"])
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            user = self._leave_root(command[0])
            self._prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            self._prctl(PR_SET_NO_NEW_PRIVS, 1)
            for name, value in self.spec["limits"].items():
                shared = name == "NPROC" and not self.counted_apart
                _limit(name, value + max(_ROOM, _tasks_of(os.geteuid())) if shared else value)
            self._say("held", " ".join([*self.held, "user"] if user else self.held))
            os.execve(command[0], command, self.spec["environment"])
        except BaseException as error:
            self._say("failed", f"{type(error).__name__}: {error}")
        finally:
            os._exit(127)

    def _leave_root(self, executable: str) -> bool:
        """Whether the program is not root's, or not any more."""
        if os.geteuid() != 0:
            return True
        os.seteuid(NOBODY)
        reachable = os.access(executable, os.X_OK, effective_ids=True)
        os.seteuid(0)
        if not reachable:
            return False
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
        if self.libc is not None:
            # Processes are counted by user and namespace: so those of other programs are not.
            try:
                self.libc.unshare(NEWUSER)
                self.counted_apart = True
            except OSError:
                pass
        return True

    def _end_rest(self) -> None:
        """Kill what the program left; in a namespace of its own, all ends with this process."""
        if os.getpid() == 1:
            return
        while children := _children():
            for pid in children:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            # Never waits for one that lives: what comes to this process meanwhile was not killed.
            while _reap():
                pass
            time.sleep(0.001)

    def _end_all(self, *_: object) -> None:
        self._end_rest()
        os._exit(0)

    def _end_child(self, *_: object) -> None:
        os.kill(self.child, signal.SIGKILL)


def _reap() -> bool:
    """Take note of one that has ended; false where there is none now."""
    try:
        return os.waitpid(-1, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return False


def _children() -> list[int]:
    """Processes that this one has to wait for, as the kernel lists them."""
    try:
        with open(f"/proc/self/task/{os.getpid()}/children") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def _tasks_of(user: int) -> int:
    """Processes and threads that count towards a user's limit, as far as they are to be seen."""
    found = 0
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == user:
                found += len(os.listdir(f"/proc/{name}/task"))
        except OSError:
            continue
    return found


def _limit(name: str, value: int) -> None:
    number = getattr(resource, f"RLIMIT_{name}", None)
    if number is None:
        return
    most = resource.getrlimit(number)[1]
    # One second more before the kill that cannot be caught: the first signal tells the reason.
    hard = value + 1 if name == "CPU" else value
    if most != resource.RLIM_INFINITY:
        value, hard = min(value, most), min(hard, most)
    resource.setrlimit(number, (value, hard))


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)


if __name__ == "__main__":
    os.set_inheritable(int(sys.argv[2]), False)
    Launcher(marshal.loads(bytes.fromhex(sys.argv[1])), int(sys.argv[2])).launch(int(sys.argv[3]))
