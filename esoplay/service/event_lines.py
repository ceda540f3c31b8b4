"""The events of a session as flat lines for other tools, each with the same fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any, cast

from esoplay.errors import UsageError
from esoplay.service.exports import Event, SessionExport

_Find = Callable[[str], bytes]

FIELDS: tuple[str, ...] = (
    *("session", "language", "protocol", "solver", "seq", "time", "time_ms", "elapsed_ms"),
    *("kind", "problem", "number", "program_sha256", "program_size"),
    *("input_sha256", "input_size", "status", "steps", "output_sha256", "output_size", "debug"),
    *("passed", "total", "solved", "submissions_left", "violation", "request_id", "reason"),
    *("workspace_seen", "workspace_files", "files_new", "files_changed", "files_removed"),
    *("generators", "generators_reused", "report_sha256", "head"),
)
"""Every line has these, in this order; docs/replay.md says what they are."""


def event_lines(export: SessionExport) -> Iterator[dict[str, Any]]:
    """One flat object an event; a field that an event does not have is null."""
    began = export.events[0].time_ms if export.events else 0
    submitted: dict[object, str] = {}
    for event in export.events:
        body = event.body
        if event.kind == "submission_reserved":
            submitted[body.get("number")] = str(body.get("program"))
        line: dict[str, Any] = dict.fromkeys(FIELDS)
        line |= {
            "session": export.session,
            "language": export.language,
            "protocol": export.protocol,
            "solver": export.solver,
            "seq": event.seq,
            "time": iso_time(event.time_ms),
            "time_ms": event.time_ms,
            "elapsed_ms": event.time_ms - began,
            "kind": event.kind,
            "head": event.head,
        }
        line |= {name: body[name] for name in _SAME if name in body}
        line |= {ours: body[theirs] for ours, theirs in _RENAMED.items() if theirs in body}
        if event.kind in ("submission_graded", "submission_voided"):
            line["program_sha256"] = submitted.get(body.get("number"))
        line["program_size"] = _size(line["program_sha256"], export.program)
        line["input_size"] = _size(line["input_sha256"], export.input)
        line["solved"] = _solved(event)
        line |= _workspace(body.get("workspace"))
        yield line


def iso_time(time_ms: int) -> str:
    """Milliseconds of Unix time as ``2026-01-31T12:00:00.000Z``; raises UsageError."""
    try:
        moment = datetime.fromtimestamp(time_ms / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        raise UsageError(f"the export has an event at no time there is: {time_ms} ms") from None
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


_SAME = (
    *("problem", "number", "status", "steps", "debug", "passed", "total"),
    *("submissions_left", "violation", "request_id", "reason"),
)
_OF_WORKSPACE = {
    "workspace_files": "files",
    "files_new": "new",
    "files_changed": "changed",
    "files_removed": "removed",
    "generators_reused": "reused",
}
_RENAMED = {
    "program_sha256": "program",
    "input_sha256": "stdin",
    "output_sha256": "stdout",
    "output_size": "stdout_length",
    "report_sha256": "report",
}


def _solved(event: Event) -> bool | None:
    if event.kind != "submission_graded":
        return None
    body = event.body
    return body.get("passed") == body.get("total") and body.get("violation") is None


def _workspace(found: Any) -> dict[str, Any]:
    """What lay in the workspace when a program was handed in; nothing of a folder not seen."""
    if not isinstance(found, dict):
        return {}
    told = cast("dict[str, Any]", found)
    line: dict[str, Any] = {"workspace_seen": told.get("seen")}
    if told.get("seen"):
        line |= {ours: told.get(theirs) for ours, theirs in _OF_WORKSPACE.items()}
        generators = told.get("generators")
        if isinstance(generators, dict):
            line["generators"] = ",".join(sorted(cast("dict[str, Any]", generators)))
    return line


def _size(digest: object, find: _Find) -> int | None:
    return len(find(digest)) if isinstance(digest, str) else None
