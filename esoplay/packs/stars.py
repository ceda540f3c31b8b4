"""Stars for solutions that take no more bytes or steps than the pack's own."""

from __future__ import annotations

from typing import NamedTuple

from esolangs.wording import plural
from esoplay.grading.problem import Problem

STARS = 3
"""One for a solution, one for its bytes, one for its steps."""
BY_HAND, GENERATED = "hand-written", "generated"


class Figures(NamedTuple):
    """What a solution takes: steps of all tests of practice together, and bytes of code."""

    steps: int
    size: int


def origin_of(problem: Problem, language_id: str) -> str:
    """Where the pack's solution comes from: ``hand-written`` or ``generated``."""
    return GENERATED if problem.reference(language_id) is None else BY_HAND


class Stars(NamedTuple):
    """Which stars a solution has; ``missing`` says in words what the others take."""

    size: bool
    steps: bool
    missing: str

    @property
    def number(self) -> int:
        return 1 + self.size + self.steps

    @property
    def signs(self) -> str:
        return "★" * self.number + "☆" * (STARS - self.number)

    def words(self) -> str:
        """The stars, and what is missing for the next ones."""
        return f"{self.signs} {self.missing or 'all three stars'}"


def stars_of(best: Figures, par: Figures) -> Stars:
    """The stars for solutions whose least steps and least bytes are ``best``.

    Both figures may come from different solutions.
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
