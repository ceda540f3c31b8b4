"""One session's slow runs must not keep another session waiting (trust.md, row 6).

Nothing here looks at a clock: a short run has to finish while slow ones, which take as long as
they may, are still at work.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from esoplay.benchmark.sessions import Sessions, Workers
from esoplay.running.host.processes import find_children
from esoplay.running.worker import RunCancelled
from esoplay.sessions.store import EventStore

pytestmark = pytest.mark.needs("linux")

WORKERS = 2
PATIENCE = 100.0

PUSH_3, DUPLICATE, MULTIPLY, DISCARD = b"   \t\t\n", b" \n ", b"\t  \n", b" \n\n"
MARK, JUMP = b"\n  \t\n", b"\n \n\t\n"
SQUARING = b"".join(
    [PUSH_3, 18 * (DUPLICATE + MULTIPLY), MARK, 2 * DUPLICATE, MULTIPLY, DISCARD, JUMP]
)
"""Whitespace that multiplies numbers of 400,000 bits forever: few steps, each of them slow."""


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[Sessions]:
    with Sessions(EventStore(tmp_path / "store.sqlite"), workers=Workers(WORKERS)) as sessions:
        yield sessions


class Slow:
    """Slow moves of several sessions, each on a thread of its own, until ``end``."""

    def __init__(self) -> None:
        self.ended: list[object] = []
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []

    def start(self, move: Callable[[Callable[[], bool]], object]) -> None:
        def run() -> None:
            try:
                self.ended.append(move(self._stop.is_set))
            except RunCancelled as error:
                self.ended.append(error)

        self._threads.append(threading.Thread(target=run, daemon=True))
        self._threads[-1].start()

    def wait_until_workers_are_busy(self) -> None:
        """Until as many programs have used the processor as there are workers."""
        deadline = time.monotonic() + PATIENCE
        while sum(used_time(pid) > 0.2 for pid in find_children(os.getpid())) < WORKERS:
            assert time.monotonic() < deadline
            time.sleep(0.01)

    def end(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(PATIENCE)
            assert not thread.is_alive()


@pytest.fixture
def slow() -> Iterator[Slow]:
    slow = Slow()
    yield slow
    slow.end()


def used_time(pid: int) -> float:
    """Seconds of processor time of a process and of the processes that it waited for."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def begin(sessions: Sessions, language: str) -> str:
    session = sessions.init(language, "practice").session
    sessions.fetch(session)
    return session


def run_slowly(slow: Slow, sessions: Sessions, session: str, source: bytes = SQUARING) -> None:
    slow.start(lambda stop: sessions.run(session, source, cancelled=stop))


def submit_slowly(slow: Slow, sessions: Sessions, session: str, stop: Callable[[], bool]) -> object:
    def progress(done: int, total: int) -> None:
        slow.ended.append(done)

    return sessions.submit(session, "E01", SQUARING, cancelled=stop, progress=progress)


def short_run(sessions: Sessions, session: str) -> bytes:
    return sessions.run(session, b"+.").outcome.stdout


def test_a_short_run_finishes_next_to_slow_runs_of_another_session(
    sessions: Sessions, slow: Slow
) -> None:
    greedy, other = begin(sessions, "whitespace"), begin(sessions, "brainfuck")
    for _ in range(WORKERS):
        run_slowly(slow, sessions, greedy)
    slow.wait_until_workers_are_busy()
    assert short_run(sessions, other) == b"\1"
    assert slow.ended == []


@pytest.mark.slow
def test_a_short_run_finishes_next_to_slow_runs_of_three_other_sessions(
    sessions: Sessions, slow: Slow
) -> None:
    other = begin(sessions, "brainfuck")
    for session in [begin(sessions, "whitespace") for _ in range(3)]:
        for _ in range(2):
            run_slowly(slow, sessions, session)
    slow.wait_until_workers_are_busy()
    for _ in range(3):
        assert short_run(sessions, other) == b"\1"
    assert slow.ended == []


@pytest.mark.slow
def test_a_submission_is_graded_next_to_slow_submissions_of_three_other_sessions(
    sessions: Sessions, slow: Slow
) -> None:
    """Six tests are graded meanwhile; the slow ones have not got one of theirs done."""
    other = begin(sessions, "brainfuck")
    for session in [begin(sessions, "whitespace") for _ in range(3)]:
        slow.start(partial(submit_slowly, slow, sessions, session))
    slow.wait_until_workers_are_busy()
    assert sessions.submit(other, "E01", b"+.").total == 6
    assert slow.ended == []


def test_a_short_run_finishes_next_to_slow_programs_of_a_host_lane(
    sessions: Sessions, slow: Slow
) -> None:
    greedy, other = begin(sessions, "python"), begin(sessions, "brainfuck")
    for _ in range(WORKERS):
        run_slowly(slow, sessions, greedy, b"import os\nos.fork()\nwhile True: pass")
    deadline = time.monotonic() + PATIENCE
    while sum(map(is_busy, find_children(os.getpid()))) < WORKERS:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert short_run(sessions, other) == b"\1"
    assert slow.ended == []


def is_busy(launcher: int) -> bool:
    """Whether a program below a launcher, or below its namespace's first process, computes."""
    below = find_children(launcher)
    return any(used_time(pid) > 0.3 for child in below for pid in (child, *find_children(child)))
