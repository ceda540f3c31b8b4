"""What lessons have a learner press or type exists on the screen, in the REPL and in ``learn``."""

from __future__ import annotations

import io
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from lesson_instructions import Instruction, all_instructions, lesson_of, passages
from selection import slow_except

from esolangs.registry import find_language, language_ids
from esolangs.whitespace.assembly import disassemble
from esoplay.cli.main import main
from esoplay.cli.output import quote_bytes
from esoplay.cli.prose import plain_phrase
from esoplay.cli.repl.debugger import (
    DebuggerShell,
    LessonSession,
    lesson_lines,
    lesson_phrase,
    repl_table,
)
from esoplay.debugging.debugger import Debugger
from esoplay.learning.lessons import Lesson, get_course
from esoplay.packs.catalogue import get_problem

PAGE = Path(__file__).parents[2] / "docs" / "keys.md"
PRESSED = re.compile(r"\b[Pp]ress(?: the key)? `([^`]+)`")
"""What is to be pressed."""
NAMED = re.compile(r"(?<![\w`])(F\d+|\^[a-z]|alt\+[a-z]|Esc|Tab)\b")
"""Keys that are named in prose."""
GOES_ON = re.compile(r"\b[Tt]hen `(\d*[A-Za-z])` (?:to|goes|continues)")
"""Keys of the debugger later in a sentence."""
TYPED = re.compile(r"\b[Tt]ype `:?([^`]+)`")
"""Lines for the debugger's command line."""

LESSONS = [
    each
    for id in sorted(language_ids())
    for lesson in get_course(id)
    for each in (lesson, *lesson.drills)
]
"""Lessons and their drills."""
STATES = [each for each in LESSONS if each.task.kind == "state" and not each.drill_number]
each_lesson = pytest.mark.parametrize(
    "lesson",
    slow_except(LESSONS, *(each for each in LESSONS if not each.drill_number)),
    ids=[f"{each.language_id}-{each.name}" for each in LESSONS],
)


def texts(lesson: Lesson) -> Iterator[str]:
    yield from passages(lesson)


def keys_of_page() -> set[str]:
    """The keys that the table on the page of keys has."""
    rows = [line.split("|")[2] for line in PAGE.read_text().splitlines() if line.startswith("| `")]
    keys = {key for row in rows for key in re.findall(r"`([^`]+)`", row)}
    return {key.lower() if len(key) > 1 else key for key in keys}


def named_key(words: str) -> str:
    """A key as the page spells it."""
    key = words.replace("^", "ctrl+")
    return key.lower() if len(key) > 1 else key


@each_lesson
def test_every_key_that_a_lesson_names_works_on_the_screen(lesson: Lesson) -> None:
    known = keys_of_page()
    for text in texts(lesson):
        pressed = {*PRESSED.findall(text), *NAMED.findall(text), *GOES_ON.findall(text)}
        for words in pressed:
            key = named_key(words.lstrip("0123456789"))
            assert key in known, (words, text)


@each_lesson
def test_every_line_that_a_lesson_has_typed_is_a_command(lesson: Lesson) -> None:
    if lesson.view != "debug":
        return
    table = repl_table()
    for text in texts(lesson):
        for line in TYPED.findall(text):
            if len(line.split()) > 1:
                assert table.parse(line) is not None


@each_lesson
def test_every_key_of_a_lesson_is_a_command_of_the_repl(lesson: Lesson) -> None:
    table = repl_table()
    for text in texts(lesson):
        for spoken in lesson_lines(text):
            for word in re.findall(r"\b[Pp]ress(?: the key)? '([^']+)'", spoken):
                if word != ":":
                    assert table.parse(word) is not None, spoken


@each_lesson
def test_every_lesson_is_done_in_the_repl(lesson: Lesson, tmp_path: Path) -> None:
    if lesson.task.kind == "problem":
        return  # its tests take long; the learners below take them
    said: list[str] = []
    debugger = Debugger.open(lesson.language_id, find_language(lesson.language_id).sample())
    shell = DebuggerShell(LessonSession(debugger), said.append, strict=True)
    shell.run_line(f"lesson {lesson.name}")
    if lesson.task.kind == "state":
        shell.run_line(f"goto {lesson.solution.step}")
    elif lesson.task.kind == "answer":
        assert "type `answer TEXT` to answer" in said
        shell.run_line(f"answer {lesson.task.answers[0]}")
    else:
        assert (
            "type `check FILE` to test a program; F2, F5 and ^t work in `esoplay play`, not here"
            in said
        )
        file = tmp_path / "mine"
        assert lesson.solution.program is not None
        file.write_bytes(lesson.solution.program)
        shell.run_line(f"check {file}")
    assert any(line.startswith("task done") for line in said)


FOLLOWING = re.compile(
    r"^(?:Next:|End of the course\.) esoplay (learn \S+(?: \d\S*)?)", re.MULTILINE
)
FOOTER = re.compile(r"^(Debug|Start|Check|Hint|Drill \d): +esoplay (.+)$", re.MULTILINE)


@each_lesson
def test_the_commands_that_learn_prints_below_a_lesson_work(
    lesson: Lesson,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    kind, task, solution = lesson.task.kind, lesson.task, lesson.solution
    assert main(["learn", lesson.language_id, lesson.name]) == 0
    shown = capsys.readouterr().out
    for run in task.runs:
        assert f"  {quote_bytes(run.input)} prints {quote_bytes(run.output)}" in shown
    assert (f"Input  {quote_bytes(lesson.stdin)}" in shown) == bool(lesson.stdin)
    commands = dict(FOOTER.findall(shown))
    assert ("Debug" in commands) == (kind == "state")
    assert ("Start" in commands) == bool(kind in ("program", "problem") and lesson.program)
    assert len([each for each in commands if each.startswith("Drill")]) == len(lesson.drills)
    if "Debug" in commands:
        monkeypatch.setattr(sys, "stdin", io.StringIO(f"goto {solution.step}\n"))
        assert main(shlex.split(commands.pop("Debug"))) == 0
        assert "task done" in capsys.readouterr().out
    if "Start" in commands:
        words, sign, file = commands.pop("Start").rpartition(" > ")
        assert (sign, file) == (" > ", "FILE")
        assert main(shlex.split(words)) == 0
        assert capsys.readouterr().out.encode() == lesson.program
    if kind != "problem":  # the learners of tests/tui take it
        answer = "".join(task.answers[:1])
        words = commands["Check"].replace("STEP", str(solution.step)).replace("TEXT", answer)
        Path("FILE").write_bytes(solution.program or b"")
        assert main(shlex.split(words)) == 0
        (following,) = FOLLOWING.findall(capsys.readouterr().out)
        assert main(shlex.split(following)) == 0
    del commands["Check"]
    for name, command in commands.items():
        capsys.readouterr()
        assert main(shlex.split(command)) == 0
        shown = " ".join(capsys.readouterr().out.split())
        wanted = task.hints[0] if name == "Hint" else lesson.drills[int(name[-1]) - 1].task.say
        assert " ".join(plain_phrase(wanted).split()) in shown


# Performed one by one: tests/walks/instructions.txt.  tests/tui has the same on the screen.

INSTRUCTIONS = all_instructions()
COMMANDS = {"l": "s", "h": "S", "Home": "g"}
"""Keys of the screen that are other commands in the text debugger."""
OF_THE_SCREEN = {"F1", "F2", "^l", "Esc", "g", "p", "j", "k", "t"}
BY_LEARNERS = {"F5", "^t"}
"""Keys that the learners of tests/tui press in every lesson that has them."""
ELSEWHERE = {":", "Tab", "#", "Esc"}
"""The key that opens the command line; keys of the editor and Esc, which tests/tui presses."""

MENTIONED = (
    PRESSED,
    NAMED,
    GOES_ON,
    TYPED,
    re.compile(r"\b[Pp]ress ([A-Za-z])\b"),
    re.compile(r"\b(?:[Ss]tep with|press the key) `([^`]+)`"),
    re.compile(
        r"`(\d*[A-Za-z]|Home)` (?:again )?(?:goes|runs|continues|lists|takes \w+ steps|to go)"
    ),
    re.compile(r"`(\d+[lhsSG])`"),
    re.compile(r"\b(?:[Ww]ith|[Aa]fter|[Tt]ype) ([GH]|Home|\d+G)\b"),
    re.compile(r"\b(?:[Ww]ith|[Aa]fter(?: each)?) `([lhnNcCfFGiowv]|Home)`"),
    re.compile(r"(?<!`)\b([ow]) (?:shows|goes to the step)\b"),
    re.compile(r"\b(?:[Tt]ype|[Aa]fter|[Ww]ith) :([a-z]+ .+?),? (?:and press|press|go to)\b"),
)
each_followed = pytest.mark.parametrize("key", INSTRUCTIONS, ids=lambda key: f"{key[0]}-{key[1]}")


def command_of(key: str) -> str:
    """What to type in the text debugger for a key of the screen."""
    found = re.fullmatch(r"(\d*)([A-Za-z]+)", key)
    if found is None:
        return key.removeprefix(":")
    count, letter = found.groups()
    command = COMMANDS.get(letter)
    return key if command is None else f"{count} {command}".strip()


def in_text_debugger(each: Instruction) -> bool:
    return not OF_THE_SCREEN & {*each.first, *each.keys}


@each_followed
def test_each_passage_of_the_instructions_is_in_its_lesson(key: tuple[str, str]) -> None:
    said = list(passages(lesson_of(key)))
    for each in INSTRUCTIONS[key]:
        assert any(each.passage in text for text in said), each.passage


@each_lesson
def test_every_key_that_a_lesson_names_is_performed(lesson: Lesson) -> None:
    lines = INSTRUCTIONS.get((lesson.language_id, lesson.name), [])
    performed = {key.removeprefix(":") for each in lines for key in (*each.first, *each.keys)}
    if lesson.task.kind in ("program", "problem"):
        performed |= BY_LEARNERS
    for text in passages(lesson):
        for pattern in MENTIONED:
            for mentioned in pattern.findall(text):
                if mentioned not in ELSEWHERE and not _begins_a_command(mentioned, lesson):
                    assert mentioned.removeprefix(":") in performed, (mentioned, text)


def _begins_a_command(mentioned: str, lesson: Lesson) -> bool:
    """Whether it starts a command ("type `b` with a condition"), or is a program to type."""
    return mentioned == "b" or (lesson.view == "edit" and len(mentioned.split()) > 1)


@each_followed
def test_the_text_debugger_names_the_commands_that_a_lesson_needs(key: tuple[str, str]) -> None:
    for each in filter(in_text_debugger, INSTRUCTIONS[key]):
        spoken = lesson_phrase(each.passage)
        for command in map(command_of, each.keys):
            pattern = rf"(?<![\w:]){re.escape(' '.join(command.split()))}(?!\w)"
            assert re.search(pattern, spoken), (command, spoken)


@each_followed
def test_the_commands_lead_in_the_text_debugger_where_the_lesson_says(
    key: tuple[str, str],
) -> None:
    lesson = lesson_of(key)
    said: list[str] = []
    debugger = Debugger.open(lesson.language_id, find_language(lesson.language_id).sample())
    shell = DebuggerShell(LessonSession(debugger), said.append, strict=True)
    shell.run_line(f"lesson {lesson.name}")
    for each in filter(in_text_debugger, INSTRUCTIONS[key]):
        for command in map(command_of, (*each.first, *each.keys)):
            shell.run_line(command)
        assert each.step == shell.session.debugger.step, each.passage
        assert shell.session.task_done or not each.done, each.passage
    if any(each.view for each in INSTRUCTIONS[key]):
        assert any("work in `esoplay play`, not here" in line for line in said)


@each_followed
def test_learn_runs_the_same_commands_and_accepts_the_step_that_they_reach(
    key: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    language, number = key
    assert main(["learn", language, number]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert (
        "The keys above are for the terminal application; --repl opens the text debugger." in shown
    )
    lines = [*filter(in_text_debugger, INSTRUCTIONS[key])]
    commands = [command_of(name) for each in lines for name in (*each.first, *each.keys)]
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(commands)))
    assert main(["learn", language, number, "--repl"]) == 0
    shown = capsys.readouterr().out
    assert "error" not in shown
    done = [each.step for each in lines if each.done]
    assert ("task done" in shown) == bool(done)
    for step in done:
        assert main(["learn", language, number, "--step", str(step)]) == 0


@pytest.mark.parametrize("lesson", STATES, ids=lambda each: f"{each.language_id}-{each.number}")
def test_the_instructions_of_a_lesson_with_a_state_task_complete_it(lesson: Lesson) -> None:
    assert any(each.done for each in INSTRUCTIONS[lesson.language_id, lesson.name])


SHELL = re.compile(r"^ *(esoplay (?:run|learn|grade|debug|play|convert) [^\n]+)$", re.MULTILINE)


@each_lesson
def test_the_commands_of_the_shell_that_a_lesson_shows_work(
    lesson: Lesson, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    program = lesson.solution.program
    for line in SHELL.findall(lesson.text):
        words = line.split()[1:]
        files = [each for each in words if each.endswith(".wsa")]
        if {"notation=assembly", "--from"} & set(words) and program is not None:
            text = disassemble(_solution_of(words) or program)
            for file in files:
                Path(file).write_bytes(text)
        assert main(words) == 0, line


def _solution_of(words: list[str]) -> bytes | None:
    """The pack's solution of the problem that a command names."""
    if "--problem" not in words:
        return None
    return get_problem(words[words.index("--problem") + 1]).reference("whitespace")


@each_lesson
def test_markdown_changes_nothing_in_hints_but_what_is_marked_as_code(lesson: Lesson) -> None:
    for each in (lesson, *lesson.drills):
        for text in (each.task.say, *each.task.hints):
            bare = " ".join(CODE.sub("code", text).split())
            assert "`" not in bare, text
            assert plain_phrase(bare) == bare, text


CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")


def test_the_text_debugger_replies_to_a_mistake_with_its_own_commands() -> None:
    said: list[str] = []
    shell = DebuggerShell(LessonSession(Debugger.open("brainfuck", b"+")), said.append, strict=True)
    for line in ("lesson 1", "7 s", "task"):
        shell.run_line(line)
    assert "One step too far: the last '+' made it 3. Press 'S' to go back." in said
