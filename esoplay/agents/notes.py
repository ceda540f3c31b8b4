"""Read and write the files in which a run records its sessions (notes).

The folder of a run contains a folder for each cell of the grid, with a folder for each attempt::

    run.json                                        the sessions of the grid at the last run
    cells/SOLVER/LANGUAGE/PROTOCOL/3/attempt-1/     the third session, first attempt
        `begun.json`  `result.json`                 :class:`AttemptStart`, :class:`AttemptOutcome`
        store.sqlite  session.json                  the session, and its export
        usage.jsonl                                 the tokens that the agent reported
        calls.jsonl                                 the tool calls in the agent's log
        workspace/  home/                           the agent's folders
        stdout.log  stderr.log  server.log          transcripts

An agent that runs as the operator's own user may have changed any of these files: a damaged note is
reported and does not affect other sessions.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from msgspec import UNSET, Struct

from esoplay.agents.records import (
    EXPORT,
    USAGE,
    AgentActivity,
    AgentIdentity,
    AttemptOutcome,
    AttemptStart,
    CellStanding,
    GridCell,
    RunNote,
    compute_digest,
    read_regular_file,
)
from esoplay.benchmark.exports import MAX_EXPORT_BYTES
from esoplay.benchmark.reports import ExportRefused
from esoplay.decoding import DecodingError, FileWording, decode, strict_struct
from esoplay.errors import StoreError
from esoplay.reporting.report import AgentFigures

Note = TypeVar("Note", AttemptStart, AttemptOutcome, RunNote)

_NESTED: Mapping[tuple[str, type[Any]], type[Any]] = {
    ("agent", AttemptStart): AgentIdentity,
    ("agent", AttemptOutcome): AgentActivity,
}
"""Types of the fields whose values are dataclasses."""

_WORDING = FileWording(expected="expected {expected}, not {found}", table="an object")
_CREATE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
_START, _RESULT, _RUN = "begun.json", "result.json", "run.json"
_MAX_NUMBER = 1e15  # maximum of numbers other than counts
_MAX_BYTES = 16 << 20  # maximum bytes of a note; a run has at most 10,000 sessions


def read_standing(run: Path, cell: GridCell) -> CellStanding:
    """Read the state of the last attempt at a session of the grid from the session's folder."""
    attempt = last_attempt(run / cell.folder)
    if attempt is None:
        return CellStanding(cell)
    try:
        start, result = (
            _read(attempt / _START, AttemptStart),
            _read(attempt / _RESULT, AttemptOutcome),
        )
    except StoreError as error:
        return CellStanding(cell, attempt, damage=str(error))
    altered = False
    if result is not None and result.sha256 is not None:
        altered = compute_digest(attempt / EXPORT, MAX_EXPORT_BYTES) != result.sha256
    return CellStanding(cell, attempt, start, result, altered)


def last_attempt(folder: Path) -> Path | None:
    """Return the folder of the last attempt that was started, or None.

    folder: the folder of a session of the grid, ``cells/SOLVER/LANGUAGE/PROTOCOL/NUMBER``.
    """
    started = [one for one in _attempts(folder) if os.path.lexists(one / _START)]
    return max(started, key=_number, default=None)


def create_attempt_folder(folder: Path) -> Path:
    """Create a folder for the next attempt at a session; return the path of the new folder.

    folder: the folder of the session.

    Raises StoreError if the new folder cannot be created.
    """
    number = max(map(_number, _attempts(folder)), default=0) + 1
    fresh = folder / f"attempt-{number}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        fresh.mkdir(mode=0o700)
    except OSError as error:
        raise StoreError(f"cannot create {fresh}: {error.strerror}") from error
    return fresh


def restrict_attempts(run: Path) -> None:
    """Deny other users access to all attempts: a killed run may leave an attempt accessible."""
    for attempt in (run / "cells").glob("*/*/*/*/attempt-*"):
        if not attempt.is_symlink():
            try:
                attempt.chmod(0o700)
            except OSError as error:
                raise StoreError(
                    f"cannot deny other users access to {attempt}: {error.strerror}"
                ) from error


def write_start(attempt: Path, start: AttemptStart) -> None:
    _write(attempt / _START, asdict(start))


def write_result(attempt: Path, result: AttemptOutcome) -> None:
    _write(attempt / _RESULT, result.as_json())


def write_run_note(run: Path, note: RunNote) -> None:
    _write(run / _RUN, {**asdict(note), "cells": [list(cell) for cell in note.cells]})


def read_run_note(run: Path) -> RunNote | None:
    """Read the saved sessions and settings of a run; None if the folder does not contain a run.

    Raises StoreError if the note is unreadable.
    """
    return _read(run / _RUN, RunNote)


def _attempts(folder: Path) -> Iterator[Path]:
    return (one for one in folder.glob("attempt-*") if one.name[8:].isdigit() and one.is_dir())


def _number(attempt: Path) -> int:
    return int(attempt.name[8:])


def _read(file: Path, kind: type[Note]) -> Note | None:
    """Read a file of JSON; return None if it is missing. Raise StoreError if it is unreadable."""
    try:
        # Not decode_json: paths that are not UTF-8 contain lone surrogates.
        value: object = json.loads(read_regular_file(file, _MAX_BYTES))
        found = decode(value, strict_struct(kind), _WORDING)
        members = {name: getattr(found, name) for name in found.__struct_fields__}
        for name, value in members.items():
            if isinstance(value, float) and not abs(value) < _MAX_NUMBER:
                raise DecodingError(name, f"expected a number below {_MAX_NUMBER:g}, not {value!r}")
        return _from_members(kind, members)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise StoreError(f"cannot read {file}: {error}") from None


def _from_members(kind: type[Any], members: Mapping[str, Any]) -> Any:
    """Convert the members of a decoded struct to a dataclass; unset fields get their defaults."""
    given = {name: value for name, value in members.items() if value is not UNSET}
    for name, value in given.items():
        if isinstance(value, Struct):
            inner = {each: getattr(value, each) for each in value.__struct_fields__}
            given[name] = _from_members(_NESTED[name, kind], inner)
    return kind(**given)


def _write(file: Path, value: Any) -> None:
    """Write a file of JSON atomically."""
    beside = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        with open(os.open(beside, _CREATE_FLAGS, 0o600), "w", encoding="ascii") as stream:
            json.dump(value, stream, indent=1)
            stream.write("\n")
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(file)
    except OSError as error:
        raise StoreError(f"cannot write {file}: {error.strerror}") from error


# The exports of a run, for reports.


def export_loaders(
    run: Path, note: RunNote, prefix: str = ""
) -> list[tuple[str, Callable[[], bytes]]]:
    """Return, for the last attempt at each cell, the export's name and a function that loads it.

    ``prefix`` is put before each name. The function raises ExportRefused if the export is
    missing, was changed or is not verified, or if it was not created because the session's
    log was edited.
    """
    found: list[tuple[str, Callable[[], bytes]]] = []
    for cell in note.cells:
        standing = read_standing(run, cell)
        if standing.attempt is not None and standing.damage is not None:
            name = prefix + str((standing.attempt / EXPORT).relative_to(run))
            found.append((name, partial(_refuse, name, standing.damage)))
        if standing.attempt is None or standing.result is None:
            continue
        result = standing.result
        file = standing.attempt / EXPORT
        name = prefix + str(file.relative_to(run))
        if result.end == "tampered":
            found.append((name, partial(_refuse, name, f"no export: {result.why}")))
        elif result.findings:
            found.append(
                (name, partial(_refuse, name, f"verification failed: {result.findings[0]}"))
            )
        elif result.sha256 is not None:
            found.append((name, partial(_load, name, file, result.sha256)))
    return found


def is_fully_verified(run: Path, note: RunNote) -> bool:
    """Return whether each export without findings was verified, with its programs run again."""
    results = [read_standing(run, cell).result for cell in note.cells]
    exported = [one for one in results if one and one.sha256 is not None and not one.findings]
    return all(result.verified and result.repeated for result in exported)


def summarize_agents(run: Path, note: RunNote) -> tuple[AgentFigures, ...]:
    """Return the figures of each agent of a run: sums over the logs of its exported sessions."""
    results = [read_standing(run, cell).result for cell in note.cells]
    found: dict[tuple[str, str, str | None, str | None, str | None], list[AgentActivity]] = {}
    for cell, result in zip(note.cells, results, strict=True):
        if result is not None and result.agent is not None and result.sha256 is not None:
            one = result.agent
            key = cell.solver, one.agent, one.version, one.model, one.effort
            found.setdefault(key, []).append(one)
    return tuple(
        AgentFigures(*key, len(activities), *(_sum(activities, name) for name in _SUMMED_FIELDS))
        for key, activities in sorted(found.items(), key=str)
    )


_SUMMED_FIELDS = AgentFigures._fields[6:]


def _sum(activities: Sequence[AgentActivity], name: str) -> int | None:
    counts = [getattr(one, name) for one in activities]
    return None if None in counts else sum(counts)


class UsageFiles(NamedTuple):
    """Files of token reports. altered: the files that were changed or removed later."""

    unaltered: tuple[Path, ...]
    altered: tuple[Path, ...]


def load_usage(run: Path, note: RunNote) -> UsageFiles:
    """Return the files with the token reports of the last attempt at each cell of a run.

    A cell is one session that the run plans: a solver, a language, a protocol and a number.
    """
    unaltered: list[Path] = []
    altered: list[Path] = []
    for cell in note.cells:
        standing = read_standing(run, cell)
        result = standing.result
        if standing.attempt is None or result is None or result.tokens is None:
            continue
        file = standing.attempt / USAGE
        same = (
            result.usage_sha256 is not None
            and compute_digest(file, MAX_EXPORT_BYTES) == result.usage_sha256
        )
        (unaltered if same else altered).append(file)
    return UsageFiles(tuple(unaltered), tuple(altered))


def _load(name: str, file: Path, digest: str) -> bytes:
    try:
        text = read_regular_file(file, MAX_EXPORT_BYTES)
    except OSError as error:
        raise ExportRefused(name, f"cannot be read: {error.strerror or error}") from None
    if sha256(text).hexdigest() != digest:
        raise ExportRefused(name, "was altered after it was verified")
    return text


def _refuse(name: str, reason: str) -> bytes:
    """Raise ExportRefused; replaces ``_load`` for an export that must not be used."""
    raise ExportRefused(name, reason)
