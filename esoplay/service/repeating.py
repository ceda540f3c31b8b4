"""Runs and submissions of a log, done again and held against what the log says of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from esolangs.limits import Limits
from esoplay.grading.grader import grade
from esoplay.grading.packs import Pack
from esoplay.grading.report import GradeReport
from esoplay.running.run import Outcome
from esoplay.running.worker import Worker, runner_for
from esoplay.sessions.audit import Audit, Finding
from esoplay.sessions.events import ProgramRun, SubmissionGraded, SubmissionReserved
from esoplay.sessions.store import digest

_CLOCK = "time_limit"

Repeated = Outcome | GradeReport


class Task(NamedTuple):
    """What is to be done again, once for all events that tell of the same.

    program and stdin: their digests.  problem: None for a run.  seqs: of the events that tell
    how it came out.  submission: the number of the first one, in whose order tests run; 0 for a
    run.
    """

    problem: str | None
    program: str
    stdin: str
    seqs: tuple[int, ...]
    submission: int = 0


def tasks_of(look: Audit) -> list[Task]:
    """Everything in a log that programs were run for, in the order of the first event."""
    seqs: dict[tuple[str | None, str, str], list[int]] = {}
    reserved: dict[int, SubmissionReserved] = {}
    numbers: dict[tuple[str | None, str, str], int] = {}
    for seq, event in enumerate(look.entries, 1):
        match event:
            case ProgramRun():
                seqs.setdefault((None, event.program, event.stdin), []).append(seq)
            case SubmissionReserved():
                reserved[event.number] = event
            case SubmissionGraded():
                program = reserved[event.number].program
                key = (event.problem, program, "")
                seqs.setdefault(key, []).append(seq)
                numbers.setdefault(key, event.number)
            case _:
                pass
    return [Task(*key, tuple(found), numbers.get(key, 0)) for key, found in seqs.items()]


def perform(
    task: Task,
    look: Audit,
    pack: Pack,
    seed: bytes,
    worker: Worker,
    cancelled: Callable[[], bool],
) -> Repeated:
    """Do it again; raises Cancelled, and WorkerDied."""
    assert look.state is not None, "a log without findings has one"
    started = look.state.started
    source = look.blobs[task.program]
    if task.problem is not None:
        return grade(
            pack.problem(task.problem),
            started.language,
            source,
            seed=seed,
            dialect=started.protocol.dialect,
            worker=worker,
            order=started.run_order(task.submission),
            cancelled=cancelled,
        )
    limits = started.limits
    with runner_for(started.language, worker) as runner:
        return (runner or worker).run(
            started.language,
            source,
            dialect=started.protocol.dialect,
            stdin=look.blobs[task.stdin],
            limits=Limits(limits.steps, limits.output, limits.memory),
            time_limit=limits.time,
            cancelled=cancelled,
        )


def compare(look: Audit, task: Task, repeated: Repeated) -> tuple[int, list[Finding]]:
    """How many of the task's events the clock had decided, and findings on the others."""
    by_clock = 0
    findings: list[Finding] = []
    for seq in task.seqs:
        event = look.entries[seq - 1]
        if isinstance(event, ProgramRun):
            assert isinstance(repeated, Outcome)
            told = _compare_run(event, repeated)
        else:
            assert isinstance(event, SubmissionGraded)
            assert isinstance(repeated, GradeReport)
            told = _compare_verdict(event, repeated, look.reports.get(event.report))
        if told is None:
            by_clock += 1
        else:
            findings += [Finding(seq, field, text) for field, text in told]
    return by_clock, findings


def _compare_run(run: ProgramRun, outcome: Outcome) -> list[tuple[str, str]] | None:
    """What differs, by field; None where the clock ended it then or now."""
    if _CLOCK in (run.status, outcome.status):
        return None
    now = {
        "status": outcome.status,
        "steps": outcome.steps,
        "stdout_length": len(outcome.stdout),
        "stdout": digest(outcome.stdout),
    }
    return [
        (name, f"is {getattr(run, name)!r}; run again it is {value!r}")
        for name, value in now.items()
        if getattr(run, name) != value
    ]


def _compare_verdict(
    graded: SubmissionGraded, again: GradeReport, sealed: str | None
) -> list[tuple[str, str]] | None:
    """The same for a submission; sealed: its report of the single tests, where it is open."""
    tests: list[dict[str, Any]] | None = None if sealed is None else json.loads(sealed)["tests"]
    verdicts = {test.verdict for test in again.tests}
    verdicts |= {test["verdict"] for test in tests or ()}
    if _CLOCK in verdicts:
        return None
    told: list[tuple[str, str]] = []
    if (graded.passed, graded.total) != (again.passed, again.total):
        was, now = f"{graded.passed} of {graded.total}", f"{again.passed} of {again.total}"
        told.append(("passed", f"is {was}; graded again it is {now}"))
    for then, now in zip(tests or (), again.tests, strict=False):
        if (then["verdict"], then["steps"]) != (now.verdict, now.steps):
            text = f"test {now.index} was {then['verdict']} after {then['steps']} steps; "
            text += f"graded again it is {now.verdict} after {now.steps}"
            told.append(("report", text))
    return told
