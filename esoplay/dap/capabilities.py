"""What the adapter offers of all that the protocol leaves open.

Not ``goto``: it skips what lies between, and a history has no such steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

CAPABILITIES: Mapping[str, Any] = {
    "supportsConfigurationDoneRequest": True,
    "supportsFunctionBreakpoints": True,
    "supportsConditionalBreakpoints": True,
    "supportsHitConditionalBreakpoints": True,
    "supportsLogPoints": True,
    "supportsDataBreakpoints": True,
    "supportsBreakpointLocationsRequest": True,
    "supportsCompletionsRequest": True,
    "completionTriggerCharacters": [":"],
    "supportsEvaluateForHovers": True,
    "supportsStepBack": True,
    "supportsSteppingGranularity": True,
    "supportsSetVariable": True,
    "supportsRestartRequest": True,
    "supportsTerminateRequest": True,
    "supportsExceptionInfoRequest": True,
    "supportsLoadedSourcesRequest": True,
    "supportsDelayedStackTraceLoading": True,
    "exceptionBreakpointFilters": [],
}
