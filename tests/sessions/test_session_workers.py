"""Worker processes belong to the programs that run, not to the callers that wait."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import closing

import pytest

from esolangs.limits import Limits
from esoplay.running import worker as workers_module
from esoplay.running.worker import Worker
from esoplay.sessions.workers import Workers


@pytest.fixture
def started_pids(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The ids of the processes that are started, in order."""
    found: list[int] = []
    process = workers_module._WorkerProcess  # pyright: ignore[reportPrivateUsage]

    class Counted(process):
        def __init__(self) -> None:
            super().__init__()
            found.append(self.process.pid)

    monkeypatch.setattr(workers_module, "_WorkerProcess", Counted)
    return found


def test_many_callers_share_as_many_processes_as_programs_run_at_a_time(
    started_pids: list[int],
) -> None:
    outputs: list[bytes] = []

    def play(session: str) -> None:
        with workers.borrow(session) as worker:
            for _ in range(3):
                outputs.append(worker.run("brainfuck", b",.", stdin=session.encode()).stdout)

    with closing(Workers(1)) as workers:
        threads = [threading.Thread(target=play, args=(name,)) for name in "abcdefgh"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(outputs) == sorted(name.encode() for name in "abcdefgh" * 3)
    assert len(started_pids) == 1


def process_of(worker: Worker, meanwhile: Callable[[], object] = int) -> int | None:
    """The process that runs a program for a worker; ``meanwhile``: called during the run."""
    found: list[int | None] = []

    def write(_printed: bytes) -> None:
        found.append(worker.pid)
        meanwhile()

    worker.run("brainfuck", b"+.", write=write)
    assert worker.pid is None
    return found[0]


@pytest.mark.parametrize("sessions", [("a", "b"), (None, None)])
def test_a_caller_finds_the_process_that_knows_its_program(
    started_pids: list[int], sessions: tuple[str | None, str | None]
) -> None:
    one, other = sessions
    with closing(Workers(2)) as workers, workers.borrow(one) as a, workers.borrow(other) as b:
        own: list[int | None] = []
        own.append(process_of(a, lambda: own.append(process_of(b))))
        assert sorted(started_pids) == sorted(pid for pid in own if pid)
        of_b, of_a = own
        assert [process_of(each) for each in (a, b, b, a)] == [of_a, of_b, of_b, of_a]
    assert len(started_pids) == 2


def test_a_killed_program_leaves_no_process_to_the_next_one(started_pids: list[int]) -> None:
    with closing(Workers(1)) as workers, workers.borrow("a") as worker:
        endless = worker.run("brainfuck", b"+[]", limits=Limits(), time_limit=0.2)
        assert endless.status == "time_limit"
        assert worker.run("brainfuck", b"+.").stdout == b"\1"
    assert len(started_pids) == 2


def test_no_process_stays_after_the_end(started_pids: list[int]) -> None:
    workers = Workers(1)
    worker = workers.worker("a")
    worker.run("brainfuck", b"+.")
    workers.close()
    worker.run("brainfuck", b"+.")  # a late caller: its process ends with the run
    assert len(started_pids) == 2
    for pid in started_pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
