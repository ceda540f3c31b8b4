"""Run programs in a child process, which can be killed at a time limit.

A thread cannot be killed, but a process can.  One worker serves many runs and is restarted after
it was killed.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Hashable, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from queue import Empty, Queue
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, Protocol

from esolangs.limits import Limits
from esolangs.registry import find_language
from esoplay.errors import WorkerDied
from esoplay.running.child import RUN_NUMBER_BYTES
from esoplay.running.run import GRADING_LIMITS, START_LIMIT, TIME_LIMIT, Outcome
from esoplay.running.scheduler import RunCancelled, ScheduledRun, SchedulerShare

if TYPE_CHECKING:
    from esoplay.running.host.runner import HostRunner


_POLL_SECONDS = 0.05  # seconds between two checks for cancellation
_MAX_WAIT_SECONDS = 3600.0  # maximum seconds of one wait; the system limits timeouts
_MAX_QUEUED = 4  # maximum queued output messages, so that a slow reader slows down the program

_LAST_STEP_SECONDS = 5.0  # maximum seconds of the last step after the time limit

_Message = tuple[str, Any]


class Worker:
    """Child process that runs programs, started on first use.  A context manager.

    share: scheduler that must grant a slot before each run, None to run immediately.  pool: pool
    that lends a process for each run; None to use the same process for all runs.
    """

    def __init__(
        self, share: SchedulerShare | None = None, pool: ProcessPool | None = None
    ) -> None:
        self.share = share
        self._pool = pool
        self._child: _WorkerProcess | None = None
        self._lanes: HostRunner | None = None

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """Id of the process, or None if it is not running."""
        return self._child.process.pid if self._child else None

    def run(
        self,
        language_id: str,
        source: bytes,
        *,
        dialect: str = "standard",
        options: Mapping[str, str | int] | None = None,
        stdin: bytes = b"",
        limits: Limits | None = None,
        seed: int = 0,
        started: int = 0,
        folder: str | None = None,
        include_drawing: bool = False,
        write: Callable[[bytes], object] | None = None,
        progress: Callable[[int], object] | None = None,
        time_limit: float = TIME_LIMIT,
        stop_at_step: bool = False,
        cancelled: Callable[[], bool] | None = None,
    ) -> Outcome:
        """Run a program like ``run_source``, but kill it after ``time_limit`` seconds.

        ``started``: current time for the program, in seconds since 1970.  ``folder``: folder in
        which it may read and write files; none by default.  ``include_drawing``: whether to set
        the outcome's drawing, which a killed run does not have.  ``progress``: receives the number
        of steps several times a second.  ``stop_at_step``: at the time limit, stop the program
        before its next step, so that the outcome contains its memory and used input, and kill it
        only if that takes too long.

        The time for starting the process and for waiting for the scheduler does not count.  The
        outcome contains output and steps up to the kill; a slow ``write`` makes the program wait.
        Raises WorkerDied if the process ended unexpectedly (never caused by the program), and
        RunCancelled if ``cancelled`` returns True.
        """
        chosen = find_language(language_id).configure(dialect, options)
        collected: list[bytes] = []
        program = {
            "language_id": language_id,
            "source": source,
            "dialect": dialect,
            "options": dict(options or {}),
        }
        run = {
            "stdin": stdin,
            "limits": limits or GRADING_LIMITS,
            "seed": seed,
            "include_drawing": include_drawing,
        }
        follow = _RunFollower(time_limit, write or collected.append, progress, cancelled)
        if stop_at_step:
            follow.time_limit += _LAST_STEP_SECONDS
        try:
            with (
                nullcontext()
                if self.share is None
                else self.share.hold_slot(cancelled) as scheduled_run
            ):
                child = self._ready_process()
                child.start(program, run, (started, folder), time_limit if stop_at_step else None)
                outcome = follow(child, scheduled_run)
                if outcome is not None:
                    self._release_process()  # while it has its slot: the next run can use it
        except BaseException:
            self.kill()  # discard the later messages of a killed run
            raise
        if outcome is None:
            self.close()
            outcome = Outcome(language_id, dialect, chosen, "time_limit", steps=follow.steps)
        if outcome.status == "time_limit":
            outcome.limit = time_limit
            outcome.stderr = f"the limit of {time_limit:g} s was reached"
        outcome.stdout = b"".join(collected)
        return outcome

    def host_runner(self) -> HostRunner:
        """Return the runner of host lanes (ordinary languages); it is closed with this worker."""
        from esoplay.running.host.runner import HostRunner  # imported late: engines do not need it

        if self._lanes is None:
            self._lanes = HostRunner()
        self._lanes.share = self.share
        return self._lanes

    def kill(self) -> None:
        """Kill the process; the next run starts a new one."""
        if self._child is not None:
            self._child.process.kill()
        self.close()

    def close(self) -> None:
        """Stop the process."""
        lanes, self._lanes = self._lanes, None
        if lanes is not None:
            lanes.close()
        child, self._child = self._child, None
        if child is not None:
            child.end()

    def _ready_process(self) -> _WorkerProcess:
        if self._child is None and self._pool is not None:
            self._child = self._pool.take(self._key)
        if self._child is None or self._child.process.poll() is not None:
            self.close()
            self._child = _WorkerProcess()
        return self._child

    def _release_process(self) -> None:
        if self._pool is not None and self._child is not None:
            child, self._child = self._child, None
            self._pool.give_back(self._key, child)

    @property
    def _key(self) -> Hashable:
        """The key of this worker in the pool: its session or, without a session, itself."""
        key = None if self.share is None else self.share.key
        return self if key is None else key


class ProcessPool:
    """Pool of worker processes.  Thread-safe.

    A worker has a process only while it runs a program, so there are as many processes as active
    and paused runs, not as workers.  At most ``count`` processes are idle.
    """

    def __init__(self, count: int):
        self._count = count
        self._idle: list[tuple[Hashable, _WorkerProcess]] = []  # with the key of the last user
        self._lock = Lock()
        self._closed = False

    def take(self, key: Hashable) -> _WorkerProcess | None:
        """Return an idle process, preferably one last used by ``key``; None if none is idle."""
        with self._lock:
            known = [at for at, (last, _) in enumerate(self._idle) if last == key]
            return self._idle.pop(known[-1] if known else 0)[1] if self._idle else None

    def give_back(self, key: Hashable, process: _WorkerProcess) -> None:
        """Give a process back to the pool; it must not be running a program."""
        with self._lock:
            self._idle.append((key, process))
            most = 0 if self._closed else self._count
            surplus = [self._idle.pop(0)[1] for _ in range(len(self._idle) - most)]
        for each in surplus:
            each.end()

    def close(self) -> None:
        """Stop all idle processes, and each process that is given back later."""
        with self._lock:
            self._closed = True
            idle = [process for _, process in self._idle]
            self._idle.clear()
        for process in idle:
            process.end()


class _WorkerProcess:
    """Child process, and the thread that reads its messages."""

    def __init__(self) -> None:
        path = os.pathsep.join(filter(None, sys.path))  # import the same copy of esoplay
        theirs, self._control = os.pipe()
        try:
            self.process = subprocess.Popen(
                # -P: do not import from the current folder, which may belong to a solver
                [sys.executable, "-P", "-m", "esoplay.running.child", str(theirs)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs,),
                env={**os.environ, "PYTHONPATH": path},
            )
        except BaseException:
            os.close(self._control)
            raise
        finally:
            os.close(theirs)
        self._runs = 0
        self._messages: Queue[_Message] = Queue(_MAX_QUEUED)
        self._listener = Thread(target=self._listen, daemon=True)
        self._listener.start()

    def start(
        self,
        program: Mapping[str, object],
        run: Mapping[str, object],
        world: tuple[int, str | None],
        seconds: float | None,
    ) -> None:
        """Start a run.  Raise WorkerDied if the process has exited."""
        assert self.process.stdin is not None, "the process was started with pipes"
        self._runs += 1
        try:
            pickle.dump((self._runs, program, run, world, seconds), self.process.stdin)
            self.process.stdin.flush()
        except OSError as error:
            raise WorkerDied("the process that runs programs ended unexpectedly") from error

    def pause_or_resume(self) -> None:
        """Request that the run pauses or, if it is paused, resumes."""
        with suppress(OSError):  # it has exited, which the last message reports
            os.write(self._control, self._runs.to_bytes(RUN_NUMBER_BYTES, "little"))

    def next_message(self, timeout: float) -> _Message | None:
        """Return the next message of the process, or None if none arrives in ``timeout`` seconds.

        The last message is ``("gone", None)``: the process has exited.
        """
        try:
            return self._messages.get(timeout=timeout)
        except Empty:
            return None

    def end(self) -> None:
        """Close the input of the process, so that it exits; kill it if it does not exit."""
        assert self.process.stdin is not None, "the process was started with pipes"
        assert self.process.stdout is not None, "the process was started with pipes"
        os.close(self._control)
        with suppress(OSError):  # it may have exited before reading a whole request
            self.process.stdin.close()
        try:
            self.process.wait(1)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        while self._listener.is_alive():  # it may be waiting for space in the queue
            self.next_message(_POLL_SECONDS)
        self.process.stdout.close()

    def _listen(self) -> None:
        pipe = self.process.stdout
        assert pipe is not None, "the process was started with pipes"
        try:
            while True:
                self._messages.put(pickle.load(pipe))
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            self._messages.put(("gone", None))


@dataclass(slots=True)
class _RunFollower:
    """Handler of the messages of one run.  steps: number of steps reported so far."""

    time_limit: float
    write: Callable[[bytes], object]
    progress: Callable[[int], object] | None
    cancelled: Callable[[], bool] | None
    steps: int = 0

    def __call__(self, child: _WorkerProcess, scheduled_run: ScheduledRun | None) -> Outcome | None:
        """Handle messages until the run ends; return its outcome, or None if it was killed."""
        started = killed = asked = False
        deadline = time.monotonic() + START_LIMIT
        while True:
            left = deadline - time.monotonic()
            if left <= 0 and not killed:
                child.process.kill()  # messages sent before the kill still count
                killed = True
            if self.cancelled is not None and self.cancelled():
                raise RunCancelled
            if scheduled_run is not None and scheduled_run.should_pause and not asked:
                asked = True
                child.pause_or_resume()
            polls = scheduled_run is not None or self.cancelled is not None or killed
            message = child.next_message(_POLL_SECONDS if polls else min(left, _MAX_WAIT_SECONDS))
            if message is None:
                continue
            kind, value = message
            if kind == "started":
                started, deadline = True, time.monotonic() + self.time_limit
            elif kind == "printed":
                self.write(value)
            elif kind == "steps":
                self.steps = value
                if self.progress is not None:
                    self.progress(value)
            elif kind == "paused" and scheduled_run is not None:
                asked = False
                deadline += scheduled_run.pause(self.cancelled)
                child.pause_or_resume()
            elif kind == "outcome":
                if not killed:
                    return value
            elif kind == "failed":
                raise WorkerDied(f"the engine failed: {value}")
            elif killed and started:
                return None
            else:
                raise WorkerDied("the process that ran the program ended unexpectedly")


# Selection of a runner: a worker for engines, a host runner for lanes


class Runner(Protocol):
    """Runner of programs, one at a time, each under limits and in a separate process."""

    def run(
        self,
        language_id: str,
        source: bytes,
        *,
        dialect: str = "standard",
        options: Mapping[str, str | int] | None = None,
        stdin: bytes = b"",
        limits: Limits | None = None,
        time_limit: float = TIME_LIMIT,
        cancelled: Callable[[], bool] | None = None,
    ) -> Outcome:
        """Run a program and return its outcome.

        Raises RunCancelled if ``cancelled`` returns True, and WorkerDied if the process ends
        unexpectedly.
        """
        ...


@contextmanager
def runner_for(language_id: str, existing: Runner | None) -> Generator[Runner | None]:
    """Yield a runner for programs in a language: ``existing`` or, for a host lane, a host runner.

    If ``existing`` is itself a host runner, it is always yielded.
    A host lane is an ordinary language such as Rust, whose programs only a host runner can run.
    A program is compiled once for all runs in the context; its files are deleted afterwards.
    """
    from esoplay.running.host.lanes import is_lane  # imported late: engines do not need it

    if not is_lane(language_id):
        yield existing
        return
    from esoplay.running.host.runner import HostRunner  # imported late: esolangs do not need it

    if isinstance(existing, HostRunner):
        yield existing
        return
    with existing.host_runner() if isinstance(existing, Worker) else HostRunner() as runner:
        yield runner
