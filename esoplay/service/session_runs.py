"""A solver's local runs: executed, logged, and then answered."""

from __future__ import annotations

from collections.abc import Callable

from esolangs.limits import Limits
from esoplay.running.run import Outcome
from esoplay.running.worker import runner_for
from esoplay.sessions.answers import RunAnswer
from esoplay.sessions.journal import Journal
from esoplay.sessions.machine import RecordRun, check_run, earlier_run
from esoplay.sessions.state import State
from esoplay.sessions.store import digest
from esoplay.sessions.workers import Workers


def run_once(
    journal: Journal,
    workers: Workers,
    session: str,
    source: bytes,
    stdin: bytes,
    *,
    debug: bool,
    request_id: str | None,
    cancelled: Callable[[], bool] | None,
) -> RunAnswer:
    """See ``Sessions.run``."""
    program, given = digest(source), digest(stdin)
    journal.store.require_writable()
    state = journal.settle(session).state
    # A repeat is executed again, as outputs are not kept: it comes to the same.
    if earlier_run(state, request_id, program, given) is None:
        check_run(state)
    outcome = _execute(state, workers, source, stdin, cancelled)
    record = RecordRun(
        program=program,
        stdin=given,
        status=outcome.status,
        steps=outcome.steps,
        stdout=digest(outcome.stdout),
        stdout_length=len(outcome.stdout),
        debug=debug,
        request_id=request_id,
    )
    commit = journal.commit(session, record, [source, stdin])
    earlier = earlier_run(commit.state, request_id, program, given)
    if not commit.events and earlier is not None:
        head = journal.head_at(session, earlier.seq)
        return RunAnswer(outcome, earlier.run.problem, earlier.left, head)
    problem = commit.state.current
    left = None if problem is None else commit.state.runs_left(problem)
    return RunAnswer(outcome, problem, left, commit.head)


def _execute(
    state: State,
    workers: Workers,
    source: bytes,
    stdin: bytes,
    cancelled: Callable[[], bool] | None,
) -> Outcome:
    limits = state.started.limits
    with (
        workers.lend(state.started.session) as worker,
        runner_for(state.started.language, worker) as runner,
    ):
        return (runner or worker).run(
            state.started.language,
            source,
            dialect=state.protocol.dialect,
            stdin=stdin,
            limits=Limits(limits.steps, limits.output, limits.memory),
            time_limit=limits.time,
            cancelled=cancelled,
        )
