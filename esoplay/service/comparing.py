"""Another run beside the one debugged, and where the two part, for every front end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from esoplay.service.debugging import Debugger, Ticker
from esoplay.timeline import comparison as comparing
from esoplay.timeline.comparison import BUDGET, Comparison, Difference, Side

__all__ = ["BUDGET", "Comparison", "Difference", "Side", "compare", "other_run"]


def other_run(
    debugger: Debugger,
    *,
    stdin: bytes | None = None,
    source: bytes | None = None,
    dialect: str | None = None,
    options: Mapping[str, str | int] | None = None,
) -> Debugger:
    """A run that differs from the one debugged in what is given, at step 0.

    Cells that were changed by hand are not changed in it.  Raises ParseError and UsageError.
    """
    recording = debugger.recording
    kept = {} if dialect is not None else dict(recording.options)
    return Debugger.open(
        recording.language,
        recording.source if source is None else source,
        stdin=recording.stdin if stdin is None else stdin,
        closed=recording.closed or stdin is not None,
        dialect=recording.dialect if dialect is None else dialect,
        options={**kept, **(options or {})},
        seed=recording.seed,
        limits=recording.limits,
        started=recording.started,
    )


def compare(
    this: Debugger, other: Debugger, *, budget: int = BUDGET, ticker: Ticker | None = None
) -> Comparison:
    """Where two runs part; both keep their positions.  Raises Cancelled."""
    return comparing.compare(this.timeline, other.timeline, budget, ticker)


def comparison_as_json(comparison: Comparison) -> dict[str, Any]:
    """All of it; ``steps`` says how far either run was looked at."""
    data = asdict(comparison)
    data["steps"] = {"this": comparison.steps[0], "other": comparison.steps[1]}
    return data


def summary(comparison: Comparison) -> str:
    """In one sentence what the comparison came to."""
    if comparison.differences:
        names = {
            "input": "they read something else",
            "state": "their states differ",
            "output": "they print something else",
            "path": "they go on elsewhere",
            "end": "they end otherwise",
        }
        first = comparison.differences[0]
        a, b = first.this.step, first.other.step
        when = f"at step {a:,}" if a == b else f"at step {a:,} here and {b:,} there"
        sure = (
            "" if comparison.exact else " (between two looks at their states they may have before)"
        )
        return f"{when} {names[first.kind]}{sure}"
    if not comparison.exact:
        steps = min(comparison.steps)
        return f"no difference wherever they were looked at within {steps:,} steps"
    if comparison.complete:
        return "no difference: both runs do the same to their end"
    steps = min(comparison.steps)
    return f"no difference within the {steps:,} steps that were looked at"
