"""Why a run ended or what goes on in it, and what to try, for every front end."""

from __future__ import annotations

from typing import Any

from esoplay.service.debugging import Debugger, Ticker
from esoplay.timeline import diagnosis as doctor
from esoplay.timeline.diagnosis import BOUND, Diagnosis, Finding

__all__ = [
    "FURTHER",
    "MOST_STEPS",
    "Diagnosis",
    "Finding",
    "diagnose",
    "diagnosis_as_json",
]

MOST_STEPS = 100_000_000
"""Steps within which a repeated state may be looked for."""

FURTHER = (
    "no state came twice within the first {steps:,} steps, which does not say that the run ends"
)


def diagnose(
    debugger: Debugger,
    *,
    bound: int | None = None,
    quick: bool = False,
    ticker: Ticker | None = None,
) -> Diagnosis:
    """Findings about known history; the position stays.  Raises Cancelled.

    bound: steps within which a repeated state is looked for.  quick: only how the run ended.
    """
    return doctor.diagnose(debugger.timeline, bound or BOUND, ticker, quick=quick)


def diagnosis_as_json(diagnosis: Diagnosis) -> dict[str, Any]:
    """``searched`` is null where no repeated state was looked for, or one was found."""
    return {
        "known": diagnosis.known,
        "searched": diagnosis.searched,
        "findings": [
            {
                "kind": finding.kind,
                "certainty": finding.certainty,
                "text": finding.text,
                "advice": finding.advice,
                "steps": [{"step": each.step, "what": each.what} for each in finding.moments],
            }
            for finding in diagnosis.findings
        ],
    }
