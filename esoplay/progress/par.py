"""The par of a problem (steps, size and memory of the pack's solution), and the user's stars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from esoplay.packs.stars import SolutionFigures, award_stars
from esoplay.progress.code_sizes import RULES

if TYPE_CHECKING:
    from esoplay.grading.problem import Problem
    from esoplay.progress.records import ProblemStanding


def par_setting_name(pack_id: str, problem_id: str, language_id: str) -> str:
    """Return the name of the setting that stores the par of a problem."""
    return f"par {pack_id} {problem_id} {language_id}"


def stored_par(stored: object, problem: Problem, language_id: str) -> dict[str, Any] | None:
    """Return the saved ``steps``, ``size`` and ``memory`` of the par if they are still valid.

    The figures are outdated if the pack has a newer solution or the rules for sizes have changed.
    """
    if not isinstance(stored, dict):
        return None
    from esoplay.packs.references import reference_digest  # imports the whole compiler

    known = cast("dict[str, Any]", stored)
    digest = reference_digest(problem, language_id)
    current = known.get("digest") == digest and "size" in known and known.get("code") == RULES
    return known if digest is not None and current else None


def stars_text(standing: ProblemStanding, par: SolutionFigures | None) -> str:
    """Return the stars of a problem; empty if it is not solved or its par is unknown."""
    if par is None or standing.steps is None or standing.size is None:
        return ""
    return award_stars(SolutionFigures(standing.steps, standing.size), par).text
