"""Hints on languages: there are some for every problem, and none contains a solution."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from esolangs.limits import MEBIBYTE, Limits
from esolangs.registry import find_language, language_ids
from esoplay.grading import grader
from esoplay.grading.grader import HiddenTestCache, first_failure
from esoplay.packs.catalogue import get_pack
from esoplay.packs.hints import (
    FOLDER,
    MAX_AFTER_WRITTEN,
    MAX_HINTS,
    WRITTEN_FOLDER,
    all_hints,
    find_traits,
    language_hints,
    read_written_hints,
)
from esoplay.packs.references import find_reference
from esoplay.paths import problems_folder
from esoplay.running.worker import Worker

LANGUAGES = sorted(language_ids())
LONGEST = {"brainfuck": 3, "befunge-98": 3, "unlambda": 3}
"""Instructions in a row that a hint may show, in languages whose instructions are characters."""
LONGEST_WRITTEN = 48
"""Characters of code in a row that a hint may show which was written for one problem."""
WRITTEN_FILES = sorted((problems_folder() / WRITTEN_FOLDER).glob("*.toml"))
each_written = pytest.mark.parametrize("file", WRITTEN_FILES, ids=lambda file: file.stem)
CODE = re.compile(r"``\s(.+?)\s``|`([^`]+)`|“(.+?)”|\"([^\"]+)\"")


def marked_code(text: str) -> Iterator[str]:
    """What a hint marks as code: between backticks or quotation marks."""
    for found in CODE.finditer(text):
        yield next(filter(None, found.groups()))


def snippets(language: str) -> Iterator[str]:
    for hint in language_hints(language):
        yield from marked_code(hint.text)


def programs(language: str, snippet: str) -> Iterator[bytes]:
    """Programs that contain a snippet: alone, repeated, ended, and in sample and starter."""
    code = snippet.encode()
    yield from (code, code * 2, code + b"@")
    found = find_language(language)
    for frame in (found.starter(), found.sample()):
        yield from (frame + code, code + frame)


def test_every_language_has_hints_and_every_problem_has_some() -> None:
    assert {file.stem for file in FOLDER.glob("*.toml")} == set(LANGUAGES)
    pack = get_pack()
    for language in LANGUAGES:
        for problem in pack:
            own = all_hints(problem, language)[len(problem.hints) :]
            assert 1 <= len(own) <= MAX_HINTS, (language, problem.id)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_category_and_trait_has_a_hint(language: str) -> None:
    pack = get_pack()
    known = language_hints(language)
    assert {name for each in known for name in each.categories} == set(pack.categories)
    traits = {trait for problem in pack for trait in find_traits(problem)}
    assert {trait for each in known for trait in each.when} <= traits


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_hint_shows_more_than_a_few_instructions_in_a_row(language: str) -> None:
    for snippet in snippets(language):
        longest = LONGEST.get(language, 40)
        assert len(snippet) <= longest, snippet
        if language == "whitespace":
            assert " " not in snippet, snippet


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_snippet_of_a_hint_solves_a_problem(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = Limits(steps=20_000, output=10_000, memory=16 * MEBIBYTE)  # many do not end
    monkeypatch.setattr(grader, "GRADING_LIMITS", limits)
    pack, derived = get_pack(), HiddenTestCache()
    tried = {each for snippet in snippets(language) for each in programs(language, snippet)}
    with Worker() as worker:
        for problem in pack:
            for program in sorted(tried):
                assert first_failure(
                    problem,
                    language,
                    program,
                    dialect="standard",
                    worker=worker,
                    test_cache=derived,
                ), (problem.id, program)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["befunge-98", "shakespeare", "unlambda"])
def test_no_hint_contains_a_line_of_a_reference(language: str) -> None:
    """Whitespace and Brainfuck show no code that is longer than an instruction or three."""
    texts = [hint.text for hint in language_hints(language)]
    for problem in get_pack().problems[::8]:
        reference = find_reference(problem, language)
        if reference is None:
            continue
        for line in reference.program.decode("utf-8", "replace").splitlines():
            code = line.strip()
            assert len(code) < 12 or not any(code in text for text in texts), (problem.id, code)


# Hints that were written for one problem in one language


@each_written
def test_every_problem_has_a_written_hint_that_comes_fourth(file: Path) -> None:
    assert file.stem in LANGUAGES
    pack, written = get_pack(), read_written_hints(problems_folder(), file.stem)
    assert set(written) == {problem.id for problem in pack}
    assert len({text.casefold() for text in written.values()}) == len(written)
    for problem in pack:
        shown = all_hints(problem, file.stem)
        assert shown[: len(problem.hints) + 1] == (*problem.hints, written[problem.id])
        assert len(shown) == len(set(shown)) <= len(problem.hints) + 1 + MAX_AFTER_WRITTEN


@each_written
def test_no_written_hint_shows_much_code_in_a_row(file: Path) -> None:
    for id, text in read_written_hints(problems_folder(), file.stem).items():
        for snippet in marked_code(text):
            assert len(snippet) <= LONGEST_WRITTEN, (id, snippet)


@pytest.mark.slow
@each_written
def test_no_written_hint_solves_its_problem(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits(steps=20_000, output=10_000, memory=16 * MEBIBYTE)  # many do not end
    monkeypatch.setattr(grader, "GRADING_LIMITS", limits)
    language, derived = file.stem, HiddenTestCache()
    with Worker() as worker:
        for problem in get_pack():
            text = read_written_hints(problems_folder(), language)[problem.id]
            codes = [*marked_code(text), " ".join(marked_code(text)), text]
            for program in {each for code in codes for each in programs(language, code)}:
                assert first_failure(
                    problem,
                    language,
                    program,
                    dialect="standard",
                    worker=worker,
                    test_cache=derived,
                ), (problem.id, program)
