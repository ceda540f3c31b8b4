"""What a session came to once its agent has ended: closed, exported, verified."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from esoplay.agents.records import EXPORT, STORE, WORKSPACE, End, Result
from esoplay.errors import EsoplayError, StoreError
from esoplay.service.sessions import Sessions
from esoplay.service.verification import Cancelled, Verification, verify_export
from esoplay.sessions.store import EventStore
from esoplay.sessions.vault import Vault

MOVES = frozenset({"problem_fetched", "program_run", "submission_reserved", "problem_skipped"})
"""Events that are a solver's moves."""
MOST_FINDINGS = 20
"""That are noted; the export has them all."""


def judge(
    attempt: Path,
    session: str,
    end: End,
    why: str,
    *,
    pack: str | None,
    seconds: float | None = None,
    notes: Sequence[str] = (),
    stop: threading.Event | None = None,
) -> Result:
    """Close a session, write its export, and verify that: by grading everything again.

    seconds: that the attempt took; None where the log alone can tell.  Once ``stop`` is set, only
    the log is looked through.  Raises StoreError where nothing can be written.  A session whose
    last problem was settled is complete, however its agent ended.
    """
    try:
        with Sessions.open(attempt / STORE, create=False) as sessions:
            before = sessions.status(session)
            whole = before.counts["solved"] == len(before.state.progress)
            if before.state.closed or whole:  # with ways back nothing closes by itself
                end, why = "complete", ""
            sessions.close_session(session)
            data = sessions.export(session).as_json()
            seed = sessions.reveal(session).seed
    except EsoplayError as error:
        return Result(session, "tampered", str(error), seconds=seconds or 0.0, notes=tuple(notes))
    text = json.dumps(data).encode() + b"\n"
    try:
        (attempt / EXPORT).touch(0o600)  # others who play must not find solutions there
        (attempt / EXPORT).write_bytes(text)
    except OSError as error:
        raise StoreError(f"cannot write {attempt / EXPORT}: {error.strerror}") from error
    look = _verified(text, seed, pack, stop)
    events = data["events"]
    violated = [event for event in events if _violation(event)]
    notes = [*notes, *look.notes, *_edited(attempt, session)]
    notes += [f"against the rules: {_violation(event)}" for event in violated[:1]]
    return Result(
        session,
        end,
        why,
        solved=before.counts["solved"],
        problems=len(before.state.progress),
        seconds=_lasted(events) if seconds is None else seconds,
        moves=sum(event["kind"] in MOVES for event in events),
        verified=look.verified,
        repeated=look.repeated,
        findings=tuple(map(str, look.findings[:MOST_FINDINGS])),
        notes=tuple(notes),
        violations=len(violated),
        head=look.head,
        sha256=sha256(text).hexdigest(),
        seed=seed.hex(),
    )


def _lasted(events: Sequence[Any]) -> float:
    return (events[-1]["time_ms"] - events[0]["time_ms"]) / 1000


def was_begun(attempt: Path, session: str) -> bool:
    """Whether the store of an attempt has its session; StoreError where it cannot be read."""
    if not (attempt / STORE).exists():
        return False
    with EventStore(attempt / STORE) as store:
        return session in store.sessions()


def _verified(
    text: bytes, seed: bytes, pack: str | None, stop: threading.Event | None
) -> Verification:
    stopped = stop is not None and stop.is_set()
    try:
        if not stopped:
            return verify_export(text, seed=seed, pack=pack, cancelled=stop and stop.is_set)
    except Cancelled:
        pass
    return verify_export(text)


def _violation(event: Any) -> str | None:
    return event["body"].get("violation") if event["kind"] == "submission_reserved" else None


def _edited(attempt: Path, session: str) -> list[str]:
    """The files that the session put into the workspace and that are not there as they were."""
    noted = Vault().noted(session, "workspace")
    given: dict[str, str] = {} if noted is None else noted["given"]
    edited: list[str] = []
    for name, digest in given.items():
        try:
            same = sha256((attempt / WORKSPACE / name).read_bytes()).hexdigest() == digest
        except OSError:
            same = False
        if not same:
            edited.append(name)
    return [f"files of the session were changed: {', '.join(sorted(edited)[:5])}"] if edited else []
