"""The text debugger in every language: its sample, and what breakpoints are about there."""

from __future__ import annotations

import json

import pytest
from selection import slow_except

from esolangs.registry import find_language, language_ids
from esoplay.cli.repl.debugger import COMMANDS, DebuggerShell, LessonSession
from esoplay.debugging.debugger import Debugger


def talk(language: str, source: bytes, *commands: str, stdin: bytes = b"") -> list[str]:
    """What is said after each command, as one text each."""
    said: list[str] = []
    answers: list[str] = []
    shell = DebuggerShell(LessonSession(Debugger.open(language, source, stdin=stdin)), said.append)
    for command in commands:
        said.clear()
        shell.run_line(command)
        answers.append("\n".join(said))
    return answers


@pytest.mark.parametrize("id", slow_except(language_ids(), "brainfuck", "whitespace"))
def test_every_command_answers_at_every_step(id: str) -> None:
    words = [command.names[0] for command in COMMANDS if command.names[0] not in ("quit", "eof")]
    debugger = Debugger.open(id, find_language(id).sample(), stdin=b"esolang")
    said: list[str] = []
    shell = DebuggerShell(LessonSession(debugger), said.append, as_json=True)
    shell.greet()
    for step in (0, 1, 7, 30, 10**6):
        for word in words:
            debugger.seek(step)
            shell.run_line(word)
    answers = [json.loads(line) for line in said]
    assert len(answers) == 1 + 5 * len(words)
    for answer in answers:
        assert answer["ok"] or answer["error"]["kind"] == "usage"
    assert any(answer["ok"] and answer["command"] == "panels" for answer in answers)


@pytest.mark.parametrize("id", language_ids())
def test_going_to_the_end_and_back_shows_the_same_state(id: str) -> None:
    answers = talk(
        id, find_language(id).sample(), "5 s", "where", "end", "start", "5 s", stdin=b"esolang"
    )
    assert answers[1] == answers[4].splitlines()[-1]
    assert "the program has ended" in answers[2]


def test_a_breakpoint_on_a_comment_reports_where_it_moved() -> None:
    set, changed, once, outside = talk(
        "brainfuck", b"+ one\n- two\n.", "b 1:3", "change 1 2:3", "tb 3", "b 3:2"
    )
    moved = "line 1 column 3 is in a comment: moved to the next instruction, at line 2 column 1"
    assert set.splitlines() == ["breakpoint 1: at offset 6, never hit", moved]
    assert changed.splitlines()[1].endswith("moved to the next instruction, at line 3 column 1")
    assert "moved to the next instruction" in once
    assert "line 3 column 2 is outside the program" in outside


COUNT = b"   \n\n  \t\n   \t\n\t    \n \t\n \t\n \n\t\n"
"""Whitespace: 0, label T, push 1, add, dup, printn, jump T."""


def test_whitespace_stops_at_labels_and_mnemonics() -> None:
    place, mnemonic, spelled, first, second = talk(
        "whitespace", COUNT, "b label t", "b printn", r"b '\t\n \t'", "c", "c"
    )
    assert "at label T" in place
    assert "at any" in mnemonic
    assert r'at any "\t\n \t"' in spelled
    assert "breakpoint 1" in first
    assert "breakpoint 2" in second
    assert "breakpoint 3" in second


def test_unlambda_stops_at_combinators() -> None:
    said = talk("unlambda", b"```s.a.bi", "b .b", "c", "registers", "panels 3")
    assert "print 'b'" in said[1]
    assert "term" in said[3]


PLAY = b"""\
A test.

Romeo, a number.
Juliet, another.

Act I: The first.

Scene I: They meet.

[Enter Romeo and Juliet]

Scene II: They count.

Juliet:
 You are the sum of yourself and a hero! Open your heart!
 Are you better than a hero? If not, let us return to scene II.

[Exeunt]
"""


def test_shakespeare_stops_at_scenes_and_conditions() -> None:
    said = talk("shakespeare", PLAY, "b scene ii", "b if romeo == 2", "c", "c", "c", "G", "v 0")
    assert "at Act I Scene II, never hit" in said[0]
    assert "step 1," in said[2]
    assert "step 5," in said[3]
    assert "breakpoint 2" in said[4]
    assert 'printed: "2"' in said[5]
    assert "1 to 2" in said[6]


@pytest.mark.parametrize("id", language_ids())
def test_a_very_long_line_is_refused_briefly(id: str) -> None:
    digits = "9" * 5000
    words = [f"s {digits}", f"{digits} s", f"goto {digits}", f"b 1:{digits}", f"b {digits}:1",
             f"b {digits},1", f"watch {digits}", f"watch 1,{digits}", f"set 0 {digits}",
             f"set 0,{digits} 1", f"printed {digits}", f"delete {digits}", f"t {digits}",
             f"w stack 0:{digits}", f"watch push {digits}:0", f"origin {digits}", "x" * 5000,
             f"b {'x' * 5000}", f"help {'x' * 5000}"]  # fmt: skip
    for answer in talk(id, find_language(id).sample(), *words):
        assert answer.startswith("error: ")
        assert len(answer) < 1000
