"""Progress over time as text: steps and bytes of solutions, and solved problems by day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import accumulate
from math import log

from textual.content import Content

from esoplay.progress.records import ProblemStanding, SolvedProgramRecord

LEVELS = "▁▂▃▄▅▆▇█"
MIN_WIDTH = 16
"""Minimum columns of a useful sparkline."""
_NAME_COLUMNS = 7


def sparkline(values: Sequence[int], width: int) -> str:
    """Return the last ``width`` values as bars on a logarithmic scale.

    If all values are equal, all bars have half the height.
    """
    shown = [max(1, value) for value in values[-width:]]
    if not shown:
        return ""
    low, high = min(shown), max(shown)
    if low == high:
        return LEVELS[3] * len(shown)
    unit = (len(LEVELS) - 1) / log(high / low)
    return "".join(LEVELS[round(log(value / low) * unit)] for value in shown)


def solutions_over_time(solutions: Sequence[SolvedProgramRecord], width: int) -> list[Content]:
    """Return steps and bytes of the user's solutions, first to last; [] for fewer than two."""
    own = [each for each in solutions if not each.solver]
    if len(own) < 2 or width < MIN_WIDTH:
        return []
    lines = [Content.styled(f"your {len(own)} solutions, first to last", "$quiet")]
    for name, values in (
        ("steps", [each.steps for each in own]),
        ("bytes", [each.size for each in own]),
    ):
        ends = f" {values[0]:,} → {values[-1]:,}"
        bars = sparkline(values, max(1, width - _NAME_COLUMNS - len(ends)))
        lines.append(
            Content.assemble((name.ljust(_NAME_COLUMNS), "$quiet"), (bars, "$primary"), ends)
        )
    return lines


def solved_over_time(progress: Mapping[str, ProblemStanding], width: int) -> list[Content]:
    """Return the number of problems solved up to each day; [] for fewer than two days."""
    solved = [each.solved_at[:10] for each in progress.values() if each.solved and each.solved_at]
    days = sorted(map(date.fromisoformat, solved))
    if not days or days[0] == days[-1] or width < 2 * MIN_WIDTH:
        return []
    end = f"  up to {days[-1].isoformat()}"
    span = (days[-1] - days[0]).days
    columns = min(span + 1, width - len(end))
    counts = [0] * columns
    for day in days:
        counts[(day - days[0]).days * (columns - 1) // span] += 1
    totals = list(accumulate(counts))
    bars = "".join(LEVELS[each * (len(LEVELS) - 1) // len(days)] for each in totals)
    head = f"problems solved since {days[0].isoformat()}: {len(days)}"
    return [
        Content.styled(head, "$quiet"),
        Content.assemble((bars, "$primary"), (end, "$quiet")),
    ]
