"""Pool of grading processes, which yields results in the order of the submissions.

One thread does all pipe I/O without blocking.  The processes may be only a limited number of
submissions and bytes ahead of the first submission without a result, so memory does not grow with
the batch.  If a process dies, only the submission that it was grading loses an attempt.
"""

from __future__ import annotations

import os
import pickle
import selectors
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from esoplay.batch.protocol import (
    BATCH_OUTCOMES,
    IDLE_LINE,
    BatchOutcome,
    BatchTerms,
    FrameReader,
    ResultLine,
    WorkerHeartbeat,
    encode_frame,
    make_header,
    read_heartbeat,
    voided_result,
)
from esoplay.batch.submissions import SubmissionLines
from esoplay.errors import WorkerDied
from esoplay.running.run import TIME_LIMIT

ATTEMPTS = 2
"""Number of processes that a submission may crash before it is voided."""

_MAX_AHEAD = 4096  # maximum submissions ahead of the first one without a result
_MAX_BUFFERED = (
    64 << 20
)  # maximum bytes of lines and results in memory; the rest stays in the pipes
_QUEUED_SECONDS = 0.05  # seconds of work that a process should have queued
_MAX_QUEUED = 64  # maximum submissions in the queue of a process
_HEARTBEAT_CHECK_SECONDS = 0.5  # seconds between two checks of the heartbeats
_MAX_READ_BYTES = 256 << 10  # maximum bytes of one read
_MAX_DEATHS = 3  # maximum consecutive deaths of processes before their first result


@dataclass(slots=True)
class _PendingSubmission:
    """Submission in progress.

    index: index from 0.  number: line number from 1.  end: input offset after the line.
    """

    index: int
    number: int
    line: bytes
    end: int
    attempts: int = 0
    isolated: bool = False


class GradedLine(NamedTuple):
    """Result of a submission: its outcome, its JSON line, and the input offset after it."""

    outcome: BatchOutcome
    line: bytes
    end: int


class _GradingProcess:
    """Grading process with its queue of submissions and its unread output."""

    def __init__(self, terms: BatchTerms):
        path = os.pathsep.join(filter(None, sys.path))  # import the same copy of esoplay
        self.heartbeat = tempfile.TemporaryFile()  # noqa: SIM115 (closed by ``kill``)
        self.process = subprocess.Popen(
            # -P: do not import from the current folder, which may belong to a solver
            [sys.executable, "-P", "-m", "esoplay.batch.child", str(self.heartbeat.fileno())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            pass_fds=[self.heartbeat.fileno()],
            env={**os.environ, "PYTHONPATH": path},
        )
        assert self.process.stdin is not None, "the grading process is started with pipes"
        assert self.process.stdout is not None, "the grading process is started with pipes"
        self.pipes = self.process.stdin, self.process.stdout
        self.stdin_fd, self.stdout_fd = (pipe.fileno() for pipe in self.pipes)
        os.set_blocking(self.stdin_fd, False)
        os.set_blocking(self.stdout_fd, False)
        self.tasks: deque[_PendingSubmission] = deque()
        self.unsent = bytearray(encode_frame(0, 0, pickle.dumps(terms)))
        self.frame_reader = FrameReader()
        self.pace = _QUEUED_SECONDS  # moving average of seconds per submission
        self.last_answer_time = time.monotonic()
        self.last_heartbeat = WorkerHeartbeat(IDLE_LINE, 0)
        self.last_heartbeat_time = 0.0

    @property
    def free_slots(self) -> int:
        """Number of submissions that can be added to the queue."""
        if self.tasks and self.tasks[-1].isolated:
            return 0
        return max(2, min(int(_QUEUED_SECONDS / self.pace), _MAX_QUEUED)) - len(self.tasks)

    def assign(self, task: _PendingSubmission) -> None:
        if not self.tasks:
            self.last_answer_time = time.monotonic()
        self.tasks.append(task)
        self.unsent += encode_frame(int(task.isolated), task.number, task.line)

    def is_stuck(self, now: float) -> bool:
        """Return whether the current test exceeds the time limit; False for isolated grading."""
        heartbeat = read_heartbeat(self.heartbeat.fileno())
        if heartbeat != self.last_heartbeat:
            self.last_heartbeat, self.last_heartbeat_time = heartbeat, now
        isolated = any(task.isolated for task in self.tasks if task.number == heartbeat.line)
        return (
            heartbeat.line != IDLE_LINE
            and not isolated
            and now - self.last_heartbeat_time > TIME_LIMIT
        )

    def kill(self) -> None:
        """Kill the process unless it has exited, and close its files."""
        self.process.kill()
        self.process.wait()
        for file in (*self.pipes, self.heartbeat):
            file.close()


class GraderPool:
    """Pool of grading processes, which are started on demand.  A context manager."""

    def __init__(self, terms: BatchTerms, jobs: int):
        self._terms = terms
        self._terms_digest = terms.digest()
        self._jobs = jobs
        self._children: list[_GradingProcess] = []
        self._selector = selectors.DefaultSelector()
        self._watched: dict[int, int] = {}
        self._retries: list[_PendingSubmission] = []
        self._results: dict[int, GradedLine] = {}  # results by place, waiting for earlier ones
        self._next_index = 0
        self._started_count = 0
        self._held_bytes = 0
        self._deaths = 0

    def __enter__(self) -> GraderPool:
        return self

    def __exit__(self, *_: object) -> None:
        for child in self._children:
            child.kill()
        self._children.clear()
        self._selector.close()

    @property
    def pids(self) -> list[int]:
        """Ids of the processes."""
        return [child.process.pid for child in self._children]

    def grade(self, lines: SubmissionLines) -> Iterator[GradedLine]:
        """Grade the submissions still to be read from ``lines``; yield their results in order.

        Raises WorkerDied if processes repeatedly exit before their first result.
        """
        looked = time.monotonic()
        while True:
            self._assign_submissions(lines)
            if self._next_index == self._started_count and lines.has_ended:
                return
            self._exchange(lines)
            while self._next_index in self._results:
                result = self._results.pop(self._next_index)
                self._held_bytes -= len(result.line)
                self._next_index += 1
                yield result
            now = time.monotonic()
            if now - looked > _HEARTBEAT_CHECK_SECONDS:
                looked = now
                for child in [child for child in self._children if child.is_stuck(now)]:
                    self._kill_overdue(child)

    def _assign_submissions(self, lines: SubmissionLines) -> None:
        while self._has_room():
            task = self._next_submission(lines)
            if task is None:
                return
            best = max(self._children, key=lambda child: child.free_slots, default=None)
            if best is None or (best.tasks and len(self._children) < self._jobs):
                best = _GradingProcess(self._terms)
                self._children.append(best)
            best.assign(task)

    def _has_room(self) -> bool:
        """Return whether any process can accept another submission."""
        return len(self._children) < self._jobs or any(
            child.free_slots > 0 for child in self._children
        )

    def _next_submission(self, lines: SubmissionLines) -> _PendingSubmission | None:
        if self._retries:
            return self._retries.pop(0)
        if (
            self._started_count - self._next_index >= _MAX_AHEAD
            or self._held_bytes >= _MAX_BUFFERED
        ):
            return None
        found = lines.take()
        if found is None:
            return None
        task = _PendingSubmission(self._started_count, *found, lines.taken_bytes)
        self._started_count += 1
        self._held_bytes += len(task.line)
        return task

    def _exchange(self, lines: SubmissionLines) -> None:
        """Wait until a pipe is ready; send submissions to the processes, and receive results."""
        wanted: dict[int, int] = {}
        owner: dict[int, _GradingProcess] = {}
        for child in self._children:
            if self._held_bytes < _MAX_BUFFERED or self._has_next_result(child):
                wanted[child.stdout_fd] = selectors.EVENT_READ
            if child.unsent:
                wanted[child.stdin_fd] = selectors.EVENT_WRITE
            owner |= {child.stdout_fd: child, child.stdin_fd: child}
        if lines.pipe_fd is not None and not lines.has_ended and self._has_room():
            wanted[lines.pipe_fd] = selectors.EVENT_READ
        self._watch(wanted)
        for key, _ in self._selector.select(_HEARTBEAT_CHECK_SECONDS):
            child = owner.get(key.fd)
            if child is None:
                lines.read()
            elif child not in self._children:  # the process was removed in this loop
                continue
            elif key.fd == child.stdin_fd:
                self._send(child)
            else:
                self._receive(child)

    def _has_next_result(self, child: _GradingProcess) -> bool:
        return bool(child.tasks) and child.tasks[0].index == self._next_index

    def _watch(self, requested: dict[int, int]) -> None:
        for fd in [fd for fd in self._watched if fd not in requested]:
            self._selector.unregister(fd)
        for fd, events in requested.items():
            if fd not in self._watched:
                self._selector.register(fd, events)
        self._watched = requested

    def _send(self, child: _GradingProcess) -> None:
        try:
            sent = os.write(child.stdin_fd, child.unsent)
            del child.unsent[:sent]
        except BlockingIOError:
            return
        except BrokenPipeError:
            child.unsent.clear()  # reading the output detects the exit

    def _receive(self, child: _GradingProcess) -> None:
        try:
            data = os.read(child.stdout_fd, _MAX_READ_BYTES)
        except BlockingIOError:
            return
        if not data:
            self._handle_exit(child)
            return
        child.frame_reader.feed(data)
        before = len(child.tasks)
        self._receive_results(child)
        answers = before - len(child.tasks)
        if answers:
            now = time.monotonic()
            child.pace = (child.pace + (now - child.last_answer_time) / answers) / 2
            child.last_answer_time = now
            self._deaths = 0

    def _receive_results(self, child: _GradingProcess) -> None:
        while (answer := child.frame_reader.take()) is not None:
            task = child.tasks.popleft()
            assert task.number == answer.number, (
                "a process returns results in the order of its submissions"
            )
            self._save_result(task, (BATCH_OUTCOMES[answer.code], answer.data))

    def _save_result(self, task: _PendingSubmission, line: ResultLine) -> None:
        result = GradedLine(*line, task.end)
        self._held_bytes += len(result.line) - len(task.line)
        self._results[task.index] = result

    def _kill_overdue(self, child: _GradingProcess) -> None:
        """Kill a process whose run exceeds the time limit.

        Its submission is graded again, this time with a separate process for the program.
        """
        at = child.last_heartbeat.line
        for task in child.tasks:
            if task.number == at:
                task.isolated, task.attempts = True, task.attempts - 1
        child.process.kill()  # its remaining output is read first

    def _handle_exit(self, child: _GradingProcess) -> None:
        """Remove an exited process and reassign its submissions."""
        child.process.wait()
        at = read_heartbeat(child.heartbeat.fileno()).line
        for task in child.tasks:
            if task.number == at:
                task.isolated, task.attempts = True, task.attempts + 1
                if task.attempts >= ATTEMPTS:
                    reason = f"its grading process ended unexpectedly {ATTEMPTS} times"
                    self._save_result(
                        task,
                        voided_result(
                            make_header(task.number, task.line, self._terms_digest), reason
                        ),
                    )
                    continue
            self._retries.append(task)
        self._retries.sort(key=lambda task: task.index)
        self._close_pipes(child)
        self._deaths += at == IDLE_LINE
        if self._deaths > _MAX_DEATHS * self._jobs:
            raise WorkerDied(
                f"{self._deaths} grading processes ended since the last result, each without "
                "working on a submission"
            )

    def _close_pipes(self, child: _GradingProcess) -> None:
        for fd in (child.stdin_fd, child.stdout_fd):
            if fd in self._watched:
                self._selector.unregister(fd)
                del self._watched[fd]
        self._children.remove(child)
        child.kill()
