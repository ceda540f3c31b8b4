"""Turns between sessions: who runs, who pauses, and that a pause changes no result."""

from __future__ import annotations

import gc
import os
import random
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esolangs.limits import Limits
from esoplay.benchmark.sessions import Sessions
from esoplay.rpc.connection import Connection
from esoplay.running import child as child_module
from esoplay.running import scheduler
from esoplay.running import worker as worker_module
from esoplay.running.run import run_source
from esoplay.running.scheduler import RunCancelled, ScheduledRun, Scheduler, SchedulerShare
from esoplay.running.worker import Worker

PATIENCE = 60.0


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Job(threading.Thread):
    """A program that runs until it is finished, and pauses when it is asked to."""

    def __init__(self, scheduler: Scheduler, key: str, *, pauses: bool = True):
        super().__init__(daemon=True)
        self.active, self.finished = threading.Event(), threading.Event()
        self.cancelled = False
        self.turn: ScheduledRun | None = None
        self._scheduler, self._key, self._pauses = scheduler, key, pauses
        self.start()

    def run(self) -> None:
        try:
            with self._scheduler.hold_slot(self._key, lambda: self.cancelled) as self.turn:
                self.active.set()
                while not self.finished.wait(0.001):
                    if self._pauses and self.turn.should_pause:
                        self.active.clear()
                        self.turn.pause(lambda: self.cancelled)
                        self.active.set()
        except RunCancelled:
            pass
        finally:
            self.active.clear()

    @property
    def waits(self) -> bool:
        """Whether it waits for a slot."""
        waiting = list(self._scheduler._waiting)  # pyright: ignore[reportPrivateUsage]
        return any(turn.key == self._key for turn in waiting)

    def end(self) -> None:
        self.finished.set()
        self.join(PATIENCE)
        assert not self.is_alive()


@pytest.fixture
def start() -> Generator[Callable[..., Job]]:
    jobs: list[Job] = []

    def start(scheduler: Scheduler, key: str, **more: Any) -> Job:
        jobs.append(Job(scheduler, key, **more))
        return jobs[-1]

    yield start
    for job in jobs:
        job.cancelled = True
        job.end()


def until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.002)


def all_slots_stay_taken(shared: Scheduler) -> bool:
    """Whether all slots are taken and no turn is asked to pause: only the clock can change that."""
    active = list(shared._active)  # pyright: ignore[reportPrivateUsage]
    return len(active) == shared.slots and not any(turn.should_pause for turn in active)


def is_inactive(job: Job) -> bool:
    return not job.active.is_set()


def test_a_waiting_session_gets_a_slot_above_another_session_s_first(
    start: Callable[..., Job],
) -> None:
    clock = Clock()  # it stands still: no slice is ever over
    shared = Scheduler(2, clock=clock)
    greedy = [start(shared, "a") for _ in range(3)]
    until(lambda: sum(job.active.is_set() for job in greedy) == 2)
    short = start(shared, "b")
    assert short.active.wait(PATIENCE)
    assert sum(job.active.is_set() for job in greedy) == 1
    short.end()
    until(lambda: sum(job.active.is_set() for job in greedy) == 2)


def test_the_last_slot_of_a_session_is_given_up_after_a_slice(start: Callable[..., Job]) -> None:
    clock = Clock()
    shared = Scheduler(1, clock=clock)
    first = start(shared, "a")
    assert first.active.wait(PATIENCE)
    second = start(shared, "b")
    assert not second.active.wait(0.2)
    clock.now += scheduler.MIN_TURN_SECONDS
    assert second.active.wait(PATIENCE)
    until(lambda: not first.active.is_set())
    clock.now += scheduler.MIN_TURN_SECONDS
    assert first.active.wait(PATIENCE)
    until(lambda: not second.active.is_set())


def test_a_short_run_next_to_three_other_sessions_waits_for_one_slice(
    start: Callable[..., Job],
) -> None:
    clock = Clock()
    shared = Scheduler(2, clock=clock)
    slow = [start(shared, key) for key in ("a", "b", "c") for _ in range(2)]
    until(lambda: sum(job.active.is_set() for job in slow) == 2)
    short = start(shared, "d")
    until(lambda: short.waits and all_slots_stay_taken(shared))
    clock.now += scheduler.MIN_TURN_SECONDS
    assert short.active.wait(PATIENCE)


def test_sessions_are_served_in_turn(start: Callable[..., Job]) -> None:
    clock = Clock()
    shared = Scheduler(1, clock=clock)
    jobs = {key: start(shared, key) for key in "abcd"}
    served: list[str] = []
    for _ in range(8):
        until(lambda: any(job.active.is_set() for job in jobs.values()))
        (key,) = (key for key, job in jobs.items() if job.active.is_set())
        served.append(key)
        clock.now += scheduler.MIN_TURN_SECONDS
        until(partial(is_inactive, jobs[key]))
    assert sorted(served[:4]) == list("abcd")
    assert served[4:] == served[:4]


def test_a_run_that_does_not_pause_in_time_delays_no_client(start: Callable[..., Job]) -> None:
    clock = Clock()
    shared = Scheduler(1, clock=clock)
    stubborn = start(shared, "a", pauses=False)
    assert stubborn.active.wait(PATIENCE)
    other = start(shared, "b")
    until(lambda: shared._waiting)  # pyright: ignore[reportPrivateUsage]
    clock.now += scheduler.MIN_TURN_SECONDS
    until(lambda: stubborn.turn is not None and stubborn.turn.should_pause)
    clock.now += scheduler.MAX_PAUSE_DELAY_SECONDS + 0.1
    assert other.active.wait(PATIENCE)
    assert stubborn.active.is_set()


def test_waiting_and_paused_runs_can_be_cancelled(start: Callable[..., Job]) -> None:
    clock = Clock()
    shared = Scheduler(1, clock=clock)
    paused = start(shared, "a")
    assert paused.active.wait(PATIENCE)
    active = start(shared, "b")
    clock.now += scheduler.MIN_TURN_SECONDS
    assert active.active.wait(PATIENCE)
    waiting = start(shared, "c")
    for job in (paused, waiting):
        job.cancelled = True
        job.join(PATIENCE)
        assert not job.is_alive()
    active.end()
    last = start(shared, "d")
    assert last.active.wait(PATIENCE)


def test_a_scheduler_does_not_keep_the_connections_it_served(tmp_path: Path) -> None:
    with Sessions.open(tmp_path / "store") as sessions:
        connection = Connection(sessions=sessions)
        share = connection.worker.share
        assert share is not None
        with share.hold_slot():
            pass
        connection.close()
        known = weakref.ref(connection)
        del connection, share
        gc.collect()
        assert known() is None


class RestlessTurn(ScheduledRun):
    """Asks for a pause at random."""

    def __init__(self, chance: random.Random):
        super().__init__(Scheduler(1), "", 0)
        self._chance = chance

    @property
    def should_pause(self) -> bool:
        return self._chance.random() < 0.7

    def pause(self, cancelled: Callable[[], bool] | None = None) -> float:
        self.pauses += 1
        seconds = self._chance.choice((0.0, 0.0, 0.003))
        time.sleep(seconds)
        return seconds


class RestlessShare(SchedulerShare):
    """Its turns pause at random; ``pauses`` counts them all."""

    def __init__(self, seed: int):
        super().__init__(Scheduler(1), "")
        self._chance = random.Random(seed)
        self.pauses = 0

    @contextmanager
    def hold_slot(self, cancelled: Callable[[], bool] | None = None) -> Generator[ScheduledRun]:
        turn = RestlessTurn(self._chance)
        yield turn
        self.pauses += turn.pauses


PLAY = b"""A loop.

Romeo, a man.
Juliet, a woman.

Act I: The loop.
Scene I: Once.
[Enter Romeo and Juliet]
Scene II: Again.
Juliet: You are the sum of yourself and a cat. Open your heart! Let us return to scene II.
[Exeunt]
"""

ENDLESS = {
    "brainfuck": b"+[>+++[>+>.<<-]>[-]<,.<]",
    "befunge-98": b"1+:.~,",
    "whitespace": b"\n  \t\n   \t\n\t\n \t\n \n\t\n",
    "unlambda": b"```s.xi``s.yi`@i```sii``s.x``sii",
    "shakespeare": PLAY,
}


@pytest.fixture(scope="module", params=["compiled", "plain"])
def worker(request: pytest.FixtureRequest) -> Generator[Worker]:
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "plain":
            patch.setenv("ESOPLAY_EXT", "off")
        with Worker() as worker:
            worker.run("brainfuck", b"")
            yield worker


PAUSED = dict.fromkeys(ENDLESS, 0)


@pytest.mark.parametrize("language", ENDLESS)
@given(steps=st.integers(10_000, 400_000), output=st.integers(0, 100_000), seed=st.integers(0, 99))
@settings(max_examples=8)
def test_a_pause_changes_no_outcome(
    worker: Worker, language: str, steps: int, output: int, seed: int
) -> None:
    limits = Limits(steps=steps, output=output, memory=1 << 20)
    stdin = random.Random(seed).randbytes(1000)
    worker.share = RestlessShare(seed)
    paused = worker.run(language, ENDLESS[language], stdin=stdin, limits=limits)
    direct = run_source(language, ENDLESS[language], stdin=stdin, limits=limits)
    assert paused.as_json() == direct.as_json()


@pytest.mark.slow
def test_the_test_of_pauses_did_pause_runs(worker: Worker) -> None:
    """Else the test before this one shows nothing.  It runs after it, in the same process."""
    share = worker.share = RestlessShare(1)
    limits = Limits(steps=30_000_000)
    while not share.pauses:
        assert worker.run("brainfuck", b"+[]", limits=limits).steps == limits.steps


class Scripted:
    """A child process that says what a test wants, while the clock goes on."""

    def __init__(self, clock: Clock, messages: list[tuple[str, Any]]):
        self.process = self
        self.killed = False
        self._clock, self._messages = clock, messages

    def kill(self) -> None:
        self.killed = True
        self._messages[:] = [("gone", None)]

    def pause_or_resume(self) -> None: ...

    def next_message(self, timeout: float) -> tuple[str, Any]:
        self._clock.now += 10
        return self._messages.pop(0)


class LongPause(RestlessTurn):
    def __init__(self, clock: Clock):
        super().__init__(random.Random(1))
        self._now = clock

    def pause(self, cancelled: Callable[[], bool] | None = None) -> float:
        self._now.now += 1_000
        return 1_000.0


@pytest.mark.parametrize(("limit", "in_time"), [(60.0, True), (25.0, False)])
def test_the_time_of_a_pause_is_not_the_program_s(
    limit: float, in_time: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(worker_module.time, "monotonic", clock)
    told: list[tuple[str, Any]] = [("started", None), ("steps", 1), ("paused", 1), ("steps", 2)]
    child: Any = Scripted(clock, [*told, ("paused", 2), ("outcome", "the outcome")])
    follow = worker_module._RunFollower(limit, lambda _: None, None, None)  # pyright: ignore
    assert follow(child, LongPause(clock)) == ("the outcome" if in_time else None)
    assert child.killed is not in_time


def test_a_program_that_stops_itself_does_not_count_its_pause(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock()
    monkeypatch.setattr(child_module.time, "monotonic", clock)

    class Patient(child_module.PauseRequests):
        def __init__(self) -> None: ...

        def is_pause_requested(self, run: int) -> bool:
            return run == 7

        def wait(self, run: int) -> None:
            clock.now += 1_000

    tick = child_module._make_tick(Patient(), 7, lambda *_: None, 10.0)  # pyright: ignore
    assert tick(1)
    clock.now += 9
    assert tick(2)
    clock.now += 9
    assert not tick(3)


def test_a_stopped_time_limit_shows_memory_and_input() -> None:
    with Worker() as worker:
        outcome = worker.run(
            "brainfuck", b",>>+[]", stdin=b"abc", time_limit=0.1, stop_at_step=True, limits=Limits()
        )
    assert (outcome.status, outcome.limit) == ("time_limit", 0.1)
    assert outcome.stderr == "the limit of 0.1 s was reached"
    assert (outcome.input_used, outcome.memory > 0, outcome.steps > 0) == (1, True, True)


def test_a_request_to_an_earlier_run_pauses_no_other() -> None:
    ours, theirs = os.pipe()
    requests = child_module.PauseRequests(ours)
    for number in (3, 4):
        os.write(theirs, number.to_bytes(child_module.RUN_NUMBER_BYTES, "little"))
    assert not requests.is_pause_requested(5)
    os.write(theirs, (5).to_bytes(child_module.RUN_NUMBER_BYTES, "little"))
    assert requests.is_pause_requested(5)
    assert not requests.is_pause_requested(5)
    os.close(ours)
    os.close(theirs)


@pytest.mark.parametrize("engine", ["compiled", "plain"])
def test_a_paused_run_ends_when_it_is_cancelled(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if engine == "plain":
        monkeypatch.setenv("ESOPLAY_EXT", "off")
    shared = Scheduler(1)
    with (
        Worker(SchedulerShare(shared, "a")) as paused,
        Worker(SchedulerShare(shared, "b")) as active,
    ):
        cancel = threading.Event()
        ended: list[type[BaseException]] = []

        def run(worker: Worker) -> None:
            try:
                worker.run("brainfuck", b"+[]", limits=Limits(), cancelled=cancel.is_set)
            except Exception as error:
                ended.append(type(error))

        threads = [threading.Thread(target=run, args=(each,)) for each in (paused, active)]
        for thread in threads:
            thread.start()
        until(lambda: paused.pid and active.pid)
        pids = {paused.pid, active.pid}
        cancel.set()
        for thread in threads:
            thread.join(PATIENCE)
        assert ended == [RunCancelled, RunCancelled]
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


def test_the_process_of_a_paused_run_ends_with_its_parent(tmp_path: Path) -> None:
    """A server that is killed leaves no paused process."""
    script = tmp_path / "parent.py"
    script.write_text(
        "import os, sys, threading\n"
        "from esolangs.limits import Limits\n"
        "from esoplay.running.scheduler import Scheduler, SchedulerShare\n"
        "from esoplay.running.worker import Worker\n"
        "shared = Scheduler(1)\n"
        "workers = [Worker(SchedulerShare(shared, key)) for key in 'ab']\n"
        "for worker in workers:\n"
        "    threading.Thread(\n"
        "        target=worker.run, args=('brainfuck', b'+[]'),\n"
        "        kwargs={'limits': Limits(), 'time_limit': 600}, daemon=True).start()\n"
        "while not all(worker.pid for worker in workers):\n"
        "    pass\n"
        "print(*(worker.pid for worker in workers), flush=True)\n"
        "sys.stdin.read()\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(
        [sys.executable, str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
    ) as parent:
        assert parent.stdout is not None
        pids = [int(word) for word in parent.stdout.readline().split()]
        assert len(pids) == 2
        parent.kill()
    until(lambda: not any(is_running(pid) for pid in pids))


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] not in "ZX"
    except OSError:
        return False
