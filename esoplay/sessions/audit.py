"""What can be said of an export without a seed: whether it is one log, whole, and by the rules.

Everything in an export is bound to its log.  The members beside the log repeat what the log
says; programs, inputs and reports stand under their digests, exactly those that the log names;
and the text is laid out as a JSON writer does it.  So no byte can change without a finding.
What an audit cannot know is whether the whole log was made up: that takes a ``head`` that was
acknowledged while the session was played, or the seed (``service.verification``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from esoplay.errors import RejectedCommand, UnknownProblem
from esoplay.sessions.events import Event
from esoplay.sessions.export import FORMAT, READABLE_VERSIONS
from esoplay.sessions.past import Unfit, decide_again, read_event
from esoplay.sessions.shape import misfit
from esoplay.sessions.state import State, evolve
from esoplay.sessions.store import GENESIS, Record, body_text, chain


class Finding(NamedTuple):
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

    findings: list[Finding] = field(default_factory=list[Finding])
    version: int = 0
    state: State | None = None
    records: list[Record] = field(default_factory=list[Record])
    entries: list[Event] = field(default_factory=list[Event])
    blobs: dict[str, bytes] = field(default_factory=dict[str, bytes])
    reports: dict[str, str] = field(default_factory=dict[str, str])

    def find(self, event: int | None, field: str, text: str) -> None:
        self.findings.append(Finding(event, field, text))

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
        result.find(None, "", "this is no export: it is nested too deeply")
    return result


def _look_through(result: Audit, text: bytes, head: str | None) -> None:
    from esoplay.sessions.audit_members import check_members

    try:
        export = _parse(text)
    except ValueError as error:
        result.find(None, "", f"this is no JSON text: {error}")
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
        raise ValueError(f"{constant} is no JSON number")

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
        result.find(None, "format", f"this is no export of a session: expected {FORMAT!r}")
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


_TYPES: Mapping[str, Any] = {
    "seq": int,
    "time_ms": int,
    "kind": str,
    "body": dict[str, Any],
    "head": str,
}


def _read_records(result: Audit, events: Sequence[object]) -> bool:
    """Whether every event has the members of one."""
    for number, entry in enumerate(events, 1):
        members = cast("dict[str, Any]", entry) if isinstance(entry, dict) else {}
        if members.keys() != set(Record._fields):
            result.find(number, "", f"expected an object of {', '.join(Record._fields)}")
            return False
        for name, hint in _TYPES.items():
            wrong = misfit(members[name], hint, name)
            if wrong is not None:
                name, _, told = wrong.partition(": ")
                result.find(number, name, told)
                return False
        result.records.append(Record(**members))
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
            f"{head[:12]}… was acknowledged and is not in this log: what came after event "
            f"{len(result.records)} was left out, or the log was written anew"
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
            field = error.field if isinstance(error, Unfit) else ""
            result.find(record.seq, field, str(error))
            return
        result.entries.append(event)
