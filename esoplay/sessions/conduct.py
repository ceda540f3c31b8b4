"""The rules on what may lie in a workspace, as pure functions of what was found there.

They are checked when a program is handed in.  A workspace that breaks them fails the submission;
one that keeps them proves nothing, for a generator may have lain elsewhere.
"""

from __future__ import annotations

from esoplay.sessions.events import Inspection
from esoplay.sessions.hosts import allows
from esoplay.sessions.protocols import Protocol


def violation_of(protocol: Protocol, found: Inspection | None) -> str | None:
    """Why a submission out of such a workspace fails; None where nothing is against it."""
    if found is None or not found.seen:
        return None
    if protocol.generators is not None:
        for language, path in found.generators.items():
            if not allows(protocol.generators, language):
                allowed = ", ".join(protocol.generators) or "none"
                return f"generators allowed in the workspace: {allowed}; found {path} ({language})"
    if protocol.files == "own" and found.foreign is not None:
        return (
            "only programs in the session's language may lie in the workspace; "
            f"found {found.foreign}"
        )
    return None
