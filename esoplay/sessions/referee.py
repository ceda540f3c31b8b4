"""Grading of submissions: reserve a submission, grade it, record the verdict.

If grading is interrupted, the submission does not count.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from esoplay.errors import EsoplayError, RejectedCommand
from esoplay.grading.dialects import find_other_dialect
from esoplay.grading.output_comparison import Compare
from esoplay.grading.problem import Problem
from esoplay.grading.report import GradeReport, truncate_test_output
from esoplay.grading.seeds import RunOrder
from esoplay.running.run import SHOWN_IN_TEST, TIME_LIMIT
from esoplay.running.worker import Worker
from esoplay.sessions.answers import SubmissionAnswer
from esoplay.sessions.events import SessionStarted, SubmissionGraded
from esoplay.sessions.export import seal_report
from esoplay.sessions.inventory import InspectedWorkspace
from esoplay.sessions.journal import Journal
from esoplay.sessions.machine import RecordVerdict, Submit, VoidSubmission, decide
from esoplay.sessions.state import SessionState
from esoplay.sessions.store import digest
from esoplay.sessions.workers import Workers

_TURN_SECONDS = 60 * TIME_LIMIT  # more than one grading takes while other sessions run
_NONCE_LENGTH = 16


class GradeFunction(Protocol):
    """The signature of the grader; see ``grading.grader.grade``."""

    def __call__(
        self,
        problem: Problem,
        language_id: str,
        source: bytes,
        *,
        seed: bytes,
        dialect: str,
        compare: Compare,
        time_limit: float,
        worker: Worker | None,
        order: RunOrder | None,
        progress: Callable[[int, int], None] | None,
        cancelled: Callable[[], bool] | None,
    ) -> GradeReport: ...


class Referee:
    """Grades the submissions of all sessions, one at a time in each session."""

    def __init__(
        self,
        journal: Journal,
        grade: GradeFunction,
        workers: Workers,
        randomness: Callable[[int], bytes],
    ):
        self._journal = journal
        self._grade = grade
        self._workers = workers
        self._randomness = randomness

    def judge(
        self,
        started: SessionStarted,
        problem: Problem,
        source: bytes,
        *,
        seed: bytes,
        request_id: str | None,
        inspect: Callable[[SessionState], InspectedWorkspace],
        progress: Callable[[int, int], None] | None,
        cancelled: Callable[[], bool] | None,
    ) -> SubmissionAnswer:
        """Grade a submission; see ``Sessions.submit``.

        inspect: a function that scans the workspace, given the session's state.
        """
        session, journal = started.session, self._journal
        if started.protocol.submissions is not None:
            progress = cancelled = None
        with journal.hold_turn(session, wait=_TURN_SECONDS) as mine:
            if not mine:
                raise RejectedCommand("another submission of this session is still being graded")
            state = journal.void_orphan(session).state
            submit = Submit(problem.id, digest(source), request_id, len(source))
            blobs = [source]
            if decide(state, submit):  # reject early; do not scan for a repeated request
                found = inspect(state)
                submit = replace(submit, workspace=found.summary, inventory=found.digest)
                blobs += found.blobs
            reserved = journal.commit(session, submit, blobs)
            if request_id is not None and not reserved.events:
                verdict = reserved.state.answers[request_id]
                head = journal.head_at(session, verdict.seq)
                return self._answer(started, problem, source, verdict.verdict, head)
            number = reserved.state.submission_count
            try:
                with self._workers.borrow(session) as worker:
                    report = self._grade(
                        problem,
                        started.language,
                        source,
                        seed=seed,
                        dialect=started.protocol.dialect,
                        compare=started.protocol.comparison,
                        time_limit=started.time_limit(problem.id),
                        worker=worker,
                        order=started.run_order(number),
                        progress=progress,
                        cancelled=cancelled,
                    )
            except BaseException as error:
                reason = f"grading did not finish: {type(error).__name__}"
                journal.commit(session, VoidSubmission(number, reason))
                raise
            sealed = seal_report(report, started.protocol, self._randomness(_NONCE_LENGTH))
            verdict = RecordVerdict(number, report.passed, report.total, digest(sealed))
            commit = journal.commit(session, verdict, [sealed])
            graded = commit.event(SubmissionGraded)
            return self._answer(started, problem, source, graded, commit.head)

    def _answer(
        self,
        started: SessionStarted,
        problem: Problem,
        source: bytes,
        verdict: SubmissionGraded,
        head: str,
    ) -> SubmissionAnswer:
        tests: list[dict[str, Any]] | None = None
        if started.protocol.feedback != "count":
            tests = json.loads(self._journal.store.blob(verdict.report))["tests"]
        if tests is not None and started.protocol.feedback == "explained":
            tests = [truncate_test_output(test, SHOWN_IN_TEST) for test in tests]
        if tests is not None and started.protocol.feedback == "per-test":
            tests = [{"index": test["index"], "verdict": test["verdict"]} for test in tests]
        return SubmissionAnswer(
            passed=verdict.passed,
            total=verdict.total,
            solved=verdict.solved,
            submissions_left=verdict.submissions_left,
            status=verdict.status,
            head=head,
            dialect=started.protocol.dialect,
            tests=tests,
            violation=verdict.violation,
            other_dialect=None if verdict.solved else self._other_dialect(started, problem, source),
        )

    def _other_dialect(
        self, started: SessionStarted, problem: Problem, source: bytes
    ) -> dict[str, Any] | None:
        """Return another dialect in which the public examples pass, if the protocol shows them.

        Hidden tests are not run again because that would reveal more about them.
        """
        protocol = started.protocol
        if not protocol.examples:
            return None
        try:
            with self._workers.borrow(started.session) as worker:
                found = find_other_dialect(
                    problem,
                    started.language,
                    source,
                    seed=None,
                    dialect=protocol.dialect,
                    compare=protocol.comparison,
                    time_limit=started.time_limit(problem.id),
                    worker=worker,
                )
        except EsoplayError:
            return None  # only a hint is lost: the submission already counts
        return None if found is None else found.as_json(protocol.dialect)
