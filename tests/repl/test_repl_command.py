"""``esoplay debug FILE --repl`` as a process: pipes, JSON, exit codes, Ctrl-C."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'interpreters'}"}


def debug(*arguments: str, commands: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "esoplay", "debug", *arguments],
        input=commands,
        capture_output=True,
        env=ENVIRONMENT,
        timeout=60,
    )


@pytest.fixture
def program(tmp_path: Path) -> str:
    file = tmp_path / "echo.bf"
    file.write_bytes(b",[.,]")
    return str(file)


def test_a_script_through_a_pipe_sees_no_prompt(program: str) -> None:
    done = debug(program, "--repl", "--input", "hi", commands=b"end\noutput\nquit\nnever\n")
    assert done.returncode == 0
    assert done.stderr == b""
    assert done.stdout.decode().splitlines()[2:] == [
        'printed: "hi"',
        "step 9, the program has ended",
        'printed: "hi"',
    ]


def test_the_end_of_the_commands_ends_it_well(program: str) -> None:
    assert debug(program, "--repl", commands=b"s\nnonsense").returncode == 0


def test_json_is_one_object_a_command(program: str) -> None:
    done = debug(program, "--repl", "--json", "--input", "a", commands=b"2s\nbad\no 0\n\nq\n")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(answer["command"], answer["ok"]) for answer in answers] == [
        ("open", True),
        ("step", True),
        ("bad", False),
        ("origin", False),
        ("quit", True),
    ]
    assert answers[1]["step"] == answers[1]["view"]["step"] == 2
    assert answers[2]["error"]["kind"] == "usage"


def test_options_and_dialect_reach_the_program(program: str) -> None:
    done = debug(program, "--repl", "--input", "", "--set", "eof=-1", commands=b"s\ntape 0 1\n")
    assert b"[0: 255]" in done.stdout


def test_bytes_that_are_no_text_pass_through_feed(program: str) -> None:
    done = debug(program, "--repl", commands=b"feed \xff\\x80\nc\n")
    assert b'printed: "\\xff\\x80"' in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["missing.bf", "--repl"], 2, "cannot read missing.bf"),
        (["-", "--repl"], 2, "the program must be a file"),
        (["BAD", "--repl"], 1, "line 2, column 1"),
        (["GOOD", "--repl", "--lang", "nolang"], 2, "'nolang' is not installed"),
        (["GOOD", "--repl", "--dialect", "nodialect"], 2, "no dialect 'nodialect'"),
        (["GOOD", "--repl", "--set", "eof"], 2, "--set takes NAME=VALUE"),
        (["GOOD", "--json"], 2, "--json goes with --repl"),
        (["GOOD"], 2, "--repl"),
    ],
)
def test_a_users_mistake_is_told_in_one_line(
    arguments: list[str], code: int, said: str, program: str, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.bf"
    bad.write_bytes(b"+\n]")
    files = {"GOOD": program, "BAD": str(bad)}
    done = debug(*(files.get(argument, argument) for argument in arguments))
    assert done.returncode == code
    assert done.stdout == b""
    assert said in done.stderr.decode()
    assert len(done.stderr.decode().splitlines()) == 1


@pytest.mark.terminal
def test_on_a_terminal_ctrl_c_ends_the_move_and_not_the_debugger(tmp_path: Path) -> None:
    file = tmp_path / "loop.bf"
    file.write_bytes(b"+[]")
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "esoplay", "debug", str(file), "--repl"],
        stdin=slave,
        stdout=slave,
        env=ENVIRONMENT | {"TERM": "dumb"},
    )
    os.close(slave)

    def read_until(text: str) -> str:
        seen = b""
        while text.encode() not in seen:
            seen += os.read(master, 4096)
        return seen.decode()

    read_until("> ")
    # Conditions are looked at after every step, so this would go on for hours.
    os.write(master, b"b if ptr > 0\n")
    read_until("never hit")
    read_until("> ")
    os.write(master, b"c 9000000000000000000\n")
    read_until("\n")
    while True:
        process.send_signal(signal.SIGINT)
        if "interrupted: we are where we were" in read_until_any(master):
            break
    os.write(master, b"where\n")
    assert "step 0" in read_until("increment cell 0")
    os.write(master, b"q\n")
    assert process.wait(20) == 0
    os.close(master)


def read_until_any(master: int) -> str:
    """What the terminal shows within a moment; empty when it stays silent."""
    import select

    ready, _, _ = select.select([master], [], [], 0.2)
    return os.read(master, 65536).decode() if ready else ""
