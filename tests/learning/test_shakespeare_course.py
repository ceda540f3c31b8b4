"""The course in Shakespeare: its instructions work, its word list is right, cheating fails."""

from __future__ import annotations

import re

import pytest
from shell import esoplay

from esolangs.shakespeare import words
from esoplay.learning.checks import check_program
from esoplay.learning.lessons import Lesson, get_course

COURSE = get_course("shakespeare")


def lesson(slug: str) -> Lesson:
    return next(each for each in COURSE if each.slug[3:] == slug)


def conversation(of: Lesson, *commands: str) -> str:
    asked = "".join(f"{command}\n" for command in commands)
    done = esoplay("learn", "shakespeare", str(of.number), "--repl", stdin=asked.encode())
    assert b"error:" not in done.stdout, done.stdout.decode()
    return done.stdout.decode()


def test_the_commands_of_the_lesson_on_breakpoints_work_in_the_text_debugger() -> None:
    loop = lesson("back-to-an-earlier-scene")
    for command in ("b juliet == 256", "b at scene III"):
        assert command in loop.text
    said = conversation(
        loop, "b juliet == 256", "c", "C", "f", "b at scene III", "c", "c", "c", "c"
    )
    assert "breakpoint 1: if juliet == 256" in said
    assert "task done" in said


def test_the_commands_of_the_lesson_on_mistakes_lead_to_the_wrong_sentence() -> None:
    mistake = lesson("finding-a-mistake-backwards")
    assert "`w juliet`" in mistake.text
    assert "`w romeo`" in mistake.text
    said = conversation(mistake, "G", "o", "w juliet", "G", "w romeo")
    assert 'printed: "3"' in said
    assert "\nstep 2, " in said  # after the number was read
    assert "\nstep 4, " in said  # after the product became Romeo's number


def test_the_words_of_the_lesson_on_words_are_known() -> None:
    lists = {
        "nice nouns": words.POSITIVE_NOUNS,
        "plain nouns": words.NEUTRAL_NOUNS,
        "nasty nouns": words.NEGATIVE_NOUNS,
        "nice adjectives": words.POSITIVE_ADJECTIVES,
        "plain adjectives": words.NEUTRAL_ADJECTIVES,
        "nasty adjectives": words.NEGATIVE_ADJECTIVES,
    }
    text = lesson("the-words-it-knows").text
    rows = dict(re.findall(r"^\| ([a-z]+ [a-z]+) \| (.*) \|$", text, re.MULTILINE))
    assert rows.keys() == lists.keys()
    for kind, row in rows.items():
        known = {" ".join(word.split()) for word in lists[kind].split(",")}
        assert set(row.split(", ")) <= known, kind
    named, others = re.findall(r"of their own: ([^.]*) and (\d+)\s+others", text)[0]
    names = [" ".join(name.split()) for name in named.split(",")]
    assert set(names) <= set(words.NAMES_IN_ORDER)
    assert len(names) + int(others) == len(words.NAMES_IN_ORDER)


@pytest.mark.parametrize(
    "of",
    [each for each in COURSE if each.task.kind == "program" and each.task.hidden_runs],
    ids=lambda of: of.slug,
)
def test_the_output_of_the_first_run_alone_is_not_a_solution(of: Lesson) -> None:
    constant = of.task.runs[0].output
    sentences = "".join(f" You are {number(byte)}.\n Speak your mind!\n" for byte in constant)
    play = (
        "A Cheat.\nRomeo, x.\nJuliet, y.\nAct I: x.\nScene I: x.\n[Enter Romeo and Juliet]\n"
        f"Romeo:\n{sentences}[Exeunt]\n"
    )
    report = check_program(of, play.encode())
    assert report is not None
    assert report.tests[0].passed
    assert not report.done


def number(value: int) -> str:
    powers = [power for power in range(8) if value >> power & 1]
    words = [f"a {'big ' * power}cat" for power in powers]
    return " the sum of ".join(["", *(f"{word} and" for word in words[:-1])]) + " " + words[-1]


FIRST_USE = {
    "you are": 2,
    "open your heart": 3,
    "speak your mind": 3,
    "the sum of": 5,
    "the difference between": 5,
    "the product of": 5,
    "the quotient between": 5,
    "twice": 5,
    "the square of": 5,
    "the cube of": 5,
    "listen to your heart": 6,
    "open your mind": 6,
    "better than": 7,
    "worse than": 7,
    "if so": 7,
    "if not": 7,
    "nothing?": 7,
    "return to scene": 8,
    "proceed to scene": 8,
    "the remainder of": 10,
    "remember": 12,
    "recall": 12,
}
"""Sentences and values, and the lesson that explains each."""


def test_nothing_is_used_before_it_is_explained() -> None:
    for phrase, explained in FIRST_USE.items():
        text = COURSE.lesson(explained).text
        named = phrase.split()[0] if phrase.endswith("than") else phrase
        assert named in " ".join(text.lower().split()).replace("`", ""), phrase
        for earlier in COURSE.lessons[: explained - 1]:
            for each in (earlier, *earlier.drills):
                programs = (each.program, each.solution.program or b"")
                plays = " ".join(b" ".join(programs).decode().lower().split())
                assert phrase not in plays, (phrase, each.name)
