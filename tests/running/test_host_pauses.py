"""Programs of host lanes that are stopped while other sessions have their turns."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from host_programs import python

from esoplay.running.host import paused_processes, process
from esoplay.running.host.processes import find_descendants
from esoplay.running.host.runner import HostRunner
from esoplay.running.scheduler import RunCancelled, ScheduledRun, Scheduler, SchedulerShare

pytestmark = pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes cannot be seen")

PATIENCE = 60.0
STOPPED = ("T", "Z")  # a process that has ended and was not waited for stands still as well

FAMILY = """
import os, sys
readers = []
for number in range(3):
    ours, theirs = os.pipe()
    if os.fork() == 0:
        if number:
            os.setsid()
        if number == 2 and os.fork():
            os._exit(0)
        total = sum(range(3_000_000))
        os.write(theirs, b"%d %d\\n" % (number, total))
        os._exit(0)
    os.close(theirs)
    readers.append(ours)
print(sys.stdin.read())
for reader in readers:
    print(os.read(reader, 100).decode(), end="")
"""
EXPECTED = "input\n" + "".join(f"{number} 4499998500000\n" for number in range(3))


def state_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]
    except OSError:
        return "Z"


class PausingTurn(ScheduledRun):
    """Pauses ``most`` times, and calls ``meanwhile`` each time."""

    def __init__(self, meanwhile: Callable[[], object], most: int):
        super().__init__(Scheduler(1), "", 0)
        self.pauses: int = 0
        self._meanwhile, self._most = meanwhile, most

    @property
    def should_pause(self) -> bool:
        return self.pauses < self._most

    def pause(self, cancelled: Callable[[], bool] | None = None) -> float:
        self.pauses += 1
        self._meanwhile()
        if cancelled is not None and cancelled():
            raise RunCancelled
        return 0.0


class PausingShare(SchedulerShare):
    def __init__(self, meanwhile: Callable[[], object], most: int = 1):
        super().__init__(Scheduler(1), "")
        self._turn = PausingTurn(meanwhile, most)

    @property
    def pauses(self) -> int:
        return self._turn.pauses

    @contextmanager
    def hold_slot(self, cancelled: Callable[[], bool] | None = None) -> Generator[ScheduledRun]:
        yield self._turn


@pytest.fixture(params=["namespaces", "none"])
def each_runner(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[HostRunner]:
    """A runner with namespaces if there are any, and one without."""
    if request.param == "none":
        monkeypatch.setenv("ESOPLAY_NO_NAMESPACES", "1")
    with HostRunner() as runner:
        python(runner, "")
        yield runner


def test_a_pause_changes_no_output_and_stops_every_process(each_runner: HostRunner) -> None:
    states: list[list[str]] = []

    def look() -> None:
        below = [pid for pid in find_descendants(os.getpid()) if b"main.py" in arguments_of(pid)]
        states.append([state_of(pid) for pid in below])
        time.sleep(0.01)

    share = each_runner.share = PausingShare(look, most=5)
    outcome = python(each_runner, FAMILY, b"input")
    assert (outcome.status, outcome.stderr) == ("ok", "")
    lines = outcome.stdout.decode()
    assert lines == EXPECTED
    assert share.pauses == len(states) > 0
    assert any(states), "no process of the program was seen"
    assert all(state in STOPPED for seen in states for state in seen)


def arguments_of(pid: int) -> bytes:
    try:
        arguments = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
    return b"" if b"launching" in arguments else arguments


def test_stopped_time_is_not_the_program_s(
    each_runner: HostRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    hours = 0.0
    monotonic = time.monotonic
    monkeypatch.setattr(process.time, "monotonic", lambda: monotonic() + hours * 3600)

    def let_hours_pass() -> None:
        nonlocal hours
        hours += 10

    share = each_runner.share = PausingShare(let_hours_pass)
    outcome = python(each_runner, FAMILY, b"input", time_limit=600)
    assert (outcome.status, share.pauses) == ("ok", 1)


def test_a_stopped_program_can_be_cancelled(each_runner: HostRunner) -> None:
    begun: set[int] = set()
    before = find_descendants(os.getpid())  # what other tests left in this process

    def look() -> None:
        begun.update(find_descendants(os.getpid()) - before)
        cancel.set()

    cancel = threading.Event()
    each_runner.share = PausingShare(look)
    with pytest.raises(RunCancelled):
        each_runner.run("python", b"while True: pass", cancelled=cancel.is_set)
    assert begun
    until(lambda: all(state_of(pid) == "Z" for pid in begun))


def test_a_program_cannot_wake_itself(each_runner: HostRunner) -> None:
    """Its processes send each other SIGCONT all the time; in a pause, none of them runs."""
    source = """
import os, signal, time
others = [os.getpid()]
for _ in range(4):
    child = os.fork()
    if child == 0:
        break
    others.append(child)
end = time.monotonic() + 1
while time.monotonic() < end:
    for pid in others:
        try:
            os.kill(pid, signal.SIGCONT)
        except ProcessLookupError:
            pass
if child:
    print("done", end="")
else:
    os._exit(0)
"""
    states: list[list[str]] = []

    def look() -> None:
        below = [pid for pid in find_descendants(os.getpid()) if b"main.py" in arguments_of(pid)]
        states.append([state_of(pid) for pid in below])

    each_runner.share = PausingShare(look, most=3)
    outcome = python(each_runner, source)
    assert (outcome.status, outcome.stdout) == ("ok", b"done"), outcome.stderr
    assert states
    assert all(state in STOPPED for seen in states for state in seen)


WAKES_ITSELF = """
import ctypes, signal, sys, time
class Event(ctypes.Structure):
    _fields_ = [("value", ctypes.c_void_p), ("number", ctypes.c_int), ("how", ctypes.c_int),
                ("rest", ctypes.c_byte * 48)]
libc = ctypes.CDLL(None, use_errno=True)
signal.signal(signal.SIGCONT, lambda *_: None)
timer = ctypes.c_void_p()
event = Event(None, signal.SIGCONT, 0)
if libc.timer_create(1, ctypes.byref(event), ctypes.byref(timer)):
    sys.exit("no timer")
times = (ctypes.c_long * 4)(0, 100_000_000, 0, 100_000_000)
if libc.timer_settime(timer, 0, ctypes.byref(times), None):
    sys.exit("no timer")
while True:
    pass
"""


def has_worked(pid: int) -> bool:
    """Whether a process has used half a second of processor time."""
    return paused_processes._processor_time(pid) > 50  # pyright: ignore[reportPrivateUsage]


def has_set_a_timer(pid: int) -> bool:
    """Whether a process has a POSIX timer; or has worked, where the kernel lists no timers."""
    try:
        return bool(Path(f"/proc/{pid}/timers").read_text())
    except FileNotFoundError:
        return has_worked(pid)
    except OSError:
        return False


class LongTurn(PausingTurn):
    """Pauses a program once it is ready, until it is ended."""

    def __init__(self, meanwhile: Callable[[], object], is_ready: Callable[[int], bool]):
        super().__init__(meanwhile, 1)
        self._is_ready = is_ready

    @property
    def should_pause(self) -> bool:
        return not self.pauses and any(map(self._is_ready, find_descendants(os.getpid())))

    def pause(self, cancelled: Callable[[], bool] | None = None) -> float:
        super().pause()
        assert cancelled is not None
        until(cancelled)
        raise RunCancelled


def in_one_long_pause(
    runner: HostRunner,
    meanwhile: Callable[[], object],
    is_ready: Callable[[int], bool] = has_worked,
) -> LongTurn:
    share = PausingShare(meanwhile)
    turn = LongTurn(meanwhile, is_ready)
    share._turn = turn  # pyright: ignore[reportPrivateUsage]
    runner.share = share
    return turn


def test_a_program_that_a_timer_wakes_gets_no_time_for_its_pause(
    each_runner: HostRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    hours = 0.0
    monotonic = time.monotonic
    clock = SimpleNamespace(
        monotonic=lambda: monotonic() + hours * 3600, sleep=time.sleep, time=time.time
    )
    monkeypatch.setattr(process, "time", clock)

    def let_hours_pass() -> None:
        nonlocal hours
        hours += 10

    turn = in_one_long_pause(each_runner, let_hours_pass, has_set_a_timer)
    outcome = python(each_runner, WAKES_ITSELF, time_limit=600)
    assert (outcome.status, outcome.stderr.count("no timer")) == ("time_limit", 0)
    assert turn.pauses == 1


def test_a_program_whose_first_thread_has_ended_is_stopped() -> None:
    source = """
import ctypes, os, threading
def work():
    os.write(1, b"x")
    while True:
        pass
threading.Thread(target=work).start()
ctypes.CDLL(None).pthread_exit(None)
"""
    with subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.read(1) == b"x"
        until(lambda: state_of(child.pid) == "Z")
        threads = list(Path(f"/proc/{child.pid}/task").iterdir())
        standstill = paused_processes.PausedProcesses(lambda: {child.pid})
        assert standstill.pause()
        states = [(each / "stat").read_text().rpartition(") ")[2][0] for each in threads]
        standstill.resume()
        child.kill()
    assert sorted(states) == ["T", "Z"]


def test_the_memory_limit_applies_during_a_pause(
    each_runner: HostRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = in_one_long_pause(each_runner, lambda: None)

    def resident_memory(pid: int) -> int:
        return 1 << 40 if turn.pauses else 0

    monkeypatch.setattr(process, "resident_memory", resident_memory)
    assert python(each_runner, "while True: pass").status == "memory_limit"


def test_a_reused_process_id_gets_no_signal() -> None:
    with subprocess.Popen(["sleep", "60"]) as child:
        start = paused_processes._start_time(child.pid)  # pyright: ignore[reportPrivateUsage]
        for wrong in (b"1", b""):
            with pytest.raises(ProcessLookupError):
                paused_processes._send_signal(child.pid, wrong, 9)  # pyright: ignore[reportPrivateUsage]
        assert state_of(child.pid) not in STOPPED
        paused_processes._send_signal(child.pid, start, 9)  # pyright: ignore[reportPrivateUsage]
        assert child.wait(PATIENCE) == -9


def test_escaped_stopped_processes_continue() -> None:
    """It is no longer below the launcher when the pause is over."""
    with subprocess.Popen(["sleep", "60"]) as child:
        found = {child.pid}
        standstill = paused_processes.PausedProcesses(lambda: set(found))
        assert standstill.pause()
        assert state_of(child.pid) == "T"
        assert standstill.recheck()
        found.clear()
        standstill.resume()
        until(lambda: state_of(child.pid) != "T")
        child.kill()


def test_a_grader_that_is_killed_leaves_no_stopped_program(
    each_runner: HostRunner, tmp_path: Path
) -> None:
    script = tmp_path / "grader.py"
    script.write_text(
        "import time\n"
        "from test_host_pauses import PausingShare\n"
        "from esoplay.running.host.runner import HostRunner\n"
        "def wait():\n"
        "    print('paused', flush=True)\n"
        "    time.sleep(3600)\n"
        "HostRunner(PausingShare(wait)).run('python', b'import os; os.fork()\\nwhile True: pass')\n"
    )
    paths = [*filter(None, sys.path), str(Path(__file__).parent)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    with subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, env=environment
    ) as grader:
        assert grader.stdout is not None
        assert grader.stdout.readline() == b"paused\n"
        begun = find_descendants(grader.pid)
        assert begun
        grader.kill()
    until(lambda: all(state_of(pid) == "Z" for pid in begun))


def until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.005)
