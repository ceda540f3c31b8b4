"""Programs that solved problems in sessions, read from exports (``esoplay session export``)."""

from __future__ import annotations

import json
from base64 import b64decode
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, cast

from esoplay.errors import UsageError
from esoplay.sessions.export import FORMAT

LARGEST_IMPORT = 64 * 1024 * 1024
"""Bytes of an export beyond which it is not read."""

__all__ = ["SolvedProgram", "read_solutions"]


@dataclass(frozen=True, slots=True)
class SolvedProgram:
    """A program that passed all hidden tests of a session.

    digest: the SHA-256 of its bytes, in hexadecimal digits.
    """

    solver: str
    pack: str
    problem: str
    language: str
    dialect: str
    source: bytes
    digest: str


def read_solutions(data: bytes) -> list[SolvedProgram]:
    """The programs of an export that solved their problem, each once.

    Raises UsageError for what is no export of a session.
    """
    if len(data) > LARGEST_IMPORT:
        raise UsageError(f"an export has at most {LARGEST_IMPORT:,} bytes; this has {len(data):,}")
    try:
        export: object = json.loads(data)
        table = cast("dict[str, Any]", export) if isinstance(export, dict) else {}
        if table.get("format") != FORMAT:
            raise UsageError("this is no export of a session: it lacks format: esoplay-session")
        return _programs(table)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"this is no export of a session: {error}") from error


def _programs(export: dict[str, Any]) -> list[SolvedProgram]:
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
                raise ValueError(f"program {name[:12]}… is not what its name says")
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
