"""Stars for solutions that use no more bytes or steps than the pack's solution."""

from __future__ import annotations

from typing import NamedTuple

from esolangs.wording import plural
from esoplay.grading.problem import Problem

STARS = 3
"""The number of stars: one for a solution, one for its bytes, one for its steps."""
BY_HAND, GENERATED = "hand-written", "generated"


class SolutionFigures(NamedTuple):
    """The figures of a solution: total steps of the practice tests, and bytes of code."""

    steps: int
    size: int


def solution_kind(problem: Problem, language_id: str) -> str:
    """Return the kind of the pack's solution: ``hand-written`` or ``generated``."""
    return GENERATED if problem.reference(language_id) is None else BY_HAND


class Stars(NamedTuple):
    """The stars of a solution; ``missing`` says what is required for each star not yet earned."""

    size_earned: bool
    steps_earned: bool
    missing: str

    @property
    def number(self) -> int:
        return 1 + self.size_earned + self.steps_earned

    @property
    def text(self) -> str:
        return "★" * self.number + "☆" * (STARS - self.number)

    def describe(self) -> str:
        """Return the stars as text, and what is required for the ones not yet earned."""
        return f"{self.text} {self.missing or 'all three stars'}"


def award_stars(best: SolutionFigures, par: SolutionFigures) -> Stars:
    """Return the stars for the figures in ``best``, compared with ``par``, the pack's solution.

    ``best`` has the least steps and the least bytes, which can come from different solutions.
    """
    size, steps = best.size <= par.size, best.steps <= par.steps
    wanted: list[str] = []
    if not size:
        wanted.append(f"at most {plural(par.size, 'byte')} (now {best.size:,})")
    if not steps:
        wanted.append(f"at most {plural(par.steps, 'step')} (now {best.steps:,})")
    stars = "another star" if len(wanted) == 1 else "two more stars"
    missing = f"for {stars}: {', '.join(wanted)}" if wanted else ""
    return Stars(size, steps, missing)
