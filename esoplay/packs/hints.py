"""Hints on solving a problem in a language: a hint written for the problem, and general hints.

These hints follow the hints of the problem itself, which are the same for every language. A pack
may have a file ``hints/LANGUAGE.toml`` with one hint for each of its problems, keyed by id. The
folder ``language_hints`` has a file for each language, found by its name, with general hints; only
hints that suit the problem's category, input and output are shown. No hint contains a solution.
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Literal

from esolangs.wording import suggest
from esoplay.decoding import DecodingError, StrictTable, Text, Texts, decode
from esoplay.errors import PackError
from esoplay.grading.problem import Problem
from esoplay.packs.catalogue import get_pack
from esoplay.paths import problems_folder

FOLDER = Path(__file__).parent / "language_hints"

WRITTEN_FOLDER = "hints"
"""The folder of a pack with hints for its problems, one file per language."""

MAX_HINTS = 3
"""Maximum number of general hints that are shown for a problem."""
MAX_AFTER_WRITTEN = 2
"""Maximum number of general hints after a hint written for the problem in the language."""

Trait = Literal[
    "input none",
    "input numbers",
    "input text",
    "input lines",
    "output number",
    "output numbers",
    "output text",
]
"""A property of input or output in a problem's public examples."""


class LanguageHint(StrictTable):
    """A hint on a construct of a language.

    categories: categories of suitable problems; empty for all. when: traits that a problem must
    have.
    """

    construct: Text
    text: Text
    categories: Texts = ()
    when: tuple[Trait, ...] = ()


class LanguageHints(StrictTable):
    """A file of hints, in the order in which they are shown."""

    hints: tuple[LanguageHint, ...]


@lru_cache(maxsize=16)
def language_hints(language_id: str) -> tuple[LanguageHint, ...]:
    """Return all general hints on a language; empty if the language has no file.

    Raises PackError if the file is invalid.
    """
    file = FOLDER / f"{language_id}.toml"
    if not file.is_file():
        return ()
    try:
        return decode(tomllib.loads(file.read_text("utf-8")), LanguageHints).hints
    except (OSError, ValueError, DecodingError) as error:
        raise PackError(f"{file}: {error}") from error


def read_written_hints(folder: Path, language_id: str) -> dict[str, str]:
    """Return the hints of the pack in ``folder`` for a language, by problem id.

    Returns {} if the language has no file. Raises PackError, which names file and key, if the file
    is invalid.
    """
    file = folder / WRITTEN_FOLDER / f"{language_id}.toml"
    try:
        stamp = file.stat().st_mtime_ns
    except OSError:
        return {}
    return _read_hints_file(file, stamp)


@lru_cache(maxsize=16)
def _read_hints_file(file: Path, stamp: int) -> dict[str, str]:
    """Read a file of hints; the cache key ``stamp`` is its modification time."""
    folder = file.parent.parent
    try:
        hints = decode(tomllib.loads(file.read_text("utf-8")), dict[str, Text])
    except (OSError, ValueError, DecodingError) as error:
        raise PackError(f"{file}: {error}") from error
    ids = {each.id for each in get_pack(None if folder == problems_folder() else folder)}
    for id in hints:
        if id not in ids:
            raise PackError(f"{file}: {id}: unknown problem{suggest(id, ids)}")
    return hints


def all_hints(problem: Problem, language_id: str) -> tuple[str, ...]:
    """Return the problem's hints, its hint for this language, then general hints.

    General hints on input and output precede hints on the category of the problem.
    """
    written = read_written_hints(problem.folder.parent, language_id).get(problem.id)
    general = _general_hints(problem, language_id)
    if written is None:
        return (*problem.hints, *general[:MAX_HINTS])
    return (*problem.hints, written, *general[:MAX_AFTER_WRITTEN])


def _general_hints(problem: Problem, language_id: str) -> list[str]:
    known, traits = language_hints(language_id), find_traits(problem)
    fitting = [
        each
        for each in known
        if (not each.categories or problem.category in each.categories)
        and traits.issuperset(each.when)
    ]
    fitting.sort(key=lambda each: not each.when)  # stable sort: hints on input and output first
    return [each.text for each in fitting]


def find_traits(problem: Problem) -> frozenset[Trait]:
    """Return the traits of input and output that a problem's public examples show."""
    inputs = [each.input for each in problem.examples]
    outputs = [each.output for each in problem.examples]
    traits: set[Trait] = set()
    if not any(inputs):
        traits.add("input none")
    elif all(map(_has_only_numbers, inputs)):
        traits.add("input numbers")
    else:
        traits.add("input text")
    if any(b"\n" in each for each in inputs):
        traits.add("input lines")
    if not all(map(_has_only_numbers, outputs)):
        traits.add("output text")
    elif all(len(each.split()) == 1 for each in outputs):
        traits.add("output number")
    else:
        traits.add("output numbers")
    return frozenset(traits)


def _has_only_numbers(data: bytes) -> bool:
    words = data.split()
    return bool(words) and all(word.removeprefix(b"-").isdigit() for word in words)
