"""What to try after a run that failed: little to load, as `esoplay run` needs no more."""

from __future__ import annotations

from esolangs.registry import find_language

if TYPE_CHECKING:
    from typing import Any

    from esoplay.running.run import Outcome


TYPE_CHECKING = False


def advice_on(language_id: str, kind: str, message: str = "") -> str:
    """What to try after a fault of this kind (or ``parse_error``); empty when nothing is known."""
    diagnostics = find_language(language_id).diagnostics()
    if diagnostics is None:
        return ""
    from esolangs.diagnosis import PARSE_ERROR

    if kind == PARSE_ERROR:
        return diagnostics.parse_advice(message)
    return diagnostics.advice.get(kind, "")


def outcome_as_json(outcome: Outcome) -> dict[str, Any]:
    """The outcome of a run, with ``advice`` where it failed by its own fault."""
    data = outcome.as_json()
    fault = outcome.fault
    advice = "" if fault is None else advice_on(outcome.language, fault.kind, fault.message)
    return {**data, "advice": advice} if advice else data
