"""Verifying a session from its export: by the log alone, and by doing everything again.

With the seed, everything that the log says of programs can be repeated: each submission is
graded anew by the hidden tests that the seed gives, each local run is run anew.  Both come out
the same, byte for byte, wherever they did not end by the clock on the wall.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from esolangs.errors import EngineError
from esoplay.errors import EXIT_FAILED, EXIT_PASSED, UsageError
from esoplay.grading.packs import Pack
from esoplay.grading.seeds import GENERATOR_VERSION, ORDER_VERSION, PRACTICE_SEED, commitment_holds
from esoplay.running.run import GRADING_LIMITS, TIME_LIMIT
from esoplay.running.worker import Cancelled
from esoplay.service.exports import LARGEST
from esoplay.service.handed_out import check_library
from esoplay.service.problems import get_installed, get_pack
from esoplay.service.repeating import Repeated, Task, compare, perform, tasks_of
from esoplay.sessions.audit import Audit, Finding, audit
from esoplay.sessions.events import RunLimits
from esoplay.sessions.tongue import engine_of, tongue_of
from esoplay.sessions.workers import Workers
from esoplay.version import VERSION

__all__ = ["LARGEST", "Cancelled", "Finding", "Verification", "verify_export"]

Progress = Callable[[int, int], None]
"""Told after each run and submission that was repeated: how many are done, and of how many."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What a verification came to.

    findings: what is wrong, in the order of the log.  notes: what should be known besides.
    events: in the log.  head: after its last event, None where there is none.
    repeated: whether runs and submissions were done again; these are counted in ``submissions``
    and ``runs``, and ``recorded`` are those among them that the clock had decided.
    """

    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    events: int
    head: str | None
    repeated: bool
    submissions: int = 0
    runs: int = 0
    recorded: int = 0

    @property
    def verified(self) -> bool:
        return not self.findings

    @property
    def exit_code(self) -> int:
        return EXIT_PASSED if self.verified else EXIT_FAILED

    def as_json(self) -> dict[str, Any]:
        """The object that ``esoplay session verify --json`` prints."""
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
    """Look for whatever was altered in an export or left out of it.

    head: one that was acknowledged; what was played up to it must be there.  seed: as it was
    revealed; with it, or under a protocol whose seed is public, everything is done again, by
    ``jobs`` processes.  pack: an installed one or a folder, else what the export names.
    Raises UsageError where what was asked cannot be done here, Cancelled, and WorkerDied.
    """
    if head is not None and not re.fullmatch("[0-9a-f]{64}", head):
        raise UsageError(f"a head has 64 hexadecimal digits in lower case, unlike {head!r}")
    if len(text) > LARGEST:
        raise UsageError(f"an export has at most {LARGEST:,} bytes; this has {len(text):,}")
    look = audit(text, head)
    if look.findings or look.state is None:
        told = [] if seed is None else ["nothing was done again, because of what was found"]
        return _result(look, look.findings, told)
    started = look.state.started
    findings, library_notes = check_library(look)
    if findings or (seed is None and not started.protocol.public_seed):
        told = "because of what was found" if findings else "that takes the seed"
        not_again = f"runs and submissions were not done again: {told}"
        return _result(look, findings, [not_again, *library_notes])
    seed = PRACTICE_SEED if seed is None else seed
    found_pack = _pack_of(look, pack)
    if not commitment_holds(started.seed_commitment, seed, found_pack):
        told = "was not made about this seed and pack; nothing was done again"
        found = Finding(1, "seed_commitment", told)
        return _result(look, (found,), [*_notes(look), *library_notes])
    tasks = tasks_of(look)
    results = _perform_all(tasks, look, found_pack, seed, jobs, progress, cancelled)
    recorded = 0
    for task in tasks:
        by_clock, found = compare(look, task, results[task])
        recorded += by_clock
        findings += found
    findings = sorted(findings, key=lambda one: one.event or 0)
    result = _result(look, findings, [*_notes(look), *library_notes])
    return replace(
        result,
        repeated=True,
        submissions=sum(len(task.seqs) for task in tasks if task.problem is not None),
        runs=sum(len(task.seqs) for task in tasks if task.problem is None),
        recorded=recorded,
    )


def _result(look: Audit, findings: Sequence[Finding], notes: Sequence[str]) -> Verification:
    head = look.records[-1].head if look.records else None
    reason = None if look.state is None else look.state.visible_processes
    if reason is not None:
        accepted = (
            f"the operator accepted that hidden tests were within the solver's reach: {reason}"
        )
        notes = [accepted, *notes]
    return Verification(tuple(findings), tuple(notes), len(look.records), head, False)


def _pack_of(look: Audit, chosen: str | Path | None) -> Pack:
    """The pack of the session; UsageError where another one is at hand."""
    assert look.state is not None
    started = look.state.started
    # An export must not choose a folder: the judges in it are code that is run.
    pack = get_installed(started.pack) if chosen is None else get_pack(chosen)
    if (pack.id, pack.version) != (started.pack, started.pack_version):
        raise UsageError(
            f"the session was played with pack {started.pack} {started.pack_version}; at hand is "
            f"{pack.id} {pack.version}: name the right one with --pack"
        )
    generator = started.versions.get("generator")
    if generator != str(GENERATOR_VERSION):
        raise UsageError(
            f"generator {generator} derived the hidden tests; this version of esoplay has "
            f"{GENERATOR_VERSION}: verify with a version that has the other"
        )
    missing = [problem for problem in started.problems if problem not in {one.id for one in pack}]
    if missing:
        raise UsageError(f"pack {pack.id} {pack.version} has no problem {missing[0]}")
    try:
        tongue_of(started.language, started.protocol.dialect)
    except EngineError as error:
        raise UsageError(str(error)) from None
    return pack


def _notes(look: Audit) -> list[str]:
    """Where what was done again was done in another way."""
    assert look.state is not None
    started = look.state.started
    notes: list[str] = []
    here = {
        "esoplay": VERSION,
        "engine": engine_of(started.language),
    }
    for name, version in here.items():
        was = started.versions.get(name)
        if was != version:
            notes.append(f"{name} was {was}, is {version} here")
    order = started.versions.get("order")
    if order not in (None, str(ORDER_VERSION)):
        notes.append(f"tests ran in an order of version {order}, here in that of their numbers")
    grading = GRADING_LIMITS
    if started.limits != RunLimits(grading.steps, grading.output, grading.memory, TIME_LIMIT):
        notes.append("submissions are graded under the limits of this version, which are others")
    return notes


def _perform_all(
    tasks: Sequence[Task],
    look: Audit,
    pack: Pack,
    seed: bytes,
    jobs: int,
    progress: Progress | None,
    cancelled: Callable[[], bool] | None,
) -> dict[Task, Repeated]:
    """The results by task; raises Cancelled when ``cancelled`` said so, and WorkerDied."""
    stopped = threading.Event()
    total = sum(len(task.seqs) for task in tasks)
    done = 0
    results: dict[Task, Repeated] = {}

    def is_cancelled() -> bool:
        return stopped.is_set() or (cancelled is not None and cancelled())

    def work(task: Task) -> Repeated:
        if is_cancelled():
            raise Cancelled
        with workers.lend() as worker:
            return perform(task, look, pack, seed, worker, is_cancelled)

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
            stopped.set()  # what is at work ends at its next look; what waits never begins
            raise
    return results
