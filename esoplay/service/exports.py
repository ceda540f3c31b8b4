"""Exports of sessions as other parts of esoplay look at them: events and the bytes they name.

An export is taken as it is, whatever pack and version it came from: nothing is run or graded
again.  Whether it is true is for ``esoplay session verify`` to say.
"""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple, cast

from esoplay.errors import UsageError
from esoplay.sessions.export import FORMAT

LARGEST = 512 << 20
"""Bytes of an export beyond which it is not read."""

_HEADER = ("session", "language", "dialect", "closed", "events", "programs", "inputs")
_PLAIN = ("number", "problem", "program", "stdin", "status", "report")
"""Fields of events that are read here: words or numbers, whatever the version."""


class Event(NamedTuple):
    """An event as it stands in the log; ``time_ms`` is Unix time."""

    seq: int
    time_ms: int
    kind: str
    body: Mapping[str, Any]
    head: str


class SessionExport:
    """The log of a session, with programs, inputs and open reports by their digests."""

    def __init__(self, table: Mapping[str, Any]):
        """Raises UsageError for what is no export of a session."""
        try:
            _check(table)
            self.session = str(table["session"])
            solver = table.get("solver")
            self.solver = None if solver is None else str(solver)
            self.language = str(table["language"])
            self.dialect = str(table["dialect"])
            self.protocol = str(table["protocol"]["id"])
            self.pack_id = str(table["pack"]["id"])
            self.pack_version = str(table["pack"]["version"])
            self.seed_commitment = str(table.get("seed_commitment"))
            self.closed = bool(table["closed"])
            self.events = tuple(
                Event(
                    int(each["seq"]),
                    int(each["time_ms"]),
                    str(each["kind"]),
                    _body(each["body"]),
                    str(each["head"]),
                )
                for each in table["events"]
            )
            self._programs = _object(table["programs"])
            self._inputs = _object(table["inputs"])
            self._reports = _object(table.get("reports", {}))
        except (ArithmeticError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise _no_export(f"{type(error).__name__}: {error}") from None

    def program(self, digest: str) -> bytes:
        """The program of this digest; raises UsageError where the export lacks it."""
        return _blob(self._programs, digest, "program")

    def input(self, digest: str) -> bytes:
        """The input of this digest; raises UsageError where the export lacks it."""
        return _blob(self._inputs, digest, "input")

    def tests(self, report: str) -> list[Mapping[str, Any]]:
        """The single tests of a report; none where the export does not hold it."""
        text = self._reports.get(report)
        try:
            tests: list[object] = json.loads(text)["tests"] if isinstance(text, str) else []
            return [_object(test) for test in tests]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise _no_export(f"report {report[:12]}…: {error}") from None


def read_export(data: bytes) -> SessionExport:
    """What ``esoplay session export`` wrote; raises UsageError for anything else."""
    if len(data) > LARGEST:
        raise UsageError(f"an export has at most {LARGEST:,} bytes; this has {len(data):,}")
    try:
        table: object = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _no_export(f"no JSON ({error})") from None
    if not isinstance(table, dict):
        raise _no_export("it is no object")
    return SessionExport(cast("dict[str, Any]", table))


def _check(table: Mapping[str, Any]) -> None:
    if table.get("format") != FORMAT:
        raise _no_export(f"it lacks format: {FORMAT}")
    missing = [name for name in _HEADER if name not in table]
    if missing:
        raise _no_export(f"it lacks {missing[0]}")


def _blob(blobs: Mapping[str, Any], digest: str, kind: str) -> bytes:
    text = blobs.get(digest)
    if not isinstance(text, str):
        raise UsageError(f"the export lacks the {kind} {digest[:12]}…")
    try:
        data = b64decode(text, validate=True)
    except ValueError as error:
        raise UsageError(f"the {kind} {digest[:12]}… of the export is damaged: {error}") from None
    if sha256(data).hexdigest() != digest:
        raise UsageError(f"the {kind} {digest[:12]}… of the export is not what its name says")
    return data


def _body(value: object) -> Mapping[str, Any]:
    body = _object(value)
    for name in _PLAIN:
        if isinstance(body.get(name), list | dict):
            raise TypeError(f"{name}: expected a word or a number")
    return body


def _object(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"expected an object, found {type(value).__name__}")
    return cast("dict[str, Any]", value)


def _no_export(reason: str) -> UsageError:
    return UsageError(f"this is no export of a session: {reason}")
