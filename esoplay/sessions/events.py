"""Data classes for the events of a session, which are written once and never changed.

Programs and inputs are named by the SHA-256 of their bytes, which the store saves as blobs.
All JSON is written by ``encode`` and read by ``decode``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Literal, cast

from esoplay.grading.seeds import ORDER_VERSION, RunOrder
from esoplay.running.run import TIME_LIMIT
from esoplay.sessions.protocols import Protocol, protocol_as_json, protocol_from_json

Status = Literal["pending", "active", "solved", "failed", "skipped"]
"""Status of a problem in a session."""

MAX_REASON_LENGTH = 400
"""Maximum number of characters of ``VisibleProcessesAccepted.reason``, which reports print."""


@dataclass(frozen=True, slots=True)
class RunLimits:
    """Limits of one execution: steps, bytes of output, bytes of memory, seconds."""

    steps: int
    output: int
    memory: int
    time: float


@dataclass(frozen=True, slots=True)
class Inspection:
    """Summary of the files in the workspace when a program was submitted.

    seen: whether the operator's process could read the folder. reason: why it could not, or None.
    files, size: number of files and their total bytes. complete: whether every file was read;
    unreadable files, targets of symbolic links and files beyond the bounds are not. generators:
    languages in which a program could be generated, each with the path of one file. foreign: path
    of one file that is neither a program in the session's language nor written by init. new,
    changed, removed: numbers of files, compared with the previous submission. reused: number of
    generators that existed unchanged when another problem was submitted.
    """

    seen: bool
    reason: str | None = None
    files: int = 0
    size: int = 0
    complete: bool = False
    generators: Mapping[str, str] = field(default_factory=dict[str, str])
    foreign: str | None = None
    new: int = 0
    changed: int = 0
    removed: int = 0
    reused: int = 0


@dataclass(frozen=True, slots=True)
class SessionStarted:
    """First event of every session, which contains its rules, so that a log is self-contained.

    versions: versions of the parts that affect results: ``esoplay``, ``engine``, ``generator`` of
    hidden tests, and their run ``order``. solver: label for reports, such as the name of a model.
    time_limits: maximum seconds of one run, for problems whose limit differs from ``limits``.
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
    time_limits: Mapping[str, float] = field(default_factory=dict[str, float])

    def time_limit(self, problem: str | None) -> float:
        """Return the maximum seconds of a run for ``problem``, or of a run without a problem."""
        return self.time_limits.get(problem or "", self.limits.time)

    @property
    def is_extended(self) -> bool:
        """Whether only version 4 of the export can represent these rules; see ``export``."""
        protocol = self.protocol
        own_limits = bool(self.time_limits) or self.limits.time != TIME_LIMIT
        return own_limits or protocol.comparison != "exact" or protocol.tools is not None

    def run_order(self, submission: int) -> RunOrder | None:
        """Return the run order of a submission's tests; None for the order of their numbers."""
        if self.versions.get("order") != str(ORDER_VERSION):
            return None
        return RunOrder(self.session, submission)


@dataclass(frozen=True, slots=True)
class ProblemFetched:
    """Event of ``fetch``, also if the active problem is fetched again."""

    kind: ClassVar[str] = "problem_fetched"

    problem: str


@dataclass(frozen=True, slots=True)
class ProgramRun:
    """Local run. problem: None if the run does not count for a problem.

    The event contains only the digest of the output, because the run is deterministic and can be
    repeated. debug: whether the run was started in the debugger. arguments: of the command line, in
    host lanes. server: the problem whose server ran beside the program, or None.
    """

    kind: ClassVar[str] = "program_run"

    problem: str | None
    program: str
    stdin: str
    status: str
    steps: int
    stdout: str
    stdout_length: int
    debug: bool = False
    request_id: str | None = None
    arguments: tuple[str, ...] = ()
    server: str | None = None


@dataclass(frozen=True, slots=True)
class SubmissionReserved:
    """Submission that was accepted for grading. number: from 1 in the session.

    size: size of the program in bytes. inventory: digest of the list of all files in the workspace,
    which ``workspace`` summarizes. violation: rule that the submission broke, so that it fails
    regardless of its tests. These fields are None in older logs.
    """

    kind: ClassVar[str] = "submission_reserved"

    number: int
    problem: str
    program: str
    request_id: str | None
    size: int | None = None
    workspace: Inspection | None = None
    inventory: str | None = None
    violation: str | None = None


@dataclass(frozen=True, slots=True)
class SubmissionGraded:
    """Verdict on a submission, with the data that the solver receives as the answer.

    status: new status of the problem. report: digest of the sealed report of the tests. violation:
    workspace rule that was broken, so that the problem is not solved; or None.
    """

    kind: ClassVar[str] = "submission_graded"

    number: int
    problem: str
    passed: int
    total: int
    status: Status
    submissions_left: int | None
    report: str
    violation: str | None = None

    @property
    def solved(self) -> bool:
        return self.passed == self.total and self.violation is None


@dataclass(frozen=True, slots=True)
class SubmissionVoided:
    """Submission that does not count, because its grading did not finish."""

    kind: ClassVar[str] = "submission_voided"

    number: int
    problem: str
    reason: str


@dataclass(frozen=True, slots=True)
class ProblemSkipped:
    """Problem that the solver skipped."""

    kind: ClassVar[str] = "problem_skipped"

    problem: str


@dataclass(frozen=True, slots=True)
class VisibleProcessesAccepted:
    """Consent of the operator to a solver that can see the processes that run programs.

    Such a solver can read hidden tests from these processes. A log has at most one such event.
    reason: description of the exposure, one line of at most 400 printable characters.
    """

    kind: ClassVar[str] = "visible_processes_accepted"

    reason: str


@dataclass(frozen=True, slots=True)
class SessionClosed:
    """End of a session that the operator closed before every problem was final."""

    kind: ClassVar[str] = "session_closed"


Event = (
    SessionStarted
    | ProblemFetched
    | ProgramRun
    | SubmissionReserved
    | SubmissionGraded
    | SubmissionVoided
    | ProblemSkipped
    | VisibleProcessesAccepted
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
        VisibleProcessesAccepted,
        SessionClosed,
    )
}


def encode(event: Event) -> dict[str, Any]:
    """Convert the fields of an event to JSON values; ``kind`` is stored separately."""
    body = asdict(event)
    if isinstance(event, SessionStarted):
        body["protocol"] = protocol_as_json(event.protocol)
        if not event.time_limits:
            del body["time_limits"]
    elif isinstance(event, ProgramRun):
        for name in ("arguments", "server"):  # older versions can read a run without them
            if not body[name]:
                del body[name]
    return body


def decode(kind: str, body: Mapping[str, Any]) -> Event:
    """Decode the body of an event of this or an older format; raise ValueError for a newer one.

    Fields that are missing in an older format get their defaults.
    """
    if kind not in _KINDS:
        raise ValueError(f"unknown event {kind!r}")
    fields = dict(body)
    try:
        if kind == SessionStarted.kind:
            fields["protocol"] = protocol_from_json(fields["protocol"])
            fields["limits"] = RunLimits(**fields["limits"])
            fields["problems"] = tuple(cast("list[str]", fields["problems"]))
        elif fields.get("workspace") is not None:
            fields["workspace"] = Inspection(**fields["workspace"])
        elif "arguments" in fields:
            fields["arguments"] = tuple(cast("list[str]", fields["arguments"]))
        return _KINDS[kind](**fields)
    except (TypeError, KeyError) as error:
        raise ValueError(f"event {kind!r} has unexpected fields: {error}") from error
