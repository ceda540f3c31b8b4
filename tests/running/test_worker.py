"""A worker runs as this process does, and can be killed."""

from __future__ import annotations

import os
import signal

import pytest

from esolangs.limits import Limits
from esoplay.errors import WorkerDied
from esoplay.running.run import run_source
from esoplay.running.worker import Cancelled, Worker


@pytest.fixture(scope="module")
def worker():
    with Worker() as worker:
        yield worker


@pytest.mark.parametrize(
    ("source", "stdin"),
    [
        (b",[.,]", b"abc"),
        (b"+.<", b""),
        (b"[", b""),
        (b"+[>+]", b""),
        (b"+[.]", b""),
        (b"+[]", b""),
    ],
)
def test_the_outcome_is_that_of_this_process(worker: Worker, source: bytes, stdin: bytes) -> None:
    limits = Limits(steps=100_000, output=1000, memory=10_000)
    theirs = worker.run("brainfuck", source, stdin=stdin, limits=limits)
    ours = run_source("brainfuck", source, stdin=stdin, limits=limits)
    assert theirs.as_json() == ours.as_json()


def test_time_is_up(worker: Worker) -> None:
    outcome = worker.run("brainfuck", b"+.[]", limits=Limits(), time_limit=0.5)
    assert (outcome.status, outcome.stdout, outcome.limit) == ("time_limit", b"\1", 0.5)
    assert outcome.exit_code == 3
    assert worker.run("brainfuck", b"+.").stdout == b"\1"


def test_a_run_can_be_called_off(worker: Worker) -> None:
    answers = iter([False, True])
    with pytest.raises(Cancelled):
        worker.run("brainfuck", b"+[]", limits=Limits(), cancelled=lambda: next(answers))
    assert worker.run("brainfuck", b"+.").stdout == b"\1"


def test_a_process_that_vanished_is_nobodys_failure(worker: Worker) -> None:
    worker.run("brainfuck", b"+.")
    pid = worker.pid
    assert pid is not None

    def kill_it() -> bool:
        os.kill(pid, signal.SIGKILL)
        return False

    with pytest.raises(WorkerDied):
        worker.run("brainfuck", b"+[]", limits=Limits(), cancelled=kill_it)
    assert worker.run("brainfuck", b"+.").stdout == b"\1"
