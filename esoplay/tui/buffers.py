"""Program buffers: programs that are edited, their files, and file watchers.

The program of a problem is in the state folder and is saved automatically. A file that the user
opened is written only on request; until then, changes are saved as a draft, so that a crash or a
closed terminal loses nothing.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from esolangs.errors import UnknownLanguage
from esolangs.registry import find_language, language_of_file
from esoplay.errors import StoreError, UsageError

SOURCE_EXTENSION, SOURCE_LANGUAGE = ".py", "python"
"""Extension and language of write-once sources, which are compiled to all languages."""


@dataclass(eq=False, slots=True)
class ProgramBuffer:
    """A program that is edited, and its file.

    draft: the file for unsaved changes; None if changes are saved in ``path``. saved_source: the
    bytes last read from or written to the file; None if the file does not exist. is_source: whether
    the program is a write-once source of programs in ``language_id``.
    """

    path: Path
    language_id: str
    problem_id: str | None
    draft: Path | None
    saved_source: bytes | None
    is_source: bool = False

    @property
    def text_language(self) -> str:
        """The language of the text: Python if ``is_source``, otherwise ``language_id``."""
        return SOURCE_LANGUAGE if self.is_source else self.language_id

    @property
    def title(self) -> str:
        return self.problem_id or self.path.name

    def read(self) -> bytes | None:
        """Return the file's current bytes, or None if it does not exist.

        Does not change ``saved_source``.
        """
        return _read(self.path)

    def save(self, source: bytes) -> None:
        """Write the file. Raises StoreError if it cannot be written."""
        write_file(self.path, source)
        self.saved_source = source
        self.discard_draft()

    def autosave(self, source: bytes) -> None:
        """Save ``source`` in the program's file; if the user owns the file, in a separate draft.

        Raises StoreError if the file cannot be written.
        """
        if source == self.saved_source:
            self.discard_draft()
        elif self.draft is None:
            self.save(source)
        else:
            write_file(self.draft, source)

    def discard_draft(self) -> None:
        """Delete the draft. Raises StoreError if it cannot be deleted."""
        if self.draft is None:
            return
        try:
            self.draft.unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"cannot remove {self.draft}: {error.strerror}") from error


class Buffers:
    """Creates program buffers; ``folder`` has the files of programs for problems and lessons."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def for_problem(self, pack: str, problem_id: str, language_id: str) -> ProgramBuffer:
        """Return the buffer of a problem in a language; its file need not exist."""
        extension = find_language(language_id).extensions[0]
        path = self._folder / "programs" / pack / language_id / f"{problem_id}{extension}"
        return ProgramBuffer(path, language_id, problem_id, None, _read(path))

    def for_lesson(self, language_id: str, slug: str, *former_slugs: str) -> ProgramBuffer:
        """Return the buffer of a lesson in a language; its file need not exist.

        A file that was saved under one of ``former_slugs`` of the lesson is still used.
        """
        extension = find_language(language_id).extensions[0]
        folder = self._folder / "lessons" / language_id
        paths = [folder / f"{each}{extension}" for each in (slug, *former_slugs)]
        path = next((each for each in paths if each.exists()), paths[0])
        return ProgramBuffer(path, language_id, None, None, _read(path))

    def for_source(self, pack: str, problem_id: str, language_id: str) -> ProgramBuffer:
        """Return the buffer of a problem's write-once source, which is shared by all languages."""
        path = self._folder / "programs" / pack / "write-once" / f"{problem_id}{SOURCE_EXTENSION}"
        return ProgramBuffer(path, language_id, problem_id, None, _read(path), is_source=True)

    def for_file(
        self, path: Path, language_id: str | None = None, *, target: str | None = None
    ) -> ProgramBuffer:
        """Return the buffer of a user's file, which need not exist.

        target: the language of generated programs, if the file is a source and ``language_id`` is
        None. Raises UsageError if the file cannot be read or its language is not clear, and
        UnknownLanguage.
        """
        path = path.expanduser().resolve()
        if path.is_dir():
            raise UsageError(f"{path} is a folder; expected a program's file")
        is_source = path.suffix == SOURCE_EXTENSION and target is not None
        language_id = language_id or (target if is_source else None)
        try:
            language = find_language(language_id) if language_id else language_of_file(str(path))
        except UnknownLanguage as error:
            if language_id:
                raise
            raise UsageError(
                f"{path.name}: {error}\ntry: choose the language with --lang"
            ) from None
        from hashlib import sha256  # late: slow to import, and only files need it

        name = sha256(os.fsencode(path)).hexdigest()[:16]
        draft = self._folder / "drafts" / f"{name}{path.suffix}"
        try:
            saved = _read(path)
        except OSError as error:
            raise UsageError(f"cannot read {path}: {error.strerror}") from error
        return ProgramBuffer(path, language.id, None, draft, saved, is_source)

    @staticmethod
    def read_draft(buffer: ProgramBuffer) -> bytes | None:
        """Return the draft that an earlier session saved; None if it is equal to the file."""
        draft = _read(buffer.draft) if buffer.draft else None
        return None if draft == buffer.saved_source else draft


def write_file(path: Path, data: bytes) -> None:
    """Replace a file's content atomically: readers get either the old or the new bytes."""
    from tempfile import mkstemp  # late: nothing is written before the first frame

    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            handle, name = mkstemp(prefix=f".{path.name}.", dir=path.parent)
        except PermissionError:
            path.write_bytes(data)  # The folder may be read-only although the file is not.
            return
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            _copy_mode(path, Path(name))
            Path(name).replace(path)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror}") from error


def _copy_mode(original: Path, copy: Path) -> None:
    if original.exists():
        shutil.copymode(original, copy)
    else:
        mask = os.umask(0)
        os.umask(mask)
        copy.chmod(0o666 & ~mask)


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except (FileNotFoundError, IsADirectoryError):  # Writing to a folder fails, so no data is lost.
        return None


# File watchers, which report changes by any program.

DEBOUNCE_MS = 300
"""Milliseconds for which changes are collected, to avoid reading a half-written file."""


async def watch_file(path: Path) -> AsyncIterator[None]:
    """Yield after each change of ``path``.

    The folder is watched, because a watch of the file ends when an editor replaces the file.
    """
    async for names in watch_folder(path.parent):
        if path in names:
            yield


async def watch_folder(folder: Path) -> AsyncIterator[set[Path]]:
    """Yield the changed files of a folder, after each batch of changes."""
    from watchfiles import awatch  # pyright: ignore[reportUnknownVariableType]

    folder.mkdir(parents=True, exist_ok=True)
    async for batch in awatch(folder, debounce=DEBOUNCE_MS, step=50, recursive=False):
        yield {Path(name) for _, name in batch}
