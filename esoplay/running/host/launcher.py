"""Launcher of one program of a host lane, started with arguments ``SPEC STATUS PARENT``.

It isolates itself and then starts the program: in new namespaces for processes, network and files
if the system allows them, with resource limits, and as another user if it was root.  ``SPEC`` is a
dictionary, marshalled and in hexadecimal (see ``process.HostCommand``).  The result of the program
is written to the descriptor ``STATUS``, as lines with a key and a value.  The first line lists the
active guards, as reported by the system.  ``PARENT`` is the process id of the parent.

Imports slow down every run: use only light modules of the standard library.
"""

# ruff: noqa: SIM105

from __future__ import annotations

import marshal
import os
import resource
import select
import signal
import sys
import time

from esoplay.running.host.processes import count_tasks, find_children
from esoplay.running.host.sandbox import (
    NEWIPC,
    NEWNET,
    NEWNS,
    NEWPID,
    NEWUSER,
    NEWUTS,
    PR_CAPBSET_DROP,
    PR_SET_CHILD_SUBREAPER,
    PR_SET_DUMPABLE,
    PR_SET_NO_NEW_PRIVS,
    PR_SET_PDEATHSIG,
    Kernel,
    bring_up_loopback,
    mount_private_files,
    refuse_system_calls,
    restrict_files,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


GUARDS = ("processes", "network", "files", "user")
_SPARE_PROCESSES = 256  # added to the limit if other processes of the user count towards it
_CAPABILITIES = range(64)
_OVERRIDE_MODES = 1  # CAP_DAC_OVERRIDE: a program that runs as root uses folders of spec["user"]
_SERVER_SECONDS = 30.0  # maximum time until a server is ready
_MAX_SERVER_TEXT = 4096  # maximum bytes of a server's error message


class Launcher:
    """Launcher of one program.  guards: names of the active guards, such as ``network``."""

    def __init__(self, spec: dict[str, Any], status: int):
        self.spec = spec
        self.status = status
        self.guards: set[str] = set()
        self.counted_apart = False  # whether the process limit does not count other namespaces
        self.child = 0
        self.kernel: Kernel | None = Kernel() if os.uname().sysname == "Linux" else None

    def launch(self, parent: int) -> None:
        self._die_with_parent(parent)
        if self._unshare():
            self._die_with_parent(parent)  # changing credentials may have reset it
            lacking = self._start_loopback() if self.spec["server"] else ""
            self._begin_namespace()
            assert self.kernel is not None, "only Linux has namespaces"
            if mount_private_files(self.kernel, self.spec):
                self.guards.add("files")
            elif self.spec["server"]:  # sockets in the file system would be reachable
                lacking = lacking or "a private file system"
            if lacking:
                self._refuse(lacking)
        elif self.spec["server"]:
            self._refuse("namespaces")
        else:
            self._prctl(PR_SET_CHILD_SUBREAPER, 1)
            signal.signal(signal.SIGTERM, self._end_all)
            self._die_with_parent(
                parent, signal.SIGTERM
            )  # without a PID namespace, end the other processes here
        self._supervise()

    def _start_loopback(self) -> str:
        """Start the loopback device of the namespace; return why that failed, or ""."""
        try:
            bring_up_loopback()
        except OSError as error:
            return f"a loopback device ({error.strerror})"
        return ""

    def _refuse(self, missing: str) -> None:
        """Exit because a program with a server lacks isolation that it requires.

        missing: the isolation to report, such as ``namespaces``.
        """
        self._report("unavailable", missing)
        os._exit(1)

    def _begin_namespace(self) -> None:
        """Fork process 1 of the namespace, which dies with this process; only the child returns."""
        alive, kept = os.pipe()
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
        self.child = os.fork()
        if self.child:
            signal.signal(signal.SIGTERM, self._end_child)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
            os.close(self.status)  # end of file: the other process has exited
            os.waitpid(self.child, 0)  # all processes that it started end with it
            os._exit(0)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
        os.close(kept)
        self._prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if select.select([alive], [], [], 0)[
            0
        ]:  # the parent had already exited; its id is 0 in this namespace
            os._exit(1)
        os.close(alive)

    def _report(self, word: str, value: object) -> None:
        os.write(self.status, f"{word} {value}\n".encode())

    def _die_with_parent(self, parent: int, signal_number: int = signal.SIGKILL) -> None:
        self._prctl(PR_SET_PDEATHSIG, signal_number)
        if os.getppid() != parent:
            os._exit(1)

    def _prctl(self, option: int, value: int) -> bool:
        if self.kernel is None:
            return False
        try:
            self.kernel.prctl(option, value)
        except OSError:
            return False
        return True

    def _unshare(self) -> bool:
        """Create namespaces for processes, network and files; return False if not allowed."""
        if self.kernel is None or not self.spec["isolate"]:
            return False
        user, group = os.geteuid(), os.getegid()
        apart = NEWNS | NEWUTS | NEWIPC | NEWPID | NEWNET
        try:
            self.kernel.unshare(apart if user == 0 else apart | NEWUSER)
        except OSError:
            return False
        if user != 0:
            try:
                _write("/proc/self/setgroups", "deny")
                _write("/proc/self/uid_map", f"{user} {user} 1")
                _write("/proc/self/gid_map", f"{group} {group} 1")
            except OSError:
                pass  # then the user in the namespace is `nobody`, and files are not isolated
            self.counted_apart = True
        self.guards |= {"processes", "network"}
        return True

    def _supervise(self) -> None:
        """Start the program, wait until it exits, and end all processes that it started."""
        # Otherwise a program of the same user could write to STATUS via /proc/PID/fd/N (proc(5)).
        self._prctl(PR_SET_DUMPABLE, 0)
        # From inside the namespace, its first process receives only signals that it handles.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        if self.spec["server"]:
            self._start_server()
        supervisor = os.getpid()
        program = os.fork()
        if program == 0:
            self._exec_program(supervisor)
        while True:
            pid, how = os.wait()
            if pid == program:
                break
        kill_remaining()
        if os.WIFSIGNALED(how):
            self._report("signal", os.WTERMSIG(how))
        else:
            self._report("exit", os.WEXITSTATUS(how))
        os._exit(0)

    def _start_server(self) -> None:
        """Start the server and wait for its first line; report an error if it exits first."""
        supervisor = os.getpid()
        said, say = os.pipe()
        complaints, complain = os.pipe()
        if os.fork() == 0:
            for descriptor, number in ((os.open("/dev/null", os.O_RDONLY), 0), (say, 1)):
                os.dup2(descriptor, number)
            os.dup2(complain, 2)
            self._exec_server(supervisor)
        os.close(say)
        os.close(complain)
        line = b""
        deadline = time.monotonic() + _SERVER_SECONDS
        while select.select([said], [], [], max(0.0, deadline - time.monotonic()))[0]:
            data = os.read(said, _MAX_SERVER_TEXT)
            line += data
            if b"\n" in line:  # ready; the pipes stay open, so that later output does not kill it
                return
            if not data:
                break
        words = "it printed no line to report that it is ready"
        if select.select([complaints], [], [], 0)[0]:
            text = os.read(complaints, _MAX_SERVER_TEXT).decode("utf-8", "replace")
            words = text.strip().rpartition("\n")[2] or words
        self._report("server", words)
        os._exit(1)

    def _exec_server(self, supervisor: int) -> None:
        """Execute the server with the user id and the permissions that the program will have."""
        try:
            command = self.spec["server"]
            os.chdir(self.spec["scratch"])
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            self._drop_root(command[0])
            self._die_with_parent(supervisor)
            for name in ("CPU", "CORE", "FSIZE"):
                _limit(name, self.spec["limits"][name])
            self._drop_rights()
            os.execve(command[0], command, {})
        except BaseException as error:
            os.write(2, f"{type(error).__name__}: {error}".encode())
        finally:
            os._exit(127)

    def _exec_program(self, supervisor: int) -> None:
        try:
            command = self.spec["command"]
            os.chdir(self.spec["scratch"])
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            if self._drop_root(command[0]):
                self.guards.add("user")
            self._die_with_parent(supervisor)  # after the change of user, which resets it
            for name, value in self.spec["limits"].items():
                shared = name == "NPROC" and not self.counted_apart
                _limit(
                    name,
                    value + max(_SPARE_PROCESSES, count_tasks(os.geteuid())) if shared else value,
                )
            self._drop_rights()
            self._report("held", " ".join(guard for guard in GUARDS if guard in self.guards))
            os.execve(command[0], command, self.spec["environment"])
        except BaseException as error:
            self._report("failed", f"{type(error).__name__}: {error}")
        finally:
            os._exit(127)

    def _drop_root(self, executable: str) -> bool:
        """Replace root by the program's user; return False if only root can run ``executable``."""
        if os.geteuid() != 0:
            return True
        user = self.spec["user"]
        os.seteuid(user)
        reachable = os.access(executable, os.X_OK, effective_ids=True)
        os.seteuid(0)
        if not reachable:
            for capability in _CAPABILITIES:
                if capability != _OVERRIDE_MODES:
                    self._prctl(PR_CAPBSET_DROP, capability)
            return False
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
        if self.kernel is not None:
            # Processes are counted by user and namespace, so processes of other programs are not.
            try:
                self.kernel.unshare(NEWUSER)
                self.counted_apart = True
            except OSError:
                pass
        return True

    def _drop_rights(self) -> None:
        """Drop all permissions that a process can drop without namespaces."""
        if self.kernel is None or not self._prctl(PR_SET_NO_NEW_PRIVS, 1):
            return
        confined = "files" not in self.guards and restrict_files(self.kernel, self.spec)
        compiles = bool(
            self.spec["write"]
        )  # compilers may change file modes, because they run no submitted program
        sockets = bool(self.spec["server"])  # in a namespace, only the server can be reached
        if refuse_system_calls(
            self.kernel, refuse_metadata=confined and not compiles, allow_internet=sockets
        ):
            self.guards.add("network")
            if confined:
                self.guards.add("files")

    def _end_all(self, *_: object) -> None:
        kill_remaining()
        os._exit(0)

    def _end_child(self, *_: object) -> None:
        os.kill(self.child, signal.SIGKILL)


def _limit(name: str, value: int) -> None:
    number = getattr(resource, f"RLIMIT_{name}", None)
    if number is None:
        return
    most = resource.getrlimit(number)[1]
    # SIGXCPU shows the reason; SIGKILL follows one second later.
    hard = value + 1 if name == "CPU" else value
    if most != resource.RLIM_INFINITY:
        value, hard = min(value, most), min(hard, most)
    resource.setrlimit(number, (value, hard))


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)


def main() -> None:
    """Launch the program that ``sys.argv`` describes."""
    os.set_inheritable(int(sys.argv[2]), False)
    Launcher(marshal.loads(bytes.fromhex(sys.argv[1])), int(sys.argv[2])).launch(int(sys.argv[3]))


def kill_remaining() -> None:
    """Kill the program's remaining processes, unless a PID namespace does so."""
    if os.getpid() == 1:
        return
    while children := find_children(os.getpid()):
        for pid in children:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        # Do not wait for a running process: children adopted meanwhile were not killed.
        while _reap():
            pass
        time.sleep(0.001)


def _reap() -> bool:
    """Reap one exited child; return False if no child has exited."""
    try:
        return os.waitpid(-1, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return False
