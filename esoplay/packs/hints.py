"""Hints on a problem in a language: by its category, and by what it reads and prints.

They follow the hints of the problem itself, which are the same for every language.  The folder
``language_hints`` has a file for each language, found by its name.  No hint contains a solution.
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Literal

from esoplay.decoding import Mistake, Table, Text, Texts, decode
from esoplay.errors import PackError
from esoplay.grading.problem import Problem

FOLDER = Path(__file__).parent / "language_hints"

MOST = 3
"""Hints on the language that are shown for a problem."""

Trait = Literal[
    "input none",
    "input numbers",
    "input text",
    "input lines",
    "output number",
    "output numbers",
    "output text",
]
"""What the public examples of a problem read and print."""


class LanguageHint(Table):
    """A hint on a construct of a language.

    categories: of problems; any if empty.  when: what a problem must read or print for it.
    """

    construct: Text
    text: Text
    categories: Texts = ()
    when: tuple[Trait, ...] = ()


class LanguageHints(Table):
    """A file of hints, in the order in which they are shown."""

    hints: tuple[LanguageHint, ...]


@lru_cache(maxsize=16)
def language_hints(language_id: str) -> tuple[LanguageHint, ...]:
    """All hints on a language; none for one without a file.  Raises PackError."""
    file = FOLDER / f"{language_id}.toml"
    if not file.is_file():
        return ()
    try:
        return decode(tomllib.loads(file.read_text("utf-8")), LanguageHints).hints
    except (OSError, ValueError, Mistake) as error:
        raise PackError(f"{file}: {error}") from error


def hints_of(problem: Problem, language_id: str) -> tuple[str, ...]:
    """The hints on a problem in a language: its own, then those on the language.

    Those on its input and output come before those on its category.
    """
    known, traits = language_hints(language_id), traits_of(problem)
    fitting = [
        each
        for each in known
        if (not each.categories or problem.category in each.categories)
        and traits.issuperset(each.when)
    ]
    fitting.sort(key=lambda each: not each.when)  # stable: input and output decide first
    return (*problem.hints, *(each.text for each in fitting[:MOST]))


def traits_of(problem: Problem) -> frozenset[Trait]:
    """What the public examples read and print."""
    inputs = [each.input for each in problem.examples]
    outputs = [each.output for each in problem.examples]
    traits: set[Trait] = set()
    if not any(inputs):
        traits.add("input none")
    elif all(map(_numbers, inputs)):
        traits.add("input numbers")
    else:
        traits.add("input text")
    if any(b"\n" in each for each in inputs):
        traits.add("input lines")
    if not all(map(_numbers, outputs)):
        traits.add("output text")
    elif all(len(each.split()) == 1 for each in outputs):
        traits.add("output number")
    else:
        traits.add("output numbers")
    return frozenset(traits)


def _numbers(data: bytes) -> bool:
    words = data.split()
    return bool(words) and all(word.removeprefix(b"-").isdigit() for word in words)
