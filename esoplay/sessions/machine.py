"""The rules of a session: a pure state machine.

``decide(state, command)`` returns the events that a command causes, or raises RejectedCommand
without side effects; ``evolve`` (in ``state``) returns the state after an event. The module uses no
clock, files or random numbers. All rules for solvers are in this module and in the table of
``protocols``.

A submission has two transitions, so that a crash between them is unambiguous::

    Submit ──▶ SubmissionReserved ──(grading)──▶ RecordVerdict ──▶ SubmissionGraded
                        └─────────(crash, internal error)────────▶ SubmissionVoided
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

from esoplay.errors import RejectedCommand, UnknownProblem
from esoplay.sessions import events
from esoplay.sessions.events import Event, Inspection, RunLimits, Status
from esoplay.sessions.hosts import is_language_allowed
from esoplay.sessions.protocols import Protocol, find_profile_conflict
from esoplay.sessions.state import MOVES, AnsweredRun, Move, SessionState

# Commands to the state machine.


@dataclass(frozen=True, slots=True)
class Start:
    """The command to start a session, which is the only command allowed without a state."""

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


@dataclass(frozen=True, slots=True)
class Fetch:
    """The command to show the statement of the named problem, or of the next one."""

    problem: str | None = None


@dataclass(frozen=True, slots=True)
class RecordRun:
    """The command to count and log a local run before its result is returned.

    Repeating a recent ``request_id`` causes no event. arguments, server: see ``ProgramRun``.
    """

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
class Submit:
    """The command to submit a program. Repeating an answered ``request_id`` causes no event.

    size: the size of the program in bytes. workspace: the inspection just before the submission.
    inventory: the digest of the inspection's file list.
    """

    problem: str
    program: str
    request_id: str | None = None
    size: int | None = None
    workspace: Inspection | None = None
    inventory: str | None = None


@dataclass(frozen=True, slots=True)
class RecordVerdict:
    """The command to record the verdict on the submission that is being graded."""

    number: int
    passed: int
    total: int
    report: str


@dataclass(frozen=True, slots=True)
class VoidSubmission:
    """The command to void the submission that is being graded, so that it does not count."""

    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class Skip:
    """The command to skip the current problem."""


@dataclass(frozen=True, slots=True)
class AcceptVisibleProcesses:
    """The command to record that the operator accepts a solver that can see programs' processes.

    Causes no event if this is already recorded or the session is closed.
    """

    reason: str


@dataclass(frozen=True, slots=True)
class Close:
    """The command to close the session, even with open problems. Repeating it is not an error."""


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


def decide(state: SessionState | None, command: Command) -> tuple[Event, ...]:
    """Return the events that ``command`` causes in this state.

    Raises RejectedCommand, with the reason, if the rules forbid the command, and UnknownProblem if
    the session has no such problem.
    """
    if isinstance(command, Start):
        if state is not None:
            raise RejectedCommand("the session has been started already")
        return (_start(command),)
    if state is None:
        raise RejectedCommand("the session has not been started")
    match command:
        case Fetch():
            return (_fetch(state, command.problem),)
        case RecordRun():
            return _record_run(state, command)
        case Submit():
            return _submit(state, command)
        case RecordVerdict():
            return (_verdict(state, command),)
        case VoidSubmission(number, reason):
            reserved = _require_grading(state, number)
            return (events.SubmissionVoided(number, reserved.problem, reason),)
        case Skip():
            return (_skip(state),)
        case AcceptVisibleProcesses(reason):
            return _accept_visible_processes(state, reason)
        case Close():
            return () if state.closed else (_close(state),)


def check_run_allowed(state: SessionState) -> str | None:
    """Return the problem that a local run counts for; None between two problems.

    Raises RejectedCommand if the session is closed or, in a protocol that limits local runs, if no
    run is left or no problem is current.
    """
    _check_open(state)
    problem = state.current
    if state.protocol.runs is None:
        return problem
    if state.protocol.runs == 0:
        raise RejectedCommand(f"protocol {state.protocol.id} allows no local runs")
    if problem is None:
        raise RejectedCommand("local runs are counted per problem: fetch a problem first")
    if state.runs_left(problem) == 0:
        raise RejectedCommand(f"all {state.protocol.runs} local runs for {problem} are used up")
    return problem


MAX_ARGUMENTS = 1000
"""The maximum number of arguments of a local run."""
MAX_ARGUMENT_BYTES = 64 << 10
"""The maximum size of all arguments of a local run, in bytes of UTF-8."""


def check_arguments(arguments: Sequence[str]) -> None:
    """Raise RejectedCommand if the arguments of a local run are too many, too large or invalid."""
    if len(arguments) > MAX_ARGUMENTS:
        raise RejectedCommand(f"{len(arguments):,} arguments; expected at most {MAX_ARGUMENTS:,}")
    size = 0
    for number, argument in enumerate(arguments, 1):
        try:
            size += len(argument.encode())
        except UnicodeEncodeError:
            raise RejectedCommand(f"argument {number}: expected UTF-8 text") from None
        if "\0" in argument:
            raise RejectedCommand(f"argument {number}: expected text without NUL characters")
    if size > MAX_ARGUMENT_BYTES:
        raise RejectedCommand(
            f"{size:,} bytes of arguments; expected at most {MAX_ARGUMENT_BYTES:,}"
        )


def earlier_run(
    state: SessionState,
    request_id: str | None,
    program: str,
    stdin: str,
    arguments: tuple[str, ...] = (),
) -> AnsweredRun | None:
    """Return the run that answered this request, or None.

    Raises RejectedCommand if program, input or arguments differ.
    """
    earlier = state.run_answers.get(request_id) if request_id is not None else None
    if earlier is None:
        return None
    run = earlier.run
    if (run.program, run.stdin, run.arguments) != (program, stdin, arguments):
        raise RejectedCommand(f"request_id {request_id!r} was used for another run")
    return earlier


def next_problem(state: SessionState) -> str | None:
    """Return the problem that ``fetch`` shows by default: the active one, or the next open one."""
    current = state.current
    if current is not None and state.progress[current].status == "active":
        return current
    order = list(state.progress)
    start = order.index(current) if current is not None else 0
    turned = order[start:] + order[:start]
    for wanted in ("pending", "active", "skipped"):
        for problem in turned:
            status = state.progress[problem].status
            if status == wanted and "fetch" in _moves(state)[status]:
                return problem
    return None


def _start(command: Start) -> events.SessionStarted:
    if not command.problems:
        raise RejectedCommand(f"pack {command.pack} has no problems")
    conflict = find_profile_conflict(command.protocol)
    if conflict is not None:
        raise RejectedCommand(f"the rules contradict their tool profile: {conflict}")
    return events.SessionStarted(
        session=command.session,
        language=command.language,
        protocol=replace(command.protocol, compare=command.protocol.comparison),
        pack=command.pack,
        pack_version=command.pack_version,
        problems=command.problems,
        limits=command.limits,
        seed_commitment=command.seed_commitment,
        versions=command.versions,
        solver=command.solver,
        time_limits=command.time_limits,
    )


def _fetch(state: SessionState, requested: str | None) -> events.ProblemFetched:
    _check_open(state)
    following = next_problem(state)
    problem = following if requested is None else requested
    if problem is None:
        raise RejectedCommand("no problem is left to fetch")
    _check_move(state, problem, "fetch")
    if state.protocol.order == "forward" and problem != following:
        _check_fetch_out_of_turn(state, problem, following)
    return events.ProblemFetched(problem)


def _check_fetch_out_of_turn(state: SessionState, problem: str, following: str | None) -> None:
    """Raise RejectedCommand if the rules do not allow fetching a problem out of turn.

    This is for sessions with a fixed order of problems.  Only going back to an earlier problem is
    allowed, and only while no other one is active.
    following: the problem whose turn it is.
    """
    if state.progress[problem].status == "pending":
        raise RejectedCommand(f"problems come in a fixed order: finish {following} first")
    for other, progress in state.progress.items():
        if progress.status == "active":
            raise RejectedCommand(
                f"{other} is active, and problems come one at a time: "
                f"finish or skip it before going back to {problem}"
            )


def _record_run(state: SessionState, command: RecordRun) -> tuple[Event, ...]:
    asked = command.request_id, command.program, command.stdin, command.arguments
    if earlier_run(state, *asked) is not None:
        return ()
    check_arguments(command.arguments)
    problem = check_run_allowed(state)
    if command.server not in (None, problem):
        raise RejectedCommand(
            f"the run used the server of {command.server}, but this is no longer the current "
            "problem; run the program again"
        )
    return (events.ProgramRun(problem=problem, **asdict(command)),)


def _submit(state: SessionState, command: Submit) -> tuple[Event, ...]:
    earlier = state.answers.get(command.request_id) if command.request_id is not None else None
    if earlier is not None:
        if (earlier.verdict.problem, earlier.program) != (command.problem, command.program):
            raise RejectedCommand(
                f"request_id {command.request_id!r} was used for another submission"
            )
        return ()
    _check_open(state)
    if state.grading is not None:
        raise RejectedCommand(f"submission {state.grading.number} is still being graded")
    _check_move(state, command.problem, "solve")
    if state.submissions_left(command.problem) == 0:
        raise RejectedCommand(f"all submissions for {command.problem} are used up")
    return (
        events.SubmissionReserved(
            number=state.submission_count + 1,
            problem=command.problem,
            program=command.program,
            request_id=command.request_id,
            size=command.size,
            workspace=command.workspace,
            inventory=command.inventory,
            violation=find_violation(state.protocol, command.workspace),
        ),
    )


def _verdict(state: SessionState, command: RecordVerdict) -> events.SubmissionGraded:
    reserved = _require_grading(state, command.number)
    left = state.submissions_left(reserved.problem)
    status = state.progress[reserved.problem].status
    if command.passed == command.total and reserved.violation is None:
        status = _moves(state)[status]["solve"]
    elif left == 0:
        status = _moves(state)[status]["fail"]
    return events.SubmissionGraded(
        number=command.number,
        problem=reserved.problem,
        passed=command.passed,
        total=command.total,
        status=status,
        submissions_left=left,
        report=command.report,
        violation=reserved.violation,
    )


def _skip(state: SessionState) -> events.ProblemSkipped:
    _check_open(state)
    problem = state.current
    if problem is None:
        raise RejectedCommand("there is no active problem to skip: fetch one first")
    if state.grading is not None and state.grading.problem == problem:
        raise RejectedCommand(f"a submission for {problem} is still being graded")
    _check_move(state, problem, "skip")
    left = state.submissions_left(problem)
    if state.protocol.skip == "never":
        raise RejectedCommand(
            f"{problem} cannot be skipped: protocol {state.protocol.id} does not allow it"
        )
    if state.protocol.skip == "when-exhausted" and left != 0:
        raise RejectedCommand(
            f"{problem} cannot be skipped while submissions are left "
            f"({_format_remaining(left, state)}); it is finalized when they are used up"
        )
    return events.ProblemSkipped(problem)


def _close(state: SessionState) -> events.SessionClosed:
    if state.grading is not None:
        raise RejectedCommand(f"submission {state.grading.number} is still being graded")
    return events.SessionClosed()


def _accept_visible_processes(state: SessionState, reason: str) -> tuple[Event, ...]:
    if not reason.isprintable() or not 0 < len(reason) <= events.MAX_REASON_LENGTH:
        raise RejectedCommand(
            f"the reason must be a line of at most {events.MAX_REASON_LENGTH} printable characters"
        )
    if state.closed or state.visible_processes is not None:
        return ()
    return (events.VisibleProcessesAccepted(reason),)


def _format_remaining(remaining: int | None, state: SessionState) -> str:
    return (
        "as many as you like"
        if remaining is None
        else f"{remaining} of {state.protocol.submissions}"
    )


def _moves(state: SessionState) -> Mapping[Status, Mapping[Move, Status]]:
    return MOVES[state.protocol.revisit]


def _check_open(state: SessionState) -> None:
    if state.closed:
        raise RejectedCommand("the session is closed")


def _check_move(state: SessionState, problem: str, move: Move) -> None:
    if problem not in state.progress:
        raise UnknownProblem(f"there is no problem {problem!r} in this session")
    status = state.progress[problem].status
    if move in _moves(state)[status]:
        return
    if status == "pending":
        raise RejectedCommand(f"{problem} has not been fetched yet")
    if not _moves(state)[status]:
        raise RejectedCommand(f"{problem} is {status}; a finalized problem is never revisited")
    raise RejectedCommand(f"{problem} is {status}; fetch an open problem first")


def _require_grading(state: SessionState, number: int) -> events.SubmissionReserved:
    if state.grading is None or state.grading.number != number:
        raise RejectedCommand(f"submission {number} is not being graded")
    return state.grading


# Rules on the files in a workspace, as pure functions of an inspection. They are checked when a
# program is submitted. A workspace that violates them fails the submission. A workspace that
# follows them proves nothing, because a generator may be stored elsewhere.


def find_violation(protocol: Protocol, inspection: Inspection | None) -> str | None:
    """Return a message that names the violated workspace rule, or None."""
    if inspection is None or not inspection.seen:
        return None
    if protocol.generators is not None:
        for language, path in inspection.generators.items():
            if not is_language_allowed(protocol.generators, language):
                allowed = ", ".join(protocol.generators) or "none"
                return f"generators allowed in the workspace: {allowed}; found {path} ({language})"
    if protocol.files == "own" and inspection.foreign is not None:
        return (
            "only programs in the session's language may lie in the workspace; "
            f"found {inspection.foreign}"
        )
    return None
