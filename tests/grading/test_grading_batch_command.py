"""``esoplay grade --batch`` as a user calls it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from grading_batches import read, spell
from shell import PATHS, esoplay, heed_interrupts


def test_the_command_grades_from_stdin_to_stdout(tmp_path: Path) -> None:
    (tmp_path / "cat.bf").write_bytes(b",[.,]")
    stdin = b'{"id": "a", "problem": "E02", "path": "cat.bf"}\nnonsense\n'
    done = esoplay("grade", "--batch", "-", "--seed", "s", stdin=stdin, cwd=tmp_path)
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert (first["id"], first["solved"], second["status"]) == ("a", True, "invalid")
    assert done.stderr.decode().startswith("1 graded, 1 of them solved; 1 invalid (")
    assert "; dialect standard)" in done.stderr.decode()
    assert b"\r" not in done.stderr
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["x.bf", "--batch", "s"], "names its own program and problem"),
        (["--batch", "s", "--lang", "brainfuck"], "names its own language and options"),
        (["--batch", "s", "--jobs", "0"], "--jobs must be an integer, 1 or more"),
        (["--batch", "s", "--json"], "requires -o FILE for the results"),
        (["--batch", "none"], "cannot read none"),
        (["x.bf", "--problem", "E01", "--jobs", "2"], "--jobs requires --batch"),
        ([], "expected FILE and --problem, or --batch"),
    ],
)
def test_the_command_shows_its_usage(arguments: list[str], reason: str, tmp_path: Path) -> None:
    (tmp_path / "s").write_bytes(b"")
    done = esoplay("grade", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert reason in done.stderr.decode()


@pytest.mark.slow
def test_an_interrupt_leaves_results_to_continue_with(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    line = spell("E02", "brainfuck", b",[.,]") + b"\n"
    process = subprocess.Popen(
        [sys.executable, "-m", "esoplay", "grade", "--batch", "-", "-o", str(results), "--seed=s"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": PATHS},
        preexec_fn=heed_interrupts,
    )
    assert process.stdin is not None
    process.stdin.write(line * 3)
    process.stdin.flush()
    deadline = time.monotonic() + 300
    while not results.exists() or results.read_bytes().count(b"\n") < 3:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=300)
    assert process.returncode == 130
    assert b"interrupted; run the same command again to resume at the end of" in told
    done = esoplay("grade", "--batch", "-", "-o", results, "--seed=s", "--json", stdin=line * 5)
    assert json.loads(done.stdout) == {
        "before": 3,
        "solved": 2,
        "unsolved": 0,
        "invalid": 0,
        "voided": 0,
    }
    assert [result["line"] for result in read(results)] == [1, 2, 3, 4, 5]


def test_full_output_shows_all_of_a_test(tmp_path: Path) -> None:
    line = {"problem": "E02", "language": "brainfuck", "program": "+++[>-[>-[.-]<-]<-]"}
    stdin = json.dumps(line).encode() + b"\n"
    cut = esoplay("grade", "--batch", "-", stdin=stdin, cwd=tmp_path)
    more = ["--full-output"]
    full = esoplay("grade", "--batch", "-", *more, stdin=stdin, cwd=tmp_path)
    first, whole = json.loads(cut.stdout), json.loads(full.stdout)
    assert first["terms"] == whole["terms"]
    assert {test["output_truncated"] for test in first["tests"]} == {True}
    sizes = {test["output_bytes"] for test in first["tests"]}
    assert not any("output_truncated" in test for test in whole["tests"])
    assert sizes == {3 * 255 * 255}
