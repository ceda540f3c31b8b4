"""Looking into the workspace when a program is handed in, and what is kept of it.

The folder belongs to the solver.  Whatever lies there, looking never fails: what could not be
seen is part of what was found.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from esoplay.sessions.events import Inspection
from esoplay.sessions.inventory import Entry, Inventory, take_inventory
from esoplay.sessions.library import compiled_of
from esoplay.sessions.store import digest
from esoplay.thin_client import MEMORY

Identity = tuple[int, str | None]
"""Size and digest: what tells a changed file from one that is as it was."""

KEPT = re.escape(MEMORY) + r"(\.[0-9]+)?"
"""A pattern of files in which the thin client keeps what was not answered yet."""

_MOST_SEEN = 5_000  # helpers that are remembered after they were removed


@dataclass(frozen=True, slots=True)
class Inspected:
    """The summary that joins the log, and the list of files that it names."""

    summary: Inspection
    inventory: bytes | None = None

    @property
    def digest(self) -> str | None:
        return None if self.inventory is None else digest(self.inventory)

    @property
    def blobs(self) -> tuple[bytes, ...]:
        return () if self.inventory is None else (self.inventory,)


NOWHERE = Inspected(Inspection(False, "this session has no workspace that the operator knows of"))


def inspect(
    folder: Path,
    extensions: tuple[str, ...],
    given: Mapping[str, str],
    problem: str,
    previous: bytes | None,
) -> Inspected:
    """What lies in a workspace as a program for ``problem`` is handed in.

    extensions: of the session's language.  given: what init wrote, path to SHA-256.
    previous: the inventory of the submission before, None at the first.
    """
    try:
        kept = re.compile(f"{KEPT}|{compiled_of(given)}")
        found = take_inventory(folder, extensions, given, kept)
    except OSError as error:
        return Inspected(Inspection(False, f"the workspace cannot be opened: {error.strerror}"))
    before, seen = _read(previous)
    helpers = {one.sha256 for one in found.entries if one.kind == "generator" and one.sha256}
    reused = sum(seen.get(helper, problem) != problem for helper in helpers)
    gone = {helper: first for helper, first in seen.items() if helper not in helpers}
    remembered = {**gone, **{helper: seen.get(helper, problem) for helper in sorted(helpers)}}
    if len(remembered) > _MOST_SEEN:
        remembered = dict(list(remembered.items())[-_MOST_SEEN:])
    listed = {
        "files": [
            {name: value for name, value in entry._asdict().items() if value is not None}
            for entry in found.entries
        ],
        "helpers": remembered,
    }
    text = json.dumps(listed, separators=(",", ":")).encode()
    return Inspected(_summary(found, before, reused), text)


def _summary(found: Inventory, before: Mapping[str, Identity], reused: int) -> Inspection:
    generators: dict[str, str] = {}
    foreign: str | None = None
    for entry in found.entries:
        if entry.language is not None:
            generators.setdefault(entry.language, entry.path)
        if entry.kind not in ("program", "given"):
            foreign = foreign or entry.path
    now = {entry.path: _identity(entry) for entry in found.entries}
    return Inspection(
        seen=True,
        files=len(found.entries),
        size=sum(entry.size for entry in found.entries),
        complete=found.complete,
        generators=generators,
        foreign=foreign,
        new=sum(path not in before for path in now),
        changed=sum(path in before and before[path] != one for path, one in now.items()),
        removed=sum(path not in now for path in before),
        reused=reused,
    )


def _identity(entry: Entry) -> Identity:
    return entry.size, entry.sha256


def _read(inventory: bytes | None) -> tuple[dict[str, Identity], dict[str, str]]:
    """The files of an earlier inventory, and the helpers seen until then with their problem."""
    if inventory is None:
        return {}, {}
    listed = json.loads(inventory)
    files = {one["path"]: (one["size"], one.get("sha256")) for one in listed["files"]}
    return files, listed["helpers"]
