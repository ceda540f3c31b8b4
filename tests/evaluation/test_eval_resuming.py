"""``esoplay eval`` killed, interrupted and resumed; records that are damaged or another's."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripted_models import Reply, arguments, echoing, records, serving
from selection import slow_except
from shell import PATHS, heed_interrupts

from esoplay.cli.main import main
from esoplay.errors import UsageError
from esoplay.evaluation.transcript import EvaluationTranscript


def started(folder: Path, url: str, *further: str) -> subprocess.Popen[bytes]:
    """The command in a process of its own, which asks one question at a time."""
    return subprocess.Popen(
        [sys.executable, "-m", "esoplay", *arguments(folder, url), "--jobs", "1", *further],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": PATHS},
        preexec_fn=heed_interrupts,
    )


class Pausing:
    """Answers by the echo, but leaves the request of this number waiting until it is released."""

    def __init__(self, number: int):
        self.release = threading.Event()
        self.reached = threading.Event()
        self._left = number

    def __call__(self, messages: list[dict[str, str]]) -> Reply:
        self._left -= 1
        if self._left == 0:
            self.reached.set()
            return echoing(messages)._replace(wait=self.release)
        return echoing(messages)


def end_by_kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.communicate(timeout=300)


def end_by_interrupt(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=300)
    assert process.returncode == 130
    assert b"run the same command again to continue" in said


@pytest.mark.slow
@pytest.mark.parametrize("end", slow_except([end_by_kill, end_by_interrupt], end_by_kill))
def test_a_resumed_evaluation_repeats_no_question(
    end: Callable[[subprocess.Popen[bytes]], None],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    script = Pausing(4)
    with serving(script) as served:
        process = started(tmp_path, served.url)
        try:
            assert script.reached.wait(300)
            end(process)
        finally:
            process.kill()
            process.communicate()
            script.release.set()
        half = (tmp_path / "transcript.jsonl").read_bytes()
        assert len(records(tmp_path, "answered")) == 3
        assert (tmp_path / "results.json").exists() == (end is end_by_interrupt)
        with (tmp_path / "transcript.jsonl").open("ab") as file:
            file.write(b'{"kind": "answ')  # as a machine leaves it whose power fails
        assert main([*arguments(tmp_path, served.url), "--json"]) == 0
    captured = capsys.readouterr()
    told = json.loads(captured.out)
    assert (tmp_path / "transcript.jsonl").read_bytes().startswith(half)
    assert "2 of 3 trials were done already" in captured.err
    # E01 and E03 take two answers each, E02 takes one; the request that hung was made again
    asked = Counter(json.dumps(body["messages"]) for body in served.asked)
    assert sorted(asked.values()) == [1, 1, 1, 1, 2]
    assert told["lines"][0]["turns"] == 5
    assert [(trial["item"], trial["solved"]) for trial in told["trials"]] == [
        ("E01", False),
        ("E02", True),
        ("E03", False),
    ]
    assert told["left"] == []


def test_repeating_a_finished_evaluation_asks_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(echoing) as served:
        assert main(arguments(tmp_path, served.url, "zero-shot")) == 0
        first = capsys.readouterr().out
        assert main(arguments(tmp_path, served.url, "zero-shot")) == 0
        assert len(served.asked) == 3
    assert capsys.readouterr().out == first
    assert "brainfuck  zero-shot       1   3  33.3 %" in first
    assert (tmp_path / "seed").stat().st_mode & 0o777 == 0o600
    assert main([*arguments(tmp_path, "http://localhost:1/v1"), "--temperature", "1"]) == 2
    assert "holds an evaluation with asked" in capsys.readouterr().err


def test_a_mistyped_option_can_be_corrected_before_the_first_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def knowing(messages: list[dict[str, str]]) -> Reply:
        known = served.asked[-1]["model"] == "scripted"
        return echoing(messages) if known else Reply(None, 404, b"no such model")

    with serving(knowing) as served:
        command = arguments(tmp_path, served.url, "zero-shot")
        mistyped = ["scirpted" if word == "scripted" else word for word in command]
        assert main(mistyped) == 2
        assert "404: no such model" in capsys.readouterr().err
        seed = (tmp_path / "seed").read_bytes()
        assert main(command) == 0
        assert main(mistyped) == 2
    assert 'holds an evaluation with model "scripted"' in capsys.readouterr().err
    assert (tmp_path / "seed").read_bytes() == seed
    assert json.loads((tmp_path / "results.json").read_text())["terms"]["model"] == "scripted"


def test_a_transcript_that_is_in_use_damaged_or_of_another_evaluation_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(echoing) as served:
        command = arguments(tmp_path, served.url, "zero-shot")
        assert main(command) == 0
        path = tmp_path / "transcript.jsonl"
        with EvaluationTranscript(tmp_path):
            assert main(command) == 2
        assert "is being written by another evaluation" in capsys.readouterr().err
        whole = path.read_text()
        lines = [line for line in whole.splitlines(True) if '"finished"' not in line]
        changed = [re.sub('"request": "[0-9a-f]', '"request": "x', line) for line in lines]
        path.write_text("".join(changed))
        assert main(command) == 2
        assert "belongs to a different question than this run asks" in capsys.readouterr().err
        path.write_text(whole.replace('"kind": "answered"', '"kind": "dreamt"', 1))
        assert main(command) == 2
        assert "transcript.jsonl: line " in capsys.readouterr().err
        path.write_text("".join(lines))
        assert main(command) == 0  # what was answered is judged again, and not asked again
        assert len(served.asked) == 3


DAMAGE: list[tuple[str, dict[str, Any], str]] = [
    ("finished", {"solved": "yes"}, "record of kind finished: solved: expected true or false"),
    ("finished", {"verdict": None}, "record of kind finished: verdict: expected a string"),
    ("finished", {"attempts": -1}, "record of kind finished: attempts: expected a non-negative"),
    ("finished", {"trial": "solve/brainfuck/magic/E01/1"}, "record of kind finished: trial"),
    ("finished", {"trial": "E01"}, "expected a trial such as solve/brainfuck/react/E01/1"),
    ("finished", {"kind": ["finished"]}, "expected a record of kind asked | answered"),
    ("answered", {"input_tokens": "100"}, "record of kind answered: input_tokens"),
    ("answered", {"seconds": float("nan")}, "record of kind answered: seconds"),
    ("answered", {"seconds": 10**400}, "record of kind answered: seconds"),
    ("asked", {"time_ms": 10**400}, "record of kind asked: time_ms"),
    ("answered", {"text": 7}, "record of kind answered: text"),
    ("answered", {"turn": True}, "record of kind answered: turn"),
    ("tried", {"misses": [{"verdict": "fault"}]}, "record of kind tried: misses"),
    ("asked", {"time_ms": None}, "record of kind asked: time_ms"),
]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished evaluation, of which tests take copies."""
    folder = tmp_path_factory.mktemp("played") / "run"
    with serving(echoing) as served:
        assert main(arguments(folder, served.url)) == 0
    return folder


@pytest.mark.parametrize(("kind", "change", "what"), DAMAGE)
def test_a_record_that_was_tampered_with_is_named(
    kind: str,
    change: dict[str, Any],
    what: str,
    played: Path,
    tmp_path: Path,
) -> None:
    lines = (played / "transcript.jsonl").read_text().splitlines()
    number = next(at for at, line in enumerate(lines) if json.loads(line)["kind"] == kind)
    lines[number] = json.dumps(json.loads(lines[number]) | change)
    path = tmp_path / "transcript.jsonl"
    path.write_text("\n".join(lines) + "\n")
    before = path.read_bytes()
    with pytest.raises(UsageError) as caught:
        EvaluationTranscript(tmp_path)
    assert f"transcript.jsonl: line {number + 1} is not a record of an evaluation" in str(
        caught.value
    )
    assert what in str(caught.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize("text", ["my notes", '{"event": 1}', "\x00\x00", '{"kind": "x"}\n'])
def test_a_file_that_is_not_a_transcript_is_left_unchanged(text: str, tmp_path: Path) -> None:
    path = tmp_path / "transcript.jsonl"
    path.write_text(text)
    with pytest.raises(UsageError, match="line 1 is not a record of an evaluation"):
        EvaluationTranscript(tmp_path)
    assert path.read_text() == text


def test_a_full_disk_is_reported_and_the_run_resumes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    room = 9_000
    write = os.write

    def full(fd: int, data: bytes | memoryview) -> int:
        nonlocal room
        if isinstance(data, bytes):
            return write(fd, data)  # to a process that runs programs
        if not room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = write(fd, data[:room])
        room -= written
        return written

    with serving(echoing) as served:
        command = [*arguments(tmp_path, served.url), "--jobs", "3"]
        with monkeypatch.context() as patched:
            patched.setattr("esoplay.evaluation.transcript.os.write", full)
            assert main(command) == 2
        assert "transcript.jsonl: No space left on device" in capsys.readouterr().err
        kept = (tmp_path / "transcript.jsonl").read_bytes()
        assert kept.endswith(b"}\n")  # of the record for which there was no room nothing is left
        answered = len(records(tmp_path, "answered"))
        assert main(command) == 0
    assert (tmp_path / "transcript.jsonl").read_bytes().startswith(kept)
    assert answered < len(records(tmp_path, "answered")) == 5


def test_sigterm_leaves_results_like_ctrl_c(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def ending(messages: list[dict[str, str]]) -> Reply:
        if len(served.asked) == 4:
            os.kill(os.getpid(), signal.SIGTERM)
        return echoing(messages)

    with serving(ending) as served:
        assert main([*arguments(tmp_path, served.url), "--jobs", "1"]) == 130
    assert "run the same command again to continue" in capsys.readouterr().err
    told = json.loads((tmp_path / "results.json").read_text())
    assert [(trial["item"], trial["turns"]) for trial in told["trials"]] == [("E01", 2), ("E02", 1)]
    assert told["left"] == ["solve/brainfuck/self-scaffolding/E03/1"]
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
