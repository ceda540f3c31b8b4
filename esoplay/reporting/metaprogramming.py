"""Whether programs may have been generated: what lay in the workspace when they were handed in.

That a generator lay there is a fact; that it wrote the program is not proved by it, and where
none lay nothing is proved either (docs/sessions.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from esoplay.reporting.series import Series
from esoplay.reporting.statistics.summary import quantile


class Metaprogramming(NamedTuple):
    """The workspaces of the session that stands for a series.

    seen, unseen: graded submissions whose workspace could and could not be looked into; the
    other figures are of those seen.  with_generator: at how many a generator lay there.
    with_map: at how many the program itself lay there, with a source map beside it.
    solved, solved_with_generator: the same of submissions that solved.
    languages: of generators, with the number of submissions at which one lay there.
    ratios: of each submission that solved and came with new generators: bytes of the program for
    each byte of generators first seen with its problem; sorted.  ratio: their median.
    helpers: different generators over the session, by content.  reused: those that lay there, byte
    for byte, for more than one problem; widest: the most problems for which one did.
    """

    solver: str
    language: str
    protocol: str
    seen: int
    unseen: int
    with_generator: int
    with_map: int
    solved: int
    solved_with_generator: int
    languages: Mapping[str, int]
    ratios: tuple[float, ...]
    ratio: float | None
    helpers: int
    reused: int
    widest: int

    @property
    def name(self) -> str:
        return f"{self.solver}, {self.language}, {self.protocol}"


def metaprogramming(series: Series) -> Metaprogramming:
    """The figures of the session that stands for ``series``."""
    session = series.shown
    languages: Counter[str] = Counter()
    problems: dict[str, set[str]] = {}
    for each in session.surroundings:
        languages.update(each.languages)
        for helper in each.generators:
            problems.setdefault(helper, set()).add(each.problem)
    solved = [each for each in session.surroundings if each.solved]
    ratios = sorted(each.size / each.fresh for each in solved if each.fresh)
    spans = [len(found) for found in problems.values()]
    return Metaprogramming(
        solver=series.solver,
        language=series.language,
        protocol=series.protocol,
        seen=len(session.surroundings),
        unseen=session.unseen,
        with_generator=sum(bool(each.generators) for each in session.surroundings),
        with_map=sum(each.mapped for each in session.surroundings),
        solved=len(solved),
        solved_with_generator=sum(bool(each.generators) for each in solved),
        languages=dict(sorted(languages.items(), key=lambda one: (-one[1], one[0]))),
        ratios=tuple(ratios),
        ratio=quantile(ratios, 0.5) if ratios else None,
        helpers=len(problems),
        reused=sum(count > 1 for count in spans),
        widest=max(spans, default=0),
    )
