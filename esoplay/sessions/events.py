"""What happens in a session: frozen values, written once and never changed.

Programs and inputs are named by the SHA-256 of their bytes; the bytes stand in the store's
content-addressed blobs.  ``encode`` and ``decode`` are the only way to and from JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Literal, cast

from esoplay.grading.seeds import ORDER_VERSION, RunOrder
from esoplay.sessions.protocols import Protocol, row_from

Status = Literal["pending", "active", "solved", "failed", "skipped"]
"""Of a problem within a session."""

MOST_REASON = 400
"""Characters of the reason in ``VisibleProcessesAccepted``; reports print it."""


@dataclass(frozen=True, slots=True)
class RunLimits:
    """What one execution may use: steps, bytes of output, bytes of memory, seconds."""

    steps: int
    output: int
    memory: int
    time: float


@dataclass(frozen=True, slots=True)
class Inspection:
    """What the operator's process found in the workspace when a program was handed in.

    seen: whether there was a folder it could look into; reason: why not.
    files, size: how many files, and their bytes together.
    complete: whether every file was looked at; unreadable files, targets of symbolic links and
        files beyond the bounds are not.
    generators: languages that a program could be generated with, each with one path.
    foreign: one path that is neither a program of the session's language nor put there by init.
    new, changed, removed: files, compared with the submission before.
    reused: generators that lay there, byte for byte, when another problem was submitted.
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
    """The first event of every session; it carries the rules, so that a log explains itself.

    versions: of what decides the results: ``esoplay``, ``engine``, ``generator`` of hidden tests,
    ``order`` in which they run.  solver: a label for reports, such as a model's name.
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

    def run_order(self, submission: int) -> RunOrder | None:
        """The order in which the tests of a submission run; None for that of their numbers."""
        if self.versions.get("order") != str(ORDER_VERSION):
            return None
        return RunOrder(self.session, submission)


@dataclass(frozen=True, slots=True)
class ProblemFetched:
    """A statement was shown; fetching an active problem again repeats it."""

    kind: ClassVar[str] = "problem_fetched"

    problem: str


@dataclass(frozen=True, slots=True)
class ProgramRun:
    """A local run that was answered.  ``problem`` is None when none was at hand.

    The event has the digest of the output only: the run is deterministic and can be repeated.
    ``debug``: whether the run was started in the debugger.
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


@dataclass(frozen=True, slots=True)
class SubmissionReserved:
    """A submission was accepted for grading; ``number`` counts from 1 over the session.

    size: of the program in bytes.  inventory: the list of all files that ``workspace`` sums up,
    by the digest of its text.  violation: why it fails whatever the tests say.  All of them are
    None in older logs.
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
    """A submission's verdict, with all that its answer says.

    status: of the problem from now on.  report: the sealed report of the single tests.
    violation: the rule on workspaces that was broken; the problem is then not solved.
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
class VisibleProcessesAccepted:
    """The operator served a solver who can see the processes that run programs.

    Such a solver can read hidden tests out of them.  At most one in a log.  reason: who can see
    them, and how; one line of at most ``MOST_REASON`` printable characters.
    """

    kind: ClassVar[str] = "visible_processes_accepted"

    reason: str


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
    return asdict(event)


def decode(kind: str, body: Mapping[str, Any]) -> Event:
    """The event that was written, perhaps by an earlier version; ValueError for a later one's.

    Fields that were added since have defaults.
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
        return _KINDS[kind](**fields)
    except (TypeError, KeyError) as error:
        raise ValueError(f"event {kind!r} has other fields than expected: {error}") from error
