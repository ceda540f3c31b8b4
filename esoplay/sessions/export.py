"""The export of a session: its whole log, with the bytes that the log names.

An export is handed to the solver as well, at any time.  It holds no seed and no hidden test;
the sealed reports of single tests join it only when the protocol explains them anyway or the
session is closed.  Each report carries random bytes, so that its digest in the log, which may
be public all the time, cannot be used to guess what it says.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from esoplay.grading.report import GradeReport
from esoplay.sessions.events import ProgramRun, SubmissionGraded, SubmissionReserved
from esoplay.sessions.journal import Moment
from esoplay.sessions.protocols import Protocol
from esoplay.sessions.store import EventStore, Record

FORMAT = "esoplay-session"
FORMAT_VERSION = 1


def export_session(store: EventStore, moment: Moment) -> dict[str, Any]:
    """The export of a session up to ``moment``; every value is JSON."""
    state = moment.state
    started = state.started
    records = [one for one in store.read(started.session) if one.seq <= moment.last.seq]
    open_reports = state.closed or state.protocol.feedback == "explained"
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
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
        "head": moment.head,
        "events": [record._asdict() for record in records],
        "programs": _blobs(
            store, records, {ProgramRun.kind: "program", SubmissionReserved.kind: "program"}
        ),
        "inputs": _blobs(store, records, {ProgramRun.kind: "stdin"}),
        "reports": {
            record.body["report"]: store.blob(record.body["report"]).decode()
            for record in records
            if open_reports and record.kind == SubmissionGraded.kind
        },
    }


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


def _blobs(
    store: EventStore, records: Sequence[Record], fields: Mapping[str, str]
) -> dict[str, str]:
    """The bytes that these fields of these events name, in base64 by their digest."""
    names = {record.body[fields[record.kind]]: None for record in records if record.kind in fields}
    return {name: b64encode(store.blob(name)).decode("ascii") for name in names}
