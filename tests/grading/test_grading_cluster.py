"""Grading on a cluster: the bytes that processes here would give, whoever dies on the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from shell import PATHS

from esoplay.batch.cluster import MAX_CHUNK_LINES, grade_chunk
from esoplay.batch.grading import grade_batch
from esoplay.batch.protocol import BatchTerms
from esoplay.errors import UsageError

TERMS = BatchTerms(bytes(range(32)), "standard", "exact", None, "/")
PROGRAMS = [("E02", ",[.,]"), ("E08", ">,[>,]<[.<]"), ("E02", "["), ("E99", ".")]
PATIENCE = 300
"""Seconds until a test gives up on a process."""


def lines(count: int) -> list[bytes]:
    """Submissions that pass, fail, do not parse, or name unknown problems."""
    kinds = [PROGRAMS[at % len(PROGRAMS)] for at in range(count)]
    return [
        json.dumps(
            {"problem": problem, "language": "brainfuck", "program": text, "id": at}
        ).encode()
        for at, (problem, text) in enumerate(kinds)
    ]


def write(folder: Path, count: int) -> Path:
    path = folder / "submissions.jsonl"
    path.write_bytes(b"\n".join(lines(count)))
    return path


def grade(source: Path, results: Path, cluster: str | None = None) -> bytes:
    with source.open("rb") as file:
        grade_batch(file.fileno(), results, TERMS, jobs=1, cluster=cluster)
    return results.read_bytes()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers, each a process of one thread."""
    pytest.importorskip("distributed", reason="the extra batch is not installed")
    file = tmp_path / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    env = {**os.environ, "PYTHONPATH": PATHS}
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--no-nanny", "--nthreads", "1"]
    processes = [subprocess.Popen([*dask, *options, "--scheduler-file", str(file)], **quiet)]
    try:
        deadline = time.monotonic() + PATIENCE
        while not file.exists():
            assert time.monotonic() < deadline, "no scheduler has come up"
            time.sleep(0.05)
        command = [*worker, "--scheduler-file", str(file), "--no-dashboard"]
        workers = [subprocess.Popen(command, env=env, **quiet) for _ in range(2)]
        processes += workers
        yield str(file), workers
    finally:
        for process in processes:
            process.send_signal(signal.SIGKILL)
            process.wait()


@pytest.mark.slow
def test_a_killed_worker_loses_no_result(
    tmp_path: Path, cluster: tuple[str, list[subprocess.Popen[bytes]]]
) -> None:
    file, workers = cluster
    source = write(tmp_path, 20 * MAX_CHUNK_LINES)
    here = grade(source, tmp_path / "here.jsonl")
    written = 0

    def kill_one(line: bytes) -> None:
        nonlocal written
        written += 1
        there.write(line)
        if written == MAX_CHUNK_LINES:
            workers[0].kill()

    with (tmp_path / "there.jsonl").open("wb") as there, source.open("rb") as opened:
        summary = grade_batch(opened.fileno(), kill_one, TERMS, cluster=file)
    assert (tmp_path / "there.jsonl").read_bytes() == here
    assert summary.graded_count == 20 * MAX_CHUNK_LINES
    assert summary.voided == 0


def test_a_worker_grades_chunks_as_processes_here_do(tmp_path: Path) -> None:
    some = lines(5)
    graded = grade_chunk(TERMS, [1, 2, 3], some[:3])
    more = grade_chunk(TERMS, [4, 5], some[3:])
    assert graded.terms_digest == TERMS.digest()
    here = grade(write(tmp_path, 5), tmp_path / "here.jsonl")
    assert b"".join(line for _, line in (*graded.results, *more.results)) == here


@pytest.mark.parametrize("address", ["somewhere", "host:8786", "rays"])
def test_an_invalid_address_is_refused(tmp_path: Path, address: str) -> None:
    with pytest.raises(UsageError, match="--cluster must be"):
        grade(write(tmp_path, 1), tmp_path / "there.jsonl", address)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (None, "file not found"),
        ("{", "expected a Dask scheduler file"),
        ('{"id": "s"}', "expected a Dask scheduler file"),
    ],
)
def test_an_invalid_scheduler_file_is_reported(
    content: str | None, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed", reason="the extra batch is not installed")
    monkeypatch.setattr("esoplay.batch.cluster._CONNECT_SECONDS", 0)
    file = tmp_path / "mistyped.json"
    if content is not None:
        file.write_text(content)
    with pytest.raises(UsageError, match=rf"mistyped\.json: {what}"):
        grade(write(tmp_path, 4), tmp_path / "out", str(file))


def test_without_the_extra_the_error_names_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "joblib", None)
    with pytest.raises(UsageError, match=r"esoplay\[batch\]"):
        grade(write(tmp_path, 1), tmp_path / "there.jsonl", "tcp://127.0.0.1:8786")
