"""Session exports: events as flat JSON lines for other tools, and programs that passed.

An export can be read whatever its pack and version, because nothing is run or graded again.
``esoplay session verify`` checks whether it is genuine.
"""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Protocol, cast

from msgspec import Struct, field

from esoplay.decoding import DecodingError, FileWording, decode, short_json
from esoplay.errors import UsageError
from esoplay.sessions.export import FORMAT

__all__ = [
    "FIELDS",
    "MAX_EXPORT_BYTES",
    "Event",
    "EventLines",
    "SessionExport",
    "SessionSource",
    "SolvedProgram",
    "event_lines",
    "iso_time",
    "read_export",
    "read_solutions",
]


MAX_EXPORT_BYTES = 512 << 20
"""The maximum size in bytes of an export."""

_READ_FIELDS = ("number", "problem", "program", "stdin", "status", "report")
"""The event fields that this module reads; in logs of all versions, strings or numbers."""


class Event(Struct):
    """An event in the log; ``time_ms`` is Unix time."""

    seq: int
    time_ms: int
    kind: str
    body: dict[str, Any]
    head: str

    def __post_init__(self) -> None:
        for name in _READ_FIELDS:
            if isinstance(self.body.get(name), list | dict):
                raise DecodingError(
                    f"body.{name}", "expected a single value, not a list or an object"
                )


class _ExportHeader(Struct):
    id: str


class _Pack(Struct):
    id: str
    version: str


class _Export(Struct):
    """The fields of an export that this module reads; blobs are decoded on demand."""

    session: str
    language: str
    dialect: str
    protocol: _ExportHeader
    pack: _Pack
    closed: bool
    events: tuple[Event, ...]
    programs: dict[str, Any]
    inputs: dict[str, Any]
    reports: dict[str, Any] = field(default_factory=dict[str, Any])
    solver: str | None = None
    seed_commitment: str | None = None


class _Report(Struct):
    tests: list[dict[str, Any]]


_WORDING = FileWording(missing="is missing", show=short_json, table="an object")


class SessionSource(Protocol):
    """Read access to a session, either from an export or from the store of a running session."""

    session: str
    solver: str | None
    language: str
    dialect: str
    protocol: str
    pack_id: str
    pack_version: str
    seed_commitment: str

    @property
    def closed(self) -> bool:
        """Whether the session is closed."""
        ...

    @property
    def events(self) -> Sequence[Event]:
        """The events that the log contained when it was opened, in log order."""
        ...

    def program(self, digest: str) -> bytes:
        """Return the program with this digest; raise EsoplayError if the program is missing."""
        ...

    def program_size(self, digest: str) -> int:
        """Return the size of a program in bytes."""
        ...

    def input(self, digest: str) -> bytes:
        """Return the input with this digest; raise EsoplayError if the input is missing."""
        ...

    def tests(self, report: str) -> Sequence[Mapping[str, Any]]:
        """Return the result of each test in a report; empty for a hidden report."""
        ...

    def examples(self, problem: str) -> Sequence[tuple[bytes, bytes]]:
        """Return the known public inputs of a problem with their expected outputs."""
        ...


class SessionExport:
    """The log of a session, and the programs, inputs and visible reports that it refers to."""

    def __init__(self, table: Mapping[str, Any]):
        """Check and wrap a decoded export.  Raises UsageError if ``table`` is not an export."""
        if table.get("format") != FORMAT:
            raise _invalid_export(f"expected the format {FORMAT}")
        try:
            found = decode(dict(table), _Export, _WORDING)
        except DecodingError as mistake:
            raise _invalid_export(str(mistake)) from None
        self.session = found.session
        self.solver = found.solver
        self.language = found.language
        self.dialect = found.dialect
        self.protocol = found.protocol.id
        self.pack_id = found.pack.id
        self.pack_version = found.pack.version
        self.seed_commitment = str(found.seed_commitment)
        self.closed = found.closed
        self.events = found.events
        self._programs = found.programs
        self._inputs = found.inputs
        self._reports = found.reports

    def program(self, digest: str) -> bytes:
        """Return the program with this digest.  Raises UsageError if it is missing."""
        return _blob(self._programs, digest, "program")

    def program_size(self, digest: str) -> int:
        """Return the size of a program in bytes.  Raises UsageError if it is missing."""
        return len(self.program(digest))

    def examples(self, problem: str) -> Sequence[tuple[bytes, bytes]]:
        """Return no examples, because an export does not contain the pack."""
        del problem
        return ()

    def input(self, digest: str) -> bytes:
        """Return the input with this digest.  Raises UsageError if it is missing."""
        return _blob(self._inputs, digest, "input")

    def tests(self, report: str) -> list[Mapping[str, Any]]:
        """Return the result of each test in the report with this digest.

        Returns an empty list if the report is not in the export.  Raises UsageError if the report
        is invalid.
        """
        text = self._reports.get(report)
        try:
            # Not decode_json, because programs may print unpaired surrogates.
            tests = decode(json.loads(text), _Report).tests if isinstance(text, str) else []
            return list(tests)
        except (ValueError, RecursionError) as error:
            raise _invalid_export(f"report {report[:12]}…: {error}") from None


def read_export(data: bytes) -> SessionExport:
    """Parse an export written by ``esoplay session export``.  Raises UsageError for other data."""
    if len(data) > MAX_EXPORT_BYTES:
        raise UsageError(
            f"export too large: expected at most {MAX_EXPORT_BYTES:,} bytes, found {len(data):,}"
        )
    try:
        table: object = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _invalid_export(f"not JSON ({error})") from None
    if not isinstance(table, dict):
        raise _invalid_export("not a JSON object")
    return SessionExport(cast("dict[str, Any]", table))


def _blob(blobs: Mapping[str, Any], digest: str, kind: str) -> bytes:
    text = blobs.get(digest)
    if not isinstance(text, str):
        raise UsageError(f"the export lacks the {kind} {digest[:12]}…")
    try:
        data = b64decode(text, validate=True)
    except ValueError as error:
        raise UsageError(f"the {kind} {digest[:12]}… of the export is damaged: {error}") from None
    if sha256(data).hexdigest() != digest:
        raise UsageError(
            f"the {kind} {digest[:12]}… of the export is damaged: its content does not match its "
            "digest"
        )
    return data


def _invalid_export(reason: str) -> UsageError:
    return UsageError(f"this is not an export of a session: {reason}")


# Events as flat JSON lines, all with the same fields

FIELDS: tuple[str, ...] = (
    *("session", "language", "protocol", "solver", "seq", "time", "time_ms", "elapsed_ms"),
    *("kind", "problem", "number", "program_sha256", "program_size"),
    *("input_sha256", "input_size", "status", "steps", "output_sha256", "output_size", "debug"),
    *("passed", "total", "solved", "submissions_left", "violation", "request_id", "reason"),
    *("workspace_seen", "workspace_files", "files_new", "files_changed", "files_removed"),
    *("generators", "generators_reused", "report_sha256", "head"),
)
"""The fields of each line, in output order; docs/replay.md describes them."""


def event_lines(export: SessionSource) -> Iterator[dict[str, Any]]:
    """Yield one flat object per event; missing fields are null."""
    lines = EventLines(export)
    for event in export.events:
        yield lines.line(event)


class EventLines:
    """Converts the events of one session to flat lines."""

    def __init__(self, session: SessionSource) -> None:
        self._session = session
        self._began: int | None = None
        self._submitted: dict[object, str] = {}

    def line(self, event: Event) -> dict[str, Any]:
        """Return an event as a dictionary with all fields in ``FIELDS``.

        It must be called for the events of the session in their order.
        """
        export, submitted, body = self._session, self._submitted, event.body
        if self._began is None:
            self._began = event.time_ms
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
            "elapsed_ms": event.time_ms - self._began,
            "kind": event.kind,
            "head": event.head,
        }
        line |= {name: body[name] for name in _COPIED_FIELDS if name in body}
        line |= {ours: body[theirs] for ours, theirs in _RENAMED.items() if theirs in body}
        if event.kind in ("submission_graded", "submission_voided"):
            line["program_sha256"] = submitted.get(body.get("number"))
        program, given = line["program_sha256"], line["input_sha256"]
        line["program_size"] = export.program_size(program) if isinstance(program, str) else None
        line["input_size"] = len(export.input(given)) if isinstance(given, str) else None
        line["solved"] = _is_solved(event)
        return line | _workspace(body.get("workspace"))


def iso_time(time_ms: int) -> str:
    """Return Unix time in milliseconds as ``2026-01-31T12:00:00.000Z``.

    Raises UsageError if it is out of range.
    """
    try:
        moment = datetime.fromtimestamp(time_ms / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        raise UsageError(f"the export has an event with an invalid time: {time_ms} ms") from None
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


_COPIED_FIELDS = (
    *("problem", "number", "status", "steps", "debug", "passed", "total"),
    *("submissions_left", "violation", "request_id", "reason"),
)
_WORKSPACE_FIELDS = {
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


def _is_solved(event: Event) -> bool | None:
    """Return whether a graded submission solved its problem; None for other events."""
    if event.kind != "submission_graded":
        return None
    body = event.body
    return body.get("passed") == body.get("total") and body.get("violation") is None


def _workspace(record: Any) -> dict[str, Any]:
    """Return the workspace fields of a submission; null if the folder was not inspected."""
    if not isinstance(record, dict):
        return {}
    workspace = cast("dict[str, Any]", record)
    line: dict[str, Any] = {"workspace_seen": workspace.get("seen")}
    if workspace.get("seen"):
        line |= {ours: workspace.get(theirs) for ours, theirs in _WORKSPACE_FIELDS.items()}
        generators = workspace.get("generators")
        if isinstance(generators, dict):
            line["generators"] = ",".join(sorted(cast("dict[str, Any]", generators)))
    return line


# Programs that solved problems

MAX_IMPORT_BYTES = 64 * 1024 * 1024
"""The maximum size in bytes of an export that ``read_solutions`` accepts."""


@dataclass(frozen=True, slots=True)
class SolvedProgram:
    """A program that passed all hidden tests of a problem in a session.

    digest: the SHA-256 of its bytes, in hexadecimal.
    """

    solver: str
    pack: str
    problem: str
    language: str
    dialect: str
    source: bytes
    digest: str


def read_solutions(data: bytes) -> list[SolvedProgram]:
    """Return the programs of an export that solved their problems, without duplicates.

    Raises UsageError if ``data`` is not an export of a session.
    """
    if len(data) > MAX_IMPORT_BYTES:
        raise UsageError(
            f"export too large: expected at most {MAX_IMPORT_BYTES:,} bytes, found {len(data):,}"
        )
    try:
        export: object = json.loads(data)
        table = cast("dict[str, Any]", export) if isinstance(export, dict) else {}
        if table.get("format") != FORMAT:
            raise UsageError(
                "this is not an export of a session: expected the format esoplay-session"
            )
        return _solved_programs(table)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"this is not an export of a session: {error}") from error


def _solved_programs(export: dict[str, Any]) -> list[SolvedProgram]:
    programs: dict[str, str] = export["programs"]
    submitted: dict[int, str] = {}
    found: dict[tuple[str, str], SolvedProgram] = {}
    for event in export["events"]:
        body = event["body"]
        if event["kind"] == "submission_reserved":
            submitted[body["number"]] = body["program"]
        elif event["kind"] == "submission_graded" and body["passed"] == body["total"]:
            name = submitted[body["number"]]
            source = b64decode(programs[name], validate=True)
            if sha256(source).hexdigest() != name:
                raise ValueError(f"program {name[:12]}… does not match its digest")
            found[body["problem"], name] = SolvedProgram(
                str(export["solver"] or f"session {export.get('session', '')}".strip()),
                str(export["pack"]["id"]),
                str(body["problem"]),
                str(export["language"]),
                str(export["dialect"]),
                source,
                name,
            )
    return list(found.values())
