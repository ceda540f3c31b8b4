"""Export sessions: the whole log, with the programs and inputs that it refers to.

Solvers can get an export at any time. It contains neither the seed nor hidden tests. Sealed reports
of tests are added only if the protocol shows them anyway or the session is closed. A report
contains random bytes, so that its contents cannot be guessed from its digest in the log.
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
from esoplay.sessions.protocols import Protocol, protocol_as_json
from esoplay.sessions.state import SessionState
from esoplay.sessions.store import EventRecord, EventStore

FORMAT = "esoplay-session"
READABLE_VERSIONS = (1, 2, 3, 4)
"""The export versions that this release can read.

Version 2 added inventories; version 3 added the event ``visible_processes_accepted``; version 4
added comparison modes, tool profiles, time limits, and runs with arguments or a server.

A session is exported in the earliest version from 2 that can represent it, so that earlier releases
can read it.
"""

AS_WRITTEN = ("protocol", "limits")
"""Members of an export that are copied unchanged from the session's first event.

In an old session, they may lack fields that were added later.
"""

BLOB_FIELDS: Mapping[str, Mapping[str, str]] = {
    "programs": {ProgramRun.kind: "program", SubmissionReserved.kind: "program"},
    "inputs": {ProgramRun.kind: "stdin"},
    "inventories": {SubmissionReserved.kind: "inventory"},
}
"""For each member of the export that contains blobs: which events refer to them in which field.

The inner keys are kinds of events; the values are names of fields that contain a digest.
"""


def export_session(store: EventStore, snapshot: SessionSnapshot) -> dict[str, Any]:
    """Return the JSON values of a session's export up to ``snapshot``."""
    state = snapshot.state
    records = [
        one for one in store.read(state.started.session) if one.seq <= snapshot.last_event.seq
    ]
    blobs = {
        member: {
            name: b64encode(store.blob(name)).decode("ascii")
            for name in referenced_digests(records, fields)
        }
        for member, fields in BLOB_FIELDS.items()
    }
    reports = {name: store.blob(name).decode() for name in revealable_reports(state, records)}
    events = [record._asdict() for record in records]
    members = export_header(state, snapshot.head)
    for name in AS_WRITTEN:
        members[name] = records[0].body[name]
    return {**members, "events": events, **blobs, "reports": reports}


def export_header(state: SessionState, head: str) -> dict[str, Any]:
    """Return the members of an export that are derived from its log."""
    started = state.started
    return {
        "format": FORMAT,
        "format_version": _export_version(state),
        "session": started.session,
        "solver": started.solver,
        "language": started.language,
        "dialect": state.protocol.dialect,
        "protocol": protocol_as_json(state.protocol),
        "pack": {"id": started.pack, "version": started.pack_version},
        "limits": asdict(started.limits),
        "seed_commitment": started.seed_commitment,
        "versions": dict(started.versions),
        "closed": state.closed,
        "head": head,
    }


def _export_version(state: SessionState) -> int:
    if state.started.is_extended or state.invoked:
        return 4
    return 2 if state.visible_processes is None else 3


def referenced_digests(records: Iterable[EventRecord], fields: Mapping[str, str]) -> dict[str, int]:
    """Return the digests in event fields, each with the number of the first event that has it.

    fields: name of the field with a digest, by kind of event.
    """
    names: dict[str, int] = {}
    for record in records:
        name = record.body.get(fields[record.kind]) if record.kind in fields else None
        if name is not None:
            names.setdefault(name, record.seq)
    return names


def revealable_reports(state: SessionState, records: Iterable[EventRecord]) -> dict[str, int]:
    """Return the digests of the grading reports that an export may reveal now.

    The value of each digest is the number of its event. While a session is open, there are no such
    reports unless the protocol explains failures.
    """
    if state.closed or state.protocol.feedback == "explained":
        return referenced_digests(records, {SubmissionGraded.kind: "report"})
    return {}


def seal_report(report: GradeReport, protocol: Protocol, nonce: bytes) -> bytes:
    """Encode the results of tests as a blob, with inputs and outputs if the protocol shows them."""
    tests = [
        test.as_json()
        if protocol.feedback == "explained"
        else {"index": test.index, "verdict": test.verdict, "steps": test.steps}
        for test in report.tests
    ]
    return json.dumps({"nonce": nonce.hex(), "tests": tests}).encode()


def read_report(blob: bytes) -> dict[str, Any]:
    """Decode a blob of ``seal_report``; return its ``nonce`` and ``tests``."""
    return json.loads(blob)
