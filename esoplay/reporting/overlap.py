"""The overlap between programs that solved problems and the references of the pack.

Programs and references are split into tokens; n consecutive tokens are an n-gram. The overlap of a
program with a reference is the share of its distinct n-grams that the reference also contains.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from esoplay.reporting.played_sessions import Series
from esoplay.reporting.statistics import quantile

MIN_TOKENS, MAX_TOKENS = 2, 64
"""The permitted sizes of n-grams, in tokens."""

References = Mapping[tuple[str, str], Mapping[str, bytes]]
"""The reference of each problem, by pack and language."""

_COMMANDS = {
    "brainfuck": re.compile(rb"[-+<>.,\[\]]"),
    "whitespace": re.compile(rb"[ \t\n]"),
    "befunge-98": re.compile(rb"[^\s]"),
    "unlambda": re.compile(rb"[^\s]"),
}
"""Patterns of the tokens of languages whose instructions are single characters."""
_WORDS = re.compile(rb"\w+|[^\w\s]")
_COMMENT = re.compile(rb"#[^\n]*")


class Overlap(NamedTuple):
    """How much of a series' programs also occurs in the reference solutions, measured in n-grams.

    The programs are from the session that represents the series.

    size: tokens of an n-gram. programs: number of programs that solved a problem with a reference
    and have an n-gram. same, greatest: median and maximum overlap with the reference of the same
    problem. other: median overlap with the references of other problems, as a control.
    """

    solver: str
    language: str
    protocol: str
    size: int
    programs: int
    same: float | None
    greatest: float | None
    other: float | None


def tokenize(program: bytes, language: str) -> list[bytes]:
    """Return a program's tokens: its one-character commands, or its words and punctuation marks.

    Words and punctuation marks are the tokens of languages without one-character commands.
    """
    if language == "unlambda":
        program = _COMMENT.sub(b"", program)
    commands = _COMMANDS.get(language)
    return commands.findall(program) if commands else _WORDS.findall(program.lower())


def extract_ngrams(program: bytes, language: str, size: int) -> frozenset[tuple[bytes, ...]]:
    """Return the distinct n-grams of a program.  size: tokens of an n-gram."""
    tokens = tokenize(program, language)
    return frozenset(zip(*(tokens[at:] for at in range(size)), strict=False))


def overlaps(series: Sequence[Series], references: References, size: int) -> Iterator[Overlap]:
    """Yield the overlap between the programs of each series and the references of its pack.

    Leaves out series whose pack has no references in their language. size: tokens of an n-gram.
    """
    known: dict[tuple[str, str], dict[str, frozenset[tuple[bytes, ...]]]] = {}
    for one in series:
        key = (one.pack, one.language)
        if not references.get(key):
            continue
        if key not in known:
            known[key] = {
                problem: extract_ngrams(program, one.language, size)
                for problem, program in references[key].items()
            }
        yield _overlap(one, known[key], size)


def _overlap(
    series: Series, references: Mapping[str, frozenset[tuple[bytes, ...]]], size: int
) -> Overlap:
    same: list[float] = []
    other: list[float] = []
    for problem, program in series.shown_session.solutions.items():
        found = extract_ngrams(program, series.language, size)
        if not found or problem not in references:
            continue
        same.append(len(found & references[problem]) / len(found))
        other += [
            len(found & reference) / len(found)
            for name, reference in references.items()
            if name != problem and name in series.problems
        ]
    return Overlap(
        series.solver,
        series.language,
        series.protocol,
        size,
        len(same),
        quantile(sorted(same), 0.5) if same else None,
        max(same, default=None),
        quantile(sorted(other), 0.5) if other else None,
    )
