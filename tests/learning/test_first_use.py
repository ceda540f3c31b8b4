"""No lesson uses an instruction before it, or an earlier one, names that instruction."""

from __future__ import annotations

import re

import pytest

from esoplay.learning.lessons import Lesson, get_course

QUOTED = re.compile(r"(`+)(.+?)\1(?!`)", re.S)
BLOCK = re.compile(r"^(?:    .*|```[\s\S]*?^```)$", re.M)


def brainfuck(source: str) -> set[str]:
    return set(source) & set("+-<>[].,")


def befunge(source: str) -> set[str]:
    """Without texts, skipped cells, remarks, and characters fetched from the west or the east."""
    code = re.sub(r"(?m)^(?:[a-z0-9]+ ){3,}.*$", "", source)
    code = re.sub(r'"[^"\n]*"|;[^;\n]*;|\'[^ \n]|[^ \n]\' ', " ", code)
    return set(code) - set(" \n0123456789abcdef")


def unlambda(source: str) -> set[str]:
    code = re.sub(r"#.*", "", source)
    with_characters = set(re.findall(r"([.?])[\s\S]", code))
    return with_characters | set(re.sub(r"[.?][\s\S]", "", code)) - set(" \n\t")


USED = {"brainfuck": brainfuck, "befunge-98": befunge, "unlambda": unlambda}
CASES = [(language, lesson) for language in USED for lesson in get_course(language).lessons]


@pytest.mark.parametrize(
    ("language", "taken"), CASES, ids=[f"{language}-{lesson.slug}" for language, lesson in CASES]
)
def test_no_instruction_is_used_before_it_is_named(language: str, taken: Lesson) -> None:
    texts = "\n".join(each.text for each in get_course(language).lessons[: taken.number])
    named = set("".join(quoted for _, quoted in QUOTED.findall(texts)))
    named |= set("".join(BLOCK.findall(texts)))
    exercises = (taken, *taken.drills)
    named |= set(
        "".join(quoted for each in exercises for _, quoted in QUOTED.findall(each.task.say))
    )
    programs = [each.program for each in exercises]
    programs += [each.solution.program or b"" for each in exercises]
    used = set[str]().union(*(USED[language](each.decode("latin-1")) for each in programs))
    assert used - named == set()
