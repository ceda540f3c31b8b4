"""Local runs of a solver, executed under the session's limits and logged before the response."""

from __future__ import annotations

from collections.abc import Callable

from esolangs.limits import Limits
from esoplay.benchmark.start import SessionResources
from esoplay.errors import UsageError
from esoplay.running.host.lanes import is_lane
from esoplay.running.invocation import PLAIN, ProgramInvocation
from esoplay.running.run import Outcome
from esoplay.running.worker import Worker, runner_for
from esoplay.sessions.answers import RunAnswer
from esoplay.sessions.events import ProgramRun, SessionStarted
from esoplay.sessions.machine import RecordRun, check_arguments, check_run_allowed, earlier_run
from esoplay.sessions.state import SessionState
from esoplay.sessions.store import digest


def run_once(
    resources: SessionResources,
    session: str,
    source: bytes,
    stdin: bytes,
    arguments: tuple[str, ...],
    *,
    debug: bool,
    request_id: str | None,
    cancelled: Callable[[], bool] | None,
) -> RunAnswer:
    """Run a program once and log the run; see ``Sessions.run``."""
    journal = resources.journal
    program, given = digest(source), digest(stdin)
    journal.store.require_writable()
    state = journal.void_interrupted_submission(session).state
    if arguments and not is_lane(state.started.language):
        raise UsageError(
            f"a program in {state.started.language} has no command line; only programs in host "
            "lanes (ordinary languages) accept arguments\ntry: run it again without arguments"
        )
    check_arguments(arguments)
    # A repeated request is executed again because outputs are not stored; the result is the same.
    earlier = earlier_run(state, request_id, program, given, arguments)
    if earlier is None:
        check_run_allowed(state)
    server = _find_server_problem(resources, state, None if earlier is None else earlier.run)
    invocation = ProgramInvocation(arguments)
    if server is not None:
        source_of_server = resources.find_pack(state).problem(server).server()
        invocation = invocation._replace(server=source_of_server)
    with resources.workers.borrow(session) as worker:
        outcome = run_in_session(
            state.started,
            source,
            stdin,
            invocation,
            worker=worker,
            time_limit=state.started.time_limit(state.current),
            cancelled=cancelled,
        )
    record = RecordRun(
        program=program,
        stdin=given,
        status=outcome.status,
        steps=outcome.steps,
        stdout=digest(outcome.stdout),
        stdout_length=len(outcome.stdout),
        debug=debug,
        request_id=request_id,
        arguments=arguments,
        server=server,
    )
    commit = journal.commit(session, record, [source, stdin])
    earlier = earlier_run(commit.state, request_id, program, given, arguments)
    if not commit.events and earlier is not None:
        head = journal.head_at(session, earlier.seq)
        return RunAnswer(outcome, earlier.run.problem, earlier.runs_left, head)
    problem = commit.state.current
    left = None if problem is None else commit.state.runs_left(problem)
    return RunAnswer(outcome, problem, left, commit.head)


def run_in_session(
    started: SessionStarted,
    source: bytes,
    stdin: bytes,
    invocation: ProgramInvocation,
    *,
    worker: Worker,
    time_limit: float,
    cancelled: Callable[[], bool] | None,
) -> Outcome:
    """Run a program under the rules of a session.

    Raises RunCancelled if ``cancelled()``, WorkerDied if the run fails for an internal reason, and
    LaneError if the lane cannot run the program.
    """
    limits = Limits(started.limits.steps, started.limits.output, started.limits.memory)
    with runner_for(started.language, worker) as runner:
        if runner is not None and invocation != PLAIN:
            from esoplay.running.host.runner import HostRunner  # imported late, as in runner_for

            assert isinstance(runner, HostRunner), "only host lanes accept arguments"
            return runner.run(
                started.language,
                source,
                dialect=started.protocol.dialect,
                stdin=stdin,
                limits=limits,
                time_limit=time_limit,
                cancelled=cancelled,
                invocation=invocation,
            )
        return (runner or worker).run(
            started.language,
            source,
            dialect=started.protocol.dialect,
            stdin=stdin,
            limits=limits,
            time_limit=time_limit,
            cancelled=cancelled,
        )


def _find_server_problem(
    resources: SessionResources, state: SessionState, previous_run: ProgramRun | None
) -> str | None:
    """Return the id of the problem whose server a run needs; None if it needs no server.

    previous_run: the run that is repeated, which needed the same server, if any.
    None for a first run.
    """
    if previous_run is not None:
        return previous_run.server
    if state.current is None or not is_lane(state.started.language):
        return None
    problem = resources.find_pack(state).problem(state.current)
    return problem.id if "server" in problem.needs else None
