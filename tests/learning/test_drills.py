"""Every lesson has two or three drills, and cheating fails in lessons and drills."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from selection import slow_except

from esolangs.registry import language_ids
from esolangs.whitespace.assembly import assemble
from esoplay.learning.checks import check_program, check_state, open_debugger
from esoplay.learning.lessons import Lesson, get_course

LESSONS = [lesson for language in language_ids() for lesson in get_course(language)]
DRILLS = [drill for lesson in LESSONS for drill in lesson.drills]


def in_brainfuck(lessons: list[Lesson]) -> list[Lesson]:
    return [lesson for lesson in lessons if lesson.language_id == "brainfuck"]


def name(lesson: Lesson) -> str:
    return f"{lesson.language_id}-{lesson.slug}"


@pytest.mark.parametrize("lesson", LESSONS, ids=name)
def test_a_lesson_has_two_or_three_drills(lesson: Lesson) -> None:
    assert 2 <= len(lesson.drills) <= 3
    tasks = {drill.task.say for drill in lesson.drills} | {lesson.task.say}
    assert len(tasks) == 1 + len(lesson.drills)


@pytest.mark.parametrize("drill", DRILLS, ids=name)
def test_a_drill_replies_to_a_mistake_and_gives_hints(drill: Lesson) -> None:
    assert drill.task.replies
    assert drill.task.hints
    assert len(drill.task.say) <= 200


# What cheats write: a constant output


def brainfuck(output: bytes) -> bytes:
    """One cell for each byte, and every instruction executed before anything is printed."""
    dead = b",+[-]>[]<"
    return dead + b">".join(b"+" * byte + b"." for byte in output)


def befunge(output: bytes) -> bytes:
    """Each byte by itself, and nearly every instruction executed before anything is printed."""
    dead = b"""\"a\"'a$:+:-!1*2/2%\\`00g00p1k1;a;#@0_"""
    return dead + b"".join(b"a," if byte == 10 else b"'%c," % byte for byte in output) + b"@"


def shakespeare(output: bytes) -> bytes:
    """Each byte by itself, and nearly every sentence executed before anything is printed."""
    dead = (
        "Open your mind! Remember me. Recall it. You are the product of me and the remainder of "
        "the quotient between twice the square of a pig and the cube of the difference between "
        "a cat and nothing. Are you better than nothing? If so, let us proceed to scene II."
    )
    spoken = ""
    for byte in output:
        number = "nothing"
        for bit in f"{byte:b}":
            number = f"the sum of twice {number} and a cat" if bit == "1" else f"twice {number}"
        spoken += f" You are {number}. Speak your mind!"
    play = "A Cheat.\nRomeo, x.\nJuliet, y.\nAct I: x.\nScene I: x.\n[Enter Romeo and Juliet]\n"
    return f"{play}Romeo: {dead}\nScene II: x.\nRomeo:{spoken} You are a cat.\n[Exeunt]\n".encode()


def unlambda(output: bytes) -> bytes:
    """A chain of printing functions, and nearly every other one applied before it prints."""
    applied = (b"``kii", b"```siii", b"``dii", b"`ci", b"`vi", b"`@i", b"`|i", b"`?xi")
    dead = b"".join(b"```ki" + each for each in applied)
    return dead + b"`" * len(output) + b"".join(b".%c" % byte for byte in output) + b"i"


def whitespace(output: bytes) -> bytes:
    """Each byte by itself, and nearly every instruction executed before anything is printed."""
    dead = "push 1 dup copy 1 slide 1 swap add push 1 sub push 1 mul push 1 div push 1 mod discard"
    dead += " push 7 dup store push 7 retrieve jz f push 0 jz s label s push -1 jn t label t"
    dead += " call f jump g label f return label g"
    code = "".join(f"push {byte} printc " for byte in output) + "end"
    words = re.sub(r" (?=[a-z]{2})", "\n", f"{dead} {code}")
    return assemble(words.encode()).source


PRINTERS: dict[str, Callable[[bytes], bytes]] = {
    "befunge-98": befunge,
    "brainfuck": brainfuck,
    "shakespeare": shakespeare,
    "unlambda": unlambda,
    "whitespace": whitespace,
}
CHEATED = [drill for drill in DRILLS if drill.task.kind == "program"]


@pytest.mark.parametrize("drill", slow_except(CHEATED, *in_brainfuck(CHEATED)), ids=name)
def test_a_constant_output_after_dead_instructions_is_not_a_solution(drill: Lesson) -> None:
    report = check_program(drill, PRINTERS[drill.language_id](drill.task.runs[0].output))
    assert report is not None
    assert report.tests[0].passed
    assert not report.done


FIXED_TEXTS = {
    "befunge-98": {4, 5},
    "brainfuck": {3, 9},
    "shakespeare": {3, 4, 5},
    "unlambda": {2, 11},
    "whitespace": {3, 4, 5, 12},
}
"""Lessons whose task is to print a text that is given, without any input."""
TASKS = [lesson for lesson in LESSONS if lesson.task.kind == "program"]


@pytest.mark.parametrize("lesson", slow_except(TASKS, *in_brainfuck(TASKS)), ids=name)
def test_a_constant_output_is_no_solution_of_a_lesson_with_input(lesson: Lesson) -> None:
    task = lesson.task
    report = check_program(lesson, PRINTERS[lesson.language_id](task.runs[0].output))
    assert report is not None
    fixed = lesson.number in FIXED_TEXTS[lesson.language_id]
    assert report.done == fixed
    assert not fixed or not any(run.input for run in (*task.runs, *task.hidden_runs))


PLAIN = (
    ("befunge-98", 4, "'C,'a,'t,@\"x\""),
    ("befunge-98", 5, "'E,@_"),
    ("whitespace", 4, "push 7\nprintn\nend\npush 1\npush 2\nswap\nsub\n"),
    ("whitespace", 5, "push 511\nprintn\nend\npush 5\ncopy 0\n"),
)


@pytest.mark.parametrize(("language", "number", "cheat"), PLAIN)
def test_an_instruction_after_the_end_is_not_used(language: str, number: int, cheat: str) -> None:
    source = assemble(cheat.encode()).source if language == "whitespace" else cheat.encode()
    report = check_program(get_course(language).lesson(number), source)
    assert report is not None
    assert report.tests[0].passed
    assert not report.done


STATES = [drill for drill in DRILLS if drill.task.kind == "state"]
MAX_SOUGHT = 5_000
"""Steps of the program of a drill that asks for a state."""


@pytest.mark.parametrize("drill", slow_except(STATES, *in_brainfuck(STATES)), ids=name)
def test_the_state_of_a_drill_is_not_at_the_start_nor_the_end_and_is_rare(drill: Lesson) -> None:
    debugger = open_debugger(drill)
    debugger.seek(MAX_SOUGHT)
    assert not check_state(drill, debugger).done
    last, done, replies = debugger.step, 0, set[str]()
    for step in range(last):
        debugger.seek(step)
        report = check_state(drill, debugger)
        done += report.done
        replies |= {report.reply or ""}
        assert step > 1 or not report.done
    assert 1 <= done <= 1 + last // 20
    assert {each.say for each in drill.task.replies} <= replies


@pytest.mark.parametrize("drill", [each for each in DRILLS if each.task.kind == "answer"], ids=name)
def test_the_answer_of_a_drill_is_not_in_its_question(drill: Lesson) -> None:
    words = drill.task.say.casefold().replace(".", " ").replace(",", " ").split()
    assert not set(words) & {answer.casefold() for answer in drill.task.answers}
