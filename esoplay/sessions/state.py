"""The state of a session, and the transition for each event.

``evolve`` applies events without checking the rules, which ``machine`` does. Folding a session's
log is deterministic.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from esoplay.sessions import events
from esoplay.sessions.events import Event, Status
from esoplay.sessions.protocols import Protocol, Revisit

# The moves that a problem allows in each status, by the protocol's rule on revisits.

Move = Literal["fetch", "solve", "fail", "skip"]
Moves = Mapping[Status, Mapping[Move, Status]]

_FORWARD_MOVES: Moves = {
    "pending": {"fetch": "active"},
    "active": {"fetch": "active", "solve": "solved", "fail": "failed", "skip": "skipped"},
    "solved": {},
    "failed": {},
    "skipped": {},
}
_SKIPPED_MOVES: Moves = {**_FORWARD_MOVES, "skipped": {"fetch": "active"}}
_REVISIT_MOVES: Moves = {
    **_SKIPPED_MOVES,
    "solved": {"fetch": "solved", "solve": "solved", "fail": "solved"},
}

MOVES: Mapping[Revisit, Moves] = {
    "never": _FORWARD_MOVES,
    "skipped": _SKIPPED_MOVES,
    "all": _REVISIT_MOVES,
}
"""The status of a problem after a move: ``MOVES[revisit][status before][move]``.

A status without moves is final.
Solved problems stay solved.
"""


def is_final(revisit: Revisit, status: Status) -> bool:
    """Return whether the status of a problem can no longer change."""
    return not MOVES[revisit][status]


@dataclass(frozen=True, slots=True)
class SessionProblem:
    """The status of one problem; ``submissions`` counts graded submissions."""

    status: Status = "pending"
    runs: int = 0
    submissions: int = 0


@dataclass(frozen=True, slots=True)
class AnsweredSubmission:
    """The answer to a submission; ``seq`` is the position of its verdict in the log."""

    seq: int
    program: str
    verdict: events.SubmissionGraded


@dataclass(frozen=True, slots=True)
class AnsweredRun:
    """The answer to a local run except its outcome; ``seq`` is its position in the log."""

    seq: int
    run: events.ProgramRun
    runs_left: int | None


RUNS_REMEMBERED = 100
"""The number of local runs whose request ids are stored to detect repeated requests.

A client repeats a request soon or never, so older ids can be dropped.
"""


@dataclass(frozen=True, slots=True)
class SessionState:
    """A session after the first ``length`` events of its log.

    progress: the status of each problem, in the session's order.
    current: the problem fetched last; None before the first fetch, and after it is skipped or its
    status is final.
    grading: the submission that is being graded, if any.
    submission_count: the number of reserved submissions, including voided ones.
    answers: the answers to submissions, by request id.
    run_answers: the answers to the most recent local runs, by request id.
    inventory: the digest of the workspace's inventory at the last inspected submission.
    visible_processes: why the solver can see the processes that run programs, if the operator
        accepted that; None otherwise.
    invoked: whether a run had arguments or a server.
    closed: whether the session is closed; the seed may then be revealed.
    """

    started: events.SessionStarted
    progress: Mapping[str, SessionProblem]
    current: str | None = None
    grading: events.SubmissionReserved | None = None
    submission_count: int = 0
    answers: Mapping[str, AnsweredSubmission] = field(default_factory=dict[str, AnsweredSubmission])
    run_answers: Mapping[str, AnsweredRun] = field(default_factory=dict[str, AnsweredRun])
    inventory: str | None = None
    visible_processes: str | None = None
    invoked: bool = False
    closed: bool = False
    length: int = 1

    @property
    def protocol(self) -> Protocol:
        return self.started.protocol

    def submissions_left(self, problem: str) -> int | None:
        """Return the submissions left, or None if unlimited; a reserved one counts as used."""
        if self.protocol.submissions is None:
            return None
        reserved = self.grading is not None and self.grading.problem == problem
        return self.protocol.submissions - self.progress[problem].submissions - reserved

    def runs_left(self, problem: str) -> int | None:
        """Return the number of local runs left, or None if unlimited."""
        if self.protocol.runs is None:
            return None
        return self.protocol.runs - self.progress[problem].runs


def fold(log: Iterable[Event]) -> SessionState | None:
    """Return the state after a log; None for an empty log. Raises ValueError if it is invalid."""
    state = None
    for event in log:
        state = evolve(state, event)
    return state


def evolve(state: SessionState | None, event: Event) -> SessionState:
    """Return the state after ``event``. Raises ValueError if this state does not allow it."""
    if isinstance(event, events.SessionStarted):
        if state is not None:
            raise ValueError("the session is started twice")
        return SessionState(event, {problem: SessionProblem() for problem in event.problems})
    if state is None:
        raise ValueError("the first event does not start the session")
    return _apply(replace(state, length=state.length + 1), event)


def _apply(state: SessionState, event: Event) -> SessionState:
    match event:
        case events.ProblemFetched(problem):
            before = _progress(state, problem)
            status = "solved" if before.status == "solved" else "active"
            return replace(
                _with_progress(state, problem, replace(before, status=status)), current=problem
            )
        case events.ProgramRun():
            return _apply_run(state, event)
        case events.SubmissionReserved():
            inventory = event.inventory or state.inventory
            return replace(state, grading=event, submission_count=event.number, inventory=inventory)
        case events.SubmissionVoided():
            _require_reservation(state, event.number)
            return replace(state, grading=None)
        case events.SubmissionGraded():
            return _apply_grading(state, event)
        case events.ProblemSkipped(problem):
            before = _progress(state, problem)
            skipped = _with_progress(state, problem, replace(before, status="skipped"))
            return _close_if_final(replace(skipped, current=None))
        case events.VisibleProcessesAccepted(reason):
            return replace(state, visible_processes=reason)
        case events.SessionClosed():
            return replace(state, closed=True)
        case events.SessionStarted():
            raise ValueError("the session is started twice")


def _apply_run(state: SessionState, event: events.ProgramRun) -> SessionState:
    left = None
    if event.arguments or event.server is not None:
        state = replace(state, invoked=True)
    if event.problem is not None:
        before = _progress(state, event.problem)
        state = _with_progress(state, event.problem, replace(before, runs=before.runs + 1))
        left = state.runs_left(event.problem)
    if event.request_id is None:
        return state
    answers = {**state.run_answers, event.request_id: AnsweredRun(state.length, event, left)}
    if len(answers) > RUNS_REMEMBERED:
        del answers[next(iter(answers))]
    return replace(state, run_answers=answers)


def _apply_grading(state: SessionState, event: events.SubmissionGraded) -> SessionState:
    reserved = _require_reservation(state, event.number)
    before = _progress(state, event.problem)
    after = replace(before, status=event.status, submissions=before.submissions + 1)
    answers = state.answers
    if reserved.request_id is not None:
        answer = AnsweredSubmission(state.length, reserved.program, event)
        answers = {**answers, reserved.request_id: answer}
    graded = replace(_with_progress(state, event.problem, after), grading=None, answers=answers)
    over = is_final(state.protocol.revisit, event.status)
    return _close_if_final(replace(graded, current=None) if over else graded)


def _close_if_final(state: SessionState) -> SessionState:
    """Close the session once every problem is final."""
    revisit = state.protocol.revisit
    return replace(
        state, closed=all(is_final(revisit, one.status) for one in state.progress.values())
    )


def _with_progress(state: SessionState, problem: str, progress: SessionProblem) -> SessionState:
    return replace(state, progress={**state.progress, problem: progress})


def _progress(state: SessionState, problem: str) -> SessionProblem:
    try:
        return state.progress[problem]
    except KeyError:
        raise ValueError(f"problem {problem!r} is not in this session") from None


def _require_reservation(state: SessionState, number: int) -> events.SubmissionReserved:
    if state.grading is None or state.grading.number != number:
        raise ValueError(f"submission {number} is not being graded")
    return state.grading
