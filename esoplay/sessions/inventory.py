"""What lies in a workspace: a bounded look at a folder that may be hostile.

No symbolic link is followed, nothing but regular files is opened, and nothing outside the folder
is reached even if a part of the path is exchanged meanwhile: every step starts from an open
folder.  What cannot be read, or lies beyond the bounds, is noted and makes the list incomplete.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections import deque
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from esoplay.sessions.events import Inspection
from esoplay.sessions.hosts import host_of_content, host_of_name
from esoplay.sessions.library import compiled_of
from esoplay.sessions.store import digest
from esoplay.thin_client import MEMORY

MOST_ENTRIES = 2_000
MOST_BYTES = 32 << 20
"""How many entries are listed, and how many bytes are read in all."""

MOST_LEVELS = 32
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NONBLOCK
_PIECE = 1 << 16
_GIT_SAMPLES = ".git/hooks/"  # scripts that git itself puts there and never runs

Kind = Literal["program", "generator", "given", "other", "link", "unread"]


class FileEntry(NamedTuple):
    """One file.  ``sha256`` is None where its content was not read to the end.

    kind: ``program`` in the session's language, ``generator`` in one that could write programs,
    ``given`` by init and unchanged, or saved there by a tool that init gave, ``link`` that was not
    followed, ``unread`` for lack of permission or because it is not a regular file.  language: of
    a generator, also of one that a link points to.
    """

    path: str
    size: int
    sha256: str | None
    kind: Kind
    language: str | None = None


class Inventory(NamedTuple):
    """All files by path; ``complete`` says that every one was read."""

    entries: tuple[FileEntry, ...]
    complete: bool


def take_inventory(
    folder: Path,
    extensions: tuple[str, ...],
    given: Mapping[str, str] | None = None,
    kept: re.Pattern[str] | None = None,
) -> Inventory:
    """List what lies in ``folder``; OSError only if that is a link or cannot be opened.

    extensions: of the session's language.  given: what init wrote, path to SHA-256.  kept: paths
    of files that a client, or Python beside the modules of ``given``, keeps there.
    """
    look = _Look(extensions, given or {}, kept)
    root = os.open(folder, _FOLDER | os.O_NOFOLLOW)
    try:
        look.through(root)
    finally:
        os.close(root)
    entries = tuple(sorted(look.entries, key=lambda entry: entry.path))
    return Inventory(entries, look.complete)


class _Look:
    def __init__(
        self, extensions: tuple[str, ...], given: Mapping[str, str], kept: re.Pattern[str] | None
    ):
        self.entries: list[FileEntry] = []
        self.complete = True
        self._extensions = extensions
        self._given = given
        self._kept = kept
        self._entries_left = MOST_ENTRIES
        self._bytes_left = MOST_BYTES

    def through(self, root: int) -> None:
        """Level by level, so that one full folder does not hide what lies beside it."""
        waiting: deque[tuple[str, ...]] = deque([()])
        while waiting:
            parts = waiting.popleft()
            try:
                with _below(root, parts) as fd:
                    below = self._list(fd, parts)
            except OSError:
                if not parts:
                    raise
                self._unread("/".join(map(_printable, parts)))
                continue
            if len(parts) < MOST_LEVELS:
                waiting.extend((*parts, name) for name in below)
            elif below:
                self.complete = False

    def _list(self, fd: int, parts: tuple[str, ...]) -> list[str]:
        """Note the files of one folder; gives the names of the folders in it."""
        prefix = "".join(f"{_printable(part)}/" for part in parts)
        folders: list[str] = []
        for name in self._names(fd):
            path = prefix + _printable(name)
            try:
                found = os.stat(name, dir_fd=fd, follow_symlinks=False)
                if stat.S_ISDIR(found.st_mode):
                    folders.append(name)
                else:
                    self.entries.append(self._entry(fd, name, path, found))
            except OSError:
                self._unread(path)
        return folders

    def _unread(self, path: str) -> None:
        self.complete = False
        self.entries.append(FileEntry(path, 0, None, "unread", host_of_name(path)))

    def _names(self, fd: int) -> list[str]:
        """The names in a folder, sorted; no more of them than may still be listed."""
        names: list[str] = []
        with os.scandir(fd) as listing:
            for entry in listing:
                if not self._entries_left:
                    self.complete = False
                    break
                self._entries_left -= 1
                names.append(entry.name)
        return sorted(names)

    def _entry(self, fd: int, name: str, path: str, found: os.stat_result) -> FileEntry:
        if not stat.S_ISREG(found.st_mode):
            self.complete = False
            kind = "link" if stat.S_ISLNK(found.st_mode) else "unread"
            return FileEntry(path, 0, None, kind, host_of_name(path))
        first, size, sha256 = self._read(fd, name)
        kind, language = self._kind(path, first, sha256)
        return FileEntry(path, size if sha256 else found.st_size, sha256, kind, language)

    def _kind(self, path: str, first: bytes, sha256: str | None) -> tuple[Kind, str | None]:
        if sha256 is not None and self._given.get(path) == sha256:
            return "given", None
        if self._kept and self._kept.fullmatch(path) and host_of_content(first) is None:
            return "given", None
        if path.startswith(_GIT_SAMPLES) and path.endswith(".sample"):
            return "other", None
        own = path.lower().endswith(self._extensions)
        language = host_of_content(first) or (None if own else host_of_name(path))
        if language is not None:
            return "generator", language
        return ("program" if own else "other"), None

    def _read(self, fd: int, name: str) -> tuple[bytes, int, str | None]:
        """First bytes, length and digest; no digest where the bound was reached before the end."""
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
        with open(os.open(name, flags, dir_fd=fd), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError("exchanged meanwhile")
            sha256, size, first = hashlib.sha256(), 0, b""
            while piece := file.read(_PIECE):
                first = first or piece[:256]
                if len(piece) > self._bytes_left:
                    self.complete = False
                    return first, size, None
                self._bytes_left -= len(piece)
                size += len(piece)
                sha256.update(piece)
            return first, size, sha256.hexdigest()


@contextmanager
def _below(root: int, parts: tuple[str, ...]) -> Generator[int]:
    """A folder below ``root``, opened part by part so that no link is followed on the way."""
    fd = os.dup(root)
    try:
        for part in parts:
            inner = os.open(part, _FOLDER | os.O_NOFOLLOW, dir_fd=fd)
            os.close(fd)
            fd = inner
        yield fd
    finally:
        os.close(fd)


def _printable(name: str) -> str:
    """Return a name as text; bytes that are not UTF-8 and unprintable characters are escaped."""
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


# The inspection of the workspace when a program is submitted, and what is stored of it.
#
# The folder belongs to the solver.  The inspection never fails, whatever the folder contains: it
# lists what it could not read.

Identity = tuple[int, str | None]
"""Size and digest, which show whether a file has changed."""

KEPT = re.escape(MEMORY) + r"(\.[0-9]+)?"
"""A pattern of files in which the thin client keeps what was not answered yet."""

_MOST_SEEN = 5_000  # helpers that are remembered after they were removed


@dataclass(frozen=True, slots=True)
class InspectedWorkspace:
    """The summary that joins the log, and the list of files that it names."""

    summary: Inspection
    inventory: bytes | None = None

    @property
    def digest(self) -> str | None:
        return None if self.inventory is None else digest(self.inventory)

    @property
    def blobs(self) -> tuple[bytes, ...]:
        return () if self.inventory is None else (self.inventory,)


NOWHERE = InspectedWorkspace(Inspection(False, "the operator knows no workspace of this session"))


def inspect(
    folder: Path,
    extensions: tuple[str, ...],
    given: Mapping[str, str],
    problem: str,
    previous: bytes | None,
) -> InspectedWorkspace:
    """What lies in a workspace as a program for ``problem`` is handed in.

    extensions: of the session's language.  given: what init wrote, path to SHA-256.
    previous: the inventory of the submission before, None at the first.
    """
    try:
        kept = re.compile(f"{KEPT}|{compiled_of(given)}")
        found = take_inventory(folder, extensions, given, kept)
    except OSError as error:
        return InspectedWorkspace(
            Inspection(False, f"the workspace cannot be opened: {error.strerror}")
        )
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
    return InspectedWorkspace(_summary(found, before, reused), text)


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


def _identity(entry: FileEntry) -> Identity:
    return entry.size, entry.sha256


def _read(inventory: bytes | None) -> tuple[dict[str, Identity], dict[str, str]]:
    """The files of an earlier inventory, and the helpers seen until then with their problem."""
    if inventory is None:
        return {}, {}
    listed = json.loads(inventory)
    files = {one["path"]: (one["size"], one.get("sha256")) for one in listed["files"]}
    return files, listed["helpers"]
