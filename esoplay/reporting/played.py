"""What a report knows of sessions: how each problem went, and which sessions belong together.

``read_session`` makes a ``PlayedSession`` of a session's export, which is audited first; ``group``
makes series of them.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, cast

from esolangs.wording import count_of
from esoplay.codegen.source_map import SUFFIX
from esoplay.errors import EXIT_FAILED, EsoplayError
from esoplay.sessions.audit import Audit, audit
from esoplay.sessions.events import (
    ProgramRun,
    RunLimits,
    SessionStarted,
    Status,
    SubmissionGraded,
    SubmissionReserved,
)
from esoplay.sessions.export import read_report
from esoplay.sessions.protocols import PROTOCOLS, Protocol

ErrorClass = Literal["compile", "runtime", "limit", "wrong answer", "rule", "other"]
ERROR_CLASSES: tuple[ErrorClass, ...] = (
    "compile",
    "runtime",
    "limit",
    "wrong answer",
    "rule",
    "other",
)
"""How a submission failed: it was not a program, it faulted, it met a limit, it printed something
else, the workspace broke a rule, or in a way unknown to this version."""

_OF_VERDICT: Mapping[str, ErrorClass] = {
    "parse_error": "compile",
    "fault": "runtime",
    "step_limit": "limit",
    "output_limit": "limit",
    "memory_limit": "limit",
    "work_limit": "limit",
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


class ProblemRecord(NamedTuple):
    """How one problem went; ``submissions`` counts graded ones."""

    status: Status
    submissions: int
    runs: int
    solve: Solve | None


class WorkspaceAtSubmission(NamedTuple):
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
class PlayedSession:
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
    plays: Mapping[str, ProblemRecord]
    closed: bool
    began_ms: int
    ended_ms: int
    events: int
    head: str
    runs: Mapping[str, int] = field(default_factory=dict[str, int])
    failures: Mapping[ErrorClass, int] = field(default_factory=dict[ErrorClass, int])
    surroundings: tuple[WorkspaceAtSubmission, ...] = ()
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


# Reading exports

UNNAMED = "(unnamed)"
"""The solver of sessions that were started without a name."""

MOST_LETTERS = 400
"""Of any name in an export; names of protocols that were changed are the longest."""
_MOST_BYTES = 1 << 50  # of a file in a workspace, beyond which a list of files is none


class ExportRefused(EsoplayError):
    """An export that is not fit for a report."""

    kind = "refused_export"
    exit_code = EXIT_FAILED

    def __init__(self, file: str, reason: str):
        super().__init__(f"{file}: {reason}")
        self.file = file
        self.reason = reason


def read_session(file: str, text: bytes) -> PlayedSession:
    """The session in an export; ``file`` is its name in a report.

    Raises ExportRefused if it is not an export or does not verify by its own log.
    """
    look = audit(text)
    if look.findings or look.state is None:
        first, more = look.findings[0], len(look.findings) - 1
        others = f" (and {more} more finding{'s' if more > 1 else ''})" if more else ""
        raise ExportRefused(file, f"the export does not verify: {first}{others}")
    started = look.state.started
    if len(set(started.problems)) != len(started.problems):
        raise ExportRefused(file, "the session has a problem twice")
    for name in (
        *(started.session, started.solver or UNNAMED, started.language, started.protocol.id),
        *(started.pack, started.pack_version, *started.problems),
    ):
        if not name.isprintable() or not 0 < len(name) <= MOST_LETTERS:
            raise ExportRefused(file, f"{name[:40]!r} is not a name that a report can show")
    return _LogReader(file, look).played()


class _LogReader:
    """Goes through a log once, and counts."""

    def __init__(self, file: str, look: Audit):
        assert look.state is not None, "the log is whole"
        self._file = file
        self._look = look
        self._language = look.state.started.language
        self._runs: Counter[str] = Counter()
        self._runs_for: Counter[str] = Counter()
        self._failures: Counter[ErrorClass] = Counter()
        self._graded_for: Counter[str] = Counter()
        self._graded = 0
        self._solves: dict[str, Solve] = {}
        self._surroundings: list[WorkspaceAtSubmission] = []
        self._unseen = 0

    def played(self) -> PlayedSession:
        look, state = self._look, self._look.state
        assert state is not None, "the log is whole"
        reserved: SubmissionReserved | None = None
        for record, event in zip(look.records, look.entries, strict=True):
            match event:
                case ProgramRun():
                    self._runs[event.status] += 1
                    self._runs_for[event.problem or ""] += 1
                case SubmissionReserved():
                    reserved = event
                case SubmissionGraded():
                    assert reserved is not None, "the rules know no verdict without a submission"
                    self._judge(event, record.time_ms)
                    self._look_around(reserved, event)
                case _:
                    pass
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
            plays={
                problem: ProblemRecord(
                    progress.status,
                    self._graded_for[problem],
                    self._runs_for[problem],
                    self._solves.get(problem),
                )
                for problem, progress in state.progress.items()
            },
            closed=state.closed,
            began_ms=look.records[0].time_ms,
            ended_ms=look.records[-1].time_ms,
            events=len(look.records),
            head=look.records[-1].head,
            runs=dict(self._runs),
            failures=dict(self._failures),
            surroundings=tuple(self._surroundings),
            unseen=self._unseen,
            visible_processes=state.visible_processes,
        )

    def _judge(self, event: SubmissionGraded, time_ms: int) -> None:
        problem = event.problem
        self._graded += 1
        self._graded_for[problem] += 1
        if not event.solved:
            failure = self._failure(event)
            if failure is not None:
                self._failures[failure] += 1
        elif problem not in self._solves:
            self._solves[problem] = Solve(
                problem=problem,
                submission=self._graded_for[problem],
                runs=self._runs_for[problem],
                all_runs=self._runs.total(),
                all_submissions=self._graded,
                elapsed_ms=time_ms - self._look.records[0].time_ms,
                time_ms=time_ms,
            )

    def _failure(self, event: SubmissionGraded) -> ErrorClass | None:
        """By the first test that failed; None while the report is sealed."""
        if event.passed == event.total:
            return "rule"
        text = self._look.reports.get(event.report)
        if text is None:
            return None
        tests: list[Mapping[str, Any]] = read_report(text.encode())["tests"]
        failed = [test["verdict"] for test in tests if test["verdict"] != "pass"]
        return error_class(failed[0]) if failed else "other"

    def _look_around(self, reserved: SubmissionReserved, event: SubmissionGraded) -> None:
        program = self._look.blobs[reserved.program]
        listed = inventory_of(self._look.blobs.get(reserved.inventory or ""), self._language)
        if listed is None or reserved.workspace is None or not reserved.workspace.seen:
            self._unseen += 1
            return
        fresh = (
            size
            for one, size in listed.sizes.items()
            if listed.first_seen.get(one) == event.problem
        )
        self._surroundings.append(
            WorkspaceAtSubmission(
                problem=event.problem,
                size=len(program),
                generators=frozenset(listed.sizes),
                languages=frozenset(listed.languages),
                fresh=sum(fresh),
                mapped=reserved.program in listed.mapped,
                solved=event.solved,
            )
        )


class GeneratorInventory(NamedTuple):
    """What an inventory says of generators.

    sizes: of generators, by digest.  languages: of generators.  first_seen: by digest, with which
    problem each was.  mapped: digests of files that have a source map beside them.
    """

    sizes: dict[str, int]
    languages: set[str]
    first_seen: dict[str, str]
    mapped: set[str]


def inventory_of(blob: bytes | None, own: str) -> GeneratorInventory | None:
    """What the inventory says; None for what is none.

    own: the session's language; in a host lane a file of it that begins with ``#!`` is a program,
    though an inventory calls it a generator.  An audit holds the bytes of an inventory to their
    digest and reads no further.
    """
    sizes: dict[str, int] = {}
    languages: set[str] = set()
    digests: dict[str, str] = {}
    try:
        listed = json.loads(blob or b"")
        for entry in listed["files"]:
            if entry.get("sha256") is None:  # it could not be read to its end
                continue
            # The same in hundreds of lists: without interning they are most of a report.
            digest = sys.intern(str(entry["sha256"]))
            digests[str(entry["path"])] = digest
            if entry["kind"] == "generator" and entry["language"] != own:
                size = int(entry["size"])
                if not 0 <= size <= _MOST_BYTES:
                    return None
                sizes[digest] = size
                languages.add(str(entry["language"]))
        helpers = cast("Mapping[str, object]", listed["helpers"])
        first_seen = {name: str(problem) for name, problem in helpers.items()}
        if not all(name.isprintable() and len(name) <= MOST_LETTERS for name in languages):
            return None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError):
        return None
    mapped = {digest for path, digest in digests.items() if path + SUFFIX in digests}
    return GeneratorInventory(sizes, languages, first_seen, mapped)


# Sessions that belong together: one solver, one language, the same rules, the same problems.


@dataclass(frozen=True, slots=True)
class Series:
    """The sessions of one solver in one language on the same terms, in the order of time.

    protocol: its name; where rows of one name differ, with a number.  problems: in order.
    """

    solver: str
    language: str
    protocol: str
    pack: str
    pack_version: str
    problems: tuple[str, ...]
    sessions: tuple[PlayedSession, ...]

    @property
    def complete(self) -> tuple[PlayedSession, ...]:
        """The sessions that are not partial."""
        return tuple(session for session in self.sessions if session.partial is None)

    @property
    def headline(self) -> PlayedSession | None:
        """The first complete session, whose figures stand for the series; None if partial."""
        return next(iter(self.complete), None)

    @property
    def shown(self) -> PlayedSession:
        """The headline; of a partial series the session in which most was solved."""
        return self.headline or max(self.sessions, key=lambda session: len(session.solved))

    @property
    def name(self) -> str:
        return f"{self.solver}, {self.language}, {self.protocol}"


def group(sessions: Sequence[PlayedSession]) -> list[Series]:
    """Series by solver, in the order in which these came, then by protocol and language.

    Protocols are in the order of their table, before custom protocols.
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
        sessions=tuple(sorted(played, key=lambda one: one.began_ms)),
    )


def _protocol_names(sessions: Sequence[PlayedSession]) -> dict[int, str]:
    """The name of each session's protocol; numbered where the rules or limits are others.

    With what it was played, where sessions of several packs or choices of problems meet; numbered
    again where choices of as many problems differ.  So two series never have one name.
    """
    packs = {(one.pack, one.pack_version) for one in sessions}
    choices = {(one.pack, one.pack_version, one.problems) for one in sessions}
    rows: dict[str, list[object]] = {}
    chosen: dict[tuple[str, str, int], list[object]] = {}
    names: dict[int, str] = {}
    for one in sessions:
        rules = (replace(one.rules, purpose=""), one.limits)
        name = one.rules.id + _number(rows.setdefault(one.rules.id, []), rules)
        if len(packs) > 1:
            name += f" on {one.pack} {one.pack_version}"
        if len(choices) > len(packs):
            as_many = chosen.setdefault((one.pack, one.pack_version, len(one.problems)), [])
            name += f", {count_of(len(one.problems), 'problem')}{_number(as_many, one.problems)}"
        names[id(one)] = name
    return names


def _number(known: list[object], value: object) -> str:
    """Which of the values that are ``known`` it is, unless the first; a new one becomes known."""
    if value not in known:
        known.append(value)
    number = known.index(value) + 1
    return "" if number == 1 else f" ({number})"
