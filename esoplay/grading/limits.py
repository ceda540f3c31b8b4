"""The limits of each test, as shown in statements."""

from __future__ import annotations

from esolangs.limits import MEBIBYTE
from esolangs.wording import plural
from esoplay.grading.problem import Problem
from esoplay.running.run import GRADING_LIMITS, TIME_LIMIT


def limits_as_json() -> dict[str, int]:
    """Return a test's limits on steps, bytes of output and bytes of memory as JSON."""
    limits = GRADING_LIMITS
    return {"steps": limits.steps, "output": limits.output, "memory": limits.memory}


def limits_text(language_id: str | None = None) -> str:
    """Return the limits of a test as a phrase; a host lane has a time limit instead of steps."""
    from esoplay.running.host.lanes import is_lane

    found = limits_as_json()
    lane = language_id is not None and is_lane(language_id)
    first = f"{TIME_LIMIT:g} seconds" if lane else plural(found["steps"], "step")
    output, memory = found["output"] // MEBIBYTE, found["memory"] // MEBIBYTE
    return f"{first}, {output} MiB of output and {memory} MiB of memory for each test"


def statement_with_limits(problem: Problem, language_id: str | None = None) -> str:
    """Return the statement of a problem in Markdown, with a last paragraph about the limits."""
    return f"{problem.statement}\n\n**Limits.** {limits_text(language_id)}."
