"""The events of a session: frozen values that are written once and never changed.

Programs and inputs are named by the SHA-256 of their bytes, which the store saves as blobs.
``encode`` and ``decode`` are the only way to and from JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Literal, cast

from esoplay.grading.seeds import ORDER_VERSION, RunOrder
from esoplay.running.run import TIME_LIMIT
from esoplay.sessions.protocols import Protocol, row_as_json, row_from

Status = Literal["pending", "active", "solved", "failed", "skipped"]
"""The status of a problem within a session."""

MAX_REASON_LENGTH = 400
"""Maximum characters of the reason in ``VisibleProcessesAccepted``, which reports print."""


@dataclass(frozen=True, slots=True)
class RunLimits:
    """Limits of one execution: steps, bytes of output, bytes of memory, seconds."""

    steps: int
    output: int
    memory: int
    time: float


@dataclass(frozen=True, slots=True)
class Inspection:
    """The files in the workspace when a program was submitted, seen by the operator's process.

    seen: whether the folder could be read; reason: why not.
    files, size: the number of files and their total bytes.
    complete: whether every file was read; unreadable files, targets of symbolic links and files
        beyond the bounds are not.
    generators: languages that a program could be generated with, each with one path.
    foreign: one path that is neither a program in the session's language nor written by init.
    new, changed, removed: files, compared with the previous submission.
    reused: generators that were there, byte for byte, when another problem was submitted.
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
    """The first event of every session, which contains its rules so that a log is self-contained.

    versions: of everything that affects results: ``esoplay``, ``engine``, ``generator`` of hidden
    tests, ``order`` in which they run. solver: a label for reports, such as a model's name.
    time_limits: seconds of one run for problems whose limit is not the one in ``limits``.
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
        """Return the seconds of one run for a problem, or for none."""
        return self.time_limits.get(problem or "", self.limits.time)

    @property
    def is_extended(self) -> bool:
        """Whether an earlier version cannot read this event or repeat its results."""
        protocol = self.protocol
        own_limits = bool(self.time_limits) or self.limits.time != TIME_LIMIT
        return own_limits or protocol.comparison != "exact" or protocol.tools is not None

    def run_order(self, submission: int) -> RunOrder | None:
        """Return the order in which the tests of a submission run; None for the order of their
        numbers."""
        if self.versions.get("order") != str(ORDER_VERSION):
            return None
        return RunOrder(self.session, submission)


@dataclass(frozen=True, slots=True)
class ProblemFetched:
    """A statement that was shown; fetching an active problem again repeats it."""

    kind: ClassVar[str] = "problem_fetched"

    problem: str


@dataclass(frozen=True, slots=True)
class ProgramRun:
    """A local run. ``problem`` is None if the run does not count for a problem.

    The event has only the digest of the output: the run is deterministic and can be repeated.
    ``debug``: whether the run was started in the debugger. ``arguments``: of the command line, in
    host lanes. ``server``: the problem whose server ran beside the program, or None.
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
    """A submission that was accepted for grading; ``number`` counts from 1 over the session.

    size: of the program in bytes. inventory: the digest of the list of all files in the workspace,
    which ``workspace`` summarizes. violation: the rule that fails the submission whatever its tests
    report. All of them are None in older logs.
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
    """The verdict on a submission, with everything that its answer contains.

    status: the problem's new status. report: the sealed report of the single tests. violation: the
    workspace rule that was broken; the problem is then not solved.
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
    """A submission that does not count because its grading did not finish."""

    kind: ClassVar[str] = "submission_voided"

    number: int
    problem: str
    reason: str


@dataclass(frozen=True, slots=True)
class ProblemSkipped:
    """A problem that the solver left unsolved."""

    kind: ClassVar[str] = "problem_skipped"

    problem: str


@dataclass(frozen=True, slots=True)
class VisibleProcessesAccepted:
    """The operator's consent to a solver who can see the processes that run programs.

    Such a solver can read hidden tests from these processes. A log has at most one such event.
    reason: who can see them, and how; one line of at most 400 printable characters.
    """

    kind: ClassVar[str] = "visible_processes_accepted"

    reason: str


@dataclass(frozen=True, slots=True)
class SessionClosed:
    """The end of a session that the operator closed before every problem was final."""

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
    """Return the event's fields as JSON values; its ``kind`` is stored separately."""
    body = asdict(event)
    if isinstance(event, SessionStarted):
        body["protocol"] = row_as_json(event.protocol)
        if not event.time_limits:
            del body["time_limits"]
    elif isinstance(event, ProgramRun):
        for name in ("arguments", "server"):  # older versions can read a run without them
            if not body[name]:
                del body[name]
    return body


def decode(kind: str, body: Mapping[str, Any]) -> Event:
    """Return the event with this body, perhaps in an older format; ValueError for a newer one.

    Fields that are missing in the older format get their defaults.
    """
    if kind not in _KINDS:
        raise ValueError(f"unknown event {kind!r}")
    fields = dict(body)
    try:
        if kind == SessionStarted.kind:
            fields["protocol"] = row_from(fields["protocol"])
            fields["limits"] = RunLimits(**fields["limits"])
            fields["problems"] = tuple(cast("list[str]", fields["problems"]))
        elif fields.get("workspace") is not None:
            fields["workspace"] = Inspection(**fields["workspace"])
        elif "arguments" in fields:
            fields["arguments"] = tuple(cast("list[str]", fields["arguments"]))
        return _KINDS[kind](**fields)
    except (TypeError, KeyError) as error:
        raise ValueError(f"event {kind!r} has unexpected fields: {error}") from error
