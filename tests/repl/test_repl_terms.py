"""The parts of a term and what made them, in the text debugger and over JSON-RPC."""

from __future__ import annotations

import json
from typing import Any

from esoplay.cli.repl.debugger import DebuggerShell, LessonSession
from esoplay.debugging.debugger import Debugger

PROGRAM = b"```s`k.a`ki.b"


def say(*lines: str, language: str = "unlambda", as_json: bool = False) -> list[str]:
    said: list[str] = []
    shell = DebuggerShell(
        LessonSession(Debugger.open(language, PROGRAM)), said.append, as_json=as_json
    )
    for line in lines:
        said.clear()
        shell.run_line(line)
    return said


def test_parts_are_numbered_and_say_what_they_are_in() -> None:
    assert say("6 s", "term") == [
        "term: `.a``ki.b",
        "  0: `.a``ki.b",
        "    1, in 0: .a",
        "    2, in 0, reduced next: ``ki.b",
        "      3, in 2: `ki",
        "        4, in 3: k",
        "        5, in 3: i",
        "      6, in 2: .b",
    ]


def test_the_origin_of_a_part_is_listed_newest_step_first() -> None:
    assert say("6 s", "origin part 2") == [
        "part 2 is ``ki.b; its origin, newest step first:",
        "  step 5: s at byte 3, applied in ```s`k.a`ki.b",
        "that application is written in the program, line 1 column 1",
    ]
    assert say("6 s", "p part 1") == [
        "part 1 is .a",
        "it is written in the program, line 1 column 7",
    ]


def test_terms_and_origins_are_available_as_json() -> None:
    data: dict[str, Any] = json.loads(say("6 s", "origin part 2", as_json=True)[0])
    link = {"step": 5, "instruction": "s", "span": [3, 4], "application": "```s`k.a`ki.b"}
    assert (data["part"], data["text"], data["links"]) == (2, "``ki.b", [link])
    assert data["end"] == {"kind": "source", "span": [0, 13], "line": 1, "column": 1}
    term: dict[str, Any] = json.loads(say("6 s", "term", as_json=True)[0])
    assert term["parts"][:3] == [[0, 9], [1, 3], [3, 9]]


def test_invalid_questions_about_terms_are_reported() -> None:
    assert say("origin part 99")[0].startswith("error: expected a part number from 0 to 10")
    assert say("origin part") == [
        "error: origin part: expected the number of a part; `term` lists them"
    ]
    assert say("origin part x")[0].startswith(
        "error: the number of a part of the term must be an integer"
    )
    assert say("term 3") == ["error: term accepts no arguments"]
    assert say("term", language="befunge-98") == ["error: Befunge-98 has no terms"]
    assert say("origin part 0", language="befunge-98") == ["error: Befunge-98 has no terms"]
