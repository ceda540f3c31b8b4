"""Exports as forgers alter them, and what an audit finds then."""

from __future__ import annotations

import json
from typing import Any

from esoplay.sessions.audit import audit
from esoplay.sessions.store import GENESIS, body_text, next_head

Json = dict[str, Any]


def findings(export: Json, head: str | None = None) -> list[str]:
    return [str(finding) for finding in audit(json.dumps(export).encode(), head).findings]


def copy(export: Json) -> Json:
    return json.loads(json.dumps(export))


def rechain(export: Json) -> Json:
    """The same with a chain that holds, as a forger would compute it."""
    head = GENESIS
    for seq, event in enumerate(export["events"], 1):
        event["seq"] = seq
        body = body_text(event["body"])
        head = next_head(head, export["session"], seq, event["time_ms"], event["kind"], body)
        event["head"] = head
    return export | {"head": head}


def at(export: Json, kind: str, number: int = 0) -> Json:
    return [event for event in export["events"] if event["kind"] == kind][number]
