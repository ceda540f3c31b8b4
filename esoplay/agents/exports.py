"""The exports of a run, for reports."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from esoplay.agents.notes import standing_of
from esoplay.agents.records import EXPORT, USAGE, RunNote, digest_of, read_regular
from esoplay.service.reporting import LARGEST, Refused


def exports_of(run: Path, note: RunNote) -> list[tuple[str, Callable[[], bytes]]]:
    """Of the last attempt at each cell, by their names in the run's folder, with what loads them.

    Loading one raises Refused where it is gone, is not what was verified, or did not verify.
    A session whose log was tampered with has no export and is refused likewise.
    """
    found: list[tuple[str, Callable[[], bytes]]] = []
    for cell in note.cells:
        standing = standing_of(run, cell)
        if standing.attempt is not None and standing.damage is not None:
            name = str((standing.attempt / EXPORT).relative_to(run))
            found.append((name, partial(_refuse, name, standing.damage)))
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


class UsageFiles(NamedTuple):
    """Lines on tokens.  altered: files that are not what was noted, or are gone."""

    whole: tuple[Path, ...]
    altered: tuple[Path, ...]


def usage_of(run: Path, note: RunNote) -> UsageFiles:
    """The files of lines on tokens of the last attempt at each cell, where there are any."""
    whole: list[Path] = []
    altered: list[Path] = []
    for cell in note.cells:
        standing = standing_of(run, cell)
        result = standing.result
        if standing.attempt is None or result is None or result.tokens is None:
            continue
        file = standing.attempt / USAGE
        same = result.usage_sha256 is not None and digest_of(file, LARGEST) == result.usage_sha256
        (whole if same else altered).append(file)
    return UsageFiles(tuple(whole), tuple(altered))


def _load(name: str, file: Path, digest: str) -> bytes:
    try:
        text = read_regular(file, LARGEST)
    except OSError as error:
        raise Refused(name, f"cannot be read: {error.strerror or error}") from None
    if sha256(text).hexdigest() != digest:
        raise Refused(name, "was altered after it was verified")
    return text


def _refuse(name: str, reason: str) -> bytes:
    raise Refused(name, reason)
