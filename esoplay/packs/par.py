"""Solutions beside the pack's own: approach, steps and bytes of both on the same tests."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from esoplay.grading.problem import Problem
from esoplay.packs.approaches import approach_of
from esoplay.packs.grading import grade_source
from esoplay.packs.references import reference_digest, reference_of
from esoplay.packs.stars import BY_HAND, GENERATED, Figures, stars_of
from esoplay.programs.execution import code_size


class Par(NamedTuple):
    """The pack's solution of a problem in a language.  approach: in words, or empty."""

    figures: Figures
    origin: str
    approach: str


def measure_par(problem: Problem, language_id: str) -> Par | None:
    """Run the pack's solution on the tests of practice; None where it has none that passes.

    Once for each version of it in a process.  Raises like ``grade_source`` and ``reference_of``.
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
    figures = Figures(report.total_steps, code_size(language_id, program))
    approach = approach_of(program, language_id) if reference.by_hand else ""
    return Par(figures, BY_HAND if reference.by_hand else GENERATED, approach)


def comparison_lines(own: Figures, par: Par, best: Figures | None = None) -> list[str]:
    """Your solution beside the pack's: approach, steps and bytes, and the stars.

    ``best``: the least figures of all your solutions, which stars are for.
    """
    approach = [f"its approach: {par.approach}"] if par.approach else []
    theirs = par.figures
    return [
        *approach,
        f"steps on the hidden tests: yours {own.steps:,}, the pack's {theirs.steps:,}",
        f"bytes of code: yours {own.size:,}, the pack's {theirs.size:,} ({par.origin})",
        stars_of(best or own, theirs).words(),
    ]


def comparison_as_json(own: Figures, par: Par) -> dict[str, Any]:
    """The same for programs."""
    stars = stars_of(own, par.figures)
    return {
        "approach": par.approach or None,
        "yours": own._asdict(),
        "pack": {**par.figures._asdict(), "origin": par.origin},
        "stars": stars.number,
        "missing": stars.missing or None,
    }
