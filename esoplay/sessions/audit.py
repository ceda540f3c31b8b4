"""Audit an export without its seed: check that its log is complete and follows the rules.

Everything in an export is bound to its log. The other members repeat contents of the log; programs,
inputs and reports are keyed by their digests, and the log names exactly these digests; the text is
formatted as a JSON writer formats it. Every changed byte therefore causes a finding. A log that is
invented completely can pass; only a ``head`` that was acknowledged during the session, or the seed
(``benchmark.verification``), can prove that it is false.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple, cast, get_args

from msgspec import Struct

from esolangs.wording import format_count
from esoplay.decoding import DecodingError, FileWording, decode, strict_struct
from esoplay.errors import RejectedCommand, UnknownProblem
from esoplay.sessions import events, machine
from esoplay.sessions.events import Event
from esoplay.sessions.export import (
    AS_WRITTEN,
    BLOB_FIELDS,
    FORMAT,
    READABLE_VERSIONS,
    export_header,
    read_report,
    referenced_digests,
    revealable_reports,
)
from esoplay.sessions.machine import Command, decide
from esoplay.sessions.protocols import upgrade_protocol
from esoplay.sessions.state import SessionState, evolve
from esoplay.sessions.store import GENESIS, EventRecord, body_text, digest, next_head


class AuditFinding(NamedTuple):
    """Error in an export.

    event: number of the event in the log, or None for an error outside of the log. field: path of
    the field in the event or export.
    """

    event: int | None
    field: str
    text: str

    def __str__(self) -> str:
        place = "export" if self.event is None else f"event {self.event}"
        return f"{place}, {self.field}: {self.text}" if self.field else f"{place}: {self.text}"


@dataclass(slots=True)
class Audit:
    """Result of an audit: the findings and the parts that could be read.

    state: state after the last valid event. entries: valid events, starting with event 1. blobs:
    programs and inputs by digest. reports: sealed reports by digest.
    """

    findings: list[AuditFinding] = field(default_factory=list[AuditFinding])
    version: int = 0
    state: SessionState | None = None
    records: list[EventRecord] = field(default_factory=list[EventRecord])
    entries: list[Event] = field(default_factory=list[Event])
    blobs: dict[str, bytes] = field(default_factory=dict[str, bytes])
    reports: dict[str, str] = field(default_factory=dict[str, str])

    def add(self, event: int | None, field: str, text: str) -> None:
        self.findings.append(AuditFinding(event, field, text))

    @property
    def has_only_valid_events(self) -> bool:
        """Whether every event is readable and follows the rules."""
        return self.state is not None and len(self.entries) == len(self.records)


def audit(text: bytes, head: str | None = None) -> Audit:
    """Audit the text of an export. Never raises an exception.

    head: head that was acknowledged during the session, which the log must contain.
    """
    result = Audit()
    try:
        _run_checks(result, text, head)
    except RecursionError:  # raised by reading or writing JSON
        result.add(None, "", "not an export: it is nested too deeply")
    return result


def _run_checks(result: Audit, text: bytes, head: str | None) -> None:

    try:
        export = _parse(text)
    except ValueError as error:
        result.add(None, "", f"not valid JSON: {error}")
        return
    if not _is_readable(result, export):
        return
    if not any(text in (line, line + b"\n") for line in _json_layouts(export)):
        # Whitespace, escapes and repeated names do not affect the value, so compare the text, too.
        finding = "the file was edited or reformatted: no usual JSON writer produces this text"
        result.add(None, "", finding)
    if _read_records(result, export["events"]):
        _check_chain(result, str(export["session"]), head)
        _check_rules(result)
        if result.has_only_valid_events:
            check_members(result, export)


def _parse(text: bytes) -> Any:
    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is not a JSON number")

    return json.loads(text.decode(), parse_constant=refuse)


def _json_layouts(export: Any) -> Iterator[bytes]:
    """Yield an export as JSON writers format it: on one line or indented, in ASCII or UTF-8."""
    for ascii in (True, False):
        for layout in (None, (",", ":")):
            written = json.dumps(export, ensure_ascii=ascii, separators=layout)
            yield written.encode("utf-8", "surrogatepass")
        for indent in (1, 2, 4):
            written = json.dumps(export, ensure_ascii=ascii, indent=indent)
            yield written.encode("utf-8", "surrogatepass")


def _is_readable(result: Audit, export: Any) -> bool:
    """Return whether this is an export of a known version that contains a log."""
    members: Mapping[str, Any] = cast("Any", export) if isinstance(export, dict) else {}
    if members.get("format") != FORMAT:
        result.add(None, "format", f"not an export of a session: expected {FORMAT!r}")
        return False
    version = members.get("format_version")
    if type(version) is not int or version not in READABLE_VERSIONS:
        known = ", ".join(map(str, READABLE_VERSIONS))
        message = f"this version of esoplay reads format versions {known}, not {version!r}"
        result.add(None, "format_version", message)
        return False
    result.version = version
    for name, kind in (("session", str), ("events", list)):
        if not isinstance(members.get(name), kind):
            result.add(None, name, "is missing or of the wrong type")
            return False
    if not members["events"]:
        result.add(None, "events", "is empty")
    return True


_WORDING = FileWording(
    missing="is missing",
    unknown="is not a field of an event",
    expected="expected {expected}",
    table="an object",
    unknown_before_missing=True,
)


class _Event(Struct):
    """An event in an export, with the members that the audit reads."""

    seq: int
    time_ms: int
    kind: str
    body: dict[str, Any]
    head: str


class _ReportedTest(Struct):
    """Members of a reported test that the audit reads."""

    verdict: str
    steps: int


def _read_records(result: Audit, events: Sequence[object]) -> bool:
    """Read the log; return whether every event has the required members."""
    for number, entry in enumerate(events, 1):
        members = cast("dict[str, Any]", entry) if isinstance(entry, dict) else {}
        if members.keys() != set(EventRecord._fields):
            wanted = ", ".join(EventRecord._fields)
            result.add(number, "", f"expected an object with exactly the members {wanted}")
            return False
        try:
            decode(members, _Event, _WORDING)
        except DecodingError as mistake:
            result.add(number, mistake.path, mistake.message)
            return False
        result.records.append(EventRecord(**members))
    return bool(result.records)


def _check_chain(result: Audit, session: str, head: str | None) -> None:
    """Check the numbers of all events and the chain of their hashes; add errors to ``result``.

    The head of an event is the hash of this event and the previous head. head: the head of an event
    that the log must contain, or None.
    """
    previous = GENESIS
    for expected, (seq, time_ms, kind, body, recorded_head) in enumerate(result.records, 1):
        if seq != expected:
            text = f"expected {expected}: events are missing, repeated or out of order"
            result.add(seq, "seq", text)
        elif next_head(previous, session, seq, time_ms, kind, body_text(body)) != recorded_head:
            result.add(seq, "head", "does not match the hash of this event and the previous head")
        previous = recorded_head
    if head is not None and head not in {record.head for record in result.records}:
        text = (
            f"this log does not contain the expected head {head[:12]}…: events after event "
            f"{len(result.records)} are missing, or the log was rewritten"
        )
        result.add(None, "head", text)


def _check_rules(result: Audit) -> None:
    """Check that the rules allow each event in the state after the previous event."""
    for record in result.records:
        try:
            event = read_event(record.kind, record.body)
            check_decision(result.state, event)
            result.state = evolve(result.state, event)
        except (RejectedCommand, UnknownProblem) as error:
            result.add(record.seq, "", f"{record.kind} is against the rules: {error}")
            return
        except ValueError as error:
            field = error.field if isinstance(error, InvalidEvent) else ""
            result.add(record.seq, field, str(error))
            return
        result.entries.append(event)


# Members of an export other than its log.

_REPORTS = "reports"


def check_members(result: Audit, export: Mapping[str, Any]) -> None:
    """Report members that contradict the log, are missing or are unknown."""
    assert result.state is not None, "the log is complete"
    expected = export_header(result.state, result.records[-1].head)
    if (result.version, expected["format_version"]) == (1, 2):
        expected["format_version"] = 1
    for name in AS_WRITTEN:
        expected[name] = result.records[0].body[name]
    for name, value in json.loads(json.dumps(expected)).items():
        if name not in export:
            result.add(None, name, "is missing")
        elif json.dumps(export[name], sort_keys=True) != json.dumps(value, sort_keys=True):
            result.add(None, name, "contradicts the log")
    blobs = dict(BLOB_FIELDS)
    if result.version == 1:
        del blobs["inventories"]
    for name in export.keys() - expected.keys() - blobs.keys() - {"events", _REPORTS}:
        result.add(None, name, "is not a field of an export")
    for member, names in blobs.items():
        _check_blobs(result, export, member, referenced_digests(result.records, names))
    _check_sizes(result)
    _check_reports(result, export, revealable_reports(result.state, result.records))


def _check_blobs(
    result: Audit, export: Mapping[str, Any], member: str, expected: Mapping[str, int]
) -> None:
    for name, value in _expected_texts(result, export, member, expected):
        try:
            data = b64decode(value, validate=True)
        except ValueError:
            data = b""
        # The last letter of base64 contains unused bits: only one spelling is canonical.
        if digest(data) != name or b64encode(data).decode("ascii") != value:
            result.add(expected[name], f"{member}.{name}", "the bytes do not match this digest")
        else:
            result.blobs[name] = data


def _check_sizes(result: Audit) -> None:
    for record in result.records:
        size, program = record.body.get("size"), result.blobs.get(record.body.get("program", ""))
        if size is not None and program is not None and size != len(program):
            result.add(
                record.seq,
                "size",
                f"recorded as {size}; the program has {format_count(len(program), 'byte')}",
            )


def _check_reports(result: Audit, export: Mapping[str, Any], expected: Mapping[str, int]) -> None:
    # Find the event by digest: the number in a damaged event can differ from its position.
    verdicts = {one.body.get("report"): one.body for one in reversed(result.records)}
    for name, value in _expected_texts(result, export, _REPORTS, expected):
        if digest(value.encode("utf-8", "surrogatepass")) != name:
            result.add(
                expected[name], f"{_REPORTS}.{name}", "the report does not match this digest"
            )
            continue
        result.reports[name] = value
        graded = verdicts[name]
        if _counts(value) != (graded["passed"], graded["total"]):
            result.add(expected[name], "passed", "contradicts the report of the tests")


def _counts(report: str) -> tuple[int, int] | None:
    """Return the numbers of passed tests and of all tests, or None if this is not a report."""
    try:
        tests = decode(read_report(report.encode())["tests"], list[_ReportedTest])
        return sum(test.verdict == "pass" for test in tests), len(tests)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _expected_texts(
    result: Audit, export: Mapping[str, Any], member: str, expected: Mapping[str, int]
) -> Iterator[tuple[str, str]]:
    """Yield the expected digests with their texts; report missing and unexpected ones."""
    found: object = export.get(member)
    if not isinstance(found, dict):
        result.add(None, member, "is missing or not an object")
        return
    texts = cast("dict[str, object]", found)
    for name in texts.keys() - expected.keys():
        result.add(None, f"{member}.{name}", "no event refers to this digest")
    for name, seq in expected.items():
        value = texts.get(name)
        if isinstance(value, str):
            yield name, value
        else:
            result.add(seq, f"{member}.{name}", "is missing or not a string")


# Events of an untrusted log: check their fields, and decide each event again.

CAUSES: Mapping[type[Event], type[Command]] = {
    events.SessionStarted: machine.Start,
    events.ProblemFetched: machine.Fetch,
    events.ProgramRun: machine.RecordRun,
    events.SubmissionReserved: machine.Submit,
    events.SubmissionGraded: machine.RecordVerdict,
    events.SubmissionVoided: machine.VoidSubmission,
    events.ProblemSkipped: machine.Skip,
    events.VisibleProcessesAccepted: machine.AcceptVisibleProcesses,
    events.SessionClosed: machine.Close,
}
"""The command that causes each kind of event; an event contains the fields of its command."""


class InvalidEvent(ValueError):
    """Event that violates the format. field: invalid field of its body, or empty."""

    def __init__(self, text: str, field: str = ""):
        super().__init__(text)
        self.field = field


_KINDS: Mapping[str, type[Event]] = {kind.kind: kind for kind in get_args(Event)}


def read_event(kind: str, body: Mapping[str, Any]) -> Event:
    """Decode the body of an event; raise InvalidEvent if it is malformed."""
    if kind not in _KINDS:
        raise InvalidEvent(f"unknown event {kind!r}", "kind")
    try:
        decode(_upgrade_body(body), strict_struct(_KINDS[kind]), _WORDING)
        return events.decode(kind, body)
    except DecodingError as mistake:
        raise InvalidEvent(mistake.message, mistake.path) from None
    except ValueError as error:
        raise InvalidEvent(str(error)) from error


def _upgrade_body(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of an event; a protocol in the body is upgraded to the current fields.

    An earlier version of esoplay may have recorded the event.
    """
    row = body.get("protocol")
    if not isinstance(row, dict):
        return dict(body)
    return {**body, "protocol": upgrade_protocol(cast("dict[str, Any]", row))}


def check_decision(state: SessionState | None, event: Event) -> None:
    """Check that the rules allow ``event`` in this state.

    Raises RejectedCommand or UnknownProblem if the rules forbid the command, and InvalidEvent if
    the command results in a different event.
    """
    cause = CAUSES[type(event)]
    members = {
        one.name: getattr(event, one.name) for one in fields(cause) if hasattr(event, one.name)
    }
    decided = decide(state, cause(**members))
    if event in decided:
        return
    for other in decided:
        for one in fields(other):
            was, should = getattr(event, one.name, None), getattr(other, one.name)
            if was != should:
                raise InvalidEvent(f"is {was!r}; by the rules it must be {should!r}", one.name)
    raise InvalidEvent("the rules do not allow this event here")
