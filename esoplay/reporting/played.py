"""What a report knows of one session: how each problem went, and what was run for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from esoplay.sessions.events import RunLimits, Status
from esoplay.sessions.protocols import Protocol

ErrorClass = Literal["compile", "runtime", "limit", "wrong answer", "rule", "other"]
ERROR_CLASSES: tuple[ErrorClass, ...] = (
    "compile",
    "runtime",
    "limit",
    "wrong answer",
    "rule",
    "other",
)
"""How a submission failed: it was no program, it faulted, it met a limit, it printed something
else, the workspace broke a rule, or in a way that this version has no word for."""

_OF_VERDICT: Mapping[str, ErrorClass] = {
    "parse_error": "compile",
    "fault": "runtime",
    "step_limit": "limit",
    "output_limit": "limit",
    "memory_limit": "limit",
    "time_limit": "limit",
    "wrong_answer": "wrong answer",
}


def error_class(verdict: str) -> ErrorClass:
    """The class of a verdict on a test, or of how a run ended, that is not well."""
    return _OF_VERDICT.get(verdict, "other")


class Solve(NamedTuple):
    """The moment a problem was solved.

    submission: which of the problem's own it was, from 1.  runs: local runs for this problem
    before it.  all_runs, all_submissions: of the session until then, this submission included.
    elapsed_ms: since the session began.  time_ms: in Unix time.
    """

    problem: str
    submission: int
    runs: int
    all_runs: int
    all_submissions: int
    elapsed_ms: int
    time_ms: int


class Play(NamedTuple):
    """How one problem went; submissions are those that were graded."""

    status: Status
    submissions: int
    runs: int
    solve: Solve | None


class Surroundings(NamedTuple):
    """What lay in the workspace when a program was handed in that was graded.

    size: of the program, in bytes.  generators: files that could have written it, by their
    digests.  fresh: bytes of those among them that were first seen with this problem.
    mapped: whether the program lay there with a source map beside it, which a generator writes.
    solved: whether this submission solved its problem.
    """

    problem: str
    size: int
    generators: frozenset[str]
    languages: frozenset[str]
    fresh: int
    mapped: bool
    solved: bool


@dataclass(frozen=True, slots=True)
class Played:
    """One session.

    file: where its export was read.  rules: the whole row of its protocol.  problems: in order.
    plays: by problem.  closed: no move was left, or the operator ended it.
    runs: local runs by how they ended.  failures: graded submissions that did not solve, by
    class; complete only once the session is closed, as reports are sealed until then.
    surroundings: of the submissions whose workspace was seen; unseen: how many others there were.
    visible_processes: why the solver could see the processes that run programs, where the
    operator accepted that; None otherwise.
    """

    file: str
    session: str
    solver: str
    language: str
    rules: Protocol
    limits: RunLimits
    pack: str
    pack_version: str
    problems: tuple[str, ...]
    plays: Mapping[str, Play]
    closed: bool
    began_ms: int
    ended_ms: int
    events: int
    head: str
    runs: Mapping[str, int] = field(default_factory=dict[str, int])
    failures: Mapping[ErrorClass, int] = field(default_factory=dict[ErrorClass, int])
    surroundings: tuple[Surroundings, ...] = ()
    unseen: int = 0
    visible_processes: str | None = None

    @property
    def solves(self) -> list[Solve]:
        """The solved problems, in the order in which they were solved."""
        found = [play.solve for play in self.plays.values() if play.solve is not None]
        return sorted(found, key=lambda solve: (solve.all_submissions, solve.time_ms))

    @property
    def solved(self) -> frozenset[str]:
        return frozenset(problem for problem, play in self.plays.items() if play.solve is not None)

    @property
    def partial(self) -> str | None:
        """Why the session says nothing final about all its problems; None if it does."""
        left = sum(play.status in ("pending", "active") for play in self.plays.values())
        if not self.closed:
            return "not closed"
        return f"ended with {left} of {len(self.problems)} problems left" if left else None
