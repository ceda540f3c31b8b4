"""Programs of host lanes: every verdict."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from host_programs import python

from esolangs.errors import OptionError
from esolangs.limits import MEBIBYTE, Limits
from esoplay.errors import WorkerDied
from esoplay.running.host.lanes import find_lane
from esoplay.running.host.runner import HostRunner
from esoplay.running.host.toolchain import find_toolchain
from esoplay.running.worker import RunCancelled, Worker, runner_for


@pytest.fixture(scope="module")
def runner() -> Iterator[HostRunner]:
    with HostRunner() as runner:
        yield runner


@pytest.mark.parametrize(
    ("source", "status", "words"),
    [
        ("print(open(0).read()[::-1], end='')", "ok", ""),
        ("print('x' * 1000, end='')", "ok", ""),
        ("print('x' * 1001, end='')", "output_limit", "1000 bytes of output"),
        ("while True: print('noise')", "output_limit", "1000 bytes of output"),
        ("import sys\nwhile True: sys.stderr.write('noise' * 100)", "output_limit", "on stderr"),
        ("x = bytearray(10**9)", "memory_limit", "bytes of memory"),
        ("import sys; print('right', end=''); sys.exit(3)", "fault", "exit status 3"),
        (
            "import sys; sys.stderr.write('careful')",
            "fault",
            "the program wrote to stderr: careful",
        ),
        ("print(1 / 0)", "fault", "ZeroDivisionError"),
        ("import os; os.abort()", "fault", "SIGABRT"),
        ("print(", "parse_error", "never closed"),
        ("x = '\0'", "parse_error", "null bytes"),
    ],
)
def test_each_ending_of_a_run_has_its_status(
    runner: HostRunner, source: str, status: str, words: str
) -> None:
    outcome = python(runner, source, b"desserts")
    assert outcome.status == status, outcome.stderr
    assert words in outcome.stderr
    if status == "ok":
        assert outcome.stderr == ""
        assert outcome.stdout in (b"stressed", b"x" * 1000)
    if status == "output_limit" and "stderr" not in source:
        assert len(outcome.stdout) == 1000


def test_an_endless_program_is_ended(runner: HostRunner) -> None:
    outcome = python(runner, "print('on', flush=True)\nwhile True: pass", time_limit=0.5)
    assert (outcome.status, outcome.limit) == ("time_limit", 0.5)
    assert outcome.stdout in (b"on\n", b"")  # on a slow machine it may not have started


def test_a_run_can_be_cancelled(runner: HostRunner) -> None:
    with pytest.raises(RunCancelled):
        runner.run("python", b"while True: pass", cancelled=lambda: True)


def test_a_file_does_not_grow_beyond_its_limit(runner: HostRunner) -> None:
    source = "file = open('big', 'wb')\nwhile True: file.write(bytes(1 << 20))"
    assert "File too large" in python(runner, source).stderr


def test_a_lane_has_no_options_and_no_other_dialects(runner: HostRunner) -> None:
    with pytest.raises(OptionError, match="unknown option 'eof'"):
        runner.run("python", b"", options={"eof": 0})
    with pytest.raises(OptionError, match="unknown dialect 'classic'"):
        runner.run("python", b"", dialect="classic")


RUST_REVERSE = """
fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    print!("{}", text.chars().rev().collect::<String>());
}
"""
PROGRAMS = {
    "javascript": (
        'process.stdout.write([...require("fs").readFileSync(0, "utf8")].reverse().join(""))',
        "process.stdout.write(",
        "const kept = []; for (;;) kept.push(Buffer.alloc(1 << 20, 1));",
    ),
    "rust": (
        RUST_REVERSE,
        'fn main() { let x: i32 = ""; }',
        "fn main() { let mut kept: Vec<u64> = vec![1]; loop { kept.extend(kept.clone()); } }",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("id", PROGRAMS)
def test_each_installed_lane_runs_programs_and_enforces_limits(runner: HostRunner, id: str) -> None:
    if find_toolchain(find_lane(id)) is None:
        pytest.skip("not installed")
    right, wrong, greedy = (program.encode() for program in PROGRAMS[id])
    outcome = runner.run(id, right, stdin=b"desserts")
    assert (outcome.status, outcome.stdout) == ("ok", b"stressed"), outcome.stderr
    assert runner.run(id, right, stdin=b"pan").stdout == b"nap"
    assert runner.run(id, wrong).status == "parse_error"
    small = Limits(memory=64 * MEBIBYTE)
    assert runner.run(id, greedy, limits=small).status == "memory_limit"


def test_a_private_umask_keeps_no_program_from_its_own_files() -> None:
    before = os.umask(0o077)  # as the servers have that `esoplay agents` starts
    try:
        for lane, source in (("python", "print('well')"), ("javascript", "console.log('well')")):
            if find_toolchain(find_lane(lane)) is None:
                continue
            with HostRunner() as runner:
                outcome = runner.run(*(lane, source.encode()), limits=Limits())
            assert (outcome.status, outcome.stdout) == ("ok", b"well\n"), outcome.stderr
    finally:
        os.umask(before)


def test_a_program_is_compiled_once_for_its_tests_and_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with Worker() as worker:
        for number in (1, 2):
            with runner_for("python", worker) as runner:
                assert runner is not None
                assert python(runner, "print(open(0).read())", b"%d" % number).status == "ok"
                (box,) = tmp_path.iterdir()
                assert python(runner, "print(open(0).read())", b"0").status == "ok"
                assert [box] == list(tmp_path.iterdir())
            assert not list(tmp_path.iterdir())


def test_a_removed_build_is_compiled_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with HostRunner() as runner:
        assert python(runner, "print(1)").status == "ok"
        (box,) = tmp_path.iterdir()
        shutil.rmtree(box)
        assert python(runner, "print(1)").status == "ok"
    assert not list(tmp_path.iterdir())


def test_a_full_disk_is_not_a_failed_submission_and_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def full(descriptor: int, *_: object) -> None:
        os.close(descriptor)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(os, "fdopen", full)
    with HostRunner() as runner, pytest.raises(WorkerDied, match="No space left"):
        python(runner, "")
    assert not list(tmp_path.iterdir())


def test_only_leftovers_of_killed_processes_are_removed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    left = tmp_path / "esoplay-lane-left"
    left.mkdir()
    (left / "lock").touch()  # not held by any process
    with HostRunner() as one, HostRunner() as other:
        python(one, "print(1)")
        assert not left.exists()
        python(other, "print(2)")
        assert len(list(tmp_path.iterdir())) == 2
        assert python(one, "print(1)").stdout == b"1\n"
