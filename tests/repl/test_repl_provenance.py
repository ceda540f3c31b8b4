"""Where values come from, as the text debugger explains it in every language."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from test_repl_languages import talk

from esoplay.cli.repl.debugger import COMMANDS, DebuggerShell, LessonSession
from esoplay.debugging.debugger import Debugger

DOCS = (Path(__file__).resolve().parents[2] / "docs" / "repl.md").read_text()
COPIES = b"push 0\npush 7\nstore\npush 0\nretrieve\ndup\nswap\nprintn\nprintn\n"
PLAY = b"""Test.
Romeo, a man.
Juliet, a woman.
Act I: One.
Scene I: Two.
[Enter Romeo and Juliet]
Romeo: You are a big cat. Remember thyself. Remember me. You are a pig. Recall it! Recall it!
Listen to your heart.
[Exeunt]
"""


def whitespace(*commands: str, **given: Any) -> list[str]:
    """The last answer of each command about ``COPIES``, in assembly."""
    said: list[str] = []
    debugger = Debugger.open("whitespace", COPIES, options={"notation": "assembly"})
    shell = DebuggerShell(LessonSession(debugger), said.append, **given)
    answers: list[str] = []
    for command in commands:
        said.clear()
        shell.run_line(command)
        answers.append("\n".join(said))
    return answers


def test_the_chain_is_reported_as_documented() -> None:
    (block,) = re.findall(r"```text\n> origin top\n(.*?)```", DOCS, re.DOTALL)
    assert whitespace("goto 7", "origin top")[-1] == block.rstrip("\n")


@pytest.mark.parametrize(
    ("place", "first", "last"),
    [
        ("stack 0:0", "step 7: 7 to level 0 by swap at 40, copied from level 1", "step 2 made"),
        ("stack 1", "step 7: 7 to level 1 by swap at 40, copied from level 0", "step 2 made"),
        ("top 1", "step 7: 7 to level 0 by swap at 40, copied from level 1", "step 2 made"),
        ("0", "step 3: 7 to cell 0 by store at 14, copied from level 1", "step 2 made"),
        ("5", "cell 5 was never written", "its initial value"),
        ("stack 0:2", "error: there is no level 2 now: the stack ends at level 1", "level 1"),
        ("top 2", "error: the stack has only 2 values", "2 values"),
        ("stack a:b", "error: a level of a stack must be an integer", "'b'"),
        (
            "top of it",
            "error: the number of places below the top must be an integer",
            "'of it'",
        ),
    ],
)
def test_places_are_named_in_few_words(place: str, first: str, last: str) -> None:
    lines = whitespace("goto 7", f"origin {place}")[-1].splitlines()
    assert first in "\n".join(lines[:2])
    assert last in lines[-1]


def test_an_edit_is_an_origin() -> None:
    answers = whitespace("goto 4", "set 0 9", "s", "origin top", "writes top", "writes 0")
    assert answers[3].splitlines() == [
        "level 0 holds 9; its origin, newest step first:",
        "  step 5: 9 to level 0 by retrieve at 27, copied from cell 0",
        "cell 0 was set by hand at step 4",
    ]
    assert answers[4].splitlines()[1:] == [
        "  step 5: 9 to level 0 by retrieve at 27, copied from cell 0",
        "  step 4: 0 to level 0 by push 0 at 20",
        "  step 1: 0 to level 0 by push 0 at 0",
    ]
    assert answers[5].splitlines()[1:] == ["  step 3: 0 to 7, by the instruction at 14"]


def test_pushes_are_listed_and_stopped_for() -> None:
    answers = whitespace("watch push 1", "end", "C", "C", "C", "goto 7", "writes top 0 2")
    assert answers[0] == "breakpoint 1: when a value is pushed to level 1, never hit"
    assert whitespace("watch slot 0:1")[0] == answers[0]
    assert "level 0 of stack 3" in whitespace("watch push 3:0 if top == 7")[0]
    stops = [re.findall(r"step (\d+), line", answer) for answer in answers[2:5]]
    assert stops == [["7"], ["6"], ["2"]]
    assert answers[6].splitlines() == [
        "level 1, newest push first:",
        "  step 7: 7 to level 1 by swap at 40, copied from level 0",
        "  step 6: 7 to level 1 by dup at 36, copied from level 0",
    ]


def test_origins_are_available_as_json() -> None:
    answer = json.loads(whitespace("goto 7", "origin top", as_json=True)[-1])
    assert answer["value"] == 7
    assert [link["step"] for link in answer["links"]] == [7, 5, 3, 2]
    assert answer["links"][1]["from"] == {"cell": 0}
    assert answer["end"] == {"kind": "computed", "step": 2, "slot": {"stack": 0, "level": 1}}


def test_characters_of_a_play_are_places() -> None:
    answers = talk(
        "shakespeare", PLAY, "goto 4", "origin top", "origin stack juliet:0", "origin romeo",
        "origin hamlet", "goto 7", "origin juliet", "origin stack juliet:0", "origin top",
        "end", "origin juliet", "writes stack juliet:0 1", "writes stack lady macbeth:0",
        stdin=b"12\n",
    )  # fmt: skip
    assert answers[1].splitlines()[1:] == [
        "  step 4: 0 to level 1 of Juliet's stack by Remember me. at 132, copied from Romeo",
        "Romeo was never written: it has its initial value",
    ]
    assert [line.split(":")[0] for line in answers[2].splitlines()] == [
        "level 0 of Juliet's stack holds 2; its origin, newest step first", "  step 3", "  step 2",
        "step 2 made the value",
    ]  # fmt: skip
    assert answers[3] == "Romeo was never written: it has its initial value"
    assert "nor a character of the play" in answers[4]
    assert re.findall(r"step (\d+):", answers[6]) == ["7", "3", "2"]
    assert answers[7] == "error: there is no level 0 of stack 1 now: the stack is empty"
    assert answers[8] == "error: the stack has only 0 values"
    assert answers[11].splitlines()[1:] == answers[2].splitlines()[1:2]
    assert answers[12] == "error: no character of the play has this name: 'lady macbeth'"
    assert answers[10].splitlines()[-1] == "step 8 read the value from the input"


def test_befunge_copies_between_stack_and_plane() -> None:
    answers = talk("befunge-98", b"7:11p11g.@", "goto 8", "origin top", "origin 1,1", "origin 0,0")
    assert re.findall(r"step (\d+): 7 to (\S+ \S+) by (.)", answers[1]) == [
        ("8", "level 1", "g"), ("5", "cell 1,1", "p"), ("2", "level 1", ":"), ("1", "level 0", "7"),
    ]  # fmt: skip
    assert answers[2].splitlines()[1:] == answers[1].splitlines()[2:]
    assert answers[3] == "cell 0,0 was never written: it has its initial value"


def test_languages_without_stacks_say_so() -> None:
    for language, source in (("brainfuck", b"+."), ("unlambda", b"`.ai")):
        for command in ("origin top", "origin stack 0:1", "writes stack 0:0", "watch push 0"):
            (answer,) = talk(language, source, command)
            assert answer.startswith("error: ")
            assert answer.endswith("has no stacks")
    (answer,) = talk("unlambda", b"`.ai", "origin 0")
    assert answer == "error: Unlambda has no cells; cannot read 0"


def test_writes_of_a_place_on_a_stack_can_be_visited() -> None:
    answers = whitespace("goto 7", "w stack 0:1", "w stack 0:1", "w stack 0:1", "W stack 0:1",
                         "w top 0", "W stack 0:9")  # fmt: skip
    assert [re.findall(r"^step (\d+)", answer)[:1] for answer in answers[:3]] == [
        ["7"], ["6"], ["2"],
    ]  # fmt: skip
    assert answers[3] == "error: level 1 has no earlier write"
    assert answers[4].startswith("step 6,")
    assert answers[5].startswith("step 2,")
    assert answers[6].endswith("has no later write in the history known so far")


def test_no_two_commands_share_a_name() -> None:
    names = [name for command in COMMANDS for name in command.names]
    assert sorted(names) == sorted(set(names))


def test_characters_and_the_top_are_watched_and_set() -> None:
    answers = talk("shakespeare", PLAY, "watch Juliet", "c", "set juliet 65", "origin juliet",
                   "watch hamlet", "watch top", stdin=b"12\n")  # fmt: skip
    assert answers[1].startswith("breakpoint 1: write to cell 1")
    assert answers[2].startswith("cell 1 is now 65")
    assert answers[3].splitlines()[-1].startswith("Juliet was set by hand")
    assert "nor a character of the play" in answers[4]
    assert "the stack has only 0 values" in answers[5]
    said = whitespace("goto 2", "watch top", "c", "watch stack 0:1", "watch top 9")
    assert said[1].startswith("breakpoint 1: when a value is pushed to level 1")
    assert said[2].startswith("breakpoint 1: push to level 1")
    assert "level 1" in said[3]
    assert said[4] == "error: the stack has only 2 values"
