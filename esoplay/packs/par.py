"""Comparison of a solution with the pack's: approach, steps and bytes on the same tests."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple

from esolangs.registry import find_language
from esoplay.grading.problem import Problem
from esoplay.packs.grading import grade_source
from esoplay.packs.references import reference_digest, reference_of
from esoplay.packs.stars import BY_HAND, GENERATED, SolutionSize, stars_of
from esoplay.programs.execution import code_size


class Par(NamedTuple):
    """The pack's solution of a problem in a language. approach: in words, or empty."""

    figures: SolutionSize
    origin: str
    approach: str


def measure_par(problem: Problem, language_id: str) -> Par | None:
    """Run the pack's solution on the practice tests; None if no solution passes.

    Each version runs once per process. Raises like ``grade_source`` and ``reference_of``.
    """
    digest = reference_digest(problem, language_id)
    return None if digest is None else _measure(problem, language_id, digest)


@lru_cache(256)
def _measure(problem: Problem, language_id: str, digest: str) -> Par | None:
    reference = reference_of(problem, language_id)
    if reference is None:
        return None
    report = grade_source(problem.id, language_id, reference.program, pack=problem.folder.parent)
    if not report.solved:
        return None
    program = reference.program
    figures = SolutionSize(report.total_steps, code_size(language_id, program))
    approach = approach_of(program, language_id) if reference.by_hand else ""
    return Par(figures, BY_HAND if reference.by_hand else GENERATED, approach)


def comparison_lines(own: SolutionSize, par: Par, best: SolutionSize | None = None) -> list[str]:
    """Return lines that compare your solution with the pack's: approach, steps, bytes, and stars.

    ``best``: the best figures of all your solutions, which determine the stars.
    """
    approach = [f"its approach: {par.approach}"] if par.approach else []
    theirs = par.figures
    return [
        *approach,
        f"steps on the hidden tests: yours {own.steps:,}, the pack's {theirs.steps:,}",
        f"bytes of code: yours {own.size:,}, the pack's {theirs.size:,} ({par.origin})",
        stars_of(best or own, theirs).words(),
    ]


def comparison_as_json(own: SolutionSize, par: Par) -> dict[str, Any]:
    """Return the comparison as JSON."""
    stars = stars_of(own, par.figures)
    return {
        "approach": par.approach or None,
        "yours": own._asdict(),
        "pack": {**par.figures._asdict(), "origin": par.origin},
        "stars": stars.number,
        "missing": stars.missing or None,
    }


# The approach of a program in words: its first comment.

LONGEST = 240
"""Maximum characters of an approach that is shown; longer ones are cut after a word."""

_WORDS = r"[^\W\d_][\w'’-]*[,;:.()]*"
_PROSE = re.compile(rf"(?:(?:{_WORDS}|[\d*+/=<>()-]+)[ ]+){{2,}}.*")
"""A part of a line that starts with three words in a row, up to the end of the line."""
_REST = re.compile(rf"{_WORDS}(?: +{_WORDS})?")
"""A line of one or two words, which ends a paragraph."""
_SHORT = re.compile(r"[A-Z][\w'’-]+(?: [\w'’-]+)?[.!]")
"""A sentence of one or two words on its own."""
_LINE_COMMENT, _ENCLOSED = re.compile(r"\s*#+\s+(.*)"), re.compile(r"(?<!\w);([^;]+);")
_SIGNS = re.compile(r"^(?:[*+/=<>()-]{2,} +|[*+/=<>()-] +(?=[*+/=<>()-]+ ))+(?:[*+/=<>()-] +)?")
"""Several symbols before the words are code or decoration; a single one may belong to the prose."""
_TITLE = re.compile(r"[A-Z]\d\d\s")
"""The start of a line that only names the problem."""


def approach_of(source: bytes, language_id: str) -> str:
    """Return the first comment of a program as one line; empty if it does not start with one.

    This is the first paragraph of lines with prose, after any comment markers of the language. For
    whitespace programs it is the first text, with no-break spaces as spaces.
    """
    text = source.decode("utf-8", "replace").removeprefix("\ufeff")
    text = re.sub(r"#!.*\n?", "", text, count=1) if text.startswith("#!") else text
    if find_language(language_id).editing().letters:
        found = re.search(r"[^ \t\r\n]+", text)
        words = "" if found is None else found[0].replace("\u00a0", " ").strip()
        return _cut(words if _PROSE.search(f"{words} ") or _SHORT.fullmatch(words) else "")
    lines: list[str] = []
    for line in text.split("\n"):
        prose = _prose_of(line)
        if prose and not _TITLE.match(line):
            lines.append(prose)
        elif lines:
            lines += [line] if _REST.fullmatch(line.strip()) else []
            break
    words = " ".join(lines).rstrip()
    return _cut(words.removesuffix("]") if words.count("]") > words.count("[") else words)


def _prose_of(line: str) -> str:
    """Return the prose in a line without comment markers; empty without prose."""
    found = _PROSE.search(line)
    marked = _LINE_COMMENT.fullmatch(line) or _ENCLOSED.search(line)
    if found is None:
        words = line.strip() if marked is None else marked[1].strip()
        return words if _SHORT.fullmatch(words) else ""
    if marked is not None:
        return marked[1]
    if line.count('"', 0, found.start()) % 2:
        return ""  # inside a string of the program
    return _SIGNS.sub("", re.sub("^[v>] +", "", found[0]))


def _cut(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= LONGEST else f"{words[:LONGEST].rsplit(' ', 1)[0]} …"
