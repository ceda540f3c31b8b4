"""What can be asked of a session's state machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from esoplay.sessions.events import Inspection, RunLimits
from esoplay.sessions.protocols import Protocol


@dataclass(frozen=True, slots=True)
class Start:
    """Begin a session; the only command that needs no state."""

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
class Fetch:
    """Show a statement: the named problem's, or that of whatever comes next."""

    problem: str | None = None


@dataclass(frozen=True, slots=True)
class RecordRun:
    """Count and log a local run that has been executed but not answered yet.

    A repeat of a recent ``request_id`` causes no event.
    """

    program: str
    stdin: str
    status: str
    steps: int
    stdout: str
    stdout_length: int
    debug: bool = False
    request_id: str | None = None


@dataclass(frozen=True, slots=True)
class Submit:
    """Hand in a program.  A repeat of an answered ``request_id`` causes no event.

    size: of the program in bytes.  workspace: what was found there just before; inventory: the
    list of its files, by digest.
    """

    problem: str
    program: str
    request_id: str | None = None
    size: int | None = None
    workspace: Inspection | None = None
    inventory: str | None = None


@dataclass(frozen=True, slots=True)
class RecordVerdict:
    """Settle the submission that is being graded."""

    number: int
    passed: int
    total: int
    report: str


@dataclass(frozen=True, slots=True)
class VoidSubmission:
    """Give the submission that is being graded back to the solver."""

    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class Skip:
    """Leave the current problem unsolved."""


@dataclass(frozen=True, slots=True)
class AcceptVisibleProcesses:
    """Record that the solver can see the processes that run programs.

    Causes no event where that is recorded already, or the session is closed.
    """

    reason: str


@dataclass(frozen=True, slots=True)
class Close:
    """End the session now, whatever is left; closing twice is no error."""


Command = (
    Start
    | Fetch
    | RecordRun
    | Submit
    | RecordVerdict
    | VoidSubmission
    | Skip
    | AcceptVisibleProcesses
    | Close
)
