"""The export of a session: its whole log, with the bytes that the log names.

An export is handed to the solver as well, at any time.  It holds no seed and no hidden test;
the sealed reports of single tests join it only when the protocol explains them anyway or the
session is closed.  Each report carries random bytes, so that its digest in the log, which may
be public all the time, cannot be used to guess what it says.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from esoplay.grading.report import GradeReport
from esoplay.sessions.events import ProgramRun, SubmissionGraded, SubmissionReserved
from esoplay.sessions.journal import SessionSnapshot
from esoplay.sessions.protocols import Protocol
from esoplay.sessions.state import SessionState
from esoplay.sessions.store import EventRecord, EventStore

FORMAT = "esoplay-session"
READABLE_VERSIONS = (1, 2, 3)
"""Version 1 had no inventories; version 3 has the event ``visible_processes_accepted``.

A session without that event is exported as version 2, which earlier releases read as well.
"""

AS_WRITTEN = ("protocol", "limits")
"""Members that repeat the first event, which may be older than some of their fields."""

BLOB_FIELDS: Mapping[str, Mapping[str, str]] = {
    "programs": {ProgramRun.kind: "program", SubmissionReserved.kind: "program"},
    "inputs": {ProgramRun.kind: "stdin"},
    "inventories": {SubmissionReserved.kind: "inventory"},
}
"""The fields that name bytes, by the export's member that holds these, and the event's kind."""


def export_session(store: EventStore, moment: SessionSnapshot) -> dict[str, Any]:
    """The export of a session up to ``moment``; every value is JSON."""
    state = moment.state
    records = [one for one in store.read(state.started.session) if one.seq <= moment.last.seq]
    blobs = {
        member: {
            name: b64encode(store.blob(name)).decode("ascii") for name in named(records, fields)
        }
        for member, fields in BLOB_FIELDS.items()
    }
    reports = {name: store.blob(name).decode() for name in open_reports(state, records)}
    events = [record._asdict() for record in records]
    said = header(state, moment.head)
    for name in AS_WRITTEN:
        said[name] = records[0].body[name]
    return {**said, "events": events, **blobs, "reports": reports}


def header(state: SessionState, head: str) -> dict[str, Any]:
    """What an export says of a session besides its log; all of it follows from the log."""
    started = state.started
    return {
        "format": FORMAT,
        "format_version": 2 if state.visible_processes is None else 3,
        "session": started.session,
        "solver": started.solver,
        "language": started.language,
        "dialect": state.protocol.dialect,
        "protocol": asdict(state.protocol),
        "pack": {"id": started.pack, "version": started.pack_version},
        "limits": asdict(started.limits),
        "seed_commitment": started.seed_commitment,
        "versions": dict(started.versions),
        "closed": state.closed,
        "head": head,
    }


def named(records: Iterable[EventRecord], fields: Mapping[str, str]) -> dict[str, int]:
    """The digests that these fields of these events name, with the first event that does."""
    names: dict[str, int] = {}
    for record in records:
        name = record.body.get(fields[record.kind]) if record.kind in fields else None
        if name is not None:
            names.setdefault(name, record.seq)
    return names


def open_reports(state: SessionState, records: Iterable[EventRecord]) -> dict[str, int]:
    """The reports that join an export at this moment, with the events that name them."""
    if state.closed or state.protocol.feedback == "explained":
        return named(records, {SubmissionGraded.kind: "report"})
    return {}


def seal_report(report: GradeReport, protocol: Protocol, nonce: bytes) -> bytes:
    """The single tests as a blob; inputs and outputs only where the protocol explains them."""
    tests = [
        test.as_json()
        if protocol.feedback == "explained"
        else {"index": test.index, "verdict": test.verdict, "steps": test.steps}
        for test in report.tests
    ]
    return json.dumps({"nonce": nonce.hex(), "tests": tests}).encode()


def read_report(blob: bytes) -> dict[str, Any]:
    """What ``seal_report`` wrote: ``nonce`` and ``tests``."""
    return json.loads(blob)
