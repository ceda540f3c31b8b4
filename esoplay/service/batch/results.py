"""Results as lines of JSON.

Every result begins with ``line``, ``submission`` and ``terms``: the number of its submission's
line from 1, the digest of that line, and the name of what it was graded by.  By these an
unfinished file is matched with the submissions, however often it was interrupted.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple

from esoplay.grading.report import GradeReport
from esoplay.service.batch.submissions import Submission, name_of
from esoplay.service.batch.terms import line_digest
from esoplay.service.batch.wire import Word

ResultLine = tuple[Word, bytes]
"""What became of a submission, and the line that tells it."""


class Head(NamedTuple):
    """What every result begins with; ``id`` is the submission's own, or None."""

    line: int
    submission: str
    terms: str
    id: str | int | None


def head_of(number: int, line: bytes, terms: str) -> Head:
    """The head of the result of ``line``."""
    return Head(number, line_digest(line), terms, name_of(line))


def graded(head: Head, submission: Submission, report: GradeReport) -> ResultLine:
    """The result of a submission that was graded."""
    program = {
        "program_sha256": hashlib.sha256(submission.source).hexdigest(),
        "program_size": len(submission.source),
        "dialect": report.dialect,
    }
    data = {"status": "graded", **program, **report.as_json()}
    return "solved" if report.solved else "unsolved", _spell(head, data)


def invalid(head: Head, error: Exception) -> ResultLine:
    """The result of one that cannot be graded, and could not however often it were tried."""
    kind: str = getattr(error, "kind", "usage")  # errors of engines have none
    data = {"status": "invalid", "error": {"kind": kind, "message": str(error)}}
    return "invalid", _spell(head, data)


def voided(head: Head, reason: str) -> ResultLine:
    """The result of one that came to nothing twice, through no fault of the program."""
    data = {"status": "voided", "error": {"kind": "internal_error", "message": reason}}
    return "voided", _spell(head, data)


def beginning(head: Head) -> bytes:
    """The bytes that a result of this head begins with, as far as they do not depend on it."""
    return json.dumps(head._replace(id=None)._asdict()).partition(', "id"')[0].encode("ascii")


def _spell(head: Head, data: dict[str, Any]) -> bytes:
    begin = {name: value for name, value in head._asdict().items() if value is not None}
    return json.dumps(begin | data).encode("ascii") + b"\n"
