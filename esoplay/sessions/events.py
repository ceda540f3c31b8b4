"""What happens in a session: frozen values, written once and never changed.

Programs and inputs are named by the SHA-256 of their bytes; the bytes stand in the store's
content-addressed blobs.  ``encode`` and ``decode`` are the only way to and from JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal, cast

from esoplay.sessions.protocols import Protocol

Status = Literal["pending", "active", "solved", "failed", "skipped"]
"""Of a problem within a session."""


@dataclass(frozen=True, slots=True)
class RunLimits:
    """What one execution may use: steps, bytes of output, bytes of memory, seconds."""

    steps: int
    output: int
    memory: int
    time: float


@dataclass(frozen=True, slots=True)
class SessionStarted:
    """The first event of every session; it carries the rules, so that a log explains itself.

    solver: a label for reports, such as a model's name.
    """

    kind: ClassVar[str] = "session_started"

    session: str
    language: str
    protocol: Protocol
    pack: str
    pack_version: str
    problems: tuple[str, ...]
    limits: RunLimits
    seed_commitment: str
    versions: Mapping[str, str]
    solver: str | None = None


@dataclass(frozen=True, slots=True)
class ProblemFetched:
    """A statement was shown; fetching an active problem again repeats it."""

    kind: ClassVar[str] = "problem_fetched"

    problem: str


@dataclass(frozen=True, slots=True)
class ProgramRun:
    """A local run that was answered.  ``problem`` is None when none was at hand.

    The output is named, not kept: the run is deterministic and can be repeated.
    """

    kind: ClassVar[str] = "program_run"

    problem: str | None
    program: str
    stdin: str
    status: str
    steps: int
    stdout: str
    stdout_length: int


@dataclass(frozen=True, slots=True)
class SubmissionReserved:
    """A submission was accepted for grading; ``number`` counts from 1 over the session."""

    kind: ClassVar[str] = "submission_reserved"

    number: int
    problem: str
    program: str
    request_id: str | None


@dataclass(frozen=True, slots=True)
class SubmissionGraded:
    """A submission's verdict, with all that its answer says.

    status: of the problem from now on.  report: the sealed report of the single tests.
    """

    kind: ClassVar[str] = "submission_graded"

    number: int
    problem: str
    passed: int
    total: int
    status: Status
    submissions_left: int | None
    report: str


@dataclass(frozen=True, slots=True)
class SubmissionVoided:
    """Grading did not finish through no fault of the solver: the submission does not count."""

    kind: ClassVar[str] = "submission_voided"

    number: int
    problem: str
    reason: str


@dataclass(frozen=True, slots=True)
class ProblemSkipped:
    """The solver left a problem unsolved."""

    kind: ClassVar[str] = "problem_skipped"

    problem: str


@dataclass(frozen=True, slots=True)
class SessionClosed:
    """The operator ended the session before every problem was finalized."""

    kind: ClassVar[str] = "session_closed"


Event = (
    SessionStarted
    | ProblemFetched
    | ProgramRun
    | SubmissionReserved
    | SubmissionGraded
    | SubmissionVoided
    | ProblemSkipped
    | SessionClosed
)

_KINDS: Mapping[str, type[Event]] = {
    event.kind: event
    for event in (
        SessionStarted,
        ProblemFetched,
        ProgramRun,
        SubmissionReserved,
        SubmissionGraded,
        SubmissionVoided,
        ProblemSkipped,
        SessionClosed,
    )
}


def encode(event: Event) -> dict[str, Any]:
    """The event's fields as JSON values; its ``kind`` is kept beside them."""
    return asdict(event)


def decode(kind: str, body: Mapping[str, Any]) -> Event:
    """The event that was written; ValueError when this version does not know it."""
    if kind not in _KINDS:
        raise ValueError(f"unknown event {kind!r}")
    fields = dict(body)
    try:
        if kind == SessionStarted.kind:
            fields["protocol"] = Protocol(**fields["protocol"])
            fields["limits"] = RunLimits(**fields["limits"])
            fields["problems"] = tuple(cast("list[str]", fields["problems"]))
        return _KINDS[kind](**fields)
    except (TypeError, KeyError) as error:
        raise ValueError(f"event {kind!r} has other fields than expected: {error}") from error
