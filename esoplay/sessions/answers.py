"""Data classes for the results of session commands, and their JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from esoplay.running.run import Outcome
from esoplay.sessions.events import RunLimits, Status
from esoplay.sessions.protocols import Protocol
from esoplay.sessions.state import SessionState


@dataclass(frozen=True, slots=True)
class NewSession:
    """Result of starting a session.

    rules_text: rules in Markdown, for people and models.  workspace: folder of the workspace, None
    if none was created.
    """

    session: str
    language: str
    protocol: Protocol
    limits: RunLimits
    rules_text: str
    problems: tuple[str, ...]
    workspace: Path | None
    head: str

    def as_json(self) -> dict[str, Any]:
        rules = asdict(self.protocol)
        del rules["id"], rules["purpose"], rules["public_seed"]
        data = {
            "session": self.session,
            "protocol": self.protocol.id,
            "rules": {**rules, "limits": asdict(self.limits), "text": self.rules_text},
            "problems": list(self.problems),
            "head": self.head,
        }
        return data if self.workspace is None else {**data, "workspace": str(self.workspace)}


@dataclass(frozen=True, slots=True)
class ProblemAnswer:
    """Result of ``fetch``. examples: None if the protocol hides them."""

    problem: str
    title: str
    tier: str
    statement: str
    submissions_left: int | None
    runs_left: int | None
    head: str
    examples: Sequence[Mapping[str, str]] | None = None

    def as_json(self) -> dict[str, Any]:
        return _drop_none(asdict(self), "examples")


@dataclass(frozen=True, slots=True)
class RunAnswer:
    """Result of a local run. problem: problem for which the run counts, or None."""

    outcome: Outcome
    problem: str | None
    runs_left: int | None
    head: str

    def as_json(self) -> dict[str, Any]:
        return {
            **self.outcome.as_json(),
            "problem": self.problem,
            "runs_left": self.runs_left,
            "head": self.head,
        }


@dataclass(frozen=True, slots=True)
class SubmissionAnswer:
    """Verdict on a submission.

    status: new status of the problem. tests: results of single tests as far as the protocol reveals
    them, or None. violation: workspace rule whose violation failed the submission, or None.
    other_dialect: dialect in which the public examples pass, although they fail in ``dialect``,
    with a reason.
    """

    passed: int
    total: int
    solved: bool
    submissions_left: int | None
    status: Status
    head: str
    dialect: str
    tests: Sequence[Mapping[str, Any]] | None = None
    violation: str | None = None
    other_dialect: Mapping[str, Any] | None = None

    def as_json(self) -> dict[str, Any]:
        return _drop_none(asdict(self), "tests", "violation", "other_dialect")


@dataclass(frozen=True, slots=True)
class SkipAnswer:
    """Result of ``skip``."""

    problem: str
    status: Status
    head: str

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class SessionStatus:
    """Status of a session and of each of its problems.

    tiers: tiers by problem, in the order of the pack; empty if the pack is not installed.
    """

    state: SessionState
    head: str
    tiers: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def counts(self) -> dict[Status, int]:
        """Return the number of problems by status."""
        return _count(progress.status for progress in self.state.progress.values())

    @property
    def counts_by_tier(self) -> dict[str, dict[Status, int]]:
        """Return the number of problems by tier and status."""
        found: dict[str, list[Status]] = {}
        for problem, tier in self.tiers.items():
            found.setdefault(tier, []).append(self.state.progress[problem].status)
        return {tier: _count(statuses) for tier, statuses in found.items()}

    @property
    def has_ended(self) -> bool:
        """Whether no problem is left to fetch."""
        return self.state.closed or not (self.counts["pending"] or self.counts["active"])

    def end_as_json(self) -> dict[str, Any]:
        """Return the answer to a request for the next problem when no problem is left."""
        return {
            "session": self.state.started.session,
            "ended": True,
            "closed": self.state.closed,
            "counts": self.counts,
            "head": self.head,
        }

    def as_json(self) -> dict[str, Any]:
        state = self.state
        data = {
            "session": state.started.session,
            "protocol": state.protocol.id,
            "language": state.started.language,
            "dialect": state.protocol.dialect,
            "closed": state.closed,
            "current": state.current,
            "grading": state.grading is not None,
            "counts": self.counts,
            "tiers": self.counts_by_tier,
            "problems": [
                {
                    "problem": problem,
                    "status": progress.status,
                    "runs": progress.runs,
                    "runs_left": state.runs_left(problem),
                    "submissions": progress.submissions,
                    "submissions_left": state.submissions_left(problem),
                }
                for problem, progress in state.progress.items()
            ],
            "visible_processes": state.visible_processes,
            "head": self.head,
        }
        return _drop_none(data, "visible_processes")


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """One session in the list of all sessions of a store.

    time_ms: Unix time of the last event. error: why the log cannot be read, or None; with an error,
    counts and names are empty.
    """

    session: str
    language: str = ""
    protocol: str = ""
    pack: str = ""
    solver: str | None = None
    solved: int = 0
    total: int = 0
    closed: bool = False
    current: str | None = None
    time_ms: int = 0
    error: str | None = None

    def as_json(self) -> dict[str, Any]:
        return _drop_none(asdict(self), "error")


@dataclass(frozen=True, slots=True)
class Export:
    """Log of a session with its programs and inputs, without the seed and hidden tests."""

    data: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        return dict(self.data)


@dataclass(frozen=True, slots=True)
class RevealedSeed:
    """Seed of a closed session, with which its submissions can be graded again."""

    session: str
    seed: bytes
    seed_commitment: str
    pack: str
    pack_version: str
    head: str

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "seed": self.seed.hex()}


def _count(statuses: Iterable[Status]) -> dict[Status, int]:
    counts: dict[Status, int] = dict.fromkeys(
        ("pending", "active", "solved", "failed", "skipped"), 0
    )
    for status in statuses:
        counts[status] += 1
    return counts


def _drop_none(data: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return ``data`` without the fields in ``names`` that are None."""
    return {name: data[name] for name in data if name not in names or data[name] is not None}
