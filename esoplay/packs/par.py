"""Compare a user's solution with the pack's solution: approach, steps and bytes."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Any, NamedTuple

from esolangs.registry import find_language
from esoplay.grading.problem import Problem
from esoplay.packs.grading import grade_source
from esoplay.packs.references import find_reference, reference_digest
from esoplay.packs.stars import BY_HAND, GENERATED, SolutionFigures, award_stars
from esoplay.programs.execution import code_size


class Par(NamedTuple):
    """The pack's solution of a problem in a language.

    origin: ``hand-written`` or ``generated``. approach: short description, or empty.
    """

    figures: SolutionFigures
    origin: str
    approach: str


def measure_par(problem: Problem, language_id: str) -> Par | None:
    """Measure the pack's solution on the practice tests; return None if no solution passes.

    Each version of a solution runs once per process.  Raises the errors of ``grade_source`` and
    ``find_reference``.
    """
    digest = reference_digest(problem, language_id)
    return None if digest is None else _measure(problem, language_id, digest)


@lru_cache(256)
def _measure(problem: Problem, language_id: str, digest: str) -> Par | None:
    reference = find_reference(problem, language_id)
    if reference is None:
        return None
    report = grade_source(problem.id, language_id, reference.program, pack=problem.folder.parent)
    if not report.solved:
        return None
    program = reference.program
    figures = SolutionFigures(report.total_steps, code_size(language_id, program))
    approach = extract_approach(program, language_id) if reference.by_hand else ""
    return Par(figures, BY_HAND if reference.by_hand else GENERATED, approach)


def own_approach(problem: Problem, language_id: str, source: bytes) -> str:
    """Return the approach that a user's program describes in its first comment, or "".

    Comments of the starter program, which many programs still contain, do not count.
    """
    starter = find_language(language_id).editing().comments(problem.starter(language_id))
    return extract_approach(source, language_id, frozenset(starter))


def comparison_lines(
    solution: SolutionFigures,
    par: Par,
    best: SolutionFigures | None = None,
    approach: str | None = None,
) -> list[str]:
    """Return lines that compare the user's solution with the pack's: approach, steps, bytes, stars.

    ``best``: best figures of all solutions of the user, which determine the stars; None if
    ``solution`` does.  ``approach``: approach of the user's program, see ``own_approach``; None if
    the program is unknown.
    """
    approaches: list[str] = []
    if par.approach:
        if approach:
            approaches.append(f"your approach: {approach}")
        elif approach is not None:
            approaches.append("your approach: no comment of your program describes it")
        approaches.append(f"the pack's approach: {par.approach}")
    theirs = par.figures
    return [
        *approaches,
        f"steps on the hidden tests: yours {solution.steps:,}, the pack's {theirs.steps:,}",
        f"bytes of code: yours {solution.size:,}, the pack's {theirs.size:,} ({par.origin})",
        award_stars(best or solution, theirs).describe(),
    ]


def comparison_as_json(own: SolutionFigures, par: Par, approach: str) -> dict[str, Any]:
    """Return the comparison as JSON.  approach: the user's approach, see ``own_approach``."""
    stars = award_stars(own, par.figures)
    return {
        "approach": par.approach or None,
        "own_approach": approach or None,
        "yours": own._asdict(),
        "pack": {**par.figures._asdict(), "origin": par.origin},
        "stars": stars.number,
        "missing": stars.missing or None,
    }


# The approach of a program in words: its first comment.

MAX_APPROACH_LENGTH = 240
"""Maximum length of a displayed approach in characters; longer ones are cut after a word."""

_WORD = re.compile(r"[\W_]*[^\W\d_][\w'’/-]*[^\w\s]*")
_SHORT_SENTENCE = re.compile(r"[A-Z][\w'’-]*(?: [\w'’-]+)?[.!]")
"""Matches a sentence of one or two words."""
_TITLE = re.compile(r"[A-Z]\d\d\s")
"""Matches the start of a title such as ``E01 Print Hello World``: a problem id and a space."""


def extract_approach(
    source: bytes, language_id: str, ignored: AbstractSet[str] = frozenset()
) -> str:
    """Return the first comment of a program as one line, or an empty string.

    The comment is the first paragraph of comment lines that are prose. It ends before a line that
    starts in lower case after a finished sentence, since such a line describes the code after it.
    ignored: lines to skip.
    """
    source = source.removeprefix(b"\xef\xbb\xbf")
    source = re.sub(rb"#!.*\n?", b"", source, count=1) if source.startswith(b"#!") else source
    lines: list[str] = []
    for line in find_language(language_id).editing().comments(source):
        if line in ignored and line:
            if lines:
                break
        elif not lines:
            if _is_prose(line) and not _TITLE.match(line):
                lines.append(line)
        elif not line or not _continues(line, lines[-1]):
            break
        else:
            lines.append(line)
    return _shorten(" ".join(lines))


def _is_prose(text: str) -> bool:
    """Return whether a comment is a short sentence, or has 3 or more tokens, half of them words."""
    tokens = text.split()
    words = sum(_WORD.fullmatch(each) is not None for each in tokens)
    return _SHORT_SENTENCE.fullmatch(text) is not None or (
        len(tokens) > 2 and 2 * words >= len(tokens)
    )


def _continues(line: str, previous: str) -> bool:
    if previous.endswith((".", "!", "?")) and line[:1].islower():
        return False
    return _is_prose(line) or all(map(_WORD.fullmatch, line.split()))


def _shorten(text: str) -> str:
    words = " ".join(text.split())
    return (
        words
        if len(words) <= MAX_APPROACH_LENGTH
        else f"{words[:MAX_APPROACH_LENGTH].rsplit(' ', 1)[0]} …"
    )
