"""Sessions in a report: the history of each problem, and the grouping of sessions in series.

``read_session`` audits a session's export and returns a ``PlayedSession``; ``group_sessions``
groups them in series.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, cast

from esolangs.wording import format_count
from esoplay.codegen.source_map import MAP_SUFFIX
from esoplay.errors import EXIT_FAILED, EsoplayError
from esoplay.reporting.conditions import ErrorClass, error_class
from esoplay.sessions.audit import Audit, audit
from esoplay.sessions.events import (
    ProblemFetched,
    ProblemSkipped,
    ProgramRun,
    RunLimits,
    SessionStarted,
    Status,
    SubmissionGraded,
    SubmissionReserved,
)
from esoplay.sessions.export import read_report
from esoplay.sessions.protocols import PROTOCOLS, Protocol


class Solve(NamedTuple):
    """When a problem was solved: the time, and the numbers of runs and submissions until then.

    submission: number of the solving submission for the problem, from 1. runs: local runs for this
    problem before it. all_runs, all_submissions: local runs and submissions of the session so far,
    including this submission. elapsed_ms: time since the session began. time_ms: Unix time.
    """

    problem: str
    submission: int
    runs: int
    all_runs: int
    all_submissions: int
    elapsed_ms: int
    time_ms: int


class ProblemRecord(NamedTuple):
    """The history of one problem; ``submissions`` counts graded submissions.

    failure: error class of the last failed submission; None if none failed or its report is sealed.
    """

    status: Status
    submissions: int
    runs: int
    solve: Solve | None
    failure: ErrorClass | None = None


class ActivePeriod(NamedTuple):
    """The time in which a session worked on a problem, in ms of Unix time.

    It lasts from the request for the problem until it is final or another one is requested.
    """

    problem: str
    began_ms: int
    ended_ms: int


class WorkspaceAtSubmission(NamedTuple):
    """The files in the workspace of a graded submission.

    size: bytes of the program. generators: digests of files that could have written the program.
    languages: languages of these generators. new_generator_bytes: total bytes of the generators
    first seen with this problem. has_map: whether the workspace had the program with a source map,
    which a generator writes. solved: whether this submission solved its problem.
    """

    problem: str
    size: int
    generators: frozenset[str]
    languages: frozenset[str]
    new_generator_bytes: int
    has_map: bool
    solved: bool


@dataclass(frozen=True, slots=True)
class PlayedSession:
    """A session as read from its export.

    file: the name of its export. rules: the protocol. problems: ids in order. problem_records: the
    history of each problem. closed: whether no move was left, or the operator ended the session.
    runs: local runs by ending. failures: graded submissions that failed, by class; complete only
    once the session is closed, because reports are sealed until then. submission_workspaces: the
    inspected workspaces; not_inspected: number of submissions without one. visible_processes: why
    the solver could see the processes that run programs, if the operator accepted that; None
    otherwise. solutions: the program that solved each problem, if the session was read with its
    programs. engine: version of the engine or, in a host lane, of the toolchain.
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
    problem_records: Mapping[str, ProblemRecord]
    closed: bool
    started_ms: int
    ended_ms: int
    events: int
    head: str
    runs: Mapping[str, int] = field(default_factory=dict[str, int])
    failures: Mapping[ErrorClass, int] = field(default_factory=dict[ErrorClass, int])
    submission_workspaces: tuple[WorkspaceAtSubmission, ...] = ()
    not_inspected: int = 0
    visible_processes: str | None = None
    solutions: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    engine: str = ""
    active_periods: tuple[ActivePeriod, ...] = ()

    @property
    def toolchain(self) -> str:
        """The version of the toolchain of an ordinary language; empty for esoteric languages."""
        valid = self.engine.isprintable() and len(self.engine) <= MAX_NAME_LENGTH
        return self.engine if valid and self.engine not in ("compiled", "plain") else ""

    @property
    def sorted_solves(self) -> list[Solve]:
        """Return the solved problems in order of time."""
        found = [play.solve for play in self.problem_records.values() if play.solve is not None]
        return sorted(found, key=lambda solve: (solve.all_submissions, solve.time_ms))

    @property
    def solved(self) -> frozenset[str]:
        return frozenset(
            problem for problem, play in self.problem_records.items() if play.solve is not None
        )

    @property
    def partial_reason(self) -> str | None:
        """Return why the session has problems without a final result, or None."""
        left = sum(play.status in ("pending", "active") for play in self.problem_records.values())
        if not self.closed:
            return "not closed"
        return f"ended with {left} of {len(self.problems)} problems left" if left else None


# Reading exports.

UNNAMED = "(unnamed)"
"""Name of the solver in sessions that do not name their solver."""

MAX_NAME_LENGTH = 400
"""Maximum characters of a name in an export; names of changed protocols are the longest."""
_MAX_BYTES = (
    1 << 50
)  # maximum bytes of a file in a workspace; larger values make an inventory invalid


class ExportRefused(EsoplayError):
    """Raised for an export that cannot be used in a report."""

    kind = "refused_export"
    exit_code = EXIT_FAILED

    def __init__(self, file: str, reason: str):
        super().__init__(f"{file}: {reason}")
        self.file = file
        self.reason = reason


def read_session(file: str, text: bytes, *, with_programs: bool = False) -> PlayedSession:
    """Read the session in an export; ``file`` is its name in a report.

    with_programs: also store the programs that solved problems. Raises ExportRefused if the text is
    not an export or is inconsistent with its log.
    """
    session_audit = audit(text)
    if session_audit.findings or session_audit.state is None:
        first, more = session_audit.findings[0], len(session_audit.findings) - 1
        others = f" (and {more} more finding{'s' if more > 1 else ''})" if more else ""
        raise ExportRefused(file, f"the export fails verification: {first}{others}")
    started = session_audit.state.started
    if len(set(started.problems)) != len(started.problems):
        raise ExportRefused(file, "the session lists a problem twice")
    for name in (
        *(started.session, started.solver or UNNAMED, started.language, started.protocol.id),
        *(started.pack, started.pack_version, *started.problems),
    ):
        if not name.isprintable() or not 0 < len(name) <= MAX_NAME_LENGTH:
            raise ExportRefused(
                file,
                f"{name[:40]!r} is not a valid name; expected 1 to {MAX_NAME_LENGTH} printable "
                "characters",
            )
    return _LogReader(file, session_audit, with_programs).build()


class _LogReader:
    """A reader of a session's log, which counts runs and submissions."""

    def __init__(self, file: str, audit: Audit, with_programs: bool):
        assert audit.state is not None, "the log is complete"
        self._file = file
        self._audit = audit
        self._language = audit.state.started.language
        self._runs: Counter[str] = Counter()
        self._runs_by_problem: Counter[str] = Counter()
        self._failures: Counter[ErrorClass] = Counter()
        self._graded_by_problem: Counter[str] = Counter()
        self._graded = 0
        self._solves: dict[str, Solve] = {}
        self._submission_workspaces: list[WorkspaceAtSubmission] = []
        self._not_inspected = 0
        self._keep_programs = with_programs
        self._solutions: dict[str, bytes] = {}
        self._failure_by_problem: dict[str, ErrorClass | None] = {}
        self._active_periods: list[ActivePeriod] = []
        self._current: tuple[str, int] | None = None  # the current problem, and since when

    def build(self) -> PlayedSession:
        session_audit, state = self._audit, self._audit.state
        assert state is not None, "the log is complete"
        reserved: SubmissionReserved | None = None
        for record, event in zip(session_audit.records, session_audit.entries, strict=True):
            match event:
                case ProblemFetched():
                    self._fetch(event.problem, record.time_ms)
                case ProblemSkipped():
                    self._end_active_period(event.problem, record.time_ms)
                case ProgramRun():
                    self._runs[event.status] += 1
                    self._runs_by_problem[event.problem or ""] += 1
                case SubmissionReserved():
                    reserved = event
                case SubmissionGraded():
                    assert reserved is not None, "a verdict follows a submission"
                    self._add_grading(event, record.time_ms)
                    if event.status != "active":
                        self._end_active_period(event.problem, record.time_ms)
                    self._add_workspace(reserved, event)
                    if event.solved and self._keep_programs:
                        program = session_audit.blobs[reserved.program]
                        self._solutions.setdefault(event.problem, program)
                case _:
                    pass
        if self._current is not None:
            self._end_active_period(self._current[0], session_audit.records[-1].time_ms)
        started: SessionStarted = state.started
        return PlayedSession(
            file=self._file,
            session=started.session,
            solver=started.solver or UNNAMED,
            language=started.language,
            rules=started.protocol,
            limits=started.limits,
            pack=started.pack,
            pack_version=started.pack_version,
            problems=started.problems,
            problem_records={
                problem: ProblemRecord(
                    progress.status,
                    self._graded_by_problem[problem],
                    self._runs_by_problem[problem],
                    self._solves.get(problem),
                    self._failure_by_problem.get(problem),
                )
                for problem, progress in state.progress.items()
            },
            closed=state.closed,
            started_ms=session_audit.records[0].time_ms,
            ended_ms=session_audit.records[-1].time_ms,
            events=len(session_audit.records),
            head=session_audit.records[-1].head,
            runs=dict(self._runs),
            failures=dict(self._failures),
            submission_workspaces=tuple(self._submission_workspaces),
            not_inspected=self._not_inspected,
            visible_processes=state.visible_processes,
            solutions=self._solutions,
            engine=started.versions.get("engine", ""),
            active_periods=tuple(self._active_periods),
        )

    def _fetch(self, problem: str, time_ms: int) -> None:
        if self._current is not None:
            if self._current[0] == problem:  # its statement is shown again
                return
            self._end_active_period(self._current[0], time_ms)
        self._current = problem, time_ms

    def _end_active_period(self, problem: str, time_ms: int) -> None:
        """End the active period of ``problem``; do nothing if this problem is not active."""
        if self._current is not None and self._current[0] == problem:
            self._active_periods.append(ActivePeriod(problem, self._current[1], time_ms))
            self._current = None

    def _add_grading(self, event: SubmissionGraded, time_ms: int) -> None:
        problem = event.problem
        self._graded += 1
        self._graded_by_problem[problem] += 1
        if not event.solved:
            failure = self._failure_by_problem[problem] = self._failure(event)
            if failure is not None:
                self._failures[failure] += 1
        elif problem not in self._solves:
            self._solves[problem] = Solve(
                problem=problem,
                submission=self._graded_by_problem[problem],
                runs=self._runs_by_problem[problem],
                all_runs=self._runs.total(),
                all_submissions=self._graded,
                elapsed_ms=time_ms - self._audit.records[0].time_ms,
                time_ms=time_ms,
            )

    def _failure(self, event: SubmissionGraded) -> ErrorClass | None:
        """Return the error class of a submission's first failed test; None if it is unknown.

        It is unknown while the report on the submission is sealed, because the export then contains
        only the digest of the report.
        """
        if event.passed == event.total:
            return "rule"
        text = self._audit.reports.get(event.report)
        if text is None:
            return None
        tests: list[Mapping[str, Any]] = read_report(text.encode())["tests"]
        failed = [test["verdict"] for test in tests if test["verdict"] != "pass"]
        return error_class(failed[0]) if failed else "other"

    def _add_workspace(self, reserved: SubmissionReserved, event: SubmissionGraded) -> None:
        program = self._audit.blobs[reserved.program]
        listed = parse_inventory(self._audit.blobs.get(reserved.inventory or ""), self._language)
        if listed is None or reserved.workspace is None or not reserved.workspace.seen:
            self._not_inspected += 1
            return
        fresh = (
            size
            for one, size in listed.sizes.items()
            if listed.first_seen.get(one) == event.problem
        )
        self._submission_workspaces.append(
            WorkspaceAtSubmission(
                problem=event.problem,
                size=len(program),
                generators=frozenset(listed.sizes),
                languages=frozenset(listed.languages),
                new_generator_bytes=sum(fresh),
                has_map=reserved.program in listed.mapped_digests,
                solved=event.solved,
            )
        )


class GeneratorInventory(NamedTuple):
    """The generators (programs that write programs) among the files of a workspace.

    sizes: bytes of each generator, by digest. languages: languages of the generators. first_seen:
    the problem with which each generator was first seen, by digest. mapped_digests: digests of
    files with a source map next to them.
    """

    sizes: dict[str, int]
    languages: set[str]
    first_seen: dict[str, str]
    mapped_digests: set[str]


def parse_inventory(blob: bytes | None, session_language: str) -> GeneratorInventory | None:
    """Return the contents of an inventory; None if it is invalid.

    In a host lane, a file of the session's language that begins with ``#!`` is a program, although
    an inventory calls it a generator. An audit verifies the digest of an inventory but does not
    parse it.
    """
    sizes: dict[str, int] = {}
    languages: set[str] = set()
    digests: dict[str, str] = {}
    try:
        listed = json.loads(blob or b"")
        for entry in listed["files"]:
            if entry.get("sha256") is None:  # not read to its end
                continue
            # Repeated in hundreds of lists: without interning they would fill most of the memory.
            digest = sys.intern(str(entry["sha256"]))
            digests[str(entry["path"])] = digest
            if entry["kind"] == "generator" and entry["language"] != session_language:
                size = int(entry["size"])
                if not 0 <= size <= _MAX_BYTES:
                    return None
                sizes[digest] = size
                languages.add(str(entry["language"]))
        helpers = cast("Mapping[str, object]", listed["helpers"])
        first_seen = {name: str(problem) for name, problem in helpers.items()}
        if not all(name.isprintable() and len(name) <= MAX_NAME_LENGTH for name in languages):
            return None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError):
        return None
    mapped_digests = {digest for path, digest in digests.items() if path + MAP_SUFFIX in digests}
    return GeneratorInventory(sizes, languages, first_seen, mapped_digests)


# Series: sessions with the same solver, language, rules and problems.


@dataclass(frozen=True, slots=True)
class Series:
    """The sessions of one solver in one language with the same problems and rules, by time.

    protocol: its name, numbered if protocols of this name differ. problems: in order.
    """

    solver: str
    language: str
    protocol: str
    pack: str
    pack_version: str
    problems: tuple[str, ...]
    sessions: tuple[PlayedSession, ...]

    @property
    def complete_sessions(self) -> tuple[PlayedSession, ...]:
        """Return the sessions that are not partial."""
        return tuple(session for session in self.sessions if session.partial_reason is None)

    @property
    def headline(self) -> PlayedSession | None:
        """Return the first complete session, which represents the series; None without one."""
        return next(iter(self.complete_sessions), None)

    @property
    def shown_session(self) -> PlayedSession:
        """The first complete session, or else the session with the most solved problems."""
        return self.headline or max(self.sessions, key=lambda session: len(session.solved))

    @property
    def name(self) -> str:
        return f"{self.solver}, {self.language}, {self.protocol}"

    @property
    def tools(self) -> str:
        """The tool profile of its sessions; reports read it by the name of its axis."""
        return self.sessions[0].rules.profile


def group_sessions(sessions: Sequence[PlayedSession]) -> list[Series]:
    """Group sessions with the same solver, language, protocol, pack and problems into series.

    The series are sorted by solver, in order of appearance, then by protocol, then by language.
    Published protocols are in the order of ``PROTOCOLS``, before custom ones.
    """
    names = _protocol_names(sessions)
    groups: dict[tuple[object, ...], list[PlayedSession]] = {}
    for one in sessions:
        key = (one.solver, one.language, names[id(one)], one.pack, one.pack_version, one.problems)
        groups.setdefault(key, []).append(one)
    solvers = list(dict.fromkeys(one.solver for one in sessions))
    series = [_series(names[id(played[0])], played) for played in groups.values()]
    published = list(PROTOCOLS)

    def order(one: Series) -> tuple[int, int, str, str]:
        rules = one.sessions[0].rules.id
        place = published.index(rules) if rules in published else len(published)
        return solvers.index(one.solver), place, one.protocol, one.language

    return sorted(series, key=order)


def _series(protocol: str, played: Sequence[PlayedSession]) -> Series:
    first = played[0]
    return Series(
        solver=first.solver,
        language=first.language,
        protocol=protocol,
        pack=first.pack,
        pack_version=first.pack_version,
        problems=first.problems,
        sessions=tuple(sorted(played, key=lambda one: one.started_ms)),
    )


def _protocol_names(sessions: Sequence[PlayedSession]) -> dict[int, str]:
    """Return the name of each session's protocol, by ``id`` of the session object.

    A number distinguishes protocols of the same name with other rules or limits. If sessions have
    different packs, the name includes the pack; if they have different problems of a pack, it
    includes the number of problems, and another suffix if that is ambiguous. Different series
    therefore have different names.
    """
    packs = {(one.pack, one.pack_version) for one in sessions}
    choices = {(one.pack, one.pack_version, one.problems) for one in sessions}
    rows: dict[str, list[object]] = {}
    chosen: dict[tuple[str, str, int], list[object]] = {}
    names: dict[int, str] = {}
    for one in sessions:
        rules = (replace(one.rules, purpose="", compare=one.rules.comparison), one.limits)
        name = one.rules.id + _number_suffix(rows.setdefault(one.rules.id, []), rules)
        if len(packs) > 1:
            name += f" on {one.pack} {one.pack_version}"
        if len(choices) > len(packs):
            as_many = chosen.setdefault((one.pack, one.pack_version, len(one.problems)), [])
            name += f", {format_count(len(one.problems), 'problem')}"
            name += _number_suffix(as_many, one.problems)
        names[id(one)] = name
    return names


def _number_suffix(known: list[object], value: object) -> str:
    """Return a suffix that distinguishes ``value`` from other values with the same name.

    known: the values with this name so far; a new value is added. The suffix is empty for the first
    of them, " (2)" for the second.
    """
    if value not in known:
        known.append(value)
    number = known.index(value) + 1
    return "" if number == 1 else f" ({number})"
