"""``esoplay run``: bytes untouched, exact limits, clear words, stable exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from shell import PATHS, esoplay

from esolangs import work

# Adds two one-digit numbers that are written with one character between them.
SUM = b",>,,<[->+<]>[-<+>]<" + b"-" * 48 + b"."


@pytest.fixture
def program(tmp_path: Path) -> Any:
    def write(source: bytes, name: str = "program.bf") -> Path:
        path = tmp_path / name
        path.write_bytes(source)
        return path

    return write


def outcome(*args: Any, stdin: bytes = b"", code: int = 0) -> dict[str, Any]:
    done = esoplay("run", *args, "--json", stdin=stdin)
    assert done.returncode == code, done.stderr
    assert done.stdout.count(b"\n") == 1
    return json.loads(done.stdout)


def test_bytes_pass_through_unchanged(program: Any) -> None:
    data = bytes(range(1, 256)) + b"\r\n\n"
    done = esoplay("run", program(b",[.,]"), stdin=data)
    assert (done.stdout, done.stderr, done.returncode) == (data, b"", 0)


def test_input_is_read_from_a_pipe_or_an_argument(program: Any) -> None:
    path = program(SUM)
    assert esoplay("run", path, stdin=b"5 2").stdout == b"7"
    assert esoplay("run", path, "--input", "5 4").stdout == b"9"


def test_a_megabyte_is_streamed_without_loss(program: Any) -> None:
    data = b"esoplay " * (1 << 17)
    assert esoplay("run", program(b",[.,]"), stdin=data).stdout == data


def test_the_step_limit_is_exact_and_reported_quickly(program: Any) -> None:
    result = outcome(program(b"+[]"), "--max-steps", "1000000", "--input", "", code=3)
    assert (result["status"], result["steps"]) == ("step_limit", 1_000_000)
    assert result["limit"] == {"kind": "step", "value": 1_000_000}
    assert result["error_type"] == "runtime_error"
    enough = outcome(program(b"++[-]"), "--max-steps", "8")
    assert (enough["status"], enough["steps"]) == ("ok", 8)
    assert outcome(program(b"++[-]"), "--max-steps", "7", code=3)["status"] == "step_limit"


def test_output_before_a_limit_remains(program: Any) -> None:
    done = esoplay("run", program(b"+[.]"), "--max-output", "5")
    assert (done.stdout, done.returncode) == (b"\1" * 5, 3)
    assert b"5 bytes of output" in done.stderr
    assert outcome(program(b"+[>+]"), "--max-memory", "100", code=3)["status"] == "memory_limit"


def test_work_on_large_numbers_has_a_limit(tmp_path: Path) -> None:
    squares = tmp_path / "squares.wsa"
    number = 3**2000
    squares.write_text(f"push {number}\nlabel a\ndup\ndup\nmul\ndiscard\njump a\n", "utf-8")
    options = ["--lang", "whitespace", "--set", "notation=assembly", "--max-work", "100000"]
    result = outcome(str(squares), *options, code=3)
    cost = work.of_product(number, number)
    assert (result["status"], result["work"]) == ("work_limit", 100_000 // cost * cost)
    assert result["limit"] == {"kind": "work", "value": 100_000}
    assert result["steps"] == 100_000 // cost * 6 + 4
    done = esoplay("run", str(squares), *options)
    assert f"step {result['steps'] + 1} would exceed it".encode() in done.stderr
    assert b"--max-work" in done.stderr
    assert "work" not in outcome(str(squares), *options[:-2], "--max-steps", "3", code=3)


def test_a_time_limit_kills_and_keeps_what_was_printed(program: Any) -> None:
    for seconds in ("1", "10", "60"):  # a busy machine may not have started within the first
        result = outcome(program(b"+.[]"), "--time-limit", seconds, code=3)
        if result["stdout"]:
            break
    assert (result["status"], result["stdout"]) == ("time_limit", "\1")
    assert result["steps"] > 0
    assert result["error_type"] == "timeout"


def test_a_fault_names_its_place_and_keeps_the_output(program: Any) -> None:
    done = esoplay("run", program(b"+.\n <"))
    assert (done.stdout, done.returncode) == (b"\1", 1)
    assert b"line 2, column 2" in done.stderr
    fault = outcome(program(b"+.\n <"), code=1)["fault"]
    assert fault == {
        "kind": "tape_underflow",
        "message": "the pointer moved left of cell 0",
        "line": 2,
        "column": 2,
        "offset": 4,
        "step": 2,
    }


def test_a_fault_says_what_to_try(program: Any) -> None:
    told = esoplay("run", program(b"+<")).stderr.decode().splitlines()
    assert len(told) == 2
    advice = outcome(program(b"+<"), code=1)["advice"]
    assert told[1].endswith(f": try: {advice}")
    advice = outcome(program(b"+["), code=1)["advice"]
    assert advice.startswith("close the loop")
    assert f": try: {advice}\n" in esoplay("run", program(b"+[")).stderr.decode()
    assert "advice" not in outcome(program(b"+."), "--max-output", "0", code=3)


def test_a_parse_error_names_its_place(program: Any) -> None:
    path = program(b"++\n+]")
    done = esoplay("run", path)
    assert (done.stdout, done.returncode) == (b"", 1)
    assert f"{path}: line 2, column 2: ']'" in done.stderr.decode()
    result = outcome(path, code=1)
    assert (result["status"], result["error_type"]) == ("parse_error", "compile_error")


def test_warnings_are_reported_beside_the_outcome(program: Any) -> None:
    path = program(b"`.ai\n `.bi", "left_over.unl")
    done = esoplay("run", path)
    assert (done.stdout, done.returncode) == (b"a", 0)
    told = done.stderr.decode()
    assert told.startswith(f"esoplay: {path}: warning: line 2, column 2: "), told
    assert told.count("\n") == 1
    (warning,) = outcome(path)["warnings"]
    assert told.endswith(f"{warning}\n")
    assert outcome(path, "--time-limit", "60")["warnings"] == [warning]
    assert "warnings" not in outcome(program(b"`.ai\n # `.bi", "complete.unl"))


def test_output_that_is_not_text_is_base64_in_json(program: Any) -> None:
    result = outcome(program(b"-."))
    assert result["stdout_base64"] == "/w=="
    assert "stdout_base64" not in outcome(program(b"+."))


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_json_is_json_in_any_encoding(program: Any, encoding: str) -> None:
    text = "é “…” 😀 \x1b"
    done = esoplay(
        "run", program(b",[.,]"), "--json", stdin=text.encode(), PYTHONIOENCODING=encoding
    )
    assert json.loads(done.stdout.decode(encoding))["stdout"] == text


def test_the_program_may_come_from_stdin() -> None:
    done = esoplay("run", "-", "--lang", "brainfuck", stdin=b"+++.")
    assert (done.stdout, done.returncode) == (b"\3", 0)


def test_options_change_the_dialect(program: Any) -> None:
    done = esoplay("run", program(b",."), "--set", "eof=-1", "--input", "")
    assert done.stdout == b"\xff"
    wrong = esoplay("run", program(b",."), "--set", "eof=7")
    assert wrong.returncode == 2
    assert b"option eof: expected 0 | -1 | unchanged, found '7'" in wrong.stderr


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["nowhere.bf"], "cannot read nowhere.bf: No such file"),
        (["program.xyz"], "no installed language has files ending in '.xyz'"),
        (["program.bf", "--lang", "cobol"], "'cobol' is not installed; installed: "),
        (["program.bf", "--lang", "brain_fuck"], "'brain_fuck' is not installed"),
        (["-"], "use --lang to choose the language"),
        (["/dev/zero", "--lang", "brainfuck"], "/dev/zero: a program cannot be longer"),
        (["."], "has no extension"),
        ([".", "--lang", "brainfuck"], "cannot read .: Is a directory"),
        (["program.bf", "--max-step", "3"], "unrecognized arguments: --max-step"),
        (["program.bf", "--dialect", "strict"], "unknown dialect 'strict'"),
        (["program.bf", "--set", "cell"], "--set must be NAME=VALUE"),
        (["program.bf", "--max-steps", "-1"], "--max-steps must be an integer, 0 or more"),
        (["program.bf", "--time-limit", "nan"], "--time-limit must be a number of seconds above 0"),
        (["program.bf", "--time-limit", "inf"], "--time-limit must be a number of seconds above 0"),
        (["program.bf", "--set", "size=" + "9" * 30], "option size: expected at most"),
        (["program.bf", "--allow-files", "."], "has no file access"),
        (["program.bf", "--set", "tape=wrap"], "needs a tape of fixed size"),
        (["program.bf", "--nonsense"], "unrecognized arguments"),
        ([], "FILE"),
    ],
)
def test_a_usage_error_is_reported_without_a_traceback(
    program: Any, tmp_path: Path, args: list[str], words: str
) -> None:
    program(b"+")
    program(b"+", "program.xyz")
    done = esoplay("run", *args, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr.decode()
    assert b"Traceback" not in done.stderr
    assert done.stdout == b""


def test_a_reader_that_leaves_early_is_not_an_error(program: Any) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "esoplay", "run", str(program(b"+[.]"))],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"PYTHONPATH": PATHS},
    )
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.read(10)
    child.stdout.close()
    assert child.wait(300) == 1
    assert child.stderr.read() == b""


def in_shell(command: str, *, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    """``command`` in a shell in which ``esoplay`` is this one."""
    script = f'esoplay() {{ "{sys.executable}" -m esoplay "$@"; }}\n{command}'
    return subprocess.run(
        ["bash", "-c", script],
        capture_output=True,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": PATHS},
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize(
    ("command", "stdout", "stderr", "code"),
    [
        ("esoplay run print.bf >&-", b"", b"", 0),
        pytest.param(*("esoplay run print.bf --json >&-", b"", b"", 0), marks=pytest.mark.slow),
        ("esoplay run wrong.bf 2>&-", b"", b"", 1),
        pytest.param(
            *("esoplay run wrong.bf --max-steps 9 2>&-", b"", b"", 1), marks=pytest.mark.slow
        ),
        ("esoplay run cat.bf <&-", b"", b"", 0),
        ("esoplay serve <&-", b"", b"", 0),
        pytest.param(*("esoplay serve >&-", b"", b"", 0), marks=pytest.mark.slow),
        ("esoplay <&- >&-", b"", b"needs a terminal", 2),
        ("esoplay run print.bf >/dev/full", b"", b"No space left on device", 4),
        ("esoplay problems >/dev/full", b"", b"No space left on device", 4),
        ("esoplay problems --json | true; exit ${PIPESTATUS[0]}", b"", b"", 1),
        pytest.param(
            *("esoplay problems --help | true; exit ${PIPESTATUS[0]}", b"", b"", 0),
            marks=pytest.mark.slow,
        ),
        ("mkdir x; cd x; rmdir ../x; esoplay session fetch", b"", b"current folder", 2),
        ("esoplay grade print.bf --problem E01 --pack " + "x" * 300, b"", b"name too long", 2),
        pytest.param(
            *("esoplay session fetch --session 0 --store " + "x" * 300, b"", b"name too long", 2),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            *(
                "esoplay session init --language brainfuck --workspace " + "x" * 300,
                b"",
                b"too long",
                2,
            ),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_unusual_streams_and_folders_cause_no_internal_error(
    program: Any, tmp_path: Path, command: str, stdout: bytes, stderr: bytes, code: int
) -> None:
    program(b"+.", "print.bf")
    program(b",[.,]", "cat.bf")
    program(b"[", "wrong.bf")
    done = in_shell(command, cwd=tmp_path)
    assert (done.stdout, done.returncode) == (stdout, code), done.stderr
    assert stderr in done.stderr if stderr else not done.stderr
    assert done.stderr.count(b"\n") <= 1, done.stderr


def test_a_run_waits_for_non_blocking_pipes(program: Any) -> None:
    ours, theirs = os.pipe()
    os.set_blocking(ours, False)
    child = subprocess.Popen(
        [sys.executable, "-m", "esoplay", "run", str(program(b",[.,]"))],
        stdin=ours,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": PATHS},
    )
    assert child.stdout is not None
    os.write(theirs, b"first")
    assert child.stdout.read(5) == b"first"  # by now it waits for more
    os.write(theirs, b"second")
    os.close(theirs)
    assert child.communicate(timeout=300) == (b"second", b"")
    os.close(ours)
