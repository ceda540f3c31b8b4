"""What can be said of an export without a seed: whether it is one log, whole, and by the rules.

Everything in an export is bound to its log.  The other members repeat what the log says; programs,
inputs and reports are keyed by their digests, and the log names exactly these digests; and the
text has the layout of a JSON writer.  So no byte can change without a finding.
What an audit cannot know is whether the whole log was made up: that takes a ``head`` that was
acknowledged while the session was played, or the seed (``benchmark.verification``).
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple, cast, get_args

from msgspec import Struct

from esolangs.wording import count_of
from esoplay.decoding import DecodingError, FileWording, closed, decode
from esoplay.errors import RejectedCommand, UnknownProblem
from esoplay.sessions import events, machine
from esoplay.sessions.events import Event
from esoplay.sessions.export import (
    AS_WRITTEN,
    BLOB_FIELDS,
    FORMAT,
    READABLE_VERSIONS,
    header,
    named,
    open_reports,
    read_report,
)
from esoplay.sessions.machine import Command, decide
from esoplay.sessions.protocols import upgraded_row
from esoplay.sessions.state import SessionState, evolve
from esoplay.sessions.store import GENESIS, EventRecord, body_text, chain, digest


class AuditFinding(NamedTuple):
    """Something in an export that is not as it should be.

    event: its number in the log, None for what stands beside the log.  field: where in it.
    """

    event: int | None
    field: str
    text: str

    def __str__(self) -> str:
        place = "export" if self.event is None else f"event {self.event}"
        return f"{place}, {self.field}: {self.text}" if self.field else f"{place}: {self.text}"


@dataclass(slots=True)
class Audit:
    """An export that is looked through: what was found, and what could be read.

    state: after the last good event.  entries: the good events, the first of them event 1.
    blobs: programs and inputs by their digests.  reports: sealed reports by theirs.
    """

    findings: list[AuditFinding] = field(default_factory=list[AuditFinding])
    version: int = 0
    state: SessionState | None = None
    records: list[EventRecord] = field(default_factory=list[EventRecord])
    entries: list[Event] = field(default_factory=list[Event])
    blobs: dict[str, bytes] = field(default_factory=dict[str, bytes])
    reports: dict[str, str] = field(default_factory=dict[str, str])

    def find(self, event: int | None, field: str, text: str) -> None:
        self.findings.append(AuditFinding(event, field, text))

    @property
    def whole(self) -> bool:
        """Whether every event could be read and stands by the rules."""
        return self.state is not None and len(self.entries) == len(self.records)


def audit(text: bytes, head: str | None = None) -> Audit:
    """Look through an export as it was written; nothing that stands in it raises.

    head: one that was acknowledged while the session was played; the log must contain it.
    """
    result = Audit()
    try:
        _look_through(result, text, head)
    except RecursionError:  # to read, or to write again: that goes deeper
        result.find(None, "", "not an export: it is nested too deeply")
    return result


def _look_through(result: Audit, text: bytes, head: str | None) -> None:

    try:
        export = _parse(text)
    except ValueError as error:
        result.find(None, "", f"not valid JSON: {error}")
        return
    if not _is_readable(result, export):
        return
    if not any(text in (line, line + b"\n") for line in _writings(export)):
        # White space, escapes and names given twice mean nothing, so they could change unseen.
        result.find(None, "", "this is not how JSON is written: it was edited, or laid out by hand")
    if _read_records(result, export["events"]):
        _check_chain(result, str(export["session"]), head)
        _check_rules(result)
        if result.whole:
            check_members(result, export)


def _parse(text: bytes) -> Any:
    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is not a JSON number")

    return json.loads(text.decode(), parse_constant=refuse)


def _writings(export: Any) -> Iterator[bytes]:
    """The texts that JSON writers make of an export: on one line or indented, ASCII or UTF-8."""
    for ascii in (True, False):
        for layout in (None, (",", ":")):
            written = json.dumps(export, ensure_ascii=ascii, separators=layout)
            yield written.encode("utf-8", "surrogatepass")
        for indent in (1, 2, 4):
            written = json.dumps(export, ensure_ascii=ascii, indent=indent)
            yield written.encode("utf-8", "surrogatepass")


def _is_readable(result: Audit, export: Any) -> bool:
    """Whether this is an export, of a version that is known, with a log in it."""
    members: Mapping[str, Any] = cast("Any", export) if isinstance(export, dict) else {}
    if members.get("format") != FORMAT:
        result.find(None, "format", f"not an export of a session: expected {FORMAT!r}")
        return False
    version = members.get("format_version")
    if type(version) is not int or version not in READABLE_VERSIONS:
        known = ", ".join(map(str, READABLE_VERSIONS))
        told = f"this version of esoplay reads versions {known}, not {version!r}"
        result.find(None, "format_version", told)
        return False
    result.version = version
    for name, kind in (("session", str), ("events", list)):
        if not isinstance(members.get(name), kind):
            result.find(None, name, "is missing, or of another type")
            return False
    if not members["events"]:
        result.find(None, "events", "there are none")
    return True


_WORDING = FileWording(
    missing="is missing",
    unknown="there is no such field",
    expected="expected {expected}",
    table="an object",
    unknown_first=True,
)


class _Event(Struct):
    """The members of an event."""

    seq: int
    time_ms: int
    kind: str
    body: dict[str, Any]
    head: str


class _ReportedTest(Struct):
    """What is read of each test of a report."""

    verdict: str
    steps: int


def _read_records(result: Audit, events: Sequence[object]) -> bool:
    """Whether every event has the members of one."""
    for number, entry in enumerate(events, 1):
        members = cast("dict[str, Any]", entry) if isinstance(entry, dict) else {}
        if members.keys() != set(EventRecord._fields):
            result.find(number, "", f"expected an object of {', '.join(EventRecord._fields)}")
            return False
        try:
            decode(members, _Event, _WORDING)
        except DecodingError as mistake:
            result.find(number, mistake.path, mistake.words)
            return False
        result.records.append(EventRecord(**members))
    return bool(result.records)


def _check_chain(result: Audit, session: str, head: str | None) -> None:
    """Numbers without a gap, and each head made of its event and the head before it."""
    previous = GENESIS
    for expected, (seq, time_ms, kind, body, told) in enumerate(result.records, 1):
        if seq != expected:
            text = f"expected {expected}: events are missing, doubled or out of order"
            result.find(seq, "seq", text)
        elif chain(previous, session, seq, time_ms, kind, body_text(body)) != told:
            result.find(seq, "head", "does not follow from this event and those before it")
        previous = told
    if head is not None and head not in {record.head for record in result.records}:
        text = (
            f"{head[:12]}… was acknowledged and is not in this log: events after event "
            f"{len(result.records)} are missing, or the log was rewritten"
        )
        result.find(None, "head", text)


def _check_rules(result: Audit) -> None:
    """Every event is what the rules make of some command at its moment."""
    for record in result.records:
        try:
            event = read_event(record.kind, record.body)
            decide_again(result.state, event)
            result.state = evolve(result.state, event)
        except (RejectedCommand, UnknownProblem) as error:
            result.find(record.seq, "", f"{record.kind} is against the rules: {error}")
            return
        except ValueError as error:
            field = error.field if isinstance(error, InvalidEvent) else ""
            result.find(record.seq, field, str(error))
            return
        result.entries.append(event)


# What stands beside the log of an export.

_REPORTS = "reports"


def check_members(result: Audit, export: Mapping[str, Any]) -> None:
    """Findings for whatever says something else than the log, is missing, or is too much."""
    assert result.state is not None, "the log is whole"
    said = header(result.state, result.records[-1].head)
    if (result.version, said["format_version"]) == (1, 2):
        said["format_version"] = 1
    for name in AS_WRITTEN:
        said[name] = result.records[0].body[name]
    for name, value in json.loads(json.dumps(said)).items():
        if name not in export:
            result.find(None, name, "is missing")
        elif json.dumps(export[name], sort_keys=True) != json.dumps(value, sort_keys=True):
            result.find(None, name, "is not what the log says")
    blobs = dict(BLOB_FIELDS)
    if result.version == 1:
        del blobs["inventories"]
    for name in export.keys() - said.keys() - blobs.keys() - {"events", _REPORTS}:
        result.find(None, name, "an export has no such member")
    for member, names in blobs.items():
        _check_blobs(result, export, member, named(result.records, names))
    _check_sizes(result)
    _check_reports(result, export, open_reports(result.state, result.records))


def _check_blobs(
    result: Audit, export: Mapping[str, Any], member: str, wanted: Mapping[str, int]
) -> None:
    for name, value in _named(result, export, member, wanted):
        try:
            data = b64decode(value, validate=True)
        except ValueError:
            data = b""
        # The last letters of base64 have bits that mean nothing: only one spelling is right.
        if digest(data) != name or b64encode(data).decode("ascii") != value:
            result.find(wanted[name], f"{member}.{name}", "these are not the bytes it names")
        else:
            result.blobs[name] = data


def _check_sizes(result: Audit) -> None:
    for record in result.records:
        size, program = record.body.get("size"), result.blobs.get(record.body.get("program", ""))
        if size is not None and program is not None and size != len(program):
            result.find(
                record.seq, "size", f"is {size}; the program has {count_of(len(program), 'byte')}"
            )


def _check_reports(result: Audit, export: Mapping[str, Any], wanted: Mapping[str, int]) -> None:
    # By the name, as the number that an event gives itself need not be its place.
    verdicts = {one.body.get("report"): one.body for one in reversed(result.records)}
    for name, value in _named(result, export, _REPORTS, wanted):
        if digest(value.encode("utf-8", "surrogatepass")) != name:
            result.find(wanted[name], f"{_REPORTS}.{name}", "this is not the report it names")
            continue
        result.reports[name] = value
        graded = verdicts[name]
        if _counts(value) != (graded["passed"], graded["total"]):
            result.find(wanted[name], "passed", "is not what the report of the tests says")


def _counts(report: str) -> tuple[int, int] | None:
    """Return how many tests passed and how many there are; None if this is not a report."""
    try:
        tests = decode(read_report(report.encode())["tests"], list[_ReportedTest])
        return sum(test.verdict == "pass" for test in tests), len(tests)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _named(
    result: Audit, export: Mapping[str, Any], member: str, wanted: Mapping[str, int]
) -> Iterator[tuple[str, str]]:
    """The texts of a member that the log names; findings for all else."""
    found: object = export.get(member)
    if not isinstance(found, dict):
        result.find(None, member, "is missing, or no object")
        return
    texts = cast("dict[str, object]", found)
    for name in texts.keys() - wanted.keys():
        result.find(None, f"{member}.{name}", "no event names it")
    for name, seq in wanted.items():
        value = texts.get(name)
        if isinstance(value, str):
            yield name, value
        else:
            result.find(seq, f"{member}.{name}", "is missing, or no text")


# Events of a log from outside: their shape is checked, and each is decided a second time.

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
"""Which command causes which event; an event carries all that its command said."""


class InvalidEvent(ValueError):
    """An event that is not as it should be, in one ``field`` of its body or as a whole."""

    def __init__(self, text: str, field: str = ""):
        super().__init__(text)
        self.field = field


_KINDS: Mapping[str, type[Event]] = {kind.kind: kind for kind in get_args(Event)}


def read_event(kind: str, body: Mapping[str, Any]) -> Event:
    """The event that was written; raises Unfit."""
    if kind not in _KINDS:
        raise InvalidEvent(f"unknown event {kind!r}", "kind")
    try:
        decode(_upgraded(body), closed(_KINDS[kind]), _WORDING)
        return events.decode(kind, body)
    except DecodingError as mistake:
        raise InvalidEvent(mistake.words, mistake.path) from None
    except ValueError as error:
        raise InvalidEvent(str(error)) from error


def _upgraded(body: Mapping[str, Any]) -> dict[str, Any]:
    """The body with the rules of a session as this version writes them."""
    row = body.get("protocol")
    if not isinstance(row, dict):
        return dict(body)
    return {**body, "protocol": upgraded_row(cast("dict[str, Any]", row))}


def decide_again(state: SessionState | None, event: Event) -> None:
    """Ask the rules for ``event``; RejectedCommand or UnknownProblem where they forbid it.

    Raises Unfit where they would have made another event of the command.
    """
    cause = CAUSES[type(event)]
    said = {one.name: getattr(event, one.name) for one in fields(cause) if hasattr(event, one.name)}
    decided = decide(state, cause(**said))
    if event in decided:
        return
    for other in decided:
        for one in fields(other):
            was, should = getattr(event, one.name, None), getattr(other, one.name)
            if was != should:
                raise InvalidEvent(f"is {was!r}; the rules make it {should!r}", one.name)
    raise InvalidEvent("nothing happens here by the rules")
