"""The exports of a run, for reports."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path

from esoplay.agents.records import EXPORT, RunNote, standing_of
from esoplay.service.reporting import LARGEST, Refused


def exports_of(run: Path, note: RunNote) -> list[tuple[str, Callable[[], bytes]]]:
    """Of the last attempt at each cell, by their names in the run's folder, with what loads them.

    Loading one raises Refused where it is gone, is not what was verified, or did not verify.
    A session whose log was tampered with has no export and is refused likewise.
    """
    found: list[tuple[str, Callable[[], bytes]]] = []
    for cell in note.cells:
        standing = standing_of(run, cell)
        if standing.attempt is None or standing.result is None:
            continue
        result = standing.result
        file = standing.attempt / EXPORT
        name = str(file.relative_to(run))
        if result.end == "tampered":
            found.append((name, partial(_refuse, name, f"there is no export: {result.why}")))
        elif result.findings:
            found.append((name, partial(_refuse, name, f"did not verify: {result.findings[0]}")))
        elif result.sha256 is not None:
            found.append((name, partial(_load, name, file, result.sha256)))
    return found


def _load(name: str, file: Path, digest: str) -> bytes:
    try:
        with file.open("rb") as stream:
            text = stream.read(LARGEST + 1)
    except OSError as error:
        raise Refused(name, f"cannot be read: {error.strerror}") from None
    if sha256(text).hexdigest() != digest:
        raise Refused(name, "was altered after it was verified")
    return text


def _refuse(name: str, reason: str) -> bytes:
    raise Refused(name, reason)
