"""Every command explains itself, with examples."""

from __future__ import annotations

import re

import pytest
from selection import slow_except
from shell import esoplay

from esoplay.cli.main import command_names

COMMANDS = [
    "agents",
    "complete",
    "convert",
    "dap",
    "dataset",
    "debug",
    "doctor",
    "eval",
    "export",
    "generate",
    "grade",
    "lanes",
    "leaderboard",
    "learn",
    "mcp",
    "play",
    "predict",
    "problems",
    "progress",
    "report",
    "rescore",
    "run",
    "serve",
    "session",
    "verify",
    "view",
    "watch",
    "web",
]


def test_the_names_of_the_commands_are_unchanged() -> None:
    assert command_names() == COMMANDS


@pytest.mark.parametrize("command", slow_except(COMMANDS, "debug", "grade", "run", "session"))
def test_help_has_examples(command: str) -> None:
    done = esoplay(command, "--help")
    assert done.returncode == 0
    assert f"esoplay {command}" in done.stdout.decode()
    assert "example" in done.stdout.decode()


def test_help_lists_every_command() -> None:
    done = esoplay("--help")
    assert done.returncode == 0
    for command in COMMANDS:
        assert re.search(rf"^ +{command}\s", done.stdout.decode(), re.MULTILINE), command


def test_an_unknown_command_is_a_usage_error() -> None:
    done = esoplay("fly")
    assert done.returncode == 2
    assert b"fly" in done.stderr


def test_without_a_terminal_headless_use_is_explained() -> None:
    done = esoplay()
    assert done.returncode == 2
    assert done.stdout == b""
    assert b"esoplay serve" in done.stderr


def test_doctor_shows_the_engine() -> None:
    done = esoplay("doctor", ESOPLAY_EXT="off")
    assert done.returncode == 0
    assert b"brainfuck    plain" in done.stdout
