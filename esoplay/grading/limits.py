"""Format the limits of tests for statements and JSON."""

from __future__ import annotations

from esolangs.limits import MEBIBYTE
from esolangs.wording import plural
from esoplay.grading.problem import Problem
from esoplay.running.run import GRADING_LIMITS, TIME_LIMIT


def limits_as_json(problem: Problem | None = None) -> dict[str, float]:
    """Return the limits of one test on steps, bytes of output and bytes of memory, as JSON.

    These three are the same for all problems. The time limit in seconds is included if the problem
    sets one, or needs a host lane, where steps are not counted.
    """
    limits = GRADING_LIMITS
    found: dict[str, float] = {
        "steps": limits.steps,
        "output": limits.output,
        "memory": limits.memory,
    }
    if problem is None or (problem.time_limit == TIME_LIMIT and not problem.lane_requirements):
        return found
    return {**found, "seconds": problem.time_limit}


def limits_text(language_id: str | None = None, problem: Problem | None = None) -> str:
    """Describe the limits of a test in a phrase.

    Without a language, both the step limit and a time limit that the problem sets are described.
    Host lanes, and problems that only a host lane can solve, have a time limit instead of a step
    limit.
    """
    from esoplay.running.host.lanes import is_lane

    lane = language_id is not None and is_lane(language_id)
    lane = lane or (problem is not None and bool(problem.lane_requirements))
    seconds = TIME_LIMIT if problem is None else problem.time_limit
    first = f"{seconds:g} seconds" if lane else plural(GRADING_LIMITS.steps, "step")
    if not lane and seconds != TIME_LIMIT:
        first += f", {seconds:g} seconds"
    output, memory = GRADING_LIMITS.output // MEBIBYTE, GRADING_LIMITS.memory // MEBIBYTE
    return f"{first}, {output} MiB of output and {memory} MiB of memory for each test"


def statement_with_limits(problem: Problem, language_id: str | None = None) -> str:
    """Return the statement of a problem in Markdown, followed by a paragraph on the limits."""
    return f"{problem.statement}\n\n**Limits.** {limits_text(language_id, problem)}."
