"""Transcripts: each case is a program, its input, and a conversation about it.

``ESOPLAY_WRITE_CASES=1`` writes what is said now into the files; look at the difference then.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import pytest

from esoplay.cli.repl.debugger import PROMPT, DebuggerShell, LessonSession
from esoplay.debugging.debugger import Debugger

CASES = sorted((Path(__file__).parent / "cases").glob("*.txt"))
RULE = "---"


class Case(NamedTuple):
    """A file of ``name: value`` lines, a rule, and the conversation."""

    head: str
    program: bytes
    input: bytes | None
    options: dict[str, str]
    as_json: bool
    talk: str


def read_case(path: Path) -> Case:
    head, _, talk = path.read_text().partition(RULE + "\n")
    fields: dict[str, list[str]] = {}
    for line in head.splitlines():
        name, _, value = line.partition(": ")
        fields.setdefault(name, []).append(value)
    given = fields.get("input")
    return Case(
        head,
        "\n".join(fields["program"]).encode(),
        None if given is None else given[0].encode(),
        dict(option.split("=") for option in fields.get("option", [])),
        "json" in fields,
        talk,
    )


def converse(case: Case) -> str:
    """The conversation as it goes now."""
    debugger = Debugger.open(
        "brainfuck",
        case.program,
        stdin=case.input or b"",
        closed=case.input is not None,
        options=case.options,
    )
    said: list[str] = []
    shell = DebuggerShell(LessonSession(debugger), said.append, as_json=case.as_json)
    shell.greet()
    for line in case.talk.splitlines():
        if line.startswith(PROMPT):
            said.append(line)
            shell.run_line(line.removeprefix(PROMPT))
    return "\n".join(said) + "\n"


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_recorded_conversation_is_unchanged(path: Path) -> None:
    case = read_case(path)
    now = converse(case)
    if os.environ.get("ESOPLAY_WRITE_CASES"):
        path.write_text(f"{case.head}{RULE}\n{now}")
    assert now == case.talk
