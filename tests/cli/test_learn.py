"""``esoplay learn``: lessons without the terminal application."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from shell import esoplay

from esoplay.cli.prose import plain_phrase
from esoplay.learning.lessons import get_course

COURSE = get_course("brainfuck")


def test_courses_and_their_lessons_are_listed() -> None:
    courses = json.loads(esoplay("learn", "--json").stdout)["courses"]
    assert {"language": "brainfuck", "lessons": len(COURSE)} in courses
    listed = esoplay("learn", "brainfuck").stdout.decode()
    assert [line.split(maxsplit=1)[1] for line in listed.partition("\n\n")[0].splitlines()] == [
        lesson.title for lesson in COURSE
    ]


def test_a_lesson_is_shown_with_as_many_hints_as_wanted() -> None:
    shown = esoplay("learn", "brainfuck", "3", "--hints", "1").stdout.decode()
    lesson = COURSE.lesson(3)
    assert lesson.title in shown
    assert plain_phrase(lesson.task.say) in shown
    assert "Hint 1" in shown
    assert "Hint 2" not in shown
    told = json.loads(esoplay("learn", "brainfuck", "3", "--json").stdout)
    assert told["text"] == lesson.text
    assert "solution" not in told
    assert esoplay("learn", "brainfuck", "3", "--program").stdout == lesson.program


def test_a_program_is_checked(tmp_path: Path) -> None:
    lesson, file = COURSE.lesson(4), tmp_path / "mine.bf"
    file.write_bytes(lesson.program)
    done = esoplay("learn", "brainfuck", "4", "--check", file)
    assert done.returncode == 1
    assert b'expected  "abc"' in done.stdout
    assert b'got       "aaa"' in done.stdout
    assert lesson.solution.program is not None
    done = esoplay("learn", "brainfuck", "4", "--check", "-", stdin=lesson.solution.program)
    assert done.returncode == 0
    assert plain_phrase(lesson.task.done_text) in " ".join(done.stdout.decode().split())


@pytest.mark.slow
def test_a_drill_is_named_by_its_lesson_and_a_dot() -> None:
    shown = esoplay("learn", "brainfuck", "3.1").stdout
    assert shown == esoplay("learn", "brainfuck", "3", "--drill", "1").stdout
    assert shown == esoplay("learn", "brainfuck", "3.1", "--drill", "1").stdout
    both = esoplay("learn", "brainfuck", "3.1", "--drill", "2")
    assert both.returncode == 2
    assert b"name different drills" in both.stderr
    for wrong in ("3.", "x", "-1", "3.1.2"):
        refused = esoplay("learn", "brainfuck", wrong)
        assert refused.returncode == 2
        assert b"Traceback" not in refused.stderr


@pytest.mark.parametrize(("step", "code"), [("5", 1), ("6", 0)])
def test_a_state_is_checked_at_a_step(step: str, code: int) -> None:
    done = esoplay("learn", "brainfuck", "1", "--step", step, "--json")
    assert done.returncode == code
    assert json.loads(done.stdout)["done"] == (code == 0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("brainfuck", "99"), "has lessons 1 to 20"),
        (("nosuch", "1"), "is not installed"),
        (("brainfuck", "--step", "1"), "expected a lesson"),
        (("brainfuck", "1", "--check", "/no/such.bf"), "cannot read /no/such.bf"),
        (("brainfuck", "1", "--answer", "2"), "requires a position in the debugger"),
    ],
)
def test_an_invalid_combination_is_a_usage_error(arguments: tuple[str, ...], words: str) -> None:
    done = esoplay("learn", *arguments)
    assert done.returncode == 2
    assert words in done.stderr.decode()


def test_a_language_that_was_added_brings_its_own_course(tmp_path: Path) -> None:
    import shutil

    sixth = Path(__file__).parents[1] / "house" / "sixth" / "countfish"
    shutil.copytree(sixth, tmp_path / "countfish", ignore=shutil.ignore_patterns("__pycache__"))
    env = {"ESOPLAY_LANGUAGES": str(tmp_path)}
    assert b"no course in countfish" in esoplay("learn", "countfish", **env).stdout
    lessons = tmp_path / "countfish" / "lessons"
    lessons.mkdir()
    (lessons / "01-a-number.toml").write_text(
        "title = 'A number'\ntext = 'd counts down.'\nview = 'debug'\nprogram = 'r d d'\n"
        "stdin = '5'\n[task]\nsay = 'Count to 52.'\nhints = ['press l']\ndone = 'Yes.'\n"
        "when = 'value == 52'\n[solution]\nstep = 2\n"
    )
    done = esoplay("learn", "countfish", "--prove", **env)
    assert (done.returncode, done.stdout.split()) == (0, [b"01-a-number", b"proved"])


def test_whitespace_in_a_program_is_shown_as_visible_characters() -> None:
    shown = esoplay("learn", "whitespace", "2").stdout.decode()
    program = shown[shown.index("Program\n") : shown.index("Task")]
    lesson = get_course("whitespace").lesson(2)
    signs = program.removeprefix("Program\n").translate({ord("·"): " ", ord("→"): "\t"})
    lines = [line.removeprefix("  ") for line in signs.split("\n")]
    assert "\n".join(lines).replace("¶", "").strip("\n") == lesson.program.decode().strip("\n")


@pytest.mark.parametrize(
    ("source", "settings", "words"),
    [
        ("push 0\nreadn\n", (), "add --set notation=assembly"),
        ("SSSL TLTT", (), "add --set notation=visible"),
        ("zero···¶\n", (), "the file contains ·, → and ¶, which are comments"),
        ("push 0\nreadn\n", ("--set", "notation=assembly"), "the task requires mul"),
    ],
)
def test_the_notation_of_a_program_can_be_set_and_a_wrong_one_is_detected(
    tmp_path: Path, source: str, settings: tuple[str, ...], words: str
) -> None:
    file = tmp_path / "mine.txt"
    file.write_text(source)
    done = esoplay("learn", "whitespace", "14", "--check", file, *settings)
    assert done.returncode == 1
    assert words in done.stdout.decode()
    assert ("--set" in done.stdout.decode()) == (not settings)


def test_a_lesson_takes_its_program_in_assembly() -> None:
    words = b"push 0\nreadn\npush 0\nretrieve\npush 10\nmul\nprintn\nend\n"
    check = ("learn", "whitespace", "14", "--check", "-", "--set")
    assert esoplay(*check, "notation=assembly", stdin=words).returncode == 0
    refused = esoplay(*check, "eof=0", stdin=words)
    assert refused.returncode == 2
    assert b"--set accepts only notation" in refused.stderr


@pytest.mark.slow
@pytest.mark.parametrize("notation", ["visible", "assembly"])
def test_a_lesson_prints_its_program_in_the_notation_that_it_takes(notation: str) -> None:
    lesson = ("learn", "whitespace", "16")
    printed = esoplay(*lesson, "--program", "--set", f"notation={notation}").stdout
    checked = esoplay(*lesson, "--check", "-", "--set", f"notation={notation}", stdin=printed)
    reply = get_course("whitespace").lesson(16).task.replies[0].say  # to the program it begins with
    assert reply in checked.stdout.decode()
    assert b"\t" not in printed
    refused = esoplay("learn", "brainfuck", "3", "--program", "--set", "notation=visible")
    assert refused.returncode == 2


def test_a_task_about_a_place_names_the_text_debugger() -> None:
    assert (
        b"Debug: esoplay learn whitespace 1 --repl\n" in esoplay("learn", "whitespace", "1").stdout
    )
    assert b"Debug:" not in esoplay("learn", "whitespace", "3").stdout


def test_a_lesson_names_its_next_hint_as_long_as_there_is_one() -> None:
    hints = len(get_course("whitespace").lesson(1).task.hints)
    for shown in range(hints + 1):
        printed = esoplay("learn", "whitespace", "1", "--hints", str(shown)).stdout.decode()
        named = f"Hint:  esoplay learn whitespace 1 --hints {shown + 1}\n" in printed
        assert named == (shown < hints)
