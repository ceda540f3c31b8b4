"""The Whitespace course: instructions to the learner work, and nothing is used unexplained."""

from __future__ import annotations

import pytest

from esolangs.whitespace.assembly import assemble, disassemble
from esolangs.whitespace.opcodes import INSTRUCTIONS
from esoplay.cli.repl.debugger import DebuggerShell, LessonSession
from esoplay.debugging.debugger import Debugger
from esoplay.learning.checks import check_program
from esoplay.learning.lessons import Lesson, get_course

COURSE = get_course("whitespace")
SPELLINGS = {
    mnemonic: spelling.translate(str.maketrans("STL", "·→¶"))
    for mnemonic, spelling, _ in INSTRUCTIONS
}


def lesson(title: str) -> Lesson:
    return next(each for each in COURSE if each.title == title)


def mnemonics(source: bytes) -> set[str]:
    words = (line.split()[:1] for line in disassemble(source).decode().splitlines())
    return {word[0] for word in words if word and word[0] in SPELLINGS}


@pytest.mark.parametrize("taken", COURSE.lessons, ids=lambda each: each.slug)
def test_no_instruction_is_used_before_a_lesson_explains_it(taken: Lesson) -> None:
    explained = "\n".join(each.text for each in COURSE.lessons[: taken.number])
    exercises = (taken, *taken.drills)
    programs = [each.program for each in exercises]
    programs += [each.solution.program or b"" for each in exercises]
    used = set[str]().union(*map(mnemonics, programs))
    assert used
    assert {each for each in used if f"`{SPELLINGS[each]}" not in explained} == set()


@pytest.mark.parametrize(
    ("title", "commands"),
    [
        ("An empty page", "s; s; s"),
        ("Numbers in dots and arrows", "answer 21 -6"),
        ("A place to keep things", "G; cell 1; w"),
        ("Signposts and jumps", "c; S"),
        ("Stop where it matters", "b cell[0] > 3000; c"),
        ("There and back", "s; n; s; n; s; s; b output == 11; c"),
    ],
)
def test_instructions_of_a_lesson_work_in_the_text_debugger(title: str, commands: str) -> None:
    said: list[str] = []
    shell = DebuggerShell(LessonSession(Debugger.open("whitespace", b"")), said.append)
    for line in (f"lesson {lesson(title).number}", *commands.split("; ")):
        shell.run_line(line)
    assert not [line for line in said if line.startswith("error")]
    assert [line for line in said if line.startswith("task done")]


def test_the_lesson_on_finding_a_mistake_leads_to_a_cell_that_was_never_written() -> None:
    said: list[str] = []
    shell = DebuggerShell(LessonSession(Debugger.open("whitespace", b"")), said.append)
    number = lesson("Finding a mistake backwards").number
    for line in (f"lesson {number}", "G", "o", "S", "S", "cell 2", "w", "cell 1", "w"):
        shell.run_line(line)
    assert "error: cell 2 has no earlier write; it had its initial value" in said
    assert said[-1].startswith("step 3")


@pytest.mark.parametrize(
    ("title", "cheat"),
    [
        ("The lower one first", "push 7\nprintn\nend\npush 1\npush 2\nswap\nsub\n"),
        ("Finding a mistake backwards", "push 60\nprintn\nend\npush 1\ndup\nmul\n"),
        ("Asking for a number", "push 144\nprintn\n"),
        ("If and else", "push 43\nprintc\n"),
        ("Until the input ends", "push 'a'\nprintc\npush 'b'\nprintc\npush 'c'\nprintc\n"),
        ("Many numbers on a line", "push 42\nprintn\n"),
    ],
)
def test_constant_output_and_dead_instructions_fail(title: str, cheat: str) -> None:
    report = check_program(lesson(title), assemble(cheat.encode()).source)
    assert report is not None
    assert not report.done


def test_the_assembly_of_the_lesson_is_the_program_it_shows() -> None:
    text = lesson("Words for whitespace").text
    assert "push 'A' ; SSSTSSSSSTL\nprintc ; TLSS" in text
    assert assemble(b"push 'A'\nprintc\n").source == b"   \t     \t\n\t\n  "


def test_a_self_explanatory_instruction_is_described_once() -> None:
    said: list[str] = []
    shell = DebuggerShell(LessonSession(Debugger.open("whitespace", b"   \t \n \n ")), said.append)
    shell.run_line("where")
    shell.run_line("s")
    assert said[0].endswith(": push 2")
    assert said[-1].endswith(": dup  duplicate the top: 2")
