"""``esoplay debug FILE --repl`` as a process: pipes, JSON, exit codes, Ctrl-C."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from esoplay.errors import EXIT_FAILED

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'interpreters'}"}


def debug(*arguments: str, commands: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "esoplay", "debug", *arguments],
        input=commands,
        capture_output=True,
        env=ENVIRONMENT,
        timeout=300,
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


def test_exit_status_is_0_at_the_end_of_the_commands(program: str) -> None:
    assert debug(program, "--repl", commands=b"s\nnonsense").returncode == 0


def test_a_strict_script_fails_at_its_first_error(program: str) -> None:
    done = debug(program, "--repl", "--strict", commands=b"s\n# next is wrong\nb 99\nwhere\n")
    assert done.returncode == EXIT_FAILED
    assert done.stderr.decode() == "esoplay: stdin:3: b 99: there is no instruction at 99\n"
    assert done.stdout.decode().splitlines()[-1] == "error: there is no instruction at 99"
    assert debug(program, "--repl", "--strict", commands=b"s\nwhere\n").returncode == 0


def test_json_is_one_object_a_command(program: str) -> None:
    done = debug(program, "--repl", "--json", "--input", "a", commands=b"2s\nbad\no 0\n\nq\n")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(answer["command"], answer["ok"]) for answer in answers] == [
        ("open", True),
        ("step", True),
        ("bad", False),
        ("to-output", False),
        ("quit", True),
    ]
    assert answers[1]["step"] == answers[1]["view"]["step"] == 2
    assert answers[2]["error"]["kind"] == "usage"


def test_json_shows_that_a_program_does_not_parse(tmp_path: Path) -> None:
    path = tmp_path / "open.bf"
    path.write_bytes(b"+\n+]")
    done = debug(str(path), "--repl", "--json", commands=b"end\n")
    (line,) = done.stdout.splitlines()
    answer = json.loads(line)
    assert (answer["command"], answer["ok"]) == ("open", False)
    error = answer["error"]
    assert (error["kind"], error["line"], error["column"]) == ("parse_error", 2, 2)
    assert error["offset"] == 3
    assert error["message"]
    assert done.returncode == EXIT_FAILED


def test_options_and_dialect_reach_the_program(program: str) -> None:
    done = debug(program, "--repl", "--input", "", "--set", "eof=-1", commands=b"s\ntape 0 1\n")
    assert b"[0: 255]" in done.stdout


def test_feed_accepts_bytes_that_are_not_text(program: str) -> None:
    done = debug(program, "--repl", commands=b"feed \xff\\x80\nc\n")
    assert b'printed: "\\xff\\x80"' in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["missing.bf", "--repl"], 2, "cannot read missing.bf"),
        (["-", "--repl"], 2, "the program must be a file"),
        (["BAD", "--repl"], 1, "line 2, column 1"),
        (["GOOD", "--repl", "--lang", "nolang"], 2, "'nolang' is not installed"),
        (["GOOD", "--repl", "--dialect", "nodialect"], 2, "unknown dialect 'nodialect'"),
        (["GOOD", "--repl", "--set", "eof"], 2, "--set must be NAME=VALUE"),
        (["GOOD", "--json"], 2, "--json requires --repl"),
        (["GOOD", "--strict"], 2, "--strict requires --repl"),
        (["GOOD"], 2, "--repl"),
    ],
)
def test_a_usage_error_is_reported_with_what_to_try(
    arguments: list[str], code: int, said: str, program: str, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.bf"
    bad.write_bytes(b"+\n]")
    files = {"GOOD": program, "BAD": str(bad)}
    done = debug(*(files.get(argument, argument) for argument in arguments))
    assert done.returncode == code
    assert done.stdout == b""
    mistake, *advice = done.stderr.decode().splitlines()
    assert said in mistake
    assert len(advice) == ("BAD" in arguments)
    assert all(": try: " in line for line in advice)


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

    terminal = Terminal(master)
    terminal.until("> ")
    # Conditions are looked at after every step, so this would take hours.
    terminal.type("b if ptr > 0\n")
    terminal.until("never hit")
    terminal.until("> ")
    terminal.type("c 9000000000000000000\n")
    terminal.until("9000000000000000000")
    terminal.until("\n")  # Ctrl-C before that would take the line back
    while "still at the same step" not in terminal.look():
        # Again and again, as the first may come before the move has started.
        process.send_signal(signal.SIGINT)
    terminal.type("where\n")
    terminal.until("step 0, line 1 column 1")
    terminal.type("q\n")
    assert process.wait(300) == 0
    os.close(master)


class Terminal:
    """The unread output of a terminal."""

    def __init__(self, master: int):
        self._master = master
        self._shown = b""

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def until(self, text: str) -> None:
        """Wait for a text and read past it."""
        while text.encode() not in self._shown:
            self._shown += os.read(self._master, 4096)
        self._shown = self._shown.partition(text.encode())[2]

    def look(self) -> str:
        """All that is shown and not read, after waiting a moment for more."""
        if select.select([self._master], [], [], 0.2)[0]:
            self._shown += os.read(self._master, 4096)
        return self._shown.decode(errors="replace")


@pytest.mark.terminal
def test_a_terminal_has_completion_history_repetition_and_pages(tmp_path: Path) -> None:
    file = tmp_path / "plus.bf"
    file.write_bytes(b"+" * 40)
    environment = ENVIRONMENT | {"TERM": "dumb", "ESOPLAY_HOME": str(tmp_path / "home")}

    def start() -> tuple[Terminal, subprocess.Popen[bytes], int]:
        master, slave = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "esoplay", "debug", str(file), "--repl"],
            stdin=slave,
            stdout=slave,
            env=environment | {"LINES": "12", "COLUMNS": "100"},
        )
        os.close(slave)
        terminal = Terminal(master)
        terminal.until("> ")
        return terminal, process, master

    terminal, process, master = start()
    terminal.type("expl\t\n")
    terminal.until("increment cell 0 (0 → 1)")
    terminal.until("> ")
    terminal.type("2 s\n")
    terminal.until("step 2")
    terminal.until("> ")
    terminal.type("\n")  # Enter repeats the last move
    terminal.until("step 4")
    terminal.until("> ")
    terminal.type("help\n")
    terminal.until("-- more")
    terminal.type("q\n")
    terminal.until("> ")
    terminal.type("quit\n")
    assert process.wait(20) == 0
    os.close(master)

    terminal, process, master = start()
    terminal.type("\x10\x10\x10\n")  # up, up, up: past quit and help, to what was typed before
    terminal.until("step 2")
    terminal.until("> ")
    terminal.type("q\n")
    assert process.wait(20) == 0
    os.close(master)
