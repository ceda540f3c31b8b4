"""Why a run ended or what goes on in it, and what to try, for every front end."""

from __future__ import annotations

from esolangs.diagnosis import PARSE_ERROR
from esolangs.registry import find_language

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from esoplay.running.outcome import Outcome
    from esoplay.service.debugging import Debugger, Ticker
    from esoplay.timeline.doctor import Diagnosis, Finding

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
    from esoplay.timeline.doctor import BOUND, diagnose

    return diagnose(debugger.timeline, bound or BOUND, ticker, quick=quick)


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


def first_bad_moment(diagnosis: Diagnosis) -> tuple[Finding, int] | None:
    """The gravest finding that is about a step, and that step."""
    for finding in diagnosis.findings:
        if finding.moments:
            return finding, finding.moments[0].step
    return None


def advice_on(language_id: str, kind: str, message: str = "") -> str:
    """What to try after a fault of this kind (or ``parse_error``); empty when nothing is known."""
    diagnostics = find_language(language_id).diagnostics()
    if diagnostics is None:
        return ""
    if kind == PARSE_ERROR:
        return diagnostics.parse_advice(message)
    return diagnostics.advice.get(kind, "")


def outcome_as_json(outcome: Outcome) -> dict[str, Any]:
    """The outcome of a run, with ``advice`` where it failed by its own fault."""
    data = outcome.as_json()
    fault = outcome.fault
    advice = "" if fault is None else advice_on(outcome.language, fault.kind, fault.message)
    return {**data, "advice": advice} if advice else data
