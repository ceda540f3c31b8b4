"""Why a run ended or what goes on in it, and what to try, for every front end."""

from __future__ import annotations

from esolangs.diagnosis import PARSE_ERROR
from esolangs.registry import find_language

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from esolangs.errors import ParseError
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


def advice_on_outcome(outcome: Outcome, error: ParseError | None = None) -> str:
    """What to try after a run that faulted or was no program; empty for any other.

    error: why it was no program, where that is known.
    """
    if outcome.fault is None and outcome.status != "parse_error":
        return ""
    diagnostics = find_language(outcome.language).diagnostics()
    if diagnostics is None:
        return ""
    if outcome.fault is not None:
        return diagnostics.advice.get(outcome.fault.kind, "")
    return diagnostics.advice[PARSE_ERROR] if error is None else diagnostics.advice_on(error)


def advice_on_parse_error(language_id: str, error: ParseError) -> str:
    """What to try when a text is no program; may be empty."""
    diagnostics = find_language(language_id).diagnostics()
    return "" if diagnostics is None else diagnostics.advice_on(error)
