"""Verification of a session export: by its log only, or by repeating runs and submissions.

With the seed, all results in the log can be repeated: each submission is graded again with the
hidden tests of the seed, and each local run is executed again.  The results must be identical.

Time limits are the exception because they depend on the machine.  Everything is therefore repeated
with ``TIME_LIMIT``, whatever the session's limits, and a test or run that exceeded a time limit in
the session or in the repetition is accepted without comparison.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from esolangs.errors import EngineError
from esolangs.wording import format_count
from esoplay.benchmark.exports import MAX_EXPORT_BYTES
from esoplay.benchmark.session_runs import run_in_session
from esoplay.codegen.back_ends import back_end_ids
from esoplay.errors import EXIT_FAILED, EXIT_PASSED, UsageError
from esoplay.grading.grader import grade
from esoplay.grading.packs import Pack
from esoplay.grading.report import GradeReport
from esoplay.grading.seeds import GENERATOR_VERSION, ORDER_VERSION, PRACTICE_SEED, commitment_holds
from esoplay.packs.catalogue import get_installed_pack, get_pack
from esoplay.running.invocation import ProgramInvocation
from esoplay.running.run import GRADING_LIMITS, TIME_LIMIT, Outcome
from esoplay.running.worker import RunCancelled, Worker
from esoplay.sessions.audit import Audit, AuditFinding, audit
from esoplay.sessions.events import ProgramRun, RunLimits, SubmissionGraded, SubmissionReserved
from esoplay.sessions.library import VERSION_KEY, library_digest, library_files, select_library
from esoplay.sessions.store import digest
from esoplay.sessions.target import engine_name, find_target
from esoplay.sessions.workers import Workers
from esoplay.version import VERSION

__all__ = [
    "MAX_EXPORT_BYTES",
    "AuditFinding",
    "RepeatedResult",
    "ReplayTask",
    "RunCancelled",
    "Verification",
    "check_library",
    "compare",
    "find_tasks",
    "repeat_task",
    "verify_export",
]


# Runs and submissions that are repeated and compared with the log

_TIME_LIMIT_STATUS = "time_limit"
_WORK_LIMIT_STATUS = "work_limit"
"""The status of a run that exceeds the work limit.

Older versions of esoplay had no such limit, so their logs never contain this status.
"""

RepeatedResult = Outcome | GradeReport
"""The result of a repeated run or submission."""


class ReplayTask(NamedTuple):
    """A run or submission to repeat; one task stands for all equal events of a log.

    program, stdin: digests.  problem: None for a run.  seqs: the numbers of the events that
    recorded the result.  submission: the number of the first submission, which determines the order
    of tests; 0 for a run.  arguments: the command-line arguments of a run.  server: the problem
    whose server the run used, or None.
    """

    problem: str | None
    program: str
    stdin: str
    seqs: tuple[int, ...]
    submission: int = 0
    arguments: tuple[str, ...] = ()
    server: str | None = None


_TaskKey = tuple[str | None, str, str, tuple[str, ...], str | None]
"""Problem, program, stdin, arguments and server of a task."""


def find_tasks(session_audit: Audit) -> list[ReplayTask]:
    """Return all runs and submissions in a log, in the order of their first events."""
    seqs: dict[_TaskKey, list[int]] = {}
    reserved: dict[int, SubmissionReserved] = {}
    numbers: dict[_TaskKey, int] = {}
    for seq, event in enumerate(session_audit.entries, 1):
        match event:
            case ProgramRun():
                key = (None, event.program, event.stdin, event.arguments, event.server)
                seqs.setdefault(key, []).append(seq)
            case SubmissionReserved():
                reserved[event.number] = event
            case SubmissionGraded():
                program = reserved[event.number].program
                key = (event.problem, program, "", (), None)
                seqs.setdefault(key, []).append(seq)
                numbers.setdefault(key, event.number)
            case _:
                pass
    return [
        ReplayTask(*key[:3], tuple(found), numbers.get(key, 0), *key[3:])
        for key, found in seqs.items()
    ]


def repeat_task(
    task: ReplayTask,
    session_audit: Audit,
    pack: Pack,
    seed: bytes,
    worker: Worker,
    cancelled: Callable[[], bool],
) -> RepeatedResult:
    """Repeat a run or submission of a session; return the new outcome or grade report.

    Raises RunCancelled if ``cancelled`` returns True, and WorkerDied if the worker dies.
    """
    assert session_audit.state is not None, "verify_export() stops if the audit has no state"
    started = session_audit.state.started
    source = session_audit.blobs[task.program]
    if task.problem is not None:
        return grade(
            pack.problem(task.problem),
            started.language,
            source,
            seed=seed,
            dialect=started.protocol.dialect,
            compare=started.protocol.comparison,
            time_limit=TIME_LIMIT,
            worker=worker,
            order=started.run_order(task.submission),
            cancelled=cancelled,
        )
    server = None if task.server is None else pack.problem(task.server).server()
    return run_in_session(
        started,
        source,
        session_audit.blobs[task.stdin],
        ProgramInvocation(task.arguments, server=server),
        worker=worker,
        time_limit=TIME_LIMIT,
        cancelled=cancelled,
    )


def compare(
    session_audit: Audit, task: ReplayTask, repeated: RepeatedResult
) -> tuple[int, list[AuditFinding]]:
    """Compare the events of a task with the result of the repeated run or submission.

    Returns the number of events that cannot be compared because a limit ended a run, and findings
    on the other events.
    """
    time_limited = 0
    findings: list[AuditFinding] = []
    for seq in task.seqs:
        event = session_audit.entries[seq - 1]
        if isinstance(event, ProgramRun):
            assert isinstance(repeated, Outcome)
            differences = _compare_run(event, repeated)
        else:
            assert isinstance(event, SubmissionGraded)
            assert isinstance(repeated, GradeReport)
            differences = _compare_verdict(event, repeated, session_audit.reports.get(event.report))
        if differences is None:
            time_limited += 1
        else:
            findings += [AuditFinding(seq, field, text) for field, text in differences]
    return time_limited, findings


def _compare_run(run: ProgramRun, outcome: Outcome) -> list[tuple[str, str]] | None:
    """Return the fields that differ, or None if a limit makes the comparison impossible.

    It is impossible if the time limit ended a run, or the work limit only the repeated run.
    """
    if _TIME_LIMIT_STATUS in (run.status, outcome.status):
        return None
    if outcome.status == _WORK_LIMIT_STATUS != run.status:
        return None
    now = {
        "status": outcome.status,
        "steps": outcome.steps,
        "stdout_length": len(outcome.stdout),
        "stdout": digest(outcome.stdout),
    }
    return [
        (name, f"recorded as {getattr(run, name)!r}; the repeated run gives {value!r}")
        for name, value in now.items()
        if getattr(run, name) != value
    ]


def _compare_verdict(
    graded: SubmissionGraded, repeated: GradeReport, recorded_report: str | None
) -> list[tuple[str, str]] | None:
    """Return the fields that differ between two gradings of a submission, or None.

    The result is None if a limit makes the comparison impossible: the work limit ended a repeated
    test, and the recorded report is hidden or does not contain this verdict; or the time limit
    ended a test, and the recorded report is hidden or nothing else differs.

    recorded_report: JSON with the result of each test; None if the report is hidden.
    """
    tests: list[dict[str, Any]] | None = (
        None if recorded_report is None else json.loads(recorded_report)["tests"]
    )
    verdicts = {test.verdict for test in repeated.tests}
    verdicts |= {test["verdict"] for test in tests or ()}
    time_limited = _TIME_LIMIT_STATUS in verdicts
    if time_limited and tests is None:
        return None
    recorded_verdicts = {test["verdict"] for test in tests or ()}
    if _WORK_LIMIT_STATUS in verdicts and _WORK_LIMIT_STATUS not in recorded_verdicts:
        return None
    differences: list[tuple[str, str]] = []
    if graded.total != repeated.total or (not time_limited and graded.passed != repeated.passed):
        recorded = f"{graded.passed} of {graded.total}"
        regraded = f"{repeated.passed} of {repeated.total}"
        differences.append(("passed", f"recorded as {recorded}; regrading gives {regraded}"))
    for recorded_test, test in zip(tests or (), repeated.tests, strict=False):
        verdict, steps = recorded_test["verdict"], recorded_test["steps"]
        if _TIME_LIMIT_STATUS in (verdict, test.verdict):
            continue
        if (verdict, steps) != (test.verdict, test.steps):
            text = f"test {test.index}: recorded as {verdict} after {format_count(steps, 'step')}; "
            text += f"regrading gives {test.verdict} after {test.steps}"
            differences.append(("report", text))
    return None if time_limited and not differences else differences


# The builders' library in the workspace


def check_library(session_audit: Audit) -> tuple[list[AuditFinding], list[str]]:
    """Check the library that the protocol of a session provides, if any; return findings and notes.

    Library files that an inventory marks as ``given`` must equal the original files.
    """
    assert session_audit.state is not None, "verify_export() stops if the audit has no state"
    started = session_audit.state.started
    recorded = started.versions.get(VERSION_KEY)
    if started.protocol.material != "library" and recorded is None:
        return [], []
    if started.protocol.material != "library" or recorded is None:
        text = (
            "expected the digest of the library, which the protocol provides; found nothing"
            if recorded is None
            else "expected nothing, because the protocol provides no library"
        )
        return [AuditFinding(1, f"versions.{VERSION_KEY}", text)], []
    known = started.language in back_end_ids()
    files: Mapping[str, str] = library_files(started.language) if known else {}
    if library_digest(files) != recorded:
        here = library_digest(files)[:12]
        unknown = "files recorded as unchanged could not be checked"
        differs = f"the builders' library differs: recorded {recorded[:12]}…, installed {here}…"
        return [], [f"{differs}; {unknown}"]
    given = {path: digest(text.encode()) for path, text in files.items()}
    findings: list[AuditFinding] = []
    for record in session_audit.records:
        inventory = session_audit.blobs.get(record.body.get("inventory") or "")
        try:
            unchanged = {} if inventory is None else _given_digests(inventory)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            findings.append(AuditFinding(record.seq, "inventory", "is not a list of files"))
            continue
        for path, sha256 in select_library(unchanged).items():
            if path in given and sha256 != given[path]:
                text = f"{path} is recorded as an unchanged library file but differs from that file"
                findings.append(AuditFinding(record.seq, "inventory", text))
    return findings, []


def _given_digests(inventory: bytes) -> dict[str, Any]:
    """Return the digests of the files that an inventory marks as ``given``."""
    files: list[dict[str, Any]] = json.loads(inventory)["files"]
    return {str(one["path"]): one.get("sha256") for one in files if one["kind"] == "given"}


Progress = Callable[[int, int], None]
"""Called after each repeated run and submission, with the number done and the total."""


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of a verification.

    findings: errors in log order.  notes: further remarks.  events: the number of events.  head:
    the head after the last event, None for an empty log.  repeated: whether runs and submissions
    were repeated; ``submissions`` and ``runs`` count them, and ``recorded`` counts those accepted
    as recorded because of a time limit.  dialect: the dialect of the programs, None if the log does
    not name it.
    """

    findings: tuple[AuditFinding, ...]
    notes: tuple[str, ...]
    events: int
    head: str | None
    repeated: bool
    submissions: int = 0
    runs: int = 0
    recorded: int = 0
    dialect: str | None = None

    @property
    def verified(self) -> bool:
        return not self.findings

    @property
    def exit_code(self) -> int:
        return EXIT_PASSED if self.verified else EXIT_FAILED

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``esoplay session verify --json`` prints."""
        return {
            "verified": self.verified,
            "findings": [finding._asdict() for finding in self.findings],
            "notes": list(self.notes),
            "events": self.events,
            "head": self.head,
            "repeated": self.repeated,
            "submissions": self.submissions,
            "runs": self.runs,
            "recorded": self.recorded,
            "dialect": self.dialect,
        }


def verify_export(
    text: bytes,
    *,
    head: str | None = None,
    seed: bytes | None = None,
    pack: str | Path | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Verification:
    """Check an export for altered and missing data.

    head: an acknowledged head, up to which the log must be complete.  seed: the revealed seed; with
    it, or with a public seed, everything is repeated in ``jobs`` processes.  pack: the id of an
    installed pack, or a folder; by default the pack that the export names.  Raises UsageError if
    the verification is not possible here, RunCancelled if ``cancelled()``, and WorkerDied if a
    worker dies.
    """
    if head is not None and not re.fullmatch("[0-9a-f]{64}", head):
        raise UsageError(f"invalid head {head!r}; expected 64 lowercase hexadecimal digits")
    if len(text) > MAX_EXPORT_BYTES:
        raise UsageError(
            f"export too large: expected at most {MAX_EXPORT_BYTES:,} bytes, found {len(text):,}"
        )
    audited = audit(text, head)
    if audited.findings or audited.state is None:
        notes = (
            []
            if seed is None
            else ["runs and submissions were not repeated because of these findings"]
        )
        return _result(audited, audited.findings, notes)
    started = audited.state.started
    findings, library_notes = check_library(audited)
    if findings or (seed is None and not started.protocol.public_seed):
        reason = " because of these findings" if findings else ": repeating them requires the seed"
        not_repeated = f"runs and submissions were not repeated{reason}"
        return _result(audited, findings, [not_repeated, *library_notes])
    seed = PRACTICE_SEED if seed is None else seed
    found_pack = _find_pack(audited, pack)
    if not commitment_holds(started.seed_commitment, seed, found_pack):
        mismatch = "does not match this seed and pack; runs and submissions were not repeated"
        found = AuditFinding(1, "seed_commitment", mismatch)
        return _result(audited, (found,), [*_notes(audited), *library_notes])
    tasks = find_tasks(audited)
    results = _repeat_all(tasks, audited, found_pack, seed, jobs, progress, cancelled)
    recorded = 0
    for task in tasks:
        time_limited, found = compare(audited, task, results[task])
        recorded += time_limited
        findings += found
    findings = sorted(findings, key=lambda one: one.event or 0)
    result = _result(audited, findings, [*_notes(audited), *library_notes])
    return replace(
        result,
        repeated=True,
        submissions=sum(len(task.seqs) for task in tasks if task.problem is not None),
        runs=sum(len(task.seqs) for task in tasks if task.problem is None),
        recorded=recorded,
    )


def _result(
    session_audit: Audit, findings: Sequence[AuditFinding], notes: Sequence[str]
) -> Verification:
    head = session_audit.records[-1].head if session_audit.records else None
    reason = None if session_audit.state is None else session_audit.state.visible_processes
    if reason is not None:
        accepted = f"the operator accepted that the solver could reach hidden tests: {reason}"
        notes = [accepted, *notes]
    dialect = None if session_audit.state is None else session_audit.state.protocol.dialect
    return Verification(
        tuple(findings), tuple(notes), len(session_audit.records), head, False, dialect=dialect
    )


def _find_pack(session_audit: Audit, requested_pack: str | Path | None) -> Pack:
    """Return the pack of the session; raise UsageError if the pack or generator differs."""
    assert session_audit.state is not None
    started = session_audit.state.started
    # An export must not name a folder: its judges would be executed.
    pack = get_installed_pack(started.pack) if requested_pack is None else get_pack(requested_pack)
    if (pack.id, pack.version) != (started.pack, started.pack_version):
        raise UsageError(
            f"the session was played with pack {started.pack} {started.pack_version}; found "
            f"{pack.id} {pack.version}; choose the right one with --pack"
        )
    generator = started.versions.get("generator")
    if generator != str(GENERATOR_VERSION):
        raise UsageError(
            f"the hidden tests are from version {generator} of the test generator, but this "
            f"version of esoplay has version {GENERATOR_VERSION} of the generator; verify with a "
            f"version of esoplay that has version {generator} of the generator"
        )
    missing = [problem for problem in started.problems if problem not in {one.id for one in pack}]
    if missing:
        raise UsageError(f"problem {missing[0]} is not in pack {pack.id} {pack.version}")
    try:
        find_target(started.language, started.protocol.dialect)
    except EngineError as error:
        raise UsageError(str(error)) from None
    return pack


def _notes(session_audit: Audit) -> list[str]:
    """Return notes on versions and limits that differ between the session and this machine."""
    assert session_audit.state is not None
    started = session_audit.state.started
    notes: list[str] = []
    here = {
        "esoplay": VERSION,
        "engine": engine_name(started.language),
    }
    for name, version in here.items():
        was = started.versions.get(name)
        if was != version:
            notes.append(f"{name}: recorded {was}, installed {version}")
    order = started.versions.get("order")
    if order not in (None, str(ORDER_VERSION)):
        notes.append(
            f"the recorded test order, version {order}, is unknown here; tests were rerun "
            "in order of their numbers"
        )
    grading = GRADING_LIMITS
    known = RunLimits(grading.steps, grading.output, grading.memory, started.limits.time)
    if started.limits != known:
        notes.append(
            "the limits of this version of esoplay differ from the limits of the session; "
            "submissions were regraded with the limits of this version"
        )
    return notes


def _repeat_all(
    tasks: Sequence[ReplayTask],
    session_audit: Audit,
    pack: Pack,
    seed: bytes,
    jobs: int,
    progress: Progress | None,
    cancelled: Callable[[], bool] | None,
) -> dict[ReplayTask, RepeatedResult]:
    """Repeat all tasks in ``jobs`` processes; return their results.

    Raises WorkerDied if a worker dies, and RunCancelled if ``cancelled()``.
    """
    stopped = threading.Event()
    total = sum(len(task.seqs) for task in tasks)
    done = 0
    results: dict[ReplayTask, RepeatedResult] = {}

    def is_cancelled() -> bool:
        return stopped.is_set() or (cancelled is not None and cancelled())

    def work(task: ReplayTask) -> RepeatedResult:
        if is_cancelled():
            raise RunCancelled
        with workers.borrow() as worker:
            return repeat_task(task, session_audit, pack, seed, worker, is_cancelled)

    with closing(Workers(jobs)) as workers, ThreadPoolExecutor(jobs) as pool:
        waiting = {pool.submit(work, task): task for task in tasks}
        try:
            for future in as_completed(waiting):
                task = waiting[future]
                results[task] = future.result()
                done += len(task.seqs)
                if progress is not None:
                    progress(done, total)
        except BaseException:
            stopped.set()  # running tasks end at their next check; waiting tasks never start
            raise
    return results
