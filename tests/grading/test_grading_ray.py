"""Grading on Ray, of which a worker is killed: the bytes that processes here would give.

Asked for by ``ESOPLAY_RAY``: 1 for the Python that runs the tests, or the path of another that
has Ray, joblib and what esoplay needs.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from shell import PATHS, esoplay

ASKED = os.environ.get("ESOPLAY_RAY", "")
pytestmark = [
    pytest.mark.skipif(not ASKED, reason="ESOPLAY_RAY does not ask for it"),
    pytest.mark.timeout(900),
]
PYTHON = sys.executable if ASKED in ("", "1") else ASKED
WORKER = b"ray::PoolActor"
PROGRAMS = [("E02", ",[.,]"), ("E08", ">,[>,]<[.<]"), ("E02", "["), ("E99", ".")]
COUNT = 4000  # more than two windows of a cluster of two processors


def submissions(folder: Path) -> Path:
    kinds = [PROGRAMS[at % len(PROGRAMS)] for at in range(COUNT)]
    path = folder / "submissions.jsonl"
    with path.open("w") as file:
        for at, (problem, text) in enumerate(kinds):
            made = {"problem": problem, "language": "brainfuck", "program": text, "id": at}
            file.write(json.dumps(made) + "\n")
    return path


def workers_below(ancestor: int) -> list[int]:
    """The processes of Ray's pool that descend from ``ancestor``."""
    parents: dict[int, int] = {}
    found: list[int] = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            about = (entry / "stat").read_text().rpartition(")")[2].split()
            command = (entry / "cmdline").read_bytes()
        except OSError:  # it has ended meanwhile
            continue
        parents[int(entry.name)] = int(about[1])
        if command.startswith(WORKER):
            found.append(int(entry.name))

    def descends(pid: int) -> bool:
        while pid > 1 and pid != ancestor:
            pid = parents.get(pid, 1)
        return pid == ancestor

    return [pid for pid in found if descends(pid)]


@pytest.mark.parametrize("killed", [0, 2])
def test_results_on_stdout_match_local_processes(killed: int, tmp_path: Path) -> None:
    source = submissions(tmp_path)
    here = tmp_path / "here.jsonl"
    batch = ["grade", "--batch", str(source), "--seed", "an operator's seed"]
    assert esoplay(*batch, "-o", here, cwd=tmp_path).returncode == 1  # E99 does not exist
    process = subprocess.Popen(
        [PYTHON, "-m", "esoplay", *batch, "--cluster", "ray"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": PATHS, "RAY_ADDRESS": "local"},
    )
    try:
        assert process.stdout is not None
        there: list[bytes] = []
        for at in range(COUNT):
            there.append(process.stdout.readline())
            if at % 1600 == 0 and at // 1600 < killed:
                worker, *_ = workers_below(process.pid)
                os.kill(worker, signal.SIGKILL)
        rest, told = process.communicate(timeout=300)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 1, told
    assert b"".join(there) + rest == here.read_bytes()
    assert told.startswith(b"3000 graded, 2000 of them solved; 1000 invalid ("), told


def test_a_cluster_that_is_not_there_is_reported(tmp_path: Path) -> None:
    batch = ["grade", "--batch", str(submissions(tmp_path)), "--cluster", "ray://127.0.0.1:9"]
    done = subprocess.run(
        [PYTHON, "-m", "esoplay", *batch],
        env={**os.environ, "PYTHONPATH": PATHS},
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"no Ray cluster answers at ray://127.0.0.1:9" in done.stderr
    assert b"Traceback" not in done.stderr
