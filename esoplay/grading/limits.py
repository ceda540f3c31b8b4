"""The limits of each test, as shown in statements."""

from __future__ import annotations

from esolangs.limits import MEBIBYTE
from esolangs.wording import plural
from esoplay.grading.problem import Problem
from esoplay.running.run import GRADING_LIMITS, TIME_LIMIT


def limits_as_json(problem: Problem | None = None) -> dict[str, float]:
    """Return a test's limits on steps, bytes of output and bytes of memory as JSON.

    With the seconds if the problem has a time limit of its own.
    """
    limits = GRADING_LIMITS
    found: dict[str, float] = {
        "steps": limits.steps,
        "output": limits.output,
        "memory": limits.memory,
    }
    if problem is None or problem.time_limit == TIME_LIMIT:
        return found
    return {**found, "seconds": problem.time_limit}


def limits_text(language_id: str | None = None, problem: Problem | None = None) -> str:
    """Return the limits of a test as a phrase.

    A host lane has a time limit instead of steps; a problem with a time limit of its own has both.
    """
    from esoplay.running.host.lanes import is_lane

    lane = language_id is not None and is_lane(language_id)
    seconds = TIME_LIMIT if problem is None else problem.time_limit
    first = f"{seconds:g} seconds" if lane else plural(GRADING_LIMITS.steps, "step")
    if not lane and seconds != TIME_LIMIT:
        first += f", {seconds:g} seconds"
    output, memory = GRADING_LIMITS.output // MEBIBYTE, GRADING_LIMITS.memory // MEBIBYTE
    return f"{first}, {output} MiB of output and {memory} MiB of memory for each test"


def statement_with_limits(problem: Problem, language_id: str | None = None) -> str:
    """Return the statement of a problem in Markdown, with a last paragraph about the limits."""
    return f"{problem.statement}\n\n**Limits.** {limits_text(language_id, problem)}."
