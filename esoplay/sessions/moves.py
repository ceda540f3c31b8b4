"""What can become of a problem, by what a protocol says about coming back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from esoplay.sessions.events import Status
from esoplay.sessions.protocols import Revisit

Move = Literal["fetch", "solve", "fail", "skip"]
Moves = Mapping[Status, Mapping[Move, Status]]

_ONWARD: Moves = {
    "pending": {"fetch": "active"},
    "active": {"fetch": "active", "solve": "solved", "fail": "failed", "skip": "skipped"},
    "solved": {},
    "failed": {},
    "skipped": {},
}
_BACK_TO_SKIPPED: Moves = {**_ONWARD, "skipped": {"fetch": "active"}}
_BACK: Moves = {
    **_BACK_TO_SKIPPED,
    "solved": {"fetch": "solved", "solve": "solved", "fail": "solved"},
}

MOVES: Mapping[Revisit, Moves] = {"never": _ONWARD, "skipped": _BACK_TO_SKIPPED, "all": _BACK}
"""By ``Protocol.revisit``; a status without moves is final.  What was solved stays solved."""


def is_final(revisit: Revisit, status: Status) -> bool:
    """Whether nothing can become of a problem any more."""
    return not MOVES[revisit][status]
