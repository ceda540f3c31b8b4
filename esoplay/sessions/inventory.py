"""Inventories of workspaces: bounded scans of untrusted folders.

Symbolic links are not followed, and only regular files are opened. Each step opens a name relative
to an open folder, so the scan stays inside the root even if part of a path is replaced meanwhile.
Files that cannot be read or exceed the limits are listed and make the inventory incomplete.
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
from esoplay.sessions.hosts import find_host_by_content, find_host_by_name
from esoplay.sessions.library import compiled_pattern
from esoplay.sessions.store import digest
from esoplay.thin_client import MEMORY

MAX_ENTRIES = 2_000
"""The maximum number of entries that a scan lists."""

MAX_BYTES = 32 << 20
"""The maximum number of bytes that a scan reads from all files together."""

MAX_LEVELS = 32
_OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NONBLOCK
_CHUNK = 1 << 16
_GIT_SAMPLES = ".git/hooks/"  # sample scripts, which git creates and does not run

Kind = Literal["program", "generator", "given", "other", "link", "unread"]


class InventoryEntry(NamedTuple):
    """One file. ``sha256`` is None if the file was not read to its end.

    kind: ``program``: in the session's language. ``generator``: in a language that could write
    programs. ``given``: written by init and unchanged, or saved by a tool that init provides.
    ``other``: any other regular file. ``link``: a symbolic link. ``unread``: not readable, or not a
    regular file. language: the language of a generator, or of the generator that a link points to.
    """

    path: str
    size: int
    sha256: str | None
    kind: Kind
    language: str | None = None


class Inventory(NamedTuple):
    """All files by path; ``complete`` is true if every file was read."""

    entries: tuple[InventoryEntry, ...]
    complete: bool


def take_inventory(
    folder: Path,
    extensions: tuple[str, ...],
    original_files: Mapping[str, str] | None = None,
    tool_files: re.Pattern[str] | None = None,
) -> Inventory:
    """List the files in ``folder``; raise OSError if the folder is a link or cannot be opened.

    extensions: the file extensions of the session's language. original_files: the SHA-256 of the
    files that init wrote, by path. tool_files: a pattern for files that a client writes, or that
    Python writes next to the modules in ``original_files``.
    """
    look = _FolderScan(extensions, original_files or {}, tool_files)
    root = os.open(folder, _OPEN_FOLDER | os.O_NOFOLLOW)
    try:
        look.scan(root)
    finally:
        os.close(root)
    entries = tuple(sorted(look.entries, key=lambda entry: entry.path))
    return Inventory(entries, look.complete)


class _FolderScan:
    def __init__(
        self,
        extensions: tuple[str, ...],
        original_files: Mapping[str, str],
        tool_files: re.Pattern[str] | None,
    ):
        self.entries: list[InventoryEntry] = []
        self.complete = True
        self._extensions = extensions
        self._original_files = original_files
        self._tool_files = tool_files
        self._entries_left = MAX_ENTRIES
        self._bytes_left = MAX_BYTES

    def scan(self, root: int) -> None:
        """List the files in an open folder and its subfolders.

        The order is breadth-first, so that deep folders cannot use up the limits before shallow
        ones.
        """
        waiting: deque[tuple[str, ...]] = deque([()])
        while waiting:
            parts = waiting.popleft()
            try:
                with _open_subfolder(root, parts) as fd:
                    below = self._list(fd, parts)
            except OSError:
                if not parts:
                    raise
                self._add_unreadable("/".join(map(_escape_unprintable, parts)))
                continue
            if len(parts) < MAX_LEVELS:
                waiting.extend((*parts, name) for name in below)
            elif below:
                self.complete = False

    def _list(self, fd: int, parts: tuple[str, ...]) -> list[str]:
        """List the files of one folder; return the names of its subfolders."""
        prefix = "".join(f"{_escape_unprintable(part)}/" for part in parts)
        folders: list[str] = []
        for name in self._names(fd):
            path = prefix + _escape_unprintable(name)
            try:
                found = os.stat(name, dir_fd=fd, follow_symlinks=False)
                if stat.S_ISDIR(found.st_mode):
                    folders.append(name)
                else:
                    self.entries.append(self._entry(fd, name, path, found))
            except OSError:
                self._add_unreadable(path)
        return folders

    def _add_unreadable(self, path: str) -> None:
        self.complete = False
        self.entries.append(InventoryEntry(path, 0, None, "unread", find_host_by_name(path)))

    def _names(self, fd: int) -> list[str]:
        """Return the sorted names in a folder, up to the remaining number of entries."""
        names: list[str] = []
        with os.scandir(fd) as listing:
            for entry in listing:
                if not self._entries_left:
                    self.complete = False
                    break
                self._entries_left -= 1
                names.append(entry.name)
        return sorted(names)

    def _entry(self, fd: int, name: str, path: str, status: os.stat_result) -> InventoryEntry:
        if not stat.S_ISREG(status.st_mode):
            self.complete = False
            kind = "link" if stat.S_ISLNK(status.st_mode) else "unread"
            return InventoryEntry(path, 0, None, kind, find_host_by_name(path))
        first_bytes, size, sha256 = self._read(fd, name)
        kind, language = self._kind(path, first_bytes, sha256)
        return InventoryEntry(path, size if sha256 else status.st_size, sha256, kind, language)

    def _kind(self, path: str, first_bytes: bytes, sha256: str | None) -> tuple[Kind, str | None]:
        if sha256 is not None and self._original_files.get(path) == sha256:
            return "given", None
        if (
            self._tool_files
            and self._tool_files.fullmatch(path)
            and find_host_by_content(first_bytes) is None
        ):
            return "given", None
        if path.startswith(_GIT_SAMPLES) and path.endswith(".sample"):
            return "other", None
        own = path.lower().endswith(self._extensions)
        language = find_host_by_content(first_bytes) or (None if own else find_host_by_name(path))
        if language is not None:
            return "generator", language
        return ("program" if own else "other"), None

    def _read(self, fd: int, name: str) -> tuple[bytes, int, str | None]:
        """Return first bytes, length and digest of a file.

        The digest is None if the scan reached its limit of bytes before the end of the file.
        """
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
        with open(os.open(name, flags, dir_fd=fd), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError("replaced during the scan")
            sha256, size, first = hashlib.sha256(), 0, b""
            while piece := file.read(_CHUNK):
                first = first or piece[:256]
                if len(piece) > self._bytes_left:
                    self.complete = False
                    return first, size, None
                self._bytes_left -= len(piece)
                size += len(piece)
                sha256.update(piece)
            return first, size, sha256.hexdigest()


@contextmanager
def _open_subfolder(root: int, parts: tuple[str, ...]) -> Generator[int]:
    """Open a folder below ``root`` part by part, without following links."""
    fd = os.dup(root)
    try:
        for part in parts:
            inner = os.open(part, _OPEN_FOLDER | os.O_NOFOLLOW, dir_fd=fd)
            os.close(fd)
            fd = inner
        yield fd
    finally:
        os.close(fd)


def _escape_unprintable(name: str) -> str:
    """Return a name as text; escape bytes that are not UTF-8 and unprintable characters."""
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


# Inspection of the workspace when a program is submitted. The solver controls the folder, so the
# inspection never fails, whatever the folder contains; it lists the files that it could not read.

Identity = tuple[int, str | None]
"""Size and digest of a file, compared to detect changes."""

CLIENT_FILES = re.escape(MEMORY) + r"(\.[0-9]+)?"
"""A pattern for the files in which the thin client saves unanswered requests."""

_MAX_SEEN = 5_000  # maximum number of removed generators to remember


@dataclass(frozen=True, slots=True)
class InspectedWorkspace:
    """The result of inspecting a workspace: a summary for the log, and the list of its files.

    inventory: the list as JSON, None if the files were not listed.
    """

    summary: Inspection
    inventory: bytes | None = None

    @property
    def digest(self) -> str | None:
        return None if self.inventory is None else digest(self.inventory)

    @property
    def blobs(self) -> tuple[bytes, ...]:
        return () if self.inventory is None else (self.inventory,)


NO_WORKSPACE = InspectedWorkspace(Inspection(False, "no workspace is recorded for this session"))


def inspect(
    folder: Path,
    extensions: tuple[str, ...],
    original_files: Mapping[str, str],
    problem: str,
    previous: bytes | None,
) -> InspectedWorkspace:
    """Inspect a workspace when a program for ``problem`` is submitted.

    extensions: the file extensions of the session's language. original_files: the SHA-256 of the
    files that init wrote, by path. previous: the inventory of the previous submission; None
    for the first.
    """
    try:
        kept = re.compile(f"{CLIENT_FILES}|{compiled_pattern(original_files)}")
        found = take_inventory(folder, extensions, original_files, kept)
    except OSError as error:
        return InspectedWorkspace(
            Inspection(False, f"the workspace cannot be opened: {error.strerror}")
        )
    before, seen = _read(previous)
    helpers = {one.sha256 for one in found.entries if one.kind == "generator" and one.sha256}
    reused = sum(seen.get(helper, problem) != problem for helper in helpers)
    gone = {helper: first for helper, first in seen.items() if helper not in helpers}
    remembered = {**gone, **{helper: seen.get(helper, problem) for helper in sorted(helpers)}}
    if len(remembered) > _MAX_SEEN:
        remembered = dict(list(remembered.items())[-_MAX_SEEN:])
    listed = {
        "files": [
            {name: value for name, value in entry._asdict().items() if value is not None}
            for entry in found.entries
        ],
        "helpers": remembered,
    }
    text = json.dumps(listed, separators=(",", ":")).encode()
    return InspectedWorkspace(_summary(found, before, reused), text)


def _summary(
    inventory: Inventory, previous_identities: Mapping[str, Identity], reused: int
) -> Inspection:
    generators: dict[str, str] = {}
    foreign: str | None = None
    for entry in inventory.entries:
        if entry.language is not None:
            generators.setdefault(entry.language, entry.path)
        if entry.kind not in ("program", "given"):
            foreign = foreign or entry.path
    now = {entry.path: _identity(entry) for entry in inventory.entries}
    return Inspection(
        seen=True,
        files=len(inventory.entries),
        size=sum(entry.size for entry in inventory.entries),
        complete=inventory.complete,
        generators=generators,
        foreign=foreign,
        new=sum(path not in previous_identities for path in now),
        changed=sum(
            path in previous_identities and previous_identities[path] != one
            for path, one in now.items()
        ),
        removed=sum(path not in now for path in previous_identities),
        reused=reused,
    )


def _identity(entry: InventoryEntry) -> Identity:
    return entry.size, entry.sha256


def _read(inventory: bytes | None) -> tuple[dict[str, Identity], dict[str, str]]:
    """Return the files by path, and the problems by generator, of the previous inventory.

    The problem of a generator, which is identified by its SHA-256, is the one for which a program
    was submitted when the generator was first found.
    """
    if inventory is None:
        return {}, {}
    listed = json.loads(inventory)
    files = {one["path"]: (one["size"], one.get("sha256")) for one in listed["files"]}
    return files, listed["helpers"]
