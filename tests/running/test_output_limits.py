"""Answers show the first bytes of an output, say how long it was, and hold no more in memory.

Each program prints some 100 MB.  The processes that run it are measured, none may come near that.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from shell import PATHS

from esolangs.brainfuck import LANGUAGE
from esolangs.limits import Limits
from esolangs.registry import find_language
from esoplay.running import run as running
from esoplay.running.run import (
    OutputPrefix,
    first_bytes,
    last_bytes,
    run_source,
    trim_incomplete_character,
)

MEBIBYTE = 1 << 20
DOTS = 1000
LOUD = b"+++++[" + b"." * DOTS + b"]"
"""Prints a byte with nearly every step, forever."""

STEPS = 100_300_000
PRINTED = 100_000_000  # at least
MAX_RESIDENT = 100 * MEBIBYTE
MEASURE = """
import os, subprocess, sys
with open(sys.argv[1], "wb") as output:
    process = subprocess.Popen(sys.argv[2:], stdout=output)
_, status, usage = os.wait4(process.pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""
"""Runs a command and prints its exit code and its peak, or that of a process it started; the peak
of a process begins with the memory of the one that it was forked from, so this one is small."""


def measured(output: Path, *arguments: str | Path, stdin: bytes = b"") -> tuple[int, int]:
    """Exit code and the most bytes that were resident; what it prints goes into a file."""
    command = [sys.executable, "-c", MEASURE, str(output)]
    command += [sys.executable, "-m", "esoplay", *map(str, arguments)]
    done = subprocess.run(
        command,
        input=stdin,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": PATHS},
        check=True,
    )
    code, peak = map(int, done.stdout.split())
    return code, peak * (1 if sys.platform == "darwin" else 1024)


@pytest.fixture
def loud(tmp_path: Path) -> Path:
    path = tmp_path / "loud.bf"
    path.write_bytes(LOUD)
    return path


LIMIT = ["--max-steps", str(STEPS)]
only_compiled = pytest.mark.skipif(LANGUAGE.parse(b"").engine != "compiled", reason="takes minutes")


@pytest.mark.slow
@only_compiled
@pytest.mark.parametrize("more", [[], ["--time-limit", "600"]], ids=["here", "worker"])
def test_the_outcome_as_json_shows_a_mebibyte(loud: Path, tmp_path: Path, more: list[str]) -> None:
    code, peak = measured(tmp_path / "out", "run", loud, *LIMIT, *more, "--input", "", "--json")
    told = json.loads((tmp_path / "out").read_bytes())
    assert (code, told["status"], told["steps"]) == (3, "step_limit", STEPS)
    assert told["stdout"] == "\5" * MEBIBYTE
    assert told["output_truncated"] is True
    assert PRINTED <= told["output_bytes"] <= STEPS
    assert peak <= MAX_RESIDENT


@pytest.mark.slow
@only_compiled
@pytest.mark.parametrize("more", [[], ["--time-limit", "600"]], ids=["here", "worker"])
def test_a_stream_is_complete_and_not_buffered(loud: Path, tmp_path: Path, more: list[str]) -> None:
    code, peak = measured(tmp_path / "out", "run", loud, *LIMIT, *more, "--input", "")
    assert code == 3
    assert PRINTED <= (tmp_path / "out").stat().st_size <= STEPS
    (tmp_path / "out").unlink()
    assert peak <= MAX_RESIDENT


@pytest.mark.slow
@only_compiled
def test_a_server_holds_no_more_than_it_shows(loud: Path, tmp_path: Path) -> None:
    program = {"language": "brainfuck", "path": str(loud), "limits": {"steps": STEPS}}
    requests = tmp_path / "requests"
    ways: list[dict[str, Any]] = [{}, {"shown_output": 3 * MEBIBYTE}, {"shown_output": 0}]
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": id, "method": "run", "params": program | way})
        for id, way in enumerate(ways)
    ]
    requests.write_text("\n".join(lines))
    _, peak = measured(
        tmp_path / "out", "serve", "--store", tmp_path / "store", stdin=requests.read_bytes()
    )
    answers = [json.loads(line) for line in (tmp_path / "out").read_bytes().splitlines()]
    results = {each["id"]: each["result"] for each in answers if "id" in each}
    assert [len(results[id]["stdout"]) for id in range(3)] == [MEBIBYTE, 3 * MEBIBYTE, 0]
    for result in results.values():
        assert (result["status"], result["output_truncated"]) == ("step_limit", True)
        assert PRINTED <= result["output_bytes"] <= STEPS
    assert peak <= MAX_RESIDENT


def make_outcome(tmp_path: Path, program: Path, *options: str) -> tuple[int, dict[str, Any]]:
    code, _ = measured(tmp_path / "out", "run", program, "--json", "--input", "", *options)
    return code, json.loads((tmp_path / "out").read_bytes())


def test_options_show_more_or_stop_the_program(loud: Path, tmp_path: Path) -> None:
    limit = ["--max-steps", "2000000"]
    code, told = make_outcome(tmp_path, loud, *limit)
    size = told["output_bytes"]
    assert (code, len(told["stdout"]), told["output_truncated"]) == (3, MEBIBYTE, True)
    assert size == len(run_source("brainfuck", LOUD, limits=Limits(2_000_000)).stdout)
    code, told = make_outcome(tmp_path, loud, *limit, "--full-output")
    assert (code, len(told["stdout"]), "output_truncated" in told) == (3, size, False)
    code, told = make_outcome(tmp_path, loud, *limit, "--max-output", str(size))
    assert (told["status"], len(told["stdout"])) == ("step_limit", size)
    code, told = make_outcome(tmp_path, loud, *limit, "--max-output", "7")
    assert (code, told["status"], told["stdout"]) == (3, "output_limit", "\5" * 7)
    assert "output_bytes" not in told


@pytest.mark.slow
def test_a_verdict_is_about_the_whole_output_but_shows_part_of_it(tmp_path: Path) -> None:
    (tmp_path / "loud.bf").write_bytes(LOUD)
    grade = ["grade", tmp_path / "loud.bf", "--problem", "E01", "--json"]
    code, _ = measured(tmp_path / "out", *grade)
    tests = json.loads((tmp_path / "out").read_bytes())["tests"]
    assert code == 3
    for test in tests:
        assert (test["verdict"], len(test["got"])) == ("output_limit", 64 << 10)
        assert (test["output_truncated"], test["output_bytes"]) == (True, MEBIBYTE)
    measured(tmp_path / "out", *grade, "--full-output")
    tests = json.loads((tmp_path / "out").read_bytes())["tests"]
    assert {(len(test["got"]), "output_bytes" in test) for test in tests} == {(MEBIBYTE, False)}
    measured(tmp_path / "out", *grade[:-1])
    assert b"some bytes are not shown; try: --json --full-output" in (tmp_path / "out").read_bytes()


def test_a_source_that_runs_in_python_shows_a_mebibyte(tmp_path: Path) -> None:
    source = "def main():\n    for i in range(2000):\n        puts('" + "x" * 1000 + "')\n"
    (tmp_path / "loud.py").write_text(source)
    generate = ["generate", tmp_path / "loud.py", "--run", "--json"]
    for options, shown, cut in (([], MEBIBYTE, True), (["--full-output"], 2_000_000, False)):
        code, _ = measured(tmp_path / "out", *generate, *options)
        told = json.loads((tmp_path / "out").read_bytes())
        assert (code, len(told["stdout"]), "output_truncated" in told) == (0, shown, cut)
        assert told.get("output_bytes", 2_000_000) == 2_000_000


# What the answers are made of


@example("é".encode(), 1)
@example("😀".encode(), 3)
@example("😀a".encode(), 4)
@given(st.binary(max_size=30) | st.text(max_size=12).map(str.encode), st.integers(0, 30))
def test_no_character_is_cut(data: bytes, most: int) -> None:
    for part, rest in (
        (first_bytes(data, most), data[len(first_bytes(data, most)) :]),
        (last_bytes(data, most), data[: len(data) - len(last_bytes(data, most))]),
    ):
        assert len(part) + len(rest) == len(data)
        assert len(part) <= most or part == data
        assert len(part) >= min(most, len(data)) - 3
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return
    assert text.startswith(first_bytes(data, most).decode())
    assert text.endswith(last_bytes(data, most).decode())
    assert len(first_bytes(data, most)) + len(trim_incomplete_character(data[most:])) <= len(data)


@given(st.lists(st.text(max_size=9).map(str.encode)), st.integers(0, 20))
def test_a_head_keeps_the_first_bytes_and_counts_all(pieces: list[bytes], most: int) -> None:
    data = b"".join(pieces)
    given_on = bytearray()
    head, other = OutputPrefix(most), OutputPrefix(most, given_on.extend)
    for piece in pieces:
        head.write(piece)
        other.write(piece)
    assert (head.size, head.kept_size) == (len(data), min(most, len(data)))
    assert given_on == data[:most]
    assert head.shown_bytes == first_bytes(data, most)
    outcome = run_source("brainfuck", b"")
    head.with_shown_output(outcome)
    assert len(outcome.stdout) + outcome.hidden_bytes == len(data)
    assert outcome.as_json().get("output_bytes", len(data)) == len(data)
    assert ("output_truncated" in outcome.as_json()) == (len(outcome.stdout) < len(data))


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("brainfuck", b"+[" + b"." * 50 + b"]"),
        ("befunge-98", b">" + b"aa,," * 20 + b"v\n^" + b" " * 80 + b"<"),
        ("whitespace", b"\n  \n" + b"   \t\n\t\n  " * 50 + b"\n \n\n"),
    ],
)
def test_a_machine_returns_to_pass_on_its_output(language: str, source: bytes) -> None:
    """At the same steps and with the same output as in one go."""
    steps = 700_000
    program = find_language(language).parse(source)
    whole = program.start(b"", limits=Limits())
    whole.run(steps)
    machine = program.start(b"", limits=Limits())
    machine.patience = 1e9
    output, calls = bytearray(), 0
    while machine.steps < steps:
        before = machine.steps
        assert machine.run(steps - machine.steps) == "running"
        assert machine.steps > before
        printed, at = machine.take_printed()
        assert len(printed) == len(at) <= (1 << 18) + (1 << 13)
        output += printed
        calls += 1
    assert (machine.steps, machine.status) == (whole.steps, whole.status)
    assert output == whole.take_output()
    assert calls > 1


def test_slices_of_a_run_hold_little_output(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many steps a slice has, as after a long time without output."""
    monkeypatch.setattr(running, "_FIRST_SLICE", 10**9)
    sizes: list[int] = []
    run_source(
        "brainfuck", LOUD, limits=Limits(1_000_000), write=lambda data: sizes.append(len(data))
    )
    assert sum(sizes) > 900_000
    assert max(sizes) <= (1 << 18) + (1 << 13)
