"""A worker runs as this process does, and can be killed."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from esolangs.limits import Limits
from esoplay.errors import WorkerDied
from esoplay.running.run import run_source
from esoplay.running.worker import RunCancelled, Worker


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


def test_a_run_ends_at_its_time_limit(worker: Worker) -> None:
    for seconds in (0.5, 5, 50):  # on a busy machine a program may not be given a processor in time
        outcome = worker.run("brainfuck", b"+.[]", limits=Limits(), time_limit=seconds)
        assert (outcome.status, outcome.limit, outcome.exit_code) == ("time_limit", seconds, 3)
        if outcome.stdout:
            break
    assert outcome.stdout == b"\1"
    assert worker.run("brainfuck", b"+.").stdout == b"\1"


def test_a_run_can_be_cancelled(worker: Worker) -> None:
    answers = iter([False, True])
    with pytest.raises(RunCancelled):
        worker.run("brainfuck", b"+[]", limits=Limits(), cancelled=lambda: next(answers))
    assert worker.run("brainfuck", b"+.").stdout == b"\1"


def test_a_worker_restarts_after_its_process_was_killed(worker: Worker) -> None:
    worker.run("brainfuck", b"+.")
    pid = worker.pid
    assert pid is not None

    def kill_it() -> bool:
        os.kill(pid, signal.SIGKILL)
        return False

    with pytest.raises(WorkerDied):
        worker.run("brainfuck", b"+[]", limits=Limits(), cancelled=kill_it)
    assert worker.run("brainfuck", b"+.").stdout == b"\1"


@pytest.mark.slow
def test_starting_the_process_is_not_the_program_s_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)  # a worker looks for modules where this process does
    for seconds in (2, 20):  # on a busy machine the program itself may take a second
        (tmp_path / "sitecustomize.py").write_text(f"import time\ntime.sleep({seconds + 0.5})\n")
        with Worker() as worker:
            outcome = worker.run("brainfuck", b"+.", time_limit=seconds)
        if outcome.status == "ok":
            break
    assert (outcome.status, outcome.stdout) == ("ok", b"\1")


@pytest.mark.parametrize("seconds", [1e9, 1e300])
def test_a_time_limit_may_be_longer_than_the_system_can_wait(
    worker: Worker, seconds: float
) -> None:
    assert worker.run("brainfuck", b"+.", time_limit=seconds).status == "ok"


@pytest.mark.slow
def test_output_streams_and_a_slow_reader_slows_the_program(worker: Worker) -> None:
    chunks: list[bytes] = []
    outcome = worker.run("brainfuck", b"+[.]", limits=Limits(), write=chunks.append, time_limit=3)
    assert (outcome.status, outcome.stdout) == ("time_limit", b"")
    assert outcome.steps > 0
    assert set(b"".join(chunks)) == {1}

    def read_slowly(data: bytes) -> None:
        chunks.append(data)
        time.sleep(0.2)

    chunks.clear()
    worker.run("brainfuck", b"+[.]", limits=Limits(), write=read_slowly, time_limit=0.5)
    assert len(chunks) < 20


@pytest.mark.parametrize("source", [b"+.[]", b"+[.]"])
def test_messages_of_an_abandoned_run_are_dropped(worker: Worker, source: bytes) -> None:
    def fail() -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        worker.run("brainfuck", source, limits=Limits(), cancelled=fail)
    assert worker.run("brainfuck", b"++.").stdout == b"\2"


def test_a_worker_runs_one_program_after_another(worker: Worker) -> None:
    for source, printed in [(b"+.", b"\1"), (b"+.", b"\1"), (b"[", b""), (b"++.", b"\2")]:
        assert worker.run("brainfuck", source).stdout == printed
    assert worker.run("brainfuck", b",.").stdout == b"\0"
    assert worker.run("brainfuck", b",.", options={"eof": -1}).stdout == b"\xff"


def test_modules_in_the_current_folder_are_not_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("esolangs", "esoplay", "pickle", "signal"):
        (tmp_path / f"{name}.py").write_text(f"open('{tmp_path}/taken', 'w').close()")
    monkeypatch.chdir(tmp_path)
    with Worker() as worker:
        assert worker.run("brainfuck", b"+.").stdout == b"\1"
    assert not (tmp_path / "taken").exists()
