"""Analysis of runs: why a run ended or never ends, and where two runs or programs differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from esolangs.wording import plural
from esoplay.debugging.debugger import Debugger, Ticker
from esoplay.timeline import comparison as comparing
from esoplay.timeline import diagnosis as doctor
from esoplay.timeline.comparison import (
    BUDGET,
    ComparedRun,
    RunComparison,
    RunDifference,
    count_common_steps,
)
from esoplay.timeline.diagnosis import DEFAULT_BOUND, Diagnosis, DiagnosisFinding

__all__ = [
    "BUDGET",
    "MAX_COMPARED_STEPS",
    "MAX_STEPS",
    "NO_REPEAT_FOUND",
    "ComparedRun",
    "Diagnosis",
    "DiagnosisFinding",
    "RunComparison",
    "RunDifference",
    "compare",
    "count_equal_steps",
    "diagnose",
    "diagnosis_as_json",
    "other_run",
]


MAX_STEPS = 100_000_000
"""The maximum number of steps to search for a repeated state."""

NO_REPEAT_FOUND = (
    "no state is repeated within the first {steps}; this does not prove that the run ends"
)


def diagnose(
    debugger: Debugger,
    *,
    bound: int | None = None,
    brief: bool = False,
    ticker: Ticker | None = None,
) -> Diagnosis:
    """Return findings on why the run ended or does not end; the debugger does not move.

    bound: maximum number of steps to search for a repeated state. brief: report only how the run
    ended. Raises MoveCancelled if ``ticker`` returns False.
    """
    return doctor.diagnose(debugger.timeline, bound or DEFAULT_BOUND, ticker, brief=brief)


def diagnosis_as_json(diagnosis: Diagnosis) -> dict[str, Any]:
    """Return a diagnosis as JSON.

    ``searched``: the number of steps searched for a repeated state if none was found, else null.
    """
    return {
        "known": diagnosis.known_steps,
        "searched": diagnosis.searched,
        "findings": [
            {
                "kind": finding.kind,
                "certainty": finding.certainty,
                "text": finding.text,
                "advice": finding.advice,
                "steps": [
                    {"step": each.step, "what": each.description} for each in finding.moments
                ],
            }
            for finding in diagnosis.findings
        ],
    }


# The run to compare with


def other_run(
    debugger: Debugger,
    *,
    stdin: bytes | None = None,
    source: bytes | None = None,
    dialect: str | None = None,
    options: Mapping[str, str | int] | None = None,
    file: Path | None = None,
) -> Debugger:
    """Return a copy of a run at step 0, but with another input, source, dialect or options.

    debugger: the run to copy, whose values replace arguments that are None. Its options remain set
    unless ``options`` changes them or ``dialect`` is set. file: the file of ``source``. If the
    source is the same, the source map is copied. Cells set by the user are not set in the new run.
    Raises ParseError if the source is not a program, and UsageError for an unknown dialect or an
    invalid option.
    """
    recording = debugger.recording
    inherited = {} if dialect is not None else dict(recording.options)
    other = Debugger.open(
        recording.language,
        recording.source if source is None else source,
        stdin=recording.stdin if stdin is None else stdin,
        closed=recording.closed or stdin is not None,
        dialect=recording.dialect if dialect is None else dialect,
        options={**inherited, **(options or {})},
        seed=recording.seed,
        limits=recording.limits,
        started=recording.started,
        file=debugger.file if source is None else file,
    )
    if other.recording.source == recording.source:
        other.use_map(debugger.source_map)
    return other


def compare(
    this: Debugger, other: Debugger, *, budget: int = BUDGET, ticker: Ticker | None = None
) -> RunComparison:
    """Return the first differences between two runs; both debuggers stay at their steps.

    Raises MoveCancelled if ``ticker`` returns False.
    """
    return comparing.compare(this.timeline, other.timeline, budget, ticker)


def comparison_as_json(comparison: RunComparison) -> dict[str, Any]:
    """Return a comparison as JSON; ``steps`` is the number of compared steps of each run."""
    data = asdict(comparison)
    data["steps"] = {"this": comparison.steps[0], "other": comparison.steps[1]}
    return data


def summary(comparison: RunComparison) -> str:
    """Return the result of a comparison as one sentence."""
    if comparison.differences:
        names = {
            "input": "read different input",
            "state": "have different states",
            "output": "print different output",
            "path": "continue at different places",
            "end": "end differently",
        }
        first = comparison.differences[0]
        a, b = first.this.step, first.other.step
        if a == b:
            runs = f"at step {a:,} the runs"
        else:
            runs = f"at step {a:,} of this run and step {b:,} of the other, the runs"
        sure = "" if comparison.exact else " (or earlier: states were compared only at intervals)"
        return f"{runs} {names[first.kind]}{sure}"
    if not comparison.exact:
        steps = min(comparison.steps)
        return (
            f"no difference found within {plural(steps, 'step')}; "
            "states were compared only at intervals"
        )
    if comparison.complete:
        return "no difference: both runs are equal up to the end"
    steps = plural(min(comparison.steps), "step")
    return f"no difference within the {steps} compared"


# Versions of a program

MAX_COMPARED_STEPS = 200_000
"""The maximum number of steps to compare between two versions of a program."""


def count_equal_steps(old: Debugger, new: Debugger, step: int, ticker: Ticker | None = None) -> int:
    """Return how many steps from the start, at most ``step``, are equal in two program versions.

    Returns 0 if inputs, dialects or options differ, if the user set cells, or if ``step`` is larger
    than MAX_COMPARED_STEPS. Neither debugger moves. Raises MoveCancelled if ``ticker`` returns
    False.
    """
    a, b = old.recording, new.recording
    alike = (
        a.language == b.language
        and a.dialect == b.dialect
        and dict(a.options) == dict(b.options)
        and (a.stdin, a.closed, a.seed) == (b.stdin, b.closed, b.seed)
        and not a.edits
        and not b.edits
    )
    if not alike or step > MAX_COMPARED_STEPS:
        return 0
    return count_common_steps(old.timeline, new.timeline, step, ticker)
